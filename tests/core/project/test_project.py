"""A project never changes; its scales are those of all its entries."""

from dataclasses import replace

import pytest

from tests.core.samples import project_of, small_entry, small_trials
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess, reassess
from zebra_core.metrics.scales import ENFSI_LIKE_SCALE, PAPER_SCALE, Tag, TagScale

COARSE = TagScale((Tag("0", 0.0), Tag("low", 0.0), Tag("high", 0.5)))


def test_other_scales_tag_every_entry_anew_and_change_nothing_else() -> None:
    project = project_of("one", "two")
    changed = project.with_scales(COARSE, ENFSI_LIKE_SCALE)
    for old, new in zip(project.entries, changed.entries, strict=True):
        assert new.assessment.tag == COARSE.tag_of(old.assessment.worst_case_log10_lr).letter
        assert new.assessment.settings.verbal_scale is ENFSI_LIKE_SCALE
        assert new.assessment.counts is old.assessment.counts
        assert new.id == old.id
    assert {entry.assessment.settings.tag_scale for entry in project.entries} == {PAPER_SCALE}
    assert (
        changed.with_scales(PAPER_SCALE, None).entries[0].assessment.tag == project.entries[0].assessment.tag
    )


def test_a_new_entry_meets_the_scales_of_the_project() -> None:
    project = project_of("one").with_scales(COARSE, None).with_items(small_entry("two"))
    assert {entry.assessment.settings.tag_scale for entry in project.entries} == {COARSE}


def test_an_entry_on_the_scales_of_the_project_stays_the_same() -> None:
    entry = small_entry("one")
    assert project_of("two").with_items(entry).entries[-1] is entry


@pytest.mark.parametrize("meaning", ScoreMeaning)
def test_assessing_again_is_assessing_with_other_settings(meaning: ScoreMeaning) -> None:
    trials, settings = small_trials(), Settings(tag_scale=COARSE, score_meaning=meaning)
    found, expected = reassess(assess(trials), settings), assess(trials, settings)
    assert told(found) == told(expected)
    assert (found.profile.actual_bits == expected.profile.actual_bits).all()


def test_other_assessments_take_their_places() -> None:
    project = project_of("one", "two").with_scales(COARSE, None)
    other = assess(small_trials(), Settings(score_meaning=ScoreMeaning.LOG10_LR))
    changed = project.with_assessments({project.entries[1].id: other})
    assert changed.entries[0] is project.entries[0]
    assert changed.entries[1].assessment.settings == replace(other.settings, tag_scale=COARSE)
    assert changed.entries[1].assessment.cllr_bits == other.cllr_bits


def told(found: Assessment) -> tuple[object, ...]:
    return (found.d_ece_bits, found.tag, found.cllr_bits, found.misleading, found.remarks, found.settings)
