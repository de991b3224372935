"""The speakers of the results: who is most exposed, and the zoo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.figures.figure import tag_colour
from zebra_core.figures.series import colour_of
from zebra_core.figures.speakers import speakers_figure, zoo_figure
from zebra_core.project.gathering.material import AssessmentSpeakers
from zebra_core.project.items import Entry
from zebra_core.report.content.values import Frame, shown
from zebra_core.report.document import (
    HALF_WIDTH,
    Badge,
    Block,
    Bullets,
    Cell,
    Heading,
    ReportPicture,
    Run,
    TableBlock,
    TableColumn,
    TwoColumns,
    paragraph,
)
from zebra_core.report.pairs import p_alone
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.study import MostExposed
from zebra_core.wording.texts import joined, say, strength, visible, written

MOST_AT_RISK = 5
"""So many speakers of an assessment are named; all of them are in the evidence."""

MOST_AT_RISK_OF_MANY = 1
MOST_PICTURED = 4
"""Of so many assessments the speakers are drawn one by one; of more, only tables tell of them."""

MINUS = "\N{MINUS SIGN}"

EXPOSED_FROM = 3
"""The place in the scale from which on a speaker is counted as exposed: C in the papers' scale."""


def speakers_of(frame: Frame) -> tuple[Block, ...]:
    """The most exposed speakers of every assessment; those of few assessments are drawn in the appendix."""
    known = _known(frame)
    blocks: list[Block] = [paragraph(say("speakers-section.intro"))] if known else []
    blocks += _left_out(frame)
    if not known:
        return tuple(blocks)
    leading = frame.leading(known)
    if len(leading) < len(known):
        blocks.append(paragraph(say("speakers-section.leading"), quiet=True))
    blocks.append(_table(frame, leading))
    blocks += _alike(frame, known) if _are_many(known) else _in_words(frame, known)
    code = "pictured" if is_pictured(frame) else "not-pictured"
    blocks.append(paragraph(say(f"speakers-section.{code}", most=MOST_PICTURED), quiet=True))
    return tuple(blocks)


def all_speakers(frame: Frame) -> tuple[Block, ...]:
    """The table of all assessments, where the section has it of the strongest attackers only."""
    known = _known(frame)
    if len(frame.leading(known)) == len(known):
        return ()
    return Heading(say("speakers-section.all-head")), _table(frame, known)


def is_pictured(frame: Frame) -> bool:
    """Whether there are so few assessments that their speakers are drawn, and not only told of in tables."""
    return 0 < len(_protected(frame)) <= MOST_PICTURED and frame.has_appendix


def speakers_one_by_one(frame: Frame) -> tuple[Block, ...]:
    """Zoo and speakers of every assessment as pictures, a page each: for those who ask for them."""
    return tuple(_pictures(frame, entry, number) for number, entry in enumerate(_protected(frame), start=1))


def _known(frame: Frame) -> list[Entry]:
    return [entry for entry in frame.entries if entry.id in frame.material.speakers]


def _protected(frame: Frame) -> list[Entry]:
    known = _known(frame)
    return [entry for entry in known if entry.colour is not None] or known


def _left_out(frame: Frame) -> list[Block]:
    """Why nothing can be said of the speakers of some assessments, each reason once."""
    why: dict[str, list[str]] = {}
    for entry in frame.entries:
        if error := frame.material.speakers.missing.get(entry.id):
            why.setdefault(shown(str(error)), []).append(frame.names[entry.id])
    return [
        paragraph(say("speakers-section.missing", names=joined(names), why=reason))
        for reason, names in why.items()
    ]


def _table(frame: Frame, entries: Sequence[Entry]) -> TableBlock:
    are_many = _are_many(_known(frame))
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("speakers-section.exposed", tag=_shown(entries[0])), is_text=True),
        *([TableColumn(say("speakers-section.p"))] if are_many else []),
        TableColumn(say("speakers-section.speaker"), is_text=True, share=0.6),
        TableColumn(say("speakers-section.estimate")),
        TableColumn(say("table.tag"), is_text=True),
        TableColumn(say("speakers-section.own-evidence")),
        TableColumn(say("speakers-section.taken")),
        TableColumn(say("speakers-section.own-trials")),
    )
    most = MOST_AT_RISK_OF_MANY if are_many else MOST_AT_RISK
    rows: list[tuple[Cell, ...]] = []
    for entry in entries:
        named = _apart(frame, entry)[:most]
        p = [Cell(_p_of(entry, frame))] if are_many else []
        of_entry = [_row(frame, entry, row, is_first=place == 0) for place, row in enumerate(named)]
        of_entry = of_entry or [_nobody(frame, entry, "nobody-short" if p else "nobody")]
        rows += [(*row[:2], *p, *row[2:]) for row in of_entry]
    return TableBlock(columns, tuple(rows), say("speakers-section.caption", count=most))


def _row(frame: Frame, entry: Entry, row: SpeakerDisclosure, *, is_first: bool) -> tuple[Cell, ...]:
    scale = entry.assessment.settings.tag_scale
    between = say("uncertainty.between", low=written(row.low_bits, ".2f"), high=written(row.high_bits, ".2f"))
    return (
        Cell(frame.row_name(entry)),
        Cell(_n_exposed(frame, entry) if is_first else ""),
        Cell(shown(say("name.speaker", name=visible(row.speaker)))),
        Cell(written(row.estimate_bits, ".2f"), between.replace("-", MINUS)),
        Cell(badge=Badge(scale.shown(row.tag), tag_colour(scale, row.tag))),
        Cell(strength(row.worst_case_log10_lr)),
        Cell(strength(row.taken_log10_lr)),
        Cell(f"{row.n_target} / {row.n_nontarget}"),
    )


def _apart(frame: Frame, entry: Entry) -> Sequence[SpeakerDisclosure]:
    """Who stands out by any attack on the safeguard, as in the answer; by this one where there is none."""
    found, answer = frame.material.speakers[entry.id].disclosures, frame.material.answer_of(entry)
    if answer is None:
        return found.standing_out
    rows = {row.speaker: row for row in found.speakers}
    return [rows[name] for name in answer.apart_in(entry.dataset) if name in rows]


def _nobody(frame: Frame, entry: Entry, words: str) -> tuple[Cell, ...]:
    """The row of an assessment in which nobody can be named."""
    sentence = say(f"speakers-section.{words}")
    first = Cell(frame.row_name(entry)), Cell(_n_exposed(frame, entry)), Cell(sentence)
    return (*first, *(Cell(say("data.not-known")),) * 5)


def _n_exposed(frame: Frame, entry: Entry) -> str:
    found = frame.material.speakers[entry.id].disclosures
    return say("speakers-section.of", count=len(found.keeping(_exposed_tag(entry))), all=len(found))


def _in_words(frame: Frame, entries: Sequence[Entry]) -> list[Block]:
    """What the answer says of people, once for each safeguard; of unprotected speech what is found of it."""
    told = []
    for entry in entries:
        found, answer = frame.material.speakers[entry.id].disclosures, frame.material.answer_of(entry)
        if answer is not None and answer.people_in_words:
            told.append(answer.people_in_words)
            continue
        own = f"{MostExposed.of([found]) or ''} {found.verdict}".strip()
        told.append(say("speakers-section.chance", name=frame.row_name(entry), chance=own))
    return [paragraph(shown(each), quiet=True) for each in dict.fromkeys(told)]


def _are_many(entries: Sequence[Entry]) -> bool:
    """Whether there are too many assessments to say of each in words whether its speakers differ."""
    return len(entries) > MOST_PICTURED + 1


def _p_of(entry: Entry, frame: Frame) -> str:
    """How often chance makes speakers differ as much; a dash where nobody can say."""
    chance = frame.material.speakers[entry.id].disclosures.chance
    return p_alone(chance.p_value) if chance.can_be_told else say("data.not-known")


def _alike(frame: Frame, entries: Sequence[Entry]) -> list[Block]:
    """What the p-values of many assessments mean, and how many of them chance alone would have."""
    known = [frame.material.speakers[entry.id].disclosures.chance for entry in entries]
    tested = [chance for chance in known if chance.can_be_told]
    count = sum(chance.is_more_than_chance for chance in tested)
    return [paragraph(say("speakers-section.alike", count=count, all=len(tested)), quiet=True)]


def _exposed_tag(entry: Entry) -> str:
    tags = entry.assessment.settings.tag_scale.tags
    return tags[min(EXPOSED_FROM, len(tags) - 1)].letter


def _shown(entry: Entry) -> str:
    return entry.assessment.settings.tag_scale.shown(_exposed_tag(entry))


def _pictures(frame: Frame, entry: Entry, number: int) -> TwoColumns:
    """The zoo with what was tested of it, beside all speakers."""
    found: AssessmentSpeakers = frame.material.speakers[entry.id]
    name = frame.names[entry.id]
    dots = replace(speakers_figure(found.disclosures, name, colour_of(entry)), title="")
    animals = replace(zoo_figure(found.zoo, name, found.zoo_tests.sizes), title="")
    tests = found.zoo_tests
    sizes = tuple((Run(str(test)),) for test in (*tests.sizes, *tests.differences))
    zoo = ReportPicture(
        f"zoo-{number}",
        animals,
        say("speakers-section.zoo-caption", name=name),
        "zoo",
        entry.id,
        2.6,
        HALF_WIDTH,
    )
    speakers = ReportPicture(
        f"speakers-{number}",
        dots,
        say("speakers-section.dots-caption", name=name),
        "speakers",
        entry.id,
        width=HALF_WIDTH,
    )
    return TwoColumns((zoo, *((Bullets(sizes),) if sizes else ())), (speakers,))
