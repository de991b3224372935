"""Functions that jobs call, imported in their threads: a window shows before the core is there."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module


class LateModule:
    """A module of such functions: each is imported when it is called, whoever hands it on before."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> Callable[..., object]:
        def call(*given: object, **more: object) -> object:
            found: object = getattr(import_module(self._name), function)(*given, **more)
            return found

        return call
