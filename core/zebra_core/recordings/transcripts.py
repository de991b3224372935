"""Transcripts that come with recordings, by the ids of these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zebra_core.intake import transcript_files
from zebra_core.recordings.folder import as_id


def read_transcripts(path: Path) -> dict[str, str]:
    """The words of each recording, by its id. Raises InputError for what are no transcripts."""
    return {
        as_id(name): " ".join(words.split())
        for name, words in transcript_files.read_transcripts(path).items()
    }


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
