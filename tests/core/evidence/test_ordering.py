"""The order in which chance is dealt: the same whatever ids are called and however trials are listed."""

import numpy as np
import pytest

from tests.core.similarity_cases import ordered_by_name
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.registry import METRICS
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.uncertainty.reidentification import reidentification
from zebra_core.uncertainty.trust import trust_of

PEOPLE, SEGMENTS = 9, 4


def listed(
    rng: np.random.Generator, rename: bool = False, shuffle: bool = False, stretch: bool = False
) -> Trials:
    """Everybody against all segments; enrolments are called after people, segments have ids of their own."""
    scores = np.random.default_rng(3).normal(size=(PEOPLE, PEOPLE * SEGMENTS)).round(1)
    enrol, test = map(np.ravel, np.indices(scores.shape))
    is_target = enrol == test // SEGMENTS
    score = scores.ravel() + 1.5 * is_target
    score = np.sinh(score) if stretch else score
    names = [[f"p{k}" for k in range(PEOPLE)], [f"p{k // SEGMENTS}-{k:02}" for k in range(scores.shape[1])]]
    if rename:
        # Those of one person keep their order, which is that in which they are pooled.
        people = rng.permutation(PEOPLE)
        names = [
            [f"x{number}" for number in rng.permutation(PEOPLE)],
            [f"q{people[k // SEGMENTS]}-{k % SEGMENTS}" for k in range(scores.shape[1])],
        ]
    order = rng.permutation(len(score)) if shuffle else np.arange(len(score))
    sides = []
    for codes, side in zip((enrol[order], test[order]), names, strict=True):
        found = tuple(dict.fromkeys(side[code] for code in codes))
        place = {name: number for number, name in enumerate(found)}
        sides.append(Ids(np.array([place[side[code]] for code in codes], dtype=np.int32), found))
    return Trials(score[order], is_target[order], *sides)


@pytest.fixture
def other() -> Trials:
    return listed(np.random.default_rng(8), rename=True, shuffle=True)


def rows(trials: Trials) -> list[tuple[int, int, float, bool]]:
    assert trials.enrol is not None
    assert trials.test is not None
    codes = trials.enrol.codes.tolist(), trials.test.codes.tolist()
    return sorted(zip(*codes, trials.score.tolist(), trials.is_target.tolist(), strict=True))


def test_order_follows_from_scores_and_labels_alone(other):
    assert rows(in_order(listed(np.random.default_rng(0)))) == rows(in_order(other))


def test_a_stretched_scale_keeps_the_order():
    plain, stretched = (in_order(listed(np.random.default_rng(0), stretch=is_)) for is_ in (False, True))
    assert plain.enrol.names == stretched.enrol.names
    assert plain.test.names == stretched.test.names


def test_one_more_score_gives_another_order():
    plain = listed(np.random.default_rng(0))
    score = plain.score.copy()
    score[0] = -9.0
    changed = Trials(score, plain.is_target, plain.enrol, plain.test)
    assert in_order(plain).test.names != in_order(changed).test.names


def test_an_order_that_is_there_is_kept_and_so_are_trials_without_ids():
    once = in_order(listed(np.random.default_rng(0)))
    assert in_order(once) is once
    by_name = ordered_by_name(listed(np.random.default_rng(0)))
    assert in_order(by_name) is by_name
    bare = Trials.from_scores([1.0], [0.0])
    assert in_order(bare) is bare


def test_ids_that_nothing_tells_apart_follow_by_name():
    alike = Ids(np.array([0, 1, 2], dtype=np.int32), ("c", "a", "b"))
    segments = Ids(np.array([0, 1, 2], dtype=np.int32), ("z", "y", "x"))
    found = in_order(Trials(np.zeros(3), np.array([True, True, False]), alike, segments))
    assert [name for name in found.enrol.names if name != "b"] == ["a", "c"]


def test_all_figures_are_the_same_under_other_names_in_another_order(other):
    plain = listed(np.random.default_rng(0))
    one, another = assess(plain), assess(other)
    for metric in METRICS:
        found = metric.of(one)
        close = pytest.approx(found, rel=1e-12, abs=1e-15) if isinstance(found, float) else found
        assert metric.of(another) == close, metric.code
    settings = BootstrapSettings(replicates=30, seed=4)
    measured = [trust_of(*each, settings, deals=25) for each in ((plain, one), (other, another))]
    for figure, drawn in measured[0].uncertainty.figures.items():
        again = measured[1].uncertainty.figures[figure]
        np.testing.assert_allclose(again.draws, drawn.draws, rtol=1e-9, err_msg=figure)


def test_what_chance_shows_is_the_same_too(other):
    plain = listed(np.random.default_rng(0))
    found = [without_disclosure(each, assess(each), replicates=25) for each in (plain, other)]
    for figure, draws in found[0].draws.items():
        np.testing.assert_allclose(found[1].draws[figure], draws, rtol=1e-9, err_msg=figure)


def test_linking_and_singling_out_are_the_same_too(other):
    plain = listed(np.random.default_rng(0))
    settings = BootstrapSettings(replicates=30)
    one, another = (
        reidentification(Candidates.of(with_people(each)), settings, deals=20) for each in (plain, other)
    )
    assert one.linkage == another.linkage
    assert one.singling_out == another.singling_out
