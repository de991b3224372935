"""Transcripts that come with recordings, in Kaldi's way: an id, then the words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.opening import open_regular
from zebra_core.recordings.folder import as_id

_MOST_BYTES = 1 << 28


def read_transcripts(path: Path) -> dict[str, str]:
    """The words of each recording, by its id. Raises InputError for what is no such list in UTF-8."""
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise InputError("speakers-too-large", file=path.name, most=_MOST_BYTES >> 20)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("speakers-not-utf8", file=path.name) from error
    found: dict[str, str] = {}
    first_line: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        name, *words = line.split()
        utterance = as_id(name)
        if utterance in found:
            first = first_line[utterance]
            raise InputError("utterance-twice", file=path.name, line=number, found=name, first=first)
        found[utterance], first_line[utterance] = " ".join(words), number
    return found


def beside(folder: Path) -> dict[str, str]:
    """The transcripts in the file `text` of a folder of recordings; none where there is no such file."""
    path = file_beside(folder)
    return read_transcripts(path) if path else {}


def file_beside(folder: Path) -> Path | None:
    """A file `text` in a folder of recordings, where there is one."""
    path = folder / "text"
    return path if path.is_file() else None


def is_copy(said: Mapping[str, str], heard: Mapping[str, str]) -> bool:
    """Whether nothing differs: what was said was copied along with the recordings, and nobody listened."""
    return all(said.get(name) == words for name, words in heard.items())
