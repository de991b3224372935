"""A list that has every pair of recordings once names the speakers of all of them, not of the last alone."""

import numpy as np
import pytest

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.speakers.linkage import linkage

PAIRS = {
    ("a1", "a2"): 9.0, ("a1", "b1"): 1.0, ("a1", "b2"): 2.0, ("a2", "b1"): 3.0, ("a2", "b2"): 4.0,
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
    """As listed only b2 meets both people. Read both ways b2 is taken for a, by 4 against 3.5; the others
    for who they are: a1 by 9 against 2, a2 by 9 against 4, b1 by 3.5 against 3."""
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
