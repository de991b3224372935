"""What counts for each pair of speakers tell of single speakers: the figures of the trials themselves."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.intake.streaming.test_speaker_counting import written
from zebra_core.evidence.speaker_trials import SpeakerCounts, SpeakerTrials
from zebra_core.intake.streaming import speaker_counting
from zebra_core.project import demo
from zebra_core.project.comparison.linking import reidentification_of
from zebra_core.project.reading.reading import assess_files, counts_of, study_of
from zebra_core.speakers.disclosure import SpeakerDisclosure, disclosures_of_counts
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_resources import path as resource

STREAMED = {"streaming": "yes"}
MEANS = ("target_mean", "nontarget_mean", "target_sd", "nontarget_sd", "lamb_mean", "wolf_mean")


def in_the_order_of(counts: SpeakerCounts, trials: SpeakerTrials) -> SpeakerCounts:
    """Speakers as in memory, so that the same ones are in a fold; whom nobody knows come last."""
    rest = [name for name in counts.speakers if name not in trials.speakers]
    place = {name: number for number, name in enumerate((*trials.speakers, *rest))}
    code = np.array([place[name] for name in counts.speakers])
    return counts.renumbered(code, tuple(place))


def both(files: tuple[Path, Path]) -> tuple[SpeakerStudy, SpeakerStudy]:
    """The study of the same files held in memory, and of their counts."""
    held = study_of(assess_files(*files))
    assert held.single is not None
    counted = counts_of(assess_files(*files, choices=STREAMED), with_ranks=True)
    return held, SpeakerStudy.of(in_the_order_of(counted, held.single))


@pytest.fixture(scope="module", params=["demo", "repeats and strangers"])
def studies(request, tmp_path_factory) -> tuple[SpeakerStudy, SpeakerStudy]:
    if request.param == "demo":
        return both((demo.FILES[2].path, resource(demo.KEY)))
    folder = tmp_path_factory.mktemp("counted")
    return both(written(folder, 1, more=("s0 z-1 0.5", "s1 z-2 -0.5")))


@pytest.mark.parametrize("scale", ZooScale)
def test_every_speaker_has_the_place_in_the_zoo_that_the_trials_give(studies, scale) -> None:
    held, counted = (study.zoo(scale) for study in studies)
    place = [counted.speakers.index(name) for name in held.speakers]
    assert sorted(held.speakers) == sorted(counted.speakers)
    for name in MEANS:
        assert getattr(counted, name)[place] == pytest.approx(getattr(held, name), rel=1e-9, abs=1e-9), name
    for name in ("n_target", "n_nontarget"):
        assert np.array_equal(getattr(counted, name)[place], getattr(held, name)), name
    assert [counted.animals[k] for k in place] == list(held.animals)
    assert [counted.characters[k] for k in place] == list(held.characters)
    assert counted.left_out == held.left_out


def test_every_speaker_discloses_what_the_trials_disclose(studies) -> None:
    held, counted = (study.disclosures for study in studies)
    assert len(held) == len(counted) > 0
    for row in held.speakers:
        of_counts = counted.of(row.speaker)
        for field in fields(SpeakerDisclosure):
            found, expected = getattr(of_counts, field.name), getattr(row, field.name)
            if field.name in ("p_value", "quantile") or (field.name == "estimate_bits" and row.stands_out):
                continue  # of counts nobody can tell who stands out
            if field.name in ("low_bits", "high_bits") and not np.isnan(expected):
                assert (found <= expected) if field.name == "low_bits" else (found >= expected)
                continue
            if isinstance(expected, float):
                expected = pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)
            assert found == expected, (row.speaker, field.name)
    assert counted.left_out == held.left_out
    assert counted.ceiling_log10_lr == held.ceiling_log10_lr
    assert counted.chance.observed_bits == pytest.approx(held.chance.observed_bits, rel=1e-9)


def test_what_rests_on_single_recordings_is_not_said_of_counts(studies) -> None:
    _, counted = studies
    assert (counted.single, counted.accumulations) == (None, {})
    assert not counted.disclosures.standing_out
    assert counted.disclosures.verdict.startswith("Whether speakers differ by more than chance cannot be")
    tests = counted.tests(ZooScale.LLR)
    assert [size.is_more_than_chance for size in tests.sizes] == [False] * 4
    assert not tests.differences
    assert "of these recordings" not in str(tests.sizes[0])
    assert str(counted.zoo(ZooScale.LLR).remarks[-1]).startswith("Whether animals are more than chance")


def test_of_bins_means_of_scores_are_too_low_by_less_than_a_bin_and_that_is_said(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(speaker_counting, "BINS", 64)
    held, counted = both(written(tmp_path, 3, decimals=4))
    assert isinstance(counted.trials, SpeakerCounts)
    width = counted.trials.width
    exact, rounded = (study.zoo(ZooScale.SCORE) for study in (held, counted))
    place = [rounded.speakers.index(name) for name in exact.speakers]
    for name in ("target_mean", "nontarget_mean", "lamb_mean", "wolf_mean"):
        too_low = getattr(exact, name) - getattr(rounded, name)[place]
        assert (too_low >= 0.0).all()
        assert 0.0 < too_low.max() < width, name
    [told] = [remark for remark in counted.remarks if remark.code == "speakers-rounded"]
    assert told.facts["width"] == f"{width:.2g}"
    assert "means of scores are too low by less than that" in str(told)


def test_counts_without_test_segments_have_means_over_target_trials_and_no_interval(studies) -> None:
    _, counted = studies
    assert isinstance(counted.trials, SpeakerCounts)
    assert counted.trials.targets is not None
    alone = disclosures_of_counts(replace(counted.trials, targets=None))
    for row in counted.disclosures.speakers:
        found = alone.of(row.speaker)
        # In both sets each test segment has one target trial.
        assert found.d_ece_bits == found.estimate_bits == pytest.approx(row.d_ece_bits, rel=1e-12)
        assert (found.has_interval, found.n_segments, found.tag) == (False, 0, row.tag)


def test_ranks_of_every_speaker_are_those_of_the_trials(studies) -> None:
    held, counted = (study.ranks for study in studies)
    assert held is not None
    assert counted is not None
    assert counted.cmc() == pytest.approx(held.cmc(), rel=1e-12)
    assert counted.mean_ranks() == pytest.approx(held.mean_ranks(), rel=1e-12)
    assert (counted.n_enrolled, counted.n_left_out) == (held.n_enrolled, held.n_left_out)


@pytest.mark.parametrize("allow", [(), ("lower-is-more-alike",)])
def test_linking_is_that_of_the_trials(tmp_path, allow) -> None:
    """With several enrolments of a speaker, unknown and incomplete recordings, infinite scores and ties."""
    scores, key = written(tmp_path, 4, more=("s0 z-1 0.5", "s1 z-2 -0.5"))
    more = [f"s{k}+ s{n}-0 {(7 * k + n) % 5 / 2}" for k in (0, 3) for n in range(20)]
    labels = [f"s{k}+ s{n}-0 {'target' if k == n else 'nontarget'}" for k in (0, 3) for n in range(20)]
    lines = [line for line in scores.read_text().splitlines() if not line.startswith("s2 s5-1")]
    lines[9] = lines[9].rsplit(" ", 1)[0] + " inf"
    scores.write_text("\n".join([*lines, *more]) + "\n")
    key.write_text(key.read_text() + "\n" + "\n".join(labels) + "\n")
    how = {"allow": ("infinite-scores", "key-lines-without-score", *allow)}
    held, counted = (
        reidentification_of(assess_files(scores, key, choices=choices, **how)) for choices in ({}, STREAMED)
    )
    linked = [point for point in held.linkage if point.recordings == 1]
    assert [(each.people, each.probability) for each in counted.linkage] == [
        (each.people, pytest.approx(each.probability, rel=1e-12)) for each in linked
    ]
    assert counted.ranks.bits == pytest.approx(held.ranks.bits)
    assert sorted(counted.people) == sorted(held.people)
    of_one, of_other = (dict(zip(one.people, range(20), strict=True)) for one in (held, counted))
    for name in of_one:
        by_counts = counted.heard[0].of(of_other[name], 20, 5)
        assert by_counts == pytest.approx(held.heard[0].of(of_one[name], 20, 5))
    assert (counted.n_complete, counted.n_listed) == (held.n_complete, held.n_listed) == (39, 40)
    codes = [remark.code for remark in held.remarks]
    assert [remark.code for remark in counted.remarks] == [*codes[:3], "reidentification-of-counts"]
    assert [str(remark) for remark in counted.remarks[:3]] == [str(remark) for remark in held.remarks[:3]]
    assert (counted.singling_out, counted.settings) == ((), None)
