"""What stands in the cells of a comparison: no more digits than what they rest on bears."""

from dataclasses import replace

import pytest

from tests.core.samples import demo, demo_assessments, small_entry
from zebra_core.metrics.assessment import assess
from zebra_core.project.comparison.columns import COMPARED, challenge_names, challenge_system, column
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow, kept_as_json
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors


def row_with(utility: Utility) -> ComparisonRow:
    """A safeguard of the demo of whose speech that is known."""
    entry = demo_assessments().entries[2]
    (row,) = compare(Project("", (entry,), utilities={entry.speech: utility})).rows
    return row


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        pytest.param(10, "30 %", id="ten words"),  # 1/√10 is 32 per cent
        pytest.param(10_000, "30.0 %", id="ten thousand"),  # 1 per cent: two digits, for it begins with a 1
    ],
)
def test_a_word_error_rate_has_the_digits_that_so_many_words_bear(words: int, shown: str) -> None:
    counted = Utility().counted(WordErrors(3 * words // 10, 0, 0, words))
    assert column("wer").shown(row_with(counted)) == shown


def test_a_character_error_rate_has_a_column_of_its_own_and_is_no_word_error_rate() -> None:
    row = row_with(Utility().counted(WordErrors(1, 0, 0, 11, of_characters=True)))
    assert (column("cer").shown(row), column("cer").head) == ("9 %", "CER")
    kept = kept_as_json(row, COMPARED)
    assert (column("wer").shown(row), kept["wer"], kept["cer"]) == ("–", None, 1 / 11)


def test_one_that_was_typed_in_stands_as_it_was_typed() -> None:
    assert column("wer").shown(row_with(Utility.typed(0.1234))) == "12.34 %"


def test_what_listeners_answered_has_the_digits_that_so_many_answers_bear() -> None:
    few = Ratings((0,) * 9 + (4,), (0, 1, 1, 1) + (0,) * 6)  # 3 of protected speech: 2, 3, 4
    many = replace(few, lower=(0, 400, 400, 401) + (0,) * 6)
    told = [
        column("naturalness").shown(row_with(Utility().heard(RatingQuestion.NATURALNESS, ratings)))
        for ratings in (few, many)
    ]
    assert told == ["3.0", "3.00"]
    heard = Utility().heard(RatingQuestion.SIMILARITY, few)
    assert column("heard").shown(row_with(heard)) == "0 %"
    assert column("heard").shown(row_with(Utility())) == "–"


def test_scores_that_run_the_wrong_way_have_no_cell_with_the_smaller_figure_alone() -> None:
    entry = demo().entries[0]
    assert entry.trials is not None
    trials = replace(entry.trials, score=-entry.trials.score)
    (row,) = compare(Project("", (replace(entry, trials=trials, assessment=assess(trials)),))).rows
    told = [column(code).shown(row) for code in ("d_ece", "share", "tag")]
    assert told == ["0 (0.678 the other way round)", "94 %", "A / C"]


@pytest.mark.parametrize(
    ("dataset", "condition", "name"),
    [
        ("libri_f", Condition.OO, "libri-o-o-f"),
        ("libri_test_trials_m", Condition.OP, "libri-o-a-m"),
        ("vctk_f_common", Condition.PP, "vctk_common-a-a-f"),
        ("vctk_test_trials_m_common", Condition.PP, "vctk_common-a-a-m"),
        ("libri_dev_f", Condition.PP, "libri_dev-a-a-f"),
        ("mixed", Condition.PP, "mixed-a-a"),
        ("", Condition.OP, "o-a"),
        ("", None, ""),
    ],
)
def test_a_group_is_called_as_in_the_toolkits_figures(
    dataset: str, condition: Condition | None, name: str
) -> None:
    assert str(challenge_names(ComparisonGroup(dataset, condition, "ignorant"))) == name


@pytest.mark.parametrize(
    ("run", "system"), [("", "B1"), ("1", "B1_run1"), ("run1", "B1_run1"), ("first", "B1_first")]
)
def test_a_system_is_called_as_its_folder(run: str, system: str) -> None:
    (row,) = compare(Project(items=(replace(small_entry(), run=run),))).rows
    assert challenge_system(row) == system
