"""What may be ranked, and what a stronger attack that learns less says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import small_entry, small_trials
from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.checks.checklist import knowing_more_finds_no_less
from zebra_core.project.checks.outcome import CheckOutcome
from zebra_core.project.comparison.comparison import (
    compare,
    remarks_on_attacks,
    repeated_scores,
    why_not_ranked,
)
from zebra_core.project.items import Condition, Entry, Population
from zebra_core.project.project import Project


def entry(name: str = "B2", **more: object) -> Entry:
    return replace(small_entry(), name=name, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([], id="none"),
        pytest.param([entry(condition=None)], id="a single one, whatever it is"),
        pytest.param([entry("B1"), entry("B2")], id="one condition, no attacker stated"),
        pytest.param([entry("B1", attacker="ignorant"), entry("B2", attacker="ignorant")], id="one attacker"),
    ],
)
def test_what_is_of_one_kind_may_be_ranked(entries: list[Entry]) -> None:
    assert why_not_ranked(entries) is None


@pytest.mark.parametrize(
    ("entries", "code", "why"),
    [
        (
            [entry(dataset="libri_f"), entry(dataset="libri_m")],
            "datasets",
            "they belong to different datasets (libri_f, libri_m)",
        ),
        (
            [entry(), entry(condition=Condition.PP), entry()],
            "conditions",
            "they hold for different conditions (OP, PP)",
        ),
        (
            [entry(), entry(condition=None)],
            "conditions",
            "they hold for different conditions (OP, not stated)",
        ),
        (
            [entry(condition=None), entry(condition=None)],
            "condition-not-stated",
            "the condition they hold for has not been stated. State it (Edit > Condition).",
        ),
        (
            [entry(attacker="lazy-informed"), entry(attacker="")],
            "attackers",
            "they hold for different attackers (lazy-informed, not stated)",
        ),
    ],
)
def test_what_is_of_several_kinds_may_not(entries: list[Entry], code: str, why: str) -> None:
    refusal = why_not_ranked(entries)
    assert refusal is not None
    assert refusal.code == code
    assert str(refusal).startswith(f"These are not ranked: {why}")


def test_foreign_words_are_shown_as_they_are() -> None:
    assert "a\\u202eb" in str(why_not_ranked([entry(attacker="a\u202eb"), entry()]))


class TestAttacks:
    strong = assess(small_trials())
    weak = assess(Trials.from_scores(target=[0.0, 2.0, 1.0], nontarget=[0.5, 1.5, 1.0]))

    def lazy(self, **more: object) -> Entry:
        more = {"id": "lazy", "assessment": self.strong, "condition": Condition.PP} | more
        return entry(attacker="lazy-informed", **more)

    def semi(self, **more: object) -> Entry:
        more = {"id": "semi", "assessment": self.weak, "condition": Condition.PP} | more
        return entry(attacker="semi-informed", **more)

    def test_the_samples_are_what_they_are_taken_for(self) -> None:
        assert self.weak.d_ece_bits < self.strong.d_ece_bits

    def test_a_semi_informed_attacker_that_learns_less_is_remarked_on(self) -> None:
        entries = attack(1.0, "lazy-informed", seed=1), attack(0.05, "semi-informed", seed=2)
        [(found, [remark])] = remarks_on_attacks(entries).items()
        assert found == entries[1].id
        lazy, semi = (f"{Population.of(one).by_reading_bits:.3f}" for one in entries)
        assert str(remark) == (
            f"The semi-informed attacker learns less from B1 ({semi} bit) than the lazy-informed one "
            f"({lazy} bit), who knows less: the attack may be broken, and the figures may be too favourable."
        )

    def test_where_nothing_was_tested_no_attack_is_said_to_be_broken(self) -> None:
        assert remarks_on_attacks([self.lazy(), self.semi()]) == {}

    def test_one_that_learns_less_by_chance_alone_is_not_as_the_check_list_has_it(self) -> None:
        lazy, semi = attack(1.0, "lazy-informed", seed=1), attack(0.9, "semi-informed", seed=1)
        bits = [one.trust.uncertainty.shown("d_ece_bits") for one in (lazy, semi) if one.trust]
        assert bits[0] > bits[1]
        (case,) = knowing_more_finds_no_less(Project("", (lazy, semi)))
        assert case.outcome is CheckOutcome.PASSED
        assert remarks_on_attacks([lazy, semi]) == {}
        weak = attack(0.05, "semi-informed", seed=2)
        (case,) = knowing_more_finds_no_less(Project("", (lazy, weak)))
        assert case.outcome is CheckOutcome.FAILED
        assert set(remarks_on_attacks([lazy, weak])) == {weak.id}

    def test_one_that_learns_as_much_or_more_is_not(self) -> None:
        assert remarks_on_attacks([self.lazy(), self.semi(assessment=self.strong)]) == {}
        assert remarks_on_attacks([self.lazy(assessment=self.weak), self.semi(assessment=self.strong)]) == {}

    @pytest.mark.parametrize(
        "other",
        [
            {"name": "B1"},
            {"dataset": "m"},
            {"run": "2"},
            {"condition": Condition.OP},
            {"attacker": "ignorant"},
        ],
    )
    def test_only_the_same_safeguard_in_the_same_place_is_compared(self, other: dict[str, object]) -> None:
        assert remarks_on_attacks([replace(self.lazy(), **other), self.semi()]) == {}  # type: ignore[arg-type]

    def test_a_condition_that_is_not_stated_is_no_other_one(self) -> None:
        lazy, semi = attack(1.0, "lazy-informed", seed=1), attack(0.05, "semi-informed", seed=2)
        assert set(remarks_on_attacks([replace(lazy, condition=None), semi])) == {semi.id}


def scored(name: str, seed: int = 0, condition: Condition | None = Condition.OP, **more: object) -> Entry:
    """40 trials whose scores depend on the seed alone."""
    score = np.random.default_rng(seed).normal(size=40)
    trials = Trials(score, np.arange(40) % 4 == 0)
    file = InputFile(Path("exp") / name / "scores", "both", 10, 64 * str(seed), 40)
    assessment = replace(assess(trials), files=(file,))
    return Entry(name, trials, assessment, condition, **more)  # type: ignore[arg-type]


def shuffled(entry: Entry) -> Entry:
    """The same trials in another order, of a file with other bytes."""
    assert entry.trials is not None
    order = np.random.default_rng(9).permutation(len(entry.trials))
    trials = Trials(entry.trials.score[order], entry.trials.is_target[order])
    [file] = entry.files
    return replace(
        entry, trials=trials, assessment=replace(assess(trials), files=(replace(file, sha256=64 * "f"),))
    )


def test_the_same_scores_of_two_safeguards_are_told_with_both_files_whatever_their_order() -> None:
    entries = scored("B1"), scored("other", 1), shuffled(scored("mine"))
    [found] = repeated_scores(entries)
    assert found.entries == (entries[0], entries[2])
    assert found.copies == (entries[2],)
    assert found.of_originals == ()
    told = str(found.remark)
    assert told == (
        "B1 and mine have the same scores, so these are not ranked: a file was copied, or given under two "
        "names (B1/scores, mine/scores). Keep one: untick the others in the window, or take their files out "
        "of the folder."
    )
    assert {
        entry_id: [str(one) for one in each] for entry_id, each in remarks_on_attacks(entries).items()
    } == {
        entries[0].id: [told],
        entries[2].id: [told],
    }


def test_scores_of_unprotected_speech_under_a_safeguard_are_named_as_such() -> None:
    original = scored("unprotected", condition=Condition.OO)
    forgot = [scored("forgot", condition=one) for one in (Condition.OP, Condition.PP)]
    [found] = repeated_scores([*forgot, scored("B1", 1), original])
    assert found.entries == (original, *forgot)
    assert found.of_originals == found.copies == tuple(forgot)
    assert str(found.remark).startswith(
        "The protected scores of forgot are those of unprotected speech: the evaluation read the originals, "
        "or the copies were never protected (unprotected/scores, forgot/scores)."
    )


def test_the_same_scores_of_two_conditions_of_a_safeguard_are_told_by_their_conditions() -> None:
    [found] = repeated_scores([scored("B1", condition=one) for one in (Condition.OP, Condition.PP)])
    assert str(found.remark).startswith("B1 OP and B1 PP have the same scores, so these are not ranked")


def test_safeguards_that_are_the_same_under_several_conditions_are_told_once() -> None:
    both = Condition.OP, Condition.PP
    entries = [scored(name, seed, one) for seed, one in enumerate(both) for name in ("B1", "mine")]
    [found] = repeated_scores(entries)
    assert found.groups == (tuple(entries[:2]), tuple(entries[2:]))
    assert found.copies == (entries[1], entries[3])
    assert str(found.remark).startswith("B1 and mine have the same scores, so these are not ranked")


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([scored("B1", run="1"), scored("B1", run="2")], id="runs of one safeguard"),
        pytest.param(
            [scored("B1", attacker="ignorant"), scored("B1", attacker="lazy-informed")], id="two attackers"
        ),
        pytest.param([scored("B1", recogniser="words"), scored("B2", recogniser="words")], id="words alone"),
        pytest.param([scored("B1"), replace(scored("B2"), is_ticked=False)], id="one is left out"),
        pytest.param([scored("B1"), scored("B2", 1)], id="other scores"),
        pytest.param([entry("B1"), entry("B2")], id="few scores, which may be alike by chance"),
    ],
)
def test_nothing_is_told_where_the_same_scores_are_right(entries: list[Entry]) -> None:
    assert repeated_scores(entries) == ()


def test_few_scores_are_the_same_where_their_files_are() -> None:
    files = [InputFile(Path(name), "both", 10, 64 * "a", 4) for name in ("scores", "scores (1)")]
    copies = [
        replace(each, name=file.name, assessment=replace(each.assessment, files=(file,)))
        for each, file in zip((entry(), entry()), files, strict=True)
    ]
    [found] = repeated_scores(copies)
    assert found.entries == tuple(copies)


def test_scores_that_another_has_too_have_no_rank_and_the_others_have_theirs() -> None:
    entries = scored("B1"), scored("mine"), scored("B3", 1), scored("B4", 2)
    ranks = {row.entry.name: row.rank for row in compare(Project("", entries)).rows}
    assert ranks["B1"] is ranks["mine"] is None
    assert {ranks["B3"], ranks["B4"]} == {1, 2}
    one_left = [replace(one, is_ticked=one.name != "mine") for one in entries]
    assert {row.rank for row in compare(Project("", tuple(one_left))).rows} == {1, 2, 3}
