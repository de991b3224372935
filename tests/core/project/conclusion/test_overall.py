"""The answer for a whole project: one sentence that says what is settled and what is open, and a box."""

import re
from dataclasses import replace

import pytest

from tests.core.project.attacks import attack
from tests.core.samples import demo, demo_assessments, small_entry
from zebra_core.errors import OutputError
from zebra_core.evidence.audit import Audit, Decision
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.arranging import with_ticks
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.conclusion.conclusion import Conclusion, SafeguardRank
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.conclusion.overall import (
    FactBox,
    ProjectAnswer,
    in_one_sentence,
    left_out_in_words,
    own_settings,
)
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.report.export import make_report
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.wording.texts import disclosure

STRONG = replace(attack(2.0, "lazy-informed", seed=1), name="strong", id="strong")
WEAK = replace(attack(0.4, "lazy-informed", seed=4), name="weak", id="weak")
ORIGINAL = replace(attack(8.0, "", Condition.OO, seed=3), name="unprotected", id="oo")


def answers(*entries: Entry, **stated: object) -> tuple[tuple[Conclusion, ...], Project]:
    project = Project("", entries, **stated)  # type: ignore[arg-type]
    return conclusions(project, people_figures(project)), project


def ranked(found: tuple[Conclusion, ...], *ranks: tuple[int, int, int]) -> tuple[Conclusion, ...]:
    """As if tests on 63 speakers had left these ranks, from low to high, open."""
    made = [SafeguardRank(place, len(found), low, high, speakers=63) for place, low, high in ranks]
    return tuple(replace(one, rank=rank) for one, rank in zip(found, made, strict=True))


def test_of_one_safeguard_it_says_how_often_beside_guessing_and_no_protection() -> None:
    found, project = answers(ORIGINAL, STRONG)
    said = in_one_sentence(found, project)
    assert re.fullmatch(
        r"The strongest attack on strong names the right one of 20 people in \d+ \(\d+ to \d+\) of 100 "
        r"attempts; by guessing in 5, without protection in 100\.",
        said,
    )


def test_what_is_settled_is_said_with_the_speakers_it_was_tested_on() -> None:
    found, project = answers(ORIGINAL, STRONG, WEAK)
    assert [one.safeguard for one in found] == ["weak", "strong"]
    said = in_one_sentence(ranked(found, (1, 1, 1), (2, 2, 2)), project)
    assert said.startswith(
        "Of 2 safeguards weak protects best (tested on 63 speakers): the strongest attack "
    )
    assert re.search(r"in \d+ of 100 attempts with weak, in \d+ with strong", said)
    assert len(said.split()) <= 45


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        (
            ((1, 1, 2), (2, 1, 2)),
            "Which of 2 safeguards protects best is not settled (tested on 63 speakers)",
        ),
        (None, "Which of 2 safeguards protects best has not been tested"),
    ],
)
def test_what_is_open_is_said_to_be(ranks: tuple[tuple[int, int, int], ...] | None, said: str) -> None:
    found, project = answers(ORIGINAL, STRONG, WEAK)
    assert in_one_sentence(ranked(found, *ranks) if ranks else found, project).startswith(f"{said}: ")


def test_two_of_three_that_may_be_best_are_both_named() -> None:
    found, project = answers(ORIGINAL, STRONG, WEAK, replace(STRONG, name="third", id="third"))
    said = in_one_sentence(ranked(found, (1, 1, 2), (2, 1, 2), (3, 3, 3)), project)
    assert re.match(r"Of 3 safeguards weak or \w+ may protect best; which does is not settled \(tested", said)


def test_the_best_on_average_that_names_more_is_not_called_the_best() -> None:
    found, project = answers(ORIGINAL, STRONG, WEAK)
    turned = ranked(found[::-1], (1, 1, 1), (2, 2, 2))
    said = in_one_sentence(turned, project)
    assert said.startswith("Of 2 safeguards the attacker learns least on average with strong (tested on 63")
    assert "with weak, in" in said  # each is told all the same


def test_where_figures_say_nothing_it_says_that() -> None:
    tiny = replace(small_entry(), name="tiny")
    found, project = answers(tiny)
    assert in_one_sentence(found, project).endswith(
        "these figures say nothing. At least 10 of each kind are needed."
    )
    found, project = answers(ORIGINAL, STRONG, tiny)
    assert in_one_sentence(found, project).endswith("; nothing is shown of tiny.")


def test_without_speakers_it_is_what_the_attacker_learns() -> None:
    known = conclusions(demo_assessments())
    said = in_one_sentence(known, demo_assessments())
    assert re.search(
        r"the strongest attack learns \d+ % of what one comparison can tell with B1w, \d+ % with B2", said
    )


def test_without_protected_speech_there_is_nothing_to_judge() -> None:
    assert in_one_sentence((), Project("", (ORIGINAL,))).startswith("Only unprotected speech was assessed")
    assert in_one_sentence((), Project("", ())) == "Nothing has been assessed yet."


def test_the_box_has_guessing_each_safeguard_and_no_protection() -> None:
    found, _ = answers(ORIGINAL, STRONG, WEAK)
    box = FactBox.of(found)
    assert box.columns == ("Measured", "By guessing", "weak", "strong", "Without protection")
    assert [label for label, _ in box.rows] == [
        "Right one of 20 people named, of 100",
        "Most exposed person gives away, of what one comparison can tell",
        "Strongest single comparison",
        "Tag of that comparison",
    ]
    named = box.rows[0][1]
    assert (named[0].text, named[3].text) == ("5", "100")
    assert re.fullmatch(r"\d+ to \d+", named[1].beside)
    assert all(re.fullmatch(r"borne out: .* to 1", cell.beside) for cell in box.rows[2][1][1:])


def test_long_names_are_told_apart_by_their_ends() -> None:
    long = f"{'Anonymisation by a neural codec ' * 3}, version"
    found, project = answers(replace(STRONG, name=f"{long} 1"), ORIGINAL, replace(WEAK, name=f"{long} 2"))
    assert {head[-9:] for head in FactBox.of(found).columns if "…" in head} == {"version 1", "version 2"}
    said = in_one_sentence(found, project)
    assert "version 1" in said
    assert "version 2" in said


def test_a_tag_stands_beside_what_it_means() -> None:
    (found, _) = answers(*demo().entries[:2])
    cells = dict(FactBox.of(found).rows)["Tag of that comparison"]
    assert {(cell.text, cell.beside) for cell in cells if cell.text in "ABC" and cell.text} <= {
        ("A", "below 10 to 1"),
        ("B", "10–100 to 1"),
        ("C", "100–10\u202f000 to 1"),
    }


def test_a_requirement_is_a_row_with_its_bound() -> None:
    asked = Requirement("little", "d_ece_bits", 0.01)
    found, _ = answers(ORIGINAL, STRONG, requirements=(asked,))
    label, cells = FactBox.of(found).rows[-1]
    assert label.startswith("little: population disclosure D_ECE is at most 0.01 bit")
    (told,) = [cell for cell in cells if cell.text]
    assert told.text.startswith("not ")
    assert told.beside.endswith(" bit")


def test_of_many_safeguards_each_has_a_row() -> None:
    found, _ = answers(ORIGINAL, *(replace(STRONG, name=f"s{k}", id=f"s{k}") for k in range(5)))
    box = FactBox.of(found)
    assert [name for name, _ in box.rows] == [
        "By guessing",
        *(f"s{k}" for k in range(5)),
        "Without protection",
    ]


def test_a_settled_best_of_three_has_its_rate_though_another_is_named_less() -> None:
    middle = replace(attack(1.0, "lazy-informed", seed=2), name="middle", id="middle")
    found, project = answers(ORIGINAL, STRONG, WEAK, middle)
    by_name = {one.safeguard: one for one in found}
    order = by_name["middle"], by_name["weak"], by_name["strong"]
    said = in_one_sentence(ranked(order, (1, 1, 1), (2, 2, 3), (3, 2, 3)), project)
    assert said.startswith("Of 3 safeguards the attacker learns least on average with middle (tested on 63")
    assert re.search(r"in \d+ of 100 attempts with middle( \(.*\))?, in \d+ with strong", said)


def test_nothing_is_told_in_the_box_of_what_says_nothing() -> None:
    found, _ = answers(ORIGINAL, STRONG, replace(small_entry(), name="tiny"))
    box = FactBox.of(found)
    place = box.columns.index("tiny") - 1
    assert [cells[place].text for _, cells in box.rows] == ["nothing is shown", "", "", ""]


# --- what is not ticked


def ticked_but(project: Project, **left_out: str) -> Project:
    """The project without what has these labels."""
    ((label, value),) = left_out.items()
    return with_ticks(project, [one.id for one in project.items if getattr(one, label) == value], False)


def test_what_is_not_ticked_is_in_no_answer_and_said_to_be_left_out() -> None:
    project = ticked_but(demo_assessments(), name="B2r")
    found = ProjectAnswer.of(conclusions(project, people_figures(project)), project)
    assert {one.safeguard for one in found.conclusions} == {"B1w", "B2"}
    assert "Of 2 safeguards" in found.sentence or "of 2 safeguards" in found.sentence
    assert "B2r" not in f"{found.sentence}{found.box}"
    assert found.left_out == "Without B2r."
    assert found.left_out in str(found)
    assert ProjectAnswer.of(conclusions(demo_assessments()), demo_assessments()).left_out == ""


def test_a_dataset_is_left_out_with_its_number_of_speakers_and_what_is_not_met_there() -> None:
    few = replace(attack(2.0, "lazy-informed", seed=1), dataset="few", id="few")
    many = replace(attack(0.2, "lazy-informed", seed=4), dataset="many", id="many")
    asked = Requirement("low", "d_ece_bits", 0.05)
    project = Project("", (few, many)).requiring(asked)
    (over_all,) = conclusions(project)
    without = ticked_but(project, dataset="few")
    (left,) = conclusions(without)
    assert {entry.id for entry in left.entries} == {"many"}
    (judged,), (as_before,) = left.verdicts, over_all.verdicts
    assert (
        [row.entry_id for row in judged.rows] == [row.entry_id for row in as_before.rows] == ["few", "many"]
    )
    said = left_out_in_words(without)
    (row,) = [row for row in judged.rows if row.entry_id == "few"]
    assert row.outcome.value != "met"
    assert said.startswith("Without few (20 speakers), where requirements are judged all the same: low: not ")


def test_where_nothing_is_ticked_there_is_no_answer_and_no_report() -> None:
    project = Project("", tuple(replace(item, is_ticked=False) for item in demo_assessments().items))
    assert in_one_sentence(conclusions(project), project).startswith("Nothing is ticked")
    with pytest.raises(OutputError, match="Tick at least one"):
        make_report(gather(project))


def test_tests_of_more_safeguards_hold_for_those_that_are_ticked() -> None:
    project = demo_assessments()
    found = settle(project, lambda each, _: each.trials, BootstrapSettings(60)).settled
    project = replace(project, differences=found)
    ids = {item.id for item in project.items if item.name != "B2r"}
    (of_all,), (of_two,) = project.settled, ticked_but(project, name="B2r").ticked.settled
    assert set(of_two.assessments) == set(of_all.assessments) & ids
    assert of_two.ranks_among(list(of_two.assessments)) == of_all.ranks_among(list(of_two.assessments))
    assert of_two.bits_of == {key: bits for key, bits in of_all.bits_of.items() if key in ids}


def test_an_own_scale_is_told_with_the_tag_of_the_standard_one() -> None:
    bounds = (0.0, 0.0, 7.0, 8.0, 9.0, 10.0, 11.0)
    far = TagScale(
        tuple(replace(tag, from_log10_lr=bound) for tag, bound in zip(PAPER_SCALE.tags, bounds, strict=True))
    )
    project = demo_assessments().with_scales(far, None)
    assert {entry.assessment.tag for entry in project.entries} == {"A"}
    (told,) = own_settings(project)
    assert told.endswith("On the standard scale the worst one here is C.")
    assert own_settings(demo_assessments()) == ()


def test_what_scores_disclose_as_they_stand_is_told_however_few_there_are() -> None:
    trials = Trials.from_scores([3.0, 2.0, 1.0], [-1.0, -2.0, -3.0, -0.2])
    turned = replace(trials, score=-trials.score)
    audit = Audit(files=(), decisions=(Decision.LOWER_IS_MORE_ALIKE,))
    made = replace(assess(turned), audit=audit)
    (told,) = own_settings(Project("", (replace(small_entry(), trials=turned, assessment=made),)))
    assert told.startswith("Lower scores of B1 are read as more alike, because somebody decided so.")
    assert told.endswith(f"these scores disclose {disclosure(assess(trials).d_ece_bits)} bit, A.")


def test_another_level_than_the_usual_is_told() -> None:
    entry = demo_assessments().entries[0]
    assert entry.trials is not None
    measured = trust_of(entry.trials, entry.assessment, BootstrapSettings(20, 0.5), deals=0)
    (told,) = own_settings(Project("", (replace(entry, measured=measured),)))
    assert told == "Intervals here hold with 50 % confidence, not with the usual 95 %."
