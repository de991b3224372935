"""A listening test put into a project, in the place of what was known of the same test."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.project.arranging import grouped
from zebra_core.project.items import Entry, Item
from zebra_core.project.listening import HeardTest, ListeningStudy, choice_of, is_heard
from zebra_core.project.project import Project


def with_heard(project: Project, heard: HeardTest) -> Project:
    """The project with a test and its assessments; those that were there keep what the user said of them."""
    now = {choice_of(entry): entry for entry in heard.entries}
    items: list[Item] = []
    for item in project.items:
        if not isinstance(item, Entry) or not _is_of(item, heard.study):
            items.append(item)
        elif (new := now.pop(choice_of(item), None)) is not None:
            items.append(
                replace(
                    item, trials=new.trials, assessment=new.assessment, choices=new.choices, measured=None
                )
            )
    made = replace(project, items=tuple(items))
    made = made.with_listening(heard.study)
    for entry in now.values():
        made = made.with_items(replace(entry, colour=made.colour_for(entry)))
    return grouped(made)


def entries_of(project: Project, study: ListeningStudy) -> tuple[Entry, ...]:
    """The assessments of a test, in the order of the project."""
    return tuple(entry for entry in project.entries if _is_of(entry, study))


def _is_of(entry: Entry, study: ListeningStudy) -> bool:
    return is_heard(entry) and any(file.sha256 == study.plan.sha256 for file in entry.files)
