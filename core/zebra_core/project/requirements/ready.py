"""Requirements that come along: what others ask of a release, ready to be taken and changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import zebra_resources
from zebra_core.wording.texts import say

if TYPE_CHECKING:  # a menu names them before anything is computed
    from zebra_core.metrics.scales import TagScale
    from zebra_core.project.requirements.requirement import Requirement

READY = ("opinion-05-2014", "nine-in-a-hundred", "voiceprivacy-classes")
"""The files of `zebra_resources/examples`, without their ending."""


def ready_name(name: str) -> str:
    """What one of `READY` is called, in the language of the moment."""
    return say(f"ready.{name}")


def ready_requirements(name: str, scale: TagScale, people: int | None) -> tuple[Requirement, ...]:
    """One of `READY`, its words in the language of the moment, among so many people of the context.

    Raises InputError where it asks among how many, and nobody has stated that.
    """
    from zebra_core.project.requirements.requirement import read_requirements

    found = read_requirements(zebra_resources.path(f"examples/{name}.toml"), scale, people)
    texts = [f"ready.{name}-{number}" for number in range(1, len(found) + 1)]
    return tuple(
        replace(each, name=say(text), why=say(f"{text}-why")) for each, text in zip(found, texts, strict=True)
    )
