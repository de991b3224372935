"""Side by side: groups, baselines, gains and ranks, with the numbers of the reference."""

import math
from dataclasses import replace

import pytest

from tests.core.challenge_case import challenge, entry_of, expected_of, similarity_entry
from tests.core.samples import demo, small_entry
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.learnt_calibration import attack
from zebra_core.project.comparison.columns import COMPARED, column
from zebra_core.project.comparison.comparison import baseline_of, compare, learnt_on_other_runs, of_one_group
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.comparison.row import ComparisonGroup, kept_as_json
from zebra_core.project.items import Condition, Entry, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.word_errors import WordErrors

OO, OP, PP = Condition
FEW = BootstrapSettings(20)


def test_groups_follow_the_datasets_of_the_project_with_the_unprotected_first() -> None:
    assert [str(group) for group in compare(challenge()).groups] == [
        "other_f · OO, unprotected",
        "other_f · OP, test side protected · ignorant",
        "other_f · PP, both sides protected · lazy-informed",
        "other_m · OO, unprotected",
        "other_m · OP, test side protected · ignorant",
        "other_m · PP, both sides protected · lazy-informed",
    ]


def test_a_group_without_words_says_that_its_condition_is_not_stated() -> None:
    assert str(ComparisonGroup("", None, "")) == "condition not stated"
    assert str(ComparisonGroup("a\u202eb", OP, "mine\n")) == "a\\u202eb · OP, test side protected · mine\\n"


def test_of_one_group_are_those_of_dataset_condition_and_attacker_with_the_unprotected() -> None:
    entries = challenge().entries
    chosen = next(entry for entry in entries if entry.condition is OP)
    found = of_one_group(entries, chosen)
    same = (chosen.dataset, OP, chosen.attacker)
    assert {(one.dataset, one.condition, one.attacker) for one in found if one.condition is not OO} == {same}
    assert {one.dataset for one in found} == {chosen.dataset}
    assert any(one.condition is OO for one in found)
    assert [one.id for one in entries if one in found] == [one.id for one in found]


def test_unprotected_speech_stands_for_its_dataset() -> None:
    entries = challenge().entries
    chosen = next(entry for entry in entries if entry.condition is OO)
    assert of_one_group(entries, chosen) == tuple(one for one in entries if one.dataset == chosen.dataset)


def test_every_row_has_the_figures_of_the_reference() -> None:
    rows = compare(challenge()).rows
    assert len(rows) == 24
    for row in rows:
        expected = expected_of(row.entry)
        assert row.assessment.d_ece_bits == pytest.approx(expected["d_ece_bits"], abs=1e-10)
        assert row.assessment.rocch_eer == pytest.approx(expected["rocch_eer"], abs=1e-10)


def test_losses_are_of_op_against_oo_of_the_same_dataset() -> None:
    entry = entry_of("B2", "other_f", OP)
    row = compare(challenge()).row(entry.id)
    op, oo = expected_of(entry), expected_of(entry_of("B2", "other_f", OO))

    assert row is not None
    assert row.d_ece_loss == pytest.approx(1.0 - op["d_ece_bits"] / oo["d_ece_bits"], abs=1e-10)
    by_equation_18 = (op["min_cllr_bits"] - oo["min_cllr_bits"]) / (1.0 - oo["min_cllr_bits"])
    assert row.min_cllr_loss == pytest.approx(by_equation_18, abs=1e-10)
    assert (row.d_ece_gain_db, row.min_cllr_gain_db) == (None, None)


def test_gains_are_of_pp_against_oo_of_the_same_dataset() -> None:
    entry = entry_of("B1w", "other_m", PP)
    row = compare(challenge()).row(entry.id)
    pp, oo = expected_of(entry), expected_of(entry_of("B1w", "other_m", OO))

    assert row is not None
    assert row.d_ece_gain_db == pytest.approx(10 * math.log10(pp["d_ece_bits"] / oo["d_ece_bits"]), abs=1e-9)
    by_equation_20 = 10 * math.log10((1 - pp["min_cllr_bits"]) / (1 - oo["min_cllr_bits"]))
    assert row.min_cllr_gain_db == pytest.approx(by_equation_20, abs=1e-9)
    assert (row.d_ece_loss, row.min_cllr_loss) == (None, None)


def test_unprotected_speech_is_measured_against_nothing_and_not_ranked() -> None:
    for row in compare(challenge()).rows:
        if row.group.is_of_unprotected:
            assert (row.baseline, row.rank, row.d_ece_loss, row.d_ece_gain_db) == (None, None, None, None)


def test_one_baseline_serves_the_other_safeguards_of_its_dataset() -> None:
    unprotected, b1, *_ = demo().entries
    assert baseline_of(b1, demo().entries) is unprotected
    assert baseline_of(replace(b1, dataset="elsewhere"), demo().entries) is None


def test_of_several_baselines_ones_own_is_taken_else_that_of_the_same_attacker_else_the_strongest() -> None:
    other = replace(entry_of("B1w", "other_f", OP), condition=OO, name="B9")
    entries = (*challenge().entries, other)
    op = entry_of("B2", "other_f", OP)

    assert baseline_of(op, entries) is entry_of("B2", "other_f", OO)
    new = replace(op, name="new")
    strongest = baseline_of(new, entries)
    assert strongest is not None
    assert strongest.assessment.d_ece_bits > other.assessment.d_ece_bits
    heard = replace(other, recogniser="CAM++", back_end="cosine")
    assert baseline_of(replace(new, recogniser="CAM++"), (*challenge().entries, heard)) is heard
    plda = replace(heard, back_end="PLDA", id="plda")
    cosine = replace(new, recogniser="CAM++", back_end="cosine")
    assert baseline_of(cosine, (*challenge().entries, plda, heard)) is heard


def test_ranks_are_within_a_group_and_equal_disclosure_has_equal_rank() -> None:
    group = compare(challenge()).of(ComparisonGroup("other_f", OP, "ignorant"))
    # D_ECE 0.149, 0.365, 0.236 and 0.450 bit.
    assert [(row.system, row.rank) for row in group] == [
        ("B1w", 1),
        ("B2", 3),
        ("B2r run0", 2),
        ("B2r run1", 4),
    ]
    twins = Project(
        items=(small_entry("one"), replace(small_entry("two"), id="2"), replace(small_entry(), id="3"))
    )
    assert [row.rank for row in compare(twins).rows] == [1, 1, 1]


def test_who_discloses_more_the_other_way_round_has_that_rank_and_nothing_of_the_group_is_settled() -> None:
    """Unprotected scores with their signs changed disclose 0 bit as they are, 0.678 turned round."""
    unprotected, *others = demo().entries
    trials = trials_of(unprotected)
    wrong = Trials(-trials.score, trials.is_target, trials.enrol, trials.test)
    project = Project(items=(replace(others[0], assessment=assess(wrong)), *others[1:]))
    tested = settle(project, lambda entry, _: wrong if entry == project.items[0] else trials_of(entry), FEW)
    project = replace(project, differences=tested.settled)
    rows = compare(project).rows
    assert rows[0].assessment.d_ece_bits < 0.001
    assert [row.rank for row in rows] == [3, 1, 2]
    assert [row.ranks for row in rows] == [None, None, None]
    assert [column("rank").shown(row) for row in rows] == ["3, not tested", "1, not tested", "2, not tested"]


@pytest.mark.parametrize("change", [{"condition": PP}, {"attacker": "semi-informed"}, {"dataset": "other"}])
def test_nothing_is_ranked_against_another_condition_attacker_or_dataset(change: dict[str, object]) -> None:
    other = replace(small_entry(), id="2", **change)
    assert [row.rank for row in compare(Project(items=(small_entry(), other))).rows] == [None, None]


def test_without_a_stated_condition_there_is_no_rank() -> None:
    items = tuple(replace(small_entry(), id=str(number), condition=None) for number in range(2))
    assert [row.rank for row in compare(Project(items=items)).rows] == [None, None]


def test_only_what_is_ticked_is_shown_and_still_serves_as_baseline() -> None:
    unticked = tuple(replace(entry, is_ticked=entry.condition is not OO) for entry in demo().entries)
    project = replace(demo(), items=unticked)

    rows = compare(project).rows
    assert [row.entry.name for row in rows] == ["B1w", "B2", "B2r"]
    assert rows[0].baseline is demo().entries[0].assessment
    assert len(compare(project, only_ticked=False).rows) == 4


def test_similarity_belongs_to_dataset_safeguard_and_run() -> None:
    run0, b2 = similarity_entry("B2r", "other_f", "run0"), similarity_entry("B2", "other_m")
    rows = compare(challenge().with_items(run0, b2)).rows
    joined = {(row.system, row.group.dataset, row.group.condition) for row in rows if row.similarity}

    assert joined == {
        ("B2r run0", "other_f", OP),
        ("B2r run0", "other_f", PP),
        *(("B2", "other_m", c) for c in (OP, PP)),
    }
    row = next(row for row in rows if row.similarity is run0.similarity)
    assert (row.de_id, row.g_vd_db) == (run0.similarity.de_id, run0.similarity.g_vd_db)


@pytest.mark.parametrize("run", ["1", "run1", "Run-1", "run_1"])
def test_a_run_is_the_same_with_and_without_the_word(run: str) -> None:
    rows = compare(challenge().with_items(similarity_entry("B2r", "other_f", run))).rows
    assert {row.system for row in rows if row.similarity} == {"B2r run1"}


def test_matrices_without_a_run_belong_to_all_runs_where_they_are_the_only_ones() -> None:
    rows = compare(challenge().with_items(similarity_entry("B2r", "other_f"))).rows
    assert {row.system for row in rows if row.similarity} == {"B2r run0", "B2r run1"}


def test_c_ece_is_learnt_on_the_other_run() -> None:
    entries = challenge().entries
    run0, run1 = (entry_of("B2r", "other_f", PP, run) for run in ("run0", "run1"))
    found = learnt_on_other_runs(entries)
    expected = attack(run1.assessment.counts, run0.assessment.counts, run0.assessment.profile.prior_log_odds)

    assert found[run0.id] == expected.linear.c_ece_bits
    assert {entry.id for entry in entries if entry.name == "B2r" and entry.condition is not OO} == set(found)
    row = compare(challenge(), c_ece_bits=found).row(run0.id)
    assert row is not None
    assert row.c_ece_bits == found[run0.id]


def test_a_run_that_repeats_the_same_scores_teaches_nothing() -> None:
    entry = replace(small_entry(), run="0")
    assert learnt_on_other_runs((entry, replace(entry, run="1", id="2"))) == {}


def test_the_utility_of_protected_speech_is_the_same_in_all_conditions() -> None:
    project = challenge().with_utility(SpeechKey("other_f", "B2"), Utility.typed(0.25))
    rows = compare(project.with_utility(SpeechKey("other_f"), Utility.typed(0.05))).rows
    known = {(row.group.dataset, row.entry.name, row.group.condition): row.utility.wer for row in rows}

    assert known["other_f", "B2", OP] == known["other_f", "B2", PP] == 0.25
    assert {known["other_f", name, OO] for name in ("B1w", "B2", "B2r")} == {0.05}
    assert known["other_m", "B2", OP] is None


def test_the_unprotected_come_first_within_a_group() -> None:
    grey = replace(small_entry("grey"), colour=None, id="grey")
    rows = compare(Project(items=(small_entry("first"), grey))).rows
    assert [row.entry.name for row in rows] == ["grey", "first"]


def test_an_empty_project_has_no_rows() -> None:
    assert compare(Project()).rows == ()
    assert compare(Project()).groups == ()


def test_json_has_null_for_what_is_not_defined() -> None:
    entry: Entry = small_entry()
    assert kept_as_json(compare(Project(items=(entry,))).rows[0], COMPARED) == {
        "rank": None,
        "d_ece_strongest_bits": None,
        "normalisation": None,
        "de_id": None,
        "g_vd_db": None,
        "c_ece_bits": None,
        "d_ece_op_oo": None,
        "min_cllr_op_oo": None,
        "g_d_ece_db": None,
        "g_cllr_db": None,
        "wer": None,
        "wer_low": None,
        "wer_high": None,
        "wer_printed_in": None,
        "cer": None,
        "cer_low": None,
        "cer_high": None,
        "uar": None,
        "uar_low": None,
        "uar_high": None,
        "intelligibility": None,
        "naturalness": None,
        "heard": None,
    }


def test_words_and_emotions_have_their_intervals_over_speakers_beside_them() -> None:
    words = WordErrors(30, 0, 0, 1000, by_speaker=tuple((n, 100) for n in (1, 2, 3, 4, 5, 1, 2, 3, 4, 5)))
    told = Emotions(
        ("neu", "sad"), ((100, 80), (100, 60)), tuple(((10, n), (10, n - 2)) for n in (6, 7, 8, 9, 10) * 2)
    )
    row = compare(Project(items=(small_entry(),))).rows[0]
    row = replace(row, utility=Utility().counted(words).with_emotions(told))
    for code, value in (("wer", 0.03), ("uar", 0.7)):
        ends = row.utility_interval(code)
        assert ends is not None
        assert ends.low < value < ends.high
        found = kept_as_json(row, COMPARED)
        assert (found[code], found[f"{code}_low"], found[f"{code}_high"]) == (value, ends.low, ends.high)
    assert column("uar").shown(row).startswith("70 % (")
    assert " to " in column("wer").shown(row)
    typed = replace(row, utility=Utility.typed(0.03))
    assert typed.utility_interval("wer") is None


def test_pandas_has_a_row_for_each_assessment_with_figures_as_computed() -> None:
    compared = compare(demo())
    frame = compared.to_frame()
    assert list(frame["safeguard"]) == [row.entry.name for row in compared.rows]
    assert list(frame["d_ece_bits"]) == [row.assessment.d_ece_bits for row in compared.rows]
    assert list(frame["n_target"]) == [row.assessment.n_target for row in compared.rows]
    assert frame["d_ece_bits_low"].isna().all()  # nobody asked
    assert frame.columns.is_unique
