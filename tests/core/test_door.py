"""The public door of the core."""

from types import ModuleType

import zebra_core


def test_every_name_at_the_door_is_the_thing_itself_also_when_its_module_is_loaded() -> None:
    """A module would hide a function of the same name."""
    for name in zebra_core.__all__:
        getattr(zebra_core, name)
    assert [name for name in zebra_core.__all__ if isinstance(getattr(zebra_core, name), ModuleType)] == []
