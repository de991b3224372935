"""How many people share their combination, true and inferred from original and protected speech, by hand."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.attribute_cases import (
    ACCENT,
    AGE,
    RECORDINGS,
    SAID,
    SEX,
    write_before_and_after,
    write_scores,
)
from tests.core.report.test_opinion import page, words
from zebra_core.document.evidence import evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.evidence.value_types import fault
from zebra_core.figures.uncertainty import uniqueness_figure
from zebra_core.project.comparison.inference import Labels, uniqueness, uniqueness_of
from zebra_core.project.comparison.studies import studied
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import assess_files
from zebra_core.project.uniqueness import Uniqueness, before_and_after
from zebra_core.report.document import ReportPicture, TableBlock
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verify import verify

WHO = {one: one[:2] for one in RECORDINGS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("unique")
    write_before_and_after(made)
    return made


@pytest.fixture(scope="module")
def project(folder: Path) -> Project:
    return project_of_folder(folder).project


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    made = tmp_path_factory.mktemp("scores")
    write_scores(made)
    entry = assess_files(made / "scores", made / "trials", name="x")
    assert isinstance(entry.trials, Trials)
    return entry.trials


def counted(
    trials: Trials, said: Mapping[str, str] | None = None, **attributes: Mapping[str, str]
) -> Uniqueness:
    named = [(name, Labels(of)) for name, of in attributes.items()]
    return uniqueness(trials, named, [Labels(said)] if said else [], WHO)


def test_before_and_after_by_hand(project: Project) -> None:
    """Truly s0 and s2 are alone; protected, s1 is, wrongly. All of s2 and s3 is right, not theirs alone."""
    found = studied("uniqueness", project.entries)
    missing = found.missing
    assert not missing
    (one,) = before_and_after(project.entries, found)
    true = one.true.true
    assert one.true.attributes == ("accent", "age", "sex")
    assert (true.n_people, true.n_unique, true.smallest, true.n_in_small) == (8, 2, 1, 8)
    assert true.curve == (1 / 24, 2 / 24, 2 / 8)
    assert one.original is not None
    original = one.original[1].inferred
    assert original is not None
    assert (original.found, original.n_right, original.n_right_and_unique) == (true, 8, 2)
    ((entry, protected),) = one.protected
    assert entry.condition is Condition.PP
    assert protected.inferred is not None
    inferred = protected.inferred
    assert (inferred.found.n_unique, inferred.found.smallest) == (1, 1)
    assert (inferred.n_right, inferred.n_right_and_unique, inferred.n_wrong_and_unique) == (2, 0, 1)
    assert protected.is_like(one.original[1])


def test_sentences_say_before_and_after_and_whom_they_are_of(project: Project) -> None:
    found = studied("uniqueness", project.entries)
    (one,) = before_and_after(project.entries, found)
    assert one.original is not None
    ((entry, protected),) = one.protected
    true, original, inferred, caveat = protected.sentences(entry, one.original[1])
    assert true == (
        "Unique by their combination of attributes (accent, age, sex): 2 of 8 people; the smallest group of "
        "people alike has 1."
    )
    assert original.startswith("As inferred from original speech: 2 of 8, 0 of them with a combination that")
    assert inferred.startswith("As inferred from protected speech: 1 of 8, 1 of them with a combination that")
    assert caveat.startswith("Counted among the people in these files;")
    others = replace(one.original[1], attributes=("sex",))
    assert "so the two do not compare exactly" in " ".join(protected.sentences(entry, others))


def test_who_lacks_a_value_is_told_and_not_counted(trials: Trials) -> None:
    found = counted(trials, sex=SEX, age={name: of for name, of in AGE.items() if name != "s0"})
    assert (found.true.n_people, found.n_lacking, found.inferred) == (7, 1, None)
    assert [str(one) for one in found.remarks] == [
        "One of 8 people lacks the value of an attribute, and is not counted."
    ]


def test_who_lacks_predictions_is_told_and_not_counted_among_the_inferred(trials: Trials) -> None:
    found = counted(trials, {one: SEX[one[:2]] for one in RECORDINGS if one[:2] != "s3"}, sex=SEX)
    assert found.inferred is not None
    assert (found.true.n_people, found.inferred.found.n_people) == (8, 7)
    assert "One of 8 people lacks predictions" in str(found.remarks[0])


def test_attributes_that_nobody_predicted_are_told(trials: Trials) -> None:
    found = counted(trials, {one: SEX[one[:2]] for one in RECORDINGS}, sex=SEX, accent=ACCENT)
    assert found.inferred is not None
    assert (found.attributes, found.inferred.attributes) == (("sex", "accent"), ("sex",))
    assert str(found.remarks[0]).startswith("Inferred combinations are without accent:")


def test_of_s0_both_sexes_are_guessed_so_the_commoner_guess_is_taken(trials: Trials) -> None:
    found = counted(trials, SAID, sex=SEX)
    assert found.inferred is not None
    assert (found.inferred.n_right, found.inferred.n_tied) == (7, 1)
    assert str(found.remarks[0]).startswith("Of one person several values were predicted equally often;")


def test_predictions_of_strangers_say_nothing(trials: Trials) -> None:
    found = counted(trials, {"somebody": "f"}, sex=SEX)
    assert found.inferred is None
    assert str(found.remarks[0]).startswith("None of the people has predictions")


def test_of_other_people_nothing_can_be_counted(trials: Trials) -> None:
    with pytest.raises(InputError, match="none of these speakers has a value of each attribute"):
        counted(trials, sex={"somebody": "f"}, age=AGE)


def test_without_attributes_there_is_nothing(folder: Path, project: Project) -> None:
    (scores,) = folder.glob("exp/B1/*/scores")
    entry = assess_files(scores, folder / "data" / "libri_test_trials_mixed" / "trials", name="x")
    assert uniqueness_of(entry) is None
    assert "Uniqueness" not in words(page(gather(Project(items=(entry,)))))


def test_the_page_has_a_table_and_a_picture_before_and_after(project: Project) -> None:
    blocks = page(gather(project))
    table = next(
        one for one in blocks if isinstance(one, TableBlock) and one.columns[0].head == "Combinations"
    )
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["True (accent, age, sex)", "8", "25 %", "1", "8", ""],
        ["unprotected OO", "8", "25 %", "1", "8", "25 %"],
        ["B1 PP, lazy-informed", "8", "12 %", "1", "8", "0 %"],
    ]
    picture = next(one for one in blocks if isinstance(one, ReportPicture) and one.stem == "uniqueness")
    assert [line.label for line in picture.figure.lines] == [  # type: ignore[union-attr]
        "true attributes",
        "inferred: unprotected OO",
        "inferred: B1 PP, lazy-informed",
    ]
    assert "These are counts of the people in the files" in words(blocks)


def test_the_picture_says_in_words_what_it_shows(project: Project) -> None:
    found = studied("uniqueness", project.entries)
    figure = uniqueness_figure(before_and_after(project.entries, found))
    assert "true attributes: by 3 attributes a share of 0.250 is unique." in figure.alt_text
    assert figure.lines[0].y.tolist() == [1 / 24, 2 / 24, 2 / 8]


def test_evidence_follows_its_schema_and_is_verified(project: Project, folder: Path, tmp_path: Path) -> None:
    made = evidence(gather(project), dt.date(2026, 11, 22), {"zebra": "1"})
    assert fault(made, evidence_type()) is None
    right = [each["uniqueness"]["inferred"]["right"] for each in made["assessments"]]
    assert sorted(right) == [2 / 8, 1.0]
    told = checked(made, folder, tmp_path)
    assert list(told.values()) == ["verified", "verified"]
    made["assessments"][0]["uniqueness"]["true"]["unique"] = 0.125
    assert sorted(checked(made, folder, tmp_path).values()) == ["differs", "verified"]


def checked(made: dict, folder: Path, tmp_path: Path) -> dict[tuple[str, str], str]:
    """What verifying says of uniqueness, by the assessment."""
    (tmp_path / "evidence.json").write_bytes(as_bytes(made))
    found = verify(tmp_path / "evidence.json", [folder]).checked
    return {(one.about, one.what): one.status.value for one in found if one.what == "uniqueness"}
