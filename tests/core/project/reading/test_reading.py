"""One calibration for everything that is said speaker by speaker, wherever the trials come from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.project.demo import demo_project
from zebra_core.project.items import Entry, SimilarityEntry
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.reading import assess_files, study_of
from zebra_core.report.speaker_tables import speakers_csv
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.rank_disclosure import rank_true_speakers
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale

DATA = Path(__file__).parents[3] / "data" / "similarity"


@pytest.fixture(scope="module")
def matrices() -> SimilarityEntry:
    [entry] = [one for one in arrive([DATA / "other_f"]).entries if one.name == "B2"]
    assert isinstance(entry, SimilarityEntry)
    return entry


def study_of_rows(rows: list[tuple[str, str, float, bool]]) -> SpeakerStudy:
    enrol, test, score, target = zip(*rows, strict=True)
    trials = Trials(np.array(score), np.array(target), ids(list(enrol)), ids(list(test)))
    return SpeakerStudy.of(SpeakerTrials.of_trials(trials))


ROWS = [
    ("a", "a-1", 3.0, True),
    ("a", "b-1", 0.0, False),
    ("a", "=c", -1.0, False),
    ("b", "a-1", 4.0, False),
    ("b", "b-1", 2.0, True),
    ("b", "=c", -2.0, False),
    ("=c", "a-1", 1.0, False),
    ("=c", "b-1", -3.0, False),
    ("=c", "=c", 5.0, True),
]


def test_an_assessment_is_studied_by_the_ids_of_its_trials() -> None:
    entry = demo_project().in_sessions(None).entries[2]
    study = study_of(entry)

    assert entry.trials is not None
    expected = speaker_disclosures(SpeakerTrials.of_trials(entry.trials))
    # As they are shown: ends that nobody can give are NaN, which equals nothing.
    assert list(map(repr, study.disclosures.speakers)) == list(map(repr, expected.speakers))
    assert len(study.disclosures) == 63
    # The common calibration is that of the assessment.
    assert study.oracle.d_ece_bits == pytest.approx(entry.assessment.d_ece_bits, abs=1e-12)


def test_one_setting_of_matrices_is_studied_by_its_own_calibration(matrices: SimilarityEntry) -> None:
    for setting, matrix in matrices.similarity.matrices.items():
        study = study_of(matrices, setting)
        assert matrix.d_ece_bits == pytest.approx(study.oracle.d_ece_bits, abs=1e-12)
        assert set(study.zoo(ZooScale.LLR).speakers) == set(matrices.similarity.speakers)
        own = dict(zip(matrix.speakers, matrix.mean_log10_lr().diagonal(), strict=True))
        zoo = study.zoo(ZooScale.LLR)
        for k, speaker in enumerate(zoo.speakers):
            assert zoo.target_mean[k] / np.log(10.0) == pytest.approx(own[speaker], abs=1e-9)


def test_a_setting_that_is_not_there_is_a_sentence(matrices: SimilarityEntry) -> None:
    with pytest.raises(InputError, match="B2 has no scores for XX"):
        study_of(matrices, "xx")


def test_comparisons_of_one_kind_only_are_a_sentence() -> None:
    trials = study_of_rows(ROWS).trials
    with pytest.raises(InputError, match="All of these comparisons are of one kind"):
        SpeakerStudy.of(replace(trials, is_target=np.ones(len(trials), np.bool_)))


def test_trials_without_ids_are_a_sentence() -> None:
    entry = demo_project().entries[0]
    trials = Trials.from_scores([1.0, 2.0], [0.0])
    nameless = Entry("x", trials, entry.assessment)
    with pytest.raises(InputError, match="name neither enrolments nor test segments"):
        study_of(nameless)


def test_the_map_among_the_files_of_an_assessment_tells_who_speaks(tmp_path: Path) -> None:
    (tmp_path / "scores").write_text("a-1 a-2 2\na-1 b-1 1\nb-1 b-2 3\nb-2 a-2 0\n")
    (tmp_path / "key").write_text("a-1 a-2 target\na-1 b-1 nontarget\nb-1 b-2 target\nb-2 a-2 nontarget\n")
    (tmp_path / "utt2spk").write_text("a-1 a\na-2 a\nb-1 b\nb-2 b\n")
    [entry] = arrive([tmp_path]).entries
    assert {found.speaker for found in study_of(entry).disclosures.speakers} == {"a", "b"}

    without = assess_files(tmp_path / "scores", tmp_path / "key")
    assert {found.speaker for found in study_of(without).disclosures.speakers} != {"a", "b"}

    (tmp_path / "utt2spk").write_text("a-1 a\na-2 a\nb-1 b\nb-2 c\n")
    with pytest.raises(InputError, match="utt2spk"):
        study_of(entry)


def test_mean_ranks_are_those_of_one_speaker_after_the_other() -> None:
    study = study_of_rows(ROWS)
    ranks = study.ranks
    assert ranks is not None
    # a-1: b 4, a 3, =c 1; b-1: b 2, a 0; =c: =c 5.
    assert study.mean_ranks == {"a": 2.0, "b": 1.0, "=c": 1.0}
    assert study.mean_ranks == ranks.mean_ranks()


def test_ranks_of_too_large_a_table_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of_rows(ROWS)
    monkeypatch.setattr("zebra_core.speakers.rank_disclosure.LARGEST_TABLE", 8)
    assert rank_true_speakers(study.trials) is None


def test_the_table_has_a_row_for_each_speaker_and_no_formulas() -> None:
    study = study_of_rows(ROWS)
    head, *lines = speakers_csv(study).splitlines()

    assert head.split(",")[:2] == ["speaker", "d_ece_bits"]
    names = [line.split(",")[0] for line in lines]
    assert sorted(names) == ["'=c", "a", "b"]
    worst = study.disclosures.speakers[0]
    assert float(lines[0].split(",")[1]) == worst.d_ece_bits
    assert lines[0].split(",")[-2:] == [str(worst.n_target), str(worst.n_nontarget)]


def test_chance_is_tested_with_progress() -> None:
    done: list[float] = []
    found = study_of_rows(ROWS).differences(ZooScale.SCORE, done.append)
    assert [difference.character.value for difference in found] == ["goat", "lamb", "wolf"]
    assert done == sorted(done)
