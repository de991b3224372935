"""What a reader must not meet in a report before its appendix: the same sentence twice, commands, codes."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from tests.core.project.attacks import attack
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report.content import ReportContent, report_content
from zebra_core.report.document import (
    Block,
    Bullets,
    ExplainedFigure,
    FindingLine,
    Heading,
    Paragraph,
    TableBlock,
    Terms,
    in_order,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.version import versions

DATE = dt.date(2026, 11, 22)
FEWEST_WORDS = 9
LANGUAGES = ("en", "de", "es", "fr")
LETTERS = re.compile(
    r"\b(for|against|für|gegen|de|contra|frente a|pour|contre) [AB]\b"
    r"|\b[AB] (or|and|oder|o|ou) [AB]\b|_[AB]\b"
)


@cache
def measured() -> tuple[Entry, ...]:
    """Twelve assessments with intervals: six safeguards, each attacked by one who knows less and one more."""
    found = []
    for name in ("B1", "B2", "B3", "B4", "B5", "B6"):
        for seed, (attacker, between) in enumerate((("ignorant", 0.2), ("lazy-informed", 1.0))):
            entry = replace(attack(between, attacker, seed=seed, n=8), name=name, id=f"{name} {attacker}")
            assert entry.trials is not None
            trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
            found.append(replace(entry, measured=trust))
    return tuple(found)


def report(settings: ReportSettings | None = None) -> ReportContent:
    project = Project("", measured(), report=settings or ReportSettings())
    return report_content(gather(project), DATE, versions())


def body(content: ReportContent) -> Iterator[Block]:
    for section in content.sections:
        if section.section is not Section.APPENDIX:
            yield from in_order(section.blocks)


def prose(blocks: Iterable[Block]) -> Iterator[str]:
    """What is neither a table, a heading nor a caption."""
    for block in blocks:
        if isinstance(block, FindingLine) and "judged here" in block.condition:
            continue  # the answer for a safeguard, which may be that for another
        if isinstance(block, Paragraph | FindingLine | ExplainedFigure):
            yield block.text
        elif isinstance(block, Bullets):
            yield from ("".join(run.text for run in item) for item in block.items)
        elif isinstance(block, Terms):
            yield from (meaning for _, meaning in block.entries)


def is_figures(sentence: str) -> bool:
    """Whether it says what was measured: a value in bit, or a log10 LR."""
    return bool(re.search(r"\d( \S+ [\d.]+\)?)? bit|log10 LR of [−\d]", sentence))


def test_no_standing_sentence_is_said_twice_before_the_appendix() -> None:
    said = Counter(
        sentence
        for text in prose(body(report()))
        for sentence in re.split(r"(?<=[.]) ", text)
        if len(sentence.split()) >= FEWEST_WORDS and not is_figures(sentence)
    )
    assert len(said) > 100
    assert [sentence for sentence, count in said.items() if count > 1] == []


def everything(content: ReportContent) -> str:
    """All that a reader sees before the appendix, tables as well, and what makes it a draft."""
    tables = (block for block in body(content) if isinstance(block, TableBlock))
    cells = (
        text
        for table in tables
        for row in (*table.rows, ())
        for text in (table.caption, *(f"{cell.text} {cell.note}" for cell in row))
    )
    headings = (block.text for block in body(content) if isinstance(block, Heading))
    first = prose(in_order(content.answer))
    return "\n".join([*first, *content.missing, *prose(body(content)), *cells, *headings])


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_codes_and_file_formats_stand_in_the_appendix_alone(language: str) -> None:
    from zebra_core.wording.texts import speaking

    with speaking(language):
        words = everything(report(ReportSettings(language=language)))
    assert "B6" in words
    assert not re.findall(r"TOML|--\w+|\bzebra \w+|\b(?:d_ece|min_cllr)_bits\b|n_(?:non)?target\b", words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_propositions_are_never_called_by_the_letters_of_tags(language: str) -> None:
    from zebra_core.wording.texts import say, speaking

    with speaking(language):
        same, other, note = (say(f"opening.propositions-{name}") for name in ("same", "other", "note"))
        glossary = [say(f"glossary.{term}-means") for term in ("llr", "prior", "worst-case")]
        method = [say(f"method.{name}") for name in ("notation", "ece", "worst-case")]
    for text in (same, other, note, *glossary, *method):
        assert not LETTERS.search(text), text


def test_own_propositions_stand_in_their_own_words() -> None:
    own = "H1: both recordings are of Mr X.\n\nH2: they are of two people."
    content = report(ReportSettings(propositions=own))
    section = next(one for one in content.sections if one.section is Section.QUESTION)
    words = " ".join(prose(section.blocks))
    assert "H1: both recordings are of Mr X. H2: they are of two people." in words
    assert "weigh what comparisons say for these propositions" in words
    assert "one person (target)" not in words


def heads(content: ReportContent, section: Section) -> set[str]:
    blocks = next((one.blocks for one in content.sections if one.section is section), ())
    return {
        column.head for block in in_order(blocks) if isinstance(block, TableBlock) for column in block.columns
    }


def test_details_of_a_section_stand_in_the_appendix_and_without_one_in_the_section() -> None:
    shown = {Section.RESULTS: "EER", Section.OPINION: "Linked most"}
    for left_out in [frozenset[Section](), *map(frozenset, combinations(shown, 1))]:
        content = report(ReportSettings(left_out=left_out))
        for section, head in shown.items():
            assert head not in heads(content, section)
            assert (head in heads(content, Section.APPENDIX)) is (section not in left_out)
    without = report(ReportSettings(left_out=frozenset({Section.APPENDIX})))
    for section, head in shown.items():
        assert head in heads(without, section)


@pytest.mark.parametrize("alone", list(Section))
def test_every_section_can_stand_alone_and_every_one_can_be_left_out(alone: Section) -> None:
    assert [
        one.section for one in report(ReportSettings(left_out=frozenset(Section) - {alone})).sections
    ] == [alone]
    others = report(ReportSettings(left_out=frozenset({alone}))).sections
    assert alone not in {one.section for one in others}
