"""The similarity pane: matrices with the core's cells, figures, orders, safeguards side by side."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.speakers.order import SpeakerOrder
from zebra_gui.panes.similarity import SimilarityPane

DATA = Path(__file__).parents[2] / "data" / "similarity"


@pytest.fixture(scope="module")
def project():
    made = Project()
    for entry in arrive([DATA]).entries:
        made = made.with_items(entry)
    return made


@pytest.fixture
def pane(qtbot, window, project):
    window.session.open_project(project)
    window.resize(1400, 900)
    window.workspace.show_topic("similarity")
    pane = window.workspace.front_pane
    assert isinstance(pane, SimilarityPane)
    qtbot.waitUntil(lambda: pane.card.is_drawn)
    return pane


def shown(pane):
    return [(panel.cells.title, panel.cells.values.shape) for panel in pane.card.view.canvas.panels]


def test_the_mosaic_has_the_four_matrices_of_the_selected_safeguard(pane, project):
    assert shown(pane) == [(title, (5, 5)) for title in ("OO", "OP", "PO", "PP")]
    voices = project.similarities[0].similarity
    panels = pane.card.view.canvas.panels
    order = [voices.speakers.index(name) for name in panels[0].cells.row_names]
    assert panels[0].cells.row_names == ("367", "533", "1998", "3080", "3331")
    op = voices.op.cells()[np.ix_(order, order)]
    np.testing.assert_array_equal(panels[1].cells.values, op)
    np.testing.assert_array_equal(panels[2].cells.values, op.T)


def test_the_figures_are_those_of_an_independent_implementation(pane):
    # expected.json, other_f/B1w: DeID 0.925711, G_VD -3.750096, D_diag 0.983588, 0.073070, 0.414766
    text = pane.card.grid.as_text().splitlines()
    assert text[0] == "\tB1w"
    assert text[1:3] == ["DeID\t93 %", "G_VD\t−3.8 dB"]
    assert text[7:10] == ["D_diag OO\t1.0", "D_diag OP\t0.1", "D_diag PP\t0.4"]
    assert pane.card.summary.whole_text == ("DeID 93 % · G_VD −3.8 dB · D_diag OO 1.0; OP 0.1; PP 0.4")


def test_one_setting_shows_all_ticked_safeguards_of_the_dataset_side_by_side(qtbot, pane, window):
    pane.card.chooser.button(2).click()
    qtbot.waitUntil(lambda: pane.card.is_drawn)
    assert [title for title, _ in shown(pane)] == ["B1w", "B2", "B2r"]
    assert pane.card.grid.as_text().splitlines()[0] == "\tB1w\tB2\tB2r"
    assert "DeID\t93 %\t54 %\t72 %" in pane.as_text()


def test_it_follows_the_selection_and_a_choice_of_its_own(qtbot, pane, window, project):
    window.session.select(project.items[4].id)
    qtbot.waitUntil(lambda: pane.card.is_drawn)
    assert pane.card.entry.name == "B2"
    assert pane.card.entry.dataset == "other_m"

    pane.card.safeguard.setCurrentIndex(2)
    pane.card.safeguard.activated.emit(2)
    assert (pane.card.entry.name, pane.card.entry.dataset) == ("B2r", "other_f")


def test_speakers_can_be_put_in_other_orders(qtbot, pane, project):
    orders = [pane.card.order.itemData(k) for k in range(pane.card.order.count())]
    assert orders == ["name", "self-similarity", "cluster"]  # nothing is known of their sex
    pane.card.order.setCurrentIndex(1)
    pane.card.order.activated.emit(1)
    qtbot.waitUntil(lambda: pane.card.is_drawn)
    own = pane.card.view.canvas.panels[0].cells.values.diagonal()
    assert list(own) == sorted(own, reverse=True)
    assert orders[1] == SpeakerOrder.SELF_SIMILARITY.value


def test_a_click_selects_the_speaker_and_a_selected_speaker_is_framed(qtbot, pane, window):
    view = pane.card.view
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(view.canvas, key)
    assert window.session.speaker == "533"
    window.session.select_speaker("3080")
    assert view.canvas.panels[1].row_frame.rect.top() == 3.0


def test_the_guide_speaks_of_the_matrices(pane, window):
    text = window.workspace.guide.text
    assert "A bright diagonal means that speakers are told apart." in text
    assert "Under B1w, de-identification is 93 %" in text
    window.workspace.show_topic("ece")
    assert "this pane is about assessments" in window.workspace.guide.text


def test_its_picture_is_exported_as_it_is_shown(qtbot, pane, window, tmp_path, settled, answers):
    answers["picture"] = lambda stem: tmp_path / f"{stem}.tex"
    pane.card.export_button.click()
    settled(window.jobs)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [
        "ZEBRA-B1w-similarity-cells.png",
        "ZEBRA-B1w-similarity-standalone.tex",
        "ZEBRA-B1w-similarity.tex",
    ]


def test_without_matrices_it_says_what_to_drop(demo_window):
    session = demo_window.session
    for item in session.project.similarities:
        session._change("remove", session.project.without([item.id]), None)
    demo_window.workspace.show_topic("similarity")
    card = demo_window.workspace.front_pane.card
    assert "There are no similarity matrices yet" in card.nothing.text()
    assert card.nothing.isVisible()
    assert not card.view.isVisible()


def test_what_is_not_defined_is_said(qtbot, pane, window, tmp_path, settled):
    (tmp_path / "oo").write_text("a-1 a-2 1\na-1 a-3 2\n")
    (tmp_path / "utt2spk").write_text("a-1 a\na-2 a\na-3 a\n")
    window.session.load([tmp_path])
    settled(window.jobs)
    qtbot.waitUntil(lambda: pane.card.is_drawn)
    assert pane.card.summary.whole_text == "D_diag OO not measurable"
    assert "There is only one speaker, a, so nothing can be compared" in pane.card.remarks.text()
    assert "D_diag OO\tnot measurable" in pane.card.grid.as_text()


def test_copied_figures_come_along(pane, window):
    window.edit_menu.copy_action.setEnabled(True)
    assert pane.as_text() == pane.card.grid.as_text()
    assert QGuiApplication.clipboard() is not None


def test_all_of_a_figure_is_seen_when_its_interval_comes(qtbot, pane, window):
    window.resize(1280, 800)
    area = pane.card.grid.parentWidget().parentWidget().parentWidget()
    longest = "−14.5 (−15.8 … −13.4) dB"
    pane.card.grid.show_table(("", "B1w"), (("D_diag OO by chance", longest),))
    pane.card._arrange()
    needed = pane.card.grid.sizeHint().width()
    qtbot.waitUntil(lambda: area.isVisible() and area.viewport().width() >= needed > 300)
    assert area.horizontalScrollBar().maximum() == 0
