"""An assessment with all that is compared of it, and the group within which it may be ranked."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.gains import gain_db, loss
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.project.attributes import NamedAttribute
from zebra_core.project.by_group import GroupsOfPeople
from zebra_core.project.items import (
    Condition,
    Entry,
    attack_as_said,
    dataset_as_said,
)
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.linking_points import PeoplePoint
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.uncertainty.trust import Trust
from zebra_core.uncertainty.weighted import FIGURES
from zebra_core.wording.texts import say, visible


@dataclass(frozen=True)
class ComparisonGroup:
    """What all rows of a group have in common."""

    dataset: str
    condition: Condition | None
    attacker: str  # knowledge, recogniser and back end, as far as they were stated

    @classmethod
    def of(cls, entry: Entry) -> ComparisonGroup:
        """The group of an entry."""
        return cls(entry.dataset, entry.condition, entry.attack)

    @property
    def is_of_unprotected(self) -> bool:
        """Whether neither side was protected: these rows are what the others are measured against."""
        return self.condition is Condition.OO

    def __str__(self) -> str:
        condition = self.condition.value if self.condition else say("comparison.condition-unknown")
        said = say(f"comparison.condition-{self.condition.value}") if self.condition else condition
        parts = [visible(dataset_as_said(self.dataset)), said, visible(attack_as_said(self.attacker))]
        return " · ".join(part for part in parts if part)


AnsweredCell = tuple[float, str]
"""A figure of the answer, and how it is said there."""


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonRow:
    """One assessment with everything that is compared. None: not given, not defined, or not of this group."""

    entry: Entry
    group: ComparisonGroup
    baseline: Assessment | None  # of unprotected speech of the same dataset; None for that speech itself
    similarity: VoiceSimilarity | None
    utility: Utility
    c_ece_bits: float | None  # of linear calibration that an attacker learns on another run
    rank: int | None = None  # within its group, 1 discloses least by any reading; equal ones are equal
    ranks: tuple[int, int] | None = None  # the best and the worst that settled differences leave open
    people: Reidentification | None = None  # how well they are linked and singled out, where somebody asked
    inference: tuple[NamedAttribute, ...] = ()  # what is told of attributes, where somebody asked
    voices_trust: Trust | None = None  # how sure the figures of the matrices are, where somebody asked
    by_group: tuple[GroupsOfPeople, ...] = ()  # what groups of people disclose, where somebody asked
    uniqueness: Uniqueness | None = None  # how many people share their attributes, where somebody asked
    average: AnsweredCell | None = None  # what it discloses on average, as the answer says it
    named: AnsweredCell | None = None  # how often the right person is named, likewise
    exposed: AnsweredCell | None = None  # what the most exposed person gives away, likewise

    def __repr__(self) -> str:
        return f"<ComparisonRow: {self.entry.full_name}>"

    @property
    def assessment(self) -> Assessment:
        """The assessment."""
        return self.entry.assessment

    @property
    def system(self) -> str:
        """The safeguard and its run."""
        return self.entry.name_and_run

    @property
    def de_id(self) -> float | None:
        """De-identification, from the similarity matrices of the safeguard."""
        return self.similarity.de_id if self.similarity else None

    @property
    def g_vd_db(self) -> float | None:
        """Gain of voice distinctiveness in dB, from the similarity matrices of the safeguard."""
        return self.similarity.g_vd_db if self.similarity else None

    @property
    def d_ece_loss(self) -> float | None:
        """D_ECE^(OP/OO) of these trials (csl2022, eq. 17), a share: 1 is full de-identification."""
        if self.baseline is None or self.group.condition is not Condition.OP:
            return None
        return loss(self.assessment.d_ece_bits, self.baseline.d_ece_bits)

    @property
    def min_cllr_loss(self) -> float | None:
        """C_llr^min(OP/OO) of these trials (csl2022, eq. 18), a share: 1 is full de-identification."""
        if self.baseline is None or self.group.condition is not Condition.OP:
            return None
        return loss(self.assessment.one_minus_min_cllr, self.baseline.one_minus_min_cllr)

    @property
    def d_ece_gain_db(self) -> float | None:
        """G_D_ECE^(PP/OO) of these trials (csl2022, eq. 19), in dB: 0 keeps voices distinct."""
        if self.baseline is None or self.group.condition is not Condition.PP:
            return None
        return gain_db(self.assessment.d_ece_bits, self.baseline.d_ece_bits)

    @property
    def min_cllr_gain_db(self) -> float | None:
        """G_C_llr^min(PP/OO) of these trials (csl2022, eq. 20), in dB: 0 keeps voices distinct."""
        if self.baseline is None or self.group.condition is not Condition.PP:
            return None
        return gain_db(self.assessment.one_minus_min_cllr, self.baseline.one_minus_min_cllr)

    def utility_interval(self, code: str) -> Interval | None:
        """The interval over speakers of "wer", "cer" or "uar"; None where too few are known."""
        trust = self.entry.trust
        settings = trust.uncertainty.settings if trust else BootstrapSettings()
        draws = self.utility.draws(code, settings)
        return draws.interval(settings.level) if draws else None

    @property
    def linkage(self) -> PeoplePoint | None:
        """π_link of single recordings among all who are enrolled."""
        return self.people.linkage_of(1)[-1] if self.people else None

    @property
    def singling_out(self) -> PeoplePoint | None:
        """π_sing of single recordings among all who can be singled out."""
        points = self.people.singling_out_of(1) if self.people else ()
        return points[-1] if points else None

    def certainty_as_json(self) -> dict[str, float | None]:
        """Ranks that are left open, and both ends of every interval, unrounded; None where nobody asked."""
        found = self.entry.trust.uncertainty.intervals if self.entry.trust else {}
        ends: dict[str, float | None] = dict(
            zip(("rank_low", "rank_high"), self.ranks or (None, None), strict=True)
        )
        for name in FIGURES:
            interval = found.get(name)
            ends[f"{name}_low"] = interval.low if interval and math.isfinite(interval.low) else None
            ends[f"{name}_high"] = interval.high if interval and math.isfinite(interval.high) else None
        return ends
