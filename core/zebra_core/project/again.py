"""A project that is made as another one was: with its report, requirements, scales, attackers and ticks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from zebra_core.evidence.audit import Answers, InputFile
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.project.items import Entry, Item, may_be_alike
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import RecordedWhen


def as_before(project: Project, before: Project) -> Project:
    """A project of new files with what another one says beside its files.

    What is about the old files alone is not taken along: notes, reviews, results, the date and the number of
    the report, and the day of its review. No requirement is shown to have been set before these data.
    """
    report = replace(before.report, date=None, report_id="", review_on=None)
    made = replace(
        with_items_as(project, before),
        answers=before.answers.and_then(project.answers),
        report=report,
        requirements=tuple(replace(one, recorded=RecordedWhen.NOT_SHOWN) for one in before.requirements),
    ).with_scales(before.tag_scale, before.verbal_scale)
    for entry in before.entries[:1]:
        made = made.at_prior(entry.assessment.settings.prior_one_in)
    return made


def with_items_as(project: Project, before: Project) -> Project:
    """The project with ticks, colours, attackers and sessions of another one, where attacks are the same."""
    return replace(project, items=tuple(_item_as(item, _like(item, before.items)) for item in project.items))


def answers_for(before: Project, delivery: Path) -> Answers:
    """What was said about the files of a project, of files at the same places in another folder."""
    files = [file for item in before.items for file in item.files]
    if not files:
        return Answers()
    top = _folder_of(files)
    here = delivery.absolute()

    def moved(text: str) -> str:
        return text.replace(f"{top}{os.sep}", f"{here}{os.sep}")

    return Answers(
        {moved(question): moved(choice) for question, choice in before.answers.choices.items()},
        {moved(place): allowed for place, allowed in before.answers.allowed.items()},
    )


def _folder_of(files: Iterable[InputFile]) -> str:
    """The folder that all of these files lie in, however deep."""
    folders = [str(file.path.absolute().parent) for file in files]
    try:
        return os.path.commonpath(folders)
    except ValueError:  # on several drives
        return folders[0]


def _like(item: Item, others: Iterable[Item]) -> Item | None:
    """The item of the same attack on the same speech; else the only one that may be, as not all is stated."""
    same = [one for one in others if _speech(one) == _speech(item)]
    attacks = [one for one in same if _attacks(one) == _attacks(item)]
    alike = [one for one in same if all(map(may_be_alike, _attacks(one), _attacks(item)))]
    return next(iter(attacks or (alike if len(alike) == 1 else ())), None)


def _speech(item: Item) -> tuple[object, ...]:
    return item.kind, item.name, item.dataset, item.run, *(entry.condition for entry in item.entries)


def _attacks(item: Item) -> list[str]:
    return [word for entry in item.entries for word in entry.attacked_by.values()]


def _item_as(item: Item, before: Item | None) -> Item:
    """An item with the tick, the colour and the rule of sessions of the one that is like it."""
    if before is None:
        return item
    made = replace(item, is_ticked=before.is_ticked, colour=before.colour)
    for entry, other in zip(made.entries, before.entries, strict=True):
        return _entry_as(entry, other)
    return made


def _entry_as(entry: Entry, before: Entry) -> Entry:
    words = {name: said or before.attacked_by[name] for name, said in entry.attacked_by.items()}
    made = entry.attacked_as(words)
    sessions = before.sessions
    return made.in_sessions(sessions) if isinstance(sessions, SessionRule) else made
