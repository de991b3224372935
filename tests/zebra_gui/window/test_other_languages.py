"""Every pane has room for words that are 40 % longer, and for a language that is read from right to left."""

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QPushButton

from tests.pseudo import pseudo_language
from tests.zebra_gui.geometry import misplaced, shown_in
from zebra_core.wording.languages import use
from zebra_gui.language.translating import translate_window
from zebra_gui.plots.figure import FigureView


@pytest.fixture(scope="module")
def longer(qapp):
    """What the window says is in the language of longer words, its jobs' sentences too."""
    before, locale = qapp.findChildren(QTranslator), QLocale()
    with pseudo_language(special={"language.decimal": ","}) as code:
        use(code)
        translate_window(qapp)
        yield code
        use("en")
    QLocale.setDefault(locale)
    for translator in set(qapp.findChildren(QTranslator)) - set(before):
        qapp.removeTranslator(translator)
        translator.deleteLater()


@pytest.fixture(scope="module")
def seen_panes():
    return ("speakers", "zoo", "people")


@pytest.fixture
def demo_window(longer, shared_window):
    return shared_window


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_no_word_is_cut_in_any_pane_and_nothing_lies_on_anything_else(qtbot, qapp, demo_window, direction):
    qapp.setLayoutDirection(direction)
    try:
        demo_window.resize(1024, 700)
        found = {}
        for topic in demo_window.workspace.topics:
            if topic == "report":  # its pages take long
                continue
            demo_window.workspace.show_topic(topic)
            qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
            QApplication.processEvents()
            found[topic] = [*misplaced(demo_window), *cut_buttons(demo_window)]
        assert found == {topic: [] for topic in found}
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def cut_buttons(window):
    """Those of the docks and bars, too."""
    for button in shown_in(window, [QPushButton]):
        if button.width() < button.minimumSizeHint().width():
            yield f"{button.text()} is cut"


def test_the_axes_of_a_plot_stay_where_they_are(qtbot, qapp, demo_window):
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        demo_window.workspace.show_topic("ece")
        qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
        plot = demo_window.workspace.front_pane.findChild(FigureView).plot.getPlotItem()
        qtbot.waitUntil(lambda: plot.getAxis("left").scenePos().x() < plot.vb.scenePos().x())
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
