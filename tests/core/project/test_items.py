"""All assessments of one dataset stand on one basis: D_ECE corrected for small sets, or as computed."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.core.challenge_case import challenge
from tests.core.project.attacks import attack
from tests.core.samples import demo
from zebra_core.evidence.trials import Trials
from zebra_core.figures.figure import Ink, Marker
from zebra_core.figures.headline import scale_figure
from zebra_core.figures.uncertainty import dots_of
from zebra_core.metrics.assessment import assess
from zebra_core.project.attackers import AttackGroup, attack_groups
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.items import (
    Condition,
    Entry,
    Population,
    basis_in_words,
    is_corrected,
    of_one_picture,
    says_nothing,
    says_nothing_in_words,
    tag_in_words,
    tag_is_open,
)
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of


@cache
def few_speakers() -> Project:
    """Protected speech of five speakers, heard by an ignorant attacker: B1w alone bears no correction."""
    entries = [
        one for one in challenge().entries if (one.dataset, one.condition) == ("other_f", Condition.OP)
    ]
    return Project("", tuple(_measured(one) for one in entries))


def _measured(entry: Entry) -> Entry:
    assert entry.trials is not None
    settings = BootstrapSettings(replicates=100)
    return replace(entry, measured=trust_of(entry.trials, entry.assessment, settings, deals=100))


def bits(entries: tuple[Entry, ...]) -> list[float]:
    return [round(Population.of(entry).bits, 3) for entry in entries]


def test_where_one_does_not_bear_the_correction_none_of_its_dataset_is_corrected() -> None:
    entries = few_speakers().entries
    assert [entry.name for entry in entries] == ["B1w", "B2", "B2r", "B2r"]
    own = ["d_ece_bits" in entry.trust.uncertainty.bear_correction for entry in entries if entry.trust]
    assert own == [False, True, True, True]
    assert bits(entries) == [0.149, 0.365, 0.236, 0.45]  # as a paper has them
    assert basis_in_words(entries) == "as computed"


def test_without_that_one_the_others_are_corrected_and_with_it_they_are_not_again() -> None:
    project = few_speakers()
    first, *others = project.entries
    left = project.without([first.id])
    assert is_corrected(left.entries)
    assert bits(left.entries) == [0.09, 0.086, 0.167]
    assert bits(left.with_items(first).entries) == [0.365, 0.236, 0.45, 0.149]
    assert not any(is_corrected([one]) for one in others)


def test_another_dataset_stands_on_its_own_basis() -> None:
    elsewhere = replace(attack(1.0), dataset="libri_m")
    project = few_speakers().with_items(elsewhere)
    assert is_corrected([project.entry(elsewhere.id)])
    assert not is_corrected(project.entries)


def test_while_one_is_not_known_all_are_as_computed_and_items_that_stay_are_the_same() -> None:
    known, unknown = attack(1.0, seed=1), replace(attack(1.0, sure=False, seed=2))
    both = Project("", (known, unknown))
    assert Population.of(both.entries[0]).bits == known.assessment.d_ece_bits
    assert both.entries[1] is unknown
    assert replace(both, notes="later").items[0] is both.items[0]
    assert Project("", (known,)).items[0] is known
    assert Population.of(known).bits == known.trust.uncertainty.d_ece_corrected_bits  # type: ignore[union-attr]


def test_dots_stand_in_the_order_of_ranks_and_shares() -> None:
    project = few_speakers()
    rows = compare(project).rows
    shares = [float(column("share").shown(row).removesuffix(" %")) for row in rows]
    assert [row.rank for row in rows] == [1, 3, 2, 4]
    assert [sorted(shares).index(share) + 1 for share in shares] == [1, 3, 2, 4]
    dots = [one for one in dots_of(project.entries, "d_ece_bits").points if one.colour is not Ink.MUTED]
    places = [float(dot.x[0]) for dot in dots]
    assert [sorted(places).index(place) + 1 for place in places] == [1, 3, 2, 4]


def test_d_ece_as_computed_has_the_digits_of_a_paper() -> None:
    shown = [column("d_ece").shown(row) for row in compare(few_speakers()).rows]
    assert shown == ["0.149", "0.365", "0.236", "0.450"]


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_dot_lies_left_of_its_mark_where_as_computed_it_lies_left_of_its_own(
    is_alone: bool,
) -> None:
    entries = few_speakers().entries
    entries = few_speakers().without([entries[0].id]).entries if is_alone else entries
    for entry in entries:
        trust = entry.trust
        assert trust is not None
        assert trust.null is not None
        plain, mark = trust.null.one_in_twenty("d_ece_bits"), trust.one_in_twenty("d_ece_bits")
        assert mark is not None
        assert (Population.of(entry).bits < mark) is (entry.assessment.d_ece_bits < plain)
        dot, cross = (
            next(float(one.x[0]) for one in dots_of([entry], "d_ece_bits").points if (one.marker is marker))
            for marker in (Marker.CIRCLE, Marker.CROSS)
        )
        assert (dot < cross) is (trust.null.p_value("d_ece_bits") > 0.05)


def test_axes_name_the_basis() -> None:
    project = few_speakers()
    corrected = project.without([project.entries[0].id])
    for drawn in (scale_figure, lambda entries: dots_of(entries, "d_ece_bits")):
        assert "as computed" in drawn(project.entries).x.label
        assert "corrected for small sets" in drawn(corrected.entries).x.label


def test_an_interval_that_does_not_hold_the_figure_as_computed_says_whose_it_is() -> None:
    entry = Project("", (attack(0.0, seed=4), replace(attack(0.0, sure=False, seed=5)))).entries[0]
    found = Population.of(entry)
    assert found.interval is not None
    beyond = replace(found, bits=found.interval.high + 0.1)
    assert "(corrected: " in beyond.in_words
    for inside in (found.interval.high, found.interval.high + 1e-9):  # as it is shown
        assert "corrected" not in replace(found, bits=inside).in_words


def test_the_sentence_says_that_the_dataset_stands_as_computed() -> None:
    first, second, *_ = few_speakers().entries
    assert first.trust is not None
    assert second.trust is not None
    assert "but so few speakers as 5 do not bear that out" in first.trust.sentences[1]
    assert "it would come to 0.09 bit. But all assessments of a dataset" in second.trust.sentences[1]


def test_attackers_are_corrected_only_where_all_of_them_are() -> None:
    (group, *_) = attack_groups(few_speakers())
    assert not group.is_corrected
    assert group.bits == group.strongest.assessment.d_ece_bits
    one, other = attack(1.0), few_speakers().entries[1]
    across = AttackGroup("", "", "", (one, other), ())
    assert not across.is_corrected
    assert across.bits_of(one) == one.assessment.d_ece_bits


def test_a_picture_of_some_of_a_dataset_stands_where_the_dataset_stands() -> None:
    """Else a card beside it would state another figure of the same assessment."""
    others = few_speakers().entries[1:]
    assert bits(of_one_picture(others)) == [0.365, 0.236, 0.45]
    assert scale_figure(others).x.label == "disclosure D_ECE, as computed (bit)"


def entry_of(target: list[float], nontarget: list[float]) -> Entry:
    trials = Trials.from_scores(target, nontarget)
    return Entry("X", trials, assess(trials))


def overlapping(n_target: int, n_nontarget: int) -> Entry:
    return entry_of(list(np.arange(n_target) + 0.5), list(np.arange(n_nontarget, dtype=float)))


def test_five_trials_say_nothing_however_well_they_are_separated() -> None:
    tiny = entry_of([2.0, 3.0], [0.1, 0.2, 0.3])
    assert says_nothing(tiny)
    assert says_nothing_in_words(tiny) == (
        "5 comparisons, 2 of the same person and 3 of different ones: these figures say nothing. At least 10 "
        "of each kind are needed."
    )
    assert tag_is_open(tiny)
    assert tag_in_words(tiny) == "≥ A?"


@pytest.mark.parametrize(
    ("n_target", "n_nontarget", "is_nothing"), [(9, 50, True), (50, 9, True), (10, 10, False)]
)
def test_ten_trials_of_each_class_say_something(n_target: int, n_nontarget: int, is_nothing: bool) -> None:
    assert says_nothing(overlapping(n_target, n_nontarget)) is is_nothing


def test_four_speakers_say_nothing_whatever_their_number_of_trials() -> None:
    few, enough = attack(2.0, n=4), attack(2.0, n=5)
    assert says_nothing_in_words(few).startswith("4 speakers: these figures say nothing.")
    assert tag_in_words(few) == "≥ B?"
    assert not says_nothing(enough)


def test_a_set_whose_ceiling_chance_reaches_says_nothing() -> None:
    entry = next(one for one in demo().entries if one.trust is None)
    assert not says_nothing(entry)
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    assert not says_nothing(replace(entry, measured=trust))
    null = trust.null
    assert null is not None
    ceiling = entry.assessment.worst_case_ceiling_log10_lr
    as_high = replace(null, draws={**null.draws, "worst_case_log10_lr": np.full(20, ceiling)})
    by_chance = replace(entry, measured=replace(trust, null=as_high))
    told = says_nothing_in_words(by_chance)
    assert "In one of twenty sets of this size that disclose nothing" in told


def test_a_tag_at_the_ceiling_of_these_data_is_a_lower_bound_unless_no_worse_tag_exists() -> None:
    separated = entry_of(list(np.arange(20) + 100.0), list(np.arange(20, dtype=float)))
    assert (tag_in_words(separated), tag_is_open(separated)) == ("≥ B", True)
    apart = overlapping(20, 20)
    assert (tag_in_words(apart), tag_is_open(apart)) == ("A", False)
