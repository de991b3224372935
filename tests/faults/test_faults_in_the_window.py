"""What goes wrong while somebody works: it is told, the project stays open, and its changes are kept."""

import datetime as dt
import os
import time

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QWidget

from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import OutputError
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import save_report
from zebra_gui.document.autosave import autosave_of
from zebra_gui.faults.faults import Faults


@pytest.fixture
def case(tmp_path, demo):
    save_project(demo, tmp_path / "case.zebra")
    return tmp_path / "case.zebra"


@pytest.fixture
def opened(window, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    return window


def rename(window, name):
    window.session.edits.rename([window.session.items[0].id], name)


def kept_name(case):
    return open_project(autosave_of(case)).project.items[0].name


def test_a_fault_keeps_the_changes_at_once(opened, qtbot, case):
    opened.documents.autosave._timer.setInterval(600_000)  # the usual delay is not to be waited for
    rename(opened, "mine")
    opened.session.report_failure(ZeroDivisionError("secret"))
    qtbot.waitUntil(autosave_of(case).exists)
    assert kept_name(case) == "mine"
    assert "being kept aside" in " ".join(one.text() for one in opened.dialogs._fault.findChildren(QLabel))
    opened.dialogs._fault.close()


def test_a_fault_on_a_full_disk_says_each_time_that_the_changes_are_not_kept(opened, qtbot, monkeypatch):
    def full(*_given):
        raise OutputError("disk-full", file="case.zebra", folder="/there")

    monkeypatch.setattr("zebra_gui.document.work.save_aside", full)
    for name in ("mine", "his"):
        opened.session.dismiss_problems()
        rename(opened, name)
        opened.session.report_failure(ZeroDivisionError(name))
        qtbot.waitUntil(lambda: len(opened.session.problems) == 2)
        assert "case.zebra cannot be written: the disk of /there is full." in opened.session.problems[1]
    opened.dialogs._fault.close()


def test_a_fault_in_what_tells_how_the_window_looks_keeps_them_too(opened, qtbot, case, monkeypatch):
    monkeypatch.setattr(opened.documents.autosave, "_view", lambda: 1 / 0)
    opened.documents.autosave._timer.setInterval(600_000)
    rename(opened, "mine")
    opened.session.report_failure(ZeroDivisionError())
    qtbot.waitUntil(autosave_of(case).exists)
    assert kept_name(case) == "mine"
    opened.dialogs._fault.close()


@pytest.mark.parametrize("ending", [ZeroDivisionError("x"), SystemExit(3), MemoryError()])
def test_a_job_that_raises_and_a_worker_that_dies_are_told(opened, settled, ending):
    def work(_on_progress):
        raise ending

    job = opened.jobs.start("work", work)
    job.failed.connect(opened.session.report_failure)
    settled(opened.jobs)
    assert len(opened.session.problems) == 1
    assert len(opened.session.entries) == 4
    opened.jobs.start("next", lambda _on_progress: 1)
    settled(opened.jobs)
    if opened.dialogs._fault is not None:
        opened.dialogs._fault.close()


class Broken(QWidget):
    """Raises whenever it is painted, with a painter at work."""

    painted = 0

    def paintEvent(self, event):  # noqa: N802 - Qt calls it so
        self.painted += 1
        painter = QPainter(self)
        1 / (0 if painter.isActive() else 1)  # not `raise`: C code raises otherwise


def test_a_pane_that_raises_in_paint_is_told_once(opened, monkeypatch, caplog, qtlog):
    caplog.set_level(100)
    faults = Faults(opened)
    faults.happened.connect(opened.session.report_failure)
    monkeypatch.setattr("sys.excepthook", faults.catch)
    told = []
    opened.session.faulted.connect(told.append)
    rename(opened, "mine")
    opened.workspace.show_topic("overview")
    broken = Broken(opened.workspace.pane("overview"))
    broken.resize(300, 300)
    broken.show()
    while_painting(broken, 30)

    assert broken.painted >= 30
    assert [type(error) for error in told] == [ZeroDivisionError]
    assert len(opened.session.problems) == 1
    assert opened.dialogs._fault.isVisible()
    assert not [one.message for one in qtlog.records if "paint" in one.message.lower()]
    opened.session.select(opened.session.entries[1].id)
    assert opened.session.selected is opened.session.entries[1]
    assert opened.isWindowModified()
    opened.dialogs._fault.close()
    broken.setParent(None)


def test_a_fault_while_the_window_is_asked_to_close_leaves_it_open(opened, monkeypatch):
    """Whether changes would be lost could not be found out: then they must not be."""
    rename(opened, "mine")
    with monkeypatch.context() as patch:
        patch.setattr(opened.documents, "may_go", lambda _again: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened.close()
    assert opened.isVisible()
    assert opened.isWindowModified()


def test_a_fault_in_what_is_kept_of_its_looks_closes_the_window_all_the_same(opened, monkeypatch, case):
    monkeypatch.setattr(opened.workspace, "save_layout", lambda: 1 / 0)
    opened.close()
    assert not opened.isVisible()
    assert [path.name for path in case.parent.iterdir()] == ["case.zebra"]  # no lock, nothing to recover


def while_painting(widget, frames):
    """Run the loop of the program, as long as it takes to paint a widget so often."""
    loop, timer = QEventLoop(), QTimer()

    def on_timeout():
        widget.update()
        if widget.painted >= frames:
            loop.quit()

    timer.timeout.connect(on_timeout)
    timer.start(1)
    loop.exec()
    timer.stop()


def test_the_clock_goes_backwards(opened, settled, qtbot, case, monkeypatch, tmp_path):
    monkeypatch.setattr(time, "time", lambda: 0.0)
    os.utime(case, (4e9, 4e9))
    opened.documents.open(case)
    settled(opened.jobs)
    rename(opened, "mine")
    opened.documents.autosave.keep_now()
    qtbot.waitUntil(autosave_of(case).exists)
    assert kept_name(case) == "mine"
    opened.documents.save()
    settled(opened.jobs)
    assert open_project(case).project.items[0].name == "mine"
    project = opened.session.project
    one = project.without(item.id for item in project.items[1:])
    report = save_report(gather(one), tmp_path / "report.pdf", date=dt.date(1970, 1, 1))
    assert report.stat().st_size > 10_000


def test_a_file_that_another_program_replaced_is_not_overwritten(opened, settled, case, demo, answers):
    save_project(demo.without([demo.items[0].id]), case)
    theirs = case.read_bytes()
    elsewhere = case.with_name("mine.zebra")
    answers["project"] = elsewhere
    rename(opened, "mine")
    told = []
    opened.session.problems_changed.connect(lambda: told.extend(opened.session.problems))
    opened.documents.save()
    settled(opened.jobs)
    assert case.read_bytes() == theirs
    assert open_project(elsewhere).project.items[0].name == "mine"
    assert told[0].startswith("“case.zebra” was changed by another program since it was opened here.")


def test_without_room_for_temporary_files_projects_open(opened, settled, case, monkeypatch):
    opened.documents.put_inputs_inside(True)
    opened.documents.save()
    settled(opened.jobs)
    monkeypatch.setattr("tempfile.tempdir", str(case / "no folder"))
    opened.documents.open(case)
    settled(opened.jobs)
    assert len(opened.session.entries) == 4
    assert "\n".join(opened.session.problems) == (
        "There is no space for temporary files (Not a directory). Free some, or name another folder in "
        "TMPDIR."
    )

    opened.documents.put_inputs_inside(False)  # nobody needs the room then, and nothing is said
    opened.documents.save()
    settled(opened.jobs)
    opened.documents.open(case)
    settled(opened.jobs)
    assert opened.session.problems == ()


def test_a_file_that_was_deleted_is_written_again(opened, settled, case):
    case.unlink()
    rename(opened, "mine")
    opened.documents.save()
    settled(opened.jobs)
    assert open_project(case).project.items[0].name == "mine"
    rename(opened, "again")
    opened.documents.save()  # what we wrote ourselves is no change of another's
    settled(opened.jobs)
    assert open_project(case).project.items[0].name == "again"
