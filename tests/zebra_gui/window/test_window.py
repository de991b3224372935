"""The window as a user meets it: real drops, keys and menus."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QDragEnterEvent, QDragLeaveEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from zebra_core.project.items import Condition
from zebra_gui.report.form import SectionList
from zebra_gui.widgets.theme import DARK, ThemeChoice

INVITATION = "Drop score files and their key here, or folders of recordings"


def shown_tag(window):
    return window.workspace.pane("overview").worst_case.badge.tag


@pytest.fixture
def whole_window(shared_window):
    """The shared window with every pane made, though nobody has looked at most of them."""
    for topic in shared_window.workspace.topics:
        shared_window.workspace.pane(topic)
    return shared_window


def test_it_opens_empty_and_invites(window):
    assert window.start_page.isVisible()
    assert window.start_page.invitation.text() == INVITATION
    assert [button.text() for button in window.start_page.findChildren(QPushButton)] == [
        "Open files…",
        "Open folder…",
        "Open the demo",
        "Demo from recordings",
    ]
    assert "You can also drop a whole folder" in window.start_page.explanation.text()
    assert not any(
        action.isEnabled() for action in (*window.export_menu.export_actions, window.edit_menu.remove_action)
    )


def test_the_theme_is_chosen_in_the_menu(demo_window):
    demo_window.session.mark_prior(False)
    demo_window.workspace.show_topic("overview")
    demo_window.theme.choose(ThemeChoice.DARK)
    view = demo_window.workspace.pane("overview").figure_cards()[0].view

    assert view.plot.backgroundBrush().color().name().upper() == DARK.card
    assert view._curves[0].opts["pen"].color().name().upper() == DARK.text


@pytest.mark.parametrize("order", ["scores first", "key first"])
@pytest.mark.parametrize("how", ["at once", "one by one"])
def test_scores_and_key_may_be_dropped_in_any_way(window, settled, drop, scores, key, order, how):
    files = [scores["B2"], key] if order == "scores first" else [key, scores["B2"]]
    for part in [files] if how == "at once" else [[file] for file in files]:
        assert drop(window, *part)
        settled(window.jobs)

    assert shown_tag(window) == "C"
    assert window.workspace.isVisible()
    assert not window.waiting_bar.isVisible()
    assert not window.problem_bar.isVisible()


@pytest.mark.parametrize("how", ["key", "button"])
def test_a_folder_is_opened_by_key_and_by_button(window, settled, qtbot, tmp_path, scores, key, answers, how):
    for path in (scores["B2"], key):
        (tmp_path / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())
    answers["files to open"] = tmp_path
    if how == "key":
        qtbot.keyClick(
            window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
    else:
        window.start_page.folder_button.click()
    settled(window.jobs)

    assert len(window.session.entries) == 1
    assert shown_tag(window) == "C"


def test_a_new_case_opens_on_the_answer(demo_window, qtbot, settled, drop, scores, key):
    answer, report = map(demo_window.workspace.pane, ("answer", "report"))
    demo_window.workspace.show_topic("report")
    drop(demo_window, scores["B1w"], key)  # which joins what is open: nobody is sent elsewhere
    settled(demo_window.jobs)
    assert demo_window.workspace.front_pane.topic == "report"

    demo_window.documents.close()
    drop(demo_window, scores["B2"], key)
    settled(demo_window.jobs)
    assert demo_window.workspace.front_pane is answer
    qtbot.waitUntil(lambda: not answer.visibleRegion().isEmpty())
    assert report.visibleRegion().isEmpty()


def test_a_new_case_opens_on_the_answer_whatever_the_last_layout(
    another_window, qtbot, settled, drop, scores, key
):
    for window in (another_window(), another_window()):
        drop(window, scores["B2"], key)
        settled(window.jobs)
        first = window.workspace.pane("answer")
        qtbot.waitUntil(lambda pane=first: not pane.visibleRegion().isEmpty())
        window.workspace.show_topic("report")
        window.close()


def test_where_nothing_is_asked_the_status_bar_says_that_nobody_said_who_attacks(
    window, settled, drop, scores, key, tmp_path
):
    for name, file in (("B2.txt", scores["B2"]), ("key", key)):
        (tmp_path / name).write_text(file.read_text())
    assert drop(window, tmp_path / "B2.txt", tmp_path / "key")
    settled(window.jobs)
    assert len(window.session.entries) == 1
    told = "Nobody has said who attacks here: Edit, Attacker says it."
    assert window.statusBar().currentMessage() == told


def test_a_half_pair_says_what_it_waits_for_and_can_be_forgotten(window, settled, drop, scores):
    drop(window, scores["B2"])
    settled(window.jobs)
    assert window.waiting_bar.isVisible()
    assert window.waiting_bar.text.text().startswith("Scores waiting for their key:")
    assert window.waiting_bar.text.text().endswith("Drop the key.")
    assert window.start_page.invitation.text() == "Now drop the key"

    window.waiting_bar.button.click()
    assert not window.waiting_bar.isVisible()
    assert window.start_page.invitation.text() == INVITATION


def test_a_key_alone_waits_for_scores(window, settled, drop, key):
    drop(window, key)
    settled(window.jobs)

    assert window.start_page.invitation.text() == "Now drop the score files"


def test_a_drop_reaches_the_window_wherever_it_falls(whole_window, drop, key):
    """Qt offers a drag to the innermost widget that takes drops, then to those around it."""
    own = whole_window.workspace.findChild(SectionList).list  # it moves its own rows, and refuses files
    inner = {own, own.viewport()}
    takers = [w for w in whole_window.findChildren(QWidget) if w.acceptDrops() and w not in inner]
    tree = whole_window.workspace.evidence.tree
    assert set(takers) == {whole_window.workspace, *whole_window.workspace.docks, tree, tree.viewport()}

    for taker in takers:
        assert drop(taker, key / "gone")


def test_a_floating_dock_takes_drops(shared_window, settled, drop, scores, key):
    dock = shared_window.workspace.docks[0]
    dock.setFloating(True)
    assert drop(dock, scores["B2"], key)
    settled(shared_window.jobs)

    assert len(shared_window.session.entries) == 5
    dock.setFloating(False)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        pytest.param(lambda folder: folder / "gone", "was not found", id="missing"),
        pytest.param(lambda folder: written(folder, b""), "is empty", id="empty"),
        pytest.param(lambda folder: written(folder, b"\x00\x01PNG"), "not a text file", id="binary"),
        pytest.param(lambda folder: written(folder, b"hello\n"), "neither a score", id="prose"),
        pytest.param(lambda _: "https://example.org/scores", "is not a file on this computer", id="remote"),
        pytest.param(lambda _: "ftp://example.org/scores", "is not a file on this computer", id="ftp"),
    ],
)
def test_what_is_wrong_is_said_where_it_was_dropped(window, settled, drop, tmp_path, make, sentence):
    drop(window, make(tmp_path))
    settled(window.jobs)

    assert window.problem_bar.isVisible()
    assert sentence in window.problem_bar.text.text()
    assert window.problem_bar.text.textFormat() == Qt.TextFormat.PlainText
    assert window.problem_bar.text.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert window.start_page.isVisible()
    assert window.workspace is None or not window.workspace.isVisible()

    window.problem_bar.button.click()
    assert not window.problem_bar.isVisible()


def test_a_problem_stands_in_the_middle_of_its_bar_however_long_it_is(window, qtbot):
    bar, room = window.problem_bar, window.problem_bar.text.parentWidget()
    one_line = (
        "report.pdf cannot be written: the disk of /media/stick is full. Free some space, or choose another."
    )
    qtbot.waitUntil(lambda: window.centralWidget().width() == window.width())
    for sentence in (one_line, "So long that it takes several lines, whatever its words are. " * 5):
        window.session.report_problem(sentence)
        for width in (window.width(), 1100, 780):
            window.resize(width, 600)
            for _ in range(5):  # a layout asks for another
                QApplication.processEvents()
            assert bar.text.height() >= bar.text.heightForWidth(bar.text.width())
            assert bar.text.geometry().center().y() == pytest.approx(room.rect().center().y(), abs=1)
            assert room.rect().contains(bar.text.geometry())


def written(folder, content):
    path = folder / "scores"
    path.write_bytes(content)
    return path


def test_a_bad_pair_shows_no_figures_and_keeps_the_project(shared_window, settled, drop, key, bad_scores):
    before = shared_window.session.project
    drop(shared_window, key, bad_scores)
    settled(shared_window.jobs)

    assert shared_window.session.project is before
    assert "bad-scores.txt, line 2: the score “zero” is not a number" in shared_window.problem_bar.text.text()
    assert shared_window.workspace.isVisible()


def test_a_url_among_files_does_not_lose_the_files(window, settled, drop, scores, key):
    drop(window, scores["B2"], "https://example.org/x", key)
    settled(window.jobs)

    assert shown_tag(window) == "C"
    assert "example.org" in window.problem_bar.text.text()


def test_many_problems_scroll(window, settled, drop, tmp_path):
    drop(window, *(tmp_path / f"gone-{number}" for number in range(40)))
    settled(window.jobs)

    assert len(window.session.problems) == 40
    assert window.problem_bar.height() < 200


def test_text_is_not_taken_for_a_file(window):
    mime = QMimeData()
    mime.setText("scores")
    event = QDragEnterEvent(
        QPoint(9, 9),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, event)

    assert not event.isAccepted()


def test_the_target_lights_up_while_files_are_held_over_it(window, key, drop):
    lit = []
    window._drops.dragging_changed.connect(lit.append)
    drop(window, key / "gone")
    QApplication.sendEvent(window, QDragLeaveEvent())

    assert lit == [True, False, False]
    assert window.start_page._target.property("dragging") is False


def test_escape_cancels_what_is_under_way(qtbot, window, settled):
    gate = threading.Event()

    def work(on_progress):
        assert gate.wait(10)
        on_progress(0.5)

    job = window.jobs.start("long work", work)
    told = []
    job.cancelled.connect(lambda: told.append("cancelled"))
    assert window.statusBar().job_name.text() == "long work"
    assert window.cancelling.action.isEnabled()
    window.cancelling.action.trigger()
    assert window.statusBar().job_name.text() == "Stopping: long work"
    gate.set()
    settled(window.jobs)

    assert told == ["cancelled"]
    assert not window.cancelling.action.isEnabled()
    assert not window.statusBar().job_name.isVisible()


def test_the_status_bar_counts(shared_window, scores, settled):
    entries = shared_window.session.entries
    assert shared_window.statusBar().counts.whole_text == "4 assessments"
    remarked = replace(
        entries[0],
        assessment=replace(entries[0].assessment, remarks_on_files=entries[0].assessment.remarks[:1]),
    )
    session = shared_window.session
    session.change("", session.project.replacing(remarked))
    status = shared_window.statusBar()
    assert status.counts.whole_text == "4 assessments"
    assert (status.remarks.isVisible(), status.remarks.text()) == (True, "1 remark on the files")
    status.remarks.click()
    assert shared_window.workspace.front_pane.topic == "files"


def test_undo_all_the_way_back_to_the_invitation(demo_window):
    demo_window.edit_menu.remove_action.trigger()
    assert len(demo_window.session.entries) == 3
    demo_window.session.undo_stack.undo()
    demo_window.session.undo_stack.undo()
    assert demo_window.start_page.isVisible()

    demo_window.session.undo_stack.redo()
    assert demo_window.workspace.isVisible()
    assert shown_tag(demo_window) == "A"


def test_closing_the_project_leaves_the_invitation(shared_window):
    shared_window.file_menu.close_action.trigger()

    assert shared_window.start_page.isVisible()
    assert not shared_window.edit_menu.copy_action.isEnabled()


def test_the_condition_menu_shows_and_sets_it(shared_window):
    checked = shared_window.edit_menu.stated.conditions.checkedAction()
    assert checked.data() == "OP"

    shared_window.edit_menu.stated.conditions.actions()[2].trigger()
    assert shared_window.session.selected.condition is Condition.PP
    shared_window.edit_menu.stated.conditions.actions()[3].trigger()
    assert shared_window.session.selected.condition is None


def test_figures_are_copied_as_text(shared_window):
    shared_window.session.select(shared_window.session.entries[2].id)
    shared_window.edit_menu.copy_action.trigger()

    assert (
        QGuiApplication.clipboard().text().startswith("B2 OP\nWorst case\tC · 2.4 · odds of about 250 to 1")
    )


def test_files_are_opened_through_the_dialog(window, settled, monkeypatch, scores, key):
    monkeypatch.setattr(window.dialogs, "ask_files", lambda: [scores["B2"], key])
    window.file_menu.open_action.trigger()
    settled(window.jobs)
    assert shown_tag(window) == "C"

    monkeypatch.setattr(window.dialogs, "ask_files", list)
    window.file_menu.open_action.trigger()
    assert len(window.session.entries) == 1


def test_panes_come_to_the_front_and_the_guide_follows(qtbot, shared_window):
    assert shared_window.session.topic == "overview"
    show_ece = next(a for a in shared_window.findChildren(QAction) if a.text() == "Go to ECE")
    assert show_ece.shortcut().toString() == "Ctrl+3"
    show_ece.trigger()

    qtbot.waitUntil(shared_window.workspace.pane("ece").isVisible)
    assert shared_window.session.topic == "ece"
    assert "gap between" in shared_window.workspace.guide.text


def test_rename_opens_the_editor_in_the_tree(demo_window):
    demo_window.edit_menu.rename_action.trigger()

    assert (
        demo_window.workspace.evidence.tree.state() == demo_window.workspace.evidence.tree.State.EditingState
    )


def walk(window):
    """The focusable widgets in the window; panes made beforehand wait until there is something to show."""
    return [
        child
        for child in window.findChildren(QWidget)
        if child.focusPolicy() != Qt.FocusPolicy.NoFocus
        and child.focusProxy() is None  # it is another that takes it
        and child.isEnabled()
        and (window.session.items or child.isVisibleTo(window))
    ]


@pytest.mark.parametrize("state", ["empty", "demo", "problem"])
def test_everything_that_takes_the_focus_has_a_name(window, settled, drop, tmp_path, scores, state):
    if state == "demo":
        window.session.open_demo()
    elif state == "problem":
        drop(window, tmp_path, scores["B2"])
    settled(window.jobs)
    if window.workspace is not None:
        for topic in window.workspace.topics:
            window.workspace.pane(topic)

    nameless = []
    for widget in walk(window):
        if not window.session.items and not widget.isVisibleTo(window):
            continue  # made already, and shown when there is something to be named
        found = QAccessible.queryAccessibleInterface(widget)
        if (
            found is not None
            and not found.text(QAccessible.Text.Name)
            and not found.text(QAccessible.Text.Value)
        ):
            nameless.append(widget)
    assert [(widget, widget.parent()) for widget in nameless] == []


def test_labels_never_take_data_for_markup(whole_window):
    whole_window.session.edits.rename([whole_window.session.selected.id], "<b>bold</b> <img src=x>")

    rich = [
        label for label in whole_window.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText
    ]
    assert [label.text() for label in rich if label.text()] == []


def test_no_two_menus_or_entries_share_a_key(whole_window):
    keys = [
        action.shortcut().toString()
        for action in whole_window.findChildren(QAction)
        if not action.shortcut().isEmpty()
        and action.shortcutContext() is Qt.ShortcutContext.WindowShortcut  # others are keys of one widget
    ]
    assert sorted(keys) == sorted(set(keys))

    for menu in [whole_window.menuBar(), *(action.menu() for action in whole_window.menuBar().actions())]:
        letters = [
            after.lower() for a in menu.actions() for before, after in pairwise(a.text()) if before == "&"
        ]
        assert sorted(letters) == sorted(set(letters)), menu


def test_everything_has_room_at_1024_by_700(qtbot, shared_window):
    shared_window.resize(1024, 700)
    qtbot.waitUntil(lambda: shared_window.width() == 1024)

    assert shared_window.minimumSizeHint().width() <= 1024
    assert shared_window.minimumSizeHint().height() <= 700
    for pane in (
        shared_window.workspace.evidence,
        shared_window.workspace.guide,
        shared_window.workspace.pane("overview"),
    ):
        assert pane.width() >= 180
        assert pane.height() >= 400


def test_closing_the_window_while_it_works_leaves_no_thread(window, scores, key):
    window.open_paths([scores["B2"], key])
    window.session.open_demo()
    window.close()

    assert window.finish(10_000)


def test_layout_and_size_are_remembered_and_can_be_reset(qtbot, demo_window, settled, theme_of):
    demo_window.workspace.docks[-1].close()
    demo_window.resize(790, 700)
    demo_window.close()

    again = theme_of(demo_window)
    assert again.size().toTuple() == (790, 700)
    again.session.open_demo()
    settled(again.jobs)
    again.show()
    assert not again.workspace.docks[-1].isVisible()
    again.view_menu.reset_action.trigger()
    assert again.workspace.docks[-1].isVisible()
    again.close()


@pytest.fixture
def theme_of(qtbot):
    """Makes another window with the same theme."""
    from zebra_gui.window.window import Window

    def make(window):
        another = Window(window.theme)
        qtbot.addWidget(another)
        return another

    return make
