"""The zoo pane: the core's means at the points, tests in words, speakers followed."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from zebra_core.figures.figure import Ink
from zebra_core.metrics.zebra import LN10
from zebra_core.project.reading.speaker_study import study_of
from zebra_core.speakers.zoo import ZooScale
from zebra_gui.panes.zoo import ZooPane


@pytest.fixture
def card(qtbot, demo_window, settled, studied_once):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("zoo")
    pane = demo_window.workspace.front_pane
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
    assert card.words.text().splitlines()[:4] == [str(size) for size in sizes]


def test_a_speaker_is_read_picked_and_emphasised(qtbot, card, demo_window, zoo):
    speaker = zoo.speakers[5]
    card.view.put_on(speaker)
    mean = zoo.target_mean[5] / LN10
    assert card.view.words.whole_text.startswith(f"{speaker}: target {mean:.2f}".replace("-", "−"))
    assert f"{zoo.n_target[5]} target" in card.view.words.whole_text
    qtbot.keyClick(card.view.plot, Qt.Key.Key_Return)
    assert demo_window.session.speaker == speaker
    qtbot.waitUntil(lambda: card.is_drawn)
    assert any(points.emphasised == {speaker} for points in card.view.figure.points)


def test_the_spread_of_the_selected_speaker_is_drawn_on_demand(qtbot, card, demo_window, zoo):
    demo_window.session.select_speaker(zoo.speakers[5])
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


def test_goats_lambs_and_wolves_are_tested_when_asked_for(qtbot, card, demo_window, settled):
    assert "Goats" not in card.words.text()
    card.test_button.click()
    settled(demo_window.jobs)
    assert "499 exchanges of whole test segments" in card.words.text()
    assert card.test_button.isEnabled()


def test_other_comparisons_can_be_chosen(qtbot, card, demo_window):
    card.choice.box.setCurrentIndex(0)
    card.choice.box.activated.emit(0)
    qtbot.waitUntil(lambda: card.is_drawn, timeout=60_000)
    assert card.view.figure.title == "Zoo, unprotected OO"
    assert card.file_stem() == "ZEBRA-unprotected-OO-zoo"


def test_why_there_is_no_zoo_is_said_in_its_place(qtbot, card, demo_window):
    from zebra_core.evidence.trials import Trials
    from zebra_core.metrics.assessment import assess
    from zebra_core.project.items import Entry

    trials = Trials.from_scores([1.0, 2.0], [0.0, 1.5])
    nameless = Entry("nameless", trials, assess(trials))
    session = demo_window.session
    session._change("add", session.project.with_items(nameless), nameless.id)
    qtbot.waitUntil(lambda: "name neither enrolments nor test segments" in card.words.text())
    assert not card.view.isVisible()
    assert not card.test_button.isEnabled()
    assert session.problems == ()
