"""The files pane: what the selected entry rests on, and decisions about it."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from zebra_core.evidence.audit import Decision
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Entry
from zebra_gui.panes.files import FilesPane
from zebra_gui.panes.overview import OverviewPane


@pytest.fixture
def pane(qtbot, demo_session):
    pane = FilesPane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(800, 600)
    pane.show()
    return pane


@pytest.fixture
def distances(session, jobs, settled, tmp_path):
    """A session with scores for which lower means more alike."""
    (tmp_path / "key").write_text("a b target\na c target\na d nontarget\na e nontarget\n")
    (tmp_path / "distances").write_text("a b 0.1\na c 0.3\na d 0.2\na e 0.9\n")
    session.load([tmp_path / "distances", tmp_path / "key"])
    settled(jobs)
    return session


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel) if not label.isHidden()]


def test_it_shows_files_and_counts_of_the_selected_entry(pane, demo_session, demo):
    assert [(row.name, row.rows) for row in pane.table.files.rows] == [("scores", 9828), ("trials", 9828)]
    assert pane.table.files.rows[1].sha256.startswith("e0027c39a054")
    shown = texts(pane.audit)
    assert shown[shown.index("Trials matched") + 1] == "9\u202f828"

    demo_session.select(None)
    assert pane.table.files.rows == ()


def test_scores_without_files_say_so(pane, demo_session):
    trials = Trials.from_scores(target=[1.0, 2.0], nontarget=[0.0])
    project = demo_session.project.with_items(Entry("numbers", trials, assess(trials)))
    demo_session._change("add", project, project.entries[-1].id)

    assert pane.nothing.isVisible()
    assert pane.nothing.text().startswith("These scores did not come from a file")
    assert not pane.audit.isVisible()


def test_scores_that_were_made_from_files_do_not_say_that_there_were_none(pane, demo_session):
    entry = demo_session.selected
    made = replace(entry, assessment=replace(entry.assessment, audit=None))
    demo_session._change("change", demo_session.project.replacing(made), made.id)

    assert pane.table.files.rows
    assert pane.nothing.text().startswith("These scores were made from the files above")


def test_a_decision_is_made_and_taken_back_and_undone(qtbot, distances, jobs, settled):
    pane = FilesPane(distances)
    qtbot.addWidget(pane)
    before = distances.selected
    for holds in (True, False):
        pane.audit.boxes[Decision.LOWER_IS_MORE_ALIKE].click()
        settled(jobs)
        assert bool(distances.selected.audit.decisions) is holds
        assert pane.audit.boxes[Decision.LOWER_IS_MORE_ALIKE].isChecked() is holds
    assert distances.selected.assessment.d_ece_bits == before.assessment.d_ece_bits

    distances.undo_stack.undo()
    assert distances.selected.audit.decisions == (Decision.LOWER_IS_MORE_ALIKE,)
    distances.undo_stack.undo()
    assert distances.selected is before


def test_the_overview_offers_the_same_beside_its_remark(qtbot, distances, jobs, settled):
    pane = OverviewPane(distances)
    qtbot.addWidget(pane)
    [button] = pane.remarks.buttons.values()
    assert button.text() == "Lower means more alike"
    assert texts(pane.remarks)[0].startswith("!  Warning: Targets score lower than nontargets")
    button.click()
    settled(jobs)

    [button] = pane.remarks.buttons.values()
    assert button.text() == "Take this decision back"
    assert "The scores were read as distances, lower meaning more alike, as you decided." in "".join(
        texts(pane.remarks)
    )
    button.click()
    settled(jobs)
    assert distances.selected.audit.decisions == ()


def test_a_decision_that_cannot_be_followed_changes_nothing(qtbot, distances, jobs, settled, tmp_path):
    pane = FilesPane(distances)
    qtbot.addWidget(pane)
    before = distances.project
    (tmp_path / "distances").write_text("a b 0.5\n")
    pane.audit.boxes[Decision.LOWER_IS_MORE_ALIKE].click()
    settled(jobs)

    assert distances.project is before
    assert distances.problems == ("distances has changed since it was assessed. Drop the files again.",)
    assert not pane.audit.boxes[Decision.LOWER_IS_MORE_ALIKE].isChecked()


def test_a_decision_about_what_was_removed_meanwhile_is_dropped(distances, jobs, settled):
    entry = distances.selected
    distances.reassessing.decide(entry.id, Decision.LOWER_IS_MORE_ALIKE, holds=True)
    distances.edits.remove([entry.id])
    settled(jobs)

    assert distances.entries == ()


def test_columns_fit_the_room_until_the_user_makes_them_otherwise(qtbot, pane):
    header = pane.table.horizontalHeader()

    def widths():
        return [header.sectionSize(column) for column in range(header.count())]

    pane.resize(560, 600)
    qtbot.waitUntil(lambda: sum(widths()) <= pane.table.viewport().width())
    narrow = widths()
    pane.resize(1000, 600)
    qtbot.waitUntil(lambda: sum(widths()[1:]) > sum(narrow[1:]))

    header.resizeSection(header.count() - 1, 60)
    pane.resize(1100, 600)
    qtbot.waitUntil(lambda: pane.width() == 1100)
    assert widths()[-1] == 60


def test_published_results_stand_beside_ours(qtbot, session, jobs, settled, tmp_path):
    pair = "ASV-a_enrolls-a_trials_anon"
    (tmp_path / "exp" / "B1" / pair).mkdir(parents=True)
    (tmp_path / "exp" / "B1" / pair / "scores").write_text("a b 2\na c 1\na d 0\na e -1\n")
    (tmp_path / "exp" / "B1" / "results.txt").write_text(
        f"{pair}\n  EER: 0%\n  Individual: 9.000 (F)\nASV-b_enrolls-b_trials\n  EER: 5%\nwhat is this\n"
    )
    (tmp_path / "a_trials").write_text("a b target\na c target\na d nontarget\na e nontarget\n")
    pane = FilesPane(session)
    qtbot.addWidget(pane)
    assert pane.published_card.isHidden()
    session.arrivals.load([tmp_path])
    settled(jobs)

    assert not pane.published_card.isHidden()
    unmatched = "EER by Kaldi, in percent of ASV-b_enrolls-b_trials: printed 5, which could not be matched"
    unmatched = f"{unmatched} with one assessment"
    assert pane.published.text().splitlines() == [
        "3 printed figures are about these scores; 2 of them differ from ours.",
        "worst case: printed 9.000, but 0.477 here (results.txt, line 3)",
        "tag: printed F, but A here (results.txt, line 3)",
        "EER by Kaldi, in percent: 0 as printed (results.txt, line 2)",
        f"One printed figure could not be matched. {unmatched} (results.txt, line 5)",
        "results.txt: line 6 could not be read.",
    ]
