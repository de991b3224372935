"""The rows against Opinion 05/2014: guessing, above guessing, and what was not measured."""

import numpy as np
import pytest

from tests.core.speakers.shifted import shifted
from zebra_core.metrics.assessment import assess
from zebra_core.project.attributes import AttributeInference
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.risks import Risk, heads, risks
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.inference import AttributeFigure, Inference
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.reidentification import Reidentification, reidentification


@pytest.fixture(scope="module")
def found() -> Reidentification:
    trials, who = shifted(np.random.default_rng(2), 12, [4] * 12, [3.0, *[1.0] * 11])
    return reidentification(Candidates.of(with_people(trials, who)))


def by_what(rows: list[Risk]) -> dict[str, Risk]:
    return {row.what: row for row in rows}


def test_nothing_lies_above_guessing_that_is_always_right() -> None:
    assert Risk("a", "2 people", 1.0, None, 1.0).above == (0.0, None)


def test_above_guessing_by_hand_and_its_ends_alike() -> None:
    """(0.4 - 0.2) / 0.8; the lower end is below guessing, and nobody is worse than that."""
    row = Risk("a", "5 people", 0.4, (0.1, 0.6), 0.2)
    above = row.above
    assert above is not None
    assert above[0] == pytest.approx(0.25)
    assert above[1] == pytest.approx((0.0, 0.5))
    assert row.cells == (
        ("a", ""),
        ("5 people", ""),
        ("40 of 100", "10 … 60"),
        ("20 of 100", ""),
        ("25 %", "0 … 50"),
    )
    assert len(row.cells) == len(heads())


def test_an_attack_that_is_worse_than_guessing_has_no_interval_of_no_width() -> None:
    """Singling out in 30 of 100 where guessing reaches 38, as the attacker may do instead."""
    below = Risk("a", "2 people", 0.3, (0.25, 0.36), 0.38)
    assert below.cells[-1] == ("0 %", "less than guessing, which anybody can do")
    assert below.above == (0.0, (0.0, 0.0))
    reaches = Risk("a", "2 people", 0.3, (0.25, 0.4), 0.38)
    assert reaches.cells[-1] == ("0 %", "0 … 3")


def test_nobody_is_named_whom_the_answer_does_not_name() -> None:
    """Of twenty people one is far more exposed, by another attack somebody else; the answer is over both."""
    entries = [
        Entry("B", trials, assess(trials), Condition.OP, dataset="d", attacker=attacker, id=attacker)
        for attacker, shift in (("ignorant", [9.0, *[0.0] * 19]), ("lazy-informed", [0.0, 9.0, *[0.0] * 18]))
        for trials in [shifted(np.random.default_rng(3), 20, [20] * 20, shift)[0]]
    ]
    told = []
    for attacks in (entries[:1], entries):
        project = Project(items=tuple(attacks))
        people = people_figures(project)
        (answer,) = conclusions(project, people)
        exposed = people.disclosures["ignorant"]
        rows = [risks(None, (), exposed, answer=answer, dataset=name)[-1].what for name in ("d", "other")]
        told.append([*rows, risks(None, (), exposed)[-1].what])
    alone, over_both = told
    assert alone == [
        "Most exposed: speaker s00-e0",
        "Most exposed: one person",
        "Most exposed: speaker s00-e0",
    ]
    assert over_both == ["Most exposed: one of 2 people"] * 2 + ["Most exposed: speaker s00-e0"]


def test_people_who_are_linked_every_time_are_counted() -> None:
    trials, who = shifted(np.random.default_rng(2), 6, [3] * 6, [30.0] * 4 + [0.0] * 2)
    found = reidentification(Candidates.of(with_people(trials, who)))
    assert found.most_linked().probability == 1.0
    n = found.most_linked().tied
    assert n >= 4
    assert risks(found, (), None)[3].what == f"Most linked: {n} of 6 people, every time"


def test_where_each_end_has_its_level_by_itself_the_cell_says_so(found: Reidentification) -> None:
    each_end = [row.what for row in risks(found, (), None) if "each end at 95" in row.cells[2][1]]
    assert each_end == ["Most linked: one of 12 people", "Worst tenth: 2 people"]


def test_each_criterion_has_a_row_and_what_nobody_measured_says_so(found: Reidentification) -> None:
    rows = risks(found, (), None)
    assert [row.what for row in rows] == [
        "Singling out (π_sing)",
        "Linking (π_link)",
        "Inference",
        "Most linked: one of 12 people",
        "Worst tenth: 2 people",
    ]
    assert rows[2].cells[2] == ("not measured", "")
    assert (rows[1].value, rows[1].chance) == (found.linkage_of(1)[-1].probability, 1 / 12)
    assert rows[3].value == found.most_linked().probability
    assert rows[4].value == found.worst_tenth().probability


def test_of_unknown_people_singling_out_and_linking_are_not_measured() -> None:
    assert [row.value for row in risks(None, (), None)] == [None, None, None]


def test_among_so_many_people_singling_out_is_that_of_the_nearest_number_and_says_so(
    found: Reidentification,
) -> None:
    rows = by_what(risks(found, (), None, 4))
    assert rows["Singling out (π_sing)"].among == "5 people"
    linked = rows["Linking (π_link)"]
    assert (linked.among, linked.value) == ("4 people", found.heard[0].linkage(12, 4))


def test_an_attribute_without_a_recogniser_is_not_measured_and_one_with_is_its_recall() -> None:
    recall = AttributeFigure(0.75, 0.5, Interval(0.6, 0.9), (0.4, 0.6))
    bits = AttributeFigure(0.1, 0.0, None, (0.0, 0.1))
    said = Inference(recall, recall, bits, 0.1, 8, 16)
    known = AttributeInference(("f", "m"), 8, bits, said)
    rows = by_what(
        risks(None, [("sex", known), ("age", AttributeInference(("1", "2"), 8, bits, None))], None)
    )
    assert rows["Inference: age"].cells[2][0] == "not measured"
    assert rows["Inference: sex"].cells[1:] == (
        ("2 values", ""),
        ("75 of 100", "60 … 90"),
        ("50 of 100", ""),
        ("50 %", "20 … 80"),
    )
