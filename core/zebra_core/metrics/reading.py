"""What is said where another reading of the scores discloses more than the one that was given."""

from __future__ import annotations

from zebra_core.metrics.assessment import Assessment
from zebra_core.wording.numbers import disclosure, log10_lr
from zebra_core.wording.texts import say


def shown_tag(assessment: Assessment) -> str:
    """The tag, with that of the reversed reading where it discloses more: "A / C"; without an order "A!"."""
    given = assessment.settings.tag_scale.shown(assessment.tag)
    return by_reading(assessment, "tags-reversed", "tag-unordered", given=given) or given


def reading_in_words(assessment: Assessment) -> str:
    """A sentence that another reading of the scores discloses more, and how much; empty where none does."""
    return by_reading(assessment, "reversed", "unordered", given=disclosure(assessment.d_ece_bits))


def reading_in_short(assessment: Assessment) -> str:
    """The name of the reading that a figure is of, to stand below it; empty for the one that was given."""
    return by_reading(assessment, "short-reversed", "short-unordered")


def reading_in_a_cell(assessment: Assessment) -> str:
    """How much another reading discloses, beside the figure of the given one; empty where none does."""
    return by_reading(assessment, "cell-reversed", "cell-unordered")


def by_reading(assessment: Assessment, if_reversed: str, if_unordered: str, **facts: str) -> str:
    """One of two texts about the reading that discloses more, with its figures; empty where none does."""
    code = {"reversed": if_reversed, "unordered": if_unordered}.get(assessment.reading.value)
    if code is None:
        return ""
    other = assessment.reversed
    return say(
        f"reading.{code}",
        bits=disclosure(assessment.disclosed_by_reading_bits),
        tag=assessment.settings.tag_scale.shown(other.tag),
        worst_case=log10_lr(other.worst_case_log10_lr),
        **facts,
    )
