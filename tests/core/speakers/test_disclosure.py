"""Disclosure speaker by speaker."""

import math

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.similarity_cases import ids
from zebra_core.evidence.speaker_trials import Side, SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.speakers.disclosure import SpeakerDisclosures, before_and_after, speaker_disclosures

SPEAKERS = ("a", "b", "c", "d")


def dense(seed: int = 0, gap: float = 1.5, per_speaker: int = 4) -> Trials:
    """Every test segment against every enrolled speaker; `gap` grows with the speaker."""
    rng = np.random.default_rng(seed)
    rows = [(e, f"{s}{k}") for s in SPEAKERS for k in range(per_speaker) for e in SPEAKERS]
    is_target = np.array([enrol == test[0] for enrol, test in rows])
    own = np.array([SPEAKERS.index(enrol) for enrol, _ in rows])
    score = np.round(rng.normal(size=len(rows)) + is_target * gap * own, 2)
    return Trials(score, is_target, ids([e for e, _ in rows]), ids([t for _, t in rows]))


def found_in(trials: Trials, side: Side = Side.EITHER) -> SpeakerDisclosures:
    return speaker_disclosures(SpeakerTrials.of_trials(trials), side=side)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_the_plain_loops(seed: int, side: Side) -> None:
    trials = dense(seed)
    target, nontarget = trials.score[trials.is_target].tolist(), trials.score[~trials.is_target].tolist()
    plain = brute_force.pav_llrs(target, nontarget)
    laplace = brute_force.pav_llrs(target, nontarget, laplace=True)
    assert trials.enrol is not None
    assert trials.test is not None
    for row in found_in(trials, side).speakers:
        own = [
            k
            for k in range(len(trials))
            if (side is not Side.HEARD and trials.enrol[k] == row.speaker)
            or (side is not Side.ENROLLED and trials.test[k][0] == row.speaker)
        ]
        own_target = [plain[trials.score[k]] for k in own if trials.is_target[k]]
        own_nontarget = [plain[trials.score[k]] for k in own if not trials.is_target[k]]
        worst = max(abs(laplace[trials.score[k]]) for k in own) / math.log(10.0)

        assert (row.n_target, row.n_nontarget) == (len(own_target), len(own_nontarget))
        assert row.d_ece_bits == pytest.approx(brute_force.d_ece(own_target, own_nontarget), abs=1e-7)
        assert row.worst_case_log10_lr == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize("side", [Side.ENROLLED, Side.HEARD])
def test_the_mean_over_equally_tried_speakers_is_the_population(side: Side) -> None:
    trials = dense(1)
    mean = np.mean([row.d_ece_bits for row in found_in(trials, side).speakers])
    assert mean == pytest.approx(assess(trials).d_ece_bits, rel=1e-12)


def test_the_worst_case_of_all_is_that_of_some_speaker_and_within_the_ceiling() -> None:
    trials = dense(2)
    found = found_in(trials)
    worst = max(row.worst_case_log10_lr for row in found.speakers)
    assert worst == pytest.approx(assess(trials).worst_case_log10_lr, rel=1e-15)
    assert worst <= found.ceiling_log10_lr == assess(trials).worst_case_ceiling_log10_lr


def test_numbers_of_trials_and_their_ceiling_worked_by_hand() -> None:
    row = found_in(dense()).of("a")
    assert (row.n_target, row.n_nontarget) == (4, 12 + 12)
    assert row.ceiling_log10_lr == pytest.approx(math.log10(5 * 24 / 4), rel=1e-15)


def test_the_most_exposed_come_first_and_know_their_quantile() -> None:
    rows = found_in(dense(0, gap=2.0)).speakers
    assert [row.d_ece_bits for row in rows] == sorted((row.d_ece_bits for row in rows), reverse=True)
    assert (rows[0].quantile, rows[-1].quantile) == (1.0, 0.0)
    assert rows[-1].speaker == "a"


def test_speakers_who_disclose_the_same_share_a_quantile() -> None:
    trials = dense()
    same = Trials(np.where(trials.is_target, 1.0, 0.0), trials.is_target, trials.enrol, trials.test)
    rows = found_in(same).speakers
    assert [row.quantile for row in rows] == [0.5] * 4
    assert [row.speaker for row in rows] == list(SPEAKERS)


def test_the_sentence_says_how_many_and_who() -> None:
    found = found_in(dense(0, gap=3.0, per_speaker=40))
    kept = [row.speaker for row in found.keeping("C")]
    assert len(kept) > 0
    assert all(row.tag in "CDEF" for row in found.keeping("C"))
    assert found.sentence("B2", "C") == (
        f"{len(kept)} of 4 speakers keep a tag of C or worse under B2: {', '.join(kept)}."
    )
    assert found.sentence("B2", "F") == "None of the 4 speakers keeps a tag of F or worse under B2."


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
