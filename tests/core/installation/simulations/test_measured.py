"""What the release simulated is what this code simulates, and bears out what the manual says of it."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from zebra_core.errors import Cancelled
from zebra_core.installation.simulations import repeated
from zebra_core.installation.simulations.crossed import (
    HeardCase,
    SimulationCase,
    drawn,
    drawn_heard,
    found_of_many,
    heard_truth,
    truth,
)
from zebra_core.installation.simulations.measured import SIMULATIONS
from zebra_core.installation.simulations.repeated import SimulationRow, in_words, known_counts, rows_of
from zebra_core.wording.texts import texts_of

KNOWN = known_counts()
FIRST_OF_EACH = [(one, one.cases[number]) for one in SIMULATIONS for number in (0, -1)]


def rows(name: str) -> tuple[SimulationRow, ...]:
    return rows_of(repeated.simulation_named(name), KNOWN[name])


@pytest.mark.parametrize(("simulation", "case"), FIRST_OF_EACH, ids=lambda one: one.name)
def test_a_set_that_is_simulated_again_is_counted_as_in_the_release(simulation, case):
    counts = KNOWN[simulation.name][case.name]
    assert simulation.counted(case, 1) == tuple(column[1] for column in counts)


@pytest.mark.parametrize("simulation", SIMULATIONS, ids=lambda one: one.name)
def test_every_set_of_every_case_was_counted(simulation):
    assert set(KNOWN[simulation.name]) == {case.name for case in simulation.cases}
    for case in simulation.cases:
        counts = KNOWN[simulation.name][case.name]
        assert [len(column) for column in counts] == [simulation.sets] * len(simulation.columns)
        for column, most in zip(counts, simulation.out_of(case), strict=True):
            assert 0 <= min(column) <= max(column) <= most


def test_intervals_hold_the_truth_in_nearly_as_many_sets_as_they_say():
    shares = {row.case.name: row.shares for row in rows("intervals")}
    assert all(share >= 0.91 for of in shares.values() for share in of), shares
    # Near no disclosure hardly an upper end can lie below the truth, and near full disclosure they hold what
    # as many speakers without any error leave open.
    between = {row.case.name: row.shares for row in rows("intervals") if 1.0 < row.case.separation < 4.0}
    assert all(share <= 0.995 for of in between.values() for share in of), between


def test_intervals_hold_what_other_listeners_would_find():
    """Their lower bound is that of intervals over speakers, and more."""
    assert all(share >= 0.92 for row in rows("heard") for share in row.shares)


def test_safeguards_that_are_alike_are_rarely_told_apart():
    for row in rows("differences"):
        *pairs, settled = row.shares
        if not row.case.better:
            assert max(pairs) <= 0.08, row.case.name
            assert settled <= 0.05, row.case.name


def test_no_disclosure_is_rarely_called_disclosure():
    assert all(max(row.shares) <= 0.08 for row in rows("chance"))


def test_the_reading_without_an_order_and_the_worst_case_of_others_raise_no_false_alarm():
    for row in rows("readings"):
        if row.case.separation == 0.0:
            alarm, _computed, others = row.shares
            assert max(alarm, others) <= 0.05, row.case.name


def test_speakers_who_are_alike_are_rarely_told_apart():
    """Where neither speakers heard nor own trials have an effect."""
    alike = [row for row in rows("speakers") if not row.case.own and not row.case.effects[1]]
    assert len(alike) == 6
    assert all(max(row.shares) <= 0.05 for row in alike)


def test_intervals_of_exposure_hold_the_truth():
    for row in rows("exposure"):
        held, named_below_the_mean = row.shares
        assert 0.94 <= held <= (0.98 if row.case.segments >= 3 else 1.0), row.case.name
        assert named_below_the_mean <= 0.075, row.case.name


def test_who_is_exposed_is_named_alone_and_their_interval_holds_the_truth_above_the_others():
    for row in rows("standing_out"):
        held, above, named, others_named, bound_met = row.shares
        assert held >= 0.9, row.case.name
        assert above >= (0.9 if row.case.further > 3.0 else 0.5), row.case.name
        assert named >= (0.95 if row.case.further > 3.0 else 0.8), row.case.name
        assert max(others_named, bound_met) <= 0.075, row.case.name


def test_what_the_people_in_the_sample_just_do_not_fulfil_is_rarely_called_met():
    assert all(max(row.shares) <= 0.07 for row in rows("met"))


def test_the_truth_of_a_mixture_is_that_of_its_parts():
    """All exposed, they are as others farther apart; none exposed, as others."""
    alike, exposed = SimulationCase(20, 5, 1.0), SimulationCase(20, 5, 1.0, exposed=20, further=0.5)
    assert truth(exposed) == pytest.approx(truth(SimulationCase(20, 5, 1.5)), rel=1e-9)
    few = truth(SimulationCase(20, 5, 1.0, exposed=1, further=0.5))["d_ece_bits"]
    assert truth(alike)["d_ece_bits"] < few < truth(exposed)["d_ece_bits"]


def test_listeners_who_hear_nothing_are_rarely_called_more_than_chance():
    """Whatever they agree about."""
    assert all(max(row.shares) <= 0.05 for row in rows("heard-chance"))


def test_what_panels_find_of_many_speakers_is_what_the_closed_form_says():
    case = HeardCase(20, 5, 3, 1.2, skill=0.0)
    many = found_of_many(case, 1, 20_000)
    for name, true in heard_truth(case).items():
        assert many[name] == pytest.approx(true, abs=0.005), name


def test_what_is_placed_near_is_of_one_speaker_the_more_the_voices_differ():
    bits = [
        found_of_many(HeardCase(20, 2, 0, apart, canvases=10), 1, 300)["d_ece_bits"] for apart in (0.0, 3.0)
    ]
    assert bits[0] < 0.01
    assert bits[1] > 0.2


def test_under_one_of_three_safeguards_each_listener_hears_a_third():
    heard = drawn_heard(HeardCase(20, 6, 3, 1.0, safeguards=3), np.random.default_rng(1))
    assert len(heard) == 120
    assert np.isfinite(heard.said).sum(axis=0).tolist() == [40] * 6
    assert np.isfinite(heard.said).sum(axis=1).tolist() == [2] * 120


def test_the_sentence_beside_an_interval_of_listeners_says_what_was_counted():
    shares = np.array([row.shares for row in rows("heard")])
    d_ece, eer, rocch = shares[:, :2], shares[:, 2], shares[:, 3]
    ends = [(math.floor(100 * one.min()), math.ceil(100 * one.max())) for one in (d_ece, eer, rocch)]
    said = re.findall(r"in (\d+) to (\d+)", texts_of("uncertainty")["measured-by-ear"])
    assert [(int(low), int(high)) for low, high in said] == ends


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("measured-weak", 0.0, 0.05), ("measured-middle", 0.05, 0.6), ("measured-strong", 0.6, 1)],
)
def test_the_sentence_beside_an_interval_says_what_was_counted(name, low, high):
    """Of twenty speakers and more: D_ECE with min Cllr, EER, and ROCCH-EER."""
    chosen = [
        row.shares
        for row in rows("intervals")
        if low <= truth(row.case)["d_ece_bits"] < high and row.case.speakers >= 20
    ]
    d_ece, min_cllr, eer, rocch = (np.array(column) for column in zip(*chosen, strict=True))
    measured = [np.concatenate([d_ece, min_cllr]), eer, rocch]
    ends = [(math.floor(100 * one.min()), math.ceil(100 * one.max())) for one in measured]
    said = [
        (int(low), int(high)) for low, high in re.findall(r"(\d+) to (\d+)", texts_of("uncertainty")[name])
    ]
    assert said == list(dict.fromkeys(ends))  # equal ones are said of both


def test_the_truth_of_two_normal_distributions():
    """1.5 apart: the EER is Φ(−0.75)."""
    known = truth(SimulationCase(20, 5, 1.5))
    assert known["eer"] == pytest.approx(0.22662735, abs=1e-8)
    assert known["d_ece_bits"] == pytest.approx(0.21995, abs=1e-4)
    assert truth(SimulationCase(20, 5, 0.0))["d_ece_bits"] == pytest.approx(0.0, abs=1e-12)


def test_scores_have_the_spread_and_the_separation_that_are_said():
    trials = drawn(SimulationCase(300, 4, 1.5), np.random.default_rng(1))
    assert trials.score[~trials.is_target].std() == pytest.approx(1.0, abs=0.03)
    apart = trials.score[trials.is_target].mean() - trials.score[~trials.is_target].mean()
    assert apart == pytest.approx(1.5, abs=0.1)


def test_a_sparse_list_keeps_every_trial_with_oneself():
    trials = drawn(SimulationCase(30, 8, 0.0, share=0.1), np.random.default_rng(1))
    assert trials.is_target.sum() == 240
    assert (~trials.is_target).sum() == pytest.approx(0.1 * 30 * 29 * 8, rel=0.1)


def test_a_case_is_told_in_words():
    assert in_words(SimulationCase(20, 5, 0.3)) == "20 × 5, 0.3"
    assert (
        in_words(SimulationCase(20, 0, 1.0, ties=True, share=0.5))
        == "20 × unequal, 1; tied scores; 50 % of the list"
    )
    assert in_words(SimulationCase(8, 6, 1.0, own=0.4, better=0.5)) == (
        "8 × 6, 1; speakers differ by 0.4 in their own trials; the third 1.5"
    )


def test_a_case_of_listeners_is_told_in_words():
    assert in_words(HeardCase(20, 5, 3, 1.2)) == "20 speakers, 3 pairs of either kind each, 5 listeners, 1.2"
    placed = HeardCase(40, 12, 0, 1.0, canvases=30, safeguards=3, pair=2.0)
    assert in_words(placed) == (
        "40 speakers, 30 canvases, 12 listeners, 1; 3 safeguards in turn; recordings differ by 2"
    )


def small():
    """Exposure of its first case, twice: a hundredth of a second."""
    simulation = repeated.simulation_named("exposure")
    return replace(simulation, cases=simulation.cases[:1], sets=2)


def test_what_is_counted_otherwise_than_in_the_release_fails():
    simulation = small()
    name = simulation.cases[0].name
    sets = [simulation.counted(simulation.cases[0], number) for number in range(2)]
    counts = [list(column) for column in zip(*sets, strict=True)]
    (same,) = repeated.repeated({"exposure": {name: counts}}, [simulation])
    (other,) = repeated.repeated(
        {"exposure": {name: [[counts[0][0], counts[0][1] - 1], counts[1]]}}, [simulation]
    )
    (none,) = repeated.repeated({}, [simulation])

    assert [line.passed for line in (same, other, none)] == [True, False, False]
    assert same.result == f"{sum(counts[0])} of 60, 0 of 2; the release: {sum(counts[0])}, 0"


def test_it_can_be_stopped_between_two_sets():
    told = []

    def stop(share: float) -> None:
        told.append(share)
        if share:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(repeated.repeated({}, [small()], stop))
    assert told == [0.0, 0.5]
