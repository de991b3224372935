"""Both probabilities over people and pooled recordings: intervals, chance, and what is told beside them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from tests.core.speaker_model import trials_of
from tests.core.speakers.shifted import shifted
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.candidates import Candidates, linkage, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.linking_points import PeoplePoint, linkage_points
from zebra_core.uncertainty.mean_bounds import lower_mean
from zebra_core.uncertainty.reidentification import (
    MostLinked,
    PoolRanks,
    Reidentification,
    StatedLinkage,
    linkage_among,
    linkage_probability,
    numbers_of_people,
    reidentification,
)

SETTINGS = BootstrapSettings(60)


def candidates(between: float = 0.5, n: int = 12, segments: int = 6, seed: int = 0) -> Candidates:
    return Candidates.of(with_people(trials_of(np.random.default_rng(seed), n, between, segments=segments)))


@pytest.fixture(scope="module")
def found() -> Reidentification:
    return reidentification(candidates(), SETTINGS, deals=40)


def test_numbers_of_people_go_up_to_all_and_not_beyond() -> None:
    assert numbers_of_people(29) == [2, 5, 10, 20, 29]
    assert numbers_of_people(2) == [2]
    assert numbers_of_people(1000) == [2, 5, 10, 20, 50, 100, 200, 500, 1000]
    assert numbers_of_people(5, dense=True) == [2, 3, 4, 5]
    dense = numbers_of_people(5000, dense=True)
    assert set(numbers_of_people(5000)) <= set(dense)
    assert (dense[-1], len(dense) < 130) == (5000, True)


def test_there_is_a_point_for_each_number_of_people_and_of_recordings(found: Reidentification) -> None:
    assert [(p.recordings, p.people) for p in found.linkage] == [
        (1, 2), (1, 5), (1, 10), (1, 12), (3, 2), (3, 5), (3, 10), (3, 12),
    ]  # fmt: skip
    assert found.lengths == (1, 3)
    assert found.linkage[1].probability == linkage(candidates().pooled(), 5)
    assert found.linkage[1].chance == 0.2
    assert found.singling_out[0].chance == 0.5
    assert found.n_calibration == 5
    assert found.remarks == ()


def test_among_people_who_are_stated_the_points_are_those_of_the_curve(found: Reidentification) -> None:
    """By the same draws and deals, so that nothing is said twice in different ways."""
    for people in (2, 10, 12):
        stated = linkage_among(candidates(), people, SETTINGS, deals=40)
        assert stated.points == tuple(one for one in found.linkage if one.people == people)


def test_among_people_who_are_stated_linking_is_counted_by_hand() -> None:
    """Of 3 enrolled a recording whose own person comes second is linked among 2 half of the time."""
    score = [3.0, 2.0, 1.0, 3.0, 2.0, 1.0, 1.0, 2.0, 3.0]  # own first; own second; own first
    enrol, test = [0, 1, 2] * 3, [0, 0, 0, 1, 1, 1, 2, 2, 2]
    trials = Trials(
        np.array(score),
        np.array([a == b for a, b in zip(enrol, test, strict=True)]),
        Ids(np.array(enrol, np.int32), ("a", "b", "c")),
        Ids(np.array(test, np.int32), ("a-1", "b-1", "c-1")),
    )
    several = Candidates.of(
        with_people(trials, {"a-1": "a", "b-1": "b", "c-1": "c", "a": "a", "b": "b", "c": "c"})
    )
    (point,) = linkage_among(several, 2).points
    assert (point.people, point.recordings, point.probability, point.chance) == (2, 1, 2.5 / 3, 0.5)
    assert linkage_among(several, 4) == StatedLinkage(4, ())


def test_intervals_hold_the_figure_and_chance_lies_in_the_band_of_dealt_recordings(
    found: Reidentification,
) -> None:
    for point in (*found.linkage, *found.singling_out):
        assert point.interval is not None
        assert point.interval.low < point.probability < point.interval.high
    for point in found.linkage:
        assert point.undisclosed is not None
        assert point.undisclosed[0] < point.chance < point.undisclosed[1]
        assert point.undisclosed[1] < point.probability


def test_pooling_links_better(found: Reidentification) -> None:
    one, three = found.linkage_of(1), found.linkage_of(3)
    assert all(b.probability > a.probability for a, b in zip(one, three, strict=True))


def test_json_has_the_promised_keys(found: Reidentification) -> None:
    printed = found.as_json()
    assert list(printed) == ["linkage", "singling_out", "rank_disclosure", "most_linked", "worst_tenth"]
    keys = ["people", "recordings", "probability", "low", "high", "chance", "sets", "above_guessing"]
    assert [list(each) for each in printed["linkage"]] == [keys] * 8  # type: ignore[attr-defined]
    assert list(printed["rank_disclosure"]) == ["mean_bits", "worst_bits", "people"]  # type: ignore[call-overload]
    most = ["speaker", "people", "recordings", "probability", "low", "high", "above_guessing"]
    most += ["chance", "sessions", "tied", "alike"]
    assert list(printed["most_linked"]) == most  # type: ignore[call-overload]
    tenth = ["speakers", "heard", "people", "probability", "low", "high", "above_guessing", "chance"]
    assert list(printed["worst_tenth"]) == tenth  # type: ignore[call-overload]


def test_every_probability_says_by_how_many_sets_it_is_or_that_it_is_exact(found: Reidentification) -> None:
    """Of 12 people a person is in 11 sets of 2, 330 of 5, 55 of 10 and 1 of 12; pools of 3 are two each."""
    assert [point.sets for point in found.linkage] == [None] * 8
    assert [point.sets for point in found.singling_out_of(1)] == [None, 200, None, None]
    assert [point.sets for point in found.singling_out_of(3)] == [None] * 4
    printed = found.as_json()["singling_out"]
    assert [each["sets"] for each in printed] == [point.sets for point in found.singling_out]  # type: ignore[attr-defined]


def test_quickly_many_people_are_singled_out_by_fewer_sets_and_few_people_as_ever() -> None:
    many = candidates(n=120, segments=3)
    slow, quick = (reidentification(many, quick=way).singling_out for way in (False, True))
    drawn = [(one, other) for one, other in zip(slow, quick, strict=True) if one.people not in {2, 120}]
    assert {(one.sets, other.sets) for one, other in drawn} == {(200, 24)}  # 24 · 120 · 120 · 3 is 2²⁰
    for one, other in drawn:
        assert 0.0 < abs(one.probability - other.probability) < 0.01
    assert [(p.probability, p.sets) for p in slow if p.people in {2, 120}] == [
        (p.probability, p.sets) for p in quick if p.people in {2, 120}
    ]
    few = candidates()
    assert reidentification(few, quick=True).as_json() == reidentification(few).as_json()


def test_ranks_have_the_band_of_dealt_recordings_for_their_mean_and_their_worst(
    found: Reidentification,
) -> None:
    ranks, deaf = found.ranks, reidentification(candidates(between=0.0, seed=3), deals=40).ranks
    for one, is_beyond in ((ranks, True), (deaf, False)):
        assert one.mean_undisclosed is not None
        assert one.worst_undisclosed is not None
        assert (one.mean_bits > one.mean_undisclosed[1]) is is_beyond
        assert (one.worst_bits > one.worst_undisclosed[1]) is is_beyond
        assert 0.0 <= one.mean_undisclosed[0] < one.mean_undisclosed[1] < one.worst_undisclosed[1]
    told = found.as_evidence()["rank_disclosure"]
    assert isinstance(told, dict)
    assert (told["mean_undisclosed_low"], told["mean_undisclosed_high"]) == ranks.mean_undisclosed
    assert (told["worst_undisclosed_low"], told["worst_undisclosed_high"]) == ranks.worst_undisclosed
    assert reidentification(candidates()).ranks.mean_undisclosed is None


def test_without_settings_there_are_no_intervals() -> None:
    plain = reidentification(candidates())
    assert {(point.interval, point.undisclosed) for point in plain.linkage} == {(None, None)}
    first = plain.as_json()["linkage"][0]  # type: ignore[index]
    assert (first["low"], first["high"]) == (None, None)


def test_the_same_seed_gives_the_same() -> None:
    one, other = (reidentification(candidates(), SETTINGS, deals=3) for _ in range(2))
    assert one.as_evidence() == other.as_evidence()


def test_a_dense_curve_prints_no_more() -> None:
    dense = reidentification(candidates(), dense=True)
    assert len(dense.linkage_of(1)) == 11
    assert dense.as_json() == reidentification(candidates()).as_json()


def test_perfect_linking_leaves_open_what_so_few_people_cannot_show() -> None:
    point = reidentification(candidates(between=1000.0, n=5), SETTINGS).linkage[0]
    assert point.probability == 1.0
    assert point.interval is not None
    assert point.interval.low == pytest.approx(0.05 ** (1 / 5))
    assert point.interval.high == 1.0


def linked(shift: float, seed: int = 1) -> PeoplePoint:
    """The point of ten people among ten whose own comparisons are so much higher."""
    trials, speakers = shifted(np.random.default_rng(seed), 10, [6] * 10, [shift] * 10)
    return linkage_points(Candidates.of(with_people(trials, speakers)).pooled(), [10], SETTINGS)[0]


def test_fewer_errors_never_have_the_worse_bound() -> None:
    """From all linked to no better than by chance."""
    points = [linked(shift) for shift in (8.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0)]
    assert points[0].probability == 1.0
    for better, worse in pairwise(points):
        assert better.probability > worse.probability
        assert better.interval is not None
        assert worse.interval is not None
        assert better.interval.low >= worse.interval.low
        assert better.interval.high >= worse.interval.high


def test_intervals_hold_the_probability_also_where_hardly_anybody_is_missed() -> None:
    """A few errors by chance: the interval of a better set held the truth in 67 of 100."""
    points = [linked(4.0, seed) for seed in range(40)]
    truth = float(np.mean([point.probability for point in points]))
    assert 0.95 < truth < 1.0
    assert sum(point.interval is not None and truth in point.interval for point in points) >= 38


def test_two_people_are_too_few_for_intervals() -> None:
    found = reidentification(candidates(n=2), SETTINGS)
    assert {point.interval for point in found.linkage} == {None}


def test_one_recording_each_leaves_linking_and_says_why_nobody_is_singled_out() -> None:
    found = reidentification(candidates(segments=1))
    assert (found.singling_out, found.n_calibration) == ((), 0)
    assert found.as_json()["singling_out"] is None
    [remark] = found.remarks
    assert str(remark) == (
        "No two enrolled people have two recordings each, one to test and one to set the threshold, so "
        "singling out is not assessed."
    )
    assert len(found.linkage) == 4


def test_what_the_list_lacks_is_told() -> None:
    enrol, test = ["a", "b", "a", "b", "a", "a", "b"], ["a1", "a1", "b1", "b1", "a2", "c1", "c1"]
    is_target = np.array([True, False, False, True, True, False, False])
    trials = Trials(np.arange(7.0), is_target, ids(enrol), ids(test))
    found = reidentification(Candidates.of(with_people(trials, {"c1": "c"})))
    assert [remark.code for remark in found.remarks] == [
        "reidentification-part", "reidentification-not-enrolled", "reidentification-no-calibration",
    ]  # fmt: skip
    assert "rest on 2 of 3 recordings" in str(found.remarks[0])
    assert "One person is heard but not enrolled" in str(found.remarks[1])


def test_intervals_hold_the_expectation_of_other_sets_about_as_often_as_they_say() -> None:
    """20 people; a small seeded form of a simulation: 24 sets, of which 95 % would be 23."""
    sets = [candidates(0.3, 20, 3, seed) for seed in range(24)]
    truth = np.mean([linkage(candidates(0.3, 20, 3, seed).pooled(), 10) for seed in range(100, 200)])
    held = 0
    for one in sets:
        [point] = linkage_points(one.pooled(), [10], BootstrapSettings(100))
        assert point.interval is not None
        held += point.interval.low <= truth <= point.interval.high
    assert held >= 20


def of_shifted(seed: int, people: int, segments: int, shift: list[float]) -> Reidentification:
    trials, who = shifted(np.random.default_rng(seed), people, [segments] * people, shift)
    return reidentification(Candidates.of(with_people(trials, who)))


def test_the_person_who_is_linked_in_every_recording_is_told_though_the_mean_is_small() -> None:
    """One of forty: on average 4 in 100 are linked, of this person all; the ends are worked out by hand."""
    found = of_shifted(0, 40, 20, [8.0] + [0.0] * 39)
    most = found.most_linked()
    assert found.linkage[-1].probability < 0.1
    assert (most.speaker, most.people, most.recordings) == ("s00", 40, 20)
    assert most.probability > 0.95
    assert most.high == 1.0
    assert most.low == pytest.approx(lower_mean([20 * most.probability], 20, 1.0 - 0.05 / 40)[0], rel=1e-12)
    assert most.low > 0.5


def test_by_hand_recordings_of_one_session_are_one_value() -> None:
    """Ann has 3 recordings in one session, of which two are linked, and one in another: (2/3 + 1) of 2."""
    person, n_higher = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 1, 0])
    alone = PoolRanks(1, person, n_higher, np.zeros(6, np.int64))
    ranks = replace(alone, session=np.array([4, 4, 4, 1, 7, 7]))
    count, total = ranks.by_session(2, 2)
    assert count.tolist() == [2, 1]
    assert total == pytest.approx([5 / 3, 0.5], rel=1e-12)
    assert [each.tolist() for each in alone.by_session(2, 2)] == [[4, 2], [3.0, 1.0]]
    found = MostLinked.of(["ann", "ben"], ranks, 2)
    assert (found.speaker, found.recordings, found.sessions) == ("ann", 4, 2)
    assert found.probability == pytest.approx(5 / 6, rel=1e-12)
    assert found.low == pytest.approx(lower_mean([5 / 3], 2, 0.95, 2)[0], rel=1e-12)
    assert "4 recordings of 2 sessions" in str(found)


def test_the_same_name_in_two_datasets_is_somebody_else() -> None:
    person = np.array([0, 0, 0, 1, 1, 1])
    ranks = PoolRanks(1, person, np.array([0, 0, 0, 1, 1, 1]), np.zeros(6, np.int64))
    one = MostLinked.of(["ann", "ben"], ranks, 2)
    by_dataset, joined = MostLinked.over([one, one], datasets=["f", "m"]), MostLinked.over([one, one])
    assert (len(by_dataset.each), by_dataset.tied) == (4, 2)
    assert (len(joined.each), joined.tied) == (2, 1)


def test_one_session_says_nothing_of_others() -> None:
    person = np.array([0, 0, 0, 1, 1, 1])
    ranks = PoolRanks(1, person, np.array([0, 0, 0, 1, 1, 1]), np.zeros(6, np.int64), session=person)
    found = MostLinked.of(["ann", "ben"], ranks, 2)
    assert (found.speaker, found.low, found.high, found.sessions) == ("ann", 0.0, 1.0, 1)
    assert not found.has_ends
    assert "cannot be said from one" in str(found)


def test_somebody_else_with_several_sessions_bounds_whoever_is_linked_most_from_below() -> None:
    """Ann has one session, always linked; of Ben's twelve eleven are: whoever is linked most is, as often."""
    person = np.array([0, *[1] * 12])
    higher = np.array([0, 1, *[0] * 11])
    ranks = PoolRanks(1, person, higher, np.zeros(13, np.int64), session=np.arange(13))
    found = MostLinked.of(["ann", "ben"], ranks, 2)
    assert (found.speaker, found.sessions, found.high) == ("ann", 1, 1.0)
    assert found.low == pytest.approx(lower_mean([11.0], 12, 0.95, 2)[0], rel=1e-12)
    assert found.has_ends


def test_sessions_that_ids_may_name_are_remarked_until_they_are_known() -> None:
    trials = trials_of(np.random.default_rng(0), 6, 0.5, segments=4)
    assert trials.test is not None
    named = [f"{name[:4]}-{n // 2}-{n}" for n, name in enumerate(trials.test.names)]
    people = with_people(replace(trials, test=Ids(trials.test.codes, tuple(named))))
    codes = [
        [remark.code for remark in reidentification(Candidates.of(each, sessions=sessions)).remarks]
        for each, sessions in (
            (people, None),
            (people, SessionRule.BEFORE_LAST_HYPHEN),
            (with_people(trials), None),
        )
    ]
    assert codes == [["reidentification-sessions"], [], []]


def test_among_two_the_share_is_that_of_every_pair() -> None:
    found = of_shifted(1, 12, 4, [0.0] * 12)
    pools = found.heard[0]
    shares = [float(np.mean(1 - pools.n_higher[pools.person == one] / 11)) for one in range(12)]
    most = found.most_linked(2)
    assert most.probability == pytest.approx(max(shares), rel=1e-12)
    assert most.speaker == found.people[int(np.argmax(shares))]


def test_both_ends_hold_how_often_200_more_recordings_of_the_most_linked_person_are() -> None:
    """Six recordings of each of twelve people who differ, then 200 more against the same enrolments."""
    held = 0
    for seed in range(40):
        shift = np.random.default_rng([3, seed]).normal(0.5, 1.0, 12).tolist()
        trials, who = shifted(np.random.default_rng(seed), 12, [206] * 12, shift)
        assert trials.enrol is not None
        assert trials.test is not None
        is_first = trials.test.codes % 206 < 6
        few, more = (
            Trials(
                trials.score[of],
                trials.is_target[of],
                *(Ids(each.codes[of], each.names) for each in (trials.enrol, trials.test)),
            )
            for of in (is_first, ~is_first)
        )
        told, later = (
            reidentification(Candidates.of(with_people(each, who))).most_linked() for each in (few, more)
        )
        held += told.low <= later.probability <= told.high
    assert held >= 37


def test_where_one_person_is_heard_alone_nothing_can_be_dealt_out() -> None:
    """Whose recordings are whose is certain then: a band of 100 to 100 would be no chance."""
    scores = np.array([2.0, 0.0, 1.0, 3.0, 0.5, -1.0])
    enrol, test = ["a", "b", "c"] * 2, ["a1"] * 3 + ["a2"] * 3
    trials = Trials(scores, np.array([True, False, False] * 2), ids(enrol), ids(test))
    found = reidentification(Candidates.of(with_people(trials)), deals=30)
    assert all(point.undisclosed is None for point in found.linkage)
    assert found.ranks.mean_undisclosed is None


def test_the_worst_tenth_is_among_as_many_as_are_stated_if_so_many_are_enrolled(
    found: Reidentification,
) -> None:
    assert (found.in_question, found.worst_tenth().people) == (12, 12)
    stated = replace(found, among=linkage_among(candidates(), 5))
    assert (stated.in_question, stated.worst_tenth().people) == (5, 5)
    assert stated.worst_tenth() == found.worst_tenth(5)
    beyond = replace(found, among=linkage_among(candidates(), 13))
    assert (beyond.in_question, beyond.worst_tenth()) == (12, found.worst_tenth())


def test_of_few_people_the_worst_tenth_is_the_person_who_is_linked_most() -> None:
    found = of_shifted(4, 9, 5, [2.0, 0.0, 1.0] * 3)
    most, tenth = found.most_linked(), found.worst_tenth()
    assert tenth.speakers == (most.speaker,)
    assert (tenth.probability, tenth.low, tenth.high) == (most.probability, most.low, most.high)
    assert tenth.above_guessing == most.above_guessing


def test_both_ends_hold_how_often_100_more_recordings_of_the_worst_tenth_are() -> None:
    """Four recordings of each of 24 people who differ, then 100 more against the same enrolments."""
    held = 0
    for seed in range(20):
        shift = np.random.default_rng([4, seed]).normal(0.5, 1.0, 24).tolist()
        few, more = parts_of(seed, shift, 4, 100)
        told, later = few.worst_tenth(), more.worst_tenth()
        held += told.low <= later.probability <= told.high
    assert held >= 19


def parts_of(seed: int, shift: list[float], first: int, rest: int) -> tuple[Reidentification, ...]:
    """The first recordings of each person, and the rest."""
    n = len(shift)
    trials, who = shifted(np.random.default_rng(seed), n, [first + rest] * n, shift)
    assert trials.enrol is not None
    assert trials.test is not None
    is_first = trials.test.codes % (first + rest) < first
    return tuple(
        reidentification(
            Candidates.of(
                with_people(
                    Trials(
                        trials.score[of],
                        trials.is_target[of],
                        *(Ids(each.codes[of], each.names) for each in (trials.enrol, trials.test)),
                    ),
                    who,
                )
            )
        )
        for of in (is_first, ~is_first)
    )


def test_arrays_are_linked_as_often_as_the_curve_says(found: Reidentification) -> None:
    trials = trials_of(np.random.default_rng(0), 12, 0.5, segments=6)
    enrol, test = ([side[n] for n in range(len(trials))] for side in (trials.enrol, trials.test))
    people = with_people(trials)
    speakers = {people.test[n]: people.speakers[people.heard[n]] for n in range(len(trials))}
    speakers |= {people.enrol[n]: people.speakers[people.enrolled[n]] for n in range(len(trials))}
    shares = [linkage_probability(trials.score, enrol, test, speakers, number) for number in (2, 5, 12)]
    curve = {point.people: point.probability for point in found.linkage_of(1)}
    assert shares == [curve[2], curve[5], curve[12]]


@pytest.mark.parametrize(
    ("speakers", "people", "sentence"),
    [
        ({"a": "ann", "b": "ben"}, 2, "It is not said who speaks in a2"),
        ({"a": "ann", "b": "ben", "a2": "ann"}, 3, "among 2 to 2 of them, not among 3"),
        ({"a": "ann", "b": "ben", "a2": "ann"}, 1, "not among 1"),
    ],
)
def test_who_is_not_known_or_not_enrolled_is_told(speakers, people, sentence) -> None:
    with pytest.raises(InputError, match=sentence):
        linkage_probability([1.0, 0.0], ["a", "b"], ["a2", "a2"], speakers, people)
