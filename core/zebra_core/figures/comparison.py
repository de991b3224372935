"""Pictures of many assessments: profiles one above the other, side by side on common axes, and dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.figures.figure import Axis, Dash, Figure, Ink, Line, Marker, Points, Words
from zebra_core.figures.readout import ece_read_out
from zebra_core.figures.series import (
    SHOWN_LOG_ODDS,
    Series,
    alt_text_of,
    colour_of,
    dash_of,
    drawn_together,
    guide,
    prior_marks,
)
from zebra_core.metrics.assessment import shown_tag
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.items import (
    Condition,
    attack_as_said,
    basis_in_words,
    dataset_as_said,
    distinct_names,
    of_one_picture,
)
from zebra_core.uncertainty.shown import in_a_legend, leading_bits
from zebra_core.wording.texts import say, shortened, shortened_apart, visible, written

_TOP = 1.05  # bits: no minimum ECE exceeds 1
_ACROSS, _UP = 2.0 * SHOWN_LOG_ODDS + 1.5, 1.4  # from one small panel to the next
_MOST_ACROSS = 4
_LONGEST_TITLE, _LONGEST_NAME = 26, 40  # characters
_GAP, _WORST_SHOWN = 0.12, 6.0  # between the two halves of the dot plot; |log10 LR|


def profiles_figure(
    rows: Sequence[ComparisonRow],
    title: str,
    names: Sequence[str],
    *,
    by_disclosure: bool = True,
    selected: str | None = None,
    prior_log_odds: float | None = None,
) -> Figure:
    """The minimum ECE profiles of several rows, each called by its name, over perfect privacy.

    With `by_disclosure` the legend ascends in D_ECE, as the reference toolkit's sorted plots do; equal ones
    keep their order. Rows of one safeguard are broken each in its own way, as `drawn_together` does it.
    `selected` is the id of the entry to emphasise; `prior_log_odds` marks a prior. There is at least one row.
    """
    drawn = [
        replace(entry, called=name)
        for entry, name in zip(drawn_together([row.entry for row in rows]), names, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda k: _bits(rows[k])) if by_disclosure else range(len(rows))
    profile = rows[0].assessment.profile
    zero = Line(profile.prior_log_odds, profile.default_bits, say("figure.perfect-privacy"), Ink.FOREGROUND)
    lines = [_profile(rows[k], _label(rows[k], names[k]), drawn[k], selected) for k in order]
    y = Axis(say("figure.ece-bits"), 0.0, _TOP)
    return Figure(
        title=title,
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), zero, *lines),
        alt_text=alt_text_of(say("figure.ece-alt"), [line.label for line in lines if line.label], drawn),
    )


def all_figure(
    rows: Sequence[ComparisonRow], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """All rows above each other; the legend goes group by group and ascends in D_ECE within each."""
    groups = list(dict.fromkeys(row.group for row in rows))
    ordered = sorted(rows, key=lambda row: (groups.index(row.group), _bits(row)))
    names = distinct_names([row.entry for row in ordered])
    return profiles_figure(
        ordered,
        say("compare.all-title"),
        names,
        by_disclosure=False,
        selected=selected,
        prior_log_odds=prior_log_odds,
    )


def system_figure(
    rows: Sequence[ComparisonRow],
    selected: str | None = None,
    *,
    by_disclosure: bool = True,
    prior_log_odds: float | None = None,
) -> Figure:
    """One safeguard in all conditions; `rows` are those of `Comparison.of_system`."""
    protected = (row for row in rows if not row.group.is_of_unprotected)
    title = say("compare.system-title", name=visible(next(protected, rows[0]).system))
    names = [str(row.group) for row in rows]
    return profiles_figure(
        rows, title, names, by_disclosure=by_disclosure, selected=selected, prior_log_odds=prior_log_odds
    )


def condition_figure(
    rows: Sequence[ComparisonRow],
    selected: str | None = None,
    *,
    by_disclosure: bool = True,
    prior_log_odds: float | None = None,
) -> Figure:
    """All safeguards in one condition; `rows` are those of the group."""
    names = [row.system for row in rows]
    title = str(rows[0].group)
    return profiles_figure(
        rows, title, names, by_disclosure=by_disclosure, selected=selected, prior_log_odds=prior_log_odds
    )


# --- small multiples


def multiples_figure(
    rows: Sequence[ComparisonRow], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """One small panel for each group, all on the same axes, in rows from the upper left.

    A panel is a piece of one large plane: `multiples_read_out` turns its places back. A safeguard has one
    entry in the legend, whose figures therefore stand nowhere; its runs are broken each in its own way.
    """
    groups = list(dict.fromkeys(row.group for row in rows))
    grid = _Grid(len(groups))
    systems = _drawn_systems(rows)
    zero = rows[0].assessment.profile
    default = Line(zero.prior_log_odds, zero.default_bits, say("compare.perfect-privacy"), Ink.FOREGROUND)
    lines: list[Line] = []
    marks = prior_marks(prior_log_odds, Axis("", 0.0, _TOP))
    for number, group in enumerate(groups):
        lines += [*grid.frame(number), *(grid.placed(one, number) for one in marks)]
        lines.append(grid.placed(default, number))
        of_group = [row for row in rows if row.group == group]
        lines += [
            grid.placed(_profile(row, visible(one.called), one, selected), number)
            for row in of_group
            for one in [systems[row.system, row.entry.colour]]
        ]
    return Figure(
        title=say("compare.multiples-title"),
        x=Axis(say("figure.prior-log-odds"), *grid.x_range, grid.x_ticks()),
        y=Axis(say("figure.ece-bits"), *grid.y_range, grid.y_ticks()),
        lines=tuple(lines),
        alt_text=alt_text_of(
            say("compare.multiples-alt", count=len(groups)), [_alt(row) for row in rows], [*systems.values()]
        ),
        words=tuple(grid.title(number, group) for number, group in enumerate(groups)),
        joins_legend=True,
    )


def multiples_read_out(line: Line, point: int) -> str:
    """Prior, odds and ECE at one point of a profile in a small panel."""
    at = _Grid.back(line, point)
    return ece_read_out(replace(line, x=np.array([at[0]]), y=np.array([at[1]])), 0)


@dataclass(frozen=True)
class _Grid:
    """Where panels lie on the plane: the first at the upper left, `_ACROSS` and `_UP` from each other."""

    count: int

    @property
    def columns(self) -> int:
        most = next(n for n in range(1, self.count + 1) if n * n >= self.count)
        return min(most, _MOST_ACROSS)

    @property
    def rows(self) -> int:
        return -(-self.count // self.columns)

    @property
    def x_range(self) -> tuple[float, float]:
        return -SHOWN_LOG_ODDS, (self.columns - 1) * _ACROSS + SHOWN_LOG_ODDS

    @property
    def y_range(self) -> tuple[float, float]:
        return 0.0, self.rows * _UP

    def corner(self, number: int) -> tuple[float, float]:
        row, column = divmod(number, self.columns)
        return column * _ACROSS, (self.rows - 1 - row) * _UP

    def placed(self, line: Line, number: int) -> Line:
        right, up = self.corner(number)
        inside = np.abs(line.x) <= SHOWN_LOG_ODDS  # what lies beyond would run into the neighbour
        return replace(line, x=line.x[inside] + right, y=line.y[inside] + up)

    def frame(self, number: int) -> list[Line]:
        right, up = self.corner(number)
        left, end = right - SHOWN_LOG_ODDS, right + SHOWN_LOG_ODDS
        return [
            guide((left, end), (up, up), Dash.SOLID),
            guide((left, left), (up, up + _TOP), Dash.SOLID),
        ]

    def title(self, number: int, group: ComparisonGroup) -> Words:
        right, up = self.corner(number)
        return Words(right, up + _TOP + (_UP - _TOP) / 2.0, shortened(_short(group), _LONGEST_TITLE))

    def x_ticks(self) -> tuple[tuple[float, str], ...]:
        return tuple(
            (column * _ACROSS + place, written(place, ".0f").replace("-", "−"))
            for column in range(self.columns)
            for place in (-5.0, 0.0, 5.0)
        )

    def y_ticks(self) -> tuple[tuple[float, str], ...]:
        return tuple(
            (row * _UP + place, written(place, "g")) for row in range(self.rows) for place in (0.0, 0.5, 1.0)
        )

    @staticmethod
    def back(line: Line, point: int) -> tuple[float, float]:
        x, y = float(line.x[point]), float(line.y[point])
        column, row = (x + SHOWN_LOG_ODDS) // _ACROSS, y // _UP
        return x - column * _ACROSS, y - row * _UP


# --- dots


def dots_figure(rows: Sequence[ComparisonRow], selected: str | None = None) -> Figure:
    """D_ECE (left, circles) and worst case (right, diamonds) of every row, one below the other.

    A cross beside a diamond marks the ceiling that the data allow. Where intervals are known they are drawn
    as whiskers. Both halves have scales of their own, from nothing to full disclosure and to a |log10 LR| of
    6, or as far as a ceiling reaches.
    """
    together = of_one_picture([row.entry for row in rows])
    rows = [replace(row, entry=entry) for row, entry in zip(rows, together, strict=True)]
    highest = max(_WORST_SHOWN, *(abs(row.assessment.strongest_ceiling_log10_lr) for row in rows))
    halves = _Halves(highest)
    names = shortened_apart(_dot_names(rows), _LONGEST_NAME)
    heights = np.arange(len(rows), 0, -1, dtype=np.float64)
    lines = [guide((1.0 + _GAP / 2.0,) * 2, (0.0, len(rows) + 1.0))]
    points: list[Points] = []
    for row, height in zip(rows, heights.tolist(), strict=True):
        lines += _whiskers(row, height, halves)
        points += _dots(row, height, halves)
    chosen = [height for row, height in zip(rows, heights, strict=True) if row.entry.id == selected]
    lines += [guide((0.0, 2.0 + _GAP), (height, height)) for height in chosen]
    return Figure(
        title=say("compare.dots-title"),
        x=Axis(say("compare.dots-across", basis=basis_in_words(together)), 0.0, 2.0 + _GAP, halves.ticks()),
        y=Axis("", 0.0, len(rows) + 1.0, tuple(zip(heights.tolist(), names, strict=True))),
        lines=tuple(lines),
        alt_text=alt_text_of(say("compare.dots-alt", count=len(rows)), [_alt(row) for row in rows]),
        points=tuple(points),
    )


@dataclass(frozen=True)
class _Halves:
    """Where figures lie across the dot plot: D_ECE from 0 to 1, the worst case beyond the gap, 1 wide."""

    highest: float

    def population(self, bits: float) -> float:
        return bits / FULL_DISCLOSURE_BITS

    def individual(self, log10: float) -> float:
        return 1.0 + _GAP + log10 / self.highest

    def ticks(self) -> tuple[tuple[float, str], ...]:
        left = [(self.population(bits), written(bits, "g")) for bits in (0.0, 0.2, 0.4, 0.6)]
        steps = np.arange(0.0, self.highest + 1e-9, 2.0).tolist()
        return (*left, *((self.individual(step), written(step, ".0f")) for step in steps))


def _dots(row: ComparisonRow, height: float, halves: _Halves) -> list[Points]:
    found, at = row.assessment, np.array([height])
    population = np.array([halves.population(_bits(row))])
    individual = np.array([halves.individual(found.worst_case_log10_lr)])
    ceiling = np.array([halves.individual(abs(found.strongest_ceiling_log10_lr))])
    colour = colour_of(row.entry)
    return [
        Points(ceiling, at, Ink.MUTED, marker=Marker.CROSS),
        Points(population, at, colour),
        Points(individual, at, colour, marker=Marker.DIAMOND),
    ]


def _whiskers(row: ComparisonRow, height: float, halves: _Halves) -> list[Line]:
    if row.entry.trust is None:
        return []
    intervals = row.entry.trust.uncertainty.intervals
    placed = {"d_ece_bits": halves.population, "worst_case_log10_lr": halves.individual}
    return [
        Line(np.array([place(ends.low), place(ends.high)]), np.full(2, height), None, colour_of(row.entry))
        for name, place in placed.items()
        if (ends := intervals.get(name)) is not None
    ]


# --- what all of them need


def _drawn_systems(rows: Sequence[ComparisonRow]) -> dict[tuple[str, int | None], Series]:
    """How each system is drawn wherever it is, by its name and colour.

    The unprotected speech in the folder of a safeguard, which is grey, is called after its condition there.
    """
    firsts: dict[tuple[str, int | None], ComparisonRow] = {}
    for row in rows:
        firsts.setdefault((row.system, row.entry.colour), row)
    several = {system for system, colour in firsts if colour is not None}
    drawn = {}
    for key, entry in zip(firsts, drawn_together([row.entry for row in firsts.values()]), strict=True):
        system, colour = key
        is_beside = colour is None and system in several
        drawn[key] = replace(entry, called=f"{system} {Condition.OO.value}" if is_beside else system)
    return drawn


def _bits(row: ComparisonRow) -> float:
    """D_ECE as it leads."""
    return leading_bits(row.assessment, row.entry.trust)


def _profile(row: ComparisonRow, label: str, drawn: Series, selected: str | None) -> Line:
    profile = row.assessment.profile
    return Line(
        profile.prior_log_odds,
        profile.min_bits,
        label,
        colour_of(drawn),
        dash_of(drawn),
        emphasis=row.entry.id == selected,
    )


def _label(row: ComparisonRow, name: str) -> str:
    found = row.assessment
    return say(
        "figure.legend",
        name=name,
        d_ece=in_a_legend("d_ece_bits", found, row.entry.trust),
        worst_case=in_a_legend("worst_case_log10_lr", found, row.entry.trust),
        tag=shown_tag(found),
    )


def _alt(row: ComparisonRow) -> str:
    return _label(row, f"{row.system}, {row.group}")


def _dot_names(rows: Sequence[ComparisonRow]) -> list[str]:
    """System and group; the attacker only where a condition has several, for there is little room."""
    attackers: dict[tuple[str, object], set[str]] = {}
    for row in rows:
        attackers.setdefault((row.group.dataset, row.group.condition), set()).add(row.group.attacker)
    names = []
    for row in rows:
        is_one = len(attackers[row.group.dataset, row.group.condition]) == 1
        group = replace(row.group, attacker="") if is_one else row.group
        names.append(f"{visible(row.system)} · {_short(group)}")
    return names


def _short(group: ComparisonGroup) -> str:
    """The name of a group where there is little room."""
    condition = group.condition.value if group.condition else "?"
    parts = visible(dataset_as_said(group.dataset)), condition, visible(attack_as_said(group.attacker))
    return " ".join(part for part in parts if part)
