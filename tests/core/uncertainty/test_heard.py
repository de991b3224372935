"""Speakers, listeners and canvases drawn as wholes: figures by hand, pairs, and simulated coverage."""

from dataclasses import replace

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.heard_trials import with_the_same_listeners
from zebra_core.evidence.trials import Trials
from zebra_core.installation.simulations.crossed import HeardCase, drawn_heard
from zebra_core.installation.simulations.repeated import known_counts, simulation_named
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.registry import drawn_values
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.difference import bootstrap_paired, ranking
from zebra_core.uncertainty.intervals import d_ece_at
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import FIGURES, WeightedHeard

FEW = BootstrapSettings(40)
PRIORS = np.zeros(1)


def known(heard):
    return assess(Trials(heard.score, heard.is_target))


@pytest.fixture(scope="module")
def heard():
    return drawn_heard(HeardCase(10, 4, 2, 1.2), generator(5, Purpose.MADE_UP))


@pytest.fixture(scope="module")
def placed(heard):
    """The same on three canvases."""
    canvas = heard.first % 3 + 5
    return replace(heard, canvas=canvas, canvases=(5, 6, 7))


def test_with_everybody_once_figures_are_those_of_the_means(placed):
    clusters = Clusters.of_heard(placed)
    (figures,), _ = WeightedHeard(placed, clusters).figures(clusters.all_once[np.newaxis], PRIORS)
    plain = known(placed)
    assert dict(zip(FIGURES, figures, strict=True))["d_ece_bits"] == plain.d_ece_bits
    for name, value, expected in zip(FIGURES, figures, drawn_values(plain).values(), strict=True):
        assert value == pytest.approx(expected, rel=1e-12, nan_ok=True), name


def test_figures_of_a_draw_are_those_of_trials_that_are_repeated(placed):
    """Of ten speakers, four listeners and three canvases, as drawn; the last is the side that has none."""
    speakers, listeners, canvases = [2, 0, 1, 1, 3, 0, 1, 1, 0, 1], [0, 2, 1, 1], [1, 2, 0]
    weight = np.array([*speakers, *listeners, *canvases, 1], dtype=np.int32)
    (figures,), _ = WeightedHeard(placed, Clusters.of_heard(placed)).figures(weight[np.newaxis], PRIORS)
    mean = placed.said @ np.array(listeners) / 4
    times = [
        speakers[a] * (1 if a == b else speakers[b]) * canvases[canvas - 5]
        for a, b, canvas in zip(placed.first, placed.second, placed.canvas, strict=True)
    ]
    repeated = assess(Trials(np.repeat(mean, times), np.repeat(placed.is_target, times)))
    for name in ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "min_cllr_bits", "cllr_bits"):
        value = dict(zip(FIGURES, figures, strict=True))[name]
        assert value == pytest.approx(getattr(repeated, name), rel=1e-9), name


def test_draws_keep_each_kind_and_jackknives_leave_out_speakers(placed):
    clusters = Clusters.of_heard(placed)
    assert (clusters.n_told, clusters.n_listeners, clusters.n_canvases, clusters.n_fewest) == (10, 4, 3, 3)
    drawn = clusters.draw(generator(1, Purpose.MADE_UP))
    assert [int(part.sum()) for part in np.split(drawn, [10, 14, 17])] == [10, 4, 3, 1]
    left = list(clusters.left_out())
    assert len(left) == 10
    assert all((one[10:] == 1).all() and one[:10].sum() == 9 for one in left)


def test_who_missed_a_trial_is_no_part_of_its_mean(heard):
    said = heard.said.copy()
    said[::2, 0] = np.nan
    some = replace(heard, said=said)
    clusters = Clusters.of_heard(some)
    weight = clusters.all_once
    weight[clusters.n_speakers : clusters.n_speakers + 4] = [4, 0, 0, 0]
    (figures,), _ = WeightedHeard(some, clusters).figures(weight[np.newaxis], PRIORS)
    alone = assess(Trials(said[1::2, 0], heard.is_target[1::2]))
    assert dict(zip(FIGURES, figures, strict=True))["d_ece_bits"] == pytest.approx(alone.d_ece_bits)


def test_pairs_have_the_listeners_of_both_and_the_same_draws(heard):
    """Who stopped early said nothing of the second: drawn for the one, drawn for the other."""
    fewer = replace(heard, said=heard.said[:, :3], listeners=heard.listeners[:3])
    one, other = with_the_same_listeners([heard, fewer])
    assert other.listeners == heard.listeners
    assert np.isnan(other.said[:, 3]).all()
    same = bootstrap_paired([(heard, known(heard)), (heard, known(heard))], FEW)
    (nothing,) = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in same]).differences
    assert (nothing.value, nothing.interval.low, nothing.interval.high) == (0.0, 0.0, 0.0)
    both = bootstrap_paired([(one, known(one)), (fewer, known(fewer))], FEW)
    assert both[0].figures["d_ece_bits"].n_clusters == 4
    (few,) = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in both]).differences
    assert few.has_too_few
    with pytest.raises(InputError):
        bootstrap_paired([(heard, known(heard)), (replace(heard, first=heard.second), known(heard))], FEW)


def test_a_panel_without_an_error_may_err_as_often_as_the_fewest_leave_open(heard):
    """Two of the listeners err alone: draws of them show errors, the panel none."""
    right = np.where(heard.is_target, 1.0, -1.0)
    said = np.stack([9.0 * right, 9.0 * right, -right, np.where(heard.first == 0, -5.0, 5.0) * right], axis=1)
    perfect = replace(heard, said=said)
    found = bootstrap(perfect, known(perfect), FEW)
    assert found.is_perfect
    missed = 1.0 - 0.05 ** (1 / 4)  # 53 %, where four are without an error
    assert found.intervals["eer"].low == 0.0
    assert found.intervals["eer"].high == pytest.approx(missed / (1.0 + missed))
    assert found.intervals["d_ece_bits"].low == pytest.approx(d_ece_at(missed))


def test_no_disclosure_deals_out_speakers_and_leaves_answers_as_they_are(heard):
    found = without_disclosure(heard, known(heard), replicates=20)
    of_counts = without_disclosure(heard.counts(), known(heard), replicates=20)
    assert found.draws["d_ece_bits"].tolist() == of_counts.draws["d_ece_bits"].tolist()


def test_intervals_hold_what_other_listeners_would_find_as_often_as_the_release_says():
    """Five listeners whose skills differ much: set by set as in its 200, of which 193 held D_ECE."""
    simulation, case = simulation_named("heard"), HeardCase(20, 5, 3, 1.2, skill=0.8)
    counts = np.array(known_counts()["heard"][case.name])
    assert counts[0].sum() == 193
    assert [simulation.counted(case, number) for number in range(12)] == [*map(tuple, counts.T[:12].tolist())]


def test_intervals_with_listeners_drawn_are_wider_than_those_of_speakers_alone():
    case, rng = HeardCase(20, 5, 3, 1.2, skill=0.6), generator(27, Purpose.MADE_UP)
    widths = []
    for number in range(6):
        heard = drawn_heard(case, rng)
        settings, plain = BootstrapSettings(40, seed=number), known(heard)
        all_drawn, alone = (bootstrap(one, plain, settings) for one in (heard, heard.counts()))
        ends = [one.intervals["d_ece_bits"] for one in (all_drawn, alone)]
        widths.append((ends[0].high - ends[0].low) / (ends[1].high - ends[1].low))
    assert np.median(widths) > 1.2
