"""Figures of trials that count several times: those of the same trials repeated."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.similarity_cases import ordered_by_name
from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, ScoreCounts, Trials
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess
from zebra_core.metrics.registry import drawn_values
from zebra_core.metrics.zebra import LN10
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import (
    FIGURES,
    HEADLINES,
    LeftOutUnit,
    Robustness,
    WeightedTrials,
    in_runs,
    leave_out,
)

PRIORS = Settings().prior_log_odds
AT_LINKABILITY = FIGURES.index("linkability")


def as_measured(found: Assessment) -> list[float]:
    return list(drawn_values(found).values())


@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["no ties", "ties", "many ties"])
@pytest.mark.parametrize("seed", range(4))
def test_all_weights_one_give_exactly_the_plain_figures(seed: int, decimals: int | None) -> None:
    trials = trials_of(np.random.default_rng(seed), 10 - 2 * (seed % 2), 1.0, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    found = WeightedTrials.of(trials, clusters).figures(clusters.all_once[np.newaxis], PRIORS)
    plain = assess(trials)
    # Cllr is a sum over trials, the others are of counts: these agree to the last digit.
    at = FIGURES.index("cllr_bits")
    assert found[0][0, at] == pytest.approx(plain.cllr_bits, rel=1e-13)
    np.testing.assert_array_equal(np.delete(found[0][0], at), np.delete(as_measured(plain), at))
    assert found[1][0].tolist() == plain.profile.min_bits.tolist()


@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["no ties", "ties", "many ties"])
@pytest.mark.parametrize("seed", range(4))
def test_weights_are_repetitions(seed: int, decimals: int | None) -> None:
    """Each row written out as often as it counts, and assessed as it stands."""
    rng = np.random.default_rng(seed)
    trials = trials_of(rng, 12, 0.7, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    ordered = WeightedTrials.of(trials, clusters)
    for _ in range(5):
        weight = clusters.draw(rng)
        often = weight[clusters.enrol] * weight[clusters.test]
        repeated = assess(Trials(np.repeat(trials.score, often), np.repeat(trials.is_target, often)))
        found = ordered.figures(weight[np.newaxis], PRIORS)
        # Linkability keeps the bins of the scores that were there before anybody was left out.
        expected = np.array(as_measured(repeated))
        expected[AT_LINKABILITY] = found[0][0, AT_LINKABILITY]
        assert found[0][0] == pytest.approx(expected, rel=1e-12, nan_ok=True)
        assert found[1][0] == pytest.approx(repeated.profile.min_bits, rel=1e-12)


def test_linkability_keeps_its_bins() -> None:
    trials = trials_of(np.random.default_rng(0), 12, 1.0)
    clusters = Clusters.of_trials(trials)
    twice = 2 * clusters.all_once
    twice[-1] = 1  # targets twice, nontargets four times: all shares are as before
    found = WeightedTrials.of(trials, clusters).figures(twice[np.newaxis], PRIORS)
    assert found[0][0, FIGURES.index("linkability")] == pytest.approx(assess(trials).linkability, rel=1e-12)


def test_a_class_without_trials_has_no_figures() -> None:
    trials = trials_of(np.random.default_rng(0), 5, 1.0)
    clusters = Clusters.of_trials(trials)
    weight = clusters.all_once
    weight[:-1] = [5, 0, 0, 0, 0]
    values, profiles = WeightedTrials.of(trials, clusters).figures(weight[np.newaxis], PRIORS)
    assert np.isnan(values).all()
    assert np.isnan(profiles).all()


@pytest.mark.parametrize("decimals", [None, 0], ids=["no ties", "many ties"])
def test_many_draws_at_once_are_as_one_by_one(decimals: int | None) -> None:
    """Some of them without targets, some with all trials at one score, others with more blocks than these."""
    rng = np.random.default_rng(5)
    trials = trials_of(rng, 4, 0.7, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    ordered = WeightedTrials.of(trials, clusters)
    weights = np.concatenate([rng.integers(0, 3, (60, clusters.n)), np.ones((60, 1), int)], axis=1)
    weights[0, :-1] = 0
    values, profiles = ordered.figures(weights, PRIORS)
    for k, weight in enumerate(weights):
        alone, profile = ordered.figures(weight[np.newaxis], PRIORS)
        np.testing.assert_array_equal(values[k], alone[0])
        np.testing.assert_array_equal(profiles[k], profile[0])


def test_cllr_judges_scores_in_the_unit_that_they_have() -> None:
    trials = trials_of(np.random.default_rng(0), 9, 1.0)
    clusters = Clusters.of_trials(trials)
    found = WeightedTrials.of(trials, clusters, LN10).figures(clusters.all_once[np.newaxis], PRIORS)
    plain = assess(trials, Settings(score_meaning=ScoreMeaning.LOG10_LR))
    assert found[0][0, FIGURES.index("cllr_bits")] == pytest.approx(plain.cllr_bits, rel=1e-13)


def test_neighbours_of_one_class_are_put_together_and_ties_between_classes_are_not() -> None:
    counts = ScoreCounts(np.arange(7.0), np.array([0, 0, 2, 1, 1, 3, 0]), np.array([1, 2, 0, 0, 4, 0, 1]))
    runs = in_runs(counts)
    assert runs.score.tolist() == [0.0, 2.0, 4.0, 5.0, 6.0]
    assert runs.n_target.tolist() == [0, 3, 1, 3, 0]
    assert runs.n_nontarget.tolist() == [3, 0, 4, 0, 1]


def sample(n: int = 20) -> Trials:
    return trials_of(np.random.default_rng(3), n, 1.0)


def found_of(trials: Trials, sex: dict[str, str] | None = None) -> Robustness:
    return leave_out(SpeakerTrials.of_trials(trials), assess(trials), sex)


def without(trials: Trials, speakers: set[str]) -> Assessment:
    """The slow way: the trials in which none of them takes part, assessed."""
    assert trials.enrol is not None
    assert trials.test is not None
    kept = np.array(
        [
            trials.enrol[k] not in speakers and trials.test[k].split("-")[0] not in speakers
            for k in range(len(trials))
        ]
    )
    return assess(Trials(trials.score[kept], trials.is_target[kept]))


def test_nobody_left_out_is_the_assessment_itself() -> None:
    trials = sample()
    known = assess(trials)
    found = found_of(trials)
    assert found.n_speakers == 20
    for name in HEADLINES:
        assert found.figures[name] == pytest.approx(getattr(known, name), abs=1e-12)
    assert found.rests_on == known.rests_on


def test_each_speaker_and_each_tenth_is_left_out_as_if_he_had_never_taken_part() -> None:
    trials = ordered_by_name(sample())
    by_name = {(one.part, one.name): one for one in found_of(trials).left_out}
    assert len(by_name) == 20 + 10
    speaker = by_name[LeftOutUnit.SPEAKER, "s007"]
    tenth = by_name[LeftOutUnit.TENTH, "3"]
    assert (speaker.n_speakers, tenth.n_speakers) == (1, 2)
    for name in HEADLINES:
        expected = getattr(without(trials, {"s007"}), name)
        assert speaker.figures[name] == pytest.approx(expected, abs=1e-12)
        expected = getattr(without(trials, {"s002", "s012"}), name)
        assert tenth.figures[name] == pytest.approx(expected, abs=1e-12)


def test_a_sex_is_left_out_where_all_are_known_and_there_are_two() -> None:
    trials = sample()
    sex = {f"s{k:03d}": "f" if k < 8 else "m" for k in range(20)}
    found = found_of(trials, sex)
    without_women, without_men = (one for one in found.left_out if one.part is LeftOutUnit.SEX)
    assert (without_women.name, without_women.n_speakers, without_men.n_speakers) == ("f", 8, 12)
    expected = without(trials, {name for name, one in sex.items() if one == "f"}).d_ece_bits
    assert without_women.figures["d_ece_bits"] == pytest.approx(expected, abs=1e-12)
    assert LeftOutUnit.SEX not in found_of(trials, {**dict.fromkeys(sex, "f")}).parts()
    assert LeftOutUnit.SEX not in found_of(trials, {"s000": "f", "s001": "m"}).parts()


def test_the_range_goes_from_least_to_most_and_the_mover_is_the_farthest_from_the_whole() -> None:
    """By hand: whole 0.2; without a 0.15, without b 0.3."""
    found = found_of(sample())
    one, other, *_ = found.left_out
    found = replace(
        found,
        figures={"d_ece_bits": 0.2},
        left_out=(replace(one, figures={"d_ece_bits": 0.15}), replace(other, figures={"d_ece_bits": 0.3})),
    )
    span = found.span("d_ece_bits", LeftOutUnit.SPEAKER)
    assert span is not None
    assert (span.low, span.high, span.mover.name) == (0.15, 0.3, other.name)
    assert found.span("eer", LeftOutUnit.SPEAKER) is None
    assert found.span("d_ece_bits", LeftOutUnit.SEX) is None


def test_one_who_makes_all_the_disclosure_is_found_out() -> None:
    """Everybody scores by chance, but the target trials of s004 stand out: without them little is left."""
    trials = trials_of(np.random.default_rng(5), 20, 0.0)
    assert trials.enrol is not None
    score = trials.score.copy()
    own = [k for k in range(len(trials)) if trials.is_target[k] and trials.enrol[k] == "s004"]
    score[own] = 100.0
    made = Trials(score, trials.is_target, trials.enrol, trials.test)
    span = found_of(made).span("d_ece_bits", LeftOutUnit.SPEAKER)
    assert span is not None
    assert span.mover.name == "s004"
    assert span.low < assess(made).d_ece_bits


def test_segments_of_whom_nobody_knows_the_speaker_stay() -> None:
    """An enrolment against a stranger: two speakers, and a third segment that is nobody's target."""
    ids = Ids(np.array([0, 0, 1, 1, 0, 1], np.int32), ("a", "b"))
    tests = Ids(np.array([0, 1, 0, 1, 2, 2], np.int32), ("a1", "b1", "x1"))
    trials = Trials(
        np.array([2.0, 0.0, 0.1, 2.5, 1.0, 0.5]),
        np.array([True, False, False, True, False, False]),
        ids,
        tests,
    )
    found = found_of(trials)
    left = {one.name: one.figures for one in found.left_out}
    assert left["a"]["d_ece_bits"] == pytest.approx(assess(Trials.from_scores([2.5], [0.5])).d_ece_bits)


def test_it_can_be_stopped() -> None:
    trials = sample()
    with pytest.raises(Cancelled):
        leave_out(SpeakerTrials.of_trials(trials), assess(trials), on_progress=stop_after(0.5))
