"""The public door of the core."""

import inspect
import sys
from types import ModuleType
from typing import get_args, get_type_hints

import pandas as pd
import pytest
from matplotlib.axes import Axes

import zebra_core
from zebra_core import types

NAMES = [name for name in zebra_core.__all__ if name != "__version__"]


def test_every_name_at_the_door_is_the_thing_itself_also_when_its_module_is_loaded() -> None:
    """A module would hide a function of the same name."""
    for name in zebra_core.__all__:
        getattr(zebra_core, name)
    assert [name for name in zebra_core.__all__ if isinstance(getattr(zebra_core, name), ModuleType)] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_type_in_a_public_signature_can_be_imported(name: str) -> None:
    open_to_all = {getattr(zebra_core, each) for each in NAMES}
    open_to_all |= {each for each in vars(types).values() if isinstance(each, type)}
    named = {each for made in signatures(getattr(zebra_core, name)) for each in classes_in(made)}
    assert {each for each in named if each.__module__.startswith("zebra_core")} - open_to_all == set()


def signatures(of):
    """A function, or a class with its public methods and properties."""
    members = vars(of).values() if inspect.isclass(of) else ()
    found = [of, *(getattr(one, "fget", None) or getattr(one, "func", None) or one for one in members)]
    found = [getattr(one, "__func__", one) for one in found]
    return [one for one in found if inspect.isfunction(one) and is_public(one)] + [of] * inspect.isclass(of)


def is_public(function):
    return not function.__name__.startswith("_")


def classes_in(signature):
    known = vars(types) | {"pd": pd, "Axes": Axes}
    hints = get_type_hints(signature, vars(sys.modules[signature.__module__]) | known)
    pending = [kind for name, kind in hints.items() if not name.startswith("_")]
    while pending:
        kind = pending.pop()
        pending += [each for each in get_args(kind) if not isinstance(each, str)]
        if isinstance(kind, type):
            yield kind
