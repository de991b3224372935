"""What a requirement comes to for every single person, not for the mean: exposure, and being linked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.requirements.figures import D_ECE, MOST_EXPOSED
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.verdict import RowVerdict, VerdictOutcome
from zebra_core.speakers.exposure import FEWEST_SPEAKERS
from zebra_core.speakers.standing_out import FEWEST_SEGMENTS
from zebra_core.uncertainty.everybody_bounds import (
    EverybodysBounds,
    ExposureBounds,
    LinkageBounds,
    PeopleBounds,
)
from zebra_core.uncertainty.one_sided import MOST_TIMES
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.wording.texts import say, written


def row_of_everybody(asked: Requirement, entry: Entry, count: int) -> RowVerdict:
    """Met where the bound of each person holds, and not met where somebody lies beyond.

    `count` rows are tested together. Nothing is met while of somebody too little is known to say.
    """
    name, people = name_with_dataset(entry), entry.trust.people if entry.trust else None
    found = _bounds(asked, people)
    if found is None or (isinstance(found, ExposureBounds) and not found.are_enough.any()):
        told, why = "" if people is None else say("word.not-measurable"), _why_unknown(asked, entry, people)
        outcome = VerdictOutcome.NOT_DECIDED
        return RowVerdict(entry.id, name, outcome, told, reasons=(why,), is_awaited=people is None)
    assert asked.confidence is not None  # noqa: S101 - for the type checker: it has bounds
    bound, n = float(asked.bound), len(found.recordings)
    of_linking = isinstance(found, LinkageBounds)
    each = Family(n * count if of_linking else count, asked.confidence).level_of_each
    value, high, low = (
        float(one.max()) for one in (found.value, found.upper(asked.confidence), found.lower(each))
    )
    words = asked.of.in_words
    facts = {"value": words(value), "confidence": written(100.0 * asked.confidence, "g"), "people": n}
    row = RowVerdict(
        entry.id, name, VerdictOutcome.NOT_DECIDED, "", value, low, high, high - bound, n_speakers=n
    )
    if high <= bound:
        row = replace(row, finding=say("verdict.everybody", **facts, bound=words(high)))
        lacks = _too_little(found, entry)
        return replace(row, reasons=lacks) if lacks else replace(row, outcome=VerdictOutcome.MET)
    if low > bound:
        code = "somebody" if of_linking else "most-exposed-beyond"
        beyond = _n_beyond(found, bound, asked.confidence, count) if isinstance(found, LinkageBounds) else 1
        finding = say(f"verdict.{code}", **facts, count=beyond, bound=words(low))
        return replace(row, outcome=VerdictOutcome.NOT_MET, finding=finding, excess=low - bound)
    finding = say("verdict.highest-open", **facts, low=words(low), high=words(high))
    reasons = _too_little(found, entry)
    open_ones = (found.upper(asked.confidence) > bound) & (found.lower(each) <= bound)
    if isinstance(found, ExposureBounds):
        open_ones &= found.are_enough
    if open_ones.any():
        needed = float(found.recordings_needed(bound, asked.confidence, each)[open_ones].max())
        code = f"verdict.{_unit(entry)}"
        is_known = math.isfinite(needed)
        reasons += (say(code, count=int(needed)) if is_known else say(f"{code}-never", times=MOST_TIMES),)
    return replace(row, finding=finding, reasons=reasons)


def _unit(entry: Entry) -> str:
    """What is counted of each person."""
    return "recordings" if entry.sessions is None else "sessions"


def _too_little(found: EverybodysBounds, entry: Entry) -> tuple[str, ...]:
    """Of how many people too little is known to say, and what would tell it; nothing of nobody."""
    if isinstance(found, LinkageBounds):
        return (say("verdict.incomplete", count=found.n_unknown),) if found.n_unknown else ()
    few = int(np.count_nonzero(~found.are_enough))
    facts = {"count": few, "people": len(found.recordings), "fewest": FEWEST_SEGMENTS}
    return (say(f"verdict.few-{_unit(entry)}", **facts),) if few else ()


def _bounds(asked: Requirement, people: PeopleBounds | None) -> EverybodysBounds | None:
    if people is None:
        return None
    return people.exposure if asked.figure == MOST_EXPOSED else people.linkage_among(asked.detail.people)


def _why_unknown(asked: Requirement, entry: Entry, people: PeopleBounds | None) -> str:
    among, enrolled = asked.detail.people, people.n_enrolled if people else None
    if people is None or (among is not None and enrolled is not None and among <= enrolled):
        return say("verdict.no-people")
    if among is not None and enrolled is not None:
        return say("verdict.more-people", count=enrolled, people=among)
    drawn = entry.trust.uncertainty if entry.trust else None
    if drawn and drawn.unit is not ResamplingUnit.SPEAKER:
        return say("verdict.speakers-unknown")
    if asked.figure != MOST_EXPOSED:
        return say("verdict.linkage-unknown")
    if drawn and drawn.n_clusters < FEWEST_SPEAKERS:
        return say("verdict.few-of-everybody", count=drawn.n_clusters, fewest=FEWEST_SPEAKERS)
    code = "unknown" if entry.sessions is None else "of-sessions"
    return say(f"verdict.people-{code}", fewest=FEWEST_SEGMENTS)


def _n_beyond(found: LinkageBounds, bound: float, confidence: float, count: int) -> int:
    """How many people lie beyond the bound, step by step (Holm 1979)."""
    p = np.sort(found.p_above(bound))
    level = (1.0 - confidence) / count / np.arange(len(p), 0, -1)
    return int(np.argmax(np.append(p > level, True)))


def held_against_each(found: RowVerdict, entry: Entry, trust: AssessmentTrust) -> RowVerdict:
    """What others bear out: not met while somebody stands out, and never met where nobody can tell.

    Others can bear out nothing about somebody unlike them: the bound holds whatever becomes of that person.
    """
    people = trust.people
    apart = people.n_apart if people else None
    if not apart:
        is_open = [say("verdict.standing-out-open")] if apart is None else []
        few = _too_little(people.exposure, entry) if people and people.exposure else ()
        but = " ".join([*is_open, *few])
        if not but or found.outcome is not VerdictOutcome.MET:
            return found
        told = say("verdict.but", told=found.finding, objection=but)
        return replace(found, outcome=VerdictOutcome.NOT_DECIDED, finding=told)
    sentence = say("verdict.standing-out", count=apart, all=trust.uncertainty.n_clusters)
    return replace(
        found, outcome=VerdictOutcome.NOT_MET, finding=sentence, excess=math.inf, is_open=False, reasons=()
    )


def held_against_means(found: RowVerdict, asked: Requirement, people: PeopleBounds | None) -> RowVerdict:
    """A mean that would be met: not decided while it hides somebody who stands out, or where nobody can tell.

    More speakers do not change that. Of D_ECE, which has the scale of exposure, only where somebody who
    stands out lies beyond its bound.
    """
    if found.outcome is not VerdictOutcome.MET and not (found.is_open and people):
        return found
    if people is None or people.bits_apart is None:
        but = say("verdict.no-people" if people is None else "verdict.mean-may-hide")
    elif not len(people.bits_apart) or (
        asked.figure == D_ECE and asked.is_upper and people.bits_apart.max() <= float(asked.bound)
    ):
        return found
    else:
        facts = {"all": found.n_speakers, "bits": written(float(people.bits_apart.max()), ".2f")}
        but = say("verdict.mean-hides", count=len(people.bits_apart), **facts)
    if found.is_open:
        return found.not_by_more(but)
    told = say("verdict.but", told=found.finding, objection=but)
    return replace(found, outcome=VerdictOutcome.NOT_DECIDED, finding=told, is_awaited=people is None)
