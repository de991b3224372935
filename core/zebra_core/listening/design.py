"""Who hears what: a Latin square over safeguards, speakers in turn, all from one seed.

Everybody hears the same recordings, each once, but under another safeguard: item j of listener l is under
safeguard (j + l) mod the number of safeguards. So each listener hears each safeguard equally often, and of as
many listeners as there are safeguards each hears a recording under another one. Items of one class (same or
different speakers) come in blocks as long as there are safeguards, so that shares hold under each of them.
Ref: Williams 1949 and Kirk 2013, chapter 14, for Latin squares; ITU-R BS.1534 for anchors and repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.errors import InputError
from zebra_core.listening.items import (
    MOST_PLACED,
    UNPROTECTED,
    ItemPurpose,
    ItemTask,
    ListeningItem,
    Stimulus,
)
from zebra_core.metrics.chance.resampling import heads, one_of, shuffled
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.wording.texts import written

MOST_LISTENERS = 500
MOST_ITEMS = 1000  # of one question for one listener
_BASE, _ORDER = 0, 1  # parts of the stream


@dataclass(frozen=True)
class QuestionDesign:
    """How one question is asked: so many items of each listener, anchors and repeats beside them.

    Items of PLACEMENT are canvases, of so many speakers with so many recordings each. `enrol_protected`: of
    two recordings both are protected, else only the second.
    """

    question: ItemTask
    items: int
    anchors: int = 0
    repeats: int = 0
    same_share: float = 0.5
    enrol_protected: bool = False
    speakers: int = 4
    recordings: int = 3


@dataclass(frozen=True)
class SpeakerRecordings:
    """The recordings of each speaker, and the speaker's sex where that is known."""

    of: Mapping[str, Sequence[str]]
    sex: Mapping[str, str]


@dataclass(frozen=True)
class _Base:
    """An item before anybody hears it under a safeguard."""

    recordings: tuple[str, ...]
    canvas: int | None = None


def design(
    wanted: Sequence[QuestionDesign],
    voices: SpeakerRecordings,
    safeguards: Sequence[str],
    listeners: int,
    seed: int,
) -> list[list[ListeningItem]]:
    """The items of each listener, in the order in which they are heard; the same seed makes the same.

    `safeguards` are the conditions, UNPROTECTED among them where unprotected speech is judged as well.
    Raises InputError where there are too few recordings, or numbers that do not fit.
    """
    if not 1 <= listeners <= MOST_LISTENERS:
        raise InputError("listening-listeners", found=listeners, most=MOST_LISTENERS)
    of_each: list[list[ListeningItem]] = [[] for _ in range(listeners)]
    for number, one in enumerate(wanted):
        _refuse(one, len(safeguards))
        rng = generator(seed, Purpose.LISTENING_TEST, _BASE, number)
        base, anchors = _ItemRecordings(voices, rng).items(one, len(safeguards))
        for listener in range(listeners):
            order = generator(seed, Purpose.LISTENING_TEST, _ORDER, number, listener)
            trials = [
                _trial(one, item, safeguards[(place + listener) % len(safeguards)])
                for place, item in enumerate(base)
            ]
            of_each[listener] += _in_order(one, trials, [_anchor(one, item) for item in anchors], order)
    return [_numbered(items) for items in of_each]


def _refuse(one: QuestionDesign, safeguards: int) -> None:
    """Raise InputError for numbers with which nothing can be balanced."""
    asked = one.question.value
    if one.items < 1 or one.items % safeguards or one.items > MOST_ITEMS:
        lower = max(one.items // safeguards * safeguards, safeguards)
        raise InputError(
            "listening-items",
            question=asked,
            found=one.items,
            count=safeguards,
            lower=lower,
            upper=lower + safeguards,
        )
    if not 0 <= one.repeats <= one.items // 2:
        raise InputError("listening-repeats", question=asked, found=one.repeats, most=one.items // 2)
    if not 0 <= one.anchors <= one.items:
        raise InputError("listening-anchors", question=asked, found=one.anchors, most=one.items)
    points = one.speakers * one.recordings
    if one.question is ItemTask.PLACEMENT and (min(one.speakers, one.recordings) < 2 or points > MOST_PLACED):
        raise InputError(
            "listening-canvas-size", speakers=one.speakers, recordings=one.recordings, most=MOST_PLACED
        )
    if one.question is ItemTask.SAME and not 0 < same_blocks(one, safeguards) < one.items // safeguards:
        raise InputError("listening-share", found=written(one.same_share, "g"), items=one.items)


def same_blocks(one: QuestionDesign, safeguards: int) -> int:
    """How many blocks, each of one item under each safeguard, are of the same speaker."""
    return round(one.same_share * one.items / safeguards)


class _ItemRecordings:
    """Recordings taken for items, the least used first; no two items have the same."""

    def __init__(self, voices: SpeakerRecordings, rng: np.random.Generator) -> None:
        self._rng = rng
        self._of = {who: shuffled(found, rng) for who, found in sorted(voices.of.items())}
        self._people = shuffled(sorted(voices.of), rng)
        self._sex = voices.sex
        self._used: Counter[str] = Counter()
        self._pairs: set[frozenset[str]] = set()

    def items(self, one: QuestionDesign, safeguards: int) -> tuple[list[_Base], list[_Base]]:
        """The items, and the anchors."""
        if one.question is ItemTask.SAME:
            same = same_blocks(one, safeguards) * safeguards
            base = [*self._same(same), *self._different(one.items - same)]
            return base, [*self._same(one.anchors // 2), *self._different(one.anchors - one.anchors // 2)]
        if one.question is ItemTask.PLACEMENT:
            found = [self._canvas(one, number) for number in range(one.items + one.anchors)]
        else:
            found = self._single(one.items + one.anchors)
        return found[: one.items], found[one.items :]

    def _same(self, count: int) -> list[_Base]:
        people = [who for who in self._people if len(self._of[who]) > 1]
        if count and not people:
            raise InputError("listening-one-each")
        found = []
        for number in range(count):
            who = people[number % len(people)]
            recordings = self._of[who]
            pairs = ((a, b) for n, a in enumerate(recordings) for b in recordings[n + 1 :])
            found.append(self._pair(pairs, who))
        return found

    def _different(self, count: int) -> list[_Base]:
        found = []
        for number in range(count):
            turn, place = divmod(number, len(self._people))
            who = self._people[place]
            others = [
                one for one in self._people if one != who and self._sex.get(one) == self._sex.get(who)
            ] or [one for one in self._people if one != who]
            if not others:
                raise InputError("listening-one-speaker")
            # Next to each other in the circle, then two apart, and so on: everybody is second equally often.
            circle = [one for one in self._people if one == who or one in others]
            other = circle[(circle.index(who) + 1 + turn % (len(circle) - 1)) % len(circle)]
            found.append(self._pair(((a, b) for a in self._of[who] for b in self._of[other]), who))
        return found

    def _pair(self, pairs: Iterable[tuple[str, str]], who: str) -> _Base:
        free = [pair for pair in pairs if frozenset(pair) not in self._pairs]
        if not free:
            raise InputError("listening-few-recordings", speaker=who)
        first, second = min(free, key=lambda pair: self._used[pair[0]] + self._used[pair[1]])
        if heads(self._rng) and self._speaker_is_one(first, second):
            first, second = second, first
        self._pairs.add(frozenset((first, second)))
        self._used.update((first, second))
        return _Base((first, second))

    def _speaker_is_one(self, first: str, second: str) -> bool:
        return any(first in found and second in found for found in self._of.values())

    def _single(self, count: int) -> list[_Base]:
        return [_Base((self._unused(self._people, number),)) for number in range(count)]

    def _unused(self, people: Sequence[str], number: int) -> str:
        """A recording nobody has heard of the next speaker who has one."""
        turn = [people[(number + step) % len(people)] for step in range(len(people))]
        for who in turn:
            free = [one for one in self._of[who] if not self._used[one]]
            if free:
                self._used[free[0]] += 1
                return free[0]
        raise InputError("listening-too-few", found=sum(map(len, self._of.values())))

    def _canvas(self, one: QuestionDesign, number: int) -> _Base:
        free = {who: [each for each in found if not self._used[each]] for who, found in self._of.items()}
        enough = [who for who in self._people if len(free[who]) >= one.recordings]
        if len(enough) < one.speakers:
            raise InputError(
                "listening-canvas", speakers=one.speakers, recordings=one.recordings, found=len(enough)
            )
        enough.sort(key=lambda who: sum(self._used[each] for each in self._of[who]))
        taken = [each for who in enough[: one.speakers] for each in free[who][: one.recordings]]
        self._used.update(taken)
        return _Base(tuple(shuffled(taken, self._rng)), number)


def _trial(one: QuestionDesign, item: _Base, safeguard: str) -> ListeningItem:
    sides = [safeguard] * len(item.recordings)
    if one.question is ItemTask.SAME and not one.enrol_protected:
        sides[0] = UNPROTECTED
    stimuli = tuple(Stimulus(name, side) for name, side in zip(item.recordings, sides, strict=True))
    return ListeningItem("", one.question, ItemPurpose.TRIAL, stimuli, safeguard, item.canvas)


def _anchor(one: QuestionDesign, item: _Base) -> ListeningItem:
    stimuli = tuple(Stimulus(name) for name in item.recordings)
    return ListeningItem("", one.question, ItemPurpose.ANCHOR, stimuli, UNPROTECTED, item.canvas)


def _in_order(
    one: QuestionDesign,
    trials: Sequence[ListeningItem],
    anchors: Sequence[ListeningItem],
    rng: np.random.Generator,
) -> list[ListeningItem]:
    """Items in random order; repeats come first in the first half, and again in the last quarter."""
    items = [*trials, *anchors]
    found = shuffled(items, rng)
    early = [item for item in found[: (len(found) + 1) // 2] if item.kind is ItemPurpose.TRIAL]
    late = [item for item in found if item.kind is ItemPurpose.TRIAL and item not in early]
    while len(early) < one.repeats:  # anchors came first: a trial changes places with one of them
        here = next(n for n, item in enumerate(found) if item.kind is ItemPurpose.ANCHOR)
        there = found.index(late.pop())
        found[here], found[there] = found[there], found[here]
        early.append(found[here])
    chosen = shuffled(early, rng)[: one.repeats]
    first = len(found) - len(found) // 4
    for item in chosen:
        found.insert(one_of(first, len(found) + 1, rng), replace(item, kind=ItemPurpose.REPEAT))
    return found


def _numbered(items: Sequence[ListeningItem]) -> list[ListeningItem]:
    """The items with ids in the order of hearing; repeats name the id of the item that they repeat."""
    heard: dict[tuple[ItemTask, tuple[Stimulus, ...]], str] = {}
    found = []
    for number, item in enumerate(items, start=1):
        name, what = f"i{number:04}", (item.question, item.stimuli)
        of = heard.get(what, "") if item.kind is ItemPurpose.REPEAT else ""
        heard.setdefault(what, name)
        found.append(replace(item, id=name, of=of))
    return found
