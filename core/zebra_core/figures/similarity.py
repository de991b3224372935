"""Similarity matrices as pictures: the mosaic of csl2022 (Fig. 9), and matrices side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zebra_core.evidence.trials import IntArray
from zebra_core.figures.figure import Cells, CellsFigure, ColourScale
from zebra_core.metrics.similarity import Mean, SimilarityMatrix, VoiceSimilarity
from zebra_core.speakers.order import SpeakerOrder, speaker_order
from zebra_core.uncertainty.trust import Trust
from zebra_core.wording.texts import say, visible_name, written

MOST_IN_A_ROW = 3
"""More matrices beside each other would be too small to be read."""


def mosaic_figure(
    voices: VoiceSimilarity,
    name: str,
    *,
    by: SpeakerOrder = SpeakerOrder.NAME,
    sex: Mapping[str, str] | None = None,
    trust: Trust | None = None,
    in_a_row: bool = False,
) -> CellsFigure:
    """OO and OP above PO and PP on one scale (csl2022, Fig. 9); where one is missing, the others in a row.

    `in_a_row` sets all four beside each other, for pages with many of them. `name` is the safeguard's.
    Speakers are everywhere in the order that the first matrix gives. D_diag has the digits that its
    interval in `trust` bears.
    """
    order = speaker_order(next(iter(voices.matrices.values())), by, sex)
    shown = dict(voices.matrices)
    if voices.op is not None:
        shown["po"] = voices.op.transposed
    facts = {
        setting: _in_words(matrix.d_diag(voices.mean), setting, trust) for setting, matrix in shown.items()
    }
    panel = {
        setting: _cells(matrix, setting, order, voices.mean, facts[setting])
        for setting, matrix in shown.items()
    }
    if len(panel) == 4 and in_a_row:
        panels: tuple[tuple[Cells, ...], ...] = (tuple(panel[s] for s in ("oo", "op", "po", "pp")),)
    elif len(panel) == 4:
        panels = ((panel["oo"], panel["op"]), (panel["po"], panel["pp"]))
    else:
        panels = (tuple(panel[setting] for setting in voices.matrices),)
    alt_text = " ".join(
        [
            say("figure.mosaic-alt", name=name, count=len(order)),
            *(_dominance(setting.upper(), facts[setting]) for setting in voices.matrices),
        ]
    )
    return CellsFigure(
        say("figure.mosaic-title", name=visible_name(name)), panels, similarity_scale(), alt_text
    )


def matrix_figure(
    named: Sequence[tuple[str, SimilarityMatrix]],
    setting: str,
    *,
    mean: Mean = Mean.GEOMETRIC,
    by: SpeakerOrder = SpeakerOrder.NAME,
    sex: Mapping[str, str] | None = None,
) -> CellsFigure:
    """Matrices of one setting ("oo", "op" or "pp") side by side on one scale, each with its name.

    There are at most three in a row. Each has its speakers in the order that the first gives; those whom
    the first lacks come last.
    """
    first = named[0][1]
    order = [first.speakers[int(k)] for k in speaker_order(first, by, sex)]
    place = {speaker: number for number, speaker in enumerate(order)}
    panels = []
    for name, matrix in named:
        codes = sorted(range(len(matrix.speakers)), key=lambda k: place.get(matrix.speakers[k], len(place)))
        places, d_diag = np.array(codes, dtype=np.int64), _in_words(matrix.d_diag(mean))
        panels.append(_cells(matrix, setting, places, mean, d_diag, name))
    alt_text = " ".join(
        [
            say("figure.matrix-alt", setting=setting.upper(), count=len(order)),
            *(_dominance(name, _in_words(matrix.d_diag(mean))) for name, matrix in named),
        ]
    )
    title = say("figure.matrix-title", setting=setting.upper())
    in_a_row = 2 if len(panels) == 4 else MOST_IN_A_ROW
    rows = tuple(tuple(panels[k : k + in_a_row]) for k in range(0, len(panels), in_a_row))
    return CellsFigure(title, rows, similarity_scale(), alt_text)


def similarity_scale() -> ColourScale:
    """The whole range of similarities, whatever occurs: colours mean the same in all pictures."""
    return ColourScale(say("figure.similarity"), 0.0, 1.0)


def _cells(
    matrix: SimilarityMatrix,
    setting: str,
    order: IntArray,
    mean: Mean,
    d_diag: str,
    title: str | None = None,
) -> Cells:
    ordered = matrix.reordered(order)
    row, column = (say(f"figure.side-{side}") for side in setting)
    return Cells(
        title or setting.upper(),
        ordered.speakers,
        ordered.speakers,
        row,
        column,
        ordered.cells(mean),
        ordered.n_trials,
        say("figure.d-diag", value=d_diag) if d_diag else "",
    )


def _in_words(d_diag: float | None, setting: str = "", trust: Trust | None = None) -> str:
    """D_diag with three decimals, or those its interval bears (PO uses that of OP); empty if not defined."""
    if d_diag is None:
        return ""
    if trust is None:
        return written(d_diag, ".3f")
    return trust.plain(f"d_diag_{'op' if setting == 'po' else setting}", d_diag)


def _dominance(name: str, d_diag: str) -> str:
    if not d_diag:
        return say("figure.dominance-undefined", name=name)
    return say("figure.dominance", name=name, value=d_diag)
