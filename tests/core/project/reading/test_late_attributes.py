"""Attributes and predictions that come after the scores join the assessments they are of."""

from pathlib import Path

import pytest

from tests.core.attribute_cases import ACCENT, SAID, SEX, two_columns, write_scores
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.comparison.inference import inference_of
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.late_attributes import join
from zebra_core.project.reading.reading import read_again, try_planned


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores of two safeguards; attributes and predictions lie elsewhere, but for those of B2."""
    made = tmp_path_factory.mktemp("late")
    for seed, name in enumerate(("B1", "B2")):
        write_scores(made / "exp" / name, seed)
    put(made / "labels" / "sex", two_columns(SEX))
    put(made / "labels" / "accent", two_columns(ACCENT))
    put(made / "labels" / "heard", two_columns(SAID))
    put(made / "exp" / "B2" / "heard", two_columns(SAID))
    return made


@pytest.fixture(scope="module")
def project(folder: Path) -> Project:
    entries = []
    for name in ("B1", "B2"):
        paths = [folder / "exp" / name / file for file in ("scores", "trials")]
        [planned] = plan(paths).assessments
        entry = try_planned(planned).entry
        assert isinstance(entry, Entry)
        entries.append(entry)
    return Project(items=tuple(entries))


def beside(entry: Entry) -> dict[str, str]:
    return {file.path.name: file.role for file in entry.files if file.role not in ("scores", "key")}


def test_attributes_are_of_all_and_predictions_of_the_scores_beside_them(
    project: Project, folder: Path
) -> None:
    joined = join(project.entries, [folder / "labels" / "sex", folder / "exp" / "B2" / "heard"])
    first, second = joined.into(project).entries
    assert beside(first) == {"sex": "attributes"}
    assert beside(second) == {"sex": "attributes", "heard": "predictions"}
    assert {source.path.name for source in joined.sources} == {"sex", "heard"}
    assert joined.remarks == ()
    [told] = inference_of(second)
    assert told.figures["accuracy"].value == 15 / 16


def test_figures_stay_with_all_that_rests_on_them_and_the_files_are_read_again(
    project: Project, folder: Path
) -> None:
    before = project.entries[0]
    after = join([before], [folder / "labels" / "sex"]).into(project).entries[0]
    assert after.assessment.counts is before.assessment.counts
    assert after.assessment.rests_on == before.assessment.rests_on
    assert [file.role for file in read_again(after, ()).files] == ["scores", "key", "attributes"]


def test_predictions_that_fit_several_are_of_none_and_it_is_said(project: Project, folder: Path) -> None:
    joined = join(project.entries, [folder / "labels" / "sex", folder / "labels" / "heard"])
    assert [beside(entry) for entry in joined.into(project).entries] == [{"sex": "attributes"}] * 2
    [remark] = joined.remarks
    assert remark == (
        "heard fits 2 assessments, but predictions belong to a single safeguard. Put it into the folder of "
        "the scores that it belongs to, and drop it again."
    )


def test_they_join_once_and_those_of_others_not_at_all(project: Project, folder: Path) -> None:
    sex = folder / "labels" / "sex"
    joined = join(project.entries, [sex]).into(project)
    again = join(joined.entries, [sex])
    others = join(joined.entries, [put(folder / "others", "x1 f\nx2 m\nx3 f\nx4 m\n")])
    assert (again.beside, again.sources, others.beside, others.sources) == ({}, set(), {}, set())


def test_the_same_file_dropped_again_before_the_first_has_joined_is_taken_once(
    project: Project, folder: Path
) -> None:
    sex = folder / "labels" / "sex"
    first, second = (join(project.entries, [sex]) for _ in range(2))
    [entry, _] = second.into(first.into(project)).entries
    assert [file.path.name for file in entry.files] == ["scores", "trials", "sex"]
