"""The pairs of a comparison as rows of a table: by how much they differ, and whether that is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.difference import Difference
from core.precision import figure_name
from core.project import Project, distinct_names
from core.settled import Settled
from core.texts import say, visible


@dataclass(frozen=True)
class Pair:
    """One comparison with the names of the two, in words that can be shown."""

    first: str
    second: str
    found: Difference

    @property
    def p(self) -> str:
        """The p-value after Holm's correction."""
        return p_alone(self.found.p_adjusted)

    @property
    def verdict(self) -> str:
        """Whether it is settled."""
        return say("difference.yes" if self.found.is_settled else "difference.no")

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands under `heads`."""
        return (
            figure_name(self.found.figure),
            self.first,
            self.second,
            self.found.in_words,
            self.p,
            self.verdict,
        )


def heads() -> tuple[str, ...]:
    """The heads of such a table."""
    return tuple(
        say(f"difference.head-{code}") for code in ("figure", "first", "second", "by", "p", "settled")
    )


def pairs_of(project: Project, settled: Sequence[Settled] | None = None) -> list[Pair]:
    """All pairs, or those of some groups, figure by figure, the largest difference first."""
    entries = project.entries
    names = dict(zip((entry.id for entry in entries), distinct_names(entries), strict=True))
    found = []
    for one in project.settled if settled is None else settled:
        made = [Pair(visible(names[i], 200), visible(names[j], 200), each) for i, j, each in one.pairs()]
        order = [each.ranking.figure for each in one.compared]
        found += sorted(made, key=lambda pair: (order.index(pair.found.figure), -abs(pair.found.value)))
    return found


def pairs_text(project: Project) -> str:
    """The pairs as aligned lines, for a terminal."""
    rows = [heads(), *(pair.cells for pair in pairs_of(project))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def p_alone(p_value: float) -> str:
    """A p-value under a head that says so: "0.012", or "< 0.001"."""
    return f"{p_value:.3f}" if p_value >= 0.001 else "< 0.001"
