"""The studies of an entry: each a row that computes it. Whoever wants all of them goes over `STUDIES`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zebra_core.evidence.trials import Trials
from zebra_core.project.attributes import NamedAttribute, names_of_attributes
from zebra_core.project.by_group import EntryFindings, GroupsOfPeople
from zebra_core.project.comparison.grouping import groups_of_people
from zebra_core.project.comparison.inference import (
    NamedLabels,
    attribute_called,
    attributes_of,
    inference_of,
    uniqueness_of,
)
from zebra_core.project.comparison.linking import reidentification_of
from zebra_core.project.items import Entry
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import Reidentification


@dataclass(frozen=True)
class StudyQuestion:
    """What is asked of a study, which takes of it what concerns it.

    `trials` are those of the entry; without, its files are read. `settings` are for intervals of an entry
    whose figures have none; None: it has none here either. `given` are attributes by their names, in place of
    those among the files, `by` is the one that divides people, in place of every one. `people` are so many as
    are stated to be in question. `deals`, `dense` and `quick` are as in `uncertainty.reidentification`; what
    is quick has no intervals.
    """

    trials: Trials | None = None
    settings: BootstrapSettings | None = None
    given: Sequence[NamedLabels] = ()
    by: str = ""
    people: int | None = None
    deals: int = 0
    dense: bool = False
    quick: bool = False

    def settings_of(self, entry: Entry) -> BootstrapSettings | None:
        """How intervals are drawn for an entry: as its figures have them."""
        return entry.trust.uncertainty.settings if entry.trust else self.settings


Compute = Callable[[Entry, StudyQuestion, Progress], Any]


def _people(entry: Entry, asked: StudyQuestion, on_progress: Progress) -> Reidentification:
    return reidentification_of(
        entry,
        None if asked.quick else asked.settings_of(entry),
        trials=asked.trials,
        people=asked.people,
        deals=asked.deals,
        dense=asked.dense,
        quick=asked.quick,
        on_progress=on_progress,
    )


def _inference(entry: Entry, asked: StudyQuestion, on_progress: Progress) -> tuple[NamedAttribute, ...]:
    names = [name for name, _ in asked.given] or names_of_attributes(entry)
    found = inference_of(
        entry, asked.settings_of(entry), given=asked.given, trials=asked.trials, on_progress=on_progress
    )
    return tuple(zip(names, found, strict=True))


def _by_group(entry: Entry, asked: StudyQuestion, on_progress: Progress) -> tuple[GroupsOfPeople, ...]:
    settings, known = asked.settings_of(entry), attributes_of(entry, asked.given)
    known = [attribute_called(asked.by, known, [entry])] if asked.by else known
    parts = [part_of(on_progress, n / len(known), (n + 1) / len(known)) for n in range(len(known))]
    return tuple(
        groups_of_people(entry, attribute, settings, trials=asked.trials, on_progress=part)
        for attribute, part in zip(known, parts, strict=True)
    )


def _uniqueness(entry: Entry, asked: StudyQuestion, on_progress: Progress) -> Uniqueness | None:
    return uniqueness_of(entry, asked.given, trials=asked.trials, on_progress=on_progress)


STUDIES: dict[str, Compute] = {
    "people": _people,
    "inference": _inference,
    "by_group": _by_group,
    "uniqueness": _uniqueness,
}
"""How each is computed, by its name: that of a field of `StudiedProject` and of `ComparisonRow`."""


def studied(
    study: str,
    entries: Sequence[Entry],
    asked: StudyQuestion | None = None,
    on_progress: Progress = no_progress,
) -> EntryFindings[Any]:
    """What a study finds of assessments, and why nothing of some; `on_progress` may raise Cancelled."""
    compute, wanted = STUDIES[study], asked or StudyQuestion()
    return EntryFindings.each(entries, lambda entry, part: compute(entry, wanted, part), on_progress)


def require_attribute(entries: Sequence[Entry], attribute: str, given: Sequence[NamedLabels] = ()) -> None:
    """Raise InputError where no assessment has an attribute of this name."""
    every = {name: labels for entry in entries for name, labels in attributes_of(entry, given)}
    attribute_called(attribute, list(every.items()), entries)
