"""How sure a project's figures are, as pictures that also say when nobody has asked yet."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.figures.figure import Axis, Figure, Ink, Marker, NamedPoints, Words
from zebra_core.figures.series import colour_of
from zebra_core.figures.uncertainty import convergence_figure, null_figure, whiskers_figure
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.project.basis import basis_in_words, of_one_picture
from zebra_core.project.headline import Population
from zebra_core.project.items import Entry, distinct_names
from zebra_core.uncertainty.bootstrap import OPTIMISTIC, BootstrapSettings
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.precision import figure_name
from zebra_core.wording.names import named, shortened_apart
from zebra_core.wording.texts import say, visible

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
        x = replace(x, label=say("figure.on-basis", figure=x.label, basis=basis_in_words(entries, figure)))
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
    return visible(entry.full_name, _LONGEST_NAME)


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
