"""An assessment at a glance: what it discloses on average and at worst, what both are compared with, and
whether such a set says anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from zebra_core.metrics.assessment import Assessment, EvidenceReading
from zebra_core.metrics.reading import shown_tag
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, strongest_reversed_log10_lr
from zebra_core.project.basis import is_corrected
from zebra_core.project.items import Entry
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.no_disclosure import FEWEST_MEMBERS
from zebra_core.uncertainty.precision import with_interval
from zebra_core.uncertainty.shown import fewer, places_below, share_of, strength_decimals, with_unit
from zebra_core.wording.numbers import strength
from zebra_core.wording.texts import say

FEWEST_TRIALS = 10
"""Of each class: with fewer an error rate of one in four is not excluded (95 %), though no error was seen."""
_DUST = 1e-9


@dataclass(frozen=True)
class Population:
    """D_ECE in bits: what is shown, its interval, and what one set in twenty without disclosure goes beyond.

    `bits` stands on the basis of its dataset, see `on_one_basis`: `is_corrected` for small sets, or as
    computed. `reading` is the one by which the scores disclose most, `by_reading_bits` what they disclose by
    it; for the reading that was given these are the same.
    """

    bits: float
    interval: Interval | None
    level: float | None  # of the interval
    by_chance_bits: float | None  # None where nobody knows
    reading: EvidenceReading
    by_reading_bits: float
    n: int  # trials of the rarer class, by which figures without an interval are rounded
    is_corrected: bool = False  # for small sets; else `bits` are as computed

    @classmethod
    def of(cls, entry: Entry) -> Population:
        """The population disclosure of an entry."""
        found, trust = entry.assessment, entry.trust
        bits = trust.uncertainty.shown("d_ece_bits") if trust else found.d_ece_bits
        return cls(
            bits,
            trust.uncertainty.interval("d_ece_bits") if trust else None,
            trust.uncertainty.settings.level if trust else None,
            trust.one_in_twenty("d_ece_bits") if trust else None,
            found.reading,
            bits if found.reading is EvidenceReading.GIVEN else found.disclosed_by_reading_bits,
            fewer(found),
            is_corrected([entry]),
        )

    @property
    def in_words(self) -> str:
        """The figure by the given reading, with its interval where there is one: "0.21 ± 0.04 bit"."""
        if self.interval is None:
            return with_unit("d_ece_bits", self.bits, self.n)
        return with_interval("d_ece_bits", self.bits, self.interval)

    @property
    def lead_in_words(self) -> str:
        """The figure by the reading that discloses most: the smaller one alone would mislead."""
        if self.reading is EvidenceReading.GIVEN:
            return self.in_words
        return with_unit("d_ece_bits", self.by_reading_bits, self.n)

    @property
    def share_in_words(self) -> str:
        """The figure by the given reading as a share of full disclosure, with the digits of its interval."""
        return share_of(FULL_DISCLOSURE_BITS, self.bits, self.n, self.interval)

    @property
    def lead_share_in_words(self) -> str:
        """The figure by the reading that discloses most as a share of full disclosure."""
        if self.reading is EvidenceReading.GIVEN:
            return self.share_in_words
        return share_of(FULL_DISCLOSURE_BITS, self.by_reading_bits, self.n)


@dataclass(frozen=True)
class Individual:
    """The worst case as a signed base-10 LLR, and the most that so many trials can show in both directions.

    `given_log10_lr` is that of the given reading where reversed scores disclose more, whose worst case leads;
    else None. `by_chance` is what one set in twenty without disclosure goes beyond, None where nobody knows.
    """

    log10_lr: float
    tag: str
    ceiling_log10_lr: float  # in the direction of the worst case, signed
    other_ceiling_log10_lr: float  # in the other direction
    by_chance_log10_lr: float | None
    given_log10_lr: float | None = None
    decimals: int = 1  # that it bears

    @classmethod
    def of(cls, entry: Entry) -> Individual:
        """The individual disclosure of an entry."""
        found, trust = entry.assessment, entry.trust
        is_reversed = found.reading is EvidenceReading.REVERSED
        worst = strongest_reversed_log10_lr(found.counts) if is_reversed else found.strongest_log10_lr
        ceiling, other = _ceilings(found, worst)
        return cls(
            worst,
            found.reading_tag,
            ceiling,
            other,
            trust.one_in_twenty("worst_case_log10_lr") if trust else None,
            found.strongest_log10_lr if is_reversed else None,
            places_below(worst, ceiling) if is_reversed else strength_decimals(found, trust),
        )

    @property
    def in_words(self) -> str:
        """The absolute value, with the digits that it bears."""
        return strength(abs(self.log10_lr), self.decimals)

    @property
    def signed_in_words(self) -> str:
        """The value with its sign, which is − for evidence for two different speakers."""
        return strength(self.log10_lr, self.decimals)


def says_nothing(entry: Entry) -> bool:
    """Whether the figures say nothing, for the set is too small, or its scores do not differ.

    So it is with fewer than `FEWEST_TRIALS` of a class, with fewer than `FEWEST_MEMBERS` speakers, where one
    in twenty sets without disclosure shows the most that these data can show at all, and of constant scores.
    """
    return bool(says_nothing_in_words(entry))


def says_nothing_in_words(entry: Entry) -> str:
    """That the figures say nothing, and why; empty where they do."""
    found, speakers = entry.assessment, entry.n_speakers
    if found.all_scores_equal:
        return say("ceiling.all-equal")
    counts = {"count": entry.n_trials, "targets": found.n_target, "nontargets": found.n_nontarget}
    if fewer(found) < FEWEST_TRIALS:
        return say("ceiling.too-small", fewest=FEWEST_TRIALS, **counts)
    if speakers is not None and speakers < FEWEST_MEMBERS:
        return say("ceiling.too-small-speakers", count=speakers, fewest=FEWEST_MEMBERS)
    null = entry.trust.null if entry.trust else None
    if null is None or not null.exchange.has_p_value:
        return ""
    is_as_high = null.one_in_twenty("worst_case_log10_lr") >= found.worst_case_ceiling_log10_lr - _DUST
    return say("ceiling.too-small-chance", **counts) if is_as_high else ""


def tag_is_open(entry: Entry) -> bool:
    """Whether the tag is a bound at most: the set is too small, or a worse tag could not have been seen."""
    return says_nothing(entry) or _is_lower_bound(entry)


def tag_in_words(entry: Entry) -> str:
    """The tag: "≥ A" where a worse one could not have been seen, "A?" in sets that are too small."""
    tag = shown_tag(entry.assessment)
    tag = f"≥ {tag}" if _is_lower_bound(entry) else tag
    return f"{tag}?" if says_nothing(entry) else tag


def _is_lower_bound(entry: Entry) -> bool:
    """Whether the worst case is at the ceiling of these data, and there is a worse tag."""
    found = entry.assessment
    is_last = found.tag == found.settings.tag_scale.tags[-1].letter
    return found.reading is EvidenceReading.GIVEN and not is_last and ceiling_of(found).is_reached


def _ceilings(found: Assessment, worst_log10_lr: float) -> tuple[float, float]:
    against, for_ = found.ceilings_log10_lr
    return (for_, against) if worst_log10_lr >= 0.0 else (against, for_)
