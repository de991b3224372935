"""A listening test put into a project, in the place of what was known of the same test."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.listening.study import HeardTest, ListeningStudy, choice_of, is_alone, is_heard
from zebra_core.project.arranging import grouped
from zebra_core.project.items import Entry, Item
from zebra_core.project.project import Project
from zebra_core.wording.texts import kept


def with_heard(project: Project, heard: HeardTest, *, alone: bool | None = None) -> Project:
    """The project with a test and its assessments; those that were there keep what the user said of them.

    `alone`: whether each listener has assessments as well; None: as it was, at first not.
    """
    if alone is None:
        alone = shows_alone(project, heard.study)
    now = {choice_of(entry): entry for entry in heard.entries if alone or not is_alone(entry)}
    items: list[Item] = []
    for item in project.items:
        of_test = [entry for entry in item.entries if _is_of(entry, heard.study)]
        if not of_test:
            items.append(item)
        for entry in of_test:
            if (new := now.pop(choice_of(entry), None)) is not None:
                recogniser = new.recogniser if _is_called_by_us(entry) else entry.recogniser
                same = replace(entry, choices=new.choices, recogniser=recogniser)
                items.append(same.with_results_of(new))
    made = replace(project, items=tuple(items))
    made = made.with_study(heard.study)
    for entry in now.values():
        made = made.with_items(replace(entry, colour=made.colour_for(entry)))
    return grouped(made)


def shows_alone(project: Project, study: ListeningStudy) -> bool:
    """Whether each listener of a test has assessments in a project."""
    return any(is_alone(entry) for entry in entries_of(project, study))


def _is_called_by_us(entry: Entry) -> bool:
    """Whether a panel is called by the number of its listeners, of each of whom it has a file."""
    return entry.recogniser == kept("attack.panel", count=len(entry.files) - 1)


def entries_of(project: Project, study: ListeningStudy) -> tuple[Entry, ...]:
    """The assessments of a test, in the order of the project."""
    return tuple(entry for entry in project.entries if _is_of(entry, study))


def _is_of(entry: Entry, study: ListeningStudy) -> bool:
    return is_heard(entry) and any(file.sha256 == study.plan.sha256 for file in entry.files)


def tests_of(project: Project | None) -> tuple[ListeningStudy, ...]:
    """The tests by ear of a project, if there is one."""
    return tuple(one for one in project.studies if isinstance(one, ListeningStudy)) if project else ()
