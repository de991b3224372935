"""How sure figures are, as pictures: bands around profiles, dots with whiskers, convergence, and the null."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import (
    Area,
    Axis,
    Colour,
    Dash,
    Figure,
    Ink,
    Line,
    Marker,
    NamedPoints,
    Points,
    Words,
)
from zebra_core.figures.series import colour_of, dash_of
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.by_group import D_ECE, GroupsOfPeople, PeopleGroup, figure_in_words, with_ends
from zebra_core.project.items import Entry, Population, basis_in_words, distinct_names, of_one_picture
from zebra_core.project.uniqueness import BeforeAndAfter
from zebra_core.speakers.uniqueness import MOST_ATTRIBUTES, Combinations
from zebra_core.uncertainty.bootstrap import OPTIMISTIC, BootstrapSettings, Uncertainty
from zebra_core.uncertainty.intervals import UNITS, figure_name, in_words, with_interval
from zebra_core.uncertainty.no_disclosure import NoDisclosure
from zebra_core.uncertainty.resampling import FigureDraws
from zebra_core.wording.texts import (
    clauses,
    named,
    say,
    shortened_apart,
    visible,
    visible_name,
    with_aside,
    written,
)

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
        x = replace(x, label=label_on_basis(figure, say("headline.as-computed")))
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
    # What cannot be negative has no room below 0.
    floor = 0.0 if low >= 0.0 else low - margin
    return Axis(_with_unit(figure, figure_name(figure)), max(low - margin, floor), high + margin)


def label_on_basis(figure: str, basis: str) -> str:
    """What an axis of an optimistic figure says: its name, on which basis it stands, and its unit."""
    return _with_unit(figure, say("figure.on-basis", figure=figure_name(figure), basis=basis))


def _with_unit(figure: str, name: str) -> str:
    unit = UNITS[figure].suffix.strip()
    return say("figure.with-unit", name=name, unit=unit) if unit else name


# How sure a project's figures are, as pictures that also say when nobody has asked yet.


_LONGEST_NAME = 60


def dots_of(entries: Sequence[Entry], figure: str, selected: str | None = None) -> Figure:
    """A figure of all entries, from the top, each with its interval where it is known.

    Optimistic figures stand on one basis, which the axis names. A grey cross marks what one in twenty sets
    without any disclosure goes beyond, on the same basis. Where another reading of
    the scores discloses more, a triangle says how much, or a diamond where that reading has no order.
    """
    entries = of_one_picture(entries)
    names = shortened_apart([visible(name, sys.maxsize) for name in distinct_names(entries)], _LONGEST_NAME)
    plain = [(name, _draws(entry, figure)) for name, entry in zip(names, entries, strict=True)]
    settings = next((each.trust.uncertainty.settings for each in entries if each.trust), BootstrapSettings())
    drawn = whiskers_figure(figure, plain, [colour_of(entry) for entry in entries], level=settings.level)
    crosses = _crosses(entries, figure)
    others = _other_readings(entries, names) if figure == "d_ece_bits" else []
    points = [*crosses, *drawn.points, *others]
    chosen = {name for name, entry in zip(names, entries, strict=True) if entry.id == selected}
    points = [
        replace(one, emphasised=frozenset(chosen & set(one.names))) if isinstance(one, NamedPoints) else one
        for one in points
    ]
    high = max([drawn.x.high, *(1.05 * float(one.x[0]) for one in (*crosses, *others))])
    low = min([drawn.x.low, *(float(cross.x[0]) for cross in crosses)])
    said = [drawn.alt_text, *(f"{name}." for one in others for name in one.names)]
    if not any(entry.trust for entry in entries):
        said.append(say("certainty.nobody-asked"))
    x = replace(drawn.x, low=low, high=high)
    if figure in OPTIMISTIC:
        x = replace(x, label=label_on_basis(figure, basis_in_words(entries, figure)))
    return replace(drawn, x=x, points=tuple(points), alt_text=" ".join(said))


def convergence_of(entry: Entry | None, figure: str) -> Figure:
    """How the interval of a figure of this entry settled with the number of replicates."""
    if entry is None or entry.trust is None or figure not in entry.trust.uncertainty.figures:
        title = say("certainty.convergence-title", figure=figure_name(figure))
        return _words_alone(title, say("certainty.nobody-asked"))
    return convergence_figure(entry.trust.uncertainty, figure, _name(entry), colour_of(entry))


def convergence_so_far(entry: Entry | None, figure: str) -> Figure:
    """Convergence of an interval while speakers are still drawn; words alone before there are any draws."""
    if entry is None or entry.trust is None or figure not in entry.trust.uncertainty.figures:
        title = say("certainty.convergence-title", figure=figure_name(figure))
        return _words_alone(title, say("certainty.being-drawn"))
    found = entry.trust.uncertainty
    drawn = convergence_of(entry, figure)
    wanted = found.settings.replicates
    so_far = say("certainty.so-far", count=found.replicates, wanted=wanted, name=_name(entry))
    x = replace(drawn.x, label=named(drawn.x.label, so_far))
    return replace(drawn, x=x, alt_text=f"{drawn.alt_text} {so_far}.")


def null_of(entry: Entry | None, figure: str) -> Figure:
    """What sets without any disclosure show of a figure, with what this entry shows."""
    if entry is None or entry.trust is None or entry.trust.null is None:
        title = say("certainty.null-title", figure=figure_name(figure))
        return _words_alone(title, say("certainty.nobody-asked"))
    return null_figure(entry.trust.null, figure, _name(entry), colour_of(entry))


def _name(entry: Entry) -> str:
    return visible_name(entry.full_name, _LONGEST_NAME)


def _draws(entry: Entry, figure: str) -> FigureDraws:
    """The draws of a figure; if there are none, the value itself with an interval of width 0."""
    if entry.trust is not None and figure in entry.trust.uncertainty.figures:
        return entry.trust.uncertainty.figures[figure]
    value = float(getattr(entry.assessment, figure))
    return FigureDraws(value, np.full(2, value), np.full(2, value), 2)


def _crosses(entries: Sequence[Entry], figure: str) -> list[NamedPoints]:
    found = []
    for place, entry in enumerate(entries):
        chance = entry.trust.one_in_twenty(figure) if entry.trust else None
        if chance is not None:
            at = np.array([chance])
            height = np.array([float(len(entries) - place)])
            label = say("certainty.one-in-twenty", name=_name(entry))
            found.append(NamedPoints(at, height, Ink.MUTED, marker=Marker.CROSS, names=(label,)))
    return found


def _other_readings(entries: Sequence[Entry], names: Sequence[str]) -> list[NamedPoints]:
    """Marks for what scores that run the wrong way disclose: the given figure alone would mislead."""
    found: list[NamedPoints] = []
    for place, (entry, name) in enumerate(zip(entries, names, strict=True)):
        shown = Population.of(entry)
        if shown.reading is EvidenceReading.GIVEN:
            continue
        is_reversed = shown.reading is EvidenceReading.REVERSED
        code, marker = ("reversed", Marker.TRIANGLE) if is_reversed else ("unordered", Marker.DIAMOND)
        at, height = np.array([shown.by_reading_bits]), np.array([float(len(entries) - place)])
        said = say(f"headline.{code}-at", name=name, value=shown.lead_in_words)
        label = None if any(one.marker is marker for one in found) else say(f"headline.{code}")
        found.append(NamedPoints(at, height, colour_of(entry), label, marker, names=(said,)))
    return found


def _words_alone(title: str, said: str) -> Figure:
    axis = Axis("", 0.0, 1.0, ())
    return Figure(title, axis, axis, (), f"{title}. {said}", words=(Words(0.5, 0.5, said),))


# How many people are unique by their attributes, over the number of attributes that are combined.


_ROOM = 0.15  # beyond the ends of the axis, in attributes
_Drawn = tuple[str, Colour, Dash, bool, Combinations]  # one curve: name, ink, selected or not, values


def uniqueness_figure(found: Sequence[BeforeAndAfter], *, selected_id: str | None = None) -> Figure:
    """The share of people who are unique by 1, 2, … all attributes: truly (dashed), and as inferred.

    The mean over all subsets of so many attributes. Original speech comes before what is protected. Beyond
    `MOST_ATTRIBUTES` there is no curve, and words say so.
    """
    title = say("figure.uniqueness-title")
    said, lines, points = [title], [], []
    most = max(len(one.true.attributes) for one in found)
    for one in found:
        true = say("figure.uniqueness-true")
        name = say("name.of-dataset", name=true, dataset=one.dataset) if len(found) > 1 else true
        drawn: list[_Drawn] = [(name, Ink.FOREGROUND, Dash.DASHED, False, one.true.true)]
        for entry, each in one.every:
            if each.inferred is not None:
                name = say("figure.uniqueness-inferred", name=entry.full_name)
                emphasis = entry.id == selected_id and len(one.protected) > 1
                drawn.append((name, colour_of(entry), dash_of(entry), emphasis, each.inferred.found))
        for name, colour, dash, emphasis, combinations in drawn:
            if combinations.curve:
                x = np.arange(1.0, len(combinations.curve) + 1.0)
                y = np.array(combinations.curve)
                lines.append(Line(x, y, name, colour, dash, emphasis))
                points.append(Points(x, y, colour))
                said.append(_in_words(name, combinations))
    middle = (most + 1.0) / 2.0
    return Figure(
        title,
        Axis(
            say("figure.uniqueness-attributes"),
            1.0 - _ROOM,
            most + _ROOM,
            tuple((float(number), str(number)) for number in range(1, most + 1)),
        ),
        Axis(say("figure.uniqueness"), 0.0, 1.0),
        tuple(lines),
        " ".join(said),
        tuple(points),
        words=() if lines else (Words(middle, 0.5, say("uniqueness.many", most=MOST_ATTRIBUTES)),),
    )


def _in_words(name: str, combinations: Combinations) -> str:
    share = written(combinations.share_unique, ".3f")
    return say("figure.uniqueness-alt", name=name, count=len(combinations.curve), value=share)


# What groups of people disclose, as dots with their intervals over the speakers of each.


_BY_GROUP_LONGEST_NAME, _LONGEST_VALUE = 40, 24
_MARKERS = (Marker.CIRCLE, Marker.DIAMOND, Marker.SQUARE, Marker.TRIANGLE)


def groups_figure(found: Sequence[tuple[Entry, GroupsOfPeople]]) -> Figure:
    """D_ECE of every group by one attribute with its interval, assessment after assessment from the top.

    Of several assessments each has a row with its name above its groups. Groups that are not judged are not
    drawn. A figure is corrected for small sets in all groups of an assessment or in none; the axis says on
    which basis, where all have the same.
    """
    names = shortened_apart(
        [visible(name, 400) for name in distinct_names([entry for entry, _ in found])], _BY_GROUP_LONGEST_NAME
    )
    n_heads = len(found) if len(found) > 1 else 0
    y = float(sum(len(groups.judged) for _, groups in found) + n_heads)
    rows = int(y)
    lines: list[Line] = []
    points: list[NamedPoints] = []
    ticks: list[tuple[float, str]] = []
    said: list[str] = []
    for (entry, groups), name in zip(found, names, strict=True):
        if n_heads:
            ticks.append((y, name))
            y -= 1.0
        for place, group in enumerate(groups.judged):
            ticks.append((y, _called(group)))
            whole = clauses([name, _called(group)])
            value, interval = group.value_of(D_ECE), group.interval_of(D_ECE)
            if value is not None and interval is not None:
                at, marker = np.array([y]), _MARKERS[place % len(_MARKERS)]
                ends = np.array([interval.low, interval.high])
                lines.append(Line(ends, np.full(2, y), None, colour_of(entry)))
                points.append(
                    NamedPoints(np.array([value]), at, colour_of(entry), marker=marker, names=(whole,))
                )
                said.append(named(whole, f"{with_ends(group, D_ECE)}."))
            y -= 1.0
    high = max((float(line.x[1]) for line in lines), default=0.0) * (1.0 + _MARGIN) or FULL_DISCLOSURE_BITS
    level = written(100.0 * found[0][1].settings.level, "g")
    title = say("figure.by-group-title", attribute=visible(found[0][1].attribute, 60), level=level)
    return Figure(
        title,
        Axis(_label([groups for _, groups in found]), 0.0, high),
        Axis(say("figure.by-group"), 0.5, rows + 0.5, tuple(ticks)),
        tuple(lines),
        " ".join([f"{title}.", *said]),
        tuple(points),
        words=() if points else (Words(high / 2.0, rows / 2.0 + 0.5, say("by-group.none-judged")),),
        rows=rows,
    )


def group_read_out(points: NamedPoints, number: int) -> str:
    """The group with its figure."""
    return named(points.names[number], figure_in_words(D_ECE, float(points.x[number])))


def _called(group: PeopleGroup) -> str:
    """The value of a group, with how many people have it."""
    return with_aside(visible(group.value, _LONGEST_VALUE), str(group.n_speakers))


def _label(found: Sequence[GroupsOfPeople]) -> str:
    """The axis with the basis that all stand on, where they stand on one."""
    trusts = [group.trust for each in found for group in each.judged if group.trust is not None]
    bases = {trust.uncertainty.is_corrected(D_ECE) for trust in trusts}
    if len(bases) > 1:
        return say("figure.d-ece-bits")
    return label_on_basis(D_ECE, say("headline.corrected" if bases == {True} else "headline.as-computed"))
