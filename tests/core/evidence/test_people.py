"""Whose ids are one person's, and who falls into which fold."""

import numpy as np

from zebra_core.evidence.trials import Ids
from zebra_core.metrics.cross_fitted import People


def ids(*names: str) -> Ids:
    distinct = tuple(dict.fromkeys(names))
    return Ids(np.array([distinct.index(name) for name in names], dtype=np.int32), distinct)


def test_a_target_trial_makes_two_ids_one_person_and_others_stay_apart() -> None:
    people = People.of(
        ids("ann", "ann", "bob", "bob"), ids("u1", "u2", "u2", "u3"), np.array([True, False, True, False])
    )
    ann, bob = people.of_enrol.tolist()
    assert people.of_test.tolist()[:2] == [ann, bob]
    assert len(people) == 3, "the third is u3, of whom there is no target trial"
    assert people.has_targets[[ann, bob]].all()
    assert not people.has_targets[people.of_test[2]]


def test_one_name_on_both_sides_is_one_person() -> None:
    people = People.of(ids("a", "b"), ids("b", "a"), np.array([False, False]))
    assert people.of_enrol.tolist() == people.of_test.tolist()[::-1]
    assert len(people) == 2


def test_persons_are_numbered_by_the_order_of_their_ids_and_not_by_that_of_trials() -> None:
    enrol, test = ids("a", "a", "b", "b", "c"), ids("x", "y", "y", "z", "z")
    is_target = np.array([True, False, True, False, True])
    there = People.of(enrol, test, is_target)
    back = People.of(*(Ids(side.codes[::-1], side.names) for side in (enrol, test)), is_target[::-1])
    assert there.of_enrol.tolist() == back.of_enrol.tolist() == [0, 1, 2]
    assert there.of_test.tolist() == back.of_test.tolist() == [0, 1, 2]


def test_folds_have_as_many_people_with_target_trials_as_possible() -> None:
    names = [f"p{k}" for k in range(7)]
    people = People.of(ids(*names, "p0"), ids(*names, "stranger"), np.array([True] * 7 + [False]))
    folds = people.folds(3)
    assert sorted(np.bincount(folds[people.has_targets]).tolist()) == [2, 2, 3]
    assert folds[~people.has_targets].tolist() == [0]
