"""Linking, singling out and ranks: by hand, against laws, and brute force."""

from itertools import combinations, pairwise, product
from math import comb

import numpy as np
import pytest
from scipy.stats import betabinom

from tests.core.similarity_cases import Rows, ids, ordered_by_name
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.chance.seeds import Purpose, draw_often, generator
from zebra_core.speakers.candidates import (
    Candidates,
    PoolScores,
    linkability_probability,
    linkage,
    linkage_chance,
    weighted_linkage,
    with_people,
)
from zebra_core.speakers.rank_disclosure import RankDisclosure, rank_disclosure, rank_disclosures
from zebra_core.speakers.singling_out import (
    IsolationScores,
    singling_out,
    singling_out_by_sets,
    singling_out_chance,
    singling_out_drawn,
)
from zebra_core.uncertainty.reidentification import PoolRanks


def candidates(rows: Rows, utt2spk: dict[str, str] | None = None) -> Candidates:
    """Of rows (enrolment, test, score), where a test is called after its speaker."""
    enrol, test, score = zip(*rows, strict=True)
    is_target = np.array([e[0] == t[0] for e, t in zip(enrol, test, strict=True)])
    trials = Trials(np.array(score), is_target, ids(list(enrol)), ids(list(test)))
    return Candidates.of(with_people(ordered_by_name(trials), utt2spk))


def random_pooled(n: int, of_each: int, seed: int = 0, shift: float = 1.0, decimals: int = 1) -> PoolScores:
    """Scores of one decimal, so that some tie."""
    rng = np.random.default_rng(seed)
    own = np.repeat(np.arange(n), of_each)
    score = rng.normal(size=(n, len(own))) + shift * (own == np.arange(n)[:, np.newaxis])
    return PoolScores(np.round(score, decimals), own)


def drawn() -> np.random.Generator:
    return generator(0, Purpose.SETS)


def test_linkage_by_hand() -> None:
    """Of 4 people, 0, 1 and 3 others higher: among 2 each with 1, 2/3 and 0; among 3 with 1, 1/3 and 0."""
    assert linkability_probability([0, 1, 3], 4, 2) == pytest.approx((1 + 2 / 3 + 0) / 3, rel=1e-15)
    assert linkability_probability([0, 1, 3], 4, 3) == pytest.approx((1 + 1 / 3 + 0) / 3, rel=1e-15)
    assert linkability_probability([0, 1, 3], 4, 4) == pytest.approx(1 / 3, rel=1e-15)
    assert linkability_probability([0, 1, 3], 4, 1) == 1.0


def test_linkage_is_the_hypergeometric_of_the_paper() -> None:
    found = [linkability_probability([m], 40, people) for m in range(40) for people in range(1, 41)]
    expected = [comb(39 - m, p - 1) / comb(39, p - 1) for m in range(40) for p in range(1, 41)]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_who_of_those_that_tie_comes_first_is_drawn_by_lot() -> None:
    """Of 4 people two tie with the own one and one is higher: among 2, (1/2 + 1/2 + 0)/3; among 4, 0."""
    found = [linkability_probability([1], 4, people, [2]) for people in (1, 2, 3, 4)]
    assert found == pytest.approx([1.0, (2 / 3 + 1 / 3 + 0) / 3, (1 / 3) / 3, 0.0], rel=1e-15)
    assert linkability_probability([0], 3, 3, [1]) == 0.5


@pytest.mark.parametrize("people", [2, 3, 7])
def test_constant_scores_link_one_in_so_many_and_their_ranks_disclose_nothing(people: int) -> None:
    constant = PoolScores(np.ones((7, 14)), np.repeat(np.arange(7), 2))
    assert linkage(constant, people) == pytest.approx(1 / people, rel=1e-14)
    n_tied = constant.tied.sum(axis=0)
    assert n_tied.tolist() == [6] * 14
    ranks = rank_disclosure([0] * 14, 7, n_tied)
    assert ranks.mean_bits == pytest.approx(0.0, abs=1e-12)
    assert ranks.worst_bits == pytest.approx(0.0, abs=1e-12)


def test_the_reference_counts_a_tie_for_the_own_person() -> None:
    assert linkability_probability([0, 0], 2, 2) == 1.0


@pytest.mark.parametrize("people", [0, 5])
def test_nothing_is_said_of_more_people_than_are_enrolled(people: int) -> None:
    with pytest.raises(ValueError, match="people must be from 1 to 4"):
        linkability_probability([0, 1], 4, people)


def test_linkage_falls_with_people_and_keeps_under_monotone_maps_within_a_recording() -> None:
    pooled = random_pooled(12, 3)
    curve = [linkage(pooled, people) for people in range(1, 13)]
    assert all(later <= before for before, later in pairwise(curve))
    mapped = PoolScores(np.exp(pooled.score) * np.linspace(1, 9, 36) - np.arange(36.0), pooled.own)
    assert [linkage(mapped, people) for people in range(1, 13)] == pytest.approx(curve, rel=1e-15)


def test_linkage_is_one_for_perfect_scores_and_one_in_n_for_random_ones() -> None:
    assert linkage(random_pooled(9, 2, shift=100.0), 9) == 1.0
    random = [linkage(random_pooled(10, 5, seed, shift=0.0), 5) for seed in range(200)]
    assert np.mean(random) == pytest.approx(linkage_chance(5), abs=4 * np.std(random) / np.sqrt(200))


def test_linkage_agrees_with_going_through_all_sets() -> None:
    pooled = random_pooled(6, 2)
    for people in (2, 3, 5):
        hits = [
            (max(score := pooled.score[list(others), t]) <= pooled.score[own, t])
            / (1 + np.count_nonzero(score == pooled.score[own, t]))
            for t, own in enumerate(pooled.own.tolist())
            for others in combinations([k for k in range(6) if k != own], people - 1)
        ]
        assert linkage(pooled, people) == pytest.approx(np.mean(hits), rel=1e-13)


def test_with_everybody_there_once_the_weighted_linkage_is_the_plain_one() -> None:
    pooled = random_pooled(8, 3)
    once = np.ones((1, 8), dtype=np.int64)
    [found] = weighted_linkage(pooled, once, (2, 5, 8))
    assert found == pytest.approx([linkage(pooled, people) for people in (2, 5, 8)], rel=1e-14)


def test_copies_of_a_drawn_person_are_no_candidates_for_each_other() -> None:
    """a twice, b once: for a only b is another; b meets two copies of a, who score higher."""
    pooled = PoolScores(np.array([[2.0, 5.0, 9.0], [1.0, 3.0, 9.0], [0.0, 0.0, 0.0]]), np.array([0, 1, 2]))
    [[found]] = weighted_linkage(pooled, np.array([[2, 1, 0]]), [3])
    assert found == pytest.approx((2 * 1.0 + 1 * 0.0) / 3)


def test_the_mean_over_people_counts_whoever_has_more_recordings_no_more() -> None:
    """a is linked in two of three recordings, b in its only one: 3 of 4 recordings, 5/6 of people."""
    pooled = PoolScores(np.array([[2.0, 2.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]]), np.array([0, 0, 0, 1]))
    lots = np.array([[1, 1], [2, 1]])
    assert weighted_linkage(pooled, lots, [2])[0] == pytest.approx(3 / 4)
    of_people = weighted_linkage(pooled, lots, [2], of_people=True)[:, 0]
    assert of_people == pytest.approx([(2 / 3 + 1) / 2, (2 * 2 / 3 + 1) / 3])


def brute_singling_out(scores: IsolationScores, people: int) -> float:
    """Every fold, every enrolment, every set, by sorting."""
    n, hits = scores.n_people, []
    for fold in scores.folds:
        test, calibration = scores.tested(fold)
        for own in range(n):
            for others in combinations([k for k in range(n) if k != own], people - 1):
                among = [own, *others]
                known = sorted((c for k in among for c in calibration[own, k]), reverse=True)
                m = scores.n_calibration
                threshold = (known[m - 1] + known[m]) / 2.0
                hits.append(sum(test[own, k] > threshold for k in among) == 1)
    return float(np.mean(hits))


@pytest.mark.parametrize("of_each", [2, 3])
@pytest.mark.parametrize("decimals", [0, 2], ids=["tied", "plain"])
def test_singling_out_agrees_with_going_through_all_sets(of_each: int, decimals: int) -> None:
    pooled = random_pooled(7, of_each)
    scores = IsolationScores.of(PoolScores(np.round(pooled.score, decimals), pooled.own))
    assert scores is not None
    for people in (2, 3, 5, 6, 7):
        expected = brute_singling_out(scores, people)
        assert singling_out(scores, people, drawn()) == pytest.approx(expected, rel=1e-12)
        if of_each == 2:  # the closed form, though there are few sets
            rng = drawn()
            assert singling_out(scores, people, rng, sets=0) == pytest.approx(expected, rel=1e-12)
            assert rng.bit_generator.state == drawn().bit_generator.state  # nothing was drawn


def test_singling_out_by_draws_is_that_of_all_sets() -> None:
    scores = IsolationScores.of(random_pooled(8, 4))
    assert scores is not None
    by_draws = [singling_out(scores, 4, generator(k, Purpose.SETS), sets=30) for k in range(30)]
    error = np.std(by_draws) / np.sqrt(30)
    assert np.mean(by_draws) == pytest.approx(singling_out(scores, 4, drawn()), abs=3 * error)


def isolates(scores: IsolationScores, own: int, members: list[int], fold: int) -> bool:
    """Whether the enrolment of one person isolates one of these people, by sorting."""
    test, calibration = scores.tested(fold)
    known = sorted((c for k in members for c in calibration[own, k]), reverse=True)
    threshold = (known[scores.n_calibration - 1] + known[scores.n_calibration]) / 2.0
    return sum(test[own, k] > threshold for k in members) == 1


@pytest.mark.parametrize("of_each", [2, 4])
@pytest.mark.parametrize("people", [2, 4, 9])
def test_draws_at_once_single_out_as_sets_by_lot_one_after_the_other(of_each: int, people: int) -> None:
    """Each person has four sets for each recording: those of the lowest lots besides the own one."""
    scores = IsolationScores.of(random_pooled(9, of_each, decimals=9))
    assert scores is not None
    times = draw_often(np.zeros(9, dtype=np.int64), drawn(), 12)
    times[3] = [9, 0, 0, 0, 0, 0, 0, 0, 0]
    rng, expected = drawn(), []
    for number, weight in enumerate(times):
        there = np.flatnonzero(weight)
        lots = rng.random((of_each, len(there), 4, len(there))) if len(there) > 1 else np.empty((1, 0))
        hits = []
        for fold, own, number_of_set in product(range(of_each), range(len(lots[0])), range(4)):
            lot = lots[fold, own, number_of_set]
            others = [int(k) for k in np.argsort(lot) if k != own][: people - 1]
            members = [int(there[k]) for k in (own, *others)]
            hits += [isolates(scores, members[0], members, (number + fold) % of_each)] * int(
                weight[there[own]]
            )
        expected.append(np.mean(hits) if hits else np.nan)
    assert singling_out_drawn(scores, times, people, drawn()) == pytest.approx(
        expected, rel=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("sets", [8, 40], ids=["by lot", "all there are"])
def test_several_are_singled_out_as_each_alone_by_its_own_lots(sets: int) -> None:
    several = [IsolationScores.of(random_pooled(7, 3, seed)) for seed in range(5)]
    made = [each for each in several if each is not None]
    together = singling_out_by_sets(made, 4, [generator(0, Purpose.SETS, k) for k in range(5)], sets)
    alone = [
        singling_out_by_sets([each], 4, [generator(0, Purpose.SETS, k)], sets)[0]
        for k, each in enumerate(made)
    ]
    assert together.tolist() == alone
    assert len(set(alone)) > 1


def test_perfect_scores_need_not_single_out() -> None:
    """Both test recordings of two people lie below the threshold, midway between 10 and 0, or above it."""
    score = np.array([[[4.0, 10.0], [0.0, 0.0]], [[0.0, 0.0], [10.0, 4.0]]])
    scores = IsolationScores(score, np.arange(2))
    # Tested first, calibrated by the second: row a has 4 against (10 + 0)/2; row b 10 against (4 + 0)/2.
    # The other way round it is mirrored.
    assert singling_out(scores, 2, drawn()) == 0.5


def test_a_score_equal_to_the_threshold_does_not_pass() -> None:
    score = np.array([[[5.0, 10.0], [0.0, 0.0]], [[0.0, 0.0], [5.0, 10.0]]])
    test_first = IsolationScores(score, np.arange(2))
    assert singling_out(test_first, 2, drawn()) == 0.5  # 5 is midway between 10 and 0; 10 beats 2.5


def test_exactly_one_may_be_anybody() -> None:
    """The enrolment of a fires for b alone: singled out all the same."""
    score = np.array([[[0.0, 0.0], [9.0, 9.0]], [[0.0, 0.0], [9.0, 9.0]]])
    assert singling_out(IsolationScores(score, np.arange(2)), 2, drawn()) == 1.0


def test_scores_of_noise_single_out_less_than_not_listening() -> None:
    """Of 20 people with one calibration recording 28 %, as the framework's authors found; chance is 38 %."""
    found = [
        singling_out(scores, 20, drawn())
        for seed in range(40)
        if (scores := IsolationScores.of(random_pooled(20, 2, seed, shift=0.0)))
    ]
    assert np.mean(found) == pytest.approx(0.28, abs=0.015)
    assert singling_out_chance(20) == pytest.approx(0.3774, abs=1e-4)
    assert singling_out_chance(10**6) == pytest.approx(np.exp(-1), rel=1e-6)


def test_people_with_one_recording_cannot_be_singled_out() -> None:
    assert IsolationScores.of(random_pooled(5, 1)) is None
    mixed = PoolScores(np.zeros((3, 5)), np.array([0, 0, 0, 1, 2]))
    assert IsolationScores.of(mixed) is None
    scores = IsolationScores.of(PoolScores(np.zeros((3, 5)), np.array([0, 0, 1, 2, 2])))
    assert scores is not None
    assert (scores.places.tolist(), scores.n_calibration) == ([0, 2], 1)
    with pytest.raises(ValueError, match="people must be from 2 to 2"):
        singling_out(scores, 3, drawn())


BY_HAND: Rows = [
    ("a", "a1", 3.0), ("b", "a1", 1.0), ("c", "a1", 2.0),
    ("a", "b1", 5.0), ("b", "b1", 4.0), ("c", "b1", 4.0),
    ("a", "c1", 2.0), ("b", "c1", 1.0), ("c", "c1", 0.0),
]  # fmt: skip


def test_candidates_by_hand() -> None:
    found = candidates(BY_HAND).pooled()
    assert found.higher.sum(axis=0).tolist() == [0, 1, 2]
    assert linkage(found, 2) == pytest.approx((1 + (1 / 2 + 0) / 2 + 0) / 3)  # c ties with b in b1


def test_no_figure_depends_on_the_order_of_lines() -> None:
    rng = np.random.default_rng(1)
    rows = [(e, f"{t}{k}", float(rng.normal())) for e in "abcd" for t in "abcd" for k in range(6)]
    shuffled = [rows[k] for k in rng.permutation(len(rows))]
    for recordings in (1, 3):
        one, other = candidates(rows).pooled(recordings), candidates(shuffled).pooled(recordings)
        assert (one.score == other.score).all()
        assert one.own.tolist() == other.own.tolist() == sorted(other.own.tolist())


def test_recordings_that_were_not_compared_with_everybody_are_left_out_and_counted() -> None:
    found = candidates(BY_HAND[:-2] + BY_HAND[-1:])
    assert (found.tests, found.n_listed) == (("a1", "b1"), 3)


def test_where_no_recording_was_compared_with_everybody_nothing_is_said() -> None:
    with pytest.raises(InputError, match="No recording was compared with all 3"):
        candidates([BY_HAND[0], BY_HAND[4], BY_HAND[2]])


def test_who_is_not_enrolled_is_named_and_left_out() -> None:
    rows: Rows = [*BY_HAND, ("a", "d1", 1.0), ("b", "d1", 1.0), ("c", "d1", 1.0)]
    found = candidates(rows, {"d1": "d"})
    assert (found.tests, found.not_enrolled) == (("a1", "b1", "c1"), ("d",))


def test_one_enrolled_person_is_too_few() -> None:
    with pytest.raises(InputError, match="Only one person is enrolled"):
        candidates([("a", "a1", 1.0), ("a", "b1", 0.0)])


def test_of_as_many_models_of_each_person_the_best_counts() -> None:
    """Models a1 and a2 are one person's by their target trials with x."""
    rows: Rows = [("a1", "ax", 1.0), ("a2", "ax", 5.0), ("b1", "ax", 3.0), ("b2", "ax", 4.0)]
    rows += [("a1", "bx", 1.0), ("a2", "bx", 2.0), ("b1", "bx", 1.5), ("b2", "bx", 0.0)]
    found = candidates(rows)
    assert (found.people, found.models) == (("a1", "b1"), ("a1", "a2", "b1", "b2"))
    assert found.pooled().score.tolist() == [[5.0, 2.0], [4.0, 1.5]]
    assert linkage(found.pooled(), 2) == 0.5


def test_of_more_models_of_somebody_the_mean_counts_and_the_best_of_as_many_is_another_way() -> None:
    """By hand: the mean of a1 and a2 is 3 and 1.5; of one of them, by lot, the score is theirs."""
    rows: Rows = [("a1", "ax", 1.0), ("a2", "ax", 5.0), ("b1", "ax", 3.5)]
    rows += [("a1", "bx", 1.0), ("a2", "bx", 2.0), ("b1", "bx", 1.75)]
    found = candidates(rows)
    assert found.pooled().score.tolist() == [[3.0, 1.5], [3.5, 1.75]]
    as_many = found.best_of_as_many()
    assert as_many is not None
    assert as_many.score[1].tolist() == [3.5, 1.75]
    assert (as_many.score[0, 0], as_many.score[0, 1]) in {(x, y) for x in (1.0, 5.0) for y in (1.0, 2.0)}
    assert candidates(BY_HAND).best_of_as_many() is None


def test_with_each_recording_as_many_models_are_drawn_as_whoever_has_the_fewest() -> None:
    """Person a has three models, b two, of which b2 was not compared with x: there one of a counts."""
    rows: Rows = [("a1", "ax", 1.0), ("a2", "ax", 2.0), ("a3", "ax", 3.0), ("b1", "ax", 0.0)]
    rows += [("a1", "bx", 1.0), ("a2", "bx", 2.0), ("a3", "bx", 3.0), ("b1", "bx", 0.0), ("b2", "bx", 0.5)]
    found = candidates(rows, {"b2": "b1"}).best_of_as_many()
    assert found is not None
    assert found.score[0, 0] in {1.0, 2.0, 3.0}
    assert found.score[0, 1] in {2.0, 3.0}  # the better one of two
    assert found.score[1].tolist() == [0.0, 0.5]


def test_what_guessing_does_is_dealt_within_rows_and_adds_up_to_one_in_so_many() -> None:
    """Person a scores above all others whatever is dealt out: a comes first, and the others share nothing."""
    pooled = PoolScores(np.array([[9.0, 8.0, 7.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), np.array([0, 1, 2]))
    ranks = PoolRanks.with_guessing(pooled)
    guessed = ranks.guessed(3, 2)  # among two, b or c is named where the other one is the second and behind
    assert guessed[0] == 1.0
    assert guessed.mean() == pytest.approx(1 / 2, rel=1e-12)
    assert guessed[1] == pytest.approx(1 / 4, abs=0.01)
    assert ranks.chance(3, 2) == ranks.chance(3, 2, of_people=True) == 1 / 2
    of_a = PoolRanks.with_guessing(PoolScores(pooled.score, np.array([0, 0, 1])))
    assert of_a.chance(3, 3) == pytest.approx((2 * 1 + 0) / 3, rel=1e-12)
    assert of_a.chance(3, 3, of_people=True) == pytest.approx((1 + 0) / 2, rel=1e-12)


def test_each_person_counts_alike_however_many_recordings_there_are_of_them() -> None:
    """Three recordings of a are named, the one of b is not: 3 of 4 recordings, half of the people."""
    score = np.array([[5.0, 5.0, 5.0, 5.0], [1.0, 1.0, 1.0, 1.0]])
    pooled = PoolScores(score, np.array([0, 0, 0, 1]))
    assert linkage(pooled, 2) == 0.75
    assert linkage(pooled, 2, of_people=True) == PoolRanks.of_pools(pooled).naming(2, 2) == 0.5
    [[found]] = weighted_linkage(pooled, np.array([[3, 1]]), [2], of_people=True)
    assert found == (3 * 1.0 + 1 * 0.0) / 4  # a is there three times


def test_recordings_are_pooled_by_id_in_disjoint_groups_and_models_alike() -> None:
    rows: Rows = [
        (e, f"{t}{k}", 10.0 * (e[0] == t) + k) for e in ("a1", "a2", "b") for t in "ab" for k in (3, 1, 2)
    ]
    rows = [(e, t, s + (e == "a2")) for e, t, s in rows]
    pooled = candidates(rows).pooled(2)
    # Recordings 1 and 2 of each person; a1 and a2 as one, b alone; 3 is left over.
    assert pooled.score.tolist() == [[12.0, 2.0], [1.5, 11.5]]
    assert pooled.own.tolist() == [0, 1]
    assert candidates(rows).pooled(4).score.shape == (2, 0)


def test_a_pair_that_is_scored_twice_has_the_mean() -> None:
    assert candidates([*BY_HAND, ("a", "a1", 5.0)]).pooled().score[0, 0] == 4.0


def test_dealt_anew_each_model_keeps_its_scores() -> None:
    found = candidates(BY_HAND)
    dealt = found.dealt(drawn())
    assert np.sort(dealt.score, axis=1).tolist() == np.sort(found.score, axis=1).tolist()


def test_ranks_disclose_by_hand() -> None:
    """Half of the ranks are 1, half are 2, of 4: one bit; always the first of 8: three bits."""
    found = RankDisclosure(np.array([0.5, 0.5, 0.0, 0.0]))
    assert (found.mean_bits, found.worst_bits, found.people) == (1.0, 1.0, 4)
    assert RankDisclosure(np.eye(8)[0]).mean_bits == 3.0
    assert RankDisclosure(np.full(4, 0.25)).mean_bits == 0.0
    by_hand = RankDisclosure(np.array([0.75, 0.25]))
    assert by_hand.mean_bits == pytest.approx(0.75 * np.log2(1.5) + 0.25 * np.log2(0.5))
    assert by_hand.worst_bits == pytest.approx(np.log2(1.5))


def test_the_likeliest_beta_binomial_is_found_again() -> None:
    rng = np.random.default_rng(3)
    higher = rng.binomial(19, rng.beta(0.4, 2.0, 40_000))
    counted = RankDisclosure(np.bincount(higher, minlength=20) / len(higher))
    fitted = rank_disclosure(higher, 20)
    assert fitted.probability == pytest.approx(counted.probability, abs=0.01)
    assert fitted.mean_bits == pytest.approx(counted.mean_bits, abs=0.02)


def test_several_sets_of_ranks_are_fitted_together_as_each_alone() -> None:
    rng = np.random.default_rng(7)
    higher = np.vstack([rng.integers(0, 9, (6, 40)), np.zeros((1, 40), dtype=int), np.full((1, 40), 8)])
    tied = np.where(rng.random(higher.shape) < 0.2, 8 - higher, 0)
    together = rank_disclosures(higher, 9, tied)
    alone = [rank_disclosure(*each, n_tied=ties) for *each, ties in zip(higher, [9] * 8, tied, strict=True)]
    assert [each.probability.tolist() for each in together] == [each.probability.tolist() for each in alone]


def test_ranks_that_spread_little_more_than_by_one_probability_have_their_likeliest_distribution() -> None:
    """Where steps from the first shapes lead far off: no other distribution nearby is likelier."""
    count = np.array([0, 5, 16, 29, 41, 25, 22, 14, 4, 0])
    found = rank_disclosure(np.repeat(np.arange(10), count), 10).probability
    likelihood = count[1:9] @ np.log(found[1:9])
    for a, b in product(np.geomspace(2.0, 200.0, 60), repeat=2):
        assert count @ betabinom.logpmf(np.arange(10), 9, a, b) <= likelihood
    best = betabinom.pmf(np.arange(10), 9, np.exp(2.88531045), np.exp(2.96208535))
    assert found == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize(("recordings", "most"), [(60, 0.06), (299, 0.02), (300, 0.02), (1000, 0.01)])
def test_the_more_recordings_the_less_ranks_by_chance_disclose(recordings: int, most: float) -> None:
    """Among 30 people; a histogram of 300 would show 0.07 bit."""
    rng = np.random.default_rng(4)
    found = [rank_disclosure(rng.integers(0, 30, recordings), 30) for _ in range(20)]
    assert np.mean([each.mean_bits for each in found]) < most
    assert all(each.mean_bits <= each.worst_bits for each in found)


def test_ranks_that_leave_the_shapes_open_are_fitted_alike_on_every_machine() -> None:
    """Always the first of two: both shapes stand at their limits, e^(−12) and e^12."""
    at_limit = 1.0 / (1.0 + np.exp(-24.0))
    always = 1.0 + at_limit * np.log2(at_limit) + (1.0 - at_limit) * np.log2(1.0 - at_limit)
    assert rank_disclosure([0] * 5, 2).mean_bits == pytest.approx(always, rel=1e-12)
    three_of_five = 1.0 + 0.6 * np.log2(0.6) + 0.4 * np.log2(0.4)
    assert rank_disclosure([0, 0, 0, 1, 1], 2).mean_bits == pytest.approx(three_of_five, rel=1e-6)


def test_ranks_that_are_all_the_first_are_fitted_without_end() -> None:
    assert rank_disclosure([0] * 5, 8).mean_bits == pytest.approx(3.0, abs=1e-3)
