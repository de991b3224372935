"""Who hears what: a Latin square over safeguards, speakers in turn, all from one seed.

Everybody hears the same recordings, each once where there are enough for all questions (`heard_again` tells),
but under another safeguard: item j of listener l is under safeguard (j + l) mod the number of safeguards. So
each listener hears each safeguard equally often, and of as many listeners as there are safeguards each hears
a recording under another one. Items of one class (same or different speakers) come in blocks as long as there
are safeguards, so that shares hold under each of them.
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
from zebra_core.metrics.chance.seeds import Purpose, generator, heads, one_of, shuffled
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
    recordings = _ItemRecordings(voices, generator(seed, Purpose.LISTENING_TEST, _BASE, 0))
    for number, one in enumerate(wanted):
        _refuse(one, len(safeguards))
        base, anchors = recordings.items(one, len(safeguards))
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


def heard_again(items: Iterable[ListeningItem]) -> tuple[int, int]:
    """How many recordings are in several items, and in how many at most; repeats and safeguards apart."""
    once = [item for item in items if item.kind is not ItemPurpose.REPEAT]
    counts = Counter(stimulus.recording for item in once for stimulus in item.stimuli)
    return sum(count > 1 for count in counts.values()), max(counts.values(), default=0)


class _ItemRecordings:
    """Recordings taken for items, the least used by all questions first; speakers take turns.

    No two items of a question are the same, and apart from pairs none has a recording of another.
    """

    def __init__(self, voices: SpeakerRecordings, rng: np.random.Generator) -> None:
        self._rng = rng
        self._of = {who: shuffled(found, rng) for who, found in sorted(voices.of.items())}
        self._people = shuffled(sorted(voices.of), rng)
        self._sex = voices.sex
        self._used: Counter[str] = Counter()
        self._asked: set[str] = set()  # about which the question asks that items are taken for
        self._pairs: set[frozenset[str]] = set()
        self._turn = 0  # whose it is

    def items(self, one: QuestionDesign, safeguards: int) -> tuple[list[_Base], list[_Base]]:
        """The items, and the anchors."""
        self._asked = set()
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
            who = people[(self._turn + number) % len(people)]
            recordings = self._of[who]
            pairs = ((a, b) for n, a in enumerate(recordings) for b in recordings[n + 1 :])
            found.append(self._pair(pairs, who))
        self._turn += count
        return found

    def _different(self, count: int) -> list[_Base]:
        found = []
        for number in range(count):
            turn, place = divmod(number, len(self._people))
            who = self._people[(self._turn + place) % len(self._people)]
            others = [
                one for one in self._people if one != who and self._sex.get(one) == self._sex.get(who)
            ] or [one for one in self._people if one != who]
            if not others:
                raise InputError("listening-one-speaker")
            # Next to each other in the circle, then two apart, and so on: everybody is second equally often.
            circle = [one for one in self._people if one == who or one in others]
            other = circle[(circle.index(who) + 1 + turn % (len(circle) - 1)) % len(circle)]
            found.append(self._pair(((a, b) for a in self._of[who] for b in self._of[other]), who))
        self._turn += count
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
        return [_Base(self._taken([self._next(number)])) for number in range(count)]

    def _next(self, number: int) -> str:
        """Of the least used recordings not yet asked about, that of the speaker whose turn comes first."""
        first = number % len(self._people)
        turn = [*self._people[first:], *self._people[:first]]
        free = [one for who in turn for one in self._of[who] if one not in self._asked]
        if not free:
            raise InputError("listening-too-few", found=sum(map(len, self._of.values())))
        return min(free, key=self._used.__getitem__)

    def _canvas(self, one: QuestionDesign, number: int) -> _Base:
        def uses(recordings: Iterable[str]) -> int:
            return sum(self._used[each] for each in recordings)

        free = {
            who: sorted((each for each in found if each not in self._asked), key=self._used.__getitem__)
            for who, found in self._of.items()
        }
        enough = [who for who in self._people if len(free[who]) >= one.recordings]
        if len(enough) < one.speakers:
            raise InputError(
                "listening-canvas", speakers=one.speakers, recordings=one.recordings, found=len(enough)
            )
        enough.sort(key=lambda who: (uses(free[who][: one.recordings]), uses(self._of[who])))
        taken = [each for who in enough[: one.speakers] for each in free[who][: one.recordings]]
        return _Base(tuple(shuffled(self._taken(taken), self._rng)), number)

    def _taken(self, recordings: Sequence[str]) -> tuple[str, ...]:
        self._used.update(recordings)
        self._asked.update(recordings)
        return tuple(recordings)


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
