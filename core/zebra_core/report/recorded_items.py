"""What of a report is computed again as a whole: its figures by name, as recorded and as made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.remarks import OF_INPUTS
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.satellites import SATELLITES, satellite_named
from zebra_core.report.evidence import outcomes_by_name
from zebra_core.report.recomputation import Recomputation, contained
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say

_NOT_RECOMPUTED = frozenset(
    {
        *("name", "dataset", "run", "notes", "inputs", "choices", "condition", *ATTACK),
        *("settings", "decisions", "mean"),
    }
)
"""What the user said, and what is only followed."""
_PASSING = frozenset({*OF_THE_DROP, *OF_INPUTS, "uncertainty-stopped"})
"""Remarks on where files lay, or on how draws came about; not on the figures."""


@dataclass(frozen=True, eq=False)
class RecordedItem:
    """A part of evidence that is computed again as a whole: what it is about, and the inputs it needs."""

    about: str
    recorded: Any
    inputs: Sequence[int]
    compute: Callable[[Progress], Any]  # the same part of the evidence, anew
    by_name: Callable[[Any], Mapping[str, object]]  # the figures of such a part, each by its name

    @property
    def said(self) -> Mapping[str, object]:
        """The figures as they are recorded."""
        return self.by_name(self.recorded)

    def again(self, on_progress: Progress) -> Mapping[str, object]:
        """The figures computed again. Raises ZebraError."""
        return contained(lambda: self.by_name(self.compute(on_progress)))


def items_of(project: Recomputation) -> list[RecordedItem]:
    """Assessments, matrices, and what was compared pair by pair; then what follows from all of them."""
    values = project.values
    items = [
        *(
            RecordedItem(
                " ".join(filter(None, (_name(one), one["condition"]))),
                one,
                one["inputs"],
                partial(project.assessment, place),
                figures_by_name,
            )
            for place, one in enumerate(values["assessments"])
        ),
        *(
            RecordedItem(_name(one), one, one["inputs"], partial(project.similarity, place), figures_by_name)
            for place, one in enumerate(values["similarities"])
        ),
        *(_pair_by_pair(place, one, project) for place, one in enumerate(values["differences"])),
        *(
            RecordedItem(
                satellite_named(name).title(one["values"]),
                one["values"],
                one["inputs"],
                partial(project.study, name, place),
                satellite_named(name).figures_by_name,
            )
            for name in SATELLITES
            for place, one in enumerate(values[name])
        ),
    ]
    every = tuple(
        dict.fromkeys(n for one in (*values["assessments"], *values["similarities"]) for n in one["inputs"])
    )
    follow = (
        ("requirements", say("verify.requirements"), project.required, _by_requirement),
        ("assessments", say("check.title"), project.checked, outcomes_by_name),
        ("robustness", say("robustness.head"), project.robust, partial(_by_row, values["assessments"])),
    )
    for key, about, compute, by_name in follow:
        if values[key]:
            recorded = values if by_name is outcomes_by_name else values[key]
            items.append(RecordedItem(about, recorded, every, compute, by_name))
    return items


def _pair_by_pair(number: int, recorded: Mapping[str, Any], project: Recomputation) -> RecordedItem:
    values = project.values
    used = [values["assessments"][place] for place in recorded["entries"]]
    names = dict(zip(recorded["entries"], _distinct([_name(each) for each in used]), strict=True))
    about = [say("verify.differences"), *(used[0].get(key) for key in ("dataset", "condition", "attacker"))]
    used += [values["similarities"][place] for place in recorded["matrices"] if place is not None]
    inputs = dict.fromkeys(place for each in used for place in each["inputs"])
    # What has no file of its own is known to be missing only by the others.
    inputs = inputs if all(each["inputs"] for each in used) else {}
    compute, by_name = partial(project.compared, number), partial(_by_pair, names)
    return RecordedItem(" ".join(filter(None, about)), recorded, tuple(inputs), compute, by_name)


def _name(recorded: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (recorded["name"], recorded["run"])))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come several times with their place among them."""
    count = Counter(names)
    return [name if count[name] == 1 else f"{name} ({place})" for place, name in enumerate(names, start=1)]


def _without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _by_pair(names: Mapping[int, str], compared: Mapping[str, Any]) -> dict[str, object]:
    """What was compared, and each difference by the two it is of; places are those of the assessments."""
    found: dict[str, object] = {}
    for figure, one in compared["figures"].items():
        of = [names[place] for place in one["of"]]
        found[figure] = dict(zip(of, one["values"], strict=True))
        for pair in one["differences"]:
            name = f"{figure} {of[pair['first']]} − {of[pair['second']]}"
            found[name] = _without(pair, "first", "second")
    return found


def _by_row(assessments: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """What leaving out speakers did to each assessment, by its name and place."""
    names = dict(enumerate(map(_name, assessments)))
    return {
        f"{names.get(one['assessment'], '')} ({one['assessment'] + 1})": _without(one, "assessment")
        for one in rows
    }


def _by_requirement(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Verdicts by the name of the requirement and, for each of its rows, by both names."""
    found: dict[str, object] = {}
    for each in verdicts:
        found[each["name"]] = {name: each[name] for name in ("verdict", "reason")}
        found |= {f"{each['name']} · {row['name']}": _without(row, "name") for row in each["rows"]}
    return found


def figures_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """The figures of an item by name: curves and remarks as a whole, speakers and counts one by one."""
    return dict(_leaves(_without(values, *_NOT_RECOMPUTED)))


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        if name == "speakers" and isinstance(value, list):
            yield from ((f"speakers[{row['speaker']}]", _without(row, "speaker")) for row in value)
        elif name == "inference" and isinstance(value, list):
            yield from _by_place(value)
        elif name == "by_group":
            yield from _of_groups(value)
        elif name == "uniqueness":  # the files of attributes may have other names today
            yield name, _without(value, "attributes", "remarks")
        elif name == "remarks":
            yield name, _codes(value)
        elif name == "audit" and isinstance(value, dict):
            for key, part in value.items():
                # Texts of findings name files by their names, which may have changed.
                yield f"audit.{key}", _codes(part) if key == "findings" else part
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", part) for key, part in value.items())
        else:
            yield name, value


def _by_place(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """What is told of each attribute by its place: their files may have other names today."""
    for number, row in enumerate(rows):
        yield f"inference[{number}]", _without(row, "attribute", "remarks")


def _of_groups(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """Every group by each attribute, and what was compared."""
    for number, row in enumerate(rows):
        for group in row["groups"]:
            yield f"by_group[{number}].{group['value']}", _without(group, "value")
        yield f"by_group[{number}]", _without(row, "attribute", "groups", "remarks")


def _codes(sentences: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was remarked of the figures."""
    return [one["code"] for one in sentences if one.get("code") not in _PASSING]
