"""Names of files and items that were chosen to do harm: in menus, titles, bars, logs and suggested names."""

import logging
import os
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDockWidget, QTabBar, QWidget

from zebra_core.document.project_file import save_project
from zebra_core.errors import InputError
from zebra_core.figures.export import zebra_stem
from zebra_gui.document.recents import recent_projects
from zebra_gui.faults.logs import start_logging, stop_logging

HOSTILE = "<img src=x>&x <a href='http://x'>y</a> %s %1 {0} \\n \\input{x} $x$\x1b[31m\u202eevil\u2066\n\tz"
NOT_SHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")
LONG = "W" * 900


@pytest.fixture
def hostile_case(tmp_path, demo) -> Path:
    """A project whose file and folder, too, have such names, as far as a file can have them."""
    folder = tmp_path / HOSTILE.replace("/", "_")[:60]
    folder.mkdir()
    project = demo
    for number, item in enumerate(demo.items):
        name = (LONG if number == 1 else HOSTILE) + str(number)
        project = project.replacing(replace(item, name=name, dataset=HOSTILE, attacker=HOSTILE, run=HOSTILE))
    path = folder / f"{HOSTILE.replace('/', '_')}.zebra"
    save_project(replace(project, title=HOSTILE), path)
    return path


@pytest.fixture
def hostile_window(window, hostile_case, settled):
    window.open_paths([hostile_case])
    settled(window.jobs)
    return window


def texts_of(widget):
    """Everything a widget shows, tells a screen reader, or shows under the pointer."""
    yield from (widget.toolTip(), widget.statusTip(), widget.whatsThis(), widget.windowTitle())
    yield from (widget.accessibleName(), widget.accessibleDescription())
    for action in widget.actions():
        yield from (action.text(), action.toolTip(), action.statusTip())
    if isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            yield from (widget.tabText(tab), widget.tabToolTip(tab))
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    if callable(getattr(widget, "text", None)) and not hasattr(widget, "document"):
        yield str(widget.text())


def test_no_pane_shows_or_reads_out_what_is_invisible_rich_or_a_key(hostile_window, settled):
    for topic in hostile_window.workspace.topics:
        hostile_window.workspace.show_topic(topic)
        settled(hostile_window.jobs)
        settled(hostile_window.session.drawing._pictures)
        settled(hostile_window.session.drawing._pages)

    shown = 0
    for widget in [hostile_window, *hostile_window.findChildren(QWidget)]:
        for text in texts_of(widget):
            shown += "img" in text
            assert not NOT_SHOWN.search(text), (type(widget), text)
        for text in (widget.toolTip(), widget.statusTip(), widget.whatsThis()):
            assert "<img" not in text
            assert "<a " not in text
    assert shown > 20
    actions = hostile_window.findChildren(QAction)
    with_keys = [thing.text() for thing in (*actions, *hostile_window.findChildren(QAbstractButton))]
    with_keys += [dock.windowTitle() for dock in hostile_window.findChildren(QDockWidget)]
    for bar in hostile_window.findChildren(QTabBar):
        with_keys += [bar.tabText(tab) for tab in range(bar.count())]
    for text in with_keys:
        if "img" in text:
            assert not re.search(r"(?<!&)(&&)*&(?!&)", text), text


def test_the_title_shows_the_name_of_the_file_on_one_line(hostile_window):
    title = hostile_window.windowTitle()
    assert title.startswith(
        "<img src=x>&x <a href='http:__x'>y<_a> %s %1 {0} \\n \\input{x} $x$\\x1b[31m\\u202eevil"
    )
    assert title.endswith("\\u2066\\n\\tz.zebra[*] – ZEBRA")
    hostile_window.session.edits.rename([hostile_window.session.items[0].id], "[*]")
    assert hostile_window.windowTitle() == title
    assert hostile_window.isWindowModified()


def test_the_menu_of_recent_projects_has_the_file_and_its_own_keys(hostile_window, hostile_case):
    menu = hostile_window.file_menu.document_actions.recent
    menu.fill()
    first = menu.actions()[0]
    assert recent_projects() == [hostile_case]
    assert first.text().startswith("&1  <img src=x>&&x <a href='http:__x'>y<_a> %s %1 {0} \\n")
    assert not NOT_SHOWN.search(first.text())
    assert menu.toolTipsVisible()
    assert first.toolTip().startswith("<p")
    assert "&lt;img src=x&gt;&amp;x" in first.toolTip()
    assert "<img" not in first.toolTip()


def test_what_was_saved_and_what_went_wrong_is_told_in_plain_text(hostile_window, hostile_case, settled):
    hostile_window.documents.save()
    settled(hostile_window.jobs)
    told = hostile_window.statusBar().currentMessage()
    assert told.startswith("Saved “<img src=x>&x")
    assert not NOT_SHOWN.search(told)

    hostile_case.unlink()
    hostile_window.documents.open(hostile_case)
    job = hostile_window.statusBar().job_name
    assert job.text().startswith("Opening <img src=x>&x")
    assert job.textFormat() is Qt.TextFormat.PlainText
    settled(hostile_window.jobs)
    bar = hostile_window.problem_bar.text
    assert "<img src=x>&x" in bar.text()
    assert bar.textFormat() is Qt.TextFormat.PlainText
    assert not NOT_SHOWN.search(bar.text())


def test_a_job_called_by_its_file_is_plain_too(hostile_window):
    job = hostile_window.jobs.start(f"Exporting {zebra_stem(HOSTILE)}", lambda _on_progress: None)
    assert hostile_window.statusBar().job_name.textFormat() is Qt.TextFormat.PlainText
    job.cancel()


def test_logs_hold_no_line_that_a_name_could_have_forged(tmp_path):
    start_logging(tmp_path)
    try:
        raise InputError("empty", file=HOSTILE)
    except InputError:
        logging.getLogger("zebra_gui.test").exception("unexpected failure")
    finally:
        stop_logging()
    text = (tmp_path / "zebra.log").read_text()
    assert "code empty" in text
    assert "img" not in text
    assert not NOT_SHOWN.search(text)


NAMES = [
    HOSTILE,
    "../../etc/passwd",
    "..",
    ".",
    "/",
    "\\\\server\\share",
    "a/b\\c",
    "nul\0byte",
    "CON",
    "com1.txt",
    "LPT9",
    ".hidden",
    "-rf",
    "--out=x",
    "a. . .",
    "a:b*c?d\"e<f>g|h",
    "n" * 300,
    "\u4e2d" * 200,
    "\U0001f993" * 100,
    "e\u0301",
    "\ud800",
    "",
    "  ",
]  # fmt: skip


RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))}


def test_suggested_names_are_legal_everywhere_and_stay_in_their_folder(tmp_path, window, demo, answers):
    asked = []
    answers["picture"] = asked.append
    answers["project"] = asked.append
    for name in NAMES:
        item = replace(demo.items[0], name=name, dataset=name)
        window.session.restart(replace(demo.replacing(item), title=name))
        window.session.select(item.id)
        workspace = window.workspace
        cards = [card for one in workspace.topics for card in workspace.pane(one).figure_cards()]
        asked += [f"{card.file_stem()}-standalone.tex" for card in cards]
        window.documents.save_as()
        window.export_menu.save_picture()
    assert len(asked) > 10 * len(NAMES)
    for suggested in set(asked):
        assert Path(suggested).name == suggested
        assert not re.search(r'[<>:"/\\|?*]', suggested)
        assert not any(unicodedata.category(c)[0] == "C" for c in suggested)
        assert len(os.fsencode(suggested)) <= 255
        assert not suggested.startswith((".", "-", " "))
        assert not suggested.endswith((".", " "))
        assert suggested.split(".")[0].upper() not in RESERVED
        (tmp_path / suggested).write_bytes(b"")


def test_the_clipboard_gets_names_without_anything_invisible(hostile_window):
    hostile_window.edit_menu.copy_figures()
    assert not NOT_SHOWN.search(QApplication.clipboard().text())
