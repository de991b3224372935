"""The similarity of voices: how far the diagonal stands out, what is lost against OO, and how sure it is."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.figures.similarity import mosaic_figure
from zebra_core.metrics.voices import SETTINGS
from zebra_core.project.items import SimilarityEntry
from zebra_core.report.content.files import shown_list
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Block, Cell, ReportPicture, TableBlock, TableColumn, paragraph
from zebra_core.uncertainty.shown import rounded
from zebra_core.uncertainty.trust import VoicesTrust
from zebra_core.uncertainty.voices import figure_of
from zebra_core.wording.names import after_name
from zebra_core.wording.texts import say

_GAINS = ("d_ece_op_oo", "min_cllr_op_oo", "g_d_ece_db", "g_cllr_db")
_NEEDED = {"de_id": "op", "d_ece_op_oo": "op", "min_cllr_op_oo": "op"}  # the others need PP


def similarities(frame: Frame) -> list[Block]:
    """Two tables, with intervals where somebody asked, what they rest on, and a picture of each."""
    items = frame.project.similarities
    pictures: list[Block] = []
    for number, item in enumerate(items, start=1):
        name = frame.names[item.id]
        figure = replace(mosaic_figure(item.similarity, name, trust=item.trust, in_a_row=True), title="")
        caption = say("results.mosaic-caption", name=name)
        pictures.append(ReportPicture(f"similarity-{number}", figure, caption, "similarity", item.id))
    return [_dominances(frame, items), _gains(frame, items), *_how_sure(frame, items), *pictures]


def _dominances(frame: Frame, items: tuple[SimilarityEntry, ...]) -> TableBlock:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(TableColumn(f"{say('similarity.d-diag')} {setting.upper()}") for setting in SETTINGS),
        TableColumn(say("results.de-id")),
        TableColumn(say("results.g-vd")),
    )
    rows = tuple(
        (
            Cell(frame.names[item.id]),
            *(_dominance(item, setting) for setting in SETTINGS),
            _cell(item, "de_id"),
            _cell(item, "g_vd_db"),
        )
        for item in items
    )
    return TableBlock(columns, rows, say("results.similarity-caption"))


def _gains(frame: Frame, items: tuple[SimilarityEntry, ...]) -> TableBlock:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(TableColumn(say(f"uncertainty.{name.replace('_', '-')}")) for name in _GAINS),
    )
    rows = tuple((Cell(frame.names[item.id]), *(_cell(item, name) for name in _GAINS)) for item in items)
    return TableBlock(columns, rows, say("results.gains-caption"))


def _how_sure(frame: Frame, items: tuple[SimilarityEntry, ...]) -> list[Block]:
    """What the intervals rest on, in a sentence for each; that nobody asked, where nobody did."""
    asked = [(frame.names[item.id], item.trust) for item in items if item.trust is not None]
    if not asked:
        return [paragraph(say("results.similarity-not-asked"))]
    alike: dict[tuple[str, str], list[tuple[str, VoicesTrust]]] = {}
    for name, trust in asked:
        beyond = trust.beyond_chance
        alike.setdefault((trust.rests_on, beyond or name), []).append((name, trust))
    blocks: list[Block] = []
    for (rests_on, beyond), members in alike.items():
        names = shown_list([name for name, _ in members], len(members))
        said = beyond if len(members) > 1 else " ".join(members[0][1].sentences)
        blocks.append(paragraph(names + after_name(f"{rests_on} {said}".rstrip())))
    return blocks


def _dominance(item: SimilarityEntry, setting: str) -> Cell:
    """D_diag; below it what chance alone would show."""
    if setting not in item.similarity.matrices:
        return Cell("–")
    chance = item.trust.chance(setting) if item.trust else ""
    note = say("results.by-chance", value=chance) if chance else ""
    return replace(_cell(item, f"d_diag_{setting}"), note=note)


def _cell(item: SimilarityEntry, figure: str) -> Cell:
    """A figure with its interval; a dash where the setting that it needs was not given."""
    value, voices = figure_of(item.similarity, figure), item.similarity
    if not figure.startswith("d_diag") and _NEEDED.get(figure, "pp") not in voices.matrices:
        return Cell("–")
    sure = item.trust.with_interval(figure) if item.trust else ""
    return Cell(sure or rounded(figure, value, len(voices.speakers)))
