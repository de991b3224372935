"""What comes of comparing the safeguards of a group pair by pair: which of their ranks are settled."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.value_types import (
    Count,
    NumberOrNone,
    Positive,
    array_of,
    json_object,
    note,
    object_as_json,
)
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.difference import STRONGEST, Difference, Ranking
from zebra_core.wording.texts import say

RANKED_BY = "d_ece_bits"
"""The figure that ranks go by where scores stand as they are given."""

DIFFERENCE = json_object(
    "Difference",
    first=note(Count, "a place in of, from 0"),
    second=Count,
    value=note(float, "first minus second, both without the optimism of small sets"),
    low=note(float, "of an interval that is corrected for the family"),
    high=float,
    p=note(NumberOrNone, "of this test alone; null where there are too few speakers"),
    p_family=note(NumberOrNone, "corrected for the family"),
    settled=bool,
)
COMPARED_FIGURE = json_object(
    "ComparedFigure",
    of=note(list[Count], "those of which the figure was compared, as places in the assessments"),
    values=list[float],
    differences=array_of(DIFFERENCE),
    family=note(Positive, "how many tests are made together, all pairs by all figures that are tested"),
)


@dataclass(frozen=True, eq=False)
class FigureRanking:
    """One figure of several entries: `ids` in the order that the places of the ranking refer to."""

    ids: tuple[str, ...]
    ranking: Ranking

    def among(self, ids: Collection[str]) -> FigureRanking | None:
        """The figure of these alone; None where no two of them are left."""
        places = [place for place, one in enumerate(self.ids) if one in ids]
        if len(places) < 2:
            return None
        new = {place: number for number, place in enumerate(places)}
        differences = tuple(
            replace(each, first=new[each.first], second=new[each.second])
            for each in self.ranking.differences
            if each.first in new and each.second in new
        )
        values = tuple(self.ranking.values[place] for place in places)
        kept = tuple(self.ids[place] for place in places)
        return FigureRanking(kept, replace(self.ranking, values=values, differences=differences))


@dataclass(frozen=True, eq=False)
class GroupDifferences:
    """The comparisons of one group on common trials, corrected for all tests that are made together."""

    assessments: Mapping[str, Assessment]  # what was compared, by the id of the entry
    voices: Mapping[str, VoiceSimilarity]  # its similarity matrices, where they were compared, too
    compared: tuple[FigureRanking, ...]  # figure by figure; that of the ranks comes first
    settings: BootstrapSettings
    replicates: int  # fewer than in the settings where somebody stopped it
    remarks: tuple[Remark, ...]

    def is_of(self, entries: Mapping[str, Entry], voices: Sequence[VoiceSimilarity]) -> bool:
        """Whether it holds of these entries, by id, and matrices: the same scores, still of one group."""
        now = [entries[entry_id] for entry_id in self.assessments if entry_id in entries]
        return (
            len(now) == len(self.assessments)
            and len({(entry.dataset, entry.condition, entry.attack) for entry in now}) == 1
            and all(entry.assessment.rests_on == self.assessments[entry.id].rests_on for entry in now)
            and all(any(own.has_cells_of(each) for each in voices) for own in self.voices.values())
        )

    def among(self, ids: Collection[str]) -> GroupDifferences | None:
        """The comparisons of these alone, corrected for all that were made; None where there are none."""
        compared = tuple(each for one in self.compared if (each := one.among(ids)) is not None)
        if not compared:
            return None
        assessments = {key: each for key, each in self.assessments.items() if key in ids}
        voices = {key: each for key, each in self.voices.items() if key in ids}
        return replace(self, assessments=assessments, voices=voices, compared=compared)

    def _of(self, figure: str) -> FigureRanking | None:
        return next((one for one in self.compared if one.ranking.figure == figure), None)

    @property
    def _ranked(self) -> FigureRanking | None:
        """By the strongest reading of the scores; of tests before there was one as they are given."""
        return self._of(STRONGEST) or self._of(RANKED_BY)

    @property
    def bits_of(self) -> dict[str, float]:
        """What ranks go by, by id."""
        ranked = self._ranked
        return dict(zip(ranked.ids, ranked.ranking.values, strict=True)) if ranked else {}

    @property
    def is_tested(self) -> bool:
        """Whether there were speakers enough for a test."""
        return self._ranked is not None and self._ranked.ranking.differences[0].is_tested

    @property
    def n_speakers(self) -> int:
        """How many speakers take part."""
        return self._ranked.ranking.differences[0].n_clusters if self._ranked else 0

    @property
    def settled_pairs(self) -> list[tuple[str, str]]:
        """Pairs of whom the first discloses less by more than chance, whichever way scores are read.

        By the strongest reading; but nothing is settled where the scores as given have the other order.
        """
        ranked, given = self._ranked, self._of(RANKED_BY)
        if ranked is None:
            return []
        as_given = dict(zip(given.ids, given.ranking.values, strict=True)) if given else {}
        found = []
        for each in ranked.ranking.differences:
            pair = ranked.ids[each.first], ranked.ids[each.second]
            less, more = pair if each.value < 0.0 else pair[::-1]
            if each.is_settled and as_given.get(less, -math.inf) <= as_given.get(more, math.inf):
                found.append((less, more))
        return found

    def ranks_among(self, ids: Collection[str]) -> dict[str, tuple[int, int]]:
        """Best and worst rank by disclosure that is left open, by id; empty unless all were compared.

        Corrected for all pairs anyway.
        """
        if not set(ids) <= set(self.bits_of):
            return {}
        settled = [pair for pair in self.settled_pairs if set(pair) <= set(ids)]
        return {
            one: (
                1 + sum(more == one for _, more in settled),
                len(ids) - sum(less == one for less, _ in settled),
            )
            for one in ids
        }

    def pairs(self) -> Iterator[tuple[str, str, Difference]]:
        """Every comparison with the ids of the two, figure by figure."""
        for one in self.compared:
            for each in one.ranking.differences:
                yield one.ids[each.first], one.ids[each.second], each

    def as_json(self, places: Mapping[str, int]) -> dict[str, object]:
        """Numbers unrounded: `figures` {figure: {of, values, differences}}, and what they rest on.

        `of` are the places of the entries, which are given by id, `values` the figures as they stand. A
        difference is {first, second, value, low, high, p, p_family, settled}, where first and second are
        places in `of`, from 0, and `value` is that of the figures without the optimism of small sets. Low
        and high are corrected for the `family` of so many tests, as `p_family` and `settled` are; `p` is that
        of the test alone. Both are null where there are too few speakers for a test.
        """
        return {
            "figures": {
                one.ranking.figure: {
                    "of": [places[entry_id] for entry_id in one.ids],
                    "values": list(one.ranking.values),
                    "family": one.ranking.differences[0].family.size,
                    "differences": [_as_json(each) for each in one.ranking.differences],
                }
                for one in self.compared
            },
            "level": self.settings.level,
            "seed": self.settings.seed,
            "replicates": self.replicates,
        }


KnownDifference = tuple[Difference, float]
"""A difference, and 1 or −1 by which it is multiplied."""


def known_differences(
    settled: Iterable[GroupDifferences], figure: str
) -> dict[tuple[str, str], KnownDifference]:
    """Every difference of a figure in these groups, by the ids of the two entries, either way round."""
    found: dict[tuple[str, str], KnownDifference] = {}
    for one in settled:
        for first, second, each in one.pairs():
            if each.figure == figure:
                found[first, second] = each, 1.0
                found[second, first] = each, -1.0
    return found


def span_in_words(span: tuple[int, int]) -> str:
    """A rank, and whether it is settled: "1, settled", or "1–2, not settled"."""
    low, high = span
    return say("rank.settled" if low == high else "rank.open", low=low, high=high)


def span_meaning(span: tuple[int, int]) -> str:
    """What it means that a rank is settled or not, in a sentence."""
    low, high = span
    return say("rank.settled-means" if low == high else "rank.open-means", low=low, high=high)


def _as_json(each: Difference) -> dict[str, object]:
    return object_as_json(
        DIFFERENCE,
        each,
        low=each.interval.low,
        high=each.interval.high,
        p=each.p_value,
        p_family=each.p_adjusted if each.is_tested else None,
        settled=each.is_settled,
    )
