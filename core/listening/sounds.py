"""The recordings of a listener's file: as samples to be played, or as files for playing them elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.writing import make_folder, write_files
from zebra_core.listening.package import HeardItem, Package, read_sounds
from zebra_core.recordings import libraries
from zebra_core.recordings.sound import HIGHEST_HZ, LOWEST_HZ, MOST_SAMPLES, Samples


def samples_of(path: Path, package: Package, item: HeardItem) -> list[tuple[Samples, int]]:
    """The recordings of an item with their rates in hertz, in its order. Raises InputError."""
    content = read_sounds(path, package, item.sounds)
    found: list[tuple[Samples, int]] = []
    room = MOST_SAMPLES  # of all together: silence unpacks from a small file to any size
    for name in item.sounds:
        found.append(_decoded(path.name, content[name], room))
        room -= len(found[-1][0])
    return found


def export_sounds(path: Path, package: Package, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Every item as FLAC files named by its id and place (`i0001-1.flac`). Raises InputError, OutputError."""
    content = read_sounds(path, package)
    make_folder(folder)
    files = {
        folder / f"{item.id}-{number}.flac": content[name]
        for item in package.items
        for number, name in enumerate(item.sounds, start=1)
    }
    return write_files(files, overwrite=overwrite)


def _decoded(file: str, content: bytes, most: int) -> tuple[Samples, int]:
    soundfile = libraries.soundfile()
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as sound:
            is_ours = (
                sound.format == "FLAC"
                and sound.channels == 1
                and LOWEST_HZ <= sound.samplerate <= HIGHEST_HZ
                and 0 < sound.frames <= most
            )
            if not is_ours:
                raise InputError("listening-no-package", file=file)
            return sound.read(dtype="float32"), sound.samplerate
    except (soundfile.SoundFileError, OSError, ValueError) as error:
        raise InputError("listening-no-package", file=file) from error
