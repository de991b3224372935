"""Every picture draws the figure that the core makes of what was chosen."""

import numpy as np
import pytest

from tests.core.challenge_case import challenge
from zebra_core.figures.ape import ape_figure, nber_figure
from zebra_core.figures.calibration import calibration_figure
from zebra_core.figures.distributions import (
    ShownScores,
    det_figure,
    histogram_figure,
    pav_figure,
    roc_figure,
    tippett_figure,
)
from zebra_core.figures.series import ece_figure, nece_figure
from zebra_core.metrics.prior import prior_log_odds
from zebra_gui.panes.pictures import HISTOGRAMS

PICTURES = {
    "ece": ece_figure,
    "nece": nece_figure,
    "ape": ape_figure,
    "nber": nber_figure,
    "det": det_figure,
    "roc": roc_figure,
    "tippett": tippett_figure,
    "histograms": histogram_figure,
    "pav": pav_figure,
    "calibration": calibration_figure,
}


TOPICS = {
    "ece": ("ece", "nece"),
    "errors": ("ape", "nber", "det", "roc"),
    "strength": ("tippett", "histograms", "pav"),
    "calibration": ("calibration", "learnt", "folds"),
}


def topic_of(name):
    """Of the pane that shows this picture."""
    return next(topic for topic, names in TOPICS.items() if name in names)


@pytest.fixture(scope="module")
def seen_panes():
    return ("strength",)


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


@pytest.fixture
def show(qtbot, demo_window):
    """Brings a picture to the front and waits until it is drawn; returns its card."""

    def bring(name):
        demo_window.session.select(demo_window.session.entries[2].id)
        demo_window.workspace.show_topic(topic_of(name))
        card = demo_window.workspace.front_pane.card
        place = [picture.name for picture in card.pictures].index(name)
        card.chooser.button(place).click()
        drawn(card)
        return card

    def drawn(card):
        qtbot.waitUntil(lambda: card.is_drawn)
        return card.view

    bring.drawn = drawn
    return bring


def assert_drawn(view, figure):
    """Whether what is on the screen is this figure."""
    assert view.figure.title == figure.title
    assert [line.label for line in view.figure.lines] == [line.label for line in figure.lines]
    for curve, line in zip(view._curves, figure.lines, strict=True):
        x, y = curve.getData()
        np.testing.assert_array_equal(x, line.x)
        np.testing.assert_array_equal(y, line.y)
    for item, points in zip(view.decorations.points, figure.points, strict=True):
        x, y = item.getData()
        np.testing.assert_array_equal(x, points.x)
        np.testing.assert_array_equal(y, points.y)
    texts = [text for points in figure.points for text in points.texts]
    assert [item.toPlainText() for item in view.decorations.texts] == texts
    assert len(view.decorations.areas) == len(figure.areas)
    assert [item.text for item in view.legend.items] == [entry.label for entry in figure.legend]


@pytest.mark.parametrize("name", PICTURES)
def test_the_numbers_drawn_are_the_cores(show, demo, name):
    card = show(name)
    make = PICTURES[name]
    entries = demo.entries[2:3] if name in ("histograms", "calibration") else demo.entries
    mark = None if name == "calibration" else prior_log_odds(100)

    assert_drawn(card.view, make(entries, demo.entries[2].id, prior_log_odds=mark))
    assert card.view.plot.accessibleDescription().startswith(card.view.figure.alt_text[:40])
    assert card.chooser.checkedButton().text() == card.picture.title


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_read_in_words(qtbot, show, name):
    view = show(name).view
    labels = {line.label for line in view.figure.lines if line.label}
    view.plot.setFocus()
    view.plot.stepped.emit(-1)

    assert any(view.words.whole_text.endswith(label) for label in labels)
    for _ in range(len(labels) + 1):
        view.plot.line_changed.emit(1)
        assert "None" not in view.words.whole_text
        assert any(view.words.whole_text.endswith(label) for label in labels)


@pytest.mark.parametrize("name", ["ece", "nece"])
def test_curves_are_chosen(show, demo, name):
    card = show(name)
    make = PICTURES[name]
    options = {"default": False, "minimum": False, "actual": True}
    for part in ("actual", "minimum", "default"):
        card.part(part).click()

    assert_drawn(
        card.view, make(demo.entries, demo.entries[2].id, prior_log_odds=prior_log_odds(100), **options)
    )
    card.part("actual").click()
    assert card.part("actual").isChecked()  # something must be seen


@pytest.mark.parametrize("name", ["ape", "nber"])
def test_the_error_of_the_scores_as_they_are(show, demo, name):
    card = show(name)
    card.part("actual").click()
    make = PICTURES[name]

    view = show.drawn(card)
    assert_drawn(
        view, make(demo.entries, demo.entries[2].id, actual=True, prior_log_odds=prior_log_odds(100))
    )


def test_the_selected_entry_alone(show, demo):
    card = show("det")
    card.part("only_selected").click()

    view = show.drawn(card)
    assert_drawn(view, det_figure(demo.entries[2:3], demo.entries[2].id, prior_log_odds=prior_log_odds(100)))


@pytest.mark.parametrize("name", ["tippett", "histograms", "calibration"])
def test_the_values_are_chosen(show, demo, name):
    card = show(name)
    assert [card.shown.itemData(place) for place in range(card.shown.count())] == list(card.picture.shown)
    card.shown.setCurrentIndex(1)
    card.shown.activated.emit(1)

    assert card.view_of_picture.shown is card.picture.shown[1]
    assert ShownScores(card.view_of_picture.shown).axis_label
    view = show.drawn(card)
    if name != "calibration":
        assert view.figure.x.label == card.picture.shown[1].axis_label


def test_calibration_can_be_seen_at_the_prior_of_the_slider(show, demo):
    card = show("calibration")
    card.part("at_prior").click()
    view = show.drawn(card)

    assert_drawn(
        view, calibration_figure(demo.entries[2:3], demo.entries[2].id, prior_log_odds=prior_log_odds(100))
    )


def test_choices_are_kept_for_each_picture(show):
    card = show("ece")
    card.part("actual").click()
    card.choose(card.pictures[1])
    assert not card.part("actual").isChecked()
    card.choose(card.pictures[0])
    assert card.part("actual").isChecked()


def test_the_guide_follows_the_picture(show, demo_window):
    show("det")
    assert demo_window.session.topic == "det"
    assert "convex hull" in demo_window.workspace.guide.text
    show("pav")
    assert "pooled" in demo_window.workspace.guide.text


def test_a_pane_that_is_not_seen_draws_nothing(demo_window, show):
    show("ape")
    workspace = demo_window.workspace
    hidden = workspace.pane(topic_of("tippett")).card
    drawn_before = hidden.view.figure
    demo_window.session.select(demo_window.session.entries[0].id)
    show.drawn(workspace.pane(topic_of("ape")).card)

    assert hidden.view.figure is drawn_before
    assert not hidden.is_drawn


def test_a_pane_that_is_seen_again_is_not_drawn_anew(demo_window, show):
    """How long a change of panes takes is measured in packaging/benchmarks/bench_window.py."""
    names = ("ece", "ape", "tippett", "calibration")
    cards = [show(name) for name in names]
    before = [card.view.figure for card in cards]
    for name in names:
        demo_window.workspace.show_topic(topic_of(name))
        demo_window.workspace.front_pane.grab()

    assert all(card.is_drawn for card in cards)
    assert all(card.view.figure is figure for card, figure in zip(cards, before, strict=True))


def test_histograms_mark_the_speaker_that_was_clicked_on_another_pane(qtbot, demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("strength")
    card = demo_window.workspace.front_pane.card
    card.choose(HISTOGRAMS)
    qtbot.waitUntil(lambda: card.is_drawn, timeout=60_000)
    assert card.view.figure.points == ()

    demo_window.session.select_speaker("1246")
    qtbot.waitUntil(lambda: bool(card.view.figure.points), timeout=60_000)
    labels = [points.label for points in card.view.figure.points]
    assert [label.partition(":")[0] for label in labels] == ["speaker 1246 in B2 OP"] * 2

    demo_window.session.select_speaker(None)
    qtbot.waitUntil(lambda: not card.view.figure.points, timeout=60_000)


@pytest.fixture
def crowd(qtbot, demo_window):
    """The card of ECE profiles over 24 assessments of two datasets."""
    project = challenge()
    demo_window.session.open_project(project)
    chosen = next(entry for entry in project.entries if entry.full_name == "B1w OP, ignorant")
    demo_window.session.select(chosen.id)
    demo_window.workspace.show_topic("ece")
    card = demo_window.workspace.front_pane.card
    qtbot.waitUntil(lambda: card.is_drawn)
    return card


def labels(card):
    return [line.label for line in card.view.figure.legend]


def test_of_a_crowd_the_group_of_the_selected_one_is_shown_until_the_user_wants_all(qtbot, crowd):
    names = [label.partition(" (")[0] for label in labels(crowd)]
    box = crowd.part("only_group")
    assert box.isChecked()
    assert names[0] == "perfect privacy"
    assert all(name.endswith((" OO", " OP, ignorant")) for name in names[1:])

    box.click()
    qtbot.waitUntil(lambda: crowd.is_drawn)
    assert len(labels(crowd)) == 25


def test_few_are_all_shown(show):
    card = show("ece")
    assert not card.part("only_group").isChecked()
    assert card.part("only_group").isVisible()  # the demo has OO and OP
    assert len(labels(card)) == 5
