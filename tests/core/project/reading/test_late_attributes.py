"""Attributes and predictions that come after the scores join the assessments they are of."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.attribute_cases import ACCENT, SAID, SEX, two_columns, write_scores
from tests.core.document.samples import KEY, SCORES, write_case
from zebra_core.errors import Cancelled, ZebraError
from zebra_core.evidence.audit import InputState
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.comparison.inference import inference_of
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import with_findings
from zebra_core.project.reading.late_attributes import join, look_for_changes, read_all_anew, read_anew
from zebra_core.project.reading.reading import assess_files, read_again, try_planned


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


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write_case(tmp_path / "data")


@pytest.fixture
def entry(files: tuple[Path, Path]) -> Entry:
    made = assess_files(*files, allow=["infinite-scores"], condition=Condition.PP)
    return replace(made, name="called by me", notes="mine", attacker="ignorant", colour=5)


def looked(project: Project, before) -> tuple[Project, dict]:
    found, now = look_for_changes(project, before)
    return with_findings(project, found), now


def test_what_nobody_touched_is_not_read(entry: Entry, files, monkeypatch) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    monkeypatch.setattr("zebra_core.project.reading.inputs.open_regular", None)  # to read would fail
    found, again = look_for_changes(project, stamps)
    assert not found.standings
    assert again == stamps
    assert set(stamps) == set(files)


def test_a_file_that_is_written_anew_is_noticed_though_its_size_is_the_same(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    files[1].write_text(KEY.replace("m1 u1 target", "m1 u9 target"))
    os.utime(files[1], ns=(1, 10**18))
    marked, _ = looked(project, stamps)
    assert [file.state for file in marked.items[0].files] == [InputState.AS_READ, InputState.CHANGED]


def test_a_file_that_was_only_touched_has_not_changed(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    os.utime(files[1], ns=(1, 10**18))
    assert looked(project, stamps)[0] is project


def test_a_file_that_goes_and_comes_back_is_told_both_times(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    content = files[0].read_bytes()
    files[0].unlink()
    gone, stamps = looked(project, stamps)
    assert gone.items[0].files[0].state is InputState.MISSING
    files[0].write_bytes(content)
    assert looked(gone, stamps)[0].items[0].is_as_read


def test_a_file_of_another_size_is_noticed_at_the_first_look(entry: Entry, files) -> None:
    files[0].write_text(SCORES + "\n")
    found = looked(Project(items=(entry,)), {})[0].items[0]
    assert [file.state for file in found.files] == [InputState.CHANGED, InputState.AS_READ]


def test_looking_can_be_cancelled(entry: Entry, files) -> None:
    files[0].write_text(SCORES + "\n")

    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        look_for_changes(Project(items=(entry,)), {}, stop)


def test_reading_anew_gives_the_figures_of_today_and_keeps_what_the_user_said(entry: Entry, files) -> None:
    files[0].write_text(SCORES.replace("-1.25", "7.5"))
    read = read_anew(entry)
    assert isinstance(read, Entry)
    assert read.assessment.rests_on != entry.assessment.rests_on
    assert read.files[0].sha256 != entry.files[0].sha256
    assert read.is_as_read
    assert read.audit is not None
    assert entry.audit is not None
    assert read.audit.decisions == entry.audit.decisions
    kept = ("id", "name", "notes", "attacker", "colour", "condition", "is_ticked", "dataset", "run")
    assert [getattr(read, one) for one in kept] == [getattr(entry, one) for one in kept]
    assert read.assessment.settings == entry.assessment.settings


def test_what_cannot_be_read_stays_and_is_told(entry: Entry, files) -> None:
    files[0].write_text("hello\n")
    with pytest.raises(ZebraError):
        read_anew(entry)
    found = read_all_anew([entry])
    assert found.items == ()
    assert len(found.faults) == 1
    assert found.faults[0].startswith("called by me PP, ignorant was not read again, and keeps its figures: ")
