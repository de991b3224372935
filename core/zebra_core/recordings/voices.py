"""Voices in a project file: embeddings of recordings, biometric data, where the user wanted them inside."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from zebra_core.document import container
from zebra_core.document.parts import SavedValue, fields_as_json, read
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import as_json
from zebra_core.files.access import write_file
from zebra_core.recordings.embedding import KEY, EmbeddedRecording, Loudness
from zebra_core.recordings.pitch import Pitch

_ABOUT = "Embeddings of recordings, by which speakers are recognised: biometric data."
_MOST = 100_000  # voices
_MOST_DIMENSIONS = 10_000
_FIELDS = ("seconds", "rate_hz", "channels")


def voices_as_member(voices: Mapping[str, EmbeddedRecording]) -> bytes:
    """What `voices_of` reads, in the order of the keys."""
    known = {key: _as_json(voices[key]) for key in sorted(voices)}
    return json.dumps({"about": _ABOUT, "voices": known}, separators=(",", ":")).encode("ascii")


def voices_of(content: bytes, file: str) -> dict[str, EmbeddedRecording]:
    """The voices in a project file of this name. Raises InputError for what was not saved so."""
    saved = read(content, file, container.VOICES)["voices"]
    rows = enumerate(saved.fields(_MOST).items(), start=1)
    return {key: _heard(key, SavedValue(one.value, f"{saved.place} › {n}", file)) for n, (key, one) in rows}


def forget_voices(path: Path) -> int:
    """Take the voices out of a project file, and nothing else; how many there were.

    Raises InputError where there are none, or for what is no project; OutputError.
    """
    with container.Container(path) as packed:
        if container.VOICES not in packed:
            raise InputError("nothing-kept", folder=str(path))
        count = len(voices_of(packed.read(container.VOICES), path.name))
        rest = {name: packed.read(name) for name in packed.names if name != container.VOICES}
    write_file(path, container.pack(rest), overwrite=True)
    return count


def _as_json(heard: EmbeddedRecording) -> dict[str, object]:
    return {
        **fields_as_json(heard, _FIELDS),
        **as_json(heard.loudness),
        **as_json(heard.pitch),
        "embedding": b64encode(heard.embedding.astype("<f4").tobytes()).decode("ascii"),
    }


def _heard(key: str, saved: SavedValue) -> EmbeddedRecording:
    if not KEY.fullmatch(key):
        saved.refuse("object")
    text = saved["embedding"].as_a(Annotated[str, Meta(max_length=_MOST_DIMENSIONS * 6)])
    try:
        embedding = np.frombuffer(b64decode(text, validate=True), "<f4").astype(np.float32)
    except (binascii.Error, ValueError):
        saved["embedding"].refuse("list")
    if not len(embedding) or not np.isfinite(embedding).all() or not embedding.any():
        saved["embedding"].refuse("number")
    found = saved.fields_of(EmbeddedRecording, _FIELDS)
    return EmbeddedRecording(
        key.partition("-")[0],
        loudness=saved.as_a(Loudness),
        pitch=saved.as_a(Pitch),
        embedding=embedding,
        **found,
    )
