"""Pictures of tests by ear: where dots and intervals lie, and a curve for each safeguard with its EER."""

import pytest

from zebra_core.errors import InputError
from zebra_core.figures.export import figure_files
from zebra_core.listening.section import ears_figure, rated_figure

CLEAN = [0, 0, 0, 0, 0, 0, 0, 2, 4, 4]
MIXED = [0, 0, 0, 0, 0, 0, 0, 2, 4, 4]
WORSE = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0]


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


def test_a_curve_for_each_safeguard_says_how_often_ratings_confuse_it():
    counts = {"same": {"upper": CLEAN, "lower": MIXED}, "worse": {"upper": CLEAN, "lower": WORSE}}
    figure = rated_figure({"question": "naturalness", "counts": counts})
    assert figure.title == "Listeners: how natural?"
    assert [line.label for line in figure.lines if line.label] == [
        "same (ROCCH-EER 50.00 %)",
        "worse (ROCCH-EER 0.00 %)",
    ]
    assert "worse (ROCCH-EER 0.00 %)" in figure.alt_text


def test_counts_that_are_none_are_refused():
    with pytest.raises(InputError, match="cannot be read"):
        rated_figure({"question": "naturalness", "counts": {"x": {"upper": [1], "lower": WORSE}}})
