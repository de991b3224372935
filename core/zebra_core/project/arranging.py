"""What a user does with the items of a project: name, order, group, colour, tick; each gives a new Project.

Items keep their ids. Ids that are not in the project are ignored: their items may have been removed
meanwhile. Items of one dataset stand together; datasets are in the order in which they first occur.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from itertools import count
from uuid import uuid4

from zebra_core.project.items import Condition, Entry, Item
from zebra_core.project.project import Project
from zebra_core.wording.texts import say


def grouped(project: Project) -> Project:
    """The project with the items of each dataset side by side; their order is otherwise kept."""
    place = {dataset: number for number, dataset in enumerate(project.datasets)}
    return replace(project, items=tuple(sorted(project.items, key=lambda item: place[item.dataset])))


def with_name(project: Project, item_ids: Collection[str], name: str) -> Project:
    """The project with these items renamed: they take the colour of that safeguard; grey items stay grey.

    A safeguard that is renamed as a whole keeps its colour; if other items keep the old name, the renamed
    ones get a new colour.
    """
    mine = [item for item in _items(project, item_ids) if item.name != name]
    rest = project.without(item.id for item in mine)
    known = [item.colour for item in rest.items if item.name == name and item.colour is not None]
    left_behind = {item.name for item in rest.items}
    own = [item.colour for item in mine if item.name not in left_behind and item.colour is not None]
    colour = next(iter((*known, *own)), None)
    changed = [replace(item, name=name) for item in mine]
    if colour is None and changed:
        colour = _free_colour(rest, changed[0])
    coloured = (item if item.colour is None else replace(item, colour=colour) for item in changed)
    return _with_utilities_of(project, project.replacing(*coloured))


def with_dataset_renamed(project: Project, old: str, new: str) -> Project:
    """The project with a dataset renamed; if there already is one of that name, the two become one."""
    changed = (replace(item, dataset=new) for item in project.items if item.dataset == old)
    return _with_utilities_of(project, grouped(project.replacing(*changed)))


def moved_to_dataset(
    project: Project, item_ids: Collection[str], dataset: str, before: str | None = None
) -> Project:
    """The project with these items moved to a dataset, in their order: before an item, else at its end."""
    moved = {item.id: replace(item, dataset=dataset) for item in _items(project, item_ids)}
    if before in moved:
        before = _next_staying(project, before, moved)
    rest = [item for item in project.items if item.id not in moved]
    place = next((number for number, item in enumerate(rest) if item.id == before), None)
    if place is None:
        last = [number for number, item in enumerate(rest) if item.dataset == dataset]
        place = last[-1] + 1 if last else len(rest)
    rest[place:place] = moved.values()
    return _with_utilities_of(project, grouped(replace(project, items=tuple(rest))))


def moved_by(project: Project, item_ids: Collection[str], step: int) -> Project:
    """The project with these items moved one place down (`step` 1) or up (−1) within their datasets.

    Several keep their order; items that cannot move any further stay where they are.
    """
    ids = set(item_ids)
    items = list(grouped(project).items)
    places = range(len(items))
    for place in places if step < 0 else reversed(places):
        other = place + step
        if (
            items[place].id in ids
            and other in places
            and items[other].id not in ids
            and items[other].dataset == items[place].dataset
        ):
            items[place], items[other] = items[other], items[place]
    return replace(project, items=tuple(items))


def with_dataset_shifted(project: Project, dataset: str, step: int) -> Project:
    """The project with a whole dataset moved one place down (`step` 1) or up (−1) among the datasets."""
    order = list(project.datasets)
    place = order.index(dataset)
    other = place + step
    if not 0 <= other < len(order):
        return project
    order[place], order[other] = order[other], order[place]
    items = sorted(project.items, key=lambda item: order.index(item.dataset))
    return replace(project, items=tuple(items))


def duplicated(project: Project, item_ids: Collection[str]) -> tuple[Project, tuple[str, ...]]:
    """The project with copies of these items, after the last of them in each dataset; and the new ids.

    All copies of one safeguard get the same new name, and a colour that no other safeguard has.
    """
    mine = _items(project, item_ids)
    names: dict[str, str] = {}
    for item in mine:
        if item.name not in names:
            names[item.name] = _name_of_copy(
                item.name, {known.name for known in project.items} | set(names.values())
            )
    made: list[Item] = []
    for dataset in dict.fromkeys(item.dataset for item in mine):
        originals = [item for item in mine if item.dataset == dataset]
        behind = project.items.index(originals[-1]) + 1
        copies: list[Item] = []
        for item in originals:
            copy = replace(item, name=names[item.name], id=uuid4().hex)
            if item.colour is not None:
                seen = replace(project, items=(*project.items, *copies))
                copy = replace(copy, colour=_free_colour(seen, copy))
            copies.append(copy)
        project = replace(project, items=(*project.items[:behind], *copies, *project.items[behind:]))
        made += copies
    return project, tuple(copy.id for copy in made)


def with_colour(project: Project, item_ids: Collection[str], colour: int | None) -> Project:
    """The project with another colour for the safeguards of these items, wherever else these occur."""
    names = {item.name for item in _items(project, item_ids)}
    return project.replacing(*(replace(item, colour=colour) for item in project.items if item.name in names))


def with_ticks(project: Project, item_ids: Collection[str], is_ticked: bool) -> Project:
    """The project with these items ticked or not: answers, pictures and reports are of what is ticked."""
    return project.replacing(*(replace(item, is_ticked=is_ticked) for item in _items(project, item_ids)))


def with_only_ticked(project: Project, item_ids: Collection[str]) -> Project:
    """The project with these items ticked, and no others."""
    ids = set(item_ids)
    return project.replacing(*(replace(item, is_ticked=item.id in ids) for item in project.items))


def with_condition(project: Project, item_ids: Collection[str], condition: Condition | None) -> Project:
    """The project with another condition for these assessments; None where it is not stated."""
    changed = (replace(entry, condition=condition) for entry in _entries(project, item_ids))
    return _with_utilities_of(project, project.replacing(*changed))


def with_attack(project: Project, item_ids: Collection[str], **words: str) -> Project:
    """The project with other words, by their names in `ATTACK`, on who attacked in these assessments."""
    return project.replacing(*(entry.attacked_as(words) for entry in _entries(project, item_ids)))


def with_run(project: Project, item_ids: Collection[str], run: str) -> Project:
    """The project with another run for these items; empty where there is only one."""
    changed = (replace(item, run=run) for item in _items(project, item_ids))
    return _with_utilities_of(project, project.replacing(*changed))


def with_notes(project: Project, item_id: str | None, notes: str) -> Project:
    """The project with other notes on an item, or on the project itself where the id is None."""
    if item_id is None:
        return replace(project, notes=notes)
    return project.replacing(*(replace(item, notes=notes) for item in _items(project, [item_id])))


def is_same(old: Project, new: Project) -> bool:
    """Whether the user can see no difference between two projects: then there is nothing to undo."""
    return (
        len(old.items) == len(new.items)
        and (old.title, old.notes) == (new.title, new.notes)
        and all(map(_is_same_item, old.items, new.items))
    )


def _with_utilities_of(old: Project, new: Project) -> Project:
    """The new project, in which speech that was renamed keeps the utility that was known under its old name.

    If other assessments still have the old name, the utility stays there, too. What is already known
    under the new name is not overwritten.
    """
    utilities = dict(old.utilities)
    was = {entry.id: entry.speech for entry in old.entries}
    for entry in new.entries:
        before = was.get(entry.id, entry.speech)
        if before != entry.speech and before in old.utilities:
            utilities.setdefault(entry.speech, old.utilities[before])
    left = set(was.values()) - {entry.speech for entry in new.entries}
    kept = {speech: utility for speech, utility in utilities.items() if speech not in left}
    return replace(new, utilities=kept) if kept != old.utilities else new


def _items(project: Project, item_ids: Iterable[str]) -> tuple[Item, ...]:
    """The items with these ids, in the order of the project."""
    ids = set(item_ids)
    return tuple(item for item in project.items if item.id in ids)


def _entries(project: Project, item_ids: Iterable[str]) -> tuple[Entry, ...]:
    return tuple(entry for item in _items(project, item_ids) for entry in item.entries)


def _next_staying(project: Project, item_id: str | None, moved: Collection[str]) -> str | None:
    """The first item of the same dataset, from this one on, that does not move."""
    here = project.item(item_id or "")
    behind = [item for item in project.items if item.dataset == here.dataset]
    following = behind[behind.index(here) :]
    return next((item.id for item in following if item.id not in moved), None)


def _free_colour(project: Project, item: Item) -> int | None:
    """The colour of the safeguard, or the first that is free, for an item that is not to be grey."""
    protected = (replace(entry, condition=None) for entry in item.entries)
    return project.colour_for(next(protected, item))


def _name_of_copy(name: str, taken: Collection[str]) -> str:
    names = (say("name.copy", name=name, count=number) for number in count(1))
    return next(copy for copy in names if copy not in taken)


def _is_same_item(old: Item, new: Item) -> bool:
    if type(old) is not type(new):
        return False
    pairs = ((getattr(old, field.name), getattr(new, field.name)) for field in fields(old))
    # What is neither word nor number is what was computed, which these changes hand on as it is.
    return all(
        one is other or (isinstance(one, str | int) and type(one) is type(other) and one == other)
        for one, other in pairs
    )
