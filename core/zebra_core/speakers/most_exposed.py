"""The most exposed person, whoever that is: over all people, and over all attacks that were tried on them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.value_types import NumberOrNone, Positive, json_object, note
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.speakers.disclosure import SpeakerDisclosure, SpeakerDisclosures
from zebra_core.speakers.standing_out import FEWEST_SEGMENTS
from zebra_core.wording.texts import say, visible, written

_END = 0.975  # of either end: both hold at 95 %

MOST_EXPOSED = json_object(
    "MostExposed",
    speaker=note(str, "whose estimate is highest; others may be exposed as much, see alike"),
    bits=float,
    low=note(
        NumberOrNone, "of the most exposed, whoever that is, at 95 %; null where nothing is known of it"
    ),
    high=NumberOrNone,
    named=note(bool, "whether this speaker stands out from the others"),
    alike=note(
        Positive | None, "how many people cannot be told from the most exposed; 1 where it is this one"
    ),
)


@dataclass(frozen=True)
class MostExposed:
    """Who has the highest estimate, `row`, by the attack of this `number`, and how exposed the highest is.

    Between `low_bits` and `high_bits` lies with 95 % confidence what new recordings of the most exposed
    person would disclose to the attack that learns most of them, whoever that is. The lower end is the
    highest lower bound of anybody, corrected for attacks; for people it need not be, since estimates are
    shrunk as far as the highest of so many lies too high. The upper end is the highest upper bound
    (`Exposures.outer`). Both are moved by what other people would make of the calibration. `alike` counts the
    people whose upper bound reaches the highest lower one under the same calibration: one of them is the most
    exposed. NaN and None where nothing is known of the scatter within people.
    """

    row: SpeakerDisclosure
    number: int
    low_bits: float
    high_bits: float
    alike: int | None
    people: int

    @classmethod
    def of(
        cls,
        attacks: Sequence[SpeakerDisclosures],
        among: Collection[str] | None = None,
        *,
        datasets: Sequence[str] = (),
    ) -> MostExposed | None:
        """Over one attack or more, of people `among` these where given; None of nobody.

        With `datasets` of the attacks the same name in two of them is not the same person.
        Who has fewer than three recordings has no lower bound of their own.
        """
        each = [
            (number, place, row)
            for number, found in enumerate(attacks)
            for place, row in enumerate(found.speakers)
            if among is None or row.speaker in among
        ]
        if not each:
            return None
        number, _, highest = max(each, key=lambda one: one[2].estimate_bits)
        of = datasets or [""] * len(attacks)
        people = len({(of[k], row.speaker) for k, _, row in each})
        once = float(scipy.special.ndtri(_END))
        corrected = -float(scipy.special.ndtri(Family(len(attacks), _END).level_of_each))
        of_each = [(found.exposures, found.codes) for found in attacks]
        upper = [one.outer(once) for one, _ in of_each]
        lower = [one.at(corrected) for one, _ in of_each]
        ends = [
            [one.recalibrated(deviate, end[k])[codes] for k, (one, codes) in enumerate(of_each)]
            for deviate, end in ((corrected, lower), (once, upper))
        ]
        known = [one for one in each if not np.isnan(ends[1][one[0]][one[1]])]
        sure = [(k, place) for k, place, row in known if row.n_segments >= FEWEST_SEGMENTS]
        if not sure:
            return cls(highest, number, np.nan, np.nan, None, people)
        low = float(max(ends[0][k][place] for k, place in sure))
        high = float(max(ends[1][k][place] for k, place, _ in known))
        reached = max(lower[k][of_each[k][1][place]] for k, place in sure)
        alike = {(of[k], row.speaker) for k, place, row in known if upper[k][of_each[k][1][place]] >= reached}
        return cls(highest, number, low, max(high, highest.estimate_bits), len(alike), people)

    def __str__(self) -> str:
        facts: dict[str, object] = {"count": self.people, "bits": written(self.row.estimate_bits, ".2f")}
        facts |= {"speaker": visible(self.row.speaker), "alike": self.alike}
        facts |= {"low": written(self.low_bits, ".2f"), "high": written(self.high_bits, ".2f")}
        code = "highest" if not self.has_interval else "highest-alone" if self.is_alone else "highest-alike"
        return say(f"speakers.{code}", **facts)

    @property
    def has_interval(self) -> bool:
        """Whether anything is known of how exposed the highest is."""
        return self.alike is not None

    @property
    def is_alone(self) -> bool:
        """Whether nobody but the highest may be the most exposed."""
        return self.alike == 1

    def as_json(self) -> dict[str, object]:
        """What `zebra assess --json`, answers and evidence say of the most exposed; a promise."""
        return {
            "speaker": self.row.speaker,
            "bits": self.row.estimate_bits,
            "low": self.low_bits if self.has_interval else None,
            "high": self.high_bits if self.has_interval else None,
            "named": self.row.stands_out,
            "alike": self.alike,
        }
