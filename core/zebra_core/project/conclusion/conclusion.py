"""The answer for each safeguard: what the strongest attacker finds, in the worst dataset, in plain words.

A reader without statistics must understand every sentence of it; figures in bits come second. Unprotected
speech is what these are measured against, and never an answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

import numpy as np
import scipy
from msgspec import Meta

from zebra_core.errors import ZebraError
from zebra_core.evidence.value_types import (
    Amount,
    NumberOrNone,
    Positive,
    array_of,
    json_object,
    map_of,
    note,
    nullable,
    object_as_json,
)
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attackers import KNOWLEDGE, AttackGroup, simultaneous
from zebra_core.project.comparison.comparison import baseline_of
from zebra_core.project.items import (
    WITHOUT_NETWORK,
    Attacker,
    Condition,
    Entry,
    Individual,
    Population,
    basis_in_words,
    says_nothing_in_words,
    tag_in_words,
)
from zebra_core.project.verdicts.verdict import Verdict, worst_first
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.speakers.study import MOST_EXPOSED, MostExposed
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS
from zebra_core.uncertainty.intervals import Interval, is_whole_scale, of_largest
from zebra_core.uncertainty.reidentification import MOST_LINKED, MostLinked, PoolRanks
from zebra_core.uncertainty.resampling import FigureDraws
from zebra_core.uncertainty.shown import fewer, share_of, with_unit
from zebra_core.wording.texts import (
    in_english,
    in_sentence,
    odds_in_words,
    of_hundred,
    right_of_hundred,
    say,
    visible_name,
    visible_sentence,
    written,
)

_LONGEST_NAME = 80  # characters
_MOST_APART = 10  # people who are named in a sentence
_NEAR = 0.1  # of the way from guessing to certainty, up to which nobody is said to be recognised
_MAY_BE_CHANCE = 0.05

_NAMED = json_object(
    "Named",
    people=Annotated[int, Meta(ge=2)],
    naming_rate=note(Amount, "the mean over people of how often the recordings of each are named"),
    low=note(NumberOrNone, "of the interval of whichever attack names most; null where too few are heard"),
    high=NumberOrNone,
    chance=Amount,
    pi_link=note(Amount, "the mean over recordings, whoever they are of"),
)
_APART = json_object(
    "StandingOut",
    speaker=str,
    dataset=note(str, "the same name in another dataset is somebody else"),
    attacks=note(Positive, "by how many attacks this person gives away more than the others"),
    tried=note(Positive, "how many attacks were tried on this person"),
)
CONCLUSION = json_object(
    "Answer",
    safeguard=str,
    strongest=note(str, "the attack that these data bear out as the strongest, over datasets and runs"),
    normalisation=note(Normalisation | None, "of its scores: null where they are as given"),
    dataset=str,
    run=str,
    condition=str | None,
    attacker=str,
    attacks=note(Positive, "how many were tried, normalised scores among them"),
    named=note(
        nullable(_NAMED),
        "how often it names the right person; ends of whichever attack names most; null if not known",
    ),
    named_unprotected=note(nullable(_NAMED), "the same of unprotected speech"),
    nobody_recognised=note(bool, "also without protection: nothing is shown of the safeguard"),
    most_named=note(nullable(MOST_LINKED), "whoever is named most often in that dataset"),
    most_exposed=note(nullable(MOST_EXPOSED), "over all attacks on the safeguard"),
    standing_out=note(array_of(_APART), "over all attacks, whoever stands out by most of them first"),
    d_ece_bits=float,
    interval=note(list[float] | None, "of that attack alone"),
    worst_case_log10_lr=note(float, "of the most telling single comparison, over all attacks"),
    tag=note(str, "of that comparison"),
    rank=note(int | None, "1 for the least disclosure; null for a single one, or where figures say nothing"),
    rank_low=note(int | None, "of the ranks that tested differences leave open; null where not all were"),
    rank_high=int | None,
    safeguards=note(Positive, "among how many it has its rank"),
    verdicts=note(map_of(str), "on this safeguard, by the name of the requirement"),
    sentences=list[str],
    missing=note(list[str], "what the answer lacks, and what would give it"),
)


@dataclass(frozen=True, eq=False)
class NamingRate:
    """How often the right one of so many `people` is named by a single recording, whoever is speaking; exact.

    It is the mean over people of each one's share: the mean over recordings is π_link, and weighs more
    whoever has more of them. `names` are those who are enrolled; `ranks` where they come among each other, by
    each of the ways in which several models of a person are taken together, of which the one that names most
    counts. `draws` of each have an interval at any level, `level` is the one that is asked for; None where
    fewer than three people are heard.
    """

    people: int
    names: tuple[str, ...]
    ranks: tuple[PoolRanks, ...]
    draws: tuple[FigureDraws | None, ...]
    level: float
    asked: int | None = None  # among how many somebody asked; more may be than are enrolled
    may_share_sessions: bool = False  # ids have more in common than the person, and no sessions are known

    @property
    def beyond_enrolled(self) -> str:
        """That nothing is known of so many as were asked about; empty where so many are enrolled."""
        if self.asked is None or self.asked <= self.people:
            return ""
        return say("conclusion.beyond-enrolled", asked=self.asked, people=self.people)

    @cached_property
    def leading(self) -> PoolRanks:
        """The ranks by the way that names most."""
        return max(self.ranks, key=lambda one: one.naming(len(self.names), self.people))

    @property
    def probability(self) -> float:
        """The mean over people."""
        return self.leading.naming(len(self.names), self.people)

    @property
    def pi_link(self) -> float:
        """The mean over recordings."""
        return self.leading.linkage(len(self.names), self.people)

    @property
    def chance(self) -> float:
        """What guessing reaches."""
        return self.leading.chance(len(self.names), self.people, of_people=True)

    @property
    def heard_in_words(self) -> str:
        """Of how many recordings of how many people it is the mean."""
        return say("answer.heard", **_heard_facts(self))

    @property
    def session_code(self) -> str:
        """Whether its recordings are known to be of one session of each person, or of several of some."""
        if self.leading.session is None:
            return ""
        sessions, _ = self.leading.by_session(len(self.names), self.people)
        return "-one-session" if sessions.max() == 1 else "-sessions"

    def interval(self, family: int) -> Interval | None:
        """An interval that holds at once with those of a `family` of so many attacks (Bonferroni)."""
        level = Family(family * len(self.draws), self.level).level_of_each
        return of_largest([each.interval(level) if each else None for each in self.draws])

    def most(self, family: int) -> MostLinked:
        """Who is named most often, with ends that hold at once for a family of attacks."""
        return MostLinked.of(self.names, self.leading, self.people, family * len(self.ranks))

    def as_json(self, interval: Interval | None) -> dict[str, object]:
        """Plain values, unrounded; None where there is no interval."""
        low, high = (interval.low, interval.high) if interval else (None, None)
        return object_as_json(_NAMED, self, naming_rate=self.probability, low=low, high=high)


@dataclass(frozen=True)
class StandingOut:
    """A person of a dataset who gives away more than the others, by so many of the attacks tried."""

    speaker: str
    dataset: str
    attacks: int
    tried: int

    def in_words(self, *, with_dataset: bool) -> str:
        """Who that is, and by how many attacks, if more than one was tried."""
        name = say("name.speaker", name=visible_name(self.speaker, _LONGEST_NAME))
        if with_dataset:
            name = say("name.of-dataset", name=name, dataset=visible_name(self.dataset, _LONGEST_NAME))
        if self.tried == 1:
            return name
        by = "every" if self.attacks == self.tried else "some"
        return say(f"conclusion.by-{by}", name=name, attacks=self.attacks, tried=self.tried)


@dataclass(frozen=True, eq=False)
class PeopleFigures:
    """What is known of people, by the id of their assessment, and why nothing is known of others."""

    naming: Mapping[str, NamingRate] = field(default_factory=dict)
    disclosures: Mapping[str, SpeakerDisclosures] = field(default_factory=dict)
    missing: Mapping[str, ZebraError] = field(default_factory=dict)


@dataclass(frozen=True)
class SafeguardRank:
    """The rank of a safeguard by what its strongest attacker finds, 1 for the least, among `count`.

    Between `low` and `high` lie the ranks that tested differences leave open; None where not all of them were
    tested: the strongest attacks of two safeguards may not have been made on the same trials, or by too few
    speakers, and then they cannot be. `is_shared` where another one discloses exactly as much.
    """

    place: int
    count: int
    low: int | None = None
    high: int | None = None
    can_be_tested: bool = True
    is_shared: bool = False
    speakers: int = 0  # on how many it was tested
    as_given: int | None = None  # the rank by the scores as they are given, where these were tested, too

    def __str__(self) -> str:
        facts = {"rank": self.place, "count": self.count, "low": self.low, "high": self.high}
        if self.as_given not in (None, self.place):
            return f"{self._in_words(facts)} {say('conclusion.rank-as-given', rank=self.as_given)}"
        return self._in_words(facts)

    def _in_words(self, facts: Mapping[str, object]) -> str:
        code = "untested" if self.low is None else "settled" if self.low == self.high else "open"
        least = "-least" if self.place == 1 else "-most" if self.place == self.count else ""
        least = "" if self.is_shared else least
        return say(f"conclusion.rank{least}-{code}", **facts)


@dataclass(frozen=True, eq=False)
class LeadingNaming:
    """Which of several attacks is borne out to name the right one most often, and how often.

    `interval` is of whichever names most: from the highest lower to the highest upper end of intervals that
    hold at once; None where too few people are heard. `farthest` has that upper end.
    """

    entry: Entry
    rate: NamingRate
    interval: Interval | None
    farthest: Entry
    n_attacks: int

    @classmethod
    def of(cls, named: Sequence[tuple[Entry, NamingRate]]) -> LeadingNaming | None:
        """The attack of the highest lower end; without ends that which names most often. None of none."""
        if not named:
            return None
        drawn = [(entry, one) for entry, rate in named for one in rate.draws if one is not None]
        found = simultaneous(drawn, named[0][1].level)
        ends = {
            entry.id: whole
            for entry, _ in named
            if (
                whole := of_largest([end for (one, _), end in zip(drawn, found, strict=True) if one is entry])
            )
        }

        def strength(one: tuple[Entry, NamingRate]) -> tuple[float, float]:
            own = ends.get(one[0].id)
            return own.low if own else -1.0, one[1].probability

        entry, rate = max(named, key=strength)
        if not ends:
            return cls(entry, rate, None, entry, len(named))
        anything = Interval(0.0, 1.0)  # of too few people

        def reach(one: Entry) -> tuple[float, bool]:
            return ends.get(one.id, anything).high, one is entry

        farthest = max((one for one, _ in named), key=reach)
        interval = Interval(ends[entry.id].low, reach(farthest)[0])
        return cls(entry, rate, interval, farthest, len(named))

    @property
    def is_near_guessing(self) -> bool:
        """Whether nobody is named much more often than by guessing, whatever the attack."""
        chance = self.rate.chance
        return self.interval is not None and self.interval.high <= chance + _NEAR * (1.0 - chance)

    @property
    def reaches_guessing(self) -> bool:
        """Whether guessing would name as many."""
        return self.interval is None or self.interval.low <= self.rate.chance


@dataclass(frozen=True, eq=False)
class Conclusion:
    """What is concluded about one safeguard, over all of its runs, datasets, conditions and attacks.

    `attacks` are all attacks on it, each followed by the same with normalised scores; the strongest of them
    is the answer. `entries` has the unprotected speech that it may be measured against. `people` has what
    is known of these assessments; `verdicts` are on this safeguard alone. Of `n_left_out` attacks nothing is
    told, for their sets are too small to say anything, or all of their scores are equal. `has_matrices`: of
    both sides protected there are similarity matrices. `is_of_originals`: all of its scores are those of
    unprotected speech, so that nothing is shown of it.
    """

    safeguard: str
    attacks: AttackGroup
    entries: tuple[Entry, ...]
    people: PeopleFigures
    rank: SafeguardRank | None
    verdicts: tuple[Verdict, ...]
    is_asked_about: bool = False
    n_left_out: int = 0
    has_matrices: bool = False
    is_of_originals: bool = False

    @cached_property
    def naming(self) -> LeadingNaming | None:
        """Which attack names the right one most often, as far as these data bear out; None if nobody knows.

        Of attacks among as many people as any; those among fewer stand apart.
        """
        return LeadingNaming.of(self._among_most)

    @cached_property
    def strongest(self) -> Entry:
        """The attack that these data bear out as the strongest: by naming, or by D_ECE if nobody is named."""
        return self.naming.entry if self.naming else self.attacks.strongest

    @cached_property
    def unprotected(self) -> Entry | None:
        """What it is measured against: speech of the same dataset, heard by the same recogniser if any."""
        return baseline_of(self.strongest.as_given, self.entries)

    @cached_property
    def naming_before(self) -> LeadingNaming | None:
        """How often the right one is named without protection, likewise; None where nobody knows."""
        readings = self.unprotected.readings if self.unprotected else ()
        known = [(one, self.people.naming[one.id]) for one in readings if one.id in self.people.naming]
        return LeadingNaming.of(known)

    @cached_property
    def nobody_recognised(self) -> bool:
        """Whether even without protection hardly anybody is recognised, so that nothing can be shown."""
        if (before := self.naming_before) is not None and before.interval is not None:
            return before.is_near_guessing
        interval = self._bits_before
        return interval is not None and interval.high <= _NEAR * FULL_DISCLOSURE_BITS

    @property
    def too_few_recognised(self) -> bool:
        """Whether too few are heard without protection to say that anybody is recognised at all."""
        if self.nobody_recognised:
            return False
        if (before := self.naming_before) is not None and before.interval is not None:
            return before.reaches_guessing
        return self._bits_before is not None and self._bits_before.low <= 0.0

    @property
    def _bits_before(self) -> Interval | None:
        """Of D_ECE without protection, by whichever reading of the scores."""
        if self.unprotected is None:
            return None
        return AttackGroup("", self.unprotected.name, "", self.unprotected.readings, ()).interval

    @property
    def most_telling(self) -> Entry:
        """The attack with the most telling single comparison, whose tag is that of the answer.

        Not the strongest attack by all means: one that learns less on average may tell more of somebody.
        """
        strongest = self.strongest
        return max(
            self.attacks.attacks,
            key=lambda entry: (abs(Individual.of(entry).log10_lr), entry is strongest),
        )

    @property
    def tag_in_words(self) -> str:
        """The tag of the most telling comparison; empty where nothing is shown of the safeguard."""
        is_shown = not (self.nobody_recognised or self.is_of_originals)
        return tag_in_words(self.most_telling) if is_shown else ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in the order in which it is read: people first, then averages, rank and verdicts."""
        known = (
            self.alarm_in_words,
            self.naming_in_words,
            self.person_in_words,
            self.average_in_words,
            self.single_in_words,
        )
        rank = str(self.rank) if self.rank else ""
        return tuple(filter(None, (*known, rank, *self.verdicts_in_words)))

    @property
    def alarm_in_words(self) -> str:
        """Why the figures say nothing of the safeguard; empty where they do."""
        if self.is_of_originals:
            return say("conclusion.scores-of-originals")
        if not self.nobody_recognised:
            return says_nothing_in_words(self.strongest)
        assert self.unprotected is not None  # noqa: S101 - for the type checker: somebody was listened for
        name = visible_name(_attack_name(self.unprotected), _LONGEST_NAME)
        return say("conclusion.nobody-recognised", name=name)

    @property
    def attack_in_words(self) -> str:
        """Which attack is the strongest, of how many, by whom and in which dataset."""
        entry = self.strongest
        who = say(f"conclusion.by-{entry.attacker.replace(' ', '-')}") if entry.attacker in KNOWLEDGE else ""
        if entry.attacker == in_english("attack.listeners"):
            who = say("conclusion.by-listeners")
        if not who:
            named = {"name": visible_name(entry.attack_in_words, _LONGEST_NAME)}
            who = say("conclusion.by-other", **named) if entry.attack else say("conclusion.by-unknown")
        if entry.recogniser in WITHOUT_NETWORK:
            who = say(f"conclusion.with-{WITHOUT_NETWORK[entry.recogniser]}", who=who)
        if entry.normalisation:
            who = say(f"conclusion.normalised-{entry.normalisation.value}", who=who)
        count = len(self.attacks.attacks)
        if not entry.dataset:
            return say("conclusion.attack", count=count, who=who)
        return say(
            "conclusion.attack-in",
            count=count,
            who=who,
            dataset=visible_name(entry.own_dataset, _LONGEST_NAME),
        )

    @property
    def _named(self) -> list[tuple[Entry, NamingRate]]:
        """How often somebody is named by each attack, over all datasets, the strongest attack first.

        People are judged as the scores are given: nothing where these disclose more when read otherwise.
        """
        if self.attacks.strongest.assessment.reading is not EvidenceReading.GIVEN:
            return []
        return [
            (one, self.people.naming[one.id])
            for one in self.attacks.attacks
            if one.id in self.people.naming and one.assessment.reading is EvidenceReading.GIVEN
        ]

    @property
    def _among_most(self) -> list[tuple[Entry, NamingRate]]:
        """Those among as many people as any: rates among other numbers of people are no others of these."""
        named = self._named
        most = max((rate.people for _, rate in named), default=0)
        return [one for one in named if one[1].people == most]

    @cached_property
    def most_named(self) -> tuple[Entry, MostLinked] | None:
        """Who is named most often among so many people by any attack, and by which; None if nobody knows.

        Its ends are those of whoever is named most often, by whichever attack.
        """
        known = [(entry, one.most(len(self.attacks.attacks))) for entry, one in self._among_most]
        if not known:
            return None
        found = MostLinked.over([one for _, one in known], datasets=[entry.dataset for entry, _ in known])
        entry, _ = max(known, key=lambda one: (one[1].probability, one[1].recordings))
        return entry, found

    @property
    def naming_in_words(self) -> str:
        """How often the right person is named, beside guessing and beside unprotected speech."""
        if self.strongest.assessment.reading is not EvidenceReading.GIVEN:
            return self._reading_in_words
        found = self.naming
        if found is None or self.strongest.assessment.all_scores_equal or self.is_of_originals:
            return ""
        rate, interval = found.rate, found.interval
        facts: dict[str, object] = {
            "people": rate.people,
            "share": of_hundred(rate.probability),
            "guessing": of_hundred(rate.chance),
            "before": self._before(found),
        }
        if interval is None:
            told = say("conclusion.naming", **facts)
        else:
            several = "-of-all" if found.n_attacks > 1 else ""
            sure = {"level": written(100.0 * rate.level, "g"), "attacks": found.n_attacks}
            ends = {"low": of_hundred(interval.low), "high": of_hundred(interval.high)}
            told = say(f"conclusion.naming-between{several}", **facts, **ends, **sure)
        rests = say(f"conclusion.rests-on{rate.session_code}", **_heard_facts(rate))
        return " ".join(filter(None, (told, rests, *self._beside_naming(found))))

    def _beside_naming(self, found: LeadingNaming) -> Iterator[str]:
        """What must be known beside the rate: an attack too small to say, guessing, unprotected speech."""
        if found.farthest.as_given is not found.entry.as_given and found.interval is not None:
            farthest = self.people.naming[found.farthest.id]
            name = visible_name(_with_dataset(found.farthest), _LONGEST_NAME)
            facts = {"name": name, "high": of_hundred(found.interval.high), **_heard_facts(farthest)}
            yield say("conclusion.farthest", **facts)
        if found.reaches_guessing:
            trained = any(
                KNOWLEDGE.get(entry.attacker, -1) >= KNOWLEDGE[Attacker.SEMI_INFORMED.value]
                for entry in self.attacks.attacks
            )
            yield say(f"conclusion.reaches-guessing-{'trained' if trained else 'untrained'}")
        before = self.naming_before
        if self.too_few_recognised:
            yield say("conclusion.too-few-recognised")
        elif before is not None and before.rate.probability < found.rate.probability:
            yield say(f"conclusion.better-protected-{_is_chance(found.rate, before.rate)}")
        yield from self._among_fewer(found)

    def _among_fewer(self, found: LeadingNaming) -> Iterator[str]:
        """How often people are named by attacks among fewer people, each number of them by itself."""
        others = [one for one in self._named if one[1].people != found.rate.people]
        for people in sorted({rate.people for _, rate in others}, reverse=True):
            there = LeadingNaming.of([one for one in others if one[1].people == people])
            if there is None:
                continue
            facts = {
                "people": people,
                "share": of_hundred(there.rate.probability),
                "guessing": of_hundred(there.rate.chance),
                "name": visible_name(_with_dataset(there.entry), _LONGEST_NAME),
                **_heard_facts(there.rate),
            }
            yield say("conclusion.among-fewer", **facts)

    @property
    def _reading_in_words(self) -> str:
        """That the scores tell more when they are read otherwise, and how much."""
        found = self.strongest.assessment
        share = share_of(FULL_DISCLOSURE_BITS, found.disclosed_by_reading_bits, fewer(found))
        bits = with_unit("d_ece_bits", found.disclosed_by_reading_bits, fewer(found))
        return say(f"conclusion.read-{found.reading.value}", share=share, bits=bits)

    def _before(self, found: LeadingNaming) -> str:
        """How often the right one is named without protection, in a part of a sentence.

        Beside the rate only for the same recordings of the same people among as many; else it stands apart.
        """
        known = self.naming_before
        if known is None:
            return say("conclusion.before-unknown")
        share = of_hundred(known.rate.probability)
        if known.rate.people == found.rate.people and _heard(known.rate) == _heard(found.rate):
            return say("conclusion.before", share=share)
        facts = {"share": share, "people": known.rate.people, **_heard_facts(known.rate)}
        return say("conclusion.before-apart", **facts)

    @cached_property
    def _exposed(self) -> list[tuple[Entry, SpeakerDisclosures]]:
        """What each attack finds of single people; nothing where scores disclose more when read otherwise."""
        return [
            (entry, self.people.disclosures[entry.id])
            for entry in self.attacks.attacks
            if entry.id in self.people.disclosures and entry.assessment.reading is EvidenceReading.GIVEN
        ]

    @cached_property
    def most_exposed(self) -> tuple[Entry, MostExposed] | None:
        """How exposed the most exposed person is, over all attacks, and by which; None where nobody knows."""
        datasets = [entry.dataset for entry, _ in self._exposed]
        found = MostExposed.of([one for _, one in self._exposed], datasets=datasets)
        return (self._exposed[found.number][0], found) if found else None

    @cached_property
    def standing_out(self) -> tuple[StandingOut, ...]:
        """Whoever stands out from the others by an attack, over all of them, by most attacks first."""
        tried = Counter((row.speaker, e.dataset) for e, one in self._exposed for row in one.speakers)
        apart = Counter((row.speaker, e.dataset) for e, one in self._exposed for row in one.standing_out)
        return tuple(StandingOut(*who, count, tried[who]) for who, count in apart.most_common())

    @property
    def person_in_words(self) -> str:
        """Who is most exposed, and who is named most often."""
        if self.strongest.assessment.all_scores_equal or self.is_of_originals:
            return ""
        return " ".join(filter(None, (self._named_in_words, self._exposed_in_words)))

    @property
    def people_in_words(self) -> str:
        """The same beside one of the attacks: over how many it is said."""
        facts = {"count": len(self.attacks.attacks), "name": visible_name(self.safeguard, _LONGEST_NAME)}
        told = self.person_in_words
        return say("conclusion.over-attacks", told=told, **facts) if told else ""

    def alike_exposed(self, speaker: str, dataset: str) -> int | None:
        """How many may be the most exposed: 1 if this one alone, 0 if another alone; None of nobody known."""
        if self.most_exposed is None:
            return None
        entry, found = self.most_exposed
        is_other = found.is_alone and (found.row.speaker, entry.dataset) != (speaker, dataset)
        return 0 if is_other else found.alike or found.people

    def alike_named(self, speaker: str, dataset: str) -> int | None:
        """The same of whoever is named most often."""
        if self.most_named is None:
            return None
        entry, found = self.most_named
        is_other = found.alike == 1 and (found.speaker, entry.dataset) != (speaker, dataset)
        return 0 if is_other else found.alike

    def apart_in(self, dataset: str) -> tuple[str, ...]:
        """Who stands out from the others in a dataset, by any attack, by most of them first."""
        return tuple(each.speaker for each in self.standing_out if each.dataset == dataset)

    @property
    def _named_in_words(self) -> str:
        """Who is named most often, if anybody can be told from the others; else how many cannot."""
        if self.most_named is None:
            return ""
        entry, found = self.most_named
        facts: dict[str, object] = {
            "speaker": visible_name(found.speaker, _LONGEST_NAME),
            "people": found.people,
        }
        facts |= {"share": of_hundred(found.probability), "where": self._where(entry)}
        facts |= {"low": of_hundred(found.low), "high": of_hundred(found.high)}
        facts |= {"all": len(found.each), "alike": found.alike}
        if found.alike == 1:
            return say("conclusion.most-named", count=found.recordings, **facts)
        unsure = "" if found.has_ends else "-unsure"
        if found.probability == 1.0:
            if self.people.naming[entry.id].most(1).tied < found.tied:
                facts["where"] = say("conclusion.by-one-or-another")
            return say(f"conclusion.named-every-time{unsure}", count=found.tied, **facts)
        return say(f"conclusion.named-most{unsure}", **facts)

    @property
    def _exposed_in_words(self) -> str:
        """Who is most exposed, if anybody can be told from the others, how much, and all who stand out."""
        if self.most_exposed is None:
            return ""
        entry, found = self.most_exposed
        facts: dict[str, object] = {
            "speaker": visible_name(found.row.speaker, _LONGEST_NAME),
            "where": self._where(entry),
        }
        facts |= {
            "share": share_of_one(found.row.estimate_bits),
            "bits": written(found.row.estimate_bits, ".2f"),
        }
        facts |= (
            {"low": share_of_one(found.low_bits), "high": share_of_one(found.high_bits)}
            if found.has_interval
            else {}
        )
        facts |= {"all": found.people, "alike": found.alike}
        code = "" if not found.has_interval else "-alone" if found.is_alone else "-alike"
        told = say(f"conclusion.most-exposed{code}", **facts)
        if not (apart := self.standing_out):
            is_known = any(one.chance.can_be_told for _, one in self._exposed)
            return f"{told} {say('conclusion.nobody-stands-out')}" if is_known else told
        are_many = len({entry.dataset for entry, _ in self._exposed}) > 1
        names = in_sentence([each.in_words(with_dataset=are_many) for each in apart], _MOST_APART)
        return f"{told} {say('conclusion.standing-out', count=len(apart), names=names)}"

    def _where(self, entry: Entry) -> str:
        """Under which attack that is, as an aside; empty for the strongest."""
        if entry is self.strongest:
            return ""
        name = _attack_name(entry)
        if entry.dataset != self.strongest.dataset and entry.dataset:
            name = say("name.of-dataset", name=name, dataset=entry.own_dataset)
        return say("conclusion.under", name=visible_name(name, _LONGEST_NAME))

    @property
    def average_in_words(self) -> str:
        """What the strongest attacker learns on average, of what one comparison can tell."""
        found = self.strongest.assessment
        is_told = found.reading is EvidenceReading.GIVEN and not self.is_of_originals
        if found.all_scores_equal or not is_told:
            return ""
        population = Population.of(self.strongest)
        interval = population.interval
        facts = {
            "share": population.share_in_words,
            "bits": population.in_words,
            "basis": basis_in_words([self.strongest]),
        }
        if interval is None or not interval.has_width or is_whole_scale("d_ece_bits", interval):
            return say("conclusion.average", **facts)
        ends = {"low": share_of_one(interval.low), "high": share_of_one(interval.high)}
        return say("conclusion.average-between", **facts, **ends)

    @property
    def single_in_words(self) -> str:
        """What the most telling single comparison of all attacks is worth, with its tag.

        Without an order there is none: its worth rests on one.
        """
        found = self.most_telling.assessment
        is_told = self.tag_in_words and found.reading is not EvidenceReading.UNORDERED
        if found.all_scores_equal or not is_told:
            return ""
        individual = Individual.of(self.most_telling)
        direction = "same" if individual.log10_lr >= 0.0 else "different"
        strength = abs(individual.log10_lr)
        facts = {
            "odds": odds_in_words(strength),
            "right": right_of_hundred(strength),
            "tag": self.tag_in_words,
        }
        return say(f"conclusion.single-{direction}", where=self._where(self.most_telling), **facts)

    @property
    def verdicts_in_words(self) -> tuple[str, ...]:
        """Each requirement with what came of it for this safeguard, and why; those first that are not met."""
        found = worst_first(self.verdicts)
        return tuple(visible_sentence(say("conclusion.required", told=each.line)) for each in found)

    @property
    def missing(self) -> tuple[str, ...]:
        """What the answer lacks, and what would give it, in sentences."""
        lacks = [*self._untried]
        if self.naming is not None and self.naming.rate.may_share_sessions:
            lacks.insert(1, say("conclusion.sessions-unknown"))
        if self.n_left_out:
            lacks.append(say("conclusion.too-small", count=self.n_left_out))
        if self.unprotected is None and self.strongest.condition is not None:
            lacks.append(say("conclusion.no-unprotected"))
        if (error := self.people.missing.get(self.strongest.as_given.id)) is not None:
            lacks.append(visible_sentence(say("conclusion.no-people", why=error)))
        if self.naming is not None and (beyond := self.naming.rate.beyond_enrolled):
            lacks.append(beyond)
        if self.strongest.trust is None and not self.strongest.assessment.all_scores_equal:
            lacks.append(say("conclusion.no-intervals"))
        if self.rank is not None and self.rank.low is None:
            lacks.append(say(f"conclusion.not-{'tested' if self.rank.can_be_tested else 'testable'}"))
        return tuple(lacks)

    @property
    def _untried(self) -> Iterator[str]:
        """Which attackers were not tried."""
        known = {entry.attacker for entry in self.attacks.attacks}
        conditions = {entry.condition for entry in self.attacks.attacks}
        if None in conditions:
            yield say("conclusion.no-condition")
        elif known == {Attacker.IGNORANT.value}:
            yield say("conclusion.ignorant-only")
        elif conditions == {Condition.OP}:
            yield say("conclusion.one-side-only")
        if self.has_matrices and Condition.PP not in conditions:
            yield say("conclusion.matrices-only")
        trusts = [entry.as_given.trust for entry in self.attacks.attacks]
        why = [one.not_normalised for one in trusts if one and one.not_normalised]
        for each in dict.fromkeys(map(str, why)):
            yield visible_sentence(say("conclusion.not-normalised", why=each))

    def as_json(self) -> dict[str, object]:
        """Plain values, unrounded; None where nothing is known. The keys and their order are a promise."""
        entry, rank, named = self.strongest, self.rank, self.naming
        population, before = Population.of(entry), self.naming_before
        found = population.interval
        return object_as_json(
            CONCLUSION,
            self,
            strongest=entry.full_name,
            normalisation=entry.normalisation,
            dataset=entry.dataset,
            run=entry.run,
            condition=entry.condition.value if entry.condition else None,
            attacker=entry.attacker,
            attacks=len(self.attacks.attacks),
            named=named.rate.as_json(named.interval) if named else None,
            named_unprotected=before.rate.as_json(before.interval) if before else None,
            most_named=self.most_named[1].as_json() if self.most_named else None,
            most_exposed=self.most_exposed[1].as_json() if self.most_exposed else None,
            standing_out=[object_as_json(_APART, each) for each in self.standing_out],
            d_ece_bits=population.by_reading_bits,
            interval=[found.low, found.high] if found else None,
            worst_case_log10_lr=abs(Individual.of(self.most_telling).log10_lr),
            tag=self.most_telling.assessment.reading_tag,
            rank=rank.place if rank else None,
            rank_low=rank.low if rank else None,
            rank_high=rank.high if rank else None,
            safeguards=rank.count if rank else 1,
            verdicts={each.requirement.name: each.outcome.value for each in self.verdicts},
        )


def about(found: Sequence[Conclusion], entry: Entry) -> Conclusion | None:
    """The answer for the safeguard of an assessment; None of unprotected speech, of which there is none."""
    if entry.is_original:
        return None
    return next((one for one in found if one.safeguard == entry.own_name), None)


def _attack_name(entry: Entry) -> str:
    """The name of an attack without that of the safeguard, which is the head of the answer."""
    return entry.full_name.removeprefix(entry.own_name).strip(" ,")


def _with_dataset(entry: Entry) -> str:
    """The name of an attack with its dataset, where that is known."""
    name = _attack_name(entry)
    return say("name.of-dataset", name=name, dataset=entry.own_dataset) if entry.dataset else name


def _heard(rate: NamingRate) -> dict[str, int]:
    """How many recordings there are of each person who is heard."""
    recordings, _ = rate.leading.by_person(len(rate.names), rate.people)
    return {name: n for name, n in zip(rate.names, recordings.tolist(), strict=True) if n}


def _heard_facts(rate: NamingRate) -> dict[str, object]:
    heard, (sessions, _) = _heard(rate), rate.leading.by_session(len(rate.names), rate.people)
    return {"recordings": sum(heard.values()), "heard": len(heard), "sessions": int(sessions.sum())}


def _is_chance(one: NamingRate, other: NamingRate) -> str:
    """Whether one rate lies above the other by chance, or by more: by the people who are in both.

    A test of the mean of their differences, Student's t; "open" of fewer than eight people.
    """
    shares = []
    for rate in (one, other):
        recordings, total = rate.leading.by_person(len(rate.names), rate.people)
        there = zip(rate.names, recordings.tolist(), total.tolist(), strict=True)
        shares.append({name: linked / n for name, n, linked in there if n})
    apart = np.array([shares[0][name] - shares[1][name] for name in shares[0] if name in shares[1]])
    if len(apart) < FEWEST_SPEAKERS:
        return "open"
    error = float(apart.std(ddof=1)) / math.sqrt(len(apart))
    p = float(scipy.special.stdtr(len(apart) - 1, -apart.mean() / error)) if error > 0.0 else 1.0
    return "proven" if p <= _MAY_BE_CHANCE else "chance"


def share_of_one(bits: float) -> str:
    """Bits as a share of what one comparison can tell, in whole per cent, 0 to 100."""
    return written(100.0 * min(max(bits / FULL_DISCLOSURE_BITS, 0.0), 1.0), ".0f")
