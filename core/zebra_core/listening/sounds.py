"""The recordings of a listener's file: as samples to be played, or as files for playing them elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from zebra_core.errors import InputError
from zebra_core.files.writing import make_folder, write_files
from zebra_core.listening.package import HeardItem, Package, read_sounds
from zebra_core.recordings.sound import HIGHEST_HZ, LOWEST_HZ, MOST_SAMPLES, Samples, SoundHeader, blocks_of
from zebra_core.recordings.sound_process import decoding
from zebra_core.runtime.apart import NoAnswer, refusal
from zebra_core.runtime.program_pool import Fault
from zebra_core.runtime.progress import no_progress


def samples_of(path: Path, package: Package, item: HeardItem) -> list[tuple[Samples, int]]:
    """The recordings of an item with their rates in hertz, in its order. Raises InputError."""
    content = read_sounds(path, package, item.sounds)
    found: list[tuple[Samples, int]] = []
    room = MOST_SAMPLES  # of all together: silence unpacks from a small file to any size
    for name in item.sounds:
        found.append(_decoded(path.name, content[name], room))
        room -= len(found[-1][0])
    return found


def sound_check() -> tuple[Samples, int]:
    """Two notes, to hear whether anything is played, and how loud; with their rate in hertz."""
    rate_hz = 16_000
    seconds = np.arange(rate_hz // 2) / rate_hz
    notes = [np.sin(2 * np.pi * hertz * seconds) * np.hanning(seconds.size) for hertz in (440.0, 660.0)]
    return (0.2 * np.concatenate(notes)).astype(np.float32), rate_hz


def export_sounds(path: Path, package: Package, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Every item as FLAC files named by its id and place (`i0001-1.flac`). Raises InputError, OutputError."""
    content = read_sounds(path, package)
    make_folder(folder)
    files = {
        folder / saved: content[name]
        for item in package.items
        for saved, name in zip(item.saved_names, item.sounds, strict=True)
    }
    return write_files(files, overwrite=overwrite)


def _decoded(file: str, content: bytes, most: int) -> tuple[Samples, int]:
    try:
        with decoding(content, hashed=False) as sound:
            kind = SoundHeader.of(sound)
            is_ours = (
                kind.format == "FLAC"
                and kind.channels == 1
                and LOWEST_HZ <= kind.rate_hz <= HIGHEST_HZ
                and 0 < kind.frames <= most
            )
            if not is_ours:
                raise InputError("listening-no-package", file=file)
            blocks = list(blocks_of(sound, kind, file, no_progress))
    except (Fault, NoAnswer, ValueError) as error:
        raise refusal(error, "listening-no-package", file) from error
    return np.concatenate(blocks)[:, 0], kind.rate_hz
