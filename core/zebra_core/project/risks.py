"""Against Opinion 05/2014: what is found for each criterion, beside guessing and as a risk above guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attributes import AttributeInference, NamedAttribute
from zebra_core.project.comparison.row import NOTHING
from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.study import MostExposed
from zebra_core.uncertainty.linking_points import PeoplePoint, above_guessing
from zebra_core.uncertainty.reidentification import MostLinked, Reidentification
from zebra_core.wording.texts import of_hundred, say, visible_name, written

_LONGEST_NAME = 40
Ends = tuple[float, float]


@dataclass(frozen=True)
class Risk:
    """A row: what was looked at, among how many, how often that succeeds, and by guessing.

    `value` is None where it was not measured, `ends` and `chance` where there are none: nobody guesses how
    much a person discloses, which is a share of all that comparisons can tell, with its `bits`.
    """

    what: str
    among: str = ""
    value: float | None = None
    ends: Ends | None = None
    chance: float | None = None
    bits: float | None = None
    is_each_end: bool = False  # the level is that of each end by itself, not of both together

    @property
    def above(self) -> tuple[float, Ends | None] | None:
        """How far it lies above guessing, and the ends of its interval alike; None where nobody guesses."""
        if self.value is None or self.chance is None:
            return None
        low, high = self.ends or (self.value, self.value)
        moved = above_guessing(low, self.chance), above_guessing(high, self.chance)
        return above_guessing(self.value, self.chance), moved if self.ends else None

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """What stands below each of `heads`, with what stands quietly below that."""
        if self.value is None:
            return (self.what, ""), ("", ""), (say("risk.not-measured"), ""), ("", ""), ("", "")
        ends = _between(self.ends)
        if ends and self.is_each_end:
            ends = say("risk.each-end", between=ends)
        if self.bits is not None:
            told = say("risk.of-all", share=of_hundred(self.value))
            bits = say("risk.bits", bits=written(self.bits, ".2f"))
            note = "; ".join(filter(None, (ends, bits)))
            return (self.what, ""), (self.among, ""), (told, note), (NOTHING, ""), (NOTHING, "")
        above, moved = self.above or (0.0, None)
        chance = of_hundred(self.chance or 0.0)
        return (
            (self.what, ""),
            (self.among, ""),
            (say("opinion.of-hundred", share=of_hundred(self.value)), ends),
            (say("opinion.of-hundred", share=chance), ""),
            (f"{of_hundred(above)} %", self._on_guessing or _between(moved)),
        )

    @property
    def _on_guessing(self) -> str:
        """What is said in the place of ends that are both 0: an attacker who guessed would do better."""
        if self.value is None or self.chance is None or self.ends is None or self.ends[1] > self.chance:
            return ""
        return say("risk.below-guessing")


def heads() -> tuple[str, ...]:
    """What stands above the columns of the table."""
    return tuple(say(f"risk.{name}") for name in ("what", "among", "often", "guessing", "above"))


def risks(
    found: Reidentification | None,
    attributes: Sequence[NamedAttribute],
    exposed: SpeakerDisclosures | None,
    people: int | None = None,
    *,
    answer: Conclusion | None = None,
    dataset: str = "",
) -> list[Risk]:
    """The rows of an attack, among so many people, by default those in question (`in_question`).

    By single recordings. Singling out is that among the nearest number of people that was looked at. None of
    the arguments need be known: what is not is told as not measured. Nobody is named whom the `answer` does
    not name, of that dataset.
    """
    rows = _not_measured()
    if found:
        most = found.most_linked(people or found.in_question)
        told = linked_most("risk.most-linked", most, answer, dataset)
        rows = _of_people(found, people or found.in_question, most, told)
    rows[2:2] = [_inferred(name, one) for name, one in attributes] or [Risk(say("risk.inference"))]
    return [*rows, *_exposed(exposed, answer, dataset)]


def linked_most(code: str, found: MostLinked, answer: Conclusion | None, dataset: str) -> str:
    """Who is linked most by an attack, or how many are every time, or cannot be told from each other."""
    if found.probability == 1.0 and found.tied > 1:
        return say(f"{code}-every-time", count=found.tied, all=len(found.each))
    return _of_one(
        code, found.speaker, found.alike, answer.alike_named(found.speaker, dataset) if answer else None
    )


def _not_measured() -> list[Risk]:
    return [Risk(say(f"risk.{name}")) for name in ("singling-out", "linking")]


def _of_people(found: Reidentification, people: int, most: MostLinked, told: str) -> list[Risk]:
    """Singling out and linking, then whoever is linked most, and the tenth that is."""
    tenth, among = found.worst_tenth(people), _people(people)
    count = len(tenth.speakers)
    rows = [
        _singled(found, people),
        _of_point("linking", _linked(found, people)),
        Risk(
            told,
            among,
            most.probability,
            (most.low, most.high),
            most.chance,
            is_each_end=True,
        ),
    ]
    if count > 1:
        what = say("risk.worst-tenth", count=count)
        ends = tenth.low, tenth.high
        rows.append(Risk(what, among, tenth.probability, ends, tenth.chance, is_each_end=True))
    return rows


def _singled(found: Reidentification, people: int) -> Risk:
    points = found.singling_out_of(found.lengths[0])
    if not points:
        return Risk(say("risk.singling-out"))
    return _of_point("singling-out", min(points, key=lambda one: (abs(one.people - people), one.people)))


def _linked(found: Reidentification, people: int) -> PeoplePoint:
    """Of the curve, or of the people who are stated; else exact, without an interval."""
    length = found.lengths[0]
    known = (*(found.among.points if found.among else ()), *found.linkage)
    ranks, n = found.heard[0], found.n_enrolled
    exact = PeoplePoint(people, length, ranks.linkage(n, people), ranks.chance(n, people))
    return next((one for one in known if (one.people, one.recordings) == (people, length)), exact)


def _of_point(code: str, point: PeoplePoint) -> Risk:
    ends = (point.interval.low, point.interval.high) if point.interval else None
    return Risk(say(f"risk.{code}"), _people(point.people), point.probability, ends, point.chance)


def _inferred(name: str, found: AttributeInference) -> Risk:
    what = say("risk.inference-of", name=visible_name(name, _LONGEST_NAME))
    if found.recogniser is None:
        return Risk(what)
    recall = found.recogniser.unweighted_average_recall
    ends = (recall.interval.low, recall.interval.high) if recall.interval else None
    return Risk(what, say("risk.values", count=len(found.values)), recall.value, ends, recall.chance)


def _exposed(exposed: SpeakerDisclosures | None, answer: Conclusion | None, dataset: str) -> list[Risk]:
    if exposed is None or not len(exposed):
        return []
    found = MostExposed.of([exposed])
    assert found is not None  # noqa: S101 - for the type checker: there are speakers
    ends = (_share(found.low_bits), _share(found.high_bits)) if found.has_interval else None
    bits, speaker = found.row.estimate_bits, found.row.speaker
    answered = answer.alike_exposed(speaker, dataset) if answer else None
    what = _of_one("risk.most-exposed", speaker, found.alike or found.people, answered)
    return [Risk(what, NOTHING, _share(bits), ends, bits=bits)]


def _of_one(code: str, speaker: str, alike: int, answered: int | None) -> str:
    """Who that is, or one of how many who cannot be told from each other, here and over all attacks.

    Nobody in particular where the answer names somebody else: `answered` is 0.
    """
    if alike > 1 or (answered or 0) > 1:
        return say(f"{code}-alike", count=max(alike, answered or 0))
    if answered == 0:
        return say(f"{code}-nobody")
    return say(code, name=visible_name(speaker, _LONGEST_NAME))


def _share(bits: float) -> float:
    return min(max(bits / FULL_DISCLOSURE_BITS, 0.0), 1.0)


def _people(count: int) -> str:
    return say("risk.people", count=count)


def _between(ends: Ends | None) -> str:
    if ends is None:
        return ""
    return say("uncertainty.between", low=of_hundred(ends[0]), high=of_hundred(ends[1]))
