"""A file too large for memory, dropped on the window: figures are there; what needs trials says why not."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel

from zebra_core.intake.streaming import pieces
from zebra_core.intake.streaming.counting import STREAMED
from zebra_gui.panes.count_again import CountAgainButton
from zebra_gui.panes.people import ZooCard
from zebra_gui.plots.points import PointsView


@pytest.fixture
def little_memory(monkeypatch):
    """As if so little were free that the demo's files are large; the work itself has what there is."""
    monkeypatch.setattr(pieces, "memory", SimpleNamespace(LEAST=0, free_bytes=lambda: 1 << 20))


@pytest.fixture
def streamed(window, settled, drop, scores, key, little_memory):
    assert drop(window, scores["B2"], key)
    settled(window.jobs)
    return window


def test_a_streamed_drop_shows_its_figures_and_says_that_trials_were_counted(streamed) -> None:
    [entry] = streamed.session.entries
    assert entry.trials is None
    assert entry.assessment.d_ece_bits == pytest.approx(0.204525236416, abs=1e-10)
    assert STREAMED in [remark.code for remark in entry.assessment.remarks_on_files]


def labels(dock):
    return [one.text() for one in dock.findChildren(QLabel) if one.isVisible()]


def count_speakers(qtbot, dock):
    """What that takes is said first, and nothing is begun."""
    qtbot.waitUntil(lambda: any("has to read 1 MB once more" in text for text in labels(dock)))
    assert not [view for view in dock.findChildren(PointsView) if view.isVisible()]  # nor empty axes shown
    [button] = [one for one in dock.findChildren(CountAgainButton) if one.isVisible()]
    assert button.text() == "Count speaker by speaker"
    assert "may need 1 MB for temporary files" in button.accessibleDescription()
    button.click()
    assert button.isHidden()


def test_panes_of_speakers_show_what_counts_tell_and_say_what_these_do_not(qtbot, streamed) -> None:
    for name, said in (
        ("zoo", "Whether animals are more than chance cannot be determined from counts"),
        ("speakers", "Whether speakers differ by more than chance cannot be determined from counts"),
    ):
        [dock] = [one for one in streamed.workspace.pane_docks if one.objectName() == name]
        dock.raise_()
        if name == "zoo":
            count_speakers(qtbot, dock)

        def is_said(dock=dock, said=said) -> bool:
            return any(said in text for text in labels(dock))

        qtbot.waitUntil(is_said, timeout=20_000)
        [view] = [view for view in dock.findChildren(PointsView) if view.isVisible()]
        qtbot.waitUntil(lambda view=view: view.figure is not None, timeout=10_000)
        assert len({each for points in view.figure.points for each in points.names}) == 63
    [zoo] = streamed.findChildren(ZooCard)
    assert not zoo.test_button.isEnabled()


def test_asking_how_sure_the_figures_are_is_answered_from_counts_of_pairs(
    streamed, settled, fewer_draws
) -> None:
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 100)
    bar = streamed.counting_bar
    assert bar.isHidden()
    streamed.session.intervals.measure_all()
    assert "ZEBRA has to read 1 MB once more, and may need 1 MB for temporary files." in bar.text.text()
    bar.button.click()
    assert bar.isHidden()
    streamed.assess_menu.settle_action.trigger()
    assert not bar.isHidden()
    streamed.session.intervals.measure_selected()
    assert not streamed.session.intervals.is_measuring  # nothing is begun before
    assert not streamed.session.intervals.is_settling
    bar.count.click()
    assert bar.isHidden()
    assert streamed.session.intervals.is_measuring
    settled(streamed.jobs)
    trust = streamed.session.entries[0].trust
    assert trust is not None
    assert trust.uncertainty.n_clusters == 63
    assert trust.null is not None
    assert not streamed.session.problems


def test_numbers_in_remarks_are_grouped_and_never_escaped(streamed) -> None:
    streamed.workspace.show_topic("overview")
    shown = [one.text() for one in streamed.findChildren(QLabel)]
    remarks = [text for text in shown if "were read piece by piece" in text]
    assert remarks
    assert all("9\u202f828 trials" in text for text in remarks)
