"""The option that divides the people of assessments into groups, and what is said of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from zebra_core.wording.texts import say
from zebra_gui.commands.options import Draws
from zebra_gui.commands.terminal import progress_bar

if TYPE_CHECKING:
    from zebra_core.project.by_group import GroupsOfPeople
    from zebra_core.project.comparison.inference import Labels
    from zebra_core.project.entry_findings import EntryFindings
    from zebra_core.project.items import Entry

by_option = click.option("--by", "by", multiple=True, metavar="ATTRIBUTE", help=say("cli.by"))
"""Of every command that may look at groups of people."""


def groups_of(
    entries: Sequence[Entry],
    by: Sequence[str],
    given: Sequence[tuple[str, Labels]],
    draws: Draws,
) -> EntryFindings[tuple[GroupsOfPeople, ...]]:
    """The groups by each of these attributes, and why some assessments have none.

    Raises InputError for an attribute that there is not.
    """
    from zebra_core.project.comparison.studies import StudyQuestion, require_attribute, studied
    from zebra_core.project.entry_findings import EntryFindings

    found: EntryFindings[tuple[GroupsOfPeople, ...]] = EntryFindings()
    for attribute in dict.fromkeys(by):
        with progress_bar(say("cli.grouping", attribute=attribute)) as progress:
            require_attribute(entries, attribute, given)
            asked = StudyQuestion(settings=draws.or_usual, given=given, by=attribute)
            of_one = studied("by_group", entries, asked, progress)
        found.missing |= of_one.missing
        for entry_id, groups in of_one.items():
            found[entry_id] = (*found.get(entry_id, ()), *groups)
    return found


def groups_of_one(
    entry: Entry, by: Sequence[str], given: Sequence[tuple[str, Labels]], draws: Draws
) -> tuple[GroupsOfPeople, ...]:
    """The groups of one assessment; prints why there are none."""
    found = groups_of([entry], by, given, draws)
    for error in found.missing.values():
        click.echo(f"zebra: {error}", err=True)
    return found.get(entry.id, ())


def group_lines(entries: Sequence[Entry], found: Mapping[str, Sequence[GroupsOfPeople]]) -> str:
    """A block for each attribute: the groups of each assessment, whether they differ, remarks."""
    from zebra_core.project.by_group import attacks_in_words
    from zebra_core.project.items import name_with_dataset
    from zebra_core.wording.texts import visible

    attacks, blocks = attacks_in_words(entries), []
    known = [(entry, each) for entry in entries for each in found.get(entry.id, ())]
    for name in dict.fromkeys(each.attribute for _, each in known):
        lines = [say("by-group.head", attribute=visible(name))]
        of_one = [(entry, each) for entry, each in known if each.attribute == name]
        for entry, each in of_one:
            lines += [visible(name_with_dataset(entry))] if len(entries) > 1 else []
            lines += each.lines(entry, attacks[entry.id])
        remarks = dict.fromkeys(remark for _, each in of_one for remark in each.remarks)
        blocks.append("\n".join([*lines, *remarks]))
    return "\n\n".join(blocks)
