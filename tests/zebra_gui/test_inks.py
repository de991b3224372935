"""What figures are drawn with on screen."""

from core.figures.figure import Marker
from zebra_gui.inks import SYMBOLS


def test_every_marker_of_a_figure_has_a_symbol_of_its_own():
    assert set(SYMBOLS) == set(Marker)
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)
