"""Listeners and recogniser as a picture: where the dots and intervals lie, and in every format."""

import pytest

from zebra_core.figures.export import figure_files
from zebra_core.figures.listeners import ears_figure


def panel(question, safeguard, corrected, low, high):
    figure = {"value": corrected + 0.1, "shown": corrected, "low": low, "high": high}
    return {"question": question, "safeguard": safeguard, "figures": {"d_ece_bits": figure}}


VALUES = {
    "panels": [
        panel("same", "", 0.6, 0.5, 0.7),
        panel("same", "B_2", 0.2, 0.1, 0.4),
        {"question": "placement", "safeguard": "B_2", "figures": None},
    ],
    "machine": [panel("same", "B_2", 0.1, 0.0, 0.3)],
}


def test_dots_are_corrected_and_a_row_has_ears_above_the_machine():
    figure = ears_figure(VALUES)
    ears, machine = figure.points
    assert (ears.x.tolist(), ears.y.tolist()) == ([0.6, 0.2], [pytest.approx(2.16), pytest.approx(1.16)])
    assert (machine.x.tolist(), machine.y.tolist()) == ([0.1], [pytest.approx(0.84)])
    assert [line.x.tolist() for line in figure.lines[1:]] == [[0.5, 0.7], [0.1, 0.4], [0.0, 0.3]]
    assert figure.y.ticks == ((2.0, "unprotected, Same speaker"), (1.0, "B_2, Same speaker"))
    assert ears.names[1] == "B_2, Same speaker: listeners 0.200 bit, 0.100 to 0.400"
    assert "recogniser 0.100 bit, 0.000 to 0.300" in figure.alt_text


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "tex"])
def test_it_is_saved_in_every_format(kind):
    [content] = [made for name, made in figure_files(ears_figure(VALUES), "ears", kind).items()][:1]
    assert len(content) > 500
    if kind == "tex":
        assert rb"B\_2, Same speaker" in content
