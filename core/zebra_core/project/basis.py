"""On which basis optimistic figures stand: corrected for small sets, or as computed, one for each dataset.

Figures that stand side by side must be comparable. What adapting to a small set adds can be corrected only
where the assessment bears it (`FigureDraws.bears_correction`), so all assessments of the same speakers are
corrected, or none is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from zebra_core.project.items import Entry, Item
from zebra_core.uncertainty.bootstrap import OPTIMISTIC
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.wording.texts import say

_Placed = TypeVar("_Placed", bound=Item)


def on_one_basis(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items, with every figure of a dataset on one basis; those that stay on theirs are the same objects.

    A figure is corrected where its draws are known of all assessments of the dataset, and all bear it.
    """
    by_dataset: dict[str, list[Entry]] = {}
    for item in items:
        for entry in item.entries:
            by_dataset.setdefault(entry.dataset, []).append(entry)
    plain = {dataset: _as_computed(entries) for dataset, entries in by_dataset.items()}
    return tuple(_placed(item, plain.get(item.dataset, frozenset())) for item in items)


def of_one_picture(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries of one axis, whatever their datasets, with every figure on one basis.

    A figure is corrected where it stands corrected in the dataset of each.
    """
    known = any(entry.measured is not None for entry in entries)
    plain = frozenset(figure for figure in OPTIMISTIC if known and not is_corrected(entries, figure))
    return tuple(_placed(entry, plain) for entry in entries)


def is_corrected(entries: Sequence[Entry], figure: str = "d_ece_bits") -> bool:
    """Whether a figure stands without the optimism of small sets in all of these; none of none."""
    return bool(entries) and all(
        entry.trust is not None and entry.trust.uncertainty.is_corrected(figure) for entry in entries
    )


def basis_in_words(entries: Sequence[Entry], figure: str = "d_ece_bits") -> str:
    """On which basis the figure stands in these, for an axis or a head: "corrected for small sets"."""
    return say("headline.corrected" if is_corrected(entries, figure) else "headline.as-computed")


def _as_computed(entries: Sequence[Entry]) -> frozenset[str]:
    """The figures that are not corrected in this dataset."""
    if all(entry.measured is None for entry in entries):
        return frozenset()  # nobody asked
    return frozenset(
        figure
        for figure in OPTIMISTIC
        if not all(
            entry.trust is not None and figure in entry.trust.uncertainty.bear_correction for entry in entries
        )
    )


def _placed(item: _Placed, plain: frozenset[str]) -> _Placed:
    for entry in item.entries:  # matrices have no optimistic figures
        if entry.measured is not None and (found := _led(entry.measured, plain)) is not entry.measured:
            return replace(item, measured=found)
    return item


def _led(trust: AssessmentTrust, plain: frozenset[str]) -> AssessmentTrust:
    """The trust with these figures as computed, and so those of normalised scores."""
    found = trust.uncertainty.leading_as_computed(plain)
    others = {by: _led(one, plain) for by, one in trust.normalised.items()}
    if found is trust.uncertainty and all(others[by] is one for by, one in trust.normalised.items()):
        return trust
    return replace(trust, uncertainty=found, normalised=others)
