"""What was closed disappears at once, everywhere; nothing of it comes back, and nothing waits for it."""

from dataclasses import replace

import pytest

from tests.zebra_gui.said import who_says
from zebra_core.document.project_file import save_project
from zebra_core.project.demo import demo_project
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_gui.panes import report
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.report.preview import PreviewView

PARTY = "Mustermann"


@pytest.fixture(scope="module")
def old():
    """A case with a party's name in every text that it can stand in: two safeguards and their matrices."""
    made = demo_project()
    made = replace(made, items=tuple(item for item in made.items if item.name in ("B1w", "B2")))
    items = [
        replace(item, name=f"{item.name} {PARTY}", dataset=f"d {PARTY}", run=f"r {PARTY}", notes=f"{PARTY}!")
        for item in made.items
    ]
    items = [replace(item, attacker=f"a {PARTY}") if hasattr(item, "attacker") else item for item in items]
    said = dict.fromkeys(("case", "requester", "author", "organisation", "report_id"), PARTY)
    said |= dict.fromkeys(("question", "propositions", "relevance"), f"Was it {PARTY}?")
    report = ReportSettings(**said, signers=(PARTY,), notes=dict.fromkeys(Section, PARTY))
    return replace(made, title=PARTY, notes=PARTY, items=tuple(items), report=report)


@pytest.fixture(scope="module")
def another(demo):
    """The same safeguards under their own names: every pane and picture shows something of them, too."""
    return replace(demo, items=tuple(item for item in demo.items if item.name in ("B1w", "B2")))


@pytest.fixture(scope="module")
def known_pages():
    """Pages that were made for an earlier test of the module, by the project that they are of."""
    return {}


@pytest.fixture
def pages_once(known_pages, monkeypatch):
    """The report pane makes the pages of a project for the first test that shows them: they stay the same."""
    make = report._pages

    def once(project, on_progress):
        if project not in known_pages:
            known_pages[project] = make(project, on_progress)
        return known_pages[project]

    monkeypatch.setattr(report, "_pages", once)


@pytest.fixture
def shown(qtbot, window, old, pages_once, studied_once):
    """A window in which every pane, and every picture on it, has shown the case."""
    window.resize(1300, 900)
    window.session.restart(old)
    for topic in window.workspace.topics:
        window.workspace.show_topic(topic)
        pane = window.workspace.front_pane
        qtbot.waitUntil(lambda: _is_idle(window), timeout=60_000)
        for card in pane.figure_cards():
            qtbot.waitUntil(lambda card=card: card.view.figure is not None or not card.view.isVisible())
    assert len({place.split(" ", 1)[1] for place in who_says(PARTY)}) > 25
    return window


def _is_idle(window):
    return not (window.jobs.waiting or window.session.drawing.is_busy)


def _pictures(window):
    return [*window.workspace.findChildren(FigureView), *window.workspace.findChildren(CellsView)]


def _assert_nothing_is_left(window):
    assert who_says(PARTY) == {}
    for view in _pictures(window):
        assert view.figure is None
    for preview in window.workspace.findChildren(PreviewView):
        assert preview.pages.count() == 0
        assert preview.page.pixmap().isNull()
    for topic in window.workspace.topics:
        assert len(window.workspace.pane(topic).as_text().splitlines()) <= 1  # at most headings


@pytest.mark.parametrize("topic", ["overview", "speakers", "report"])
def test_after_closing_no_widget_no_picture_and_no_page_tells_of_the_case(qtbot, shown, topic):
    shown.workspace.show_topic(topic)
    qtbot.waitUntil(lambda: _is_idle(shown), timeout=60_000)
    shown.documents.close()
    _assert_nothing_is_left(shown)
    qtbot.wait(50)
    _assert_nothing_is_left(shown)


def test_another_case_in_its_place_shows_nothing_of_it_either(qtbot, shown, another):
    shown.session.restart(another)
    assert who_says(PARTY) == {}
    assert all(view.figure is None for view in _pictures(shown) if not view.isVisible())
    for topic in shown.workspace.topics:
        shown.workspace.show_topic(topic)
        qtbot.wait(1)
        assert who_says(PARTY) == {}
    qtbot.waitUntil(lambda: _is_idle(shown), timeout=60_000)
    assert who_says(PARTY) == {}


def test_when_all_was_removed_nothing_is_shown_of_it_and_undoing_shows_it_again(qtbot, shown, old):
    report = shown.workspace.pane("report")
    shown.workspace.show_topic("report")
    qtbot.waitUntil(lambda: report.preview.pages.count() > 0, timeout=60_000)
    shown.session.edits.remove([item.id for item in old.items])
    assert report.preview.pages.count() == 0
    assert all(view.figure is None for view in _pictures(shown))
    shown.session.undo_stack.undo()
    qtbot.waitUntil(lambda: report.preview.pages.count() > 0, timeout=60_000)


def test_the_pages_of_a_case_that_is_closed_while_they_are_made_never_come(qtbot, window, old, another):
    window.session.restart(old)
    window.workspace.show_topic("report")
    qtbot.waitUntil(lambda: window.session.drawing.is_busy, timeout=10_000)
    window.documents.close()
    assert who_says(PARTY) == {}
    window.session.restart(another)
    window.workspace.show_topic("report")
    report = window.workspace.pane("report")
    qtbot.waitUntil(lambda: report.preview.pages.count() > 0, timeout=60_000)
    assert who_says(PARTY) == {}


def test_jobs_of_a_closed_case_are_told_of_no_more_and_change_no_other(qtbot, window, old, demo, settled):
    window.session.restart(old)
    window.session.intervals.settle_differences()
    qtbot.waitUntil(lambda: window.jobs.waiting[0].share_done > 0.0, timeout=30_000)
    assert who_says(PARTY) != {}
    window.documents.close()
    assert who_says(PARTY) == {}
    window.session.restart(demo)
    settled(window.jobs)
    assert window.session.project.differences == demo.differences
    assert who_says(PARTY) == {}


def test_a_save_that_ends_after_closing_does_not_make_its_file_that_of_the_next(qtbot, opened, case, settled):
    opened.documents.save()
    opened.documents.close()
    settled(opened.jobs)
    assert opened.documents.path is None
    assert opened.windowTitle() == "ZEBRA"
    assert opened.statusBar().currentMessage() == ""


def test_a_sentence_about_what_was_saved_goes_with_the_project(qtbot, opened, case, settled):
    opened.documents.save()
    settled(opened.jobs)
    assert "case.zebra" in opened.statusBar().currentMessage()
    opened.documents.close()
    assert opened.statusBar().currentMessage() == ""


def test_what_was_being_typed_is_not_written_into_the_next_case(qtbot, window, old, demo):
    window.session.restart(old)
    window.workspace.show_topic("report")
    report = window.workspace.pane("report")
    report.form.fields["question"].setPlainText(f"Is it {PARTY}’s voice?")
    window.workspace.evidence.show_notes(shows=True)
    window.workspace.evidence.notes.text.insertPlainText(f"{PARTY} called.")
    window.session.restart(demo)
    qtbot.wait(1000)  # longer than after a pause in the typing
    assert who_says(PARTY) == {}
    assert window.session.project.report == demo.report
    assert window.session.project.notes == demo.notes


def test_what_was_typed_last_belongs_to_what_is_asked_about_and_saved(qtbot, opened, settled, ask):
    opened.workspace.show_topic("report")
    report = opened.workspace.pane("report")
    report.form.fields["question"].setPlainText("Is it her voice?")
    asked = ask(None)
    opened.documents.close()
    assert asked == ["case.zebra"]
    assert opened.session.project.report.question == "Is it her voice?"


def test_a_case_of_the_same_file_opened_again_begins_anew(qtbot, window, old, tmp_path, settled):
    save_project(old, tmp_path / "a.zebra")
    for _ in range(2):
        window.open_paths([tmp_path / "a.zebra"])
        settled(window.jobs)
        window.workspace.show_topic("speakers")
        speakers = window.workspace.pane("speakers")
        qtbot.waitUntil(lambda pane=speakers: pane.table.speakers.rowCount() > 0, timeout=60_000)
        window.documents.close()
        assert speakers.table.speakers.rowCount() == 0


def test_an_empty_project_has_nothing_to_forget(window):
    window.session.restart(Project())
    window.session.restart(None)
    assert window.session.project is None
