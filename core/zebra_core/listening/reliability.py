"""How far one listener can be relied upon: anchors, which everybody should tell, and repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.evidence.value_types import Count, NumberOrNone, json_object, object_as_json
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.collection import ListenerRecord
from zebra_core.listening.items import ItemPurpose, ItemTask, ListeningItem
from zebra_core.listening.scores import distances

LEAST_PASSED = 0.75
"""The share of anchors from which on a listener passes; the outcome names it."""
_UNPROTECTED_FROM = 6  # a rating of unprotected speech that is above the middle

RELIABILITY = json_object(
    "Reliability",
    anchors=Count,
    anchors_passed=Count,
    fails_anchors=bool,
    repeats=Count,
    consistency=NumberOrNone,
)


@dataclass(frozen=True)
class Reliability:
    """What anchors and repeats of one question say of a listener; None where there were none.

    `consistency` is, of repeats of SAME, the share with the same decision; of ratings the mean difference of
    both in steps; of canvases the mean correlation of the distances.
    """

    anchors: int
    passed: int
    repeats: int
    consistency: float | None

    @property
    def fails(self) -> bool:
        """Whether too few anchors were told."""
        return self.anchors > 0 and self.passed < LEAST_PASSED * self.anchors

    def as_json(self) -> dict[str, object]:
        """The reliability as an object of the outcome file."""
        return object_as_json(RELIABILITY, self, anchors_passed=self.passed, fails_anchors=self.fails)


def reliability(one: ListenerRecord, speaker: Mapping[str, str]) -> dict[ItemTask, Reliability]:
    """A listener's reliability for each question that was answered."""
    found = {}
    items = one.item
    for asked in dict.fromkeys(item.question for item in one.plan.items):
        mine = [(item, answer) for item, answer in one.answered if item.question is asked]
        anchors = [_passes(item, answer, speaker) for item, answer in mine if item.kind is ItemPurpose.ANCHOR]
        repeats = [
            _alike(items[item.of].question, one.answers.of[item.of], answer)
            for item, answer in mine
            if item.kind is ItemPurpose.REPEAT and item.of in one.answers.of
        ]
        known = [each for each in repeats if each is not None]
        mean = float(np.mean(known)) if known else None
        found[asked] = Reliability(len(anchors), sum(anchors), len(repeats), mean)
    return found


def _passes(item: ListeningItem, answer: ItemAnswer, speaker: Mapping[str, str]) -> bool:
    who = [speaker[one.recording] for one in item.stimuli]
    if item.question is ItemTask.SAME:
        return ((answer.confidence or 0) > 0) == (who[0] == who[1])
    if item.question.is_rating:
        return (answer.rating or 0) >= _UNPROTECTED_FROM
    first, second = np.triu_indices(len(who), k=1)
    same = np.array([who[a] == who[b] for a, b in zip(first, second, strict=True)])
    far = distances(_places(answer))
    return bool(same.any() and not same.all() and far[same].mean() < far[~same].mean())


def _alike(asked: ItemTask, first: ItemAnswer, again: ItemAnswer) -> float | None:
    if asked is ItemTask.SAME:
        return float(((first.confidence or 0) > 0) == ((again.confidence or 0) > 0))
    if asked.is_rating:
        return float(abs((first.rating or 0) - (again.rating or 0)))
    before, after = distances(_places(first)), distances(_places(again))
    if before.std() == 0.0 or after.std() == 0.0:
        return None
    return float(np.corrcoef(before, after)[0, 1])


def _places(answer: ItemAnswer) -> FloatArray:
    return np.array(answer.positions, dtype=np.float64)
