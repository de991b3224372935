"""Which figures may be required, within which bounds, and how each is found and said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.calibration import laplace
from zebra_core.metrics.metric import (
    DISCLOSED,
    INDEX,
    LETTER,
    RATE,
    STRENGTH,
    DisclosureDirection,
    Format,
    NumberUnit,
    Value,
)
from zebra_core.metrics.registry import METRICS
from zebra_core.metrics.scales import ON_A_BOUND, TagScale
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, LN10
from zebra_core.uncertainty.precision import UNITS, difference_in_words
from zebra_core.wording import numbers
from zebra_core.wording.texts import say, visible, with_decimal_sign

TAG, SHARE_AT_TAG, OF_OTHERS = "tag", "share_at_tag", "worst_case_of_others"
D_ECE, MOST_EXPOSED, MOST_LINKED = "d_ece", "most_exposed", "most_linked"
_WORST_CASE = "worst_case"  # a maximum does not resample
_DECIBEL = Format(NumberUnit(suffix=" dB"), INDEX.words)
_MOST_DB = 100.0


@dataclass(frozen=True)
class Requirable:
    """A figure that may be required: by its code, which the user writes.

    `is_resampled`: it has one-sided bounds, and a requirement of it a confidence. Of others there is a
    verdict on these trials alone; so of similarity matrices, whose intervals were measured to be too narrow
    for a bound to hold its level (`tests.benchmarks.coverage_voices`).
    """

    code: str
    key: str  # of its draws
    of: Callable[[Any], Value]  # an Assessment, or a VoiceSimilarity
    format: Format
    lowest: float
    highest: float
    is_resampled: bool
    is_paired: bool
    worse_is_more: bool  # a larger one discloses more
    is_of_people: bool = False  # holds of every single person, by bounds of `PeopleBounds` under the key
    condition: str = ""  # of similarity matrices, where it is a figure of these: OP or PP, held against OO

    @property
    def is_of_matrices(self) -> bool:
        """Whether it is a figure of similarity matrices, not of an assessment."""
        return bool(self.condition)

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return say(f"required.{self.code.replace('_', '-')}")

    def value_of(self, found: Assessment | VoiceSimilarity, tag: str = "") -> Value:
        """The figure as it was computed; a share that of the target trials which reach `tag`."""
        if self.code == SHARE_AT_TAG and isinstance(found, Assessment):
            return share_at(found, tag)
        value = self.of(found)
        return None if isinstance(value, float) and math.isnan(value) else value

    def in_words(self, value: Value) -> str:
        """A value with its unit, with three decimals, or two of LLRs and per cent."""
        if value is None or isinstance(value, str):
            return visible(value) if value else say("word.not-measurable")
        if self.format is STRENGTH:
            return numbers.strength(value, 2)
        unit = self.format.unit
        places = 3 if unit.factor == 1.0 and self.format is not _DECIBEL else 2
        return f"{_plain(value * unit.factor, places)}{unit.suffix}"

    def difference_in_words(self, value: float) -> str:
        """A difference of two with its unit; that of rates is in percentage points."""
        return difference_in_words(self.key, value) if self.key in UNITS else self.in_words(value)


def _plain(value: float, places: int) -> str:
    """A number without trailing zeros: bounds are shown as they are typed."""
    shown = f"{abs(value):.{places}f}".rstrip("0").rstrip(".")
    return with_decimal_sign(f"{numbers.MINUS}{shown}" if value < 0.0 and float(shown) else shown)


def share_at(found: Assessment, tag: str) -> float | None:
    """The share of target trials whose evidence for one speaker, |log10 LR|, reaches a tag, or None.

    By the same calibration as the worst case; None where the scale has no such tag.
    """
    scale = found.settings.tag_scale
    rank = rank_of(scale, tag)
    if rank is None:
        return None
    if rank == 0:
        return 1.0
    smoothed = laplace(found.plain)
    reached = smoothed.llr / LN10 >= scale.tags[rank].from_log10_lr - ON_A_BOUND
    reached &= smoothed.llr > 0.0
    return float(smoothed.n_target[reached].sum() / smoothed.n_target.sum())


def rank_of(scale: TagScale, letter: str) -> int | None:
    """The place of a tag in its scale, from 0; None where there is no such tag."""
    return next((place for place, tag in enumerate(scale.tags) if tag.letter == letter), None)


_MORE_OF = {
    "d_ece_unordered_bits": (0.0, FULL_DISCLOSURE_BITS),
}


def _of_registry() -> dict[str, Requirable]:
    found = {}
    for metric in METRICS:
        if metric.discloses is DisclosureDirection.NEITHER or not metric.stands_alone:
            continue
        drawn = metric.drawn
        lowest, highest = (
            (drawn.lowest, drawn.highest) if drawn else _MORE_OF.get(metric.key, (0.0, math.inf))
        )
        is_resampled = drawn is not None and metric.code != _WORST_CASE
        found[metric.code] = Requirable(
            metric.code,
            metric.key,
            metric.of,
            metric.format,
            lowest,
            highest,
            is_resampled,
            drawn is not None and drawn.is_paired,
            metric.discloses is DisclosureDirection.MORE,
        )
    return found


def _of_people(code: str, key: str, shown: Format, highest: float) -> Requirable:
    return Requirable(
        code,
        key,
        lambda _: None,
        shown,
        *(0.0, highest),
        is_resampled=True,
        is_paired=False,
        worse_is_more=True,
        is_of_people=True,
    )


REQUIRABLE: Mapping[str, Requirable] = {
    **_of_registry(),
    OF_OTHERS: Requirable(
        OF_OTHERS,
        "cross_fitted_worst_case_log10_lr",
        lambda found: found.cross_fitted.worst_case_log10_lr,
        STRENGTH,
        *(0.0, math.inf),
        is_resampled=True,
        is_paired=False,
        worse_is_more=True,
    ),
    MOST_EXPOSED: _of_people(MOST_EXPOSED, "exposure", DISCLOSED, FULL_DISCLOSURE_BITS),
    MOST_LINKED: _of_people(MOST_LINKED, "linkage", RATE, 1.0),
    TAG: Requirable(
        TAG,
        TAG,
        lambda found: found.tag,
        LETTER,
        *(-math.inf, math.inf),
        is_resampled=False,
        is_paired=False,
        worse_is_more=True,
    ),
    SHARE_AT_TAG: Requirable(
        SHARE_AT_TAG,
        SHARE_AT_TAG,
        lambda _: None,
        RATE,
        *(0.0, 1.0),
        is_resampled=False,
        is_paired=False,
        worse_is_more=True,
    ),
    "de_id": Requirable(
        "de_id",
        "de_id",
        lambda found: found.de_id,
        RATE,
        *(0.0, 1.0),
        is_resampled=False,
        is_paired=False,
        worse_is_more=False,
        condition="OP",
    ),
    "g_vd": Requirable(
        "g_vd",
        "g_vd_db",
        lambda found: found.g_vd_db,
        _DECIBEL,
        *(-_MOST_DB, _MOST_DB),
        is_resampled=False,
        is_paired=False,
        worse_is_more=False,
        condition="PP",
    ),
}
"""The figures that may be required, by the code that is written for them."""
