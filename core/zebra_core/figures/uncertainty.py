"""How sure figures are, as pictures: bands around profiles, dots with whiskers, convergence, and the null."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Area, Axis, Colour, Dash, Figure, Ink, Line, NamedPoints
from zebra_core.figures.series import colour_of
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import OPTIMISTIC, Uncertainty
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.no_disclosure import NoDisclosure
from zebra_core.uncertainty.precision import UNITS, figure_name, in_words, with_interval
from zebra_core.wording.names import named
from zebra_core.wording.texts import say, written

BINS = 20
_MARGIN = 0.05  # of the range, on each side


def with_bands(
    figure: Figure,
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    normalised: bool = False,
) -> Figure:
    """An ECE figure with a band for each entry whose trust is known, and a grey one for the null.

    Bands are pointwise intervals of the minimum ECE, freed of the optimism of small sets, so that a curve
    may lie at the lower edge of its band. The grey one is where 95 % of sets without any disclosure lie: that
    of the selected entry, else of the first that has one. `normalised` for shares of the prior entropy.
    """
    known = [(entry, entry.trust) for entry in entries if entry.trust]
    if not known:
        return figure
    areas = [_band(entry, trust.uncertainty, normalised=normalised) for entry, trust in known]
    level = written(100.0 * known[0][1].uncertainty.settings.level, "g")
    said = [figure.alt_text, say("figure.bands-alt", level=level)]
    lines: tuple[Line, ...] = ()
    nulls = [(entry, trust.null) for entry, trust in known if trust.null]
    if nulls:
        entry, null = min(nulls, key=lambda one: one[0].id != selected)
        low, high = (
            _shown(edge, null.prior_log_odds, normalised=normalised)
            for edge in (null.band_low, null.band_high)
        )
        areas.insert(0, Area(null.prior_log_odds, high, Ink.MUTED, base=low))
        label = say("figure.null-band", name=entry.full_name)
        lines = (Line(null.prior_log_odds, low, label, Ink.MUTED, Dash.DOTTED),)
        said.append(null.sentence("d_ece_bits"))
    return replace(
        figure, areas=(*figure.areas, *areas), lines=(*lines, *figure.lines), alt_text=" ".join(said)
    )


def whiskers_figure(
    figure: str,
    compared: Sequence[tuple[str, FigureDraws]],
    colours: Sequence[Colour],
    *,
    level: float = 0.95,
) -> Figure:
    """One figure of several assessments as dots, in their order from the top, each with its interval.

    `compared` has the name of each with its draws; `colours` one for each.
    """
    unit = UNITS[figure]
    points, lines, ends, said = [], [], [], []
    for place, ((name, draws), colour) in enumerate(zip(compared, colours, strict=True)):
        y = float(len(compared) - place)
        interval = draws.interval(level)
        value = draws.beside(interval)
        shown = np.array([interval.low, interval.high, value]) * unit.factor
        ends += shown.tolist()
        lines.append(Line(shown[:2], np.full(2, y), None, colour))
        points.append(NamedPoints(shown[2:], np.array([y]), colour, names=(name,)))
        said.append(named(name, f"{with_interval(figure, value, interval)}."))
    names = tuple((float(len(compared) - place), name) for place, (name, _) in enumerate(compared))
    title = say("figure.whiskers-title", figure=figure_name(figure), level=written(100.0 * level, "g"))
    return Figure(
        title,
        _axis(figure, ends),
        Axis(say("figure.safeguard"), 0.5, len(compared) + 0.5, names),
        tuple(lines),
        " ".join([f"{title}.", *said]),
        tuple(points),
    )


def convergence_figure(found: Uncertainty, figure: str, name: str, colour: Colour = 0) -> Figure:
    """How the interval of a figure settled with the number of replicates."""
    at, low, high = found.convergence(figure)
    factor = UNITS[figure].factor
    plain = found.figures[figure].estimate * factor
    x = at.astype(np.float64)
    interval = found.interval(figure)
    lines = (
        Line(x, low * factor, say("figure.convergence-ends"), colour),
        Line(x, high * factor, None, colour),
        Line(x[[0, -1]], np.full(2, plain), say("figure.convergence-plain"), Ink.FOREGROUND, Dash.DASHED),
    )
    return Figure(
        say("figure.convergence-title", figure=figure_name(figure), name=name),
        Axis(say("figure.replicates"), 0.0, float(max(found.replicates, found.settings.replicates))),
        _axis(figure, [*(low * factor).tolist(), *(high * factor).tolist(), plain]),
        lines,
        say(
            "figure.convergence-alt",
            figure=figure_name(figure),
            name=name,
            count=found.replicates,
            value=with_interval(figure, found.shown(figure), interval),
        ),
        areas=(Area(x, high * factor, colour, base=low * factor),),
    )


def null_figure(null: NoDisclosure, figure: str, name: str, colour: Colour = 0) -> Figure:
    """What sets without any disclosure show, as a histogram, with what was observed."""
    factor = UNITS[figure].factor
    draws, observed = null.draws[figure] * factor, null.observed[figure] * factor
    x = _axis(figure, [*draws.tolist(), observed])
    if figure in OPTIMISTIC:
        x = replace(x, label=say("figure.on-basis", figure=x.label, basis=say("headline.as-computed")))
    count, edges = np.histogram(draws, BINS, (x.low, x.high))
    outline = np.concatenate([[0.0], np.repeat(count / len(draws), 2), [0.0]])
    top = 1.05 * float(outline.max())
    beyond = null.one_in_twenty(figure) * factor
    lines = (
        Line(np.repeat(edges, 2), outline, say("figure.null-sets", count=null.replicates), Ink.MUTED),
        Line(
            np.full(2, beyond),
            np.array([0.0, top]),
            say("figure.null-one-in-twenty"),
            Ink.FOREGROUND,
            Dash.DOTTED,
        ),
        Line(
            np.full(2, observed),
            np.array([0.0, top]),
            say("figure.null-observed", name=name, value=in_words(figure, null.observed[figure])),
            colour,
            emphasis=True,
        ),
    )
    return Figure(
        say("figure.null-title", figure=figure_name(figure), name=name),
        x,
        Axis(say("figure.null-share"), 0.0, top),
        lines,
        say("figure.null-alt", figure=figure_name(figure), name=name) + " " + null.sentence(figure),
        areas=(Area(np.repeat(edges, 2), outline, Ink.MUTED),),
    )


def _band(entry: Entry, found: Uncertainty, *, normalised: bool) -> Area:
    low, high = (_shown(edge, found.prior_log_odds, normalised=normalised) for edge in found.profile_band())
    return Area(found.prior_log_odds, high, colour_of(entry), base=low)


def _shown(bits: FloatArray, log_odds: FloatArray, *, normalised: bool) -> FloatArray:
    return bits / prior_entropy_bits(log_odds) if normalised else bits


def _axis(figure: str, values: Sequence[float]) -> Axis:
    """An axis with room for these values, which are in the unit that is shown."""
    low, high = min(values), max(values)
    margin = _MARGIN * (high - low) or 0.5 * (abs(high) or 1.0)
    unit = UNITS[figure].suffix.strip()
    name = figure_name(figure)
    # What cannot be negative has no room below 0.
    floor = 0.0 if low >= 0.0 else low - margin
    label = say("figure.with-unit", name=name, unit=unit) if unit else name
    return Axis(label, max(low - margin, floor), high + margin)
