"""Draw the method's pictures, of simulations.json and method.json: PNG for the window, SVG for the PDF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import zebra_resources
from zebra_core.figures.calibration import over_estimation_figure
from zebra_core.figures.distributions import pav_figure
from zebra_core.figures.figure import Area, Axis, Dash, Figure, Ink, Line, Marker, Points
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.series import ece_figure, guide
from zebra_core.installation.simulations.repeated import in_words, known_counts, rows_of, simulation_named
from zebra_core.installation.simulations.stated_llrs import CASES, StatedLlrs
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess
from zebra_core.project.demo import demo_project
from zebra_core.project.items import Entry
from zebra_core.uncertainty.over_estimation import over_estimation

FOLDER = (
    Path(__file__).resolve().parent.parent
    / "resources"
    / "zebra_resources"
    / "manual"
    / "en"
    / "method"
    / "pictures"
)
DATA = json.loads(zebra_resources.read_text("method.json"))
_NAMES = ("D_ECE", "min Cllr", "EER", "ROCCH-EER")
_MARKERS = (Marker.CIRCLE, Marker.SQUARE, Marker.TRIANGLE, Marker.DIAMOND)
_SHOWN_ALONE = ("good", "shifted up", "stretched", "shrunk")
_DPI, _WIDTH = 200, 6.3


def figures() -> Iterator[tuple[str, Figure]]:
    """Each picture by the name of its files."""
    entries = demo_project().entries
    yield "calibration", pav_figure([one for one in entries if one.name == "B2"])
    yield "cross-entropy", ece_figure(entries)
    yield "coverage", coverage()
    yield "worst-case", worst_case()
    yield "bias", bias()
    stated = [_stated(number, case) for number, case in enumerate(CASES)]
    known = {one.id: over_estimation(None, one.assessment) for one in stated}
    names = {one.name: one for one in stated}
    yield "stated-pav", _as_named(pav_figure([names[name] for name in _SHOWN_ALONE]))
    yield "stated-over-estimation", _as_named(over_estimation_figure(stated, known))
    yield "stated-ece", _as_named(ece_figure(stated, default=True, minimum=False, actual=True))


def _stated(number: int, case: StatedLlrs) -> Entry:
    """The made-up LLRs of a case as an assessment."""
    known = assess(case.trials, Settings(score_meaning=ScoreMeaning.LOG10_LR))
    return Entry(case.name, None, known, colour=number)


def _as_named(figure: Figure) -> Figure:
    """The figure without a title, in whose legend cases have their names alone."""
    lines = tuple(
        replace(one, label=one.label and one.label.partition(", condition")[0]) for one in figure.lines
    )
    return replace(figure, title="", lines=lines)


def coverage() -> Figure:
    """How often intervals held the truth: a row a case, a mark a figure."""
    simulation = simulation_named("intervals")
    rows = rows_of(simulation, known_counts()["intervals"])
    places = np.arange(len(rows), 0.0, -1.0)
    points = tuple(
        Points(
            np.array([100.0 * row.shares[number] for row in rows]),
            places + 0.24 - 0.16 * number,
            number,
            name,
            _MARKERS[number],
        )
        for number, name in enumerate(_NAMES)
    )
    ticks = tuple((float(place), in_words(row.case)) for place, row in zip(places, rows, strict=True))
    return Figure(
        "",
        Axis("Intervals at 95 % that contained the true value (%)", 87.0, 100.5),
        Axis("", 0.3, len(rows) + 0.7, ticks),
        (guide((95.0, 95.0), (0.3, len(rows) + 0.7), Dash.DASHED),),
        "A row for each simulated case, a mark for each figure: most lie between 93 and 99 per cent.",
        points,
    )


def worst_case() -> Figure:
    """Worst cases where nothing is disclosed, over the number of target trials."""
    rows = DATA["worst_case"]
    x = np.log10([row["target_trials"] for row in rows])
    low, middle, high = np.array([row["computed"] for row in rows]).T
    other_low, other, other_high = np.array([row["others"] for row in rows]).T
    ticks = tuple((float(at), str(row["target_trials"])) for at, row in zip(x, rows, strict=True))
    return Figure(
        "",
        Axis("Target trials", float(x[0]) - 0.05, float(x[-1]) + 0.05, ticks),
        Axis("Worst case (log10 LR)", 0.0, 5.0),
        (
            Line(x, np.array([row["ceiling"] for row in rows]), "Ceiling", Ink.MUTED, Dash.DOTTED),
            Line(x, middle, "As computed: median, 5 to 95 %", 0),
            Line(x, other, "By other speakers: median, 5 to 95 %", 1, Dash.DASHED),
        ),
        "Without disclosure the worst case lies between 0 and 1.3 as computed, and near 0 by other speakers.",
        areas=(Area(x, high, 0, low), Area(x, other_high, 1, other_low)),
    )


def bias() -> Figure:
    """D_ECE as computed and corrected over the number of speakers, beside the truth."""
    lines = []
    for number, separation in enumerate(sorted({row["separation"] for row in DATA["bias"]})):
        rows = [row for row in DATA["bias"] if row["separation"] == separation]
        x = np.log10([row["speakers"] for row in rows])
        words = f"true D_ECE {rows[0]['true']:.2f} bit"
        values = {one: np.array([row[one] for row in rows]) for one in ("true", "computed", "corrected")}
        lines += [
            Line(x, values["computed"], f"As computed, {words}", number),
            Line(x, values["corrected"], f"Corrected, {words}", number, Dash.DASHED),
            Line(x, values["true"], None, Ink.MUTED, Dash.DOTTED),
        ]
    ticks = tuple((float(np.log10(n)), str(n)) for n in sorted({row["speakers"] for row in DATA["bias"]}))
    return Figure(
        "",
        Axis("Speakers", float(np.log10(5)) - 0.03, float(np.log10(80)) + 0.03, ticks),
        Axis("D_ECE (bit), mean over sets", -0.02, 0.35),
        tuple(lines),
        "D_ECE as computed lies above the truth, most with few speakers; D_ECE corrected lies near it.",
    )


def drawn(figure: Figure, kind: str) -> bytes:
    """A picture as wide as the text of a page."""
    return render(figure, kind, dpi=_DPI, width=_WIDTH)


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, figure in figures():
        for kind in ("png", "svg"):
            (FOLDER / f"{name}.{kind}").write_bytes(drawn(figure, kind))


if __name__ == "__main__":
    main()
