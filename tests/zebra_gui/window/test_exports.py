"""Exports end in files, or in a sentence."""

import json
import shlex
import threading
from dataclasses import replace
from functools import partial
from hashlib import sha256

import pikepdf
import pytest
from click.testing import CliRunner
from docx import Document
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from tests.core.samples import pdf_text, pdflatex
from zebra_core.document.project_file import open_project
from zebra_core.project.comparison.difference_tests import with_certainty
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_gui.cli import main
from zebra_gui.dialogs import FIGURE_KINDS
from zebra_gui.dialogs.pictures import PicturesDialog
from zebra_gui.plots.cells import CellsView
from zebra_gui.session.session import INTERVALS_AT_ONCE
from zebra_gui.settings import settings
from zebra_gui.window.exports import word_template


@pytest.fixture
def demo_window(shared_window):
    """The window of the module: exports change nothing in it that stays."""
    return shared_window


@pytest.fixture
def own_window(window, demo):
    """A window of the test's own with the demo open."""
    window.session._on_demo_assessed(demo)
    return window


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "tex"])
def test_the_figure_is_saved_as_the_kind_it_is_called(demo_window, settled, answers, tmp_path, kind):
    path = tmp_path / f"ZEBRA-demo.{kind}"
    path.write_text("old; the dialog has asked")
    answers["picture"] = path
    demo_window.export_menu.export_actions[0].trigger()
    settled(demo_window.jobs)

    assert path.stat().st_size > 1000
    assert demo_window.session.problems == ()
    assert "Saved" in demo_window.statusBar().currentMessage()
    assert str(tmp_path) in demo_window.statusBar().currentMessage()


def test_the_summary_is_saved(demo_window, settled, answers, tmp_path):
    path = tmp_path / "summary.pdf"
    answers["summary"] = path
    assert demo_window.export_menu.export_actions[2].text() == "S&ummary…"
    demo_window.export_menu.export_actions[2].trigger()
    settled(demo_window.jobs)

    assert demo_window.session.problems == ()
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 2
        assert "evidence.json" in pdf.attachments


def test_the_report_is_saved(demo_window, settled, answers, tmp_path):
    path = tmp_path / "report.pdf"
    answers["report"] = path
    demo_window.export_menu.export_actions[1].trigger()
    settled(demo_window.jobs)

    assert demo_window.session.problems == ()
    assert path.read_bytes().startswith(b"%PDF")


def test_the_report_is_saved_for_word_with_its_evidence_beside_it(demo_window, settled, answers, tmp_path):
    path = tmp_path / "report.docx"
    answers["Word report"] = path
    demo_window.export_menu.word_action.trigger()
    settled(demo_window.jobs)

    assert demo_window.session.problems == ()
    digest = sha256((tmp_path / "report.evidence.json").read_bytes()).hexdigest()
    assert Document(path).core_properties.keywords == f"evidence-sha256:{digest}"
    assert "Saved 2 files" in demo_window.statusBar().currentMessage()


def test_evidence_that_nobody_was_asked_about_is_not_overwritten(demo_window, settled, answers, tmp_path):
    (tmp_path / "report.evidence.json").write_text("of another report")
    answers["Word report"] = tmp_path / "report.docx"
    demo_window.export_menu.word_action.trigger()
    settled(demo_window.jobs)

    assert [path.name for path in tmp_path.iterdir()] == ["report.evidence.json"]
    assert "report.evidence.json" in str(demo_window.session.problems)
    demo_window.session.dismiss_problems()


def test_the_summary_can_be_a_word_file_and_takes_its_styles_from_the_template_that_was_chosen(
    demo_window, settled, answers, tmp_path
):
    house = Document()
    house.sections[0].header.paragraphs[0].text = "Chambers of A. Judge"
    house.save(tmp_path / "house.docx")
    answers["Word template"] = tmp_path / "house.docx"
    answers["summary"] = tmp_path / "summary.docx"
    menu = demo_window.export_menu
    assert not menu.template_action.isChecked()
    menu.template_action.trigger()
    assert menu.template_action.isChecked()
    menu.export_actions[2].trigger()
    settled(demo_window.jobs)
    head = Document(tmp_path / "summary.docx").sections[0].header.paragraphs
    assert head[0].text == "Chambers of A. Judge"

    menu.template_action.trigger()
    assert not menu.template_action.isChecked()
    assert word_template() is None
    answers["Word template"] = None
    menu.template_action.trigger()
    assert not menu.template_action.isChecked()


class WantsIntervals:
    """Settings of somebody who has not switched off that intervals are worked out unasked."""

    def value(self, _name, otherwise, _kind):
        return otherwise


@pytest.fixture
def one_with_intervals_to_come(demo_window, monkeypatch):
    """A window with one assessment that has no intervals yet, and whose exports draw few speakers."""
    few = partial(with_certainty, settings=BootstrapSettings(20))
    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.with_certainty", few)
    monkeypatch.setattr("zebra_gui.window.exports.settings", WantsIntervals)
    project = demo_window.session.project
    demo_window.session.take_over("", replace(project, items=project.items[2:3]))
    assert demo_window.session.entries[0].trust is None
    return demo_window


def exporting(window):
    """The job that exports, and the shares of it that it told."""
    (job,) = [job for job in window.jobs.waiting if job.name.startswith("Exporting")]
    shares = []
    job.progressed.connect(shares.append)
    return job, shares


def test_an_export_computes_the_intervals_first_that_are_missing_and_tells_how_far_it_is(
    one_with_intervals_to_come, settled, answers, tmp_path
):
    window, path = one_with_intervals_to_come, tmp_path / "report.pdf"
    answers["report"] = path
    window.export_menu.export_actions[1].trigger()
    _, shares = exporting(window)
    settled(window.jobs)

    with pikepdf.open(path) as pdf:
        evidence = json.loads(pdf.attachments["evidence.json"].get_file().read_bytes())
    (entry,) = evidence["assessments"]
    low, high = entry["trust"]["intervals"]["d_ece_bits"]
    assert 0.1 < low < entry["d_ece_corrected_bits"] < high < 0.3
    assert "Intervals have not been computed" not in pdf_text(path)
    assert shares == sorted(shares)
    assert len([share for share in shares if 0.0 < share < 0.6]) > 3  # while speakers are drawn


def test_an_export_that_is_stopped_while_it_computes_intervals_writes_nothing(
    one_with_intervals_to_come, settled, answers, tmp_path
):
    window, path = one_with_intervals_to_come, tmp_path / "report.pdf"
    answers["report"] = path
    window.export_menu.export_actions[1].trigger()
    job, _ = exporting(window)
    job.progressed.connect(lambda share: job.cancel() if share > 0.0 else None)
    settled(window.jobs)

    assert not path.exists()
    assert window.statusBar().currentMessage() == "Cancelled. Nothing was written."


def test_everything_is_saved_into_a_folder(demo_window, settled, answers, tmp_path):
    answers["everything"] = tmp_path / "all"
    demo_window.export_menu.export_actions[3].trigger()
    settled(demo_window.jobs)

    assert demo_window.session.problems == ()
    assert {"report.pdf", "evidence.json"} <= {path.name for path in (tmp_path / "all").iterdir()}


def test_the_report_pane_has_a_button_that_exports_it(demo_window, settled, answers, tmp_path):
    path = tmp_path / "case-7.pdf"
    answers["report"] = path
    demo_window.workspace.show_topic("report")
    button = demo_window.workspace.front_pane.preview.export_button
    assert button.text() == "Export PDF…"
    assert button.isVisible()
    demo_window.resize(1024, 700)
    for _ in range(5):  # a layout asks for another
        QApplication.processEvents()
    assert button.width() >= button.sizeHint().width()
    button.click()
    settled(demo_window.jobs)

    assert path.read_bytes().startswith(b"%PDF")
    assert "Saved case-7.pdf in " in demo_window.statusBar().currentMessage()


def figure_panes(window):
    panes = map(window.workspace.pane, window.workspace.topics)
    return [pane for pane in panes if pane.figure_cards()]


def test_every_picture_has_a_menu_by_the_right_button_and_by_key(qtbot, own_window):
    """As the system tells of a click: Qt makes it a wish for a menu, and offers that from the inside out."""
    panes = figure_panes(own_window)
    assert {pane.topic for pane in panes} >= {
        *("overview", "ece", "compare", "certainty", "errors", "strength", "calibration"),
        *("similarity", "zoo", "speakers"),
    }
    for pane in panes:
        own_window.workspace.show_topic(pane.topic)
        if pane.topic == "people":  # they are looked for before there is a picture of them
            (people,) = pane.figure_cards()
            qtbot.waitUntil(lambda card=people: card.found is not None, timeout=60_000)
        for card in pane.figure_cards():
            plot = card.view.canvas if isinstance(card.view, CellsView) else card.view.plot
            card.view.show()
            for _ in range(5):  # a layout asks for another
                QApplication.processEvents()
            for area in pane.findChildren(QScrollArea):
                if area.isAncestorOf(plot):
                    area.ensureWidgetVisible(plot, 50, 200)
            assert [action.text() for action in card.menu.actions()] == ["&Copy picture", "&Save picture…"]
            viewport = plot.viewport()
            middle = viewport.mapTo(own_window, viewport.rect().center())
            QTest.mouseClick(own_window.windowHandle(), Qt.MouseButton.RightButton, pos=middle)
            assert card.menu.isVisible(), pane.topic
            card.menu.hide()

            by_key = QContextMenuEvent(
                QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), plot.mapToGlobal(QPoint(5, 5))
            )
            QApplication.sendEvent(plot, by_key)
            assert card.menu.isVisible()
            card.menu.hide()
            QTest.keyClick(plot, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
            assert card.menu.isVisible()
            card.menu.hide()


def test_the_picture_in_front_is_copied_with_a_caption(demo_window, settled):
    QApplication.clipboard().clear()
    demo_window.workspace.show_topic("errors")
    demo_window.export_menu.copy_picture_action.trigger()
    settled(demo_window.jobs)

    copied = QApplication.clipboard().image()
    assert copied.width() == 1440  # 7.2 inches at 200 dots
    assert "Copied “" in demo_window.statusBar().currentMessage()
    card = demo_window.workspace.front_pane.figure_cards()[0]
    caption = card.make_picture()().caption
    assert caption == "dataset not stated · OO, OP · attacker not stated"


def test_pictures_say_of_what_they_are_wherever_they_are_taken(own_window, settled, answers, tmp_path):
    answers["picture"] = tmp_path / "det.pdf"
    entry = own_window.session.entries[2]
    own_window.session.edits.place([entry.id], "libri_f")
    own_window.session.edits.set_attack([entry.id], "attacker", "lazy-informed")
    own_window.session.edits.tick_only([entry.id])
    own_window.session.select(entry.id)
    own_window.workspace.show_topic("errors")
    own_window.workspace.front_pane.card.export_button.click()
    settled(own_window.jobs)

    assert "B2 · libri_f · OP, test side protected · lazy-informed" in pdf_text(tmp_path / "det.pdf")


def test_what_is_cancelled_is_told(demo_window, settled, answers, tmp_path):
    answers["picture"] = tmp_path / "det.pdf"
    before = threading.Event()
    demo_window.jobs.start("what comes first", lambda _watch: before.wait(60))
    demo_window.export_menu.export_actions[0].trigger()
    demo_window.jobs.cancel_all()
    before.set()
    settled(demo_window.jobs)

    assert demo_window.statusBar().currentMessage() == "Cancelled. Nothing was written."
    assert list(tmp_path.iterdir()) == []


def test_all_pictures_are_saved_in_the_formats_that_are_chosen(demo_window, settled, monkeypatch, tmp_path):
    demo_window.session.edits.remove([entry.id for entry in demo_window.session.entries[1:]])
    chosen = tmp_path / "pictures", ("tex",)  # what is chosen unasked is png
    monkeypatch.setattr(demo_window.dialogs, "ask_pictures", lambda: chosen)
    demo_window.export_menu.all_pictures_action.trigger()
    settled(demo_window.jobs)

    names = {path.name for path in (tmp_path / "pictures").iterdir()}
    kinds = {"DET-OO", "TIPPETT-OO", "ZOO-LLR-unprotected-OO", "SPEAKERS-unprotected-OO", "COMPARE-dots"}
    assert {f"ZEBRA-{kind}.tex" for kind in kinds} <= names
    assert {name.rpartition(".")[2] for name in names} == {"tex"}
    assert demo_window.session.problems == ()
    assert demo_window.statusBar().currentMessage().startswith(f"Saved {len(names)} files in ")


def test_the_formats_are_remembered_and_one_is_needed(demo_window, monkeypatch):
    dialog = PicturesDialog(FIGURE_KINDS, demo_window)
    assert dialog.chosen == ("png",)
    for box in (dialog.boxes["png"], dialog.boxes["pdf"], dialog.boxes["tex"]):
        box.click()
    assert dialog.chosen == ("pdf", "tex")
    monkeypatch.setattr(dialog, "exec", lambda: PicturesDialog.DialogCode.Accepted)
    assert dialog.ask() == ("pdf", "tex")

    again = PicturesDialog(FIGURE_KINDS, demo_window)
    assert again.chosen == ("pdf", "tex")
    for kind in again.chosen:
        again.boxes[kind].click()
    assert not again.folder_button.isEnabled()
    again.deleteLater()


@pytest.mark.parametrize("number", range(4))
def test_no_answer_is_no_export(demo_window, answers, number):
    answers.update(dict.fromkeys(("picture", "report", "summary", "everything")))
    demo_window.export_menu.export_actions[number].trigger()

    assert demo_window.jobs.waiting == ()


def test_what_cannot_be_written_is_said(demo_window, settled, answers, tmp_path):
    answers["picture"] = tmp_path / "no" / "such" / "folder.png"
    (tmp_path / "no").write_text("a file where a folder should be")
    demo_window.export_menu.export_actions[0].trigger()
    settled(demo_window.jobs)

    assert len(demo_window.session.problems) == 1
    assert "fault in the program" not in demo_window.session.problems[0]


def test_the_suggested_name_is_the_reference_toolkits(demo_window, answers):
    suggested = []
    answers["picture"] = suggested.append
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.export_menu.export_actions[0].trigger()

    assert suggested == ["ZEBRA-B2-OP"]


PICTURES = {
    "ece": ["ece", "nece"],
    "errors": ["ape", "nber", "det", "roc"],
    "strength": ["tippett", "histograms", "pav"],
    "calibration": ["calibration", "learnt", "folds"],
}


def test_every_picture_is_saved_in_every_format(qtbot, demo_window, settled, answers, tmp_path):
    demo_window.session.select(demo_window.session.entries[2].id)
    bodies = []
    for topic, name in [(topic, name) for topic, names in PICTURES.items() for name in names]:
        demo_window.workspace.show_topic(topic)
        card = demo_window.workspace.front_pane.card
        card.choose(next(picture for picture in card.pictures if picture.name == name))
        qtbot.waitUntil(lambda card=card: card.is_drawn)
        stem = card.file_stem()
        assert stem.startswith("ZEBRA-")
        assert stem.endswith("B2-OP")
        assert name == "ece" or name.upper() in stem
        for kind in ("png", "pdf", "svg", "tex"):
            answers["picture"] = tmp_path / f"{stem}.{kind}"
            card.export_button.click()
            settled(demo_window.jobs)
            assert (tmp_path / f"{stem}.{kind}").stat().st_size > 1000, stem
        head, _, body = (tmp_path / f"{stem}-standalone.tex").read_text().partition("\\begin{document}")
        bodies.append(body.removesuffix("\n").removesuffix("\\end{document}"))

    assert demo_window.session.problems == ()
    assert len(bodies) == len(set(bodies)) == 12
    pages = "\\clearpage".join(bodies)  # TeX takes most of its time to begin
    (tmp_path / "all.tex").write_text(f"{head}\\begin{{document}}{pages}\\end{{document}}\n")
    assert pdflatex("all.tex", tmp_path)


def test_the_menu_saves_the_picture_in_front(demo_window, settled, answers):
    suggested = []
    answers["picture"] = suggested.append
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("errors")
    demo_window.export_menu.export_actions[0].trigger()

    assert suggested == ["ZEBRA-APE-B2-OP"]


def test_a_pane_without_a_picture_has_none_to_export(demo_window):
    figure = demo_window.export_menu.export_actions[0]
    can_be_exported = {}
    for topic in demo_window.workspace.topics:
        demo_window.workspace.show_topic(topic)
        pane = demo_window.workspace.front_pane
        can_be_exported[pane.topic] = figure.isEnabled()

    assert [topic for topic, can in can_be_exported.items() if not can] == ["files", "report"]


def test_what_is_written_when_somebody_stops_it_is_told_as_saved(
    demo_window, settled, answers, tmp_path, monkeypatch
):
    def written_and_stopped(*_given, **_named):
        for job in demo_window.jobs.waiting:
            job.cancel()
        return [tmp_path / "all" / "report.pdf", tmp_path / "all" / "evidence.json"]

    monkeypatch.setattr("zebra_core.report.export.report_set", written_and_stopped)
    answers["everything"] = tmp_path / "all"
    demo_window.export_menu.export_actions[3].trigger()
    settled(demo_window.jobs)

    assert demo_window.statusBar().currentMessage() == f"Saved 2 files in {tmp_path / 'all'}"


@pytest.fixture
def saved(own_window, settled, answers, tmp_path):
    """The demo, saved under a name with a blank and a quotation mark."""
    settings().setValue(INTERVALS_AT_ONCE, False)
    answers["project"] = tmp_path / "a case's.zebra"
    own_window.documents.save_as()
    settled(own_window.jobs)
    assert not own_window.documents.is_modified
    return own_window


def copied(action) -> list[str]:
    action.trigger()
    program, *words = shlex.split(QApplication.clipboard().text())
    assert program == "zebra"
    return words


def test_the_copied_report_is_the_one_that_the_window_saves(saved, settled, answers, tmp_path):
    words = copied(saved.export_menu.command_actions[0])
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    answers["report"] = tmp_path / "window.pdf"
    saved.exports.save_report()
    settled(saved.jobs)
    made = tmp_path / "a case's-report.pdf"
    assert made.read_bytes() == (tmp_path / "window.pdf").read_bytes()


def test_the_copied_comparison_is_of_the_project_at_the_prior_that_is_shown(saved, tmp_path):
    saved.session.consider_prior(37)
    words = copied(saved.export_menu.command_actions[1])
    assert words[:2] == ["compare", str(tmp_path / "a case's.zebra")]
    assert words[-2:] == ["--prior", "37"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    table = (tmp_path / "a case's-comparison" / "results.csv").read_text()
    shown = [entry.name for entry in open_project(tmp_path / "a case's.zebra").project.entries]
    assert all(name in table for name in shown)


def test_a_project_that_is_not_saved_has_no_command(own_window):
    QApplication.clipboard().setText("before")
    own_window.export_menu.command_actions[0].trigger()
    assert QApplication.clipboard().text() == "before"
    assert own_window.session.problems == (
        "The command would read the saved project. Save it first, then copy again.",
    )
