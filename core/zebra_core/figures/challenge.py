"""Every figure of the reference toolkit's challenge script, named alike: by system, by task, sorted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zebra_core.figures.comparison import profiles_figure
from zebra_core.figures.figure import Figure
from zebra_core.project.comparison.challenge import challenge_names, challenge_system
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ComparisonRow

Make = Callable[[], Figure]


def challenge_figures(comparison: Comparison) -> dict[str, Make]:
    """What makes each figure, by its label: the file is ZEBRA-<label>.

    multiple_conditions_<system> has one safeguard in all its conditions, task_wise_<dataset>-<task>-<gender>
    all safeguards in one; sorted-… are the same with the legend ascending in D_ECE. Where the toolkit's name
    says too little to tell two groups apart, the attacker and then a number follow.
    """
    figures: dict[str, Make] = {}
    for label, title, rows, names in (*_by_system(comparison), *_by_task(comparison, set())):
        for prefix, is_sorted in (("", False), ("sorted-", True)):
            figures[prefix + label] = _maker(rows, title, names, is_sorted)
    return figures


def _maker(rows: list[ComparisonRow], title: str, names: list[str], is_sorted: bool) -> Make:
    return lambda: profiles_figure(rows, title, names, by_disclosure=is_sorted)


def _by_system(comparison: Comparison) -> Iterator[tuple[str, str, list[ComparisonRow], list[str]]]:
    for system in comparison.systems:
        rows = list(comparison.of_system(system))
        names = [str(challenge_names(row.group)) or str(row.group) for row in rows]
        own = next(row for row in rows if row.system == system)
        yield f"multiple_conditions_{challenge_system(own)}", system, rows, names


def _by_task(
    comparison: Comparison, taken: set[str]
) -> Iterator[tuple[str, str, list[ComparisonRow], list[str]]]:
    for group in comparison.groups:
        rows = list(comparison.of(group))
        task = str(challenge_names(group)) or str(group)
        label = f"task_wise_{task}"
        if label in taken and group.attacker:
            label = f"{label}-{group.attacker}"
        number = 2
        while label in taken:
            label, number = f"task_wise_{task}-{number}", number + 1
        taken.add(label)
        yield label, label.removeprefix("task_wise_"), rows, [row.system for row in rows]
