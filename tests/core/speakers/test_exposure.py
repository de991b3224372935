"""What new recordings of a speaker would disclose: held against 200 more of each, whoever stands out."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import ndtri

from tests.core.speakers.shifted import shifted
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids, Trials
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.speakers.disclosure import SpeakerDisclosures, speaker_disclosures
from zebra_core.speakers.exposure import (
    Units,
    additive_effects,
    bits_of_nontargets,
    exposures,
    less_enrolment,
    p_of_spread,
)

MORE = 200


def found_and_true(
    seed: int, people: int, segments: int, shift: list[float], enrolments: int = 1
) -> tuple[SpeakerDisclosures, dict[str, float]]:
    """What is found of so many segments of each, and what the same calibration makes of 200 more, in bits."""
    rng = np.random.default_rng(seed)
    trials, names = shifted(rng, people, [segments + MORE] * people, shift, enrolments)
    assert trials.enrol is not None
    assert trials.test is not None
    kept = np.arange(len(trials.test.names)) % (segments + MORE) < segments
    here = kept[trials.test.codes]
    codes = (np.cumsum(kept) - 1)[trials.test.codes[here]].astype(np.int32)
    test = Ids(codes, tuple(name for name, one in zip(trials.test.names, kept, strict=True) if one))
    enrol = Ids(trials.enrol.codes[here], trials.enrol.names)
    named = SpeakerTrials.of_trials(Trials(trials.score[here], trials.is_target[here], enrol, test), names)
    oracle = Oracle.of_speakers(named)
    more = trials.is_target & ~here
    speaker = np.array([names[name] for name in trials.test.names])[trials.test.codes[more]]
    bits = disclosed_area(oracle.llr(trials.score[more])) / LN2
    there = oracle.plain.n_nontarget > 0
    of_all = oracle.plain.nontarget_share[there] @ disclosed_area(-oracle.plain.llr[there]) / LN2
    true = {name: of_all + float(bits[speaker == name].mean()) for name in set(speaker.tolist())}
    return speaker_disclosures(named, oracle, replicates=99, seed=seed), true


def test_copies_of_a_recording_in_its_session_make_nothing_surer() -> None:
    """Three of each: the standard error of a mean score stays, and falls as by 12 recordings otherwise."""
    trials, names = shifted(np.random.default_rng(5), 12, [4] * 12, [0.0] * 12)
    assert trials.enrol is not None
    assert trials.test is not None
    once = SpeakerTrials.of_trials(trials, names)
    segments = tuple(f"{name}/{n}" for name in trials.test.names for n in range(3))
    codes = np.concatenate([3 * trials.test.codes + n for n in range(3)]).astype(np.int32)
    enrol = Ids(np.tile(trials.enrol.codes, 3), trials.enrol.names)
    three = Trials(np.tile(trials.score, 3), np.tile(trials.is_target, 3), enrol, Ids(codes, segments))
    speakers = names | {name: names[name.split("/")[0]] for name in segments}
    copied = SpeakerTrials.of_trials(three, speakers)
    known = copied.in_sessions({name: name.split("/")[0] for name in segments})
    nobody = np.zeros(12, dtype=np.bool_)
    errors = []
    for each in (once, known, copied):
        found = exposures(each, Oracle.of_speakers(each), nobody).unshrunk
        assert found is not None
        errors.append(found[1])
    assert errors[1] == pytest.approx(errors[0], rel=1e-9)
    assert errors[2].max() < 0.6 * errors[0].max()


@pytest.mark.parametrize(
    ("people", "segments", "exposed", "shift", "enrolments"),
    [(40, 5, 1, 8.0, 1), (40, 10, 3, 4.0, 1), (20, 3, 1, 8.0, 3), (20, 5, 1, 3.0, 1)],
)
def test_the_interval_of_the_exposed_holds_what_more_recordings_disclose_and_lies_above_the_private(
    people: int, segments: int, exposed: int, shift: float, enrolments: int
) -> None:
    held = above = private = sets = 0
    for seed in range(8):
        shifts = [*[shift] * exposed, *[0.0] * (people - exposed)]
        found, true = found_and_true(seed, people, segments, shifts, enrolments)
        who = {f"s{k:02d}" for k in range(exposed)}
        usual = float(np.median([row.high_bits for row in found.speakers if row.speaker not in who]))
        for row in found.speakers:
            holds = row.low_bits <= true[row.speaker] <= row.high_bits
            if row.speaker in who:
                held, above, sets = held + holds, above + (row.low_bits > usual), sets + 1
            else:
                private += holds
    assert held >= 0.85 * sets
    assert above >= 0.8 * sets
    assert private >= 0.9 * 8 * (people - exposed)


def alike(score: FloatArray) -> SpeakerTrials:
    """Six speakers, three segments each, everybody against everybody."""
    trials, names = shifted(np.random.default_rng(0), 6, [3] * 6, [0.0] * 6)
    return SpeakerTrials.of_trials(
        Trials(score.reshape(trials.score.shape), trials.is_target, trials.enrol, trials.test), names
    )


def test_an_exposure_worked_by_hand() -> None:
    """Targets 9 of one; 0 in all other trials, of which 90 are nontarget and 15 target.

    Their rank is (0.5 + 15/36)/2 and (1 + (15 + 1.5)/18)/2: nothing scatters, and all of theirs are in the
    block of three targets alone.
    """
    target = np.kron(np.eye(6), np.ones(3))
    score = np.zeros_like(target)
    score[0, :3] = 9.0
    trials = alike(score)
    oracle = Oracle.of_speakers(trials)
    stands_out = np.array([name == "s00" for name in trials.speakers])
    found = exposures(trials, oracle, stands_out)
    of_all = bits_of_nontargets(oracle)
    bottom, top = of_all + disclosed_area(oracle.laplace.llr[[0, -1]]) / LN2
    assert of_all == pytest.approx(disclosed_area(np.log([18 / 15]))[0] / LN2, rel=1e-12)
    assert oracle.laplace.llr[-1] == pytest.approx(np.log((3 + 1) / (0 + 1) * 90 / 18))
    assert found.mean == pytest.approx(np.where(stands_out, top, bottom), rel=1e-12)
    assert found.shrunk is not None
    assert found.shrunk[0][stands_out] == pytest.approx(ndtri((1.0 + 16.5 / 18) / 2), rel=1e-12)
    assert found.shrunk[0].min() == pytest.approx(ndtri((0.5 + 7.5 / 18) / 2), abs=0.1)  # shrunk upwards
    for deviate in (-1.96, 0.0, 1.96):
        assert found.at(deviate) == pytest.approx(found.mean, rel=1e-12)


@pytest.mark.parametrize(
    "scale",
    [lambda s: 1e-300 * s, lambda s: 1e300 * s, np.exp, lambda s: -np.exp(-2.0 * s), np.tanh],
    ids=["denormal", "huge", "likelihood ratios", "reversed ratios", "cosines"],
)
def test_what_is_said_of_single_speakers_depends_on_the_order_of_scores_alone(
    scale: Callable[[FloatArray], FloatArray],
) -> None:
    trials, names = shifted(np.random.default_rng(5), 20, [4] * 20, [5.0] + [0.0] * 19)
    found, scaled = (
        speaker_disclosures(SpeakerTrials.of_trials(one, names), replicates=99)
        for one in (trials, Trials(scale(trials.score), trials.is_target, trials.enrol, trials.test))
    )
    assert [row.speaker for row in found.standing_out] == ["s00"]
    for row, other in zip(found.speakers, scaled.speakers, strict=True):
        assert row == other


def test_one_score_that_lies_far_off_hides_nobody() -> None:
    trials, names = shifted(np.random.default_rng(5), 20, [4] * 20, [5.0] + [0.0] * 19)
    score = trials.score.copy()
    score[np.flatnonzero(trials.is_target)[-1]] = 1e300
    found = speaker_disclosures(
        SpeakerTrials.of_trials(Trials(score, trials.is_target, trials.enrol, trials.test), names),
        replicates=99,
    )
    assert [row.speaker for row in found.standing_out] == ["s00"]
    assert found.of("s00").low_bits > 0.05


def test_who_never_scatters_discloses_what_their_trials_do() -> None:
    """Scores that are the same in every trial of a class: estimate, mean and both ends agree."""
    score = 0.1 + 0.6 * np.kron(np.eye(6), np.ones(3))
    trials = alike(score)
    found = exposures(trials, Oracle.of_speakers(trials), np.zeros(6, dtype=np.bool_))
    for deviate in (-1.96, 0.0, 1.96):
        assert found.at(deviate) == pytest.approx(found.mean, rel=1e-12)


def units(values: list[float], speakers: list[int]) -> Units:
    return Units(np.array(values), np.ones(len(values), dtype=np.int64), np.array(speakers))


def test_effects_that_add_are_found_exactly() -> None:
    row, column = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    of_row, of_column = np.array([5.0, 7.0, -2.0]), np.array([1.0, -2.0, 0.5, 0.5])
    found = additive_effects(of_row[row] + of_column[column], row, column, (3, 4))
    assert found[0] == pytest.approx(of_row)
    assert found[1] == pytest.approx(of_column)


def test_columns_are_measured_against_those_they_were_compared_beside() -> None:
    """Two parts of a list were never compared: what sets all of one apart is no effect of its columns."""
    row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])
    _, of_column = additive_effects(np.array([1.0, 3.0, 101.0, 103.0]), row, column, (2, 4))
    assert of_column == pytest.approx([-1.0, 1.0, -1.0, 1.0])


def test_what_goes_with_an_enrolment_is_taken_out_by_its_slope() -> None:
    """Target values are twice the effect of the enrolment: nothing is left to tell speakers by."""
    effect = np.array([0.0, 0.0, 1.0, 1.0, 2.0])
    speaker = np.array([0, 0, 1, 1, 2])
    left, count, own = less_enrolment(2.0 * effect + 3.0, effect, np.arange(5), speaker, (5, 3))
    assert left == pytest.approx([3.0] * 5)
    assert count.tolist() == [1] * 5
    assert own == pytest.approx([0.0, 2.0, 4.0])


def test_the_share_of_exchanges_worked_by_hand() -> None:
    """Of the three ways to pair four segments one spreads as far as (1, 1), (−1, −1)."""
    alike = units([1.0, 1.0, -1.0, -1.0], [0, 0, 1, 1])
    found = p_of_spread(alike, 2999, np.random.default_rng(0))
    assert found == pytest.approx(1 / 3, abs=0.03)


@pytest.mark.parametrize("speakers", [[0, 1, 2], [0, 0, 0]], ids=["one segment each", "one speaker"])
def test_speakers_that_cannot_be_told_from_recordings_do_not_differ(speakers: list[int]) -> None:
    given = units([1.0, 2.0, 9.0], speakers)
    assert not given.can_be_told
    assert p_of_spread(given, 99, np.random.default_rng(0)) == 1.0
