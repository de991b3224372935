"""The registry of figures: its promises, its words, and that drawn figures are those of an assessment."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.core.samples import demo
from zebra_core import actual_dcf, min_dcf
from zebra_core.metrics.assessment import ScoreMeaning, as_llrs, reassess
from zebra_core.metrics.ece import ece_bits
from zebra_core.metrics.error_rates import InvarianceBounds, dev_pav_log10, linkability
from zebra_core.metrics.registry import DRAWN, METRICS, NOTHING, ON_CARD, DrawnTrials, metric
from zebra_core.uncertainty.intervals import UNITS, figure_name
from zebra_core.wording.texts import bits, knows, say

ROWS = ["d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "min_cllr_bits", "cllr_bits", "linkability"]


def test_codes_and_keys_are_each_of_one_figure():
    assert len({each.code for each in METRICS}) == len({each.key for each in METRICS}) == len(METRICS)


def test_the_rows_of_draws_that_projects_keep_stay_where_they_are():
    assert list(DRAWN)[:7] == ROWS
    assert [drawn.row for drawn in DRAWN.values()] == list(range(len(DRAWN)))


def test_what_is_computed_of_a_sample_is_what_an_assessment_has():
    found = demo().entries[2].assessment
    share = found.counts.target_share, found.counts.nontarget_share
    cllr = float(ece_bits(0.0, found.counts.score, *share)[0])
    counts = found.counts.n_target[np.newaxis], found.counts.n_nontarget[np.newaxis]
    drawn = DrawnTrials(*counts, np.array([cllr]), np.array([linkability(found.counts)]))
    for each in METRICS:
        if each.drawn is not None:
            value = each.of(found)
            expected = [math.nan if value is None else value]
            assert each.drawn.of(drawn) == pytest.approx(expected, rel=1e-12, nan_ok=True), each.code


def test_every_figure_lies_in_the_range_that_no_interval_leaves():
    for entry in demo().entries:
        for each in METRICS:
            if each.drawn is not None and each.of(entry.assessment) is not None:
                assert each.drawn.lowest <= each.of(entry.assessment) <= each.drawn.highest


def test_numbers_are_unrounded_and_what_is_not_finite_is_null():
    found = demo().entries[2].assessment
    assert metric("d_ece").as_json(found) == found.d_ece_bits
    assert metric("n_target").as_json(found) == found.n_target
    assert metric("tag").as_json(found) == "C"
    assert metric("cllr").as_json(replace(found, cllr_bits=math.inf)) is None


def test_what_says_nothing_of_raw_scores_is_not_shown_of_them():
    raw = demo().entries[2].assessment
    stated = reassess(raw, replace(raw.settings, score_meaning=ScoreMeaning.NATURAL_LLR))
    cllr = metric("cllr")
    assert cllr.shown(raw) == cllr.alone(raw) == NOTHING
    assert (cllr.shown(stated), cllr.alone(stated)) == (bits(raw.cllr_bits), f"{bits(raw.cllr_bits)} bit")
    assert [each.code for each in METRICS if not each.says_something_of(raw)] == [
        "cllr",
        "dev_pav",
        "invariance_low",
        "invariance_high",
        "actual_dcf",
        "actual_dcf_0_05",
    ]


def test_detection_costs_are_those_of_arrays_at_the_prior_considered_and_at_0_05():
    entry = demo().entries[2]
    found = entry.assessment.at_prior(1000)
    arrays = entry.trials.is_target, entry.trials.score
    for code, of in (("min_dcf", min_dcf), ("actual_dcf", actual_dcf)):
        assert metric(code).of(entry.assessment) == pytest.approx(of(*arrays, prior=0.01), rel=1e-12)
        assert metric(code).of(found) == pytest.approx(of(*arrays, prior=0.001), rel=1e-12)
        assert metric(f"{code}_0_05").of(found) == pytest.approx(of(*arrays, prior=0.05), rel=1e-12)
    assert metric("min_dcf").text("table.min_dcf-below", found) == "at 1 in 1\u202f000"


def test_only_of_stated_llrs_is_it_said_how_far_they_are_from_what_they_are_worth():
    raw = demo().entries[2].assessment
    stated = reassess(raw, replace(raw.settings, score_meaning=ScoreMeaning.LOG10_LR))
    known = [metric(code) for code in ("dev_pav", "invariance_low", "invariance_high")]
    assert [each.as_json(raw) for each in known] == [None, None, None]
    natural = as_llrs(raw.counts, ScoreMeaning.LOG10_LR)
    bounds = InvarianceBounds.of(natural)
    expected = [dev_pav_log10(natural, raw.plain), bounds.low, bounds.high]
    assert [each.as_json(stated) for each in known] == expected
    assert reassess(stated, raw.settings).dev_pav_log10 is None


def test_the_facts_of_a_figure_are_put_into_its_words():
    found = demo().entries[2].assessment
    assert metric("linkability").text("fact.linkability-means", found).endswith("chance alone gives 0.05")
    assert metric("linkability").text("table.linkability-below", found) == "by chance 0.05"
    assert metric("eer").text("table.eer-below", found) == ""


def test_the_figures_of_the_overview_have_places_of_their_own():
    on_card = [each for each in METRICS if each.card is not None]
    assert list(ON_CARD.values()) == on_card


@pytest.mark.parametrize("each", METRICS, ids=lambda each: each.code)
def test_every_figure_has_its_words(each):
    if each.column is not None:
        assert knows(f"column.{each.code}")
        assert knows(f"column.{each.code}-means")
    if each.drawn is not None:
        assert figure_name(each.key) == say(f"uncertainty.{each.key.replace('_', '-')}")
        assert UNITS[each.key] == each.format.unit
    if each.table is not None:
        assert knows(f"table.{each.code}")
    if each.card is not None:
        assert knows(f"fact.{each.code}")
        assert knows(f"fact.{each.code}-means")


def test_hits_say_from_where_on_they_can_be_measured():
    found = demo().entries[2].assessment  # of 9 672 nontarget trials
    hits = [each for each in METRICS if each.code.startswith("hits")]
    assert [each.key for each in hits] == ["hits_at_0_01", "hits_at_0_001", "hits_at_0_0001"]
    assert [each.of(found) for each in hits] == list(found.hits_at.values())
    said = [each.why_missing(found) for each in hits]
    assert said == ["", "", "cannot be measured below 1 in 9\u202f672"]
    assert metric("linkability").why_missing(found) == ""


def test_linkability_of_few_target_trials_is_called_rough():
    shown = metric("linkability")
    enough = demo().entries[0].assessment
    few = replace(enough, n_target=99)
    for code in ("fact.linkability-means", "table.linkability-below"):
        assert shown.text(code, few).endswith("; rough with so few trials")
        assert "rough" not in shown.text(code, enough)
