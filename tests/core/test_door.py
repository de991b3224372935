"""The public door of the core."""

from types import ModuleType

import core


def test_every_name_at_the_door_is_the_thing_itself_also_when_its_module_is_loaded() -> None:
    """A module would hide a function of the same name."""
    for name in core.__all__:
        getattr(core, name)
    assert [name for name in core.__all__ if isinstance(getattr(core, name), ModuleType)] == []
