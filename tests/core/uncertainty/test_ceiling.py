"""How far the scale reaches with so many trials."""

from dataclasses import replace

import numpy as np
import pytest

from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.ceilings import worst_case_ceiling_log10_lr
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.uncertainty.ceiling import ceiling_of, trials_needed


def separated(n_target: int, n_nontarget: int) -> Trials:
    return Trials.from_scores(np.arange(n_target) + 1e6, np.arange(n_nontarget))


def test_perfect_separation_reaches_the_ceiling_and_the_badge_says_so() -> None:
    found = ceiling_of(assess(separated(156, 9672)))
    assert found.is_reached
    assert found.log10_lr == pytest.approx(np.log10(157 / 156 * 9672))
    assert found.badge() == "C, at the limit of these data"


def test_below_it_the_badge_says_how_far_the_data_reach() -> None:
    rng = np.random.default_rng(0)
    found = ceiling_of(assess(Trials.from_scores(rng.normal(size=156), rng.normal(size=9672))))
    assert not found.is_reached
    assert found.badge() == "at most 2.19 (C) with these data", "the strongest is for two speakers"


def test_one_nontarget_more_than_needed_less_one_decides() -> None:
    """Tag D begins at 4: N = ⌈10⁴·156/157⌉ = 9937 nontargets with 156 targets."""
    tag_d = PAPER_SCALE.tags[4]
    needed = trials_needed(tag_d, 156, 9672)
    assert (needed.tag.letter, needed.n_nontarget, needed.n_target) == ("D", 9937, 9999)
    for n_target, n_nontarget in ((156, needed.n_nontarget), (needed.n_target, 9672)):
        assert PAPER_SCALE.tag_of(worst_case_ceiling_log10_lr(n_target, n_nontarget)).letter == "D"
    assert PAPER_SCALE.tag_of(worst_case_ceiling_log10_lr(156, needed.n_nontarget - 1)).letter == "C"
    assert PAPER_SCALE.tag_of(worst_case_ceiling_log10_lr(needed.n_target - 1, 9672)).letter == "C"


def test_the_next_tags_are_told_in_order_until_there_is_none() -> None:
    found = ceiling_of(assess(separated(156, 9672)))
    assert [each.tag.letter for each in found.needed] == ["D", "E", "F"]
    assert found.sentence() == (
        "Showing tag D at all would take 9\u202f937 nontarget trials, or 9\u202f999 target trials. "
        "Tag E would take 99\u202f364 or 99\u202f990. Tag F would take 993\u202f631 or 999\u202f897."
    )
    top = replace(assess(separated(2, 50)), worst_case_ceiling_log10_lr=6.5)
    assert ceiling_of(top).sentence() == ""


def test_far_below_the_ceiling_of_its_side_the_data_do_not_end_though_the_tag_is_the_same() -> None:
    """Four nontargets among the targets: (157 : 5)·9672/156 = 10^3.29 of 10^3.99, both C."""
    found = assess(
        Trials.from_scores([*range(96), *range(2000, 2060)], [*range(-9668, 0), *range(1000, 1004)])
    )
    assert found.tag == ceiling_of(found).tag.letter == "C"
    assert found.worst_case_log10_lr < ceiling_of(found).log10_lr - 0.302
    assert not ceiling_of(found).is_reached
