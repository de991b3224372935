"""A recogniser of the user's own, as ONNX: tried in a process of its own before it is run here."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.opening import open_regular
from zebra_core.recordings import libraries
from zebra_core.recordings.recogniser import Recogniser, session_of
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import say

_PROGRAM = Path(__file__).with_name("network_apart.py")
_MOST_BYTES = 1 << 29
_SECONDS = 60.0
_MOST_ANSWER = 4096
_ELSEWHERE = b"\x0a\x08location"  # weights in another file, by its path


def given(path: Path, on_progress: Progress = no_progress) -> Recogniser:
    """A network that takes what the shipped one takes, (1, frames, 80) Kaldi filter banks without their mean.

    Raises InputError for what is too large, has weights in other files, cannot be run within bounds of time
    and memory, or answers with something else than finite numbers, as many for any length.
    """
    libraries.onnxruntime()
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise InputError("model-too-large", file=path.name, most=_MOST_BYTES >> 20)
    if _ELSEWHERE in content:
        raise InputError("model-elsewhere", file=path.name)
    if not apart.can_run():
        raise InputError("model-not-tried", file=path.name)
    dimensions = _tried(path.name, content, on_progress)
    return Recogniser(
        path.stem,
        say("recordings.licence-unknown"),
        sha256(content).hexdigest(),
        dimensions,
        session_of(content),
    )


def _tried(name: str, content: bytes, on_progress: Progress) -> int:
    """How many numbers it answers with. Raises InputError."""
    try:
        answer = apart.run_apart(
            _PROGRAM, [], content, most_bytes=_MOST_ANSWER, seconds=_SECONDS, on_progress=on_progress
        )
        found = json.loads(answer)
        if "refused" in found:
            raise InputError("model-refused", file=name, reason=str(found["refused"]))
        return int(found["dimensions"])
    except (apart.NoAnswer, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("model-hostile", file=name) from error
