"""Pictures of many assessments: what is drawn where, and what the toolkit's figures are called."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.challenge_case import challenge, entry_of, expected_of, similarity_entry
from tests.core.samples import HOSTILE, labelled, project_of
from zebra_core.figures.comparison import (
    all_figure,
    condition_figure,
    dots_figure,
    multiples_figure,
    multiples_read_out,
    system_figure,
)
from zebra_core.figures.export import figure_files
from zebra_core.figures.figure import Figure, Ink, Marker
from zebra_core.figures.tradeoff import (
    EMOTIONS,
    distinctiveness_figure,
    listening_figure,
    utility_figure,
    with_matrices,
    with_utility,
)
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import Comparison, compare
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.items import Condition, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.report.comparison_files import challenge_figures
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors

OO, OP, PP = Condition
OTHER_F_OP = ComparisonGroup("other_f", OP, "ignorant")


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return compare(challenge())


@pytest.fixture(scope="module")
def with_everything() -> Comparison:
    ratings = Ratings((0, 0, 0, 1, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 1, 0, 0, 0))
    project = challenge().with_items(similarity_entry("B2", "other_f"), similarity_entry("B1w", "other_m"))
    project = project.with_utility(SpeechKey("other_f"), Utility(0.04))
    utility = Utility(0.25).heard(RatingQuestion.NATURALNESS, ratings)
    return compare(project.with_utility(SpeechKey("other_f", "B2"), utility))


def labels(figure: Figure) -> list[str | None]:
    return [line.label for line in labelled(figure)]


def test_one_condition_ascends_in_d_ece_as_the_toolkits_sorted_plots(compared: Comparison) -> None:
    figure = condition_figure(compared.of(OTHER_F_OP))
    assert figure.title == "other_f · OP, test side protected · ignorant"
    assert labels(figure) == [
        "perfect privacy (0, 0, 0)",
        "B1w (0.149, 1.05, B)",
        "B2r run0 (0.236, 1.56, B)",
        "B2 (0.365, 1.38, B)",
        "B2r run1 (0.450, 1.45, B)",
    ]


def test_unsorted_it_keeps_the_order_of_the_rows(compared: Comparison) -> None:
    figure = condition_figure(compared.of(OTHER_F_OP), by_disclosure=False)
    assert [str(label).split(" (")[0] for label in labels(figure)[1:]] == [
        "B1w",
        "B2",
        "B2r run0",
        "B2r run1",
    ]


def test_profiles_are_the_minimum_ece_of_their_rows(compared: Comparison) -> None:
    figure = condition_figure(compared.of(OTHER_F_OP))
    profile = entry_of("B1w", "other_f", OP).assessment.profile
    np.testing.assert_array_equal(figure.lines[1].y, profile.min_bits)
    np.testing.assert_array_equal(figure.lines[1].x, profile.prior_log_odds)


def test_one_system_in_all_conditions_has_a_line_for_each_and_no_two_alike(compared: Comparison) -> None:
    figure = system_figure(compared.of_system("B2"))
    assert figure.title == "B2 in all conditions"
    assert len(labelled(figure)) == 7
    assert len({(line.colour, line.dash) for line in labelled(figure)}) == 7


def test_safeguards_keep_their_colours_where_that_tells_them_apart() -> None:
    project = project_of("one", "two")
    assert [line.colour for line in condition_figure(compare(project).rows).lines] == [Ink.FOREGROUND, 0, 1]


def test_all_of_them_go_group_by_group(compared: Comparison) -> None:
    named = [str(label) for label in labels(all_figure(compared.rows))[1:]]
    assert len(named) == 24
    assert named[4].startswith("other_f · B1w OP, ignorant (0.149")
    assert named[7].startswith("other_f · B2r run1 OP, ignorant (0.450")


def test_the_selected_row_is_emphasised(compared: Comparison) -> None:
    chosen = compared.of(OTHER_F_OP)[1].entry.id
    figure = condition_figure(compared.of(OTHER_F_OP), chosen)
    assert [line.emphasis for line in figure.lines] == [False, False, False, True, False]


def test_a_system_without_unprotected_speech_of_its_own_gets_that_of_its_datasets() -> None:
    oo = entry_of("B1w", "other_f", OO)
    shared = replace(oo, name="unprotected")
    others = [entry_of("B2", "other_f", OP), entry_of("B2r", "other_f", OP, "run0")]
    compared = compare(Project(items=(shared, *others)))

    assert compared.systems == ("B2", "B2r run0")
    assert [row.entry.name for row in compared.of_system("B2")] == ["unprotected", "B2"]
    assert compare(Project(items=(shared,))).systems == ("unprotected",)


# --- small multiples


def test_there_is_a_panel_for_each_group_on_the_same_axes(compared: Comparison) -> None:
    figure = multiples_figure(compared.rows)
    assert [words.text for words in figure.words] == [
        "other_f OO",
        "other_f OP ignorant",
        "other_f PP lazy-informed",
        "other_m OO",
        "other_m OP ignorant",
        "other_m PP lazy-informed",
    ]
    assert len(figure.x.ticks or ()) == 9
    assert [line.label for line in figure.legend] == [
        "perfect privacy",
        "B1w OO",
        "B2 OO",
        "B2r run0 OO",
        "B2r run1 OO",
        "B1w",
        "B2",
        "B2r run0",
        "B2r run1",
    ]


def test_a_profile_lies_in_its_panel_and_is_read_as_what_it_is(compared: Comparison) -> None:
    figure = multiples_figure(compared.rows)
    found = entry_of("B2", "other_m", PP).assessment.profile
    last = [line for line in figure.lines if line.label == "B2"][-1]
    middle = len(last.x) // 2
    ece = found.min_bits[np.flatnonzero(found.prior_log_odds == 0.0)[0]]

    assert last.x[middle] > figure.x.high / 2
    assert multiples_read_out(last, middle) == f"prior 50.00 % · odds 1 : 1 · ECE {ece:.3f} bit · B2"


@pytest.mark.parametrize(("count", "columns"), [(1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (12, 4), (40, 4)])
def test_panels_go_in_rows_and_never_leave_the_axes(count: int, columns: int) -> None:
    rows = compare(project_of("a")).rows
    many = [replace(rows[0], group=ComparisonGroup(f"set {n}", OP, "")) for n in range(count)]
    figure = multiples_figure(many)
    assert len(figure.x.ticks or ()) == 3 * columns
    for line in figure.lines:
        assert figure.x.low <= line.x.min() <= line.x.max() <= figure.x.high
        assert figure.y.low <= line.y.min() <= line.y.max() <= figure.y.high


# --- dots


def test_dots_stand_where_their_figures_are(compared: Comparison) -> None:
    figure = dots_figure(compared.rows)
    assert [label for _, label in figure.y.ticks or ()][4] == "B1w · other_f OP"
    of_fifth = [points for points in figure.points if points.y[0] == 20.0]
    expected = expected_of(compared.rows[4].entry)
    assert [points.marker for points in of_fifth] == [Marker.CROSS, Marker.CIRCLE, Marker.DIAMOND]
    assert of_fifth[1].x[0] == pytest.approx(expected["d_ece_bits"] / FULL_DISCLOSURE_BITS)
    assert of_fifth[2].x[0] == pytest.approx(1.12 + expected["worst_case_log10_lr"] / 6.0)
    assert of_fifth[0].x[0] == pytest.approx(
        1.12 + abs(compared.rows[4].assessment.strongest_ceiling_log10_lr) / 6.0
    )


def test_ticks_say_the_figures_of_either_half(compared: Comparison) -> None:
    ticks = dots_figure(compared.rows).x.ticks or ()
    assert [label for _, label in ticks] == ["0", "0.2", "0.4", "0.6", "0", "2", "4", "6"]
    assert ticks[1][0] == pytest.approx(0.2 / FULL_DISCLOSURE_BITS)


def test_attackers_are_named_where_a_condition_has_several() -> None:
    row = compare(project_of("a")).rows[0]
    lazy, semi = (replace(row, group=ComparisonGroup("", PP, attacker)) for attacker in ("lazy", "semi"))
    assert [label for _, label in dots_figure([lazy, semi]).y.ticks or ()] == ["a · PP lazy", "a · PP semi"]


def test_whiskers_are_the_intervals_where_they_are_known(compared: Comparison) -> None:
    row = compared.rows[4]
    assert row.entry.trials is not None
    found = bootstrap(row.entry.trials, row.assessment, BootstrapSettings(replicates=30))
    measured = replace(row.entry, measured=AssessmentTrust(row.assessment, found))
    lines = dots_figure([replace(row, entry=measured), compared.rows[5]]).lines[1:]

    population, individual = (found.intervals[name] for name in ("d_ece_bits", "worst_case_log10_lr"))
    np.testing.assert_allclose(lines[0].x * FULL_DISCLOSURE_BITS, [population.low, population.high])
    np.testing.assert_allclose((lines[1].x - 1.12) * 6.0, [individual.low, individual.high])
    assert [set(line.y.tolist()) for line in lines] == [{2.0}, {2.0}]


# --- what protection costs


def test_de_id_over_g_vd_has_a_point_for_each_set_of_matrices(with_everything: Comparison) -> None:
    rows = with_matrices(with_everything.rows)
    assert [row.entry.name for row in rows] == ["B2", "B1w"]
    figure = distinctiveness_figure(rows)
    assert [points.y[0] for points in figure.points] == [100.0 * (row.de_id or 0.0) for row in rows]
    assert [points.x[0] for points in figure.points] == [row.g_vd_db for row in rows]
    assert str(figure.points[0].label).startswith("other_f · B2 (DeID ")


def test_disclosure_over_word_errors_has_unprotected_speech_once(with_everything: Comparison) -> None:
    rows = with_utility(with_everything.rows)
    assert [(row.entry.name, row.group.condition) for row in rows] == [("B1w", OO), ("B2", OP), ("B2", PP)]
    figure = utility_figure(rows)
    assert [points.x[0] for points in figure.points] == [4.0, 25.0, 25.0]
    assert figure.points[1].y[0] == rows[1].assessment.d_ece_bits
    assert figure.points[1].label == "B2 OP, ignorant (WER 25.00 %, D_ECE 0.365)"


def test_characters_have_their_own_axis_and_never_that_of_words(with_everything: Comparison) -> None:
    """Chinese has no words to be counted; an axis is of one kind."""
    characters = Utility().counted(WordErrors(1, 0, 0, 11, of_characters=True))
    rows = [replace(row, utility=characters) for row in with_everything.rows]
    figure = utility_figure(with_utility(rows))
    assert figure.x.label == "character error rate (%)"
    assert "(CER 9.09 %, D_ECE" in str(figure.points[0].label)

    words = [*rows[:3], *with_everything.rows[3:]]
    assert utility_figure(with_utility(words)).x.label == "word error rate (%)"
    assert all(row.utility.wer is not None for row in with_utility(words))


def test_disclosure_over_emotions_has_bars_of_their_intervals(with_everything: Comparison) -> None:
    told = Emotions(
        ("neu", "sad"), ((100, 80), (100, 60)), tuple(((10, n), (10, n - 2)) for n in (6, 7, 8, 9, 10) * 2)
    )
    rows = [replace(row, utility=Utility().with_emotions(told)) for row in with_everything.rows]
    assert with_utility(rows) == []
    kept = with_utility(rows, EMOTIONS)
    figure = utility_figure(kept, question=EMOTIONS)
    assert (figure.x.label, figure.x.low, figure.x.high) == ("emotions told, UAR (%)", 0.0, 100.0)
    assert [points.x[0] for points in figure.points] == [pytest.approx(70.0)] * len(kept)
    assert "(UAR 70.00 %, D_ECE" in str(figure.points[0].label)
    ends = kept[0].utility_interval("uar")
    assert ends is not None
    np.testing.assert_allclose(figure.lines[1].x, [100.0 * ends.low, 100.0 * ends.high])
    assert figure.lines[1].y[0] == figure.points[0].y[0]


def test_disclosure_over_ratings(with_everything: Comparison) -> None:
    rows = with_utility(with_everything.rows, RatingQuestion.NATURALNESS)
    figure = utility_figure(rows, question=RatingQuestion.NATURALNESS)
    assert figure.points[0].x[0] == rows[0].utility.listening[RatingQuestion.NATURALNESS].lower_mean
    assert (figure.x.low, figure.x.high) == (1.0, 10.0)


def test_two_scales_of_ratings_have_no_common_axis(with_everything: Comparison) -> None:
    of_five = Ratings((0, 0, 0, 1, 1), (0, 1, 1, 0, 0), (1.0, 2.0, 3.0, 4.0, 5.0), 5)
    first, *others = with_everything.rows
    question = RatingQuestion.NATURALNESS
    rows = with_utility([replace(first, utility=Utility().heard(question, of_five)), *others], question)
    assert len(rows) == 1
    figure = utility_figure(rows, question=question)
    assert (figure.x.label, figure.x.high) == ("mean naturalness, 1 to 5", 5.0)
    assert column("naturalness").shown(rows[0]).endswith("(of 5)")


def test_listeners_get_a_det_curve_once_for_each_speech(with_everything: Comparison) -> None:
    rows = with_utility(with_everything.rows, RatingQuestion.NATURALNESS)
    figure = listening_figure(rows, RatingQuestion.NATURALNESS)
    assert figure.title == "Listeners: how natural?"
    assert [str(label).split(" (")[0] for label in labels(figure)] == ["B2"]


# --- the toolkit's


def test_every_figure_of_the_challenge_script_is_there_under_its_name(compared: Comparison) -> None:
    tasks = [f"other-{task}-{sex}" for sex in "fm" for task in ("o-o", "o-a", "a-a")]
    systems = ["B1w", "B2", "B2r_run0", "B2r_run1"]
    expected = {
        prefix + label
        for prefix in ("", "sorted-")
        for label in (
            *(f"multiple_conditions_{system}" for system in systems),
            *(f"task_wise_{task}" for task in tasks),
        )
    }
    assert set(challenge_figures(compared)) == expected


def test_its_figures_are_titled_and_labelled_as_there(compared: Comparison) -> None:
    made = challenge_figures(compared)
    by_task = made["sorted-task_wise_other-o-a-f"]()
    assert (by_task.title, labels(by_task)[1]) == ("other-o-a-f", "B1w (0.149, 1.05, B)")
    by_system = made["sorted-multiple_conditions_B2"]()
    assert (by_system.title, labels(by_system)[1]) == ("B2", "other-o-a-m (0.340, 1.27, B)")


def test_groups_that_the_toolkit_cannot_tell_apart_keep_a_figure_each() -> None:
    row = compare(project_of("a")).rows[0]
    groups = [
        ComparisonGroup("libri_f", PP, "lazy"),
        ComparisonGroup("libri_f", PP, "semi"),
        ComparisonGroup("libri_test_f", PP, "semi"),
    ]
    made = challenge_figures(Comparison(tuple(replace(row, group=group) for group in groups)))
    assert [label for label in made if label.startswith("task")] == [
        "task_wise_libri-a-a-f",
        "task_wise_libri-a-a-f-semi",
        "task_wise_libri-a-a-f-2",
    ]


@pytest.mark.parametrize("kind", ["png", "svg", "tex"])
def test_names_of_the_worst_kind_are_drawn(kind: str) -> None:
    project = project_of(*HOSTILE.values())
    worst = tuple(replace(entry, dataset=entry.name, attacker=entry.name) for entry in project.entries)
    rows = compare(Project(items=worst)).rows
    for make in (all_figure, multiples_figure, dots_figure):
        assert all(figure_files(make(rows), "a", kind).values())
