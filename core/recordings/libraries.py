"""The libraries for sound and networks, which are an extra: loaded when first needed, named where missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from zebra_core.errors import InputError


def soundfile() -> ModuleType:
    """Reads and writes sound (libsndfile). Raises InputError where it is not installed."""
    return _library("soundfile")


def soxr() -> ModuleType:
    """Resamples. Raises InputError where it is not installed."""
    return _library("soxr")


def onnxruntime() -> ModuleType:
    """Runs networks. Raises InputError where it is not installed."""
    return _library("onnxruntime")


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
