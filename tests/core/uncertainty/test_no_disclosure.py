"""What no disclosure would look like."""

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.metrics.zebra import worst_case_ceiling_log10_lr
from zebra_core.uncertainty.no_disclosure import (
    NULL_FIGURES,
    Exchange,
    NoDisclosure,
    ceiling_of,
    trials_needed,
    without_disclosure,
)


def found_in(trials: Trials, replicates: int = 99, seed: int = 0) -> NoDisclosure:
    known = assess(trials, Settings(prior_points=11))
    return without_disclosure(trials, known, replicates=replicates, seed=seed)


def sample(between: float = 0.5, seed: int = 0, n_speakers: int = 15) -> Trials:
    return trials_of(np.random.default_rng(seed), n_speakers, between, segments=2)


def test_speakers_are_exchanged_as_wholes() -> None:
    """Four speakers: every set without disclosure is one of the 4! ways to say who is who."""
    trials = sample(n_speakers=4)
    score = trials.score.reshape(4, 8)
    heard = np.repeat(np.arange(4), 2)
    ways = set()
    for way in permutations(range(4)):
        labels = np.array(way)[:, np.newaxis] == heard
        ways.add(round(assess(Trials(score.ravel(), labels.ravel())).d_ece_bits, 12))
    found = found_in(trials, replicates=300)
    assert found.exchange is Exchange.SPEAKERS
    assert found.remarks == ()
    assert set(np.round(found.draws["d_ece_bits"], 12).tolist()) == ways


def test_p_values_are_uniform_where_nothing_is_disclosed() -> None:
    """Of 100 sets of pure noise a share p gets a p-value of at most p."""
    p_values = [
        {name: found.p_value(name) for name in NULL_FIGURES}
        for found in (found_in(sample(0.0, seed), 39, seed) for seed in range(100))
    ]
    for name in ("d_ece_bits", "eer", "min_cllr_bits"):
        of_name = np.array([each[name] for each in p_values])
        for level in (0.1, 0.25, 0.5, 0.75, 0.9):
            # Four standard errors of a share of 100.
            assert np.mean(of_name <= level) == pytest.approx(
                level, abs=4.0 * np.sqrt(level * (1 - level) / 100)
            )


def test_real_disclosure_is_beyond_chance_and_said_so() -> None:
    found = found_in(sample(3.0))
    assert found.p_value("d_ece_bits") == found.p_value("eer") == 0.01
    assert found.median("d_ece_bits") < found.one_in_twenty("d_ece_bits") < found.observed["d_ece_bits"]
    assert found.observed["eer"] < found.one_in_twenty("eer") < found.median("eer")
    value = f"{found.observed['d_ece_bits']:.3f}"
    assert found.sentence("d_ece_bits") == (
        f"None of 99 sets without any disclosure showed {value} bit or more."
    )
    assert found.sentence("eer").endswith("% or less.")


def test_what_chance_may_show_is_said_as_a_share() -> None:
    found = found_in(sample(0.0, seed=3))
    share = 100.0 * found.p_value("d_ece_bits")
    assert share > 10.0
    assert found.sentence("d_ece_bits").startswith(f"{share:.0f} % of sets without any disclosure would show")


def sparse(seed: int, n_speakers: int = 12, segments: int = 10, share: float = 0.3) -> Trials:
    """All own pairs and a share of the others; scores go with the enrolment, and nothing is disclosed."""
    rng = np.random.default_rng(seed)
    rows = [
        (e, f"s{t}-{k}", e == t)
        for t in range(n_speakers)
        for k in range(segments)
        for e in range(n_speakers)
        if e == t or rng.random() < share
    ]
    of_enrol = rng.normal(size=n_speakers)
    return Trials(
        rng.normal(size=len(rows)) + np.array([of_enrol[e] for e, _, _ in rows]),
        np.array([own for *_, own in rows]),
        ids([f"s{e}" for e, _, _ in rows]),
        ids([t for _, t, _ in rows]),
    )


def test_in_sparse_lists_whole_speakers_are_exchanged_too() -> None:
    """Three in ten of the target trials are left on average, as many as others were compared."""
    found = found_in(sparse(0))
    assert found.exchange is Exchange.SPEAKERS_SPARSE
    (remark,) = found.remarks
    share = float(str(remark.facts["share"]))
    assert share == pytest.approx(100.0 * (1 + 11 * 0.3) / 12, abs=8.0)
    assert f"this leaves {share:.0f} % of the target trials" in str(remark)
    assert found.median("eer") == pytest.approx(0.5, abs=0.1)


def test_lists_of_every_pair_of_segments_leave_as_many_target_trials_and_say_so() -> None:
    names = [f"{speaker}-{k}" for speaker in range(8) for k in range(4)]
    left, right = np.triu_indices(len(names), 1)
    score = np.random.default_rng(0).normal(size=len(left))
    enrol, test = ids([names[n] for n in left]), ids([names[n] for n in right])
    found = found_in(Trials(score, left // 4 == right // 4, enrol, test), replicates=20)
    assert found.exchange is Exchange.SPEAKERS_SPARSE
    assert "leaves 100 % of the target trials" in str(found.remarks[0])


def test_no_disclosure_in_sparse_lists_is_rarely_taken_for_disclosure() -> None:
    """Dealt out segment by segment 14 of 100 such lists had a p of 0.05 or less."""
    p_values = [found_in(sparse(seed), replicates=39).p_value("d_ece_bits") for seed in range(20)]
    assert sum(p <= 0.05 for p in p_values) <= 1


def test_disclosure_in_sparse_lists_is_found() -> None:
    trials = sparse(1)
    shifted = Trials(trials.score + 3.0 * trials.is_target, trials.is_target, trials.enrol, trials.test)
    assert found_in(shifted).p_value("d_ece_bits") == 0.01


def test_where_too_few_target_trials_would_be_left_there_is_no_p_value() -> None:
    found = found_in(sparse(0, segments=2, share=0.1))
    assert found.exchange is Exchange.TRIALS
    assert math.isnan(found.p_value("d_ece_bits"))
    assert found.sentence("d_ece_bits").startswith("How many sets without any disclosure would show as much")
    assert found.median("d_ece_bits") > 0.0


def test_lists_of_pairs_that_leave_nothing_else_are_dealt_out_trial_by_trial() -> None:
    names = [f"{k}" for k in range(40)]
    trials = Trials(
        np.random.default_rng(0).normal(size=40),
        np.arange(40) < 20,
        ids([f"e{name}" for name in names]),
        ids([f"t{name}" for name in names]),
    )
    found = found_in(trials)
    assert found.exchange is Exchange.TRIALS
    assert [remark.code for remark in found.remarks] == ["null-trials"]


def test_without_ids_labels_are_dealt_out() -> None:
    rng = np.random.default_rng(0)
    found = found_in(Trials.from_scores(rng.normal(size=30), rng.normal(size=300)))
    assert found.exchange is Exchange.TRIALS


def test_the_band_at_even_odds_is_that_of_the_minimum_cllr() -> None:
    found = found_in(sample(), replicates=199)
    middle = len(found.prior_log_odds) // 2
    ends = np.quantile(found.draws["min_cllr_bits"], [0.025, 0.975])
    assert [found.band_low[middle], found.band_high[middle]] == pytest.approx(ends.tolist(), rel=1e-9)
    assert (found.band_low <= found.band_high).all()


def test_tags_have_shares() -> None:
    shares = found_in(sample()).tag_shares(PAPER_SCALE)
    assert sum(shares.values()) == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_sets() -> None:
    one, again, other = (found_in(sample(), 20, seed) for seed in (1, 1, 2))
    assert one.draws["d_ece_bits"].tolist() == again.draws["d_ece_bits"].tolist()
    assert one.draws["d_ece_bits"].tolist() != other.draws["d_ece_bits"].tolist()


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_stopped_it_gives_what_there_is_from_twenty_sets_on(share: float) -> None:
    trials = sample()
    if share < 0.2:
        with pytest.raises(Cancelled):
            without_disclosure(trials, assess(trials), replicates=99, on_progress=stop_after(share))
    else:
        assert (
            without_disclosure(
                trials, assess(trials), replicates=99, on_progress=stop_after(share)
            ).replicates
            == 50
        )


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
