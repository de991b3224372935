"""Intervals over speakers."""

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.uncertainty.bootstrap import TOLD, BootstrapSettings, Uncertainty, bootstrap
from zebra_core.uncertainty.intervals import Interval, corrected, percentile
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import FIGURES, WeightedTrials

FEW = BootstrapSettings(replicates=60, seed=3)


def found_in(trials: Trials, settings: BootstrapSettings = FEW) -> Uncertainty:
    return bootstrap(trials, assess(trials), settings)


def sample(seed: int = 0, n_speakers: int = 25, between: float = 0.7) -> Trials:
    return trials_of(np.random.default_rng(seed), n_speakers, between)


def test_every_measurable_figure_has_an_interval_in_its_range() -> None:
    found = found_in(sample())
    assert tuple(found.intervals) == FIGURES[:-1]  # 1 in 10 000 is not measurable in 1 800 nontarget trials
    for name, interval in found.intervals.items():
        assert interval.low < interval.high, name
        assert interval.low >= 0.0, name
    assert (found.replicates, found.is_complete, found.n_clusters) == (60, True, 25)
    assert found.figures["d_ece_bits"].estimate == assess(sample()).d_ece_bits


def test_draws_are_those_of_the_generator_with_this_seed() -> None:
    trials = sample()
    clusters = Clusters.of_trials(trials)
    rng = np.random.default_rng(3)
    first, _ = WeightedTrials.of(trials, clusters).figures(clusters.draw_often(rng, 1), np.zeros(1))
    found = found_in(trials)
    drawn = [each.draws[0] for each in found.figures.values()]
    assert drawn == pytest.approx(first[0, : len(drawn)].tolist(), rel=1e-12)
    assert found_in(trials).figures["eer"].draws.tolist() == found.figures["eer"].draws.tolist()
    other = found_in(trials, BootstrapSettings(replicates=60, seed=4))
    assert other.figures["eer"].draws.tolist() != found.figures["eer"].draws.tolist()


def test_the_order_of_the_trials_changes_nothing() -> None:
    trials = sample(n_speakers=8)
    assert trials.enrol is not None
    assert trials.test is not None
    one = found_in(trials)
    other = found_in(Trials(trials.score[::-1], trials.is_target[::-1], *(
        type(side)(side.codes[::-1], side.names) for side in (trials.enrol, trials.test)
    )))  # fmt: skip
    for name, expected in one.intervals.items():
        found = other.intervals[name]
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_corrected_disclosure_lies_below_the_plain_one_and_so_does_its_interval() -> None:
    found = found_in(sample(between=0.1))
    plain = found.figures["d_ece_bits"].estimate
    assert 0.0 <= found.figures["d_ece_bits"].corrected < plain
    interval = found.interval("d_ece_bits")
    assert interval is not None
    assert interval.high < percentile(found.figures["d_ece_bits"].draws, 0.95, found.n_clusters)[1]
    assert found.figures["eer"].corrected == found.figures["eer"].estimate


def test_the_correction_is_right_on_average() -> None:
    """The true D_ECE is 0.1065 bit at this variance: two million independent trials of either class."""
    samples = [sample(seed, 30, 0.5) for seed in range(40)]
    found = [found_in(trials, BootstrapSettings(replicates=20)) for trials in samples]
    assert np.mean([each.figures["d_ece_bits"].estimate for each in found]) > 0.13
    assert np.mean([each.figures["d_ece_bits"].corrected for each in found]) == pytest.approx(
        0.1065, abs=0.012
    )


def test_the_band_of_the_profile_is_pointwise_and_between_certainty_and_the_prior_entropy() -> None:
    found = found_in(sample())
    low, high = found.profile_band()
    assert low.shape == high.shape == found.prior_log_odds.shape
    assert (low <= high).all()
    assert low.min() >= 0.0
    assert high.max() <= 1.0
    middle = len(low) // 2  # even odds: the ECE there is the minimum Cllr
    there = found.figures["min_cllr_bits"]
    ends = corrected(there.estimate, there.draws, there.left_out, 0.95, there.n_clusters, 0.0, 1.0)
    assert (low[middle], high[middle]) == pytest.approx(ends, rel=1e-9)


def test_more_replicates_of_one_seed_begin_with_the_same_ones_so_convergence_can_be_shown() -> None:
    found = found_in(sample(), BootstrapSettings(replicates=100, seed=3))
    at, low, high = found.convergence("eer")
    assert at[0] == 20
    assert at[-1] == 100
    whole = found.interval("eer")
    assert whole is not None
    assert (low[-1], high[-1]) == (whole.low, whole.high)
    after_60 = found_in(sample()).interval("eer", first=60)
    assert found.interval("eer", first=60) == after_60


def test_stopped_it_gives_what_there_is_and_says_how_much() -> None:
    seen: list[float] = []

    def stop_at_half(share: float) -> None:
        seen.append(share)
        if share > 0.6:
            raise Cancelled

    trials = sample()
    found = bootstrap(trials, assess(trials), FEW, on_progress=stop_at_half)
    assert 20 <= found.replicates < 60
    assert not found.is_complete
    assert (
        found.figures["eer"].draws.tolist()
        == found_in(trials).figures["eer"].draws[: found.replicates].tolist()
    )
    assert seen == sorted(seen)


def test_stopped_before_twenty_replicates_there_is_nothing() -> None:
    trials = sample()
    with pytest.raises(Cancelled):
        bootstrap(trials, assess(trials), FEW, on_progress=stop_after(0.3))


def test_tags_have_shares_of_the_replicates() -> None:
    shares = found_in(sample()).tag_shares(PAPER_SCALE)
    assert sum(shares.values()) == pytest.approx(1.0)
    assert set(shares) <= {tag.letter for tag in PAPER_SCALE.tags}


def test_what_is_not_measurable_has_no_interval() -> None:
    found = found_in(sample(n_speakers=4))
    assert "linkability" not in found.intervals
    assert found.interval("linkability") is None


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"replicates": 5}, "5 replicates are too few"),
        ({"level": 1.0}, "cannot have the level 1.0"),
        ({"level": 1e-9}, "cannot have the level 1e-09. Give a share from 0.5 to 0.999"),
        ({"level": 0.4999}, "cannot have the level 0.4999"),
        ({"level": 0.9991}, "cannot have the level 0.9991"),
    ],
)
def test_settings_that_make_no_interval_are_refused(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        BootstrapSettings(**settings)  # type: ignore[arg-type]


def test_intervals_are_wider_with_fewer_speakers() -> None:
    def width(n_speakers: int) -> float:
        interval = found_in(sample(n_speakers=n_speakers), BootstrapSettings(replicates=200)).interval("eer")
        assert isinstance(interval, Interval)
        return interval.high - interval.low

    assert width(10) > 1.5 * width(60)


def test_those_who_wait_are_told_what_there_is_so_far() -> None:
    told: list[Uncertainty] = []
    trials = sample(n_speakers=8)
    found = bootstrap(trials, assess(trials), FEW, on_draws=told.append)
    counts = [each.replicates for each in told]
    assert counts == found.convergence("eer", TOLD)[0].tolist()
    assert (counts[0], counts[-1]) == (20, 60)
    assert told[0].figures["eer"].draws.tolist() == found.figures["eer"].draws[:20].tolist()
    assert told[0].interval("eer") == found.interval("eer", first=20)
    assert (told[0].is_complete, told[-1].intervals) == (False, found.intervals)
