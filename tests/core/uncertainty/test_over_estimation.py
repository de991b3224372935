"""Over-estimation of LLRs, with intervals over speakers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.trials import Trials
from zebra_core.installation.simulations.crossed import SimulationCase, drawn
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess
from zebra_core.metrics.zebra import LN10
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.over_estimation import over_estimation
from zebra_core.uncertainty.resampling import ResamplingUnit

NATURAL = Settings(score_meaning=ScoreMeaning.NATURAL_LLR)
FEW = BootstrapSettings(100, seed=1)


def quantiles(apart=2.0, n=20_000):
    """LLRs that are calibrated but for 1/n: normal quantiles d²/2 above and below 0, with deviation d."""
    noise = apart * ndtri((np.arange(n) + 0.5) / n)
    return Trials(np.concatenate([noise + apart**2 / 2, noise - apart**2 / 2]), np.arange(2 * n) < n)


def found_of(trials, meaning=NATURAL):
    return over_estimation(None, assess(trials, meaning))


@pytest.mark.parametrize(("slope", "shift"), [(1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (2.0, 0.0), (0.5, 0.3)])
def test_shifted_and_stretched_llrs_exceed_by_what_was_done_to_them(slope, shift):
    """LLRs y = slope·x + shift of calibrated x exceed by y − (y − shift)/slope."""
    trials = quantiles()
    found = found_of(replace(trials, score=slope * trials.score + shift * LN10))
    y = found.log10_lr

    assert len(y) == 41
    assert found.exceeds == pytest.approx(y - (y - shift) / slope, abs=0.01)
    assert not found.has_interval


def test_the_densities_of_both_classes_are_compared_one_by_one():
    """Slow: weighted windows around a place, trial by trial, without cells."""
    draw = np.random.default_rng(5)
    truth = np.arange(900) < 300
    llr = draw.normal(size=900) * 1.5 + np.where(truth, 1.1, -1.1)
    found = found_of(Trials(llr, truth))

    from zebra_core.evidence.trials import ScoreCounts
    from zebra_core.metrics.learnt_calibration import LinearCalibration

    slope = LinearCalibration.fit(ScoreCounts.of(llr, truth)).slope
    widths = []
    for of in (llr[truth], llr[~truth]):
        low, high = np.quantile(of, (0.25, 0.75), method="inverted_cdf")
        widths.append(0.9 * min(of.std(ddof=1), (high - low) / 1.34) * len(of) ** -0.2)
    h = min(widths)
    for k in (0, 13, 40):
        x = found.log10_lr[k] * LN10
        window = np.exp(-0.5 * ((llr - x) / h) ** 2)
        target = np.mean((window * np.exp(-slope * (llr - x) / 2))[truth])
        nontarget = np.mean((window * np.exp(slope * (llr - x) / 2))[~truth])
        assert found.exceeds[k] == pytest.approx((x - np.log(target / nontarget)) / LN10, abs=2e-3)


def test_base_10_llrs_are_the_same_llrs():
    trials = quantiles(n=500)
    as_base_10 = replace(trials, score=trials.score / LN10)
    one = found_of(trials)
    other = found_of(as_base_10, Settings(score_meaning=ScoreMeaning.LOG10_LR))
    assert other.log10_lr == pytest.approx(one.log10_lr)
    assert other.exceeds == pytest.approx(one.exceeds, abs=1e-6)


@pytest.fixture(scope="module")
def calibrated():
    case = SimulationCase(20, 5, 1.5)
    trials = drawn(case, np.random.default_rng(11))
    return replace(trials, score=1.5 * trials.score - 1.5**2 / 2)


def test_intervals_are_over_speakers_and_hold_the_curve(calibrated):
    found = over_estimation(calibrated, assess(calibrated, NATURAL), FEW)
    assert (found.unit, found.n_clusters, found.level) == (ResamplingUnit.SPEAKER, 20, 0.95)
    assert np.all(found.low <= found.exceeds)
    assert np.all(found.exceeds <= found.high)


def test_the_order_of_trials_is_irrelevant_and_the_seed_is_not(calibrated):
    known = assess(calibrated, NATURAL)
    turned = Trials(
        calibrated.score[::-1],
        calibrated.is_target[::-1],
        *(replace(ids, codes=ids.codes[::-1]) for ids in (calibrated.enrol, calibrated.test)),
    )
    one, other = (over_estimation(each, known, FEW) for each in (calibrated, turned))
    assert np.array_equal(one.low, other.low)
    assert not np.array_equal(one.low, over_estimation(calibrated, known, BootstrapSettings(100, seed=2)).low)


def test_speakers_who_differ_make_intervals_wider_than_single_trials(calibrated):
    known = assess(calibrated, NATURAL)
    by_speaker = over_estimation(calibrated, known, FEW)
    by_trial = over_estimation(replace(calibrated, enrol=None, test=None), known, FEW)
    assert by_trial.unit is ResamplingUnit.TRIAL
    assert np.mean(by_speaker.high - by_speaker.low) > np.mean(by_trial.high - by_trial.low)


@pytest.mark.parametrize(
    "score", [[0.0] * 6, [3.0, 2.5, 2.0, 0.0, 0.5, 1.0], [2.0, 1.0, 0.0, 1.5, 0.5, -1.0]]
)
def test_without_trials_enough_of_both_classes_there_is_nothing(score):
    found = found_of(Trials(np.array(score), np.array([True] * 3 + [False] * 3)))
    assert not found.is_measurable
    assert len(found.low) == 0


def test_two_speakers_are_too_few_and_it_can_be_stopped(calibrated):
    pair = np.isin(calibrated.enrol.codes, (0, 1)) & np.isin(calibrated.test.codes, np.arange(10))
    two = Trials(
        calibrated.score[pair],
        calibrated.is_target[pair],
        *(replace(ids, codes=ids.codes[pair]) for ids in (calibrated.enrol, calibrated.test)),
    )
    known = assess(calibrated, NATURAL)
    with pytest.raises(InputError):
        over_estimation(two, known, FEW)

    def stop(_share):
        raise Cancelled

    with pytest.raises(Cancelled):
        over_estimation(calibrated, known, FEW, on_progress=stop)
