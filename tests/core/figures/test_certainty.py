"""How sure a project's figures are, as pictures: with intervals, without, and of nothing measured yet."""

from dataclasses import replace

import pytest

from tests.core.samples import demo
from zebra_core.figures.certainty import convergence_of, convergence_so_far, dots_of, null_of
from zebra_core.figures.figure import Ink, Marker, NamedPoints
from zebra_core.figures.matplotlib_ import render
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import Trust, trust_of


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
