"""How sure figures are, as pictures."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.core.samples import demo, labelled, pdflatex_together
from zebra_core.figures.figure import Figure, Ink, Marker, NamedPoints
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.pgfplots import standalone, tikz
from zebra_core.figures.series import colour_of, ece_figure, nece_figure
from zebra_core.figures.uncertainty import (
    convergence_figure,
    convergence_of,
    convergence_so_far,
    dots_of,
    null_figure,
    null_of,
    whiskers_figure,
    with_bands,
)
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import with_interval
from zebra_core.uncertainty.trust import AssessmentTrust, Trust, trust_of

SETTINGS = BootstrapSettings(replicates=40)


@cache
def trust() -> dict[str, AssessmentTrust]:
    return {
        entry.id: trust_of(entry.trials, entry.assessment, SETTINGS)
        for entry in demo().entries[1:3]
        if entry.trials is not None
    }


def measured() -> tuple[Entry, ...]:
    return tuple(replace(entry, measured=trust().get(entry.id)) for entry in demo().entries)


def whiskers() -> Figure:
    entries = demo().entries[1:3]
    draws = [(entry.full_name, trust()[entry.id].uncertainty.figures["eer"]) for entry in entries]
    return whiskers_figure("eer", draws, [colour_of(entry) for entry in entries])


def banded() -> Figure:
    entries = measured()
    return with_bands(ece_figure(entries), entries, entries[2].id)


def of_b2(kind: str) -> Figure:
    found = trust()[demo().entries[2].id]
    if kind == "convergence":
        return convergence_figure(found.uncertainty, "eer", "B2 OP", 1)
    assert found.null is not None
    return null_figure(found.null, "d_ece_bits", "B2 OP", 1)


def test_there_is_a_band_for_each_that_is_known_and_a_grey_one_of_the_selected_below_them() -> None:
    drawn = banded()
    assert [area.colour for area in drawn.areas] == [Ink.MUTED, 0, 1]
    found = trust()[demo().entries[2].id]
    low, high = found.uncertainty.profile_band()
    assert drawn.areas[2].y.tolist() == high.tolist()
    assert drawn.areas[2].base.tolist() == low.tolist()
    assert drawn.areas[0].base.tolist() == found.null.band_low.tolist()
    assert labelled(drawn)[0].label == "no disclosure (95 %), B2 OP"
    assert found.null.sentence("d_ece_bits") in drawn.alt_text


def test_normalised_bands_are_shares_of_the_prior_entropy() -> None:
    entries = measured()
    drawn = with_bands(nece_figure(entries), entries, normalised=True)
    profile = entries[1].assessment.profile
    low, _ = trust()[entries[1].id].uncertainty.profile_band()
    assert drawn.areas[1].base == pytest.approx(low / profile.default_bits)


def test_without_intervals_the_figure_is_what_it_was() -> None:
    plain = ece_figure(demo().entries)
    assert with_bands(plain, demo().entries) is plain


def test_whiskers_reach_from_end_to_end_in_the_unit_of_the_figure() -> None:
    drawn = whiskers()
    entries = demo().entries[1:3]
    for entry, line, points in zip(entries, drawn.lines, drawn.points, strict=True):
        interval = trust()[entry.id].uncertainty.interval("eer")
        assert line.x == pytest.approx([100.0 * interval.low, 100.0 * interval.high])
        assert points.x == pytest.approx([100.0 * entry.assessment.eer])
        assert f"{entry.full_name}: {with_interval('eer', entry.assessment.eer, interval)}." in drawn.alt_text
    assert drawn.x.label == "EER, %"
    assert [name for _, name in drawn.y.ticks] == ["B1w OP", "B2 OP"]


def test_convergence_ends_at_the_interval() -> None:
    drawn = of_b2("convergence")
    interval = trust()[demo().entries[2].id].uncertainty.interval("eer")
    low, high, plain = drawn.lines
    assert (low.y[-1], high.y[-1]) == pytest.approx((100.0 * interval.low, 100.0 * interval.high))
    assert plain.y == pytest.approx([100.0 * demo().entries[2].assessment.eer] * 2)
    assert (drawn.x.low, drawn.x.high) == (0.0, 40.0)


def test_the_null_is_a_histogram_of_all_sets_with_the_observed_value_beside_it() -> None:
    drawn = of_b2("null")
    sets, beyond, observed = drawn.lines
    assert sets.y[1::2].sum() == pytest.approx(1.0)  # each bin twice, without the ends
    assert observed.x == pytest.approx([demo().entries[2].assessment.d_ece_bits] * 2)
    assert beyond.x[0] < observed.x[0] <= drawn.x.high
    assert "None of 40 sets without any disclosure showed 0.205 bit or more." in drawn.alt_text


PICTURES = {
    "bands": banded,
    "whiskers": whiskers,
    "convergence": lambda: of_b2("convergence"),
    "null": lambda: of_b2("null"),
}


@pytest.fixture(scope="module")
def in_tex(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The text of each of these pictures, which TeX has set in one go."""
    documents = {name: standalone("A figure", tikz(make())) for name, make in PICTURES.items()}
    return pdflatex_together(documents, tmp_path_factory.mktemp("tex"))


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_drawn_and_compiles(in_tex: Callable[[str], str], name: str) -> None:
    drawn = PICTURES[name]()
    assert render(drawn, "png", dpi=40).startswith(b"\x89PNG")
    text = in_tex(name)
    assert drawn.x.label.split()[0].strip(",") in text
    for line in labelled(drawn):
        assert line.label.split()[0] in text


def test_a_band_is_closed_along_its_base_in_tex() -> None:
    drawn = tikz(banded())
    assert drawn.count("-- cycle;") == 3
    assert r"\closedcycle" not in drawn


def test_a_figure_of_no_spread_still_has_an_axis() -> None:
    found = trust()[demo().entries[2].id].null
    assert found is not None
    same = replace(
        found,
        observed={**found.observed, "eer": 0.5},
        draws={**found.draws, "eer": np.full(40, 0.5)},
    )
    drawn = null_figure(same, "eer", "a name")
    assert drawn.x.low < 50.0 < drawn.x.high


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    """The third of the demo is measured, the others are not."""
    of_demo = demo().entries
    third = of_demo[2]
    assert third.trials is not None
    trust = trust_of(third.trials, third.assessment, BootstrapSettings(replicates=40))
    return (*of_demo[:2], replace(third, measured=trust))


def test_dots_have_intervals_where_they_are_known_and_lie_at_their_figures(
    entries: tuple[Entry, ...],
) -> None:
    drawn = dots_of(entries, "d_ece_bits", entries[1].id)
    dots = [one for one in drawn.points if one.colour is not Ink.MUTED or one.marker is not Marker.CROSS]
    assert [float(one.x[0]) for one in dots] == [
        entry.assessment.d_ece_bits
        for entry in entries  # as computed: of the others no correction is known
    ]
    widths = [float(line.x[1] - line.x[0]) for line in drawn.lines]
    assert widths[:2] == [0.0, 0.0]
    assert widths[2] > 0.01
    assert [one.emphasised for one in dots if isinstance(one, NamedPoints)][1]


def test_a_cross_marks_what_one_in_twenty_sets_without_disclosure_goes_beyond(
    entries: tuple[Entry, ...],
) -> None:
    drawn = dots_of(entries, "worst_case_log10_lr")
    [cross] = [one for one in drawn.points if one.marker is Marker.CROSS]
    trust = entries[2].trust
    assert trust is not None
    assert trust.null is not None
    assert float(cross.x[0]) == trust.null.one_in_twenty("worst_case_log10_lr")
    assert float(cross.y[0]) == 1.0
    assert drawn.x.low <= float(cross.x[0]) <= drawn.x.high


def test_scores_that_run_the_wrong_way_are_marked_where_they_disclose_something(
    entries: tuple[Entry, ...],
) -> None:
    trials = entries[0].trials
    assert trials is not None
    trials = replace(trials, score=-trials.score)
    wrong = replace(entries[0], trials=trials, assessment=assess(trials))
    drawn = dots_of([entries[1], wrong], "d_ece_bits")
    [mark] = [one for one in drawn.points if one.marker is Marker.TRIANGLE]
    assert float(mark.x[0]) == wrong.assessment.disclosed_by_reading_bits > 0.6
    assert float(mark.y[0]) == 1.0
    assert mark.label == "read the other way round"
    assert drawn.x.high > float(mark.x[0])
    assert f"{wrong.full_name}, read the other way round: 0.68 bit." in drawn.alt_text
    assert not [one for one in dots_of([wrong], "eer").points if one.marker is Marker.TRIANGLE]


def test_what_nobody_asked_is_said_in_the_picture(entries: tuple[Entry, ...]) -> None:
    for drawn in (convergence_of(entries[0], "eer"), null_of(None, "d_ece_bits")):
        assert drawn.words[0].text == "Not computed yet: choose Assess > How sure are we?"
        assert drawn.words[0].text in drawn.alt_text
        assert render(drawn, "png", dpi=40).startswith(b"\x89PNG")
    assert "Not computed yet" in dots_of(entries[:2], "d_ece_bits").alt_text
    assert "Not computed yet" not in dots_of(entries, "d_ece_bits").alt_text


def test_what_was_asked_is_drawn(entries: tuple[Entry, ...]) -> None:
    assert not convergence_of(entries[2], "d_ece_bits").words
    assert null_of(entries[2], "d_ece_bits").lines[-1].x[0] == entries[2].assessment.d_ece_bits


def test_while_speakers_are_drawn_the_picture_grows(entries: tuple[Entry, ...]) -> None:
    third = entries[2]
    assert third.trials is not None
    told: list[Trust] = []
    settings = BootstrapSettings(replicates=100)
    trust_of(third.trials, third.assessment, settings, deals=0, on_draws=told.append)
    early = convergence_so_far(replace(third, measured=told[0]), "d_ece_bits")
    late = convergence_so_far(replace(third, measured=told[-1]), "d_ece_bits")
    assert early.x.label == "replicates: 20 of 100 draws of B2 OP so far"
    assert early.alt_text.endswith("20 of 100 draws of B2 OP so far.")
    assert (early.x.high, late.x.high) == (100.0, 100.0)
    assert (early.lines[0].x[-1], late.lines[0].x[-1]) == (20.0, 100.0)
    assert convergence_so_far(None, "eer").words[0].text.startswith("Speakers are being drawn")
