"""How far the headline figures of a project move when speakers are left out."""

from dataclasses import replace

from tests.core.project.attacks import attack
from tests.core.samples import demo_assessments, small_entry
from zebra_core.project.comparison.spans import robustness_as_json, spans_in_words
from zebra_core.project.gathering.robustness import with_robustness
from zebra_core.project.project import Project
from zebra_core.uncertainty.weighted import HEADLINES, LeftOutUnit


def test_the_demo_is_examined_and_who_moves_a_figure_most_is_said() -> None:
    project, faults = with_robustness(demo_assessments())
    assert faults == ()
    b2 = project.entries[2]
    told = spans_in_words(b2, project.robust[b2.id])
    assert [(one.part, one.figure) for one in told] == [
        (part, figure) for part in (LeftOutUnit.SPEAKER, LeftOutUnit.TENTH) for figure in HEADLINES
    ]
    assert (told[0].span, told[0].mover) == ("0.20 bit to 0.22 bit", "without 6818: 0.22 bit")
    values = robustness_as_json(project)
    assert [one["assessment"] for one in values] == [0, 1, 2, 3]
    assert values[2]["speakers"] == 63
    assert len(values[2]["left_out"]) == 63 + 10  # type: ignore[arg-type]


def test_where_nobody_knows_who_speaks_a_sentence_says_so() -> None:
    project, (fault,) = with_robustness(Project("", (small_entry(),)))
    assert project.robust == {}
    assert fault.startswith("B1 OP: nobody could be left out, because ")


def test_sexes_that_are_datasets_of_their_own_are_held_against_each_other() -> None:
    women = attack(1.0, "lazy-informed", seed=1)
    men = replace(attack(0.2, "lazy-informed", seed=2), dataset="libri_m")
    project, _ = with_robustness(Project("", (women, men)))
    for entry, found in project.robust.items():
        span = found.span("d_ece_bits", LeftOutUnit.SEX)
        assert span is not None
        assert span.low == min(women.assessment.d_ece_bits, men.assessment.d_ece_bits)
        assert span.mover.name == ("m" if entry == men.id else "f")
    movers = [
        one.mover for one in spans_in_words(women, project.robust[women.id]) if one.part is LeftOutUnit.SEX
    ]
    assert movers[0].startswith("without women: ")


def test_what_was_found_holds_no_more_once_the_scores_are_others() -> None:
    project, _ = with_robustness(Project("", (attack(1.0, seed=1),)))
    (entry,) = project.entries
    other = replace(entry, assessment=attack(0.2, seed=2).assessment)
    assert project.replacing(other).robust == {}
