"""Figures with the digits that they bear."""

from dataclasses import replace
from functools import cache

import pytest

from tests.core.samples import demo_assessments
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.shown import as_computed, in_a_cell, in_a_legend, leading, share_of, with_ends
from zebra_core.uncertainty.trust import Trust, trust_of

STRENGTHS = ("worst_case_log10_lr", "strongest_for_log10_lr", "strongest_against_log10_lr")


@cache
def unprotected() -> tuple[Assessment, Trust]:
    """The demo's unprotected speech, whose worst case is 3.879 of at most 3.99, and 2.16 of at most 2.19."""
    entry = demo_assessments().entries[0]
    assert entry.trials is not None
    return entry.assessment, trust_of(
        entry.trials, entry.assessment, BootstrapSettings(replicates=40), deals=0
    )


def test_strengths_of_a_row_share_the_digits_that_the_worst_case_bears() -> None:
    found, trust = unprotected()
    assert [as_computed(figure, found, trust) for figure in STRENGTHS] == ["3.88", "3.88", "−2.16"]


def test_without_an_interval_strengths_have_one_decimal_and_two_where_that_would_pass_their_ceiling() -> None:
    found, _ = unprotected()
    assert [as_computed(figure, found) for figure in STRENGTHS] == ["3.9", "3.9", "−2.16"]  # of −2.19


def test_no_interval_of_a_worst_case_passes_the_ceiling_not_even_by_rounding() -> None:
    found, trust = unprotected()
    draws = replace(
        trust.uncertainty.figures["worst_case_log10_lr"],
        draws=trust.uncertainty.figures["worst_case_log10_lr"].draws + 1.0,
    )
    figures = {**trust.uncertainty.figures, "worst_case_log10_lr": draws}
    further = replace(trust, uncertainty=replace(trust.uncertainty, figures=figures))
    interval = further.uncertainty.interval("worst_case_log10_lr")
    assert interval is not None
    assert interval.high == found.worst_case_ceiling_log10_lr == pytest.approx(3.9883, abs=1e-4)
    assert in_a_cell("worst_case_log10_lr", found, further).endswith(" … 3.99)")


def test_a_figure_freed_of_its_optimism_has_its_ends_and_what_was_computed_below_it() -> None:
    found, trust = unprotected()
    shown, below = with_ends("eer", found, trust)
    assert (shown, below.count("(")) == ("1.9 %", 0)
    _, below = with_ends("rocch_eer", found, trust)
    assert below.endswith(" % (1.7 %)")
    assert with_ends("rocch_eer", found) == (
        "1.7 %" if as_computed("rocch_eer", found) == "1.7 %" else "2 %",
        "",
    )


def test_cllr_of_raw_scores_is_not_shown_although_it_has_an_interval() -> None:
    found, trust = unprotected()
    assert in_a_cell("cllr_bits", found, trust) == "–"
    assert "Cllr" not in trust.lines().replace("min Cllr", "")
    stated = assess(demo_assessments().entries[0].trials, Settings(score_meaning=ScoreMeaning.NATURAL_LLR))
    assert in_a_cell("cllr_bits", stated, trust).startswith("0.1")


def test_legends_have_the_digits_of_the_toolkit_unless_an_interval_bears_others() -> None:
    found, trust = unprotected()
    assert [in_a_legend(f, found) for f in ("d_ece_bits", "worst_case_log10_lr")] == ["0.678", "3.88"]
    assert (
        in_a_legend("d_ece_bits", found, trust) == leading(found, trust) == "0.67"
    )  # as the headline has it
    assert in_a_legend("worst_case_log10_lr", found, trust) == as_computed(
        "worst_case_log10_lr", found, trust
    )


@pytest.mark.parametrize(
    ("bits", "interval", "words"),
    [
        (0.718, Interval(0.703, 0.720), "99.5 %"),
        (0.22, Interval(0.01, 0.42), "30 %"),  # whole per cent, as in the answer
        (0.7193, Interval(0.12, 0.7213), "100 %"),
        (0.02, Interval(0.0, 0.4), "3 %"),
        (0.213, Interval(0.173, 0.253), "30 %"),
        (0.213, Interval(0.203, 0.223), "29.5 %"),
        (0.213, None, "30 %"),
        (0.0, Interval(0.0, 0.1), "0 %"),
    ],
)
def test_a_share_has_the_digits_of_its_interval(bits: float, interval: Interval | None, words: str) -> None:
    assert share_of(FULL_DISCLOSURE_BITS, bits, 20, interval) == words


def test_without_an_interval_a_share_has_no_decimals_unless_it_would_show_nothing_or_everything() -> None:
    of = [(0.2151, 10_000), (0.002, 10_000), (0.71, 10**6), (FULL_DISCLOSURE_BITS, 10_000)]
    shown = [share_of(FULL_DISCLOSURE_BITS, bits, n) for bits, n in of]
    assert shown == ["30 %", "0.3 %", "98 %", "100 %"]
