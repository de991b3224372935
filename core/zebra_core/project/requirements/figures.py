"""Which figures may be required, within which bounds, and how each is found and said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.ece import laplace
from zebra_core.metrics.registry import (
    DISCLOSED,
    INDEX,
    LETTER,
    METRICS,
    RATE,
    STRENGTH,
    DisclosureDirection,
    Format,
    NumberUnit,
    Value,
)
from zebra_core.metrics.scales import ON_A_BOUND, TagScale
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, LN10
from zebra_core.project.utility import MOST_WER
from zebra_core.uncertainty.intervals import UNITS, difference_in_words
from zebra_core.utility.listening import HIGHEST, LOWEST
from zebra_core.wording.texts import MINUS, say, strength, visible, with_decimal_sign

TAG, SHARE_AT_TAG, OF_OTHERS = "tag", "share_at_tag", "cross_fitted_worst_case_log10_lr"
D_ECE, MOST_EXPOSED, MOST_LINKED = "d_ece_bits", "most_exposed", "most_linked"
PI_LINK, PI_SING, RANK_DISCLOSURE, HITS_AT = "pi_link", "pi_sing", "rank_disclosure", "hits_at"
INFERENCE, UAR, WER, RATING = "inference", "uar", "wer", "rating"
_WORST_CASE = "worst_case"  # a maximum does not resample
_DECIBEL = Format(NumberUnit(sign=" dB"), INDEX.words)
_MOST_DB = 100.0
_MOST_BITS = 64.0  # of a rank among as many people as nobody enrols


class RequirableOf(Enum):
    """What a figure is of, which says where it is found."""

    TRIALS = "trials"
    EVERYBODY = "everybody"  # holds of every single person, by bounds of `PeopleBounds`
    PEOPLE = "people"  # linked or singled out among others
    ATTRIBUTE = "attribute"  # of speakers, told by a recogniser of it
    SPEECH = "speech"  # its utility, whoever attacks
    MATRICES = "matrices"


@dataclass(frozen=True, kw_only=True)
class Requirable:
    """A figure that may be required: by its code, which the user writes, as it is called in JSON.

    `words` are its code in the texts, where that is another; requirements of before have it.
    `is_resampled`: it has one-sided bounds, and a requirement of it a confidence. Of others there is a
    verdict on these trials alone; so of similarity matrices, whose intervals were measured to be too narrow
    for a bound to hold its level (`benchmarks.coverage_voices`). `takes` names the fields of
    `RequirementDetail` that say which figure it is, `needs` those of them that cannot be left out.
    """

    code: str
    key: str  # of its draws
    words: str = ""
    of: Callable[[Any], Value] = lambda _: None  # an Assessment, or a VoiceSimilarity
    format: Format = RATE
    lowest: float = 0.0
    highest: float = 1.0
    is_resampled: bool = True
    is_paired: bool = False
    worse_is_more: bool = True  # a larger one discloses more, or is worse to use
    is_of: RequirableOf = RequirableOf.TRIALS
    condition: str = ""  # of similarity matrices: OP or PP, held against OO
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def is_of_matrices(self) -> bool:
        """Whether it is a figure of similarity matrices, not of an assessment."""
        return self.is_of is RequirableOf.MATRICES

    @property
    def is_of_people(self) -> bool:
        """Whether it must hold of every single person."""
        return self.is_of is RequirableOf.EVERYBODY

    @property
    def is_of_disclosure(self) -> bool:
        """Whether it says what is disclosed of a speaker: then a mean may hide somebody."""
        return self.is_of in (RequirableOf.TRIALS, RequirableOf.PEOPLE)

    @property
    def is_drawn_when_required(self) -> bool:
        """Whether its draws are made where somebody requires it, and are not among those of an assessment."""
        return self.is_of in (RequirableOf.PEOPLE, RequirableOf.ATTRIBUTE) or self.code == OF_OTHERS

    @property
    def has_groups(self) -> bool:
        """Whether it may be required of a group of people alone."""
        is_known = self.is_of in (RequirableOf.TRIALS, RequirableOf.PEOPLE, RequirableOf.EVERYBODY)
        return self.is_resampled and is_known and self.code != OF_OTHERS

    @property
    def text(self) -> str:
        """The code of its name in the texts; with `-of` that with what it takes."""
        return f"required.{(self.words or self.code).replace('_', '-')}"

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return say(self.text)

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
            return strength(value, 2)
        unit = self.format.unit
        places = 3 if unit.factor == 1.0 and self.format is not _DECIBEL else 2
        return f"{_plain(value * unit.factor, places)}{unit.suffix}"

    def difference_in_words(self, value: float) -> str:
        """A difference of two with its unit; that of rates is in percentage points."""
        return difference_in_words(self.key, value) if self.key in UNITS else self.in_words(value)


def _plain(value: float, places: int) -> str:
    """A number without trailing zeros: bounds are shown as they are typed."""
    shown = f"{abs(value):.{places}f}".rstrip("0").rstrip(".")
    return with_decimal_sign(f"{MINUS}{shown}" if value < 0.0 and float(shown) else shown)


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
        found[metric.key] = Requirable(
            code=metric.key,
            key=metric.key,
            words=metric.code,
            of=metric.of,
            format=metric.format,
            lowest=lowest,
            highest=highest,
            is_resampled=drawn is not None and metric.code != _WORST_CASE,
            is_paired=drawn is not None and drawn.tested_with is not None,
            worse_is_more=metric.discloses is DisclosureDirection.MORE,
        )
    return found


_OTHERS = (
    Requirable(
        code=OF_OTHERS,
        key=OF_OTHERS,
        words="worst_case_of_others",
        of=lambda found: found.cross_fitted.worst_case_log10_lr,
        format=STRENGTH,
        highest=math.inf,
    ),
    Requirable(
        code=MOST_EXPOSED,
        key="exposure",
        format=DISCLOSED,
        highest=FULL_DISCLOSURE_BITS,
        is_of=RequirableOf.EVERYBODY,
    ),
    Requirable(code=MOST_LINKED, key="linkage", is_of=RequirableOf.EVERYBODY, takes=("people",)),
    *(
        Requirable(
            code=code,
            key=code,
            is_of=RequirableOf.PEOPLE,
            takes=("people", "recordings"),
            needs=("people",),
        )
        for code in (PI_LINK, PI_SING)
    ),
    Requirable(
        code=RANK_DISCLOSURE,
        key=RANK_DISCLOSURE,
        format=DISCLOSED,
        highest=_MOST_BITS,
        is_of=RequirableOf.PEOPLE,
    ),
    Requirable(code=HITS_AT, key=HITS_AT, takes=("false_alarms",), needs=("false_alarms",)),
    Requirable(
        code=INFERENCE,
        key=UAR,
        is_of=RequirableOf.ATTRIBUTE,
        takes=("attribute",),
        needs=("attribute",),
    ),
    Requirable(
        code=TAG,
        key=TAG,
        of=lambda found: found.tag,
        format=LETTER,
        lowest=-math.inf,
        highest=math.inf,
        is_resampled=False,
    ),
    Requirable(code=SHARE_AT_TAG, key=SHARE_AT_TAG, is_resampled=False),
    Requirable(
        code="de_id",
        key="de_id",
        of=lambda found: found.de_id,
        is_resampled=False,
        worse_is_more=False,
        is_of=RequirableOf.MATRICES,
        condition="OP",
    ),
    Requirable(
        code="g_vd_db",
        key="g_vd_db",
        words="g_vd",
        of=lambda found: found.g_vd_db,
        format=_DECIBEL,
        lowest=-_MOST_DB,
        highest=_MOST_DB,
        is_resampled=False,
        worse_is_more=False,
        is_of=RequirableOf.MATRICES,
        condition="PP",
    ),
    Requirable(code=WER, key=WER, highest=MOST_WER, is_of=RequirableOf.SPEECH),
    Requirable(code=UAR, key=UAR, worse_is_more=False, is_of=RequirableOf.SPEECH),
    Requirable(
        code=RATING,
        key=RATING,
        format=INDEX,
        lowest=LOWEST,
        highest=HIGHEST,
        worse_is_more=False,
        is_of=RequirableOf.SPEECH,
        takes=("question",),
        needs=("question",),
    ),
)

REQUIRABLE: Mapping[str, Requirable] = {**_of_registry(), **{each.code: each for each in _OTHERS}}
"""The figures that may be required, by the code that is written for them."""

ASKED_FIRST = (PI_LINK, MOST_EXPOSED, PI_SING, "eer", D_ECE)
"""What authorities ask: naming, the most exposed, singling out, and how well attackers do on average."""

FORMER: Mapping[str, str] = {
    each.words: each.code for each in REQUIRABLE.values() if each.words not in ("", each.code)
}
"""What figures were called in requirements of before, and what they are called now."""
