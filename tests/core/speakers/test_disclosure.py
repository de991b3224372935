"""Disclosure speaker by speaker."""

import math

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.similarity_cases import ids
from tests.core.speakers.shifted import shifted
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.speakers.disclosure import (
    ExposureChance,
    SpeakerDisclosures,
    before_and_after,
    speaker_disclosures,
)

SPEAKERS = ("a", "b", "c", "d")


def dense(seed: int = 0, gap: float = 1.5, per_speaker: int = 4) -> Trials:
    """Every test segment against every enrolled speaker; `gap` grows with the speaker."""
    rng = np.random.default_rng(seed)
    rows = [(e, f"{s}{k}") for s in SPEAKERS for k in range(per_speaker) for e in SPEAKERS]
    is_target = np.array([enrol == test[0] for enrol, test in rows])
    own = np.array([SPEAKERS.index(enrol) for enrol, _ in rows])
    score = np.round(rng.normal(size=len(rows)) + is_target * gap * own, 2)
    return Trials(score, is_target, ids([e for e, _ in rows]), ids([t for _, t in rows]))


def made(
    seed: int,
    n_speakers: int = 20,
    segments: int = 5,
    *,
    own: float = 0.0,
    segment: float = 0.4,
    mu: float = 1.0,
) -> Trials:
    """All against all; scores with effects of segments, and of speakers in their own target trials only."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(n_speakers), segments)
    is_target = np.arange(n_speakers)[:, None] == who
    score = rng.normal(size=is_target.shape) + segment * rng.normal(size=len(who))
    score = score + is_target * (mu + own * rng.normal(size=n_speakers)[who])
    enrolled = [f"s{k:02d}" for k in range(n_speakers)]
    names = [
        [f"s{s:02d}" for s in range(n_speakers) for _ in who],
        [f"s{s:02d}-{k}" for k, s in enumerate(who)],
    ]
    assert len(enrolled) == n_speakers
    return Trials(score.ravel(), is_target.ravel(), ids(names[0]), ids(names[1] * n_speakers))


def found_in(trials: Trials) -> SpeakerDisclosures:
    return speaker_disclosures(SpeakerTrials.of_trials(trials), replicates=99)


@pytest.mark.parametrize("seed", range(3))
def test_a_worst_case_is_that_of_own_target_trials_for_the_same_speaker_and_within_its_ceiling(
    seed: int,
) -> None:
    trials = dense(seed)
    target, nontarget = trials.score[trials.is_target].tolist(), trials.score[~trials.is_target].tolist()
    laplace = brute_force.pav_llrs(target, nontarget, laplace=True)
    assert trials.enrol is not None
    assert trials.test is not None
    for row in found_in(trials).speakers:
        own = [k for k in range(len(trials)) if row.speaker in (trials.enrol[k], trials.test[k][0])]
        for_same = [max(0.0, laplace[trials.score[k]]) / math.log(10.0) for k in own]
        of_own = max(value for k, value in zip(own, for_same, strict=True) if trials.is_target[k])
        of_others = max(value for k, value in zip(own, for_same, strict=True) if not trials.is_target[k])
        assert row.worst_case_log10_lr == pytest.approx(min(of_own, row.ceiling_log10_lr), rel=1e-12)
        assert row.taken_log10_lr == pytest.approx(of_others, rel=1e-12)


def test_a_speaker_who_is_only_taken_for_others_is_not_exposed() -> None:
    """The highest scores of all are those of others who are taken for d; d alone is never recognised."""
    trials = dense(0, gap=3.0)
    assert trials.enrol is not None
    assert trials.test is not None
    is_d = np.array([trials.enrol[k] == "d" for k in range(len(trials))])
    score = np.where(is_d & ~trials.is_target, 99.0, np.where(is_d & trials.is_target, -99.0, trials.score))
    row = found_in(Trials(score, trials.is_target, trials.enrol, trials.test)).of("d")
    assert (row.worst_case_log10_lr, row.tag) == (0.0, "0")
    assert row.d_ece_bits < 0.0


def test_the_mean_over_trials_of_exposure_is_population_disclosure() -> None:
    trials = dense(1)
    named = SpeakerTrials.of_trials(trials)
    oracle = Oracle.of(named.score, named.is_target)
    of_targets = float(disclosed_area(oracle.llr(named.score[named.is_target])).mean()) / LN2
    there = oracle.plain.n_nontarget > 0
    of_nontargets = oracle.plain.nontarget_share[there] @ disclosed_area(-oracle.plain.llr[there]) / LN2
    rows = found_in(trials).speakers
    mean = np.average([row.d_ece_bits for row in rows], weights=[row.n_target for row in rows])
    assert mean == pytest.approx(of_targets + of_nontargets, rel=1e-12)


def test_numbers_of_trials_and_their_ceiling_worked_by_hand() -> None:
    found = found_in(dense())
    row = found.of("a")
    assert (row.n_target, row.n_nontarget, row.n_segments) == (4, 12 + 12, 4)
    assert row.ceiling_log10_lr == pytest.approx(math.log10(5 * 24 / 4), rel=1e-15)
    assert found.ceiling_log10_lr == assess(dense()).worst_case_ceiling_log10_lr


def test_estimates_are_drawn_towards_the_mean_of_all_and_lie_in_their_intervals() -> None:
    found = found_in(made(0, own=0.6))
    mean = np.mean([row.d_ece_bits for row in found.speakers])
    for row in found.speakers:
        assert abs(row.estimate_bits - mean) < abs(row.d_ece_bits - mean) + 0.05
        assert row.low_bits < row.estimate_bits < row.high_bits
    spread = np.std([row.estimate_bits for row in found.speakers])
    assert 0.2 < spread / np.std([row.d_ece_bits for row in found.speakers]) < 0.95


def test_of_few_speakers_nothing_is_known_but_their_means() -> None:
    found = found_in(dense())
    assert all(row.estimate_bits == row.d_ece_bits and not row.has_interval for row in found.speakers)
    assert (found.chance.p_value, found.chance.can_be_told, found.standing_out) == (1.0, False, ())
    assert str(found.chance).startswith("Whether speakers differ by more than chance cannot be determined")


def test_speakers_who_are_alike_differ_by_chance_and_nobody_is_named() -> None:
    found = found_in(made(1))
    assert found.chance.p_value > 0.05
    assert found.standing_out == ()
    assert "as large as these may be chance" in str(found.chance)


def test_speakers_who_differ_are_named_where_they_stand_out_from_the_others() -> None:
    found = found_in(made(2, segments=12, own=1.2))
    assert found.chance.p_value == 0.01
    assert str(found.chance).startswith(
        "Speakers differ more in how exposed they are than recordings of one speaker do (p = 0.010)"
    )
    mean = np.mean([row.estimate_bits for row in found.speakers])
    assert 0 < len(found.standing_out) < 12
    names = ", ".join(f"speaker {row.speaker}" for row in found.standing_out)
    assert found.verdict.endswith(f"with this attacker, this safeguard and this amount of speech: {names}.")
    assert all(row.low_bits > mean and row.n_segments >= 3 for row in found.standing_out)


def test_nobody_is_named_by_too_few_segments() -> None:
    """Of two recordings nobody can tell a speaker from a recording, however high both are."""
    rng = np.random.default_rng(2)
    trials, names = shifted(rng, 20, [2, *[5] * 19], [9.0, *[0.0] * 19])
    found = speaker_disclosures(SpeakerTrials.of_trials(trials, names), replicates=199)
    assert found.speakers[0].speaker == "s00"
    assert found.standing_out == ()


def test_the_most_exposed_come_first_and_know_their_quantile() -> None:
    rows = found_in(dense(0, gap=0.8)).speakers
    assert [row.estimate_bits for row in rows] == sorted((row.estimate_bits for row in rows), reverse=True)
    assert (rows[0].quantile, rows[-1].quantile) == (1.0, 0.0)
    assert rows[-1].speaker == "a"


def test_speakers_who_disclose_the_same_share_a_quantile() -> None:
    trials = dense()
    same = Trials(np.where(trials.is_target, 1.0, 0.0), trials.is_target, trials.enrol, trials.test)
    rows = found_in(same).speakers
    assert [row.quantile for row in rows] == [0.5] * 4
    assert [row.speaker for row in rows] == list(SPEAKERS)


def test_the_sentence_says_how_many_and_names_nobody() -> None:
    found = found_in(dense(0, gap=3.0, per_speaker=40))
    kept = [row.speaker for row in found.keeping("B")]
    assert 1 < len(kept) < 4
    assert all(row.tag in "BCDEF" for row in found.keeping("B"))
    assert found.sentence("B2", "B") == (
        f"{len(kept)} of 4 speakers keep a tag of B or worse under B2 in comparisons with themselves."
    )
    assert found.sentence("B2", "F") == (
        "None of the 4 speakers keeps a tag of F or worse under B2 in comparisons with themselves."
    )


def test_speakers_without_both_classes_are_named() -> None:
    trials = dense()
    found = speaker_disclosures(SpeakerTrials.of_trials(trials, {"e9": "e"}))
    assert found.left_out == ()
    rows = ["a", "b", "z", "a", "b"], ["a1", "a1", "a1", "b1", "b1"]
    partial = Trials(np.arange(5.0), np.array([True, False, False, False, True]), ids(rows[0]), ids(rows[1]))
    found = found_in(partial)
    assert found.left_out == ("z",)
    assert str(found.remarks[0]).startswith("One speaker lacks target or nontarget trials")


def test_before_and_after_are_paired_by_name() -> None:
    before = found_in(dense(0))
    trials = dense(3)
    assert trials.enrol is not None
    assert trials.test is not None
    kept = np.array([trials.enrol[k] != "d" and trials.test[k][0] != "d" for k in range(len(trials))])
    fewer = Trials(
        trials.score[kept],
        trials.is_target[kept],
        ids([trials.enrol[k] for k in np.flatnonzero(kept)]),
        ids([trials.test[k] for k in np.flatnonzero(kept)]),
    )
    after = found_in(fewer)
    paired = before_and_after(before, after)
    assert [second.speaker for _, second in paired.pairs] == [row.speaker for row in after.speakers]
    assert all(first.speaker == second.speaker for first, second in paired.pairs)
    assert (paired.only_before, paired.only_after) == (("d",), ())


def test_the_test_of_exposure_repeats_with_its_seed() -> None:
    named = SpeakerTrials.of_trials(made(3))
    first, again = (speaker_disclosures(named, replicates=49, seed=4).chance for _ in range(2))
    assert isinstance(first, ExposureChance)
    assert first == again
