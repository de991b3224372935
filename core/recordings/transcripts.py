"""Transcripts that come with recordings, in Kaldi's way: an id, then the words."""

from __future__ import annotations

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
    pairs = (line.split(maxsplit=1) for line in lines if line.strip())
    return {as_id(found[0]): " ".join(found[1].split()) for found in pairs if len(found) == 2}
