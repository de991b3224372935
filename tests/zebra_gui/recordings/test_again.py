"""The next delivery, assessed as the last one was: by command, and in the window."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.zebra_gui.conftest import drop
from tests.zebra_gui.recordings.material import material, rest
from tests.zebra_gui.test_cli import zebra
from tests.zebra_gui.turning import turn_events
from zebra_core.document.project_file import open_project, save_project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.recordings.again import same_again
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.folder_roles import FolderRole
from zebra_core.recordings.section import record_of_project

EARLIER = Path(__file__).parents[2] / "data" / "earlier"


def delivered(top, copies="Vendor/copies"):
    """Originals and copies in folders whose names say nothing, and a table of who speaks."""
    made = material(top / "made")
    (top / copies).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(made / "original", top / "Calls")
    shutil.move(made / "B2", top / copies)
    made.rmdir()
    calls = sorted((top / "Calls").rglob("*.wav"))
    lines = [f"{one.name};{one.parent.name};2026-03-01" for one in calls]
    (top / "calls.csv").write_text("\n".join(["file;Patient;day", *lines]))
    return top


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """A project of the first delivery, whose scores are inside."""
    top = tmp_path_factory.mktemp("first")
    first = delivered(top / "March")
    scores = top / "scores"
    done = zebra(
        "score", "--original", str(first / "Calls"), "--protected", f"Vendor={first / 'Vendor' / 'copies'}",
        "--speakers", str(first / "calls.csv"), "--speaker-column", "Patient", "--trials", "all",
        "--attacker", "cosine", "-o", str(scores),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    project = project_of_folder(scores).project
    project = project.requiring(Requirement("Little", "d_ece_bits", 0.01))
    report = ReportSettings(case="Telemedicine", question="May it be shared?", report_id="7")
    items = tuple(
        replace(one, is_ticked=bool(one.entries), colour=n + 2) for n, one in enumerate(project.items)
    )
    project = replace(project, title="March", report=report, items=items)
    made = save_project(project, top / "march.zebra", with_inputs=True).path
    shutil.rmtree(scores)
    return made


def test_the_next_month_by_one_command(case, tmp_path):
    april = delivered(tmp_path / "April")
    before = sorted(april.rglob("*"))
    out = tmp_path / "april.zebra"
    done = zebra("again", str(case), "--with", str(april), "-o", str(out), "--json")

    assert done.exit_code in (5, 6), done.stderr
    told = json.loads(done.stdout)
    made = open_project(out).project
    assert (made.title, made.report.case, made.report.report_id) == ("April", "Telemedicine", "")
    assert [one.name for one in made.requirements] == ["Little"]
    assert [item.is_ticked for item in made.items] == [bool(item.entries) for item in made.items]
    assert not all(item.is_ticked for item in made.items)
    assert (made.since.file, made.since.title) == ("march.zebra", "March")
    assert told["since"]["baseline"]["looks"] == 1
    assert told["verdicts"][0]["recorded"] == "not-shown"
    assert sorted(april.rglob("*")) == before  # nothing is written into the delivery
    again = zebra("again", str(out), "--with", str(april), "-o", str(tmp_path / "may.zebra"))
    assert "comparison number 2 in a row" in again.stdout


def test_what_does_not_fit_is_said_before_anything_is_heard(case, tmp_path):
    other = delivered(tmp_path / "April", "Elsewhere/renamed")
    (other / "calls.csv").write_text("file;Customer\n")
    done = zebra("again", str(case), "--with", str(other), "-o", str(tmp_path / "april.zebra"))

    assert done.exit_code == 1
    assert "“Vendor/copies”" in done.stderr
    assert "Elsewhere" in done.stderr
    assert not (tmp_path / "april.zebra").exists()


def test_a_record_says_how_it_was_made_without_any_folder_above_the_delivery(case, tmp_path):
    record = record_of_project(case, open_project(case).project, tmp_path)
    assert record.values["asked"]["original"] == "Calls"
    assert record.values["asked"]["protected"] == {"Vendor": "Vendor/copies"}
    found = same_again(record, delivered(tmp_path / "April"))

    assert found.choices.attacker is AttackerChoice.COSINE
    assert {*found.choices.roles.values()} == {FolderRole.ORIGINAL, FolderRole.PROTECTED}
    assert found.request().speakers.column == "Patient"
    assert found.differences == ()
    moved = tmp_path / "May" / "inside"
    shutil.copytree(tmp_path / "April", moved)
    assert same_again(record, moved.parent).request().original == moved / "Calls"  # by its name


def test_a_command_names_all_places_from_the_root(case, tmp_path, monkeypatch):
    record = record_of_project(case, open_project(case).project, tmp_path)
    monkeypatch.chdir(tmp_path)
    delivered(tmp_path / "April")
    words = same_again(record, Path("April")).request().as_words(Path("out"))
    places = [word.rpartition("=")[2] for word in words if os.sep in word]
    assert places
    assert all(Path(place).is_absolute() for place in places)
    assert words[-1] == str(tmp_path / "out")


def test_the_window_fills_the_sheet_with_the_choices_of_last_time(window, case, tmp_path, monkeypatch):
    april = delivered(tmp_path / "April")
    window.documents.open(case)
    rest(window)
    monkeypatch.setattr(window.dialogs, "ask_folder", lambda _what: april)
    window.recordings.again.trigger()
    rest(window, lambda: window.recordings.state.is_ready)

    state, project = window.recordings.state, window.session.project
    assert state.overview.lacking == ()
    assert state.choices.names == {april / "Vendor" / "copies": "Vendor"}
    assert state.overview.source.column == "Patient"
    assert [one.source.column for one in state.overview.offers if hasattr(one.source, "column")] == [
        "Patient"
    ]
    assert [one.name for one in project.requirements] == ["Little"]
    assert (project.title, project.since.file, project.items) == ("April", "march.zebra", ())
    assert window.documents.path is None  # a new project, and the old one stays as it was
    assert state.as_words()[-1] == str(april.with_name("April-scores"))
    state.start()
    rest(window, lambda: bool(window.session.entries))
    assert {one.name for one in window.session.entries} == {"Vendor", "unprotected"}
    assert window.session.project.since.file == "march.zebra"
    before = open_project(case).project.entries
    ticks, ticks_before = (
        {(one.own_name, one.condition, one.attacker): (one.is_ticked, one.colour) for one in entries}
        for entries in (window.session.entries, before)
    )
    assert ticks == ticks_before
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *told: asked.append(told[2]) or ("", ""))
    window.documents.save_as()
    assert Path(asked[0]).parent == april.parent  # beside the delivery


def test_a_folder_dropped_on_a_project_of_the_same_make_offers_a_new_project(window, case, tmp_path):
    april = delivered(tmp_path / "April")
    (april / "More").mkdir()
    shutil.copy(next((april / "Calls").rglob("*.wav")), april / "More")
    window.documents.open(case)
    rest(window)
    drop(window, april)
    rest(window, lambda: window.recordings.state.is_ready)

    state, bar = window.recordings.state, window.recordings.again_bar
    assert state.choices.names == {april / "Vendor" / "copies": "Vendor"}
    assert "no recordings in More" in window.recordings.page.outcome.remarks[0]
    assert "“march.zebra”" in bar.text.text()
    assert window.documents.path == case  # nothing has happened to what is open
    for n in range(9):
        window.session.report_problem(f"{n} {'words ' * 40}")
    turn_events(5)
    assert window.minimumSizeHint().height() <= 600  # of 768 that a small screen has, however much is said
    window.session.dismiss_problems()
    state.choose(replace(state.choices, names={april / "Vendor" / "copies": "Vendor 2"}))
    rest(window, lambda: state.is_ready)
    window.recordings.anew.click()
    rest(window, lambda: state.is_ready)

    project = window.session.project
    assert (project.title, project.since.file, project.items) == ("April", "march.zebra", ())
    assert window.documents.path is None
    assert state.choices.names == {april / "Vendor" / "copies": "Vendor 2"}  # as the sheet was left
    assert not bar.isVisible()


def test_another_folder_dropped_on_the_project_is_looked_at_as_any_other(window, case, top):
    window.documents.open(case)
    rest(window)
    drop(window, top)
    rest(window, lambda: window.recordings.state.overview is not None)
    assert len(window.recordings.state.dropped.versions) == 2
    assert not window.recordings.again_bar.isVisible()


@pytest.mark.parametrize("is_same_people", [True, False, None])
def test_the_menu_holds_a_project_against_an_earlier_one(window, case, answers, monkeypatch, is_same_people):
    window.documents.open(case)
    rest(window)
    answers["earlier report"] = case
    monkeypatch.setattr(window.dialogs, "ask_same_people", lambda: is_same_people)
    window.file_menu.since_action.trigger()
    rest(window)

    since = window.session.project.since
    assert (since and (since.file, since.is_same_people)) == (
        None if is_same_people is None else ("march.zebra", is_same_people)
    )
    assert bool(window.session.problems) is (is_same_people is not None)


def test_the_next_scores_and_keys_by_one_command(tmp_path):
    march = shutil.copytree(EARLIER, tmp_path / "March", ignore=shutil.ignore_patterns("*.pdf", "*.md"))
    project = project_of_folder(march).project.requiring(Requirement("Little", "d_ece_bits", 0.5))
    items = (replace(project.items[0], is_ticked=True, colour=3), *project.items[1:])
    case = save_project(replace(project, items=items), tmp_path / "march.zebra").path
    april, out = shutil.copytree(march, tmp_path / "April"), tmp_path / "april.zebra"
    done = zebra("again", str(case), "--with", str(april), "-o", str(out))

    assert done.exit_code == 6, done.stderr  # too few people to decide
    made = open_project(out).project
    assert (made.items[0].is_ticked, made.items[0].colour) == (True, 3)
    assert {file.path.is_relative_to(april) for item in made.items for file in item.files} == {True}
    assert [one.name for one in made.requirements] == ["Little"]
    assert (made.title, made.since.file) == ("April", "march.zebra")
