"""The report pane: pages follow the project, and figures lead to their panes."""

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton

from tests.zebra_gui.geometry import misplaced
from zebra_core.project.report_settings import Paper, ReportSettings
from zebra_gui.panes import report

REPORT = "report"


@pytest.fixture(scope="module")
def known_pages():
    """Reports of which a pane of this module made the pages, with these: the project is always the demo."""
    return []


@pytest.fixture
def made_once(known_pages, monkeypatch):
    """Pages of a report are made, as the pane makes them, for the first test that has them made."""
    make = report._pages

    def pages(project, on_progress):
        found = next((pages for known, pages in known_pages if known == project.report), None)
        if found is None:
            found = make(project, on_progress)
            known_pages.append((project.report, found))
        return found

    monkeypatch.setattr(report, "_pages", pages)


@pytest.fixture
def pane(qtbot, demo_window, made_once):
    """The pane in front, with its pages made."""
    demo_window.resize(1300, 900)
    demo_window.workspace.show_topic(REPORT)
    pane = demo_window.workspace.pane(REPORT)
    qtbot.waitUntil(lambda: pane.preview.pages.count() > 0, timeout=60_000)
    return pane


def test_the_pages_are_there_and_can_be_turned(pane):
    view = pane.preview
    assert view.pages.count() == 20
    first = view.page.pixmap().toImage()
    view.pages.setCurrentRow(1)
    assert view.page.pixmap().toImage() != first


def test_the_list_of_pages_says_what_begins_on_each(pane):
    titles = [pane.preview.pages.item(row).text() for row in range(pane.preview.pages.count())]
    assert titles[:2] == ["1 · The answer", "2 · Question and propositions"]
    assert any(title.endswith("· Results") for title in titles)
    assert titles[-1].endswith("· Appendix: settings, versions, recomputation")


def test_making_pages_shows_its_share_and_can_be_cancelled_and_asked_for_again(
    qtbot, demo_window, monkeypatch
):
    made, go_on = [], threading.Event()

    def slowly(_project, on_progress):
        made.append(1)
        on_progress(0.4)
        go_on.wait(10)
        on_progress(0.5)
        raise AssertionError

    monkeypatch.setattr(report, "_pages", slowly)
    demo_window.resize(1300, 900)
    demo_window.workspace.show_topic(REPORT)
    view = demo_window.workspace.pane(REPORT).preview
    qtbot.waitUntil(lambda: view.progress.isVisible() and view.progress.value() == 40, timeout=20_000)
    assert view.area.isHidden()
    view.stop_button.click()
    go_on.set()
    qtbot.waitUntil(view.make_button.isVisible, timeout=10_000)
    assert (view.state.text(), view.progress.isHidden()) == ("The pages were not made.", True)
    tried = len(made)
    view.make_button.click()
    qtbot.waitUntil(lambda: len(made) > tried, timeout=10_000)


def test_where_a_list_of_pages_has_no_room_their_number_is_chosen(qtbot, pane, demo_window):
    view = pane.preview
    view.setMinimumWidth(640)
    qtbot.waitUntil(lambda: view.pages.isVisible() and view.number.isHidden())
    view.setMinimumWidth(0)
    view.setMaximumWidth(400)
    qtbot.waitUntil(lambda: view.number.isVisible() and view.pages.isHidden())
    assert view.number.text() == "Page 1 of 20"
    view.number.setValue(3)
    assert view.pages.currentRow() == 2
    view.pages.setCurrentRow(4)
    assert view.number.value() == 5


def test_in_a_narrow_window_form_and_pages_stand_beside_the_guide(qtbot, pane, demo_window):
    pane.preview.pages.setCurrentRow(0)
    demo_window.resize(1024, 700)
    qtbot.waitUntil(lambda: not list(misplaced(demo_window)), timeout=2_000)
    assert len(pane.preview.findChildren(QPushButton)) > 2  # a way to each figure of the page


def test_a_page_as_wide_as_the_room_needs_no_bar_below(qtbot, pane):
    area = pane.preview.area
    qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() == 0)
    shown = pane.preview.page.pixmap()
    assert shown.width() / shown.devicePixelRatio() == area.viewport().width() - 4


def test_the_first_page_is_at_once_as_wide_as_its_room(qtbot, pane):
    """The room has its width only after the first pages have come; the page was a thumbnail until then."""
    view = pane.preview
    qtbot.waitUntil(
        lambda: abs(view.page.pixmap().deviceIndependentSize().width() - view.area.viewport().width()) < 6
    )
    assert view.area.viewport().width() > 200


def test_zoom(pane):
    view = pane.preview
    widths = []
    for row in range(1, view.zoom.count()):
        view.zoom.setCurrentIndex(row)
        widths.append(round(view.page.pixmap().width() / view.page.pixmap().devicePixelRatio()))
    assert widths == [397, 595, 794, 992, 1191, 1587]  # of 595.28 points


def test_a_change_makes_new_pages(qtbot, pane, demo_window):
    demo_window.session.set_report(ReportSettings(paper=Paper.LETTER))
    qtbot.waitUntil(lambda: pane.preview._preview.width == 612.0, timeout=60_000)


def test_a_pane_out_of_sight_makes_no_pages(qtbot, pane, demo_window):
    demo_window.workspace.show_topic("overview")
    before = pane.preview._preview
    demo_window.session.set_report(ReportSettings(paper=Paper.LETTER))
    qtbot.wait(600)
    assert pane.preview._preview is before
    demo_window.workspace.show_topic(REPORT)
    qtbot.waitUntil(lambda: pane.preview._preview.width == 612.0, timeout=60_000)


def test_a_click_on_a_figure_leads_to_its_pane(qtbot, pane, demo_window):
    view = pane.preview
    figure = next(each for each in view._preview.pictures if each.topic == "overview")
    view.pages.setCurrentRow(figure.page - 1)
    middle = (figure.top + figure.bottom) / 2.0
    shown = view.page.pixmap().width() / view.page.pixmap().devicePixelRatio()
    height = view.page.pixmap().height() / view.page.pixmap().devicePixelRatio()
    y = middle * shown / view._preview.width + (view.page.height() - height) / 2.0
    place = QPoint(view.page.width() // 2, round(y))
    assert view.figure_at(place) == figure
    assert view.figure_at(QPoint(place.x(), 1)) is None
    qtbot.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=place)
    assert demo_window.session.topic == "overview"
    assert demo_window.session.selected.id == figure.entry_id


def test_the_keyboard_leads_there_too(pane, demo_window):
    view = pane.preview
    view.pages.setCurrentRow(view._preview.pictures[0].page - 1)
    button = view.jumps.itemAt(0).widget()
    assert button.text() == "Show figure 1"
    assert button.accessibleName() == "Show figure 1 of this page in its pane"
    assert button.toolTip() == button.accessibleName()
    button.click()
    assert demo_window.session.topic == "answer"


def test_a_comment_is_pinned_to_the_figure_that_it_is_begun_on(pane):
    view = pane.preview
    figure = next(each for each in view._preview.pictures if each.topic == "overview")
    view.pages.setCurrentRow(figure.page - 1)
    button = view.jumps.itemAt(1).widget()
    assert button.text() == "Comment on figure 1…"
    button.click()
    assert pane.review.place.currentData() == figure.place
    assert figure.place in view._preview.places


def test_a_comment_on_a_page_is_pinned_to_the_section_of_the_page(pane):
    view = pane.preview
    for row, title in enumerate(view._preview.titles):
        view.pages.setCurrentRow(row)
        view.comment_button.click()
        assert pane.review.place.currentText() == title
        assert pane.review.place.currentData() == view.section_of_page


def test_a_logo_is_chosen_and_refused(pane, demo_window, answers, tmp_path):
    path = tmp_path / "logo.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    answers["logo"] = path
    pane.form.choose_logo.click()
    assert "plain paths" in demo_window.session.problems[0]
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')
    pane.form.choose_logo.click()
    assert demo_window.session.project.report.logo.extension == "svg"
    pane.form.remove_logo.click()
    assert demo_window.session.project.report.logo is None
