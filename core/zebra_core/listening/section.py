"""A test by ear in a report: how it was made, who was relied upon, what listeners and a recogniser found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zebra_core.document.parts import SavedValue
from zebra_core.document.project import ratings_of
from zebra_core.figures.distributions import det_figure
from zebra_core.figures.figure import Axis, Figure, Line, Marker, NamedPoints
from zebra_core.figures.series import alt_text_of, guide
from zebra_core.listening.items import ItemTask
from zebra_core.listening.study import ListeningStudy
from zebra_core.metrics.assessment import assess_counts
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Entry
from zebra_core.report.content.values import shown
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    Heading,
    ReportPicture,
    Run,
    TableBlock,
    TableColumn,
    paragraph,
)
from zebra_core.wording.texts import (
    grouped,
    listed,
    percent,
    say,
    sentence_as_said,
    shortened_apart,
    visible,
    written,
)

Values = Mapping[str, Any]


def section_of(study: ListeningStudy, number: int) -> Iterator[Block]:
    """All that is said of the test of this number in the report."""
    values = study.values
    yield Heading(say("listened.head", title=shown(study.title)))
    yield paragraph(" ".join(how_made(values)))
    yield paragraph(
        " ".join(
            [
                say("account.introduction", sha256=values["introduction_sha256"]) + ".",
                say("account.consent", sha256=values["consent_sha256"]) + ".",
            ]
        ),
        quiet=True,
    )
    yield reliability_table(values)
    yield paragraph(what_was_decided(study))
    if values["panels"]:
        yield panel_table(values)
        yield paragraph(say("listened.panels-read"), quiet=True)
        if any(one["figures"] for one in values["panels"]):
            caption = say("ears.caption", title=shown(study.title))
            rows = sum(one["figures"] is not None for one in values["panels"])
            height = min(2.9, 0.8 + 0.45 * rows)
            yield ReportPicture(f"ears-{number}", ears_figure(values), caption, height=height)
    if values["ratings"]:
        yield rating_table(values)
        for one in values["ratings"]:
            if one["counts"]:
                caption = say("listened.rated-caption", question=say(f"listening.{one['question']}"))
                yield ReportPicture(f"rated-{number}-{one['question']}", rated_figure(one), caption)
    sentences = [*(sentence_as_said(one, "listening") for one in values["told"]), _intervals(values)]
    yield Bullets(tuple((Run(shown(one)),) for one in sentences))


def how_made(values: Values) -> Iterator[str]:
    """Listeners, conditions, design and questions, in sentences."""
    used = sum(not one["is_left_out"] for one in values["listeners"])
    yield say("account.listeners", count=used, planned=values["planned_listeners"])
    yield say("account.safeguards", names=listed([_named(name) for name in values["safeguards"]]))
    yield say("account.design", seed=values["seed"])
    for one in values["questions"]:
        counts = {kind: one[kind] for kind in ("trial", "anchor", "repeat")}
        yield say("account.question", question=say(f"listening.{one['question']}"), **counts)
    if any(one["question"] == "same" for one in values["questions"]):
        yield say(f"listened.enrolment-{'protected' if values['enrol_protected'] else 'original'}")


def what_was_decided(study: ListeningStudy) -> str:
    """Who did not pass the anchors, and what the user decided of them."""
    least = written(100 * study.values["least_anchors_passed"], ".0f")
    failing, out = study.failing, study.left_out
    if not failing and not out:
        return say("listened.all-passed", least=least)
    kept = [code for code in failing if code not in out]
    sentences = [say("listened.kept", codes=listed(kept), least=least)] if kept else []
    sentences += [say("listened.left-out", codes=listed(out))] if out else []
    return " ".join(sentences)


def reliability_table(values: Values) -> TableBlock:
    """A row for each listener and question: anchors, repeats, and whether the answers were used."""
    columns = (
        TableColumn(say("listened.listener"), is_text=True),
        TableColumn(say("listened.question"), is_text=True, share=1.0),
        TableColumn(say("listened.answered")),
        TableColumn(say("listened.anchors")),
        TableColumn(say("listened.repeats")),
        TableColumn(say("listened.consistency")),
        TableColumn(say("listened.used"), is_text=True),
    )
    rows = []
    for one in values["listeners"]:
        for asked, of in one["reliability"].items():
            anchors = say("listened.of", count=of["anchors_passed"], all=of["anchors"])
            cells = [shown(one["code"]), say(f"listening.{asked}")]
            cells += [
                say("listened.of", count=one["answered"], all=one["of"]),
                anchors,
                grouped(of["repeats"]),
            ]
            cells += [_consistency(asked, of["consistency"]), say(f"listened.{_fate(one, of)}")]
            rows.append(tuple(Cell(cell) for cell in cells))
    return TableBlock(columns, tuple(rows), say("listened.reliability-caption"))


def _consistency(asked: str, value: float | None) -> str:
    """Repeats in the words of their question: a share, a distance and a correlation are not alike."""
    if value is None:
        return "–"
    task = ItemTask(asked)
    if task is ItemTask.SAME:
        return say("listened.consistency-same", share=written(100 * value, ".0f"))
    if task is ItemTask.PLACEMENT:
        return say("listened.consistency-placement", value=number(value))
    return say("listened.consistency-rating", steps=written(value, ".1f"))


def _fate(one: Values, of: Values) -> str:
    if one["is_left_out"]:
        return "was-left-out"
    return "failed-kept" if of["fails_anchors"] else "was-used"


def panel_table(values: Values) -> TableBlock:
    """Listeners and recogniser: a row for each safeguard and question, on the very same pairs."""
    machine = {(one["question"], one["safeguard"]): one for one in values["machine"]}
    columns = (
        TableColumn(say("listened.speech"), is_text=True, share=1.0),
        TableColumn(say("listened.pairs")),
        TableColumn(say("listened.ears")),
        TableColumn(say("listened.ears-eer")),
        TableColumn(say("listened.machine")),
        TableColumn(say("listened.machine-eer")),
        TableColumn(say("listened.alpha")),
        TableColumn(say("listened.icc")),
    )
    rows = []
    for one in values["panels"]:
        other = machine.get((one["question"], one["safeguard"]))
        pairs = say("listened.target-nontarget", target=one["target"], nontarget=one["nontarget"])
        of = one["agreement"]
        cells = [Cell(shown(row_name(one))), Cell(pairs), *_figures(one), *_figures(other)]
        cells += [Cell(number(of["krippendorff_alpha"])), Cell(number(of["icc_1_1"]), number(of["icc_1_k"]))]
        rows.append(tuple(cells))
    return TableBlock(columns, tuple(rows), say("listened.panels-caption"))


def _figures(one: Values | None) -> list[Cell]:
    if one is None or one["figures"] is None:
        return [Cell("–"), Cell("–")]
    d_ece, eer = one["figures"]["d_ece_bits"], one["figures"]["rocch_eer"]
    ends = say("listened.between", low=written(d_ece["low"], ".3f"), high=written(d_ece["high"], ".3f"))
    return [Cell(written(d_ece["shown"], ".3f"), ends), Cell(written(100 * eer["value"], ".1f"))]


def rating_table(values: Values) -> TableBlock:
    """Mean ratings and differences paired by recording, with intervals; EER against unprotected speech."""
    columns = (
        TableColumn(say("listened.question"), is_text=True),
        TableColumn(say("listened.speech"), is_text=True, share=1.0),
        TableColumn(say("listened.recordings")),
        TableColumn(say("listened.mean")),
        TableColumn(say("listened.ears-eer")),
        TableColumn(say("listened.alpha")),
        TableColumn(say("listened.icc")),
    )
    rows = []
    for one in values["ratings"]:
        of = one["agreement"]
        for mean in (*one["means"], *one["differences"]):
            eer = one["eer"].get(mean["safeguard"]) if "against" not in mean else None
            cells = [Cell(say(f"listening.{one['question']}")), Cell(_speech(mean))]
            cells += [Cell(grouped(mean["recordings"])), _mean(mean)]
            cells += [Cell("–" if eer is None else written(100 * eer, ".1f"))]
            cells += [
                Cell(number(of["krippendorff_alpha"])),
                Cell(number(of["icc_1_1"]), number(of["icc_1_k"])),
            ]
            rows.append(tuple(cells))
    return TableBlock(columns, tuple(rows), say("listened.ratings-caption"))


def _speech(mean: Values) -> str:
    if "against" not in mean:
        return _named(mean["safeguard"])
    return say("listened.difference", first=_named(mean["safeguard"]), second=_named(mean["against"]))


def _mean(mean: Values) -> Cell:
    if mean["low"] is None or mean["high"] is None:
        return Cell(number(mean["mean"]))
    return Cell(
        number(mean["mean"]), say("listened.between", low=number(mean["low"]), high=number(mean["high"]))
    )


def _intervals(values: Values) -> str:
    level = round(100 * values["level"])
    return say(
        "account.intervals", level=level, replicates=values["replicates"], seed=values["bootstrap_seed"]
    )


def number(value: float | None) -> str:
    """Two digits, with a true minus sign; a dash where nothing can be said."""
    return "–" if value is None else written(value, ".2f").replace("-", "−")


def _named(safeguard: str) -> str:
    return shown(safeguard) or say("name.unprotected")


# Pictures of a test by ear: what listeners and a recogniser find on the very same pairs, and ratings.
#
# Ratings are drawn as DET curves (VoicePrivacy 2020 evaluation plan, 6.2.3 and 6.2.4).


_LONGEST_ROW = 40
_LONGEST_NAME = 60
_APART = 0.16  # of a row, from its middle
_EARS, _MACHINE = 0, 1  # numbers of their colours


def ears_figure(values: Mapping[str, Any]) -> Figure:
    """Population disclosure, corrected for the size of the set, with intervals; a row for each panel.

    `values` are those of a listening test (LISTENING_OUTCOME) of which some panel has figures.
    """
    rows = [one for one in values["panels"] if one["figures"] is not None]
    machine = {_key(one): one for one in values["machine"] if one["figures"] is not None}
    names = shortened_apart([row_name(one) for one in rows], _LONGEST_ROW)
    heights = {_key(one): float(len(rows) - number) for number, one in enumerate(rows)}
    both = [(one, _EARS, _APART) for one in rows]
    both += [(machine[_key(one)], _MACHINE, -_APART) for one in rows if _key(one) in machine]
    said = [_said(one, who) for one, who, _ in both]
    places = [heights[_key(one)] + off for one, _, off in both]
    whiskers = [
        Line(np.array(_ends(one)), np.array([place, place]), None, who)
        for (one, who, _), place in zip(both, places, strict=True)
    ]
    high = max(FULL_DISCLOSURE_BITS, *(_ends(one)[1] for one, _, _ in both))
    ticks = tuple((heights[_key(one)], name) for one, name in zip(rows, names, strict=True))
    top = len(rows) + 0.5
    return Figure(
        title=say("ears.title"),
        x=Axis(say("ears.axis"), 0.0, 1.05 * high),
        y=Axis("", 0.5, top, ticks),
        lines=(guide((FULL_DISCLOSURE_BITS, FULL_DISCLOSURE_BITS), (0.5, top)), *whiskers),
        alt_text=alt_text_of(say("ears.alt"), said),
        points=tuple(_points(both, places, said)),
        rows=len(rows),
    )


def row_name(one: Mapping[str, Any]) -> str:
    """A panel as its row is called: safeguard and question."""
    safeguard = visible(one["safeguard"]) or say("name.unprotected")
    return say("ears.row", safeguard=safeguard, question=say(f"listening.{one['question']}"))


def _points(
    both: Sequence[tuple[Mapping[str, Any], int, float]], places: Sequence[float], said: Sequence[str]
) -> list[NamedPoints]:
    """One group for the listeners, one for the recogniser."""
    found = []
    for who, marker, label in ((_EARS, Marker.CIRCLE, "ears"), (_MACHINE, Marker.DIAMOND, "machine")):
        mine = [number for number, (_, kind, _) in enumerate(both) if kind == who]
        if mine:
            x = np.array([both[number][0]["figures"]["d_ece_bits"]["shown"] for number in mine])
            y = np.array([places[number] for number in mine])
            names = tuple(said[number] for number in mine)
            found.append(NamedPoints(x, y, who, say(f"ears.{label}"), marker, names=names))
    return found


def _said(one: Mapping[str, Any], who: int) -> str:
    d_ece = one["figures"]["d_ece_bits"]
    facts = {name: written(d_ece[name], ".3f") for name in ("shown", "low", "high")}
    return say("ears.of-listeners" if who == _EARS else "ears.of-machine", name=row_name(one), **facts)


def _ends(one: Mapping[str, Any]) -> tuple[float, float]:
    d_ece = one["figures"]["d_ece_bits"]
    return d_ece["low"], d_ece["high"]


def _key(one: Mapping[str, Any]) -> tuple[str, str]:
    return one["question"], one["safeguard"]


def rated_figure(rating: Mapping[str, Any]) -> Figure:
    """How well ratings tell unprotected speech from that of each safeguard; a curve for each.

    `rating` is one of the ratings of a listening test (LISTENING_OUTCOME) that has counts.
    """
    rated = {
        name: ratings_of(SavedValue(counts, name, "listening")) for name, counts in rating["counts"].items()
    }
    entries = [
        Entry(visible(name, _LONGEST_NAME), None, assess_counts(ratings.counts), colour=number)
        for number, (name, ratings) in enumerate(rated.items())
    ]
    figure = det_figure(entries)
    # The curves are of speech, whatever condition it is heard in.
    labels = (say("figure.with-eer", name=one.name, eer=percent(one.assessment.rocch_eer)) for one in entries)
    lines = tuple(line if line.label is None else replace(line, label=next(labels)) for line in figure.lines)
    return replace(
        figure,
        title=say(f"compare.listening-{rating['question']}-title"),
        lines=lines,
        alt_text=alt_text_of(say("figure.det-alt"), [line.label for line in lines if line.label]),
    )
