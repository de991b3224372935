"""Answers as scores: a confidence with its sign, the distance on a canvas with the sign turned, a rating.

A trial is a pair of recordings under one safeguard; its scores stand in a row, a column for each listener.
Anchors and repeats are never among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.listening.answers import ItemAnswer, ListenerAnswers, read_answers
from zebra_core.listening.design import heard_again
from zebra_core.listening.items import ItemPurpose, ItemTask, ListeningItem
from zebra_core.listening.plan import ListenerPlan, ListeningPlan, as_heard, names_of
from zebra_core.wording.texts import kept, listed, say

_SPREAD = 1e-6  # of the canvas: nearer to each other points were not moved apart by anybody

Key = tuple[str, str]

RECOGNISER = ("machine",)
"""In the place of the codes of listeners, which are not written so."""


@dataclass(frozen=True, eq=False)
class Panel:
    """What listeners said of the trials of one safeguard. Higher means more alike.

    `said` (trials, listeners) holds NaN where one did not hear a trial; `canvas` (trials,) tells the set of
    recordings in which a pair was placed, 0 for all where nothing was placed.
    """

    question: ItemTask
    safeguard: str
    pairs: tuple[Key, ...]  # enrolment and test
    is_target: BoolArray
    said: FloatArray
    listeners: tuple[str, ...]
    canvas: IntArray

    @property
    def is_by_machine(self) -> bool:
        """Whether a recogniser compared its pairs."""
        return self.listeners == RECOGNISER

    @property
    def score(self) -> FloatArray:
        """The mean over the listeners of each trial."""
        return np.asarray(np.nanmean(self.said, axis=1))

    def of(self, listener: str) -> Panel | None:
        """What one listener alone said; None where that was nothing."""
        column = self.said[:, self.listeners.index(listener)]
        there = ~np.isnan(column)
        if not there.any():
            return None
        pairs = tuple(pair for pair, heard in zip(self.pairs, there.tolist(), strict=True) if heard)
        alone = column[there][:, np.newaxis]
        return Panel(
            self.question,
            self.safeguard,
            pairs,
            self.is_target[there],
            alone,
            (listener,),
            self.canvas[there],
        )


@dataclass(frozen=True, eq=False)
class RatedSpeech:
    """Ratings of recordings: `said` (recordings, safeguards, listeners), NaN where one did not hear it."""

    question: ItemTask
    recordings: tuple[str, ...]
    safeguards: tuple[str, ...]
    listeners: tuple[str, ...]
    said: FloatArray

    def under(self, safeguard: str) -> FloatArray:
        """The ratings under one safeguard, (recordings, listeners)."""
        return np.asarray(self.said[:, self.safeguards.index(safeguard), :])


def panels(listened: Sequence[ListenerRecord], speaker: Mapping[str, str]) -> tuple[list[Panel], list[str]]:
    """A panel for each question about voices and each safeguard; and a sentence for each canvas left out."""
    sentences: list[str] = []
    said: dict[tuple[ItemTask, str], dict[Key, dict[str, list[float]]]] = {}
    canvas: dict[tuple[ItemTask, str], dict[Key, int]] = {}
    for one in listened:
        for item, answer in one.answered:
            if item.kind is not ItemPurpose.TRIAL or item.question.is_rating:
                continue
            scores = _scores(item, answer)
            if scores is None:
                sentences.append(kept("listening.canvas-without-spread", listener=one.code, item=item.id))
                continue
            of = said.setdefault((item.question, item.safeguard), {})
            for pair, score in scores.items():
                of.setdefault(pair, {}).setdefault(one.code, []).append(score)
                canvas.setdefault((item.question, item.safeguard), {})[pair] = item.canvas or 0
    codes = tuple(one.code for one in listened)
    made = [
        _panel(*key, of, codes, speaker, canvas[key])
        for key, of in sorted(said.items(), key=lambda each: (each[0][0].value, each[0][1]))
    ]
    return made, sentences


def _panel(
    question: ItemTask,
    safeguard: str,
    of: Mapping[Key, Mapping[str, Sequence[float]]],
    codes: tuple[str, ...],
    speaker: Mapping[str, str],
    canvas: Mapping[Key, int],
) -> Panel:
    pairs = tuple(sorted(of))
    heard = tuple(code for code in codes if any(code in of[pair] for pair in pairs))
    table = np.full((len(pairs), len(heard)), np.nan)
    for row, pair in enumerate(pairs):
        for code, scores in of[pair].items():
            table[row, heard.index(code)] = float(np.mean(scores))
    same = np.array([speaker[a] == speaker[b] for a, b in pairs], dtype=np.bool_)
    places = np.array([canvas[pair] for pair in pairs], dtype=np.int64)
    return Panel(question, safeguard, pairs, same, table, heard, places)


def _scores(item: ListeningItem, answer: ItemAnswer) -> dict[Key, float] | None:
    """The score of each pair of an item; None for a canvas without spread."""
    names = [one.recording for one in item.stimuli]
    if item.question is ItemTask.SAME:
        return {(names[0], names[1]): float(answer.confidence or 0)}
    near = nearness(np.array(answer.positions, dtype=np.float64))
    if near is None:
        return None
    pairs = ((min(a, b), max(a, b)) for a, b in combinations(names, 2))
    return dict(zip(pairs, near.tolist(), strict=True))


def nearness(places: FloatArray) -> FloatArray | None:
    """The scores of all pairs of places (n, 2) on a canvas, in their order; None without spread."""
    distance = distances(places)
    if distance.std() < _SPREAD:
        return None
    return np.asarray(-(distance - distance.mean()) / distance.std())


def distances(places: FloatArray) -> FloatArray:
    """Between all recordings of a canvas, in the order of their pairs."""
    first, second = np.triu_indices(len(places), k=1)
    return np.asarray(np.hypot(*(places[first] - places[second]).T))


def rated(listened: Sequence[ListenerRecord], question: ItemTask) -> RatedSpeech | None:
    """The ratings of one question; None where nobody gave any."""
    found = [
        (item.stimuli[0].recording, item.safeguard, one.code, answer.rating)
        for one in listened
        for item, answer in one.answered
        if item.question is question and item.kind is ItemPurpose.TRIAL and answer.rating is not None
    ]
    if not found:
        return None
    recordings = tuple(sorted({row[0] for row in found}))
    safeguards = tuple(sorted({row[1] for row in found}))
    codes = tuple(one.code for one in listened if any(row[2] == one.code for row in found))
    table = np.full((len(recordings), len(safeguards), len(codes)), np.nan)
    for recording, safeguard, code, rating in found:
        table[recordings.index(recording), safeguards.index(safeguard), codes.index(code)] = rating
    return RatedSpeech(question, recordings, safeguards, codes, table)


# Listeners' files joined with the plan: whose answers are used, and a sentence for each file that is not.


@dataclass(frozen=True)
class ListenerRecord:
    """One listener: what was planned, and what was answered."""

    plan: ListenerPlan
    answers: ListenerAnswers
    path: Path

    @property
    def code(self) -> str:
        """The code of the listener; nobody's name is known."""
        return self.plan.code

    @property
    def answered(self) -> list[tuple[ListeningItem, ItemAnswer]]:
        """The items with their answers, in the order of the plan."""
        of = self.answers.of
        return [(item, of[item.id]) for item in self.plan.items if item.id in of]

    @property
    def item(self) -> dict[str, ListeningItem]:
        """The items by their ids."""
        return {item.id: item for item in self.plan.items}


@dataclass(frozen=True)
class CollectedAnswers:
    """All listeners whose answers can be used, in the order of the plan, and what is to be told."""

    listeners: tuple[ListenerRecord, ...]
    faults: tuple[str, ...]  # files that are left out, and why
    sentences: tuple[str, ...]  # what is missing in those that are used


def gather_answers(plan: ListeningPlan, paths: Sequence[Path]) -> CollectedAnswers:
    """Read the answers; a file of another test, one that was altered, and two of a listener are left out."""
    faults: list[str] = []
    found: dict[str, list[ListenerRecord]] = defaultdict(list)
    for path in paths:
        try:
            one = _read(plan, path)
        except ZebraError as error:
            faults.append(str(error))
            continue
        if all(one.answers.sha256 != other.answers.sha256 for other in found[one.code]):
            found[one.code].append(one)
    for code, several in found.items():
        if len(several) > 1:
            names = listed([one.path.name for one in several])
            faults.append(say("listening.answered-twice", listener=code, names=names))
    used = tuple(found[one.code][0] for one in plan.listeners if len(found[one.code]) == 1)
    return CollectedAnswers(used, tuple(faults), tuple(_remarks_on_answers(plan, used)))


def _read(plan: ListeningPlan, path: Path) -> ListenerRecord:
    head = read_answers(path)
    listener = plan.of(head.listener) if head.test == plan.id else None
    if listener is None:
        raise InputError("listening-not-of-plan", file=path.name)
    if head.package_sha256 != listener.package_sha256:
        raise InputError("listening-other-package", file=path.name)
    names = names_of(listener.items)
    return ListenerRecord(
        listener, read_answers(path, [as_heard(item, names) for item in listener.items]), path
    )


def _remarks_on_answers(plan: ListeningPlan, used: Sequence[ListenerRecord]) -> list[str]:
    sentences = []
    if missing := len(plan.listeners) - len(used):
        sentences.append(kept("listening.missing", count=missing, of=len(plan.listeners)))
    again, times = heard_again(plan.listeners[0].items)
    if again:
        sentences.append(kept("listening.heard-again", count=again, most=times))
    for one in used:
        if left := len(one.plan.items) - len(one.answers.of):
            sentences.append(
                kept("listening.unfinished", listener=one.code, count=left, of=len(one.plan.items))
            )
        if elsewhere := sum(answer.elsewhere for _item, answer in one.answered):
            sentences.append(
                kept("listening.elsewhere", listener=one.code, count=elsewhere, of=len(one.answered))
            )
        if one.answers.torn:
            sentences.append(kept("listening.torn", file=one.path.name))
    return sentences
