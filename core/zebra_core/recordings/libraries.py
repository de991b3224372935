"""The libraries for sound and networks, which are an extra: loaded when first needed, named where missing."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from zebra_core.errors import InputError

_SILENCE = "ORT_DISABLE_TELEMETRY"
"""Unless this is set, onnxruntime tells its makers of its use, and keeps an identifier in the home."""


def soundfile() -> ModuleType:
    """Reads and writes sound (libsndfile). Raises InputError where it is not installed."""
    return _library("soundfile")


def soxr() -> ModuleType:
    """Resamples. Raises InputError where it is not installed."""
    return _library("soxr")


def onnxruntime() -> ModuleType:
    """Runs networks, and tells nobody. Raises InputError where it is not installed."""
    os.environ[_SILENCE] = "1"  # read when it is loaded; programs that run apart inherit it
    found = _library("onnxruntime")
    found.disable_telemetry_events()  # those that Windows would collect
    return found


def require_all() -> None:
    """Raise InputError, with the name of the extra, before anything is begun that needs them."""
    for library in (soundfile, soxr, onnxruntime):
        library()


def versions() -> dict[str, str]:
    """What scores of recordings depend on, name to version."""
    sound = soundfile()
    found = {name: str(_library(name).__version__) for name in ("numpy", "onnxruntime", "soundfile", "soxr")}
    return {**found, "libsndfile": str(sound.__libsndfile_version__)}


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except (ImportError, OSError) as error:  # OSError: soundfile without libsndfile
        raise InputError("recordings-not-installed", package=name) from error
