"""Ways to know which copy belongs to which original, derived from their names, with what comes of each."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import TypeVar

from zebra_core.errors import InputError
from zebra_core.files.access import size_of
from zebra_core.recordings.folder import Recording, named
from zebra_core.recordings.pairing_rules import (
    ANYTHING,
    HOLE,
    SAME_NAME,
    GivenPairs,
    Match,
    PairingRule,
    PairingSource,
    PairingTable,
    match,
    repeated_rows,
)
from zebra_core.recordings.sound import hash_of
from zebra_core.wording.texts import say, visible

_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+")  # letters and digits, of whatever script
_MOST_ORIGINALS, _MOST_COPIES = 4000, 400  # names that rules are derived from
_MOST_WORDS = 16  # of a name and its folders, from its end
_MOST_SHAPES, _MOST_RULES = 4, 24  # of names, that rules are derived from; and of these rules
_SHORTEST_NAME, _LONGEST_NAME = 2, 80  # that is looked for in others
_USUAL, _OFTEN = 0.9, 0.2  # the share of names that text is in, to be part of their rule, or of one of them
_MEANING = re.compile(r"\{\}|\*|=")  # what means something in a rule
_EXAMPLES = 3
_ENOUGH_PAIRS = 3


@dataclass(frozen=True)
class PairingOffer:
    """A way to know which copy belongs to which original, and what comes of it."""

    source: PairingSource
    pairs: Match
    examples: str  # “a/call_1.wav ↔ call_1_anon.mp3”, so that it can be judged
    shares_digits_only: bool = False  # digits that are a part of the originals' names, and nothing else
    fault: InputError | None = None

    @property
    def in_words(self) -> str:
        """The way, and how many recordings it pairs."""
        kind = "table" if isinstance(self.source, PairingTable) else "rule"
        code = "pairs-same-name" if self.source == SAME_NAME else f"pairs-{kind}"
        return say(f"recordings.{code}", rule=str(self.source), count=len(self.pairs))


def offers(
    originals: Sequence[Recording], copies: Sequence[Recording], given: Iterable[PairingSource] = ()
) -> tuple[PairingOffer, ...]:
    """The ways that were given, in their order, then all rules that pair recordings, by how many they pair.

    Of rules that come to the same pairs only the first is offered.
    """
    return (
        *(_offer(source, originals, copies) for source in given),
        *_offers_by_rules(tuple(originals), tuple(copies)),
    )


@lru_cache(8)  # asked again with every choice of a user
def _offers_by_rules(
    originals: tuple[Recording, ...], copies: tuple[Recording, ...]
) -> tuple[PairingOffer, ...]:
    found = [_offer(SAME_NAME, originals, copies)]
    if not len(found[0].pairs) == len(originals) == len(copies):
        found += [_offer(rule, originals, copies) for rule in _derived_rules(originals, copies)[:_MOST_RULES]]
    kept: list[PairingOffer] = []
    for one in sorted(found, key=_rank):
        if one.pairs and not any(one.pairs.items() <= other.pairs.items() for other in kept):
            kept.append(one)
    return tuple(kept)


def _rank(offer: PairingOffer) -> tuple[int, int, int, str]:
    """Those that pair most first; of these the ones that say most of a name, then the shortest."""
    rule = str(offer.source)
    return -len(offer.pairs), rule.count(ANYTHING), len(rule), rule


def undoubted(found: Sequence[PairingOffer], originals: int, copies: int) -> PairingOffer | None:
    """The rule that pairs most, where nothing speaks against it, of so many originals and copies.

    It pairs at least half of the fewer of them; at least three, and by more than digits, where only a part of
    originals' names counts. No other way pairs half as many otherwise, or three others beside them. A table
    speaks against a rule, and is never taken unasked.
    """
    rules = [one for one in found if isinstance(one.source, PairingRule)]
    if not rules:
        return None
    best = rules[0]
    enough = 2 * len(best.pairs) >= min(originals, copies)
    if _drops_a_part(best.source):
        enough = enough and len(best.pairs) >= _ENOUGH_PAIRS and not best.shares_digits_only
    return (
        best if enough and not any(_speaks_against(one, best) for one in found if one is not best) else None
    )


def _speaks_against(one: PairingOffer, best: PairingOffer) -> bool:
    taken = set(best.pairs.values())
    otherwise = any(best.pairs.get(mine, other) != other for mine, other in one.pairs.items())
    beside = sum(mine not in best.pairs and other not in taken for mine, other in one.pairs.items())
    return (otherwise and 2 * len(one.pairs) >= len(best.pairs)) or beside >= _ENOUGH_PAIRS


def _drops_a_part(source: PairingSource) -> bool:
    """Whether a rule leaves out a part of the originals' names."""
    return isinstance(source, PairingRule) and bool(source.original.replace(HOLE, "").strip("/"))


def _offer(
    source: PairingSource, originals: Sequence[Recording], copies: Sequence[Recording]
) -> PairingOffer:
    try:
        pairs, *_doubtful = match(source, originals, copies)
    except InputError as error:
        return PairingOffer(source, {}, str(error), fault=error)
    examples = in_examples([(originals[mine], copies[other]) for mine, other in pairs.items()])
    return PairingOffer(source, pairs, examples, _shares_digits_only(source, pairs, originals))


def in_examples(pairs: Sequence[tuple[Recording, Recording]]) -> str:
    """Some pairs from all over: “a/call_1.wav ↔ call_1_anon.mp3”."""
    shown = pairs[:: max(1, len(pairs) // _EXAMPLES)][:_EXAMPLES]
    return ", ".join(f"{visible(str(one.place))} ↔ {visible(str(copy.place))}" for one, copy in shown)


def _shares_digits_only(source: PairingSource, pairs: Match, originals: Sequence[Recording]) -> bool:
    if not isinstance(source, PairingRule) or not _drops_a_part(source):
        return False
    if {*_words_of(source.original)} & {*_words_of(source.copy)}:
        return False
    shared = (source.of_original(originals[mine]) for mine in pairs)
    return not any(letter.isalpha() for one in shared if one for letter in one.text)


@dataclass(frozen=True)
class _NamePart:
    """A name, its folders before it, and the part of it that is in another name as well."""

    text: str
    start: int
    end: int

    @property
    def around(self) -> tuple[str, str, str]:
        """What stands before the part in its folder, the pattern of the part, and what stands after."""
        inside = self.text[self.start : self.end].count("/")
        before = self.text[: self.start].rpartition("/")[2]
        return before, "/".join([HOLE] * (1 + inside)), self.text[self.end :]

    @property
    def first_word(self) -> str:
        """The first word of the part, and the mark after it; "" where it is the only one."""
        words = list(_WORD.finditer(self.text, self.start, self.end))
        return self.text[words[0].start() : words[1].start()] if len(words) > 1 else ""


def _derived_rules(originals: Sequence[Recording], copies: Sequence[Recording]) -> list[PairingRule]:
    """Rules by which most names that have something in common would be pairs."""
    alike = _names_in_common(_sampled(originals, _MOST_ORIGINALS), _sampled(copies, _MOST_COPIES))
    groups: dict[object, list[tuple[_NamePart, _NamePart]]] = defaultdict(list)
    for mine, other in alike:
        shape = [
            (bool(before), pattern, bool(after)) for before, pattern, after in (mine.around, other.around)
        ]
        groups[tuple(shape)].append((mine, other))
    largest = sorted(groups.values(), key=len, reverse=True)[:_MOST_SHAPES]
    return list(dict.fromkeys(rule for group in largest for rule in _rules_of(group)))


def _rules_of(alike: Sequence[tuple[_NamePart, _NamePart]]) -> Iterator[PairingRule]:
    """The rules of names that are alike in one way."""
    sides = [[pair[number] for pair in alike] for number in (0, 1)]
    texts: list[list[str]] = []  # what may stand before and after the part, in originals and in copies
    for side in sides:
        around = [one.around for one in side]
        texts += [
            _usual([before for before, _pattern, _after in around], _ENDS),
            _usual([after for _before, _pattern, after in around], _BEGINS),
        ]
    left, right = (side[0].around[1] for side in sides)
    parts = [(left, right)]
    if left == right != HOLE:
        parts.append((HOLE, HOLE))  # in the same folder
    words = [_most(one.first_word for one in side) for side in sides]
    if all(words):
        parts.append((f"{words[0]}{left}", f"{words[1]}{right}"))  # `*` ends before this word
    for before, after, others_before, others_after in product(*texts):
        for part, other in parts:
            yield PairingRule(f"{before}{part}{after}", f"{others_before}{other}{others_after}")


_BEGINS, _ENDS = re.compile(r"^([\W_]*)((?:[^\W_]+[\W_]+)?)"), re.compile(r"((?:[\W_]+[^\W_]+)?)([\W_]*)$")


def _usual(texts: Sequence[str], marks: re.Pattern[str]) -> list[str]:
    """The few texts that nearly all are; else `*` with the marks, and the word, beside the part."""
    counts = Counter(map(str.casefold, texts))
    often = [text for text, count in counts.items() if count >= _OFTEN * len(texts)]
    found: list[str] = []
    if sum(counts[text] for text in often) >= _USUAL * len(texts):
        found = [next(text for text in texts if text.casefold() == one) for one in often]
    if len(found) != 1:
        beside = [made.groups() if (made := marks.search(text)) else ("", "") for text in texts]
        first, second = _most(one[0] for one in beside), _most(one[1] for one in beside)
        near = (second, first + second) if marks is _ENDS else (first, first + second)
        found += [f"{ANYTHING}{text}" if marks is _ENDS else f"{text}{ANYTHING}" for text in near]
    return [text for text in dict.fromkeys(found) if len(_MEANING.findall(text)) == text.count(ANYTHING) <= 1]


def _most(texts: Iterable[str]) -> str:
    """The commonest of some texts, where nearly all are alike but for capitals; else ""."""
    counts = Counter(texts)
    text, _count = counts.most_common(1)[0]
    alike = sum(count for other, count in counts.items() if other.casefold() == text.casefold())
    return text if alike >= _USUAL * counts.total() else ""


def _names_in_common(
    originals: Sequence[Recording], copies: Sequence[Recording]
) -> Iterator[tuple[_NamePart, _NamePart]]:
    """For each copy the one original that it shares most words with, else whose name is in its own."""
    runs = _of_one_name(run for recording in originals for run in _runs(recording))
    stems = _of_one_name(entry for recording in originals for entry in _stems(recording))
    for recording in copies:
        found = [(words, side) for words, side in _runs(recording) if words in runs]
        most = max((len(words) for words, _side in found), default=0)
        longest = [(runs[words], side) for words, side in found if len(words) == most]
        if len({mine.text for mine, _side in longest}) == 1:
            yield longest[-1]
        else:
            yield from _containing(recording, stems)


def _stems(recording: Recording) -> Iterator[tuple[tuple[str, str], _NamePart]]:
    """The whole name of a recording, by its folder, and by itself."""
    text, stem = _text_of(recording), recording.stem.casefold()
    side = _NamePart(text, text.rfind("/") + 1, len(text))
    yield (_folder_of(text), stem), side
    yield ("", stem), side


def _folder_of(text: str) -> str:
    """The folder that a name lies in, and a mark that sets it apart from no folder."""
    return f"{text.rpartition('/')[0].casefold()}/"


_Key = TypeVar("_Key", bound=Hashable)


def _of_one_name(found: Iterable[tuple[_Key, _NamePart]]) -> dict[_Key, _NamePart]:
    """What is found in one name alone."""
    first: dict[_Key, _NamePart] = {}
    several: set[_Key] = set()
    for key, side in found:
        if first.setdefault(key, side).text != side.text:
            several.add(key)
    return {key: side for key, side in first.items() if key not in several}


def _containing(
    recording: Recording, stems: Mapping[tuple[str, str], _NamePart]
) -> Iterator[tuple[_NamePart, _NamePart]]:
    """The original whose name is the longest that is in the name of a copy, without a mark between."""
    text = _text_of(recording)
    base = text.rfind("/") + 1
    name = text[base:].casefold()
    if len(name) > _LONGEST_NAME or len(name) != len(text) - base:
        return
    for length in range(len(name), _SHORTEST_NAME - 1, -1):
        for start in range(len(name) - length + 1):
            part = name[start : start + length]
            mine = stems.get((_folder_of(text), part)) or stems.get(("", part))
            if mine is not None:
                yield mine, _NamePart(text, base + start, base + start + length)
                return


def _runs(recording: Recording) -> Iterator[tuple[tuple[str, ...], _NamePart]]:
    """Every run of words that ends in a name, and begins there or in its folders."""
    text = _text_of(recording)
    words = list(_WORD.finditer(text))[-_MOST_WORDS:]
    folded = [word[0].casefold() for word in words]
    in_name = next((k for k, word in enumerate(words) if word.start() > text.rfind("/")), len(words))
    for first in range(len(words)):
        for last in range(max(first, in_name), len(words)):
            yield tuple(folded[first : last + 1]), _NamePart(text, words[first].start(), words[last].end())


def _text_of(recording: Recording) -> str:
    return unicodedata.normalize("NFC", recording.place_without_ending)


def _words_of(text: str) -> Iterator[str]:
    return (word[0].casefold() for word in _WORD.finditer(text))


def _sampled(recordings: Sequence[Recording], most: int) -> Sequence[Recording]:
    return recordings[:: -(-len(recordings) // most)] if recordings else ()


# Originals and their protected copies, paired by a rule or a table of names; what has no partner is told.


_MOST_WAYS = 8  # that are told
_MOST_HASHED = 100  # copies without a partner


@dataclass(frozen=True)
class RepeatedCopy:
    """A copy that a later line of a table names of an original whose copy an earlier line has named."""

    copy: Recording
    line: int
    name: str  # the id of the original
    first_line: int


@dataclass(frozen=True)
class Pairing:
    """Recordings by id, and the protected copies of each safeguard that belong to them."""

    originals: Mapping[str, Recording]
    protected: Mapping[str, Mapping[str, Recording]]  # safeguard, id
    twice: tuple[Recording, ...]  # originals whose name another has in the same folder
    unpaired: Mapping[str, tuple[str, ...]]  # safeguard: ids of originals without a copy
    strangers: Mapping[str, tuple[Recording, ...]]  # safeguard: copies of no original
    ambiguous: Mapping[
        str, tuple[str, ...]
    ]  # safeguard: ids of originals that fit several copies, or share one
    sources: Mapping[str, PairingSource]  # safeguard: how its copies were paired
    competing: Mapping[str, tuple[Recording, ...]]  # safeguard: copies that may be of an ambiguous original
    repeated: Mapping[str, tuple[RepeatedCopy, ...]] = field(default_factory=dict)  # safeguard

    @property
    def complete(self) -> tuple[str, ...]:
        """Ids of the originals with a copy of every safeguard, in order: these are compared."""
        return tuple(
            sorted(name for name in self.originals if all(name in of for of in self.protected.values()))
        )

    def examples(self, safeguard: str) -> str:
        """Some pairs, so that the way they were found can be judged: “a/call_1.wav ↔ call_1_anon.mp3”."""
        pairs = [(self.originals[name], copy) for name, copy in self.protected[safeguard].items()]
        return in_examples(pairs)

    def named_otherwise(self, safeguard: str) -> tuple[Recording, ...]:
        """Copies of no original whose names do not follow the rule by which the others are paired."""
        source = self.sources[safeguard]
        if isinstance(source, PairingTable):
            return ()
        return tuple(one for one in self.strangers[safeguard] if source.of_copy(one) is None)

    def delivered_twice(self, safeguard: str) -> dict[Recording, str]:
        """Copies without a partner that are byte by byte a copy that has one, with the id of its original."""
        of = {copy: name for name, copy in self.protected[safeguard].items()}
        sizes: dict[int | None, list[Recording]] = defaultdict(list)
        for copy in of:
            sizes[size_of(copy.path)].append(copy)
        lost = [one.copy for one in self.repeated.get(safeguard, ()) if one.copy not in of]
        lost += [*self.strangers[safeguard], *self.competing[safeguard]]
        found = {}
        for one in islice((one for one in lost if size_of(one.path) in sizes), _MOST_HASHED):
            with suppress(InputError):  # told where it is heard
                same = (copy for copy in sizes[size_of(one.path)] if hash_of(copy.path) == hash_of(one.path))
                if (like := next(same, None)) is not None:
                    found[one] = of[like]
        return found

    def versions(self, name: str) -> list[Recording]:
        """A recording that is complete, and its protected copies."""
        return [self.originals[name], *(of[name] for of in self.protected.values())]


def paired(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    sources: Mapping[str, PairingSource] | None = None,
) -> Pairing:
    """Pair each safeguard's copies by its rule or table; without one, by equal names.

    Raises InputError for a table that cannot be read.
    """
    by_id, twice = named(originals)
    names, recordings = tuple(by_id), tuple(by_id.values())
    namesakes = {one.stem for one in twice}  # nobody knows of which of two originals their copies are
    sources = {safeguard: (sources or {}).get(safeguard, SAME_NAME) for safeguard in protected}
    pairs: dict[str, dict[str, Recording]] = {}
    unpaired, strangers, ambiguous, competing, repeated = {}, {}, {}, {}, {}
    for safeguard, copies in protected.items():
        source = sources[safeguard]
        found, doubtful, rivals = match(source, recordings, copies)
        again = repeated_rows(source, recordings, copies) if isinstance(source, PairingTable) else ()
        repeated[safeguard] = tuple(
            RepeatedCopy(copies[one.copy], one.line, names[one.original], one.first_line) for one in again
        )
        pairs[safeguard] = {names[mine]: copies[other] for mine, other in found.items()}
        of_namesakes = {number for number, one in enumerate(copies) if one.stem in namesakes}
        rivals = (rivals | of_namesakes) - {*found.values()}
        taken = {*found.values(), *rivals, *(one.copy for one in again)}
        competing[safeguard] = tuple(copies[number] for number in sorted(rivals))
        strangers[safeguard] = tuple(one for number, one in enumerate(copies) if number not in taken)
        ambiguous[safeguard] = tuple(name for number, name in enumerate(names) if number in doubtful)
        missing = doubtful | found.keys()
        unpaired[safeguard] = tuple(name for number, name in enumerate(names) if number not in missing)
    return Pairing(by_id, pairs, twice, unpaired, strangers, ambiguous, sources, competing, repeated)


def pair(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    given: GivenPairs | None = None,
) -> Pairing:
    """Pair as `known_sources` says. Raises InputError as it does."""
    recordings = tuple(originals)
    return paired(recordings, protected, known_sources(recordings, protected, given))


def known_sources(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    given: GivenPairs | None = None,
) -> dict[str, PairingSource]:
    """How the copies of each safeguard are paired: by the one of the given ways that pairs most of them, else
    by the one that is beyond doubt.

    Raises InputError where there are ways of which none is, with what a user may give of each.
    """
    recordings = tuple(named(originals)[0].values())
    sources: dict[str, PairingSource] = {}
    for safeguard, copies in protected.items():
        if ways := (given or {}).get(safeguard):
            sources[safeguard] = _most_fitting(safeguard, ways, recordings, copies)
            continue
        found = offers(recordings, copies)
        best = undoubted(found, len(recordings), len(copies))
        if found and best is None:
            known = tuple((str(one.source), one.examples) for one in found[:_MOST_WAYS])
            raise InputError("pairs-ambiguous", safeguard=safeguard, ways=known)
        sources[safeguard] = best.source if best else SAME_NAME
    return sources


def _most_fitting(
    safeguard: str,
    ways: Sequence[PairingSource],
    originals: Sequence[Recording],
    copies: Sequence[Recording],
) -> PairingSource:
    """The way that pairs most. Raises InputError where none pairs any, or two pair as many otherwise."""
    pairs = [match(one, originals, copies)[0] for one in ways]
    best = max(pairs, key=len)
    if not best:
        raise InputError("pairs-nothing", safeguard=safeguard, found=", ".join(map(str, ways)))
    if any(len(other) == len(best) and other != best for other in pairs):
        raise InputError("pairs-tie", safeguard=safeguard, found=", ".join(map(str, ways)))
    return ways[pairs.index(best)]
