"""The certainty pane: asked for, shown, and told to those who listen."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from shiboken6 import delete

from tests.core.samples import demo
from tests.zebra_gui.turning import turn_events
from zebra_core.project.comparison.columns import ALL_COLUMNS
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.reading.reading import trials_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_gui.models.comparison import CompareRole, ComparisonModel
from zebra_gui.panes.certainty import CertaintyPane
from zebra_gui.panes.pictures import CONVERGENCE, NULL, POPULATION

FEW = BootstrapSettings(replicates=99)
RANK, TAG = ([column.code for column in ALL_COLUMNS].index(code) for code in ("rank", "tag"))


@pytest.fixture(scope="module")
def measured():
    """The demo with everything asked."""
    project = demo()
    entries = [
        replace(
            entry, measured=trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20))
        )
        for entry in project.entries
    ]
    project = project.replacing(*entries)
    return replace(project, differences=settle(project, trials_of, FEW).settled)


@pytest.fixture
def pane(qtbot, session):
    pane = CertaintyPane(session)
    qtbot.addWidget(pane)
    pane.resize(700, 600)
    return pane


def cells(pane):
    model = pane.differences.table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_before_anybody_asks_it_invites(pane, session, demo):
    session.open_project(demo)
    assert not pane.ask.isHidden()
    assert pane.differences.table.isHidden()
    assert pane.differences.note.text().startswith("Not tested yet.")
    assert pane.as_text() == ""


def test_the_picture_has_the_room_until_there_are_pairs(qtbot, pane, session, demo, measured):
    session.open_project(demo)
    pane.show()
    qtbot.waitUntil(lambda: pane.card.height() > 2 * pane.differences.height() > 0)
    session.open_project(measured)
    qtbot.waitUntil(lambda: pane.card.height() < 2 * pane.differences.height())


def test_pairs_stand_with_difference_and_verdict(pane, session, measured):
    session.open_project(measured)
    assert pane.ask.isHidden()
    rows = cells(pane)
    assert rows[0][:3] == ["Population disclosure D_ECE", "B1w", "B2r"]
    assert [row[5] for row in rows[:3]] == ["settled", "settled", "not settled"]
    assert rows[0][3].startswith("−0.")
    assert "99 draws of the speakers" in pane.differences.note.text()
    assert pane.differences.group.isHidden()  # there is but one
    assert pane.differences.ask.text() == "Test them again"


def test_rows_are_heard_and_copied(pane, session, measured):
    session.open_project(measured)
    model = pane.differences.table.model()
    index = model.index(2, 5)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Settled?: not settled"
    assert "the choice of speakers may explain it" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, 0).data(Qt.ItemDataRole.FontRole).bold()
    assert index.data(Qt.ItemDataRole.FontRole) is None
    pane.differences.table.actions()[0].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Dataset\tCondition\tAttacker\tFigure\tFirst\tSecond")
    assert lines[1].startswith("–\tOP\t–\tPopulation disclosure D_ECE\tB1w\tB2r\t")
    assert len(lines) == len(cells(pane)) + 1


def test_the_model_keeps_its_promises(pane, session, measured, qtmodeltester):
    session.open_project(measured)
    qtmodeltester.check(pane.differences.table.pairs)


def test_pairs_go_when_what_was_compared_goes(pane, session, measured):
    session.open_project(measured)
    session.edits.remove([session.entries[1].id])
    assert cells(pane) == []
    assert pane.differences.table.isHidden()


def test_the_comparison_tells_whether_a_rank_is_settled(session, measured):
    session.open_project(measured)
    model = ComparisonModel(session)
    model.show_comparison(compare(measured))
    first, second = (model.index(row, RANK) for row in (3, 4))
    assert [first.data(), second.data()] == ["1, settled", "2–3, not settled"]
    assert second.data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Rank: 2–3, not settled. With other speakers it might have ranked anywhere from 2 to 3: the "
        "differences from its neighbours may be chance."
    )
    assert "more than the choice of speakers" in first.data(Qt.ItemDataRole.ToolTipRole)
    tags = [model.index(row, TAG) for row in (3, 4)]
    assert [tag.data(CompareRole.MAY_BE_CHANCE) for tag in tags] == [True, False]
    assert "A set without any disclosure would show as much in" in tags[0].data(Qt.ItemDataRole.ToolTipRole)


def test_every_picture_is_drawn(qtbot, pane, session, measured, jobs, settled):
    session.open_project(measured)
    pane.show()
    for button in pane.card.chooser.buttons():
        button.click()
        qtbot.waitUntil(lambda: pane.card.is_drawn, timeout=60_000)
        assert pane.subject == pane.card.picture.name
        assert pane.card.heading is not None


@pytest.fixture
def held(monkeypatch):
    """Drawing waits after twenty of forty replicates until it is let go, or stopped."""
    go_on = threading.Event()

    def slow(trials, known, _settings, **rest):
        tell, watch = rest.pop("on_draws"), rest.pop("on_progress")

        def on_draws(so_far):
            tell(so_far)
            while not go_on.is_set():
                watch(0.5)

        few = BootstrapSettings(replicates=40)
        return trust_of(trials, known, few, on_draws=on_draws, on_progress=watch, **{**rest, "deals": 0})

    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.trust_of", slow)
    return go_on


def asked(qtbot, pane, session, demo):
    """A pane that shows what there is after twenty draws."""
    session.open_project(demo)
    session.edits.remove([entry.id for entry in session.entries[1:]])
    pane.show()
    pane.ask.click()
    assert pane.card.picture is CONVERGENCE
    qtbot.waitUntil(lambda: session.intervals.so_far is not None, timeout=60_000)
    qtbot.waitUntil(lambda: pane.card.is_drawn, timeout=60_000)


def test_while_speakers_are_drawn_it_shows_how_the_interval_settles(
    qtbot, pane, session, demo, held, jobs, settled
):
    asked(qtbot, pane, session, demo)
    figure = pane.card.make_figure()()
    assert figure.x.label == "replicates: 20 of 40 draws of unprotected OO so far"
    assert (pane.ask.isHidden(), pane.stop.isHidden()) == (True, False)
    held.set()
    settled(jobs)
    assert session.entries[0].trust.uncertainty.is_complete
    assert (pane.card.picture, pane.stop.isHidden()) == (POPULATION, True)
    assert session.intervals.so_far is None
    qtbot.waitUntil(lambda: not session.drawing.is_busy)


def test_first_seen_meanwhile_it_shows_the_same_and_then_the_figures(
    qtbot, pane, session, demo, held, jobs, settled
):
    asked(qtbot, pane, session, demo)
    later = CertaintyPane(session)
    qtbot.addWidget(later)
    assert later.card.picture is CONVERGENCE
    held.set()
    settled(jobs)
    assert later.card.picture is POPULATION
    qtbot.waitUntil(lambda: not session.drawing.is_busy)


def test_stopped_there_it_keeps_the_draws_so_far(qtbot, pane, session, demo, held, jobs, settled):
    asked(qtbot, pane, session, demo)
    pane.stop.click()
    settled(jobs)
    assert session.entries[0].trust.uncertainty.replicates == 20
    assert not session.intervals.is_measuring
    qtbot.waitUntil(lambda: not session.drawing.is_busy)


def test_what_the_user_chose_meanwhile_stays(qtbot, pane, session, demo, held, jobs, settled):
    asked(qtbot, pane, session, demo)
    pane.card.choose(NULL)
    held.set()
    settled(jobs)
    assert pane.card.picture is NULL
    qtbot.waitUntil(lambda: not session.drawing.is_busy)


def test_what_was_still_being_drawn_for_a_pane_that_is_gone_is_shown_nowhere(session, measured, settled):
    pane = CertaintyPane(session)
    session.open_project(measured)
    pane.card.choose(NULL)
    pane.show()
    turn_events(0)
    pictures, _pages = session.drawing.queues
    assert pictures.waiting
    delete(pane)
    settled(pictures)


@pytest.fixture
def of_two_groups(measured):
    """Everything asked, of two attackers."""
    project = measured
    half = [replace(entry, attacker="ignorant", id=f"{entry.id}-2") for entry in project.entries[1:]]
    project = project.with_items(*half)
    return replace(project, differences=settle(project, trials_of, FEW).settled)


def test_table_and_picture_are_of_the_group_of_the_selected_assessment(pane, session, of_two_groups):
    session.open_project(of_two_groups)
    places = {group.attacker: place for place, group in enumerate(pane.differences._groups)}
    assert len(places) == 2
    for entry in (of_two_groups.entries[-1], of_two_groups.entries[1]):
        session.select(entry.id)
        assert pane.differences.group.currentIndex() == places[entry.attacker]
        names = [name for _place, name in pane.card.make_figure()().y.ticks]
        assert len(names) == len(of_two_groups.entries) - len(of_two_groups.entries[1:]) // 2


def test_choosing_a_group_selects_something_of_it(pane, session, of_two_groups):
    session.open_project(of_two_groups)
    session.select(of_two_groups.entries[1].id)
    other = 1 - pane.differences.group.currentIndex()
    pane.differences.group.setCurrentIndex(other)
    pane.differences.group.activated.emit(other)
    assert session.selected.attacker == pane.differences._groups[other].attacker == "ignorant"


def test_while_they_are_tested_it_says_so(pane, session, demo, jobs, settled):
    session.open_project(demo)
    session.intervals.settle_differences()
    assert pane.differences.note.text().endswith("are being compared pair by pair…")
    assert not pane.differences.ask.isEnabled()
    jobs.cancel_all()
    settled(jobs)
    assert pane.differences.note.text().startswith("Not tested yet.")
    assert pane.differences.ask.isEnabled()
