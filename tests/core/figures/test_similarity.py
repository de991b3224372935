"""Similarity matrices as pictures."""

import numpy as np
import pytest

from tests.core.similarity_cases import random_rows, scores, segments
from zebra_core.figures.similarity import matrix_figure, mosaic_figure
from zebra_core.metrics.similarity import VoiceSimilarity, voice_similarity
from zebra_core.speakers.order import SpeakerOrder

SPOKEN = segments(3, 3)


@pytest.fixture(scope="module")
def voices() -> VoiceSimilarity:
    oo = scores(random_rows(SPOKEN, 0, ordered=False))
    op = scores(random_rows(SPOKEN, 1, ordered=True))
    pp = scores(random_rows(SPOKEN, 2, ordered=False))
    return voice_similarity(oo=oo, op=op, pp=pp, speakers=SPOKEN)


def test_the_mosaic_has_oo_and_op_above_po_and_pp(voices: VoiceSimilarity) -> None:
    figure = mosaic_figure(voices, "B2")
    (oo, op), (po, pp) = figure.panels

    assert [each.title for each in (oo, op, po, pp)] == ["OO", "OP", "PO", "PP"]
    assert voices.op is not None
    assert (op.values == voices.op.cells()).all()
    assert (po.values == op.values.T).all()
    assert (po.counts == op.counts.T).all()
    assert [(each.row_label, each.column_label) for each in (op, po)] == [
        ("original", "protected"),
        ("protected", "original"),
    ]
    assert (figure.scale.low, figure.scale.high, figure.title) == (0.0, 1.0, "Voice similarity, B2")


def test_the_alt_text_gives_every_dominance(voices: VoiceSimilarity) -> None:
    alt_text = mosaic_figure(voices, "B2").alt_text
    assert alt_text.startswith("Voice similarity of 3 speakers")
    assert alt_text.endswith(
        f"OO: the diagonal stands out by {voices.d_diag('oo'):.3f}. "
        f"OP: the diagonal stands out by {voices.d_diag('op'):.3f}. "
        f"PP: the diagonal stands out by {voices.d_diag('pp'):.3f}."
    )


def test_all_panels_share_one_order(voices: VoiceSimilarity) -> None:
    figure = mosaic_figure(voices, "B2", by=SpeakerOrder.SELF_SIMILARITY)
    panels = [panel for row in figure.panels for panel in row]
    assert len({panel.row_names for panel in panels} | {panel.column_names for panel in panels}) == 1
    own = panels[0].values.diagonal()
    assert (np.diff(own) <= 0.0).all()


def test_without_all_settings_there_is_one_row() -> None:
    oo = scores(random_rows(SPOKEN, 0, ordered=False))
    two = voice_similarity(oo=oo, pp=oo, speakers=SPOKEN)
    assert [[panel.title for panel in row] for row in mosaic_figure(two, "x").panels] == [["OO", "PP"]]
    op = scores(random_rows(SPOKEN, 0, ordered=True))
    both = voice_similarity(oo=oo, op=op, speakers=SPOKEN)
    assert [[panel.title for panel in row] for row in mosaic_figure(both, "x").panels] == [["OO", "OP"]]


def test_an_undefined_dominance_is_said() -> None:
    one = voice_similarity(oo=scores([("a1", "a2", 1.0)]), speakers={"a1": "a", "a2": "a"})
    assert mosaic_figure(one, "x").alt_text.endswith("OO: how far the diagonal stands out is not defined.")


def test_safeguards_side_by_side_have_one_scale_and_the_order_of_the_first(voices: VoiceSimilarity) -> None:
    fewer = voice_similarity(
        op=scores([row for row in random_rows(SPOKEN, 3, ordered=True) if "s1" not in row[0] + row[1]]),
        speakers=SPOKEN,
    )
    assert voices.op is not None
    assert fewer.op is not None
    figure = matrix_figure([("B1w", fewer.op), ("B2", voices.op)], "op")
    ((first, second),) = figure.panels
    assert (first.title, first.row_names) == ("B1w", ("s0", "s2"))
    assert (second.title, second.row_names) == ("B2", ("s0", "s2", "s1"))
    assert second.values[2, 0] == voices.op.cells()[1, 0]
    assert figure.title == "Voice similarity, OP"


@pytest.mark.parametrize(("count", "rows"), [(1, [1]), (3, [3]), (4, [2, 2]), (5, [3, 2])])
def test_many_safeguards_take_several_rows(voices: VoiceSimilarity, count: int, rows: list[int]) -> None:
    assert voices.op is not None
    figure = matrix_figure([(f"B{k}", voices.op) for k in range(count)], "op")
    assert [len(row) for row in figure.panels] == rows
    assert [panel.title for row in figure.panels for panel in row] == [f"B{k}" for k in range(count)]


def test_panels_say_how_far_the_diagonal_stands_out(voices: VoiceSimilarity) -> None:
    (oo, op), (po, _) = mosaic_figure(voices, "B2").panels
    assert oo.note == f"D_diag {voices.d_diag('oo'):.3f}"
    assert op.note == po.note


def test_for_a_page_with_many_the_four_stand_in_a_row(voices: VoiceSimilarity) -> None:
    (row,) = mosaic_figure(voices, "B2", in_a_row=True).panels
    assert [each.title for each in row] == ["OO", "OP", "PO", "PP"]
