"""The speakers pane: the most exposed first, before and after, ranks, utterances, the sentence."""

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, Qt

from zebra_core.figures.figure import Ink
from zebra_core.metrics.zebra import LN10
from zebra_core.project.reading.reading import study_of
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import rounded
from zebra_gui.panes.people import PeoplePane, ZooPane


@pytest.fixture(scope="module")
def seen_panes():
    return ("speakers",)


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


@pytest.fixture
def pane(qtbot, demo_window, studied_once):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("speakers")
    pane = demo_window.workspace.front_pane
    assert isinstance(pane, PeoplePane)
    wait(qtbot, pane)
    return pane


@pytest.fixture(scope="module")
def study(demo):
    return study_of(demo.entries[2])


def wait(qtbot, pane):
    qtbot.waitUntil(
        lambda: (
            pane.card.is_drawn
            and pane.table.speakers.rows
            and not pane.session._jobs.waiting
            and not pane.session.conclusions.is_looking
        ),
        timeout=60_000,
    )


def test_the_most_exposed_come_first_with_their_figures(pane, study):
    worst = study.disclosures.speakers[0]
    lines = pane.table.as_text().splitlines()
    assert lines[0].split("\t")[:3] == ["Speaker", "Tag", "Exposure (bit)"]
    assert lines[1].split("\t")[:3] == [worst.speaker, worst.tag, rounded(worst.estimate_bits, 2)]
    assert [line.split("\t")[0] for line in lines[1:]] == [s.speaker for s in study.disclosures.speakers]


def test_before_is_the_unprotected_entry_of_the_same_speakers(pane, demo):
    before = {found.speaker: found for found in study_of(demo.entries[0]).disclosures.speakers}
    first = pane.table.speakers.rows[0]
    assert repr(first.unprotected) == repr(before[first.disclosure.speaker])


def test_the_sentence_says_who_keeps_a_tag(pane, study):
    told = study.disclosures.sentence("B2 OP", "C")
    assert told.startswith(
        "2 of 63 speakers keep a tag of C or worse under B2 OP in comparisons with themselves"
    )
    (answered,) = (one for one in pane.session.conclusions.known.conclusions if one.safeguard == "B2")
    assert answered.person_in_words
    assert pane.sentence.text() == (
        f"By the one attack on B2, as in the answer: {answered.person_in_words} {told} "
        "The intervals of single speakers take the calibration as it is: what it would be with other "
        "people is not in them."
    )
    place = pane.tag.findData("B")
    pane.tag.setCurrentIndex(place)
    pane.tag.activated.emit(place)
    assert study.disclosures.sentence("B2 OP", "B") in pane.sentence.text()


def test_of_unprotected_speech_there_is_no_answer_and_what_is_found_of_it_is_said(qtbot, pane, demo):
    pane.session.select(demo.entries[0].id)
    wait(qtbot, pane)
    own = study_of(demo.entries[0])
    qtbot.waitUntil(lambda: pane.sentence.text().startswith(str(own.most_exposed)), timeout=60_000)
    assert own.disclosures.verdict in pane.sentence.text()


def test_the_table_sorts_by_any_column_and_names_by_their_numbers(pane):
    pane.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    names = [pane.table.speaker_at(row) for row in range(63)]
    assert [int(name) for name in names] == sorted(map(int, names))


def test_rows_and_points_and_the_session_share_one_speaker(qtbot, pane, demo_window, study):
    second = study.disclosures.speakers[1].speaker
    pane.table.setFocus()
    pane.table.setCurrentIndex(pane.table.speakers.index(0, 0))
    qtbot.keyClick(pane.table, Qt.Key.Key_Down)
    assert demo_window.session.speaker == second
    wait(qtbot, pane)
    assert pane.card.view.figure.points[0].emphasised == {second}

    third = study.disclosures.speakers[2].speaker
    pane.card.view.put_on(third)
    qtbot.keyClick(pane.card.view.plot, Qt.Key.Key_Return)
    assert pane.table.speaker_at(pane.table.currentIndex().row()) == third


def test_before_and_after_are_read_by_their_names(qtbot, pane, study, demo):
    pane.card.choose("before-after")
    wait(qtbot, pane)
    worst = study.disclosures.speakers[0]
    pane.card.view._put(63)  # the first point after protection
    assert pane.card.view.words.whole_text.startswith(
        f"B2 OP · {worst.speaker}: {worst.estimate_bits:.3f} bit"
    )
    earlier = study_of(demo.entries[0]).disclosures.of(worst.speaker)
    pane.card.view._put(0)
    assert (
        f"unprotected OO · {worst.speaker}: {earlier.estimate_bits:.3f} bit"
        in pane.card.view.words.whole_text
    )


def test_ranks_start_at_the_hit_rate_of_the_first(qtbot, pane, study):
    pane.card.choose("cmc")
    wait(qtbot, pane)
    line = pane.card.view.figure.lines[1]
    assert float(line.y[0]) == study.ranks.hit_rate(1)
    pane.card.view.put_cursor(1, 0)
    assert pane.card.view.words.whole_text.startswith("among the first 1: ")


def test_utterances_add_up_with_their_counts_and_where_it_stops(qtbot, pane, study):
    pane.card.choose("accumulation")
    wait(qtbot, pane)
    [mean, _] = study.accumulations.values()
    assert pane.card.view.figure.points[0].y.tolist() == [point.shown_bits for point in mean.points]
    assert f"before {mean.stopped_at} utterances" in pane.card.note.text()
    pane.card.view._put(0)
    words = pane.card.view.words.whole_text
    assert words.startswith(f"{mean.points[0].shown_bits:.3f} bit · mean of scores · ")
    assert f"{mean.points[0].n_target}" in words


def test_the_guide_explains_each_picture(qtbot, pane, demo_window):
    for picture, words in {
        "speakers": "being taken for others has its own column",
        "before-after": "two joined points",
        "cmc": "The dashed line is guessing",
        "accumulation": "is then not enough",
        "accumulation-worst": "the most that this many pools can show",
    }.items():
        pane.card.choose(picture)
        assert words in demo_window.workspace.guide.text
    pane.card.choose("speakers")
    wait(qtbot, pane)


def test_what_is_the_unprotected_itself_has_no_before(qtbot, pane, demo_window):
    pane.card.choose("before-after")
    demo_window.session.select(demo_window.session.entries[0].id)
    wait(qtbot, pane)
    qtbot.waitUntil(lambda: pane.card.picture == "speakers")
    assert pane.table.isColumnHidden(5)


def test_everything_can_be_copied(pane):
    assert pane.as_text().splitlines()[0] == pane.sentence.text()
    assert len(pane.as_text().splitlines()) == 1 + 1 + 63


def test_with_recordings_to_hear_and_long_names_the_pane_fits_beside_tree_and_guide(pane):
    """At 1440 pixels about 940 are left; what has no room in a line begins another."""
    pane.hear_button.show()
    pane.choice.box.setItemText(pane.choice.box.currentIndex(), "Vendor delivery, recordings, PP, lazy")
    QCoreApplication.processEvents()
    assert pane.minimumSizeHint().width() < 800
    pane.hear_button.hide()


def test_a_pane_that_is_thrown_away_as_soon_as_it_was_painted_does_nothing_more(qtbot, demo_window):
    pane = PeoplePane(demo_window.session)
    pane.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    pane.show()
    pane.grab()
    shiboken6.delete(pane)
    QCoreApplication.processEvents()  # an exception would fail the test


@pytest.fixture
def own_window(window, demo):
    """A window of the test's own with the demo open."""
    window.session._on_demo_assessed(demo)
    return window


@pytest.fixture
def card(qtbot, own_window, settled, studied_once):
    own_window.session.select(own_window.session.entries[2].id)
    own_window.workspace.show_topic("zoo")
    pane = own_window.workspace.front_pane
    assert isinstance(pane, ZooPane)
    qtbot.waitUntil(lambda: pane.card.is_drawn, timeout=60_000)
    return pane.card


@pytest.fixture(scope="module")
def zoo(demo):
    return study_of(demo.entries[2]).zoo(ZooScale.LLR)


def test_speakers_are_at_their_means_in_base_10(card, zoo):
    found = {
        name: (float(x), float(y))
        for points in card.view.figure.points
        for name, x, y in zip(points.names, points.x, points.y, strict=True)
    }
    assert len(found) == 63
    for k, name in enumerate(zoo.speakers):
        assert found[name] == pytest.approx((zoo.target_mean[k] / LN10, zoo.nontarget_mean[k] / LN10))


def test_the_groups_are_tested_in_words(card, demo):
    sizes = study_of(demo.entries[2]).group_sizes(ZooScale.LLR)
    told = [str(size).replace("p = ", "p\u00a0=\u00a0") for size in sizes]  # no line ends there
    assert card.words.text().splitlines()[:4] == told


def test_a_speaker_is_read_picked_and_emphasised(qtbot, card, own_window, zoo):
    speaker = zoo.speakers[5]
    card.view.put_on(speaker)
    mean = zoo.target_mean[5] / LN10
    assert card.view.words.whole_text.startswith(f"{speaker}: target {mean:.2f}".replace("-", "−"))
    assert f"{zoo.n_target[5]} target" in card.view.words.whole_text
    qtbot.keyClick(card.view.plot, Qt.Key.Key_Return)
    assert own_window.session.speaker == speaker
    qtbot.waitUntil(lambda: card.is_drawn)
    assert any(points.emphasised == {speaker} for points in card.view.figure.points)


def test_the_spread_of_the_selected_speaker_is_drawn_on_demand(qtbot, card, own_window, zoo):
    own_window.session.select_speaker(zoo.speakers[5])
    qtbot.waitUntil(lambda: card.is_drawn)
    assert not [line for line in card.view.figure.lines if line.colour is Ink.FOREGROUND]
    card.spread.click()
    qtbot.waitUntil(lambda: card.is_drawn)
    [ellipse] = [line for line in card.view.figure.lines if line.colour is Ink.FOREGROUND]
    np.testing.assert_allclose(ellipse.x, zoo.ellipse(zoo.speakers[5])[0] / LN10)


def test_raw_scores_have_their_own_axes(qtbot, card):
    card.scale.setCurrentIndex(1)
    card.scale.activated.emit(1)
    qtbot.waitUntil(lambda: card.is_drawn)
    assert card.view.figure.x.label == "mean target score"


def test_goats_lambs_and_wolves_are_tested_when_asked_for(qtbot, card, own_window, settled):
    assert "Goats" not in card.words.text()
    card.test_button.click()
    settled(own_window.jobs)
    assert "499 exchanges of whole test segments" in card.words.text()
    assert card.test_button.isEnabled()


def test_other_comparisons_can_be_chosen(qtbot, card, own_window):
    card.choice.box.setCurrentIndex(0)
    card.choice.box.activated.emit(0)
    qtbot.waitUntil(lambda: card.is_drawn, timeout=60_000)
    assert card.view.figure.title == "Zoo, unprotected OO"
    assert card.file_stem() == "ZEBRA-unprotected-OO-zoo"


def test_why_there_is_no_zoo_is_said_in_its_place(qtbot, card, own_window):
    from zebra_core.evidence.trials import Trials
    from zebra_core.metrics.assessment import assess
    from zebra_core.project.items import Entry

    trials = Trials.from_scores([1.0, 2.0], [0.0, 1.5])
    nameless = Entry("nameless", trials, assess(trials))
    session = own_window.session
    session._change("add", session.project.with_items(nameless), nameless.id)
    qtbot.waitUntil(lambda: "name neither enrolments nor test segments" in card.words.text())
    assert not card.view.isVisible()
    assert not card.test_button.isEnabled()
    assert session.problems == ()
