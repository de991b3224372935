"""The line below a picture: of which dataset, condition and attacker it is, wherever it is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from zebra_core.figures.cells import CellsFigure
from zebra_core.figures.figure import Figure
from zebra_core.project.items import Condition, Item
from zebra_core.wording.names import shortened
from zebra_core.wording.texts import say, visible

AnyFigure = TypeVar("AnyFigure", bound=Figure | CellsFigure)

_LONGEST_NAME = 44
_MOST_NAMES = 3  # of more datasets or attackers only the number is told; the legend has them
_BETWEEN = " · "


def captioned(figure: AnyFigure, items: Sequence[Item], setting: str = "") -> AnyFigure:
    """The figure, which is of these items, with a caption that says so."""
    return replace(figure, caption=caption_of(items, setting))


def caption_of(items: Sequence[Item], setting: str = "") -> str:
    """The caption: a single item's name, then dataset, condition and attacker of all items.

    `setting` is "oo", "op" or "pp" where a picture is of one setting of similarity matrices.

    What nobody stated is said to be so. Unprotected speech has no attacker, nor have similarity matrices.
    """
    parts = [_name(items[0])] if len(items) == 1 else []
    parts.append(_listed([item.own_dataset or say("caption.dataset-unknown") for item in items], "datasets"))
    parts += [setting.upper()] if setting else _conditions(items)
    attacked = [entry for item in items for entry in item.entries if not entry.is_original]
    if attacked:
        named = [item.attack_in_words or say("caption.attacker-unknown") for item in attacked]
        parts.append(_listed(named, "attackers"))
    return _BETWEEN.join(part for part in parts if part)


def _name(item: Item) -> str:
    return _short(item.name_and_run)


def _conditions(items: Sequence[Item]) -> list[str]:
    """The conditions of the items: in words if there is one; for matrices, the settings they have."""
    stated = {entry.condition for item in items for entry in item.entries}
    if len(stated) == 1:
        (one,) = stated
        return [say(f"comparison.condition-{one.value}") if one else say("comparison.condition-unknown")]
    named = [condition.value for condition in Condition if condition in stated]
    named += [say("comparison.condition-unknown")] if None in stated else []
    for item in items:
        named += [setting.upper() for setting in item.settings]
    return [", ".join(dict.fromkeys(named))]


def _listed(names: Sequence[str], code: str) -> str:
    different = list(dict.fromkeys(names))
    if len(different) > _MOST_NAMES:
        return say(f"caption.{code}", count=len(different))
    return ", ".join(map(_short, different))


def _short(text: str) -> str:
    return shortened(visible(text), _LONGEST_NAME)
