"""assess(): the laws that tie the figures together, and the cases at the edge."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import zebra_core
from tests.core import brute_force
from zebra_core.metrics.assessment import Assessment, EvidenceReading
from zebra_core.metrics.scales import Tag, TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.wording.texts import say

ORACLE_FIGURES = (
    "d_ece_bits", "worst_case_log10_lr", "worst_case_ceiling_log10_lr", "eer", "rocch_eer", "min_cllr_bits",
)  # fmt: skip
scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def assessed(target: object, nontarget: object) -> Assessment:
    return zebra_core.assess(zebra_core.Trials.from_scores(target=target, nontarget=nontarget))


@pytest.fixture(scope="module")
def gaussian() -> tuple[np.ndarray, np.ndarray]:
    """LLRs of two classes a distance of two apart, rounded so that some are tied."""
    rng = np.random.default_rng(20)
    return rng.normal(2.0, 2.0, 300).round(2), rng.normal(-2.0, 2.0, 4000).round(2)


def test_d_ece_is_the_area_between_the_profiles(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    """On the prior scale dπ = π (1 − π) d(log-odds); both profiles vanish beyond log-odds ±40."""
    trials = zebra_core.Trials.from_scores(*gaussian)
    found = zebra_core.assess(trials, zebra_core.Settings(prior_log_odds_limit=40.0, prior_points=40001))
    prior = 1.0 / (1.0 + np.exp(-found.profile.prior_log_odds))
    gap = (found.profile.default_bits - found.profile.min_bits) * prior * (1.0 - prior)
    area = np.trapezoid(gap, found.profile.prior_log_odds)
    assert found.d_ece_bits == pytest.approx(area, abs=1e-8)


def test_the_profile_at_even_odds_is_cllr(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    found = assessed(*gaussian)
    middle = len(found.profile.prior_log_odds) // 2
    assert found.profile.prior_log_odds[middle] == 0.0
    assert found.profile.default_bits[middle] == pytest.approx(1.0, abs=1e-15)
    assert found.profile.min_bits[middle] == pytest.approx(found.min_cllr_bits, abs=1e-14)
    assert found.profile.actual_bits[middle] == pytest.approx(found.cllr_bits, abs=1e-14)


def test_the_display_grid_has_201_log_odds_from_minus_10_to_10(
    gaussian: tuple[np.ndarray, np.ndarray],
) -> None:
    grid = assessed(*gaussian).profile.prior_log_odds
    assert len(grid) == 201
    assert (grid[0], grid[-1]) == (-10.0, 10.0)


def test_perfect_separation() -> None:
    found = assessed([2.0, 3.0], [0.0, 1.0, 1.5])
    assert found.d_ece_bits == FULL_DISCLOSURE_BITS
    assert found.share_of_full_disclosure == 1.0
    assert found.worst_case_log10_lr == pytest.approx(found.worst_case_ceiling_log10_lr, abs=1e-15)
    assert found.worst_case_log10_lr == pytest.approx(math.log10(3 / 1 * 3 / 2), abs=1e-15)
    assert (found.eer, found.rocch_eer, found.min_cllr_bits) == (0.0, 0.0, 0.0)


def test_all_equal_scores_disclose_nothing() -> None:
    found = assessed([7.0] * 4, [7.0] * 4)
    assert (found.eer, found.rocch_eer, found.min_cllr_bits) == (0.5, 0.5, 1.0)
    assert (found.d_ece_bits, found.worst_case_log10_lr, found.tag) == (0.0, 0.0, "0")


def test_all_equal_scores_of_unequal_classes_disclose_nothing_either() -> None:
    """Laplace's rule alone would find (501 : 10 001) over (500 : 10 000) and tag A."""
    found = assessed([7.0] * 500, [7.0] * 10_000)
    assert (found.eer, found.d_ece_bits, found.min_cllr_bits) == (0.5, 0.0, 1.0)
    assert (found.worst_case_log10_lr, found.strongest_for_log10_lr, found.tag) == (0.0, 0.0, "0")
    assert (found.reversed.worst_case_log10_lr, found.reversed.tag) == (0.0, "0")
    assert (found.cross_fitted.worst_case_log10_lr, found.cross_fitted_tag) == (0.0, "0")


def test_scores_that_differ_never_have_tag_0_even_where_one_block_is_left_of_them() -> None:
    equal_numbers = assessed([0.0, 1.0], [2.0, 3.0])
    assert (equal_numbers.worst_case_log10_lr, equal_numbers.tag) == (0.0, "A")
    unequal = assessed([0.0], [2.0, 3.0])
    assert unequal.worst_case_log10_lr == pytest.approx(math.log10(2 / 3 * 2), abs=1e-15)
    assert unequal.tag == "A"


def test_the_strongest_evidence_has_a_direction_and_the_ceiling_of_its_side() -> None:
    """Two targets above one of three nontargets; of two nontargets below all that is (1 : 3) over (2 : 3)."""
    found = assessed([1.5, 2.0], [0.0, 1.0, 1.75])
    assert found.strongest_against_log10_lr == pytest.approx(math.log10(1 / 3 * 3 / 2), abs=1e-15)
    assert found.strongest_for_log10_lr == pytest.approx(math.log10(2 / 1 * 3 / 2), abs=1e-15)
    assert found.ceilings_log10_lr == pytest.approx(
        (-math.log10(4 * 2 / 3), math.log10(3 * 3 / 2)), abs=1e-15
    )
    assert found.strongest_ceiling_log10_lr == found.ceilings_log10_lr[1]
    other_way = assessed([-0.0, -1.0, -1.75], [-1.5, -2.0])
    assert other_way.strongest_log10_lr == other_way.strongest_against_log10_lr
    assert other_way.strongest_ceiling_log10_lr == other_way.ceilings_log10_lr[0]


def test_scores_that_run_the_wrong_way_disclose_more_by_another_reading(
    gaussian: tuple[np.ndarray, np.ndarray],
) -> None:
    right = assessed(*gaussian)
    wrong = assessed(*(-scores for scores in gaussian))
    assert right.reading is EvidenceReading.GIVEN
    assert wrong.reading is EvidenceReading.REVERSED
    assert wrong.d_ece_bits < 0.001
    assert wrong.reversed.d_ece_bits == right.d_ece_bits == wrong.disclosed_by_reading_bits
    assert wrong.reversed.worst_case_log10_lr == pytest.approx(right.worst_case_log10_lr, abs=1e-12)
    assert wrong.reading_tag == right.tag
    assert wrong.remarks[0].code == "reversed-discloses-more"
    assert f"disclose {right.d_ece_bits:.3f} bit, {right.tag}" in str(wrong.remarks[0])


def test_targets_in_both_tails_disclose_more_without_an_order() -> None:
    rng = np.random.default_rng(3)
    target = np.concatenate([rng.normal(4.0, 0.5, 78), rng.normal(-4.0, 0.5, 78)])
    found = assessed(target, rng.normal(0.0, 1.0, 9672))
    assert found.reading is EvidenceReading.UNORDERED
    assert found.d_ece_bits == pytest.approx(0.217, abs=0.01)
    assert found.disclosed_by_reading_bits > 0.55
    assert found.remarks[0].code == "unordered-discloses-more"


def test_other_scales_give_the_reversed_figures_other_tags(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    scale = TagScale((Tag("none", 0.0), Tag("some", 0.0)))
    found = assessed(*gaussian).on_scales(scale, None)
    assert (found.tag, found.reversed.tag, found.cross_fitted_tag) == ("some", "some", "some")
    assert assessed([1.0], [1.0]).on_scales(scale, None).reversed.tag == "none"


@pytest.mark.parametrize(
    ("target", "nontarget", "d_ece", "eer"),
    [
        pytest.param(1.0, 0.0, FULL_DISCLOSURE_BITS, 0.0, id="in order"),
        pytest.param(0.0, 1.0, 0.0, 1.0, id="the wrong way round"),
        pytest.param(0.0, 0.0, 0.0, 0.5, id="tied"),
    ],
)
def test_one_target_and_one_nontarget_work(target: float, nontarget: float, d_ece: float, eer: float) -> None:
    found = assessed([target], [nontarget])
    assert found.d_ece_bits == d_ece
    assert found.eer == eer
    assert found.rocch_eer == min(eer, 0.5)


@pytest.mark.parametrize("size", [1e-12, 700.0, 1e300])
def test_tiny_and_huge_scores_work(size: float) -> None:
    found = assessed([size, size, -size], [-size, -size, size])
    assert found.rocch_eer == pytest.approx(1 / 3)
    assert found.min_cllr_bits == pytest.approx(-(2 / 3 * math.log2(2 / 3) + 1 / 3 * math.log2(1 / 3)))
    cost = max(size, 0.0) / 3.0 + math.log1p(math.exp(-size))
    assert found.cllr_bits == pytest.approx(cost / math.log(2), rel=1e-12)


@given(target=scores, nontarget=scores, seed=st.integers(0, 9))
def test_the_order_of_the_trials_is_irrelevant(
    target: list[float], nontarget: list[float], seed: int
) -> None:
    there = zebra_core.Trials.from_scores(target, nontarget)
    order = np.random.default_rng(seed).permutation(len(there))
    back = zebra_core.Trials(there.score[order], there.is_target[order])
    one, other = zebra_core.assess(there), zebra_core.assess(back)
    assert [getattr(one, name) for name in ORACLE_FIGURES] == [
        getattr(other, name) for name in ORACLE_FIGURES
    ]
    assert one.cllr_bits == other.cllr_bits


@given(target=scores, nontarget=scores)
def test_a_strictly_increasing_map_changes_only_what_takes_scores_for_llrs(
    target: list[float], nontarget: list[float]
) -> None:
    plain = assessed(target, nontarget)
    mapped = assessed(np.sinh(target) - 3.0, np.sinh(nontarget) - 3.0)
    assert [getattr(plain, n) for n in ORACLE_FIGURES] == [getattr(mapped, n) for n in ORACLE_FIGURES]
    assert plain.tag == mapped.tag
    assert (plain.profile.min_bits == mapped.profile.min_bits).all()
    assert plain.cllr_bits != mapped.cllr_bits


@settings(deadline=None)
@given(target=scores, nontarget=scores)
def test_error_rates_agree_with_counting_at_every_threshold(
    target: list[float], nontarget: list[float]
) -> None:
    found = assessed(target, nontarget)
    assert found.eer == pytest.approx(brute_force.eer(target, nontarget), abs=1e-12)
    assert found.rocch_eer == pytest.approx(brute_force.rocch_eer(target, nontarget), abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(target=scores, nontarget=scores)
def test_worst_case_and_tag_agree_with_exact_fractions(target: list[float], nontarget: list[float]) -> None:
    found = assessed(target, nontarget)
    llr = brute_force.pav_llrs(target, nontarget, laplace=True)
    assert found.worst_case_log10_lr == pytest.approx(max(map(abs, llr.values())) / math.log(10), abs=1e-14)
    assert found.worst_case_log10_lr <= found.worst_case_ceiling_log10_lr + 1e-12


def test_closed_forms_of_equal_variance_gaussians() -> None:
    """With d′ = 2 the EER is Φ(−1); true LLRs have Cllr above min Cllr, and both near 0.5."""
    rng = np.random.default_rng(3)
    found = assessed(rng.normal(2.0, 2.0, 100_000), rng.normal(-2.0, 2.0, 100_000))
    assert found.eer == pytest.approx(0.15866, abs=0.002)
    assert 0.0 < found.cllr_bits - found.min_cllr_bits < 0.002


def test_remarks_tell_what_a_reader_must_know() -> None:
    said = [str(remark) for remark in assessed([1.0], [0.0]).remarks]
    assert said == [
        "Linkability D_sys (Gomez-Barrero) is not measurable with one target trial.",
        say("remark.scores-taken-for-llrs"),
        say("remark.cross-fitted-by-trials"),
    ]


def test_scores_declared_as_llrs_carry_no_such_remark(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    trials = zebra_core.Trials.from_scores(*gaussian)
    found = zebra_core.assess(trials, zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR))
    assert [remark.code for remark in found.remarks] == ["cross-fitted-by-trials"]


def test_log10_lrs_are_converted_where_llrs_are_meant(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    natural = zebra_core.assess(
        zebra_core.Trials.from_scores(*gaussian),
        zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR),
    )
    base_10 = zebra_core.assess(
        zebra_core.Trials.from_scores(*(scores / math.log(10.0) for scores in gaussian)),
        zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.LOG10_LR),
    )
    assert "scores-taken-for-llrs" not in [remark.code for remark in base_10.remarks]
    assert base_10.cllr_bits == pytest.approx(natural.cllr_bits, rel=1e-12)
    assert base_10.profile.actual_bits == pytest.approx(natural.profile.actual_bits, rel=1e-12)
    assert base_10.min_cllr_bits == natural.min_cllr_bits
    assert base_10.misleading == natural.misleading


def test_log10_lrs_beyond_all_floats_are_infinite() -> None:
    trials = zebra_core.Trials.from_scores([1e308], [-1e308])
    found = zebra_core.assess(trials, zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.LOG10_LR))
    assert found.cllr_bits == 0.0


def test_figures_made_of_other_figures(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    found = assessed(*gaussian)
    assert found.calibration_loss_bits == found.cllr_bits - found.min_cllr_bits > 0.0
    assert found.one_minus_min_cllr == 1.0 - found.min_cllr_bits
    strongest = max(found.strongest_for_log10_lr, -found.strongest_against_log10_lr)
    assert found.worst_case_log10_lr == strongest
    assert found.hits_at[0.01] is not None
    assert found.hits_at[1e-4] is None
    assert found.oracle_misleading.of_target <= 0.5


def test_an_assessment_keeps_what_curves_are_drawn_from() -> None:
    found = assessed([1.0, 2.0, 2.0], [0.0, 1.0])
    assert found.counts.score.tolist() == [0.0, 1.0, 2.0]
    assert found.llrs is found.counts
    assert found.plain.n_target.tolist() == [0, 1, 2]


def test_progress_ascends_to_one_and_can_cancel(gaussian: tuple[np.ndarray, np.ndarray]) -> None:
    told: list[float] = []
    trials = zebra_core.Trials.from_scores(*gaussian)
    zebra_core.assess(trials, on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(_share: float) -> None:
        raise zebra_core.Cancelled

    with pytest.raises(zebra_core.Cancelled):
        zebra_core.assess(trials, on_progress=stop)
