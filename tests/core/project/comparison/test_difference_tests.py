"""Are the differences real: groups compared pair by pair, ranks that are left open, and what still holds."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.core.similarity_cases import random_rows, scores, segments
from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.similarity import voice_similarity
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.difference_tests import SettledGroups, settle
from zebra_core.project.group_differences import RANKED_BY
from zebra_core.project.items import Condition, Entry, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.report.pairs import group_of, pairs_of, pairs_text
from zebra_core.uncertainty.bootstrap import BootstrapSettings

FEW = BootstrapSettings(replicates=199, seed=3)
NOISE = {"strong": 8.0, "weak": 0.1, "twin": 0.1}


def noisy(trials: Trials, spread: float, seed: int) -> Trials:
    noise = np.random.default_rng(seed).normal(size=len(trials))
    return Trials(trials.score + spread * noise, trials.is_target, trials.enrol, trials.test)


def entry(name: str, trials: Trials, condition: Condition | None = Condition.OP, **more: object) -> Entry:
    return Entry(name, trials=trials, assessment=assess(trials), condition=condition, id=name, **more)  # type: ignore[arg-type]


def project() -> Project:
    """A safeguard that hides much beside two that hide little and alike."""
    trials = trials_of(np.random.default_rng(1), 30, 2.0)
    made = [entry(name, noisy(trials, spread, n)) for n, (name, spread) in enumerate(NOISE.items())]
    return Project(items=(entry("original", trials, Condition.OO), *made))


def own_trials(one: Entry, _on_progress: object = None) -> Trials:
    assert one.trials is not None
    return one.trials


def settled(found: Project) -> SettledGroups:
    return settle(found, own_trials, FEW, read_voices=own_voices)


@cache
def known() -> tuple[Project, SettledGroups]:
    """The project with what is settled of it, and that: neither can be changed, so that tests share them."""
    fresh = project()
    result = settled(fresh)
    return replace(fresh, differences=result.settled), result


@pytest.fixture(scope="module")
def found() -> SettledGroups:
    return known()[1]


def test_the_group_is_compared_without_the_unprotected(found: SettledGroups) -> None:
    [one] = found.settled
    assert list(one.assessments) == list(NOISE)
    assert [each.ranking.figure for each in one.compared] == [
        "d_ece_bits",
        "eer",
        "min_cllr_bits",
        "d_ece_strongest_bits",
    ]
    assert len(list(one.pairs())) == 12
    assert found.faults == ()
    assert list(found.measured) == list(NOISE)


def test_what_differs_much_is_settled_and_twins_are_not(found: SettledGroups) -> None:
    [one] = found.settled
    assert one.ranks_among(list(NOISE)) == {"strong": (1, 1), "weak": (2, 3), "twin": (2, 3)}
    assert one.ranks_among(["weak", "strong"]) == {"strong": (1, 1), "weak": (2, 2)}
    assert one.ranks_among(["weak", "unheard of"]) == {}


def test_the_comparison_shows_open_ranks_beside_the_rank(found: SettledGroups) -> None:
    rows = compare(replace(project(), differences=found.settled)).rows
    shown = {row.entry.name: column("rank").shown(row) for row in rows}
    # The project was made anew, with assessments of the same trials: what is known holds for them, too.
    assert shown["strong"] == "1, settled"
    fresh, _ = known()
    shown = {row.entry.name: column("rank").shown(row) for row in compare(fresh).rows}
    assert shown == {
        "original": "–",
        "strong": "1, settled",
        "weak": "2–3, not settled",
        "twin": "2–3, not settled",
    }


def moved(trials: Trials) -> Trials:
    """With every score a little higher."""
    return replace(trials, score=trials.score + 0.125)


def changed(how: str) -> Project:
    fresh, _ = known()
    weak = fresh.entry("weak")
    changes = {
        "renamed": replace(weak, name="other"),
        "other scores": replace(weak, assessment=assess(moved(own_trials(weak)))),
        "other condition": replace(weak, condition=Condition.PP),
        "other attacker": replace(weak, attacker="a friend"),
    }
    return fresh.without(["weak"]) if how == "removed" else fresh.replacing(changes[how])


@pytest.mark.parametrize(
    ("how", "holds"),
    [
        ("renamed", True),
        ("other scores", False),
        ("other condition", False),
        ("other attacker", False),
        ("removed", False),
    ],
)
def test_it_holds_until_what_was_compared_changes(how: str, holds: bool) -> None:
    assert bool(changed(how).settled) is holds


def test_with_another_scale_it_still_holds() -> None:
    fresh, _ = known()
    assert fresh.with_scales(fresh.tag_scale, None).settled


def test_other_trials_are_left_out_and_that_is_told() -> None:
    fresh = project()
    other = entry("other", trials_of(np.random.default_rng(2), 12, 1.0))
    nameless = entry("nameless", Trials.from_scores(np.array([1.0, 2.0]), np.array([0.0, 1.0, 3.0])))
    result = settled(Project(items=(*fresh.items, other, nameless)))
    assert list(result.settled[0].assessments) == list(NOISE)
    assert sorted(fault.split(" was not")[0] for fault in result.faults) == [
        "nameless (OP, test side protected)",
        "other (OP, test side protected)",
    ]


def test_without_two_in_a_group_there_is_nothing_to_compare() -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        settled(Project(items=project().items[:2]))


def test_stopped_late_it_has_fewer_replicates_and_says_so() -> None:
    [one] = settle(project(), own_trials, FEW, stop_after(0.75)).settled
    assert 20 <= one.replicates < 199
    assert f"rest on {one.replicates} of 199 replicates" in str(one.remarks[-1])


def test_stopped_early_there_is_nothing() -> None:
    with pytest.raises(Cancelled):
        settle(project(), own_trials, FEW, stop_after(0.25))


SPOKEN = segments(6, 3)
MATRICES = {"strong": 0, "weak": 1}


def segment_scores(name: str) -> dict[str, SegmentScores]:
    return {
        kind: scores(random_rows(SPOKEN, MATRICES[name], ordered=kind != "oo")) for kind in ("oo", "op", "pp")
    }


def own_voices(item: SimilarityEntry, _on_progress: object = None) -> dict[str, SpeakerTrials]:
    return SegmentEvidence(segment_scores(item.name), SPOKEN).all_trials(item.similarity.speakers)


def with_matrices() -> Project:
    voices = (
        SimilarityEntry(name, voice_similarity(**segment_scores(name), speakers=SPOKEN)) for name in MATRICES
    )
    return project().with_items(*voices)


@cache
def known_with_matrices() -> Project:
    """As `known`."""
    fresh = with_matrices()
    return replace(fresh, differences=settled(fresh).settled)


def test_similarity_matrices_of_the_same_speakers_are_compared() -> None:
    [one] = known_with_matrices().settled
    by_figure = {each.ranking.figure: each for each in one.compared}
    assert by_figure["de_id"].ids == ("strong", "weak")
    assert "g_vd_db" in by_figure
    rows = {row.entry.name: row for row in compare(with_matrices()).rows}
    assert by_figure["de_id"].ranking.values == pytest.approx((rows["strong"].de_id, rows["weak"].de_id))
    [difference] = by_figure["de_id"].ranking.differences
    assert difference.has_too_few  # six speakers


def test_stopped_late_matrices_have_as_many_draws_as_the_rest() -> None:
    """And these are the first of them: with so many replicates from the beginning they are the same."""

    fresh = with_matrices()
    [late] = settle(fresh, own_trials, FEW, stop_after(0.75), read_voices=own_voices).settled
    few = replace(FEW, replicates=late.replicates)
    [whole] = settle(fresh, own_trials, few, read_voices=own_voices).settled
    assert late.replicates < FEW.replicates
    # As they are shown, for a p-value that nobody asked for is NaN, which equals nothing.
    assert [repr(each) for *_, each in late.pairs()] == [repr(each) for *_, each in whole.pairs()]
    assert {each.figure for *_, each in late.pairs()} >= {"de_id", "g_vd_db"}


def test_matrices_that_cannot_be_read_again_are_told_and_the_rest_is_compared() -> None:
    def gone(item: SimilarityEntry, _on_progress: object) -> dict[str, SpeakerTrials]:
        raise InputError("not-as-before", file=item.name)

    found = settle(with_matrices(), own_trials, FEW, read_voices=gone)
    assert {each.ranking.figure for each in found.settled[0].compared} == {
        "d_ece_bits",
        "eer",
        "min_cllr_bits",
        "d_ece_strongest_bits",
    }
    assert "DeID and G_VD could not be compared." in found.faults[0]


def test_it_holds_when_files_of_the_matrices_lie_elsewhere() -> None:
    fresh = known_with_matrices()
    moved = fresh.similarities[0]
    fresh = fresh.replacing(replace(moved, similarity=replace(moved.similarity, files=())))
    assert fresh.settled


def test_it_holds_only_as_long_as_the_matrices_are_there() -> None:
    fresh = known_with_matrices()
    assert fresh.settled
    assert not fresh.without([fresh.similarities[0].id]).settled


def test_pairs_in_words() -> None:
    fresh, _ = known()
    [one] = fresh.settled
    pairs = pairs_of(fresh, one)
    assert [pair.difference.figure for pair in pairs[:3]] == [RANKED_BY] * 3
    assert (pairs[0].first, pairs[0].verdict, pairs[2].verdict) == ("strong", "settled", "not settled")
    assert (pairs[2].first, pairs[2].second) == ("weak", "twin")
    assert pairs[0].p == "< 0.001"
    assert pairs[0].sentence.startswith("strong and weak differ by −0.")
    lines = pairs_text(fresh).splitlines()
    assert lines[0] == str(group_of(fresh, one)) == "OP, test side protected"
    assert lines[1].split() == [
        "Figure",
        "First",
        "Second",
        "First",
        "−",
        "second",
        "p",
        "(corrected)",
        "Settled?",
    ]
    assert "199 draws" in lines[-1]
    assert "(seed 3)" in lines[-1]


def test_certainty_in_json_and_columns() -> None:
    fresh, result = known()
    measured = [replace(one, measured=result.measured[one.id]) for one in fresh.entries[1:]]
    fresh = fresh.replacing(*measured)
    rows = {row.entry.name: row for row in compare(fresh).rows}
    values = rows["weak"].certainty_as_json()
    interval = result.measured["weak"].uncertainty.intervals["eer"]
    assert (values["rank_low"], values["rank_high"]) == (2, 3)
    assert (values["eer_low"], values["eer_high"]) == (interval.low, interval.high)
    assert set(rows["original"].certainty_as_json().values()) == {None}
    assert "±" in column("eer").shown(rows["strong"]) or "…" in column("eer").shown(rows["strong"])
    assert "bit" not in column("d_ece").shown(rows["strong"])
    assert column("eer").shown(rows["original"]).count(" ") == 1
