"""A list that has every pair of recordings once names the speakers of all of them, not of the last alone."""

import numpy as np
import pytest

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.candidates import Candidates, linkage, with_people

PAIRS = {
    ("a1", "a2"): 9.0, ("a1", "b1"): 1.0, ("a1", "b2"): 4.0, ("a2", "b1"): 3.0, ("a2", "b2"): 2.0,
    ("b1", "b2"): 3.5,
}  # fmt: skip


def trials(pairs: dict[tuple[str, str], float]) -> Trials:
    enrol, test = zip(*pairs, strict=True)
    same = np.array([one[0] == other[0] for one, other in pairs])
    names = tuple(sorted({*enrol, *test}))
    sides = [np.array([names.index(name) for name in side], np.int32) for side in (enrol, test)]
    return Trials(np.array([*pairs.values()]), same, *(Ids(side, names) for side in sides))


def candidates(pairs: dict[tuple[str, str], float], *, is_one_kind: bool) -> Candidates:
    speakers = {name: name[0] for pair in pairs for name in pair}
    return Candidates.of(with_people(trials(pairs), speakers), is_one_kind=is_one_kind)


def test_every_recording_meets_everybody_where_each_pair_is_listed_once() -> None:
    """As listed only b2 meets both people. Read both ways it is taken for a, by a1's 4 against b1's 3.5; the
    others for who they are: a1 by 9 against 4, a2 by 9 against 3, b1 by 3.5 against 3. Each meets one of the
    two models of the other person, as it has one of its own."""
    assert candidates(PAIRS, is_one_kind=False).tests == ("b2",)
    found = candidates(PAIRS, is_one_kind=True)
    assert (found.tests, found.n_listed) == (("a1", "a2", "b1", "b2"), 4)
    assert linkage(found.pooled().complete, 2) == 0.75
    assert np.array_equal(found.score, found.score.T, equal_nan=True)
    assert np.isnan(np.diag(found.score)).all()


@pytest.mark.parametrize(
    ("change", "tests"),
    [
        pytest.param({("b2", "b1"): 3.5}, ("b1", "b2"), id="a pair in both orders"),
        pytest.param({("a1", "a1"): 99.0}, ("b2",), id="a recording with itself"),
    ],
)
def test_other_lists_stay_as_they_are(change: dict[tuple[str, str], float], tests: tuple[str, ...]) -> None:
    assert candidates(PAIRS | change, is_one_kind=True).tests == tests
    fewer = {pair: score for pair, score in PAIRS.items() if pair != ("a1", "b1")}
    assert candidates(fewer, is_one_kind=True).tests == ("b2",)
    assert candidates(fewer | {("a1", "a1"): 99.0}, is_one_kind=True).tests == ("b2",)


@pytest.mark.parametrize(("each", "across"), [(2, False), (2, True), (4, True)])
def test_with_nothing_disclosed_people_are_named_as_by_guessing(each: int, across: bool) -> None:
    """40 sets of 12 people: the right one lacks the recording itself, and of the others one is left out."""
    names = [f"{who:02d}-{n}" for who in range(12) for n in range(each)]
    first, second = np.triu_indices(len(names), 1)
    pairs = np.concatenate([[first, second], [second, first]], axis=1) if across else (first, second)
    enrol, test = (Ids(side.astype(np.int32), tuple(names)) for side in np.asarray(pairs))
    same = enrol.codes // each == test.codes // each
    found = []
    for seed in range(40):
        score = np.random.default_rng(seed).normal(size=len(enrol))
        spoken = with_people(Trials(score, same, enrol, test), {name: name[:2] for name in names})
        pooled = Candidates.of(spoken, is_one_kind=True).pooled().complete
        assert len(pooled.own) == len(names)
        found.append(linkage(pooled, 12))
    assert np.mean(found) == pytest.approx(1 / 12, abs=0.02)
