"""The check list on the overview: each line by sign and word, and what leaving out speakers did."""

import pytest
from pytestqt.qtbot import QtBot

from zebra_gui.panes.overview import OverviewPane
from zebra_gui.window.window import Window


@pytest.fixture
def demo_window(shared_window: Window) -> Window:
    return shared_window


def lines(pane: OverviewPane) -> list[str]:
    shown = pane.checks.list
    return [shown.item(row).text() for row in range(shown.count())]


def test_every_check_stands_there_by_sign_and_word(demo_window: Window, qtbot: QtBot) -> None:
    pane = demo_window.findChild(OverviewPane)
    assert pane is not None
    pane.checks._ask()
    qtbot.waitUntil(lambda: len(lines(pane)) >= 8, timeout=20_000)
    found = lines(pane)
    assert found[0].startswith("✓  The recogniser works on unprotected speech: passed. ")
    assert found[1].startswith("?  An attacker who knows more finds no less: cannot be decided. ")
    assert found[4].startswith("✗  Both sexes and all conditions are there: failed. ")
    assert pane.checks.list.accessibleName() == "Can this assessment be trusted?"


def test_leaving_out_speakers_says_who_moves_figures_most_and_can_be_undone(
    demo_window: Window, qtbot: QtBot
) -> None:
    pane = demo_window.findChild(OverviewPane)
    assert pane is not None
    session = demo_window.session
    pane.checks.leave_out.click()
    qtbot.waitUntil(lambda: bool(session.project and session.project.robust), timeout=20_000)
    pane.checks._ask()
    qtbot.waitUntil(lambda: any(line.startswith("•") for line in lines(pane)), timeout=20_000)
    assert any("B2 OP: D_ECE as computed is 0.20 bit to 0.22 bit" in line for line in lines(pane))
    session.undo_stack.undo()
    assert session.project is not None
    assert session.project.robust == {}
