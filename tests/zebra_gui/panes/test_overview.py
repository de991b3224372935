"""The overview shows the selected entry."""

from pathlib import Path
from shutil import copy

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

import zebra_resources
from tests.zebra_gui.turning import turn_events
from tests.zebra_gui.wheeling import turn_wheel
from zebra_core.evidence.audit import Decision
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import ScoreMeaning, assess
from zebra_core.project import demo
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import study_of
from zebra_gui.panes.facts import Fact, as_text
from zebra_gui.panes.guide import sections
from zebra_gui.panes.overview import OverviewPane
from zebra_gui.plots.figure import FigureView
from zebra_gui.session.findings import StudiedComparisons
from zebra_gui.window.window import Window


@pytest.fixture
def pane(qtbot, demo_session):
    pane = OverviewPane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(800, 600)
    pane.show()
    return pane


def test_the_wheel_over_the_picture_scrolls_the_page(pane):
    plot, area = pane.findChild(FigureView).plot, pane.findChild(QScrollArea)
    turn_events(20)
    bar = area.verticalScrollBar()
    bar.setValue(bar.maximum())
    turn_events(20)
    before, place = plot.getViewBox().viewRange(), bar.value()
    turn_wheel(plot, 1)

    assert plot.getViewBox().viewRange() == before
    assert bar.value() < place


def test_the_badge_says_letter_number_odds_and_ceiling(pane):
    assert pane.worst_case.badge.tag == "C"
    assert pane.worst_case.number.text() == "2.4"
    assert pane.worst_case.meaning.text() == (
        "for the same speaker: odds of about 250 to 1 where both were as likely before"
    )
    assert pane.population.number.text() == "0.20 bit"


def test_a_line_on_top_says_that_figures_of_a_tiny_set_say_nothing(pane, demo_session, demo):
    assert pane.too_small.isHidden()
    trials = Trials.from_scores([2.0, 3.0], [0.1, 0.2, 0.3])
    entry = Entry("tiny", trials, assess(trials), id="tiny")
    demo_session._show(demo.with_items(entry), "tiny")
    assert pane.too_small.isVisible()
    assert pane.too_small.text().startswith(
        "5 comparisons, 2 of the same person and 3 of different ones: these figures say nothing."
    )
    assert pane.worst_case.badge.tag == "≥ A?"


def test_a_card_shows_its_figure_once_and_the_rest_behind_more(pane):
    for card, told in (
        (pane.worst_case, "These data can show 3.99 at most in this direction, −2.19 in the other."),
        (pane.population, "28 % of full disclosure (0.721 bit)"),
    ):
        assert not card.details.isVisible()
        card.more.click()
        assert card.details.isVisible()
        assert card.details.text().startswith(told)
        card.more.click()
        assert not card.details.isVisible()
    assert pane.worst_case.more.accessibleName() == "More about: Worst case"
    said = [text.text() for text in pane.population.findChildren(QLabel) if text.isVisible()]
    assert sum("0.20" in text for text in said) == 1


def test_the_headline_is_drawn_of_the_selected_entry_alone(pane, demo_session, demo):
    for place, name in ((2, "B2 OP"), (1, "B1w OP")):
        demo_session.select(demo.entries[place].id)
        scale, ladder = pane.population.view.figure, pane.worst_case.view.figure
        assert scale.title.startswith(f"{name}: ")
        assert ladder.title.startswith(f"{name}: worst case ")
        assert float(scale.points[0].x[0]) == demo.entries[place].assessment.d_ece_bits
    assert pane.population.heading.whole_text == "Disclosure"
    assert pane.worst_case.heading.whole_text == "Worst case"
    assert pane.population.view.plot.accessibleDescription().startswith(scale.alt_text)


def test_every_mark_of_the_headline_is_read_by_keyboard_and_pointer(qtbot, pane):
    view = pane.worst_case.view
    for _ in range(5):  # from the right to the left
        qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.words.whole_text == (
        "B2 OP: the most that these data can show for two different speakers is 2.19"
    )
    qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    assert view.words.whole_text == "B2 OP: worst case 2.4 (C), for the same speaker"
    view.hide_cursor()
    dot = view.figure.points[-1]  # the worst case, which is above the others
    view._on_pointed_at(QPointF(float(dot.x[0]), float(dot.y[0])))
    assert view.words.whole_text == "B2 OP: worst case 2.4 (C), for the same speaker"


def test_pictures_of_the_headline_are_exported_under_their_names(pane):
    stems = [card.file_stem() for card in pane.figure_cards()]
    assert stems[0].startswith("ZEBRA-")
    assert [stem.split("-")[1] for stem in stems[1:]] == ["LADDER", "SCALE"]


def test_it_follows_the_selection(pane, demo_session, demo):
    demo_session.select(demo.entries[1].id)

    assert pane.worst_case.badge.tag == "A"
    assert pane.worst_case.number.text() == "0.9"


def test_the_most_exposed_person_is_told_once_the_speakers_were_looked_at(qtbot, pane, demo_session, demo):
    assert pane.person.text() == "To see who is most exposed, and by how much, open People."
    demo_session.speaker_studies.of(StudiedComparisons(demo_session.selected))
    told = f"By this attack alone: {study_of(demo_session.selected).most_exposed}"
    assert told.startswith("By this attack alone: Of 63 speakers, the highest estimate of exposure is ")
    qtbot.waitUntil(lambda: pane.person.text() == told, timeout=60_000)
    assert pane.person.accessibleName() == f"The most exposed person: {told}"


def test_the_prior_that_is_considered_stands_among_the_small_figures(qtbot, pane, demo_session):
    def shown():
        return [label.text() for label in pane.conventional.findChildren(QLabel)]

    assert "1 in 100" in shown()
    demo_session.consider_prior(1000)
    qtbot.waitUntil(lambda: "1 in 1\u202f000" in shown())


def test_nothing_selected_shows_no_figures(pane, demo_session):
    demo_session.select(None)

    assert not pane.worst_case.isVisible()
    assert not pane.remarks.isVisible()


def test_remarks_that_ask_for_nothing_stand_below_the_figures(pane):
    turn_events(20)
    assert pane.said.y() > pane.worst_case.geometry().bottom()


def test_remarks_are_words(pane, demo):
    [shown] = [label.text() for label in pane.remarks.findChildren(QLabel) if not label.isHidden()]
    [remark] = demo.entries[2].assessment.remarks
    assert shown == f"•  {remark}"
    assert "log-likelihood ratios" in shown


def test_the_selected_profile_is_emphasised(qtbot, pane, demo_session, demo):
    # On a busy machine the pane is drawn somewhat later than it is told that it is exposed.
    qtbot.waitUntil(lambda: pane.figure_cards()[0].view._figure is not None)
    lines = pane.figure_cards()[0].view._figure.lines
    assert [line.emphasis for line in lines] == [False, False, False, False, True, False]

    demo_session.select(demo.entries[0].id)
    lines = pane.figure_cards()[0].view._figure.lines
    assert [line.emphasis for line in lines] == [False, False, True, False, False, False]


@pytest.mark.parametrize(("width", "in_one_row"), [(520, False), (620, False), (800, None), (1600, True)])
def test_the_cards_fit_the_room_however_wide_their_figures_are(qtbot, pane, width, in_one_row):
    pane.resize(width, 700)
    bar = pane.findChild(QScrollArea).horizontalScrollBar()
    for value in ("0.18 bit", "0.18 (0.13 … 0.24) bit"):
        pane.population.show_fact(Fact("Disclosure", value, ""))
        pane.arrange()
        qtbot.waitUntil(lambda: bar.maximum() == 0)
        assert pane.conventional.geometry().right() <= pane.width()
    if in_one_row is not None:
        qtbot.waitUntil(lambda: (pane.conventional.y() == pane.worst_case.y()) is in_one_row)


def test_how_many_trials_the_next_tags_would_take_is_told_where_the_mouse_rests(pane):
    told = "Showing tag D at all would take 9\u202f937 nontarget trials, or 9\u202f999 target"
    assert told in pane.worst_case.details.text()
    assert told in pane.worst_case.badge.toolTip()


@pytest.fixture
def distances(session, jobs, settled, tmp_path):
    """A session with the demo's unprotected scores, their signs changed."""
    rows = [line.rsplit(" ", 1) for line in demo.FILES[0].path.read_text().splitlines()]
    (tmp_path / "scores").write_text("".join(f"{ids} {-float(score)}\n" for ids, score in rows))
    copy(zebra_resources.path(demo.KEY), tmp_path / "key")
    session.load([tmp_path / "scores", tmp_path / "key"])
    settled(jobs)
    return session


def test_scores_that_run_the_wrong_way_are_told_everywhere_and_can_be_turned_round(
    qtbot, distances, jobs, settled
):
    pane = OverviewPane(distances)
    qtbot.addWidget(pane)
    told = (
        "Read the other way round, lower meaning more alike, these scores disclose 0.678 bit, C (worst "
        "case 3.88), rather than 0."
    )
    assert pane.worst_case.badge.tag == "A / C"
    assert pane.worst_case.meaning.text().startswith(told)
    assert pane.population.meaning.text().startswith(told)
    assert pane.person.isHidden()
    guide = {section.heading: section.text for section in sections("overview", distances.selected)}
    assert guide["In one sentence"].startswith(told)
    assert (
        as_text(distances.selected).splitlines()[1].endswith("read the other way round C · 3.88 · 0.678 bit")
    )

    page = pane._page.layout()
    assert page.indexOf(pane.said) < page.indexOf(pane._cards)  # what is to be decided comes first
    button = pane.remarks.buttons[Decision.LOWER_IS_MORE_ALIKE, True]
    assert button.text() == "Lower means more alike"
    button.click()
    settled(jobs)
    assert pane.worst_case.badge.tag == "≥ C"  # as much as these trials can show
    assert pane.population.number.text() == "0.68 bit"
    assert not pane.person.isHidden()
    assert (Decision.LOWER_IS_MORE_ALIKE, True) not in pane.remarks.buttons
    distances.undo_stack.undo()
    assert pane.worst_case.badge.tag == "A / C"


def test_llrs_that_are_never_negative_can_be_read_as_ratios(qtbot, session, jobs, settled, tmp_path):
    ratios = {"target": (2.0, 50.1, 900, 0.5, 33), "nontarget": (0.0004, 0.2, 0.03, 1.4, 0.01)}
    lines = (f"{label} {ratio}\n" for label, of_label in ratios.items() for ratio in of_label)
    (tmp_path / "ratios").write_text("".join(lines))
    session.load([tmp_path / "ratios"])
    settled(jobs)
    session.reassessing.declare([session.selected.id], ScoreMeaning.NATURAL_LLR)
    settled(jobs)
    pane = OverviewPane(session)
    qtbot.addWidget(pane)
    pane.remarks.buttons[Decision.LIKELIHOOD_RATIOS, True].click()
    settled(jobs)
    found = session.selected.assessment
    assert found.cllr_bits == pytest.approx(0.382675, abs=1e-6)
    assert found.has_llrs
    assert "llrs-never-negative" not in [one.code for one in found.remarks]


def test_comparisons_of_an_id_with_itself_can_be_kept_and_left_out_again(qtbot, session, jobs, settled):
    folder = Path(__file__).parents[2] / "data" / "written"
    session.load([folder / "self-scores", folder / "self-key"])
    settled(jobs)
    pane = OverviewPane(session)
    qtbot.addWidget(pane)
    for holds in (True, False):
        pane.remarks.buttons[Decision.SELF_COMPARISONS, holds].click()
        settled(jobs)
        assert session.selected.audit.n_target == (54 if holds else 36)
        offered = [one for one in pane.remarks.buttons if one[0] is Decision.SELF_COMPARISONS]
        assert offered == [(Decision.SELF_COMPARISONS, not holds)]


def test_scores_that_another_has_too_can_be_left_out_of_the_answer(pane, demo_session, demo):
    copied = demo.entries[2]
    demo_session.edits.duplicate([copied.id])
    demo_session.select(copied.id)
    assert any("have the same scores, so these are not ranked" in label.text() for label in shown_in(pane))
    pane.remarks.leave_out.click()
    assert not demo_session.project.entry(copied.id).is_ticked
    assert not any("have the same scores" in label.text() for label in shown_in(pane))


def shown_in(pane):
    turn_events(1)
    return [label for label in pane.remarks.findChildren(QLabel) if not label.isHidden()]


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
