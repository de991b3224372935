"""The page against Opinion 05/2014: each figure with its criterion, chance, and what was not measured."""

import datetime as dt

from tests.core.samples import demo_assessments, demo_material, project_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.report_settings import Section
from zebra_core.report.content import report_content
from zebra_core.report.document import Block, Heading, Paragraph, ReportPicture, TableBlock
from zebra_core.version import versions


def page(material: StudiedProject) -> tuple[Block, ...]:
    content = report_content(material, dt.date(2026, 11, 20), versions())
    return next(one.blocks for one in content.sections if one.section is Section.OPINION)


def words(blocks: tuple[Block, ...]) -> str:
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))


def test_each_criterion_has_its_figures_chance_and_band() -> None:
    blocks = page(demo_material(demo_assessments()))
    assert [block.text for block in blocks if isinstance(block, Heading)] == [
        "Singling out", "Linking", "Inference",
    ]  # fmt: skip
    against, singled, linked, most = (block for block in blocks if isinstance(block, TableBlock))
    assert [column.head for column in singled.columns][1:] == [
        "People", "Recordings pooled", "Singled out, π_sing", "Without listening", "No disclosure",
    ]  # fmt: skip
    assert [cell.text for cell in singled.rows[2]][:5] == ["B2 OP", "63", "1", "25 %", "37 %"]
    b2 = next(row for row in linked.rows if row[0].text == "B2 OP")
    assert [cell.text for cell in b2][:5] == ["B2 OP", "63", "1", "19 %", "1.5 %"]
    assert b2[6].text == "1.2 / 3.6 (no disclosure: up to 0.0 / 0.6)"
    person = next(row for row in most.rows if row[0].text == "B2 OP")
    assert [cell.text for cell in person[2:]] == ["", "63", "100 of 100", "4 of 100"]
    assert person[4].note == "0 … 100"
    picture, _ = (block for block in blocks if isinstance(block, ReportPicture))
    assert [line.label for line in picture.figure.lines][-1] == "chance"  # type: ignore[union-attr]
    assert [row[1].text for row in against.rows[:6]] == [
        "Singling out (π_sing)", "Linking (π_link)", "Inference",
        "Most linked: one of 63 people", "Worst tenth: 7 people", "Most exposed: one of 63 people",
    ]  # fmt: skip
    assert [row[0].text for row in against.rows[::6]] == ["B1w OP", "B2 OP", "B2r OP"]
    assert [cell.text for cell in against.rows[7]][1:] == [
        "Linking (π_link)", "63 people", "19 of 100", "1 of 100", "17 %",
    ]  # fmt: skip
    assert against.rows[2][3].text == "not measured"


def test_each_person_is_drawn_with_the_worst_tenth_and_told_on_what_that_depends() -> None:
    blocks = page(demo_material(demo_assessments()))
    *_, picture = (block for block in blocks if isinstance(block, ReportPicture))
    assert picture.stem == "one-by-one"
    assert len(picture.figure.points[0].names) == 63  # type: ignore[union-attr]
    said = words(blocks)
    assert "Of 63 people, the 7 whose recordings are linked most, a tenth" in said
    assert "with recordings as long as these; it is not a property of the person." in said


def test_it_draws_no_legal_conclusion_and_says_what_was_not_measured() -> None:
    said = words(page(demo_material(demo_assessments())))
    assert "It draws no legal conclusion" in said
    assert "Not measured. To measure what voices or scores give away about sex" in said
    assert "Less than that is no protection, because the attacker may ignore the scores." in said
    assert "What was validated is the framework, not these figures" in said
    assert "(the sets of the VoicePrivacy challenges have 20 to 40)" in said


def linked_rows(people: int | None) -> tuple[list[list[str]], str]:
    """The rows of linking in the demo with so many people in question, and all words of the page."""
    project = demo_assessments()
    blocks = page(gather(project if people is None else project.among(people)))
    table = next(one for one in blocks if isinstance(one, TableBlock) and one.caption.startswith("Linking"))
    return [[cell.text for cell in row[:5]] for row in table.rows], words(blocks)


def test_linking_among_the_people_in_question_stands_above_that_among_all() -> None:
    rows, told = linked_rows(17)
    of_b2 = next(place for place, row in enumerate(rows) if row[0] == "B2 OP")
    assert [row[:3] for row in rows[of_b2 : of_b2 + 4]] == [
        ["B2 OP", "17", "1"],
        ["", "63", "1"],
        ["", "17", "3"],
        ["", "63", "3"],
    ]
    assert rows[of_b2][3:] == ["35 %", "5.6 %"]
    assert rows[of_b2 + 1][3:] == ["19 %", "1.5 %"]
    assert "linking among 17 people" not in told


def test_all_who_are_enrolled_have_one_row_also_where_they_are_the_people_in_question() -> None:
    assert linked_rows(63)[0] == linked_rows(None)[0]


def test_among_more_people_than_are_enrolled_nothing_is_known() -> None:
    rows, told = linked_rows(64)
    assert rows == linked_rows(None)[0]
    assert (
        "unprotected OO, B1w OP, B2 OP, B2r OP: linking among 64 people cannot be determined, because no "
        "more than 63 are enrolled. What holds among few people says nothing about many."
    ) in told


def test_without_ids_it_says_why_there_is_nothing() -> None:
    blocks = page(gather(project_of("B1")))
    assert "B1 OP: These trials name neither enrolments nor test segments" in words(blocks)
    assert not [block for block in blocks if isinstance(block, TableBlock)]
