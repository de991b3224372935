"""What figures are drawn with on screen."""

from zebra_core.figures.figure import Dash, Marker
from zebra_gui.plots.inks import DASHES, SYMBOLS


def test_every_marker_of_a_figure_has_a_symbol_of_its_own():
    assert set(SYMBOLS) == set(Marker)
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)


def test_every_dash_of_a_figure_has_a_pattern_of_its_own():
    assert set(DASHES) == set(Dash)
    assert len(set(DASHES.values())) == len(DASHES)
    assert all(len(strokes) % 2 == 0 for strokes in DASHES.values())  # Qt wants a gap after each stroke
