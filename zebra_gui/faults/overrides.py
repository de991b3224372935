"""Exceptions on their way from our code into Qt's are made whole: its bindings crash over those that are not.

Up to Python 3.11 an exception that C code raised (a division by zero, an index that is out of range) is no
object yet until somebody catches it. PySide 6.10 puts words before the message of whatever leaves a method
that Qt calls, `paintEvent` or `data`, and where there is no object it reads memory that is none: the program
would be gone, with all that was not saved, instead of telling what happened.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache, wraps
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

_BOUND = (
    "PySide6.",
    "Shiboken",
    "shiboken6",
    "builtins",
)  # modules of classes that are not written in Python
_MARK = "__exceptions_are_whole__"


def make_exceptions_whole() -> None:
    """From now on, in all methods that Qt calls, of all classes that there are and will be.

    To be called before any of these methods is: the bindings remember where they found one.
    """
    if sys.version_info >= (3, 12) or "__init_subclass__" in vars(Shiboken.Object):
        return  # from 3.12 on every exception is an object at once
    Shiboken.Object.__init_subclass__ = classmethod(_on_class_made)  # type: ignore[assignment]
    for made in _below(Shiboken.Object):
        _look_through(made)


def _on_class_made(made: type, /, **more: object) -> None:
    object.__init_subclass__(**more)
    _look_through(made)


def _below(kind: type) -> Iterator[type]:
    found: list[type] = type.__subclasses__(kind)
    for made in found:
        yield made
        yield from _below(made)


def _look_through(made: type) -> None:
    """Replace each method that overrides one of Qt's, also where it comes from a class beside Qt's."""
    if _is_bound(made):
        return
    names = frozenset[str]().union(*(_names_in(base) for base in made.__mro__ if _is_bound(base)))
    for base in made.__mro__:
        if not _is_bound(base):
            for name, method in list(vars(base).items()):
                is_ours = isinstance(method, FunctionType) and not hasattr(method, _MARK)
                if is_ours and name in names:
                    setattr(base, name, _made_whole(method))


def _is_bound(kind: type) -> bool:
    return kind.__module__.startswith(_BOUND)


@cache
def _names_in(kind: type) -> frozenset[str]:
    """The names of its own methods that are not Python's."""
    return frozenset(name for name in vars(kind) if not name.startswith("__"))


def _made_whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def whole(*given: Any, **more: Any) -> Any:
        try:
            return method(*given, **more)
        except BaseException:  # noqa: TRY203 - to be caught makes it an object, whatever is done with it
            raise

    setattr(whole, _MARK, True)
    return whole
