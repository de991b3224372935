"""A report of many assessments: what would be said of each in words stands in tables."""

import datetime as dt
from dataclasses import replace
from functools import cache

from tests.core.project.attacks import attack
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Section
from zebra_core.report.content import report_content
from zebra_core.report.document import Block, FindingLine, Paragraph, TableBlock
from zebra_core.version import versions


@cache
def sections() -> dict[Section, tuple[Block, ...]]:
    """Of four safeguards, each with two attackers who find as much with each."""
    entries = [
        replace(attack(between, attacker, seed=seed, n=8), name=name, id=f"{name} {attacker}")
        for name in ("B1", "B2", "B3", "B4")
        for seed, (attacker, between) in enumerate((("ignorant", 0.2), ("lazy-informed", 1.0)))
    ]
    content = report_content(gather(Project("", tuple(entries))), dt.date(2026, 11, 22), versions())
    return {one.section: one.blocks for one in content.sections}


def tables(section: Section) -> list[TableBlock]:
    return [block for block in sections()[section] if isinstance(block, TableBlock)]


def test_who_finds_most_stands_in_a_table() -> None:
    table = next(
        one for one in tables(Section.APPENDIX) if one.columns[0].head == "The attacker who finds most"
    )
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        (f"libri_f · {name} PP, lazy-informed", "2") for name in ("B1", "B2", "B3", "B4")
    ]
    assert {row[2].text[-4:] for row in table.rows} == {" bit"}
    assert table.caption.endswith("whichever of them that is.")


def test_whether_speakers_differ_is_a_p_value_with_what_so_many_tests_mean() -> None:
    table = next(one for one in tables(Section.RESULTS) if one.columns[-1].head == "Own trials")
    assert [column.head for column in table.columns][2:4] == ["p (by chance)", "Speaker"]
    assert all(0.0 < float(row[2].text.removeprefix("< ")) <= 1.0 for row in table.rows if row[1].text)
    words = str(sections()[Section.RESULTS])
    assert "where chance alone would have it so in one of twenty" in words
    assert " of 8 assessments" in words
    assert "No speaker can be named as more exposed than the others." not in words


def test_every_finding_of_few_speakers_says_that_its_interval_is_rough() -> None:
    blocks = sections()[Section.FINDINGS]
    assert (
        sum(isinstance(block, FindingLine) for block in blocks) == 4 + 8
    )  # of each safeguard, and of each assessment
    said = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert said.count("The intervals are rough (speakers: 8).") == 1
