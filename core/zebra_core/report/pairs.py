"""The pairs of a comparison as rows of a table: by how much they differ, and whether that is settled."""

from __future__ import annotations

from dataclasses import dataclass

from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.project import Project
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.uncertainty.intervals import figure_name
from zebra_core.wording.texts import say, visible, written


@dataclass(frozen=True)
class Pair:
    """One comparison with the names of the two, in words that can be shown."""

    first: str
    second: str
    difference: Difference

    @property
    def p(self) -> str:
        """The p-value as corrected for all tests; a dash where there is none."""
        return p_alone(self.difference.p_adjusted) if self.difference.is_tested else "–"

    @property
    def verdict(self) -> str:
        """Whether it is settled."""
        if not self.difference.is_tested:
            return say("difference.untested")
        return say("difference.yes" if self.difference.is_settled else "difference.no")

    @property
    def sentence(self) -> str:
        """All of it in a sentence."""
        both = {self.difference.first: self.first, self.difference.second: self.second}
        return self.difference.sentence([both.get(place, "") for place in range(max(both) + 1)])

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands under `heads`."""
        return (
            figure_name(self.difference.figure),
            self.first,
            self.second,
            self.difference.in_words,
            self.p,
            self.verdict,
        )


def heads() -> tuple[str, ...]:
    """The heads of such a table."""
    return tuple(
        say(f"difference.head-{code}") for code in ("figure", "first", "second", "by", "p", "settled")
    )


def pairs_of(project: Project, one: GroupDifferences) -> list[Pair]:
    """The pairs of a group, figure by figure, the largest difference first."""
    names = {
        entry_id: visible(entry.name_and_run, 200)
        for entry_id, entry in ((entry_id, project.entry(entry_id)) for entry_id in one.assessments)
    }
    order = [each.ranking.figure for each in one.compared]
    made = [Pair(names[i], names[j], each) for i, j, each in one.pairs()]
    return sorted(made, key=lambda pair: (order.index(pair.difference.figure), -abs(pair.difference.value)))


def group_of(project: Project, one: GroupDifferences) -> ComparisonGroup:
    """The group that was compared."""
    return ComparisonGroup.of(project.entry(next(iter(one.assessments))))


def has_too_few(one: GroupDifferences) -> bool:
    """Whether nothing was tested in a group, for it has too few speakers."""
    return one.compared[0].ranking.differences[0].has_too_few


def n_speakers_of(one: GroupDifferences) -> int:
    """How many speakers were drawn for the differences of a group."""
    return one.compared[0].ranking.differences[0].n_clusters


def rests_on(one: GroupDifferences) -> str:
    """How the differences were found, in a sentence."""
    first = one.compared[0].ranking.differences[0]
    return say(
        "difference.rests-on-too-few" if first.has_too_few else "difference.rests-on",
        replicates=one.replicates,
        level=written(100.0 * one.settings.level, "g"),
        seed=one.settings.seed,
        family=first.family.size,
        count=first.n_clusters,
        fewest=FEWEST_SPEAKERS,
    )


def pairs_text(project: Project) -> str:
    """The pairs group by group as aligned lines, for a terminal."""
    blocks = []
    for one in project.settled:
        rows = [heads(), *(pair.cells for pair in pairs_of(project, one))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        blocks.append("\n".join([str(group_of(project, one)), *lines, rests_on(one)]))
    return "\n\n".join(blocks)


def p_alone(p_value: float) -> str:
    """A p-value under a head that says so: "0.012", or "< 0.001"."""
    return written(p_value, ".3f") if p_value >= 0.001 else f"< {written(0.001, 'g')}"
