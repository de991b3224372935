"""What the figures of several assessments share: names, colours, dashes, pairs of lines, prior marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from zebra_core.evidence.trials import BoolArray, FloatArray
from zebra_core.figures.figure import Axis, Colour, Dash, Figure, Ink, Line
from zebra_core.metrics.assessment import Assessment, shown_tag
from zebra_core.project.items import Attacker, Condition, Entry, Item, distinct_names
from zebra_core.uncertainty.shown import in_a_legend
from zebra_core.wording.texts import bits, clauses, say

# By the place of an entry among those of its colour: the other line where it has a pair, and its own line.
_SECOND = (Dash.DASHED, Dash.DOTTED, Dash.SPARSELY_DASHED, Dash.SPARSELY_DOTTED)
_FIRST = (Dash.SOLID, Dash.DASH_DOTTED, Dash.LONG_DASHED, Dash.DASH_DOT_DOTTED, *_SECOND)

_CONDITIONS = (*Condition, None)
_ATTACKERS = ("", *(attacker.value for attacker in Attacker))


@dataclass(frozen=True, eq=False)
class Series(Entry):
    """An entry as one figure shows it: called and broken so that it can be told from the others in it."""

    called: str = ""
    place: int = 0  # among those of its colour, from 0; it says how its lines are broken
    is_alone: bool = True  # no other has its colour

    @property
    def full_name(self) -> str:
        """What it is called in the figure."""
        return self.called


def drawn_together(entries: Sequence[Entry]) -> tuple[Series, ...]:
    """The entries as one figure shows them, in their order.

    Names carry the dataset where there are several. Entries of one colour, which are those of one safeguard
    under several conditions, attackers, runs or datasets, are broken each in its own way: unbroken is the
    first by condition, then by attacker. Beyond the eighth of a colour the ways come round again; where each
    entry has a pair of lines, beyond the fourth.
    """
    by_colour: dict[Colour, list[Entry]] = {}
    for entry in sorted(entries, key=_rank):
        by_colour.setdefault(colour_of(entry), []).append(entry)
    places = {entry.id: place for alike in by_colour.values() for place, entry in enumerate(alike)}
    return tuple(
        Series(
            **_fields(entry),
            called=name,
            place=places[entry.id],
            is_alone=len(by_colour[colour_of(entry)]) == 1,
        )
        for entry, name in zip(entries, distinct_names(entries), strict=True)
    )


def colour_of(item: Item) -> Colour:
    """The colour of its safeguard, which is the same in every figure; what is unprotected is grey."""
    return Ink.MUTED if item.colour is None else item.colour


def dash_of(entry: Entry, *, second: bool = False) -> Dash:
    """How the line of an entry is broken; `second` for the other line of a pair, unlike any first one."""
    return nth_dash(entry.place if isinstance(entry, Series) else 0, second=second)


def nth_dash(place: int, *, second: bool = False) -> Dash:
    """How the line at this place, from 0, among those of one colour is broken."""
    dashes = _SECOND if second else _FIRST
    return dashes[place % len(dashes)]


def guide(x: tuple[float, float], y: tuple[float, float], dash: Dash = Dash.DOTTED) -> Line:
    """A straight line to compare with, without an entry in the legend."""
    return Line(np.array(x), np.array(y), None, Ink.MUTED, dash)


def prior_marks(place: float | None, axis: Axis) -> tuple[Line, ...]:
    """A vertical line at a place that follows from the prior, as long as the y-axis; none for None."""
    return () if place is None else (guide((place, place), (axis.low, axis.high)),)


def line_of(
    entry: Entry,
    curve: tuple[FloatArray, FloatArray],
    axes: tuple[Axis, Axis],
    label: str | None = None,
    *,
    second: bool = False,
    selected: str | None = None,
) -> Line:
    """A curve (x, y) of an entry as a line on these axes, with no more vertices than can be seen.

    `second` is for the other line of a pair, `selected` is the id of the entry to emphasise.
    """
    x, y = reduced(*curve, *axes)
    dash = dash_of(entry, second=second)
    return Line(x, y, label, colour_of(entry), dash, emphasis=entry.id == selected)


def staircase(x: FloatArray, y: FloatArray, *, holds_left: bool) -> tuple[FloatArray, FloatArray]:
    """The corners of a staircase through (x[i], y[i]), both of shape (2n − 1,).

    Between two neighbours it is level at the height of the left one (`holds_left`) or of the right one.
    """
    across, up = np.repeat(x, 2), np.repeat(y, 2)
    return (across[1:], up[:-1]) if holds_left else (across[:-1], up[1:])


def alt_text_of(
    head: str, labels: Sequence[str], entries: Sequence[Entry] = (), *, pairs: bool = False
) -> str:
    """An alt text: what the picture is, then every label of its legend as a sentence.

    Where `entries` share a colour it says, too, how their lines are broken; with `pairs`, both of each.
    """
    alike = [entry for entry in entries if isinstance(entry, Series) and not entry.is_alone]
    parts = [head, *(f"{label}." for label in labels)]
    if alike:
        parts.append(say("figure.alt-dashes", lines=clauses(_in_words(entry, pairs) for entry in alike)))
    return " ".join(parts)


def _in_words(entry: Series, pairs: bool) -> str:
    first, second = (say(f"dash.{dash_of(entry, second=second).value}") for second in (False, True))
    if pairs:
        return say("figure.alt-dash-pair", name=entry.full_name, first=first, second=second)
    return say("figure.alt-dash", name=entry.full_name, dash=first)


def _fields(entry: Entry) -> dict[str, Any]:
    return {field.name: getattr(entry, field.name) for field in fields(Entry)}


def _rank(entry: Entry) -> tuple[int, int]:
    """The order of entries of one colour; what is equal keeps that of the figure."""
    attacker = _ATTACKERS.index(entry.attacker) if entry.attacker in _ATTACKERS else len(_ATTACKERS)
    return _CONDITIONS.index(entry.condition), attacker


PIXELS = 2000.0  # across each axis: a figure 17 cm wide at 300 dots per inch
_TOLERANCE = 0.3
_CELLS_PER_PIXEL = 8.0  # neighbours in one cell are at most √2/8 ≈ 0.18 pixels apart


def reduced(x: FloatArray, y: FloatArray, x_axis: Axis, y_axis: Axis) -> tuple[FloatArray, FloatArray]:
    """The vertices of a curve of shape (n,) that suffice to draw it; both of shape (k,), k ≤ n.

    At 2000 pixels across each axis no point of the curve moves by more than half a pixel. The first and the
    last vertex stay, and so does every corner of a staircase that can be seen. Coordinates are finite. About
    O(n log k). Ref: Douglas and Peucker 1973.
    """
    across = (x - x_axis.low) / (x_axis.high - x_axis.low) * PIXELS
    up = (y - y_axis.low) / (y_axis.high - y_axis.low) * PIXELS
    kept = np.flatnonzero(_ends_of_runs(across, up))
    kept = kept[_douglas_peucker(across[kept], up[kept])]
    return x[kept], y[kept]


def _ends_of_runs(across: FloatArray, up: FloatArray) -> BoolArray:
    """The first and the last vertex of every run within one cell of a fine grid."""
    column, row = (np.floor(place * _CELLS_PER_PIXEL) for place in (across, up))
    new = np.concatenate([[True], (column[1:] != column[:-1]) | (row[1:] != row[:-1]), [True]])
    return np.asarray(new[1:] | new[:-1])


def _douglas_peucker(across: FloatArray, up: FloatArray) -> BoolArray:
    """Which vertices stay so that none of the others is farther than the tolerance from the curve."""
    keep = np.zeros(len(across), dtype=np.bool_)
    keep[[0, -1]] = True
    open_ends = [(0, len(across) - 1)]
    while open_ends:
        first, last = open_ends.pop()
        if last - first < 2:
            continue
        distance = _distance(across[first : last + 1], up[first : last + 1])
        farthest = int(np.argmax(distance))
        if distance[farthest] > _TOLERANCE:
            keep[first + farthest] = True
            open_ends += [(first, first + farthest), (first + farthest, last)]
    return keep


def _distance(across: FloatArray, up: FloatArray) -> FloatArray:
    """How far each vertex lies from the straight piece between the first and the last."""
    dx, dy = across[-1] - across[0], up[-1] - up[0]
    length_squared = dx * dx + dy * dy
    along = np.zeros(len(across))
    if length_squared > 0.0:
        along = np.clip(((across - across[0]) * dx + (up - up[0]) * dy) / length_squared, 0.0, 1.0)
    return np.asarray(np.hypot(across - across[0] - along * dx, up - up[0] - along * dy))


# ECE and normalised ECE: perfect privacy, and what remains for the attacker, over the prior.


SHOWN_LOG_ODDS = 8.0  # beyond it every profile lies on the axis
HIGHEST_ACTUAL = 1.5  # actual curves may go far beyond the prior entropy; there they are cut


def ece_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    default: bool = True,
    minimum: bool = True,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The minimum ECE of every entry over the prior log-odds (ZEBRA paper, Fig. 3), in bits.

    `selected` is the id of the entry to emphasise. The legend gives (D_ECE, worst case, tag) of each. With
    `actual` the ECE of the scores taken for LLRs is drawn, too; without `default` or `minimum` perfect
    privacy or the minimum is left out. `prior_log_odds` marks a prior.
    """
    entries = drawn_together(entries)
    profile = entries[0].assessment.profile
    zero = Line(profile.prior_log_odds, profile.default_bits, say("figure.perfect-privacy"), Ink.FOREGROUND)
    lines = [zero] if default else []
    for entry in entries:
        profile = entry.assessment.profile
        curves = profile.min_bits if minimum else None, profile.actual_bits if actual else None
        lines += _lines(entry, *curves, selected)
    top = 1.05 * max(float(np.max(line.y)) for line in (zero, *lines))
    y = Axis(say("figure.ece-bits"), 0.0, min(math.ceil(top * 20.0) / 20.0, HIGHEST_ACTUAL))
    return Figure(
        title=say("figure.ece-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(say("figure.ece-alt"), _labels(lines), entries, pairs=minimum and actual),
    )


def ece_of_one(found: Assessment, name: str, *, actual: bool = False) -> Figure:
    """The ECE of an assessment that is in no project, under this name alone; see `ece_figure`."""
    entry = Entry(name, None, found)
    made = ece_figure([entry], actual=actual)
    lines = [
        replace(line, label=line.label and line.label.replace(entry.full_name, name).strip())
        for line in made.lines
    ]
    return replace(made, lines=tuple(lines), alt_text=made.alt_text.replace(entry.full_name, name))


def nece_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    default: bool = True,
    minimum: bool = True,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The normalised ECE: a share of the prior entropy, in which 1 is perfect privacy at every prior.

    Arguments are those of `ece_figure`.
    """
    entries = drawn_together(entries)
    log_odds = entries[0].assessment.profile.prior_log_odds
    zero = Line(log_odds, np.ones_like(log_odds), say("figure.perfect-privacy"), Ink.FOREGROUND)
    lines = [zero] if default else []
    for entry in entries:
        profile = entry.assessment.profile
        curves = profile.nece_min if minimum else None, profile.nece_actual if actual else None
        lines += _lines(entry, *curves, selected)
    y = Axis(say("figure.nece"), 0.0, HIGHEST_ACTUAL if actual else 1.1)
    return Figure(
        title=say("figure.nece-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(say("figure.nece-alt"), _labels(lines), entries, pairs=minimum and actual),
    )


def legend_label(entry: Entry) -> str:
    """The legend's entry: name, condition, and the tuple of the ZEBRA paper."""
    found = entry.assessment
    return say(
        "figure.legend",
        name=entry.full_name,
        d_ece=in_a_legend("d_ece_bits", found, entry.trust),
        worst_case=in_a_legend("worst_case_log10_lr", found, entry.trust),
        tag=shown_tag(found),
    )


def _lines(
    entry: Entry, minimum: FloatArray | None, actual: FloatArray | None, selected: str | None
) -> list[Line]:
    """The curves of one entry that are wanted, the minimum first."""
    lines = []
    if minimum is not None:
        lines.append(_line(entry, minimum, legend_label(entry), selected))
    if actual is not None:
        lines.append(_line(entry, actual, _actual_label(entry), selected, second=True))
    return lines


def _actual_label(entry: Entry) -> str:
    return say("figure.ece-actual", name=entry.full_name, cllr=bits(entry.assessment.cllr_bits))


def _labels(lines: Sequence[Line]) -> list[str]:
    return [line.label for line in lines if line.label and line.colour is not Ink.FOREGROUND]


def _line(entry: Entry, y: np.ndarray, label: str, selected: str | None, *, second: bool = False) -> Line:
    log_odds = entry.assessment.profile.prior_log_odds
    dash = dash_of(entry, second=second)
    return Line(log_odds, y, label, colour_of(entry), dash, emphasis=entry.id == selected)
