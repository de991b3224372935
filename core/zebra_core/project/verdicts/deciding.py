"""From a project and what it requires to verdicts: row by row, with one-sided bounds over speakers.

All rows must hold, so that "met" needs each at its own level and no correction: where a requirement is not
fulfilled by some row, it is called met only if the bound of that very row misses, at most as often as its
level says. "Not met" needs but one row beyond, and is corrected for their number (Bonferroni).
Ref: Berger 1982, "Multiparameter hypothesis testing and acceptance sampling" (intersection-union tests).

What a requirement on utility comes to: word errors, emotions and ratings, over those who speak.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import scipy

from zebra_core.intake.streaming.counting import STREAMED
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.checks.checklist import NORMALISED, REFUSING, checklist
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckOutcome
from zebra_core.project.group_differences import KnownDifference, known_differences
from zebra_core.project.items import Entry, Item, SpeechKey, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.requirements.figures import (
    INFERENCE,
    OF_OTHERS,
    PI_SING,
    RATING,
    TAG,
    UAR,
    WER,
    RequirableOf,
    rank_of,
)
from zebra_core.project.requirements.requirement import Requirement, matches
from zebra_core.project.utility import Utility
from zebra_core.project.verdicts.verdict import (
    RowVerdict,
    Verdict,
    VerdictOutcome,
    held_against_each,
    held_against_means,
    row_of_everybody,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.uncertainty.intervals import Interval, most_errors
from zebra_core.uncertainty.linking_points import above_guessing
from zebra_core.uncertainty.one_sided import (
    FEWEST_DRAWS,
    PeopleBounds,
    Spread,
    confidence_of_each,
    more_speakers,
    one_sided,
)
from zebra_core.uncertainty.ratio import ratio_draws
from zebra_core.uncertainty.resampling import BoundedFigure, FigureDraws, ResamplingUnit
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import say, written

FEWEST_FALSE_ALARMS = 3
"""Where fewer are allowed than that, hits are too many, and bounds were measured not to keep their level."""

UNTESTED = "attackers-untested"
"""An attacker who knows more found less, and without intervals nobody can say whether that is chance."""

Objections = Mapping[str, tuple[str, ...]]
"""Sentences, by the id of the item that they speak against."""


def objections(project: Project) -> Objections:
    """What speaks against each item: nothing to be found, a weaker attacker, another reading.

    A recogniser must be shown to work: where it fails on unprotected speech, or where no such speech shows
    that it does, little disclosure says nothing about the safeguard. That speaks against the matrices of that
    speech, too. Constant scores, of which nothing can be learnt, show no safeguard either.
    """
    found: dict[str, list[str]] = {}
    for entry in project.entries:
        if len(entry.assessment.counts.score) == 1:
            found[entry.id] = [say("verdict.constant-scores")]
    for line in checklist(project):
        if line.check not in REFUSING:
            continue
        for case in line.cases:
            if _speaks_against(line.check, case):
                too = _matrices(project, case) if line.check is Check.RECOGNISER else []
                for item_id in (*case.entry_ids, *too):
                    found.setdefault(item_id, []).append(str(case))
    return {item_id: tuple(dict.fromkeys(sentences)) for item_id, sentences in found.items()}


def _speaks_against(check: Check, case: CheckedCase) -> bool:
    if check is Check.RECOGNISER:
        return case.outcome is not CheckOutcome.PASSED
    return (case.outcome is CheckOutcome.FAILED and case.code != NORMALISED) or case.code == UNTESTED


def _matrices(project: Project, case: CheckedCase) -> list[str]:
    """The similarity matrices of the datasets that a case is about, by their ids."""
    datasets = {entry.dataset for entry in project.entries if entry.id in case.entry_ids}
    return [item.id for item in project.similarities if item.dataset in datasets]


def verdicts(
    project: Project,
    requirements: Sequence[Requirement] | None = None,
    against: Objections | None = None,
) -> tuple[Verdict, ...]:
    """What comes of the requirements of a project, or of others, from the intervals it has.

    `against` says why what would be met is not decided; by default what `objections` finds.
    """
    asked = project.requirements if requirements is None else requirements
    if not asked:
        return ()
    speaks_against = objections(project) if against is None else against
    return tuple(verdict_of(project, each, speaks_against) for each in asked)


def verdict_of(project: Project, asked: Requirement, against: Objections) -> Verdict:
    """What comes of one requirement."""
    in_scope, others = _of_group(asked, asked.scope.of(project.entries))
    by_id = {reading.id: reading for entry in in_scope for reading in entry.readings}

    def held(row: RowVerdict) -> RowVerdict:
        """The row beside all that speaks against it."""
        entry = by_id.get(row.entry_id)
        given = row.entry_id if entry is None else entry.as_given.id
        if asked.of.is_of is not RequirableOf.SPEECH:  # what is kept of speech is so whoever attacks
            row = _objected(row, against.get(given, ()))
        trust = entry.as_given.trust if entry else None
        is_drawn = asked.of.is_resampled and asked.of.is_of is not RequirableOf.SPEECH
        if row.outcome is VerdictOutcome.MET and is_drawn and trust and not trust.tried_normalised:
            return _awaited(row.entry_id, row.name)  # measured before scores were normalised
        people = _people(entry) if entry else None
        if asked.of.is_resampled and asked.of.is_of_disclosure and not asked.no_worse_than:
            row = held_against_means(row, asked, people)
        return _of_these_people(row, asked, people)

    if asked.of.is_of_matrices:
        rows = [held(_on_these_trials(asked, item)) for item in asked.in_scope(project.items)]
    elif asked.no_worse_than:
        rows = [held(row) for row in _compared(project, asked, in_scope)]
    elif asked.of.is_of is RequirableOf.SPEECH:
        rows = [held(row) for row in rows_of_speech(project, asked, in_scope)]
    else:
        judge = _judge(asked, list(by_id.values()))
        rows = [_worst([held(judge(reading)) for reading in entry.readings], entry) for entry in in_scope]
    return Verdict(asked, (*rows, *map(held, others)))


def _judge(asked: Requirement, attacks: Sequence[Entry]) -> Callable[[Entry], RowVerdict]:
    """What makes a row of each of these attacks, which are judged together."""
    if asked.of.is_of_people:
        return lambda entry: row_of_everybody(asked, entry, len(attacks))
    if not asked.of.is_resampled:
        return partial(_on_these_trials, asked)
    drawn = [
        entry
        for entry in attacks
        if not _is_to_be_drawn(asked, entry) and not _why_without_bounds(asked, entry)
    ]
    return lambda entry: _resampled(asked, entry, _together(asked, entry, drawn))


def _worst(rows: Sequence[RowVerdict], entry: Entry) -> RowVerdict:
    """The row of an assessment: of all readings of its scores the worst one for what is required.

    Not met before not decided before met, then that which lies farthest beyond, then the scores as given.
    """
    order = (VerdictOutcome.MET, VerdictOutcome.NOT_DECIDED, VerdictOutcome.NOT_MET)

    def beyond(row: RowVerdict) -> tuple[int, float]:
        return order.index(row.outcome), -math.inf if math.isnan(row.excess) else row.excess

    return replace(max(rows, key=beyond), entry_id=entry.id)


def _together(asked: Requirement, entry: Entry, drawn: Sequence[Entry]) -> float:
    """For how many tests a row is corrected: those of all assessments, and of readings of the same scores.

    Draws of one assessment are pairs, so that readings that go up and down together count for little.
    """
    alike = [
        found.draws
        for one in drawn
        if one.as_given.id == entry.as_given.id
        and one.trust
        and (found := _bounded_of(one.trust, asked))
        and found.draws
    ]
    if not alike:
        return 1.0
    assert asked.confidence is not None  # noqa: S101 - for the type checker: it has bounds
    count = len({one.as_given.id for one in drawn})
    level = Family(count, asked.confidence).level_of_each
    return count * (1.0 - level) / (1.0 - confidence_of_each(alike, level))


def _of_group(asked: Requirement, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], list[RowVerdict]]:
    """The assessments of the group that is meant, in the place of the whole; rows where there is none."""
    group = asked.detail.group
    if not group:
        return tuple(entries), []
    found: list[Entry] = []
    others: list[RowVerdict] = []
    for entry in entries:
        trust = entry.trust.groups.get(group) if entry.trust else None
        if isinstance(trust, AssessmentTrust):
            found.append(replace(entry, trials=None, assessment=trust.figures, measured=trust))
            continue
        name = name_with_dataset(entry)
        if trust is None:
            others.append(_awaited(entry.id, name))
            continue
        words = asked.of.in_words(None)
        others.append(RowVerdict(entry.id, name, VerdictOutcome.NOT_DECIDED, words, reasons=(str(trust),)))
    return tuple(found), others


def _awaited(entry_id: str, name: str) -> RowVerdict:
    """The row of what has no intervals yet."""
    why = say("verdict.no-intervals")
    return RowVerdict(entry_id, name, VerdictOutcome.NOT_DECIDED, "", reasons=(why,), is_awaited=True)


def _people(entry: Entry) -> PeopleBounds | None:
    """What every single person discloses; of counted trials nobody can tell who stands out."""
    found = entry.trust.people if entry.trust else None
    is_counted = any(remark.code == STREAMED for remark in entry.assessment.remarks_on_files)
    return PeopleBounds(None, (), None) if found is None and is_counted else found


def _objected(row: RowVerdict, sentences: Sequence[str]) -> RowVerdict:
    """Not decided where it would be met and something speaks against it; more speakers do not change that."""
    if row.is_open and sentences:
        return row.not_by_more(*sentences)
    if row.outcome is not VerdictOutcome.MET or not sentences:
        return row
    but = say("verdict.but", told=row.finding, objection=" ".join(sentences))
    return replace(row, outcome=VerdictOutcome.NOT_DECIDED, finding=but)


def _of_these_people(row: RowVerdict, asked: Requirement, people: PeopleBounds | None) -> RowVerdict:
    """What is met with a confidence, with how many people outside the sample may be exposed all the same."""
    if row.outcome is not VerdictOutcome.MET or asked.confidence is None or row.n_speakers is None:
        return row
    share = written(100.0 * most_errors(row.n_speakers, asked.confidence), ".2g")
    facts = {"count": row.n_speakers, "share": share, "confidence": written(100.0 * asked.confidence, "g")}
    told = say("verdict.of-these-some" if people and people.n_apart else "verdict.of-these", **facts)
    return replace(row, reasons=(*row.reasons, told))


def _resampled(asked: Requirement, entry: Entry, count: float) -> RowVerdict:
    name = name_with_dataset(entry)
    if _is_to_be_drawn(asked, entry):
        return _awaited(entry.id, name)
    if why := _why_without_bounds(asked, entry):
        value = asked.value_in(entry.assessment)
        return RowVerdict(
            entry.id, name, VerdictOutcome.NOT_DECIDED, asked.of.in_words(value), value, reasons=(why,)
        )
    trust = entry.trust
    assert trust is not None  # noqa: S101 - for the type checker
    figure = _bounded_of(trust, asked)
    assert figure is not None and figure.draws is not None  # noqa: S101, PT018 - for the type checker
    found = decided(asked, bounded_row(asked, entry.id, name, figure, count), count)
    return held_against_each(found, entry, trust) if asked.figure == OF_OTHERS else found


def draws_of(trust: AssessmentTrust, asked: Requirement) -> FigureDraws | None:
    """The draws of the figure that is required; None where there are none."""
    found = _bounded_of(trust, asked)
    return found.draws if found else None


def _bounded_of(trust: AssessmentTrust, asked: Requirement) -> BoundedFigure | None:
    if asked.of.is_drawn_when_required:
        return trust.bounded.get(asked.draws_key)
    draws = trust.uncertainty.figures.get(asked.draws_key)
    return BoundedFigure(draws) if draws else None


def _is_to_be_drawn(asked: Requirement, entry: Entry) -> bool:
    """Whether there are no bounds of a figure because they have not been computed."""
    trust = entry.trust
    if trust is None:
        return True
    is_of_speakers = trust.uncertainty.unit is ResamplingUnit.SPEAKER
    return is_of_speakers and asked.of.is_drawn_when_required and _bounded_of(trust, asked) is None


def _why_without_bounds(asked: Requirement, entry: Entry) -> str:
    """Why there cannot be bounds of a figure, in a sentence; empty where there are or may be."""
    trust = entry.trust
    if trust is None:
        return ""
    if trust.uncertainty.unit is not ResamplingUnit.SPEAKER:
        return say("verdict.speakers-unknown")
    alarms = asked.detail.false_alarms
    if alarms is not None and (n := entry.assessment.n_nontarget) * alarms < FEWEST_FALSE_ALARMS:
        return say("verdict.few-false-alarms", count=n, fewest=math.ceil(FEWEST_FALSE_ALARMS / alarms))
    found, is_drawn_here = _bounded_of(trust, asked), asked.of.is_drawn_when_required
    if found is None or found.draws is None or not (is_drawn_here or _is_there(asked, entry)):
        return str(found.why) if found and found.why else say("verdict.not-measurable")
    return _why_too_few(found.draws, trust.uncertainty.n_fewest)


def _is_there(asked: Requirement, entry: Entry) -> bool:
    return asked.value_in(entry.assessment) is not None


def _why_too_few(draws: FigureDraws, n_fewest: int) -> str:
    n, count = min(n_fewest, draws.n_clusters), len(draws.draws)
    if n < FEWEST_SPEAKERS:
        return say("verdict.few-speakers", count=n, fewest=FEWEST_SPEAKERS)
    return say("verdict.few-draws", count=count, fewest=FEWEST_DRAWS) if count < FEWEST_DRAWS else ""


def _on_these_trials(asked: Requirement, item: Item) -> RowVerdict:
    """By the figure as it is: nothing is said of other trials."""
    found, name = item.figures, name_with_dataset(item)
    assert isinstance(found, Assessment | VoiceSimilarity)  # noqa: S101 - for the type checker
    value = asked.value_in(found)
    excess = _excess(asked, found, value)
    if excess is None:
        why = say("verdict.not-measurable")
        return RowVerdict(
            item.id, name, VerdictOutcome.NOT_DECIDED, asked.of.in_words(value), value, reasons=(why,)
        )
    sentence = say("verdict.on-these-trials", value=asked.of.in_words(value))
    outcome = VerdictOutcome.MET if excess <= 0.0 else VerdictOutcome.NOT_MET
    return RowVerdict(item.id, name, outcome, sentence, value, excess=excess)


def _excess(
    asked: Requirement, found: Assessment | VoiceSimilarity, value: float | str | None
) -> float | None:
    """By how much a figure lies beyond its bound; None where nobody can say."""
    if asked.figure == TAG and isinstance(found, Assessment):
        scale = found.settings.tag_scale
        here, there = rank_of(scale, str(value)), rank_of(scale, str(asked.bound))
        beyond = None if here is None or there is None else float(here - there)
    else:
        beyond = None if value is None else float(value) - float(asked.bound)
    return -beyond if beyond is not None and not asked.is_upper else beyond


def _compared(project: Project, asked: Requirement, in_scope: Sequence[Entry]) -> list[RowVerdict]:
    """Each in scope against every safeguard it must not be worse than, in its own group."""
    known = known_differences(project.settled, asked.of.key)
    pairs = [(entry, other) for entry in in_scope for other in _others(project, asked, entry)]
    tested = sum(_usable(known.get((entry.id, other.id))) for entry, other in pairs)
    rows = [_against(asked, entry, other, known.get((entry.id, other.id)), tested) for entry, other in pairs]
    alone = {entry.id for entry in in_scope} - {entry.id for entry, _ in pairs}
    for entry in in_scope:
        if entry.id in alone and asked.no_worse_than != entry.name:
            why = say("verdict.no-pair")
            rows.append(RowVerdict(entry.id, name_with_dataset(entry), VerdictOutcome.NOT_DECIDED, why))
    return rows if project.settled else [replace(row, is_awaited=bool(pairs)) for row in rows]


def _others(project: Project, asked: Requirement, entry: Entry) -> list[Entry]:
    """The safeguards it is held against: of its dataset, condition and attacker, and not itself."""
    return [
        other
        for other in project.entries
        if other.name != entry.name
        and matches(asked.no_worse_than, other.name)
        and (other.dataset, other.condition, other.attack) == (entry.dataset, entry.condition, entry.attack)
    ]


def _usable(known: KnownDifference | None) -> bool:
    return known is not None and not known[0].has_too_few


def _against(
    asked: Requirement, entry: Entry, other: Entry, known: KnownDifference | None, count: int
) -> RowVerdict:
    """By how much it is worse than the other, on paired draws: one test of a difference."""
    name = say("verdict.against", name=name_with_dataset(entry), other=other.name)
    if known is None or not _usable(known):
        why = say("verdict.not-compared")
        if known is not None:
            why = say("verdict.few-speakers", count=known[0].n_clusters, fewest=FEWEST_SPEAKERS)
        return RowVerdict(entry.id, name, VerdictOutcome.NOT_DECIDED, why)
    assert asked.confidence is not None  # noqa: S101 - for the type checker: what is paired is resampled
    difference, sign = known
    worse = sign * (1.0 if asked.of.worse_is_more else -1.0)
    n, error = difference.n_clusters, error_of(difference)
    value = worse * difference.value

    def at(confidence: float) -> Interval:
        half = float(scipy.special.stdtrit(n - 1, confidence)) * error
        return Interval(value - half, value + half)

    row = BoundedRow(
        entry.id,
        name,
        value,
        at(asked.confidence),
        at(Family(max(1, count), asked.confidence).level_of_each),
        Spread.of_difference(value, error, n),
        n,
        float(asked.bound),
    )
    return decided(asked, row, count)


def error_of(difference: Difference) -> float:
    """The standard error that its interval, which is Student's, was made of."""
    half = (difference.interval.high - difference.interval.low) / 2.0
    t = float(scipy.special.stdtrit(difference.n_clusters - 1, 0.5 + difference.family.level_of_each / 2.0))
    return half / t if math.isfinite(half) else math.inf


Known = Mapping[SpeechKey, Utility]


def rows_of_speech(project: Project, asked: Requirement, in_scope: Sequence[Entry]) -> list[RowVerdict]:
    """A row for each speech in scope, whoever attacks it, which is the first assessment of it."""
    first = {entry.speech: entry for entry in reversed(in_scope)}
    entries = [entry for entry in in_scope if first[entry.speech] is entry]
    count = sum(_has_bounds(asked, project.utilities, entry) for entry in entries)
    return [_row(asked, project.utilities, entry, count) for entry in entries]


def _row(asked: Requirement, utilities: Known, entry: Entry, count: int) -> RowVerdict:
    value, by_speaker = _found(asked, utilities.get(entry.speech, Utility()))
    name = name_with_dataset(entry)
    if not _has_bounds(asked, utilities, entry):
        facts = {"count": len(by_speaker), "fewest": FEWEST_SPEAKERS}
        why = say("verdict.speech-unknown" if value is None else "verdict.speech-of-nobody", **facts)
        if value is not None and by_speaker:
            why = say("verdict.few-speakers", **facts)
        words = asked.of.in_words(value)
        return RowVerdict(entry.id, name, VerdictOutcome.NOT_DECIDED, words, value, reasons=(why,))
    draws = _draws(asked, utilities[entry.speech], entry)
    figure = BoundedFigure(draws)
    return decided(asked, bounded_row(asked, entry.id, name, figure, count), count)


def _draws(asked: Requirement, known: Utility, entry: Entry) -> FigureDraws:
    settings = entry.trust.uncertainty.settings if entry.trust else BootstrapSettings()
    if asked.figure == RATING:
        sums = known.listening[RatingQuestion(asked.detail.question)].by_speaker
        return ratio_draws(sums, settings, asked.of.lowest, asked.of.highest, is_rate=False)
    draws = known.draws(asked.figure, settings)
    assert draws is not None  # noqa: S101 - only asked where enough speakers are known
    return draws


def _has_bounds(asked: Requirement, utilities: Known, entry: Entry) -> bool:
    return len(_found(asked, utilities.get(entry.speech, Utility()))[1]) >= FEWEST_SPEAKERS


def _found(asked: Requirement, known: Utility) -> tuple[float | None, Sequence[object]]:
    """The figure, and what is known for each speaker; nothing where these are not known."""
    if asked.figure == WER:
        return known.wer, known.words.by_speaker if known.words and known.wer is not None else ()
    if asked.figure == UAR:
        return known.uar, known.emotions.by_speaker if known.emotions else ()
    ratings = known.listening.get(RatingQuestion(asked.detail.question))
    return (None, ()) if ratings is None else (ratings.lower_mean, ratings.by_speaker)


# A row of a verdict by its one-sided bounds: whether they lie within what is required.


@dataclass(frozen=True)
class BoundedRow:
    """One row that has bounds: the figure or difference, and what is said and simulated of it."""

    entry_id: str
    name: str
    value: float
    within: Interval  # at the confidence
    beyond: Interval  # at that corrected for the rows
    spread: Spread
    n_speakers: int
    limit: float  # the bound on the scale of the draws


def decided(asked: Requirement, row: BoundedRow, count: float) -> RowVerdict:
    """Met, not met, or open; the level is that of `count` tests together, as far as they are not alike."""
    assert asked.confidence is not None  # noqa: S101 - for the type checker: it has bounds
    bound, is_upper = float(asked.bound), asked.is_upper
    nearest, farthest = (row.within.high, row.beyond.low) if is_upper else (row.within.low, row.beyond.high)
    side = 1.0 if is_upper else -1.0
    nearest_excess, farthest_excess = side * (nearest - bound), side * (farthest - bound)
    words = asked.of.difference_in_words if asked.no_worse_than else asked.of.in_words
    facts = {"value": words(row.value), "confidence": written(100.0 * asked.confidence, "g")}
    made = RowVerdict(
        row.entry_id,
        row.name,
        VerdictOutcome.NOT_DECIDED,
        "",
        row.value,
        row.beyond.low if is_upper else row.within.low,
        row.within.high if is_upper else row.beyond.high,
        n_speakers=row.n_speakers,
    )
    if nearest_excess <= 0.0:
        sentence = say(f"verdict.bound-{'upper' if is_upper else 'lower'}", **facts, bound=words(nearest))
        return replace(made, outcome=VerdictOutcome.MET, finding=sentence, excess=nearest_excess)
    if farthest_excess > 0.0:
        code = f"verdict.bound-{'lower' if is_upper else 'upper'}{'-corrected' if count > 1 else ''}"
        sentence = say(code, **facts, bound=words(farthest))
        return replace(made, outcome=VerdictOutcome.NOT_MET, finding=sentence, excess=farthest_excess)
    low, high = row.within.low, row.within.high
    sentence = say("verdict.open", **facts, low=words(low), high=words(high))
    if asked.figure == OF_OTHERS:  # it grows with the number of speakers: more of them decide nothing
        return replace(made, finding=sentence, excess=nearest_excess, reasons=(say("verdict.more-grows"),))
    more = more_speakers(
        row.spread,
        row.limit,
        met_at=asked.confidence,
        missed_at=Family(max(1, count), asked.confidence).level_of_each,
        is_upper=is_upper,
    )
    return replace(made, finding=sentence, excess=nearest_excess, is_open=True, more=more)


def bounded_row(
    asked: Requirement, row_id: str, name: str, figure: BoundedFigure, count: float
) -> BoundedRow:
    """A row whose bounds are made of these draws, on the scale of what is required."""
    draws, confidence = figure.draws, asked.confidence
    assert draws is not None and confidence is not None  # noqa: S101, PT018 - for the type checker
    within = one_sided(draws, confidence)
    beyond = one_sided(draws, Family(max(1, count), confidence).level_of_each)
    value = min(max(draws.corrected, within.low), within.high)
    shown = partial(_as_required, asked, chance=figure.chance)
    limit, chance = float(asked.bound), figure.chance
    if asked.figure == INFERENCE and chance is not None:
        limit = chance + limit * (1.0 - chance)
    return BoundedRow(
        row_id,
        name,
        shown(value),
        Interval(shown(within.low), shown(within.high)),
        Interval(shown(beyond.low), shown(beyond.high)),
        Spread.of(draws),
        draws.n_clusters,
        limit,
    )


def _as_required(asked: Requirement, value: float, chance: float | None) -> float:
    """A value as it is required: an inference above guessing, singling out from guessing upwards.

    An attacker may ignore the scores: less than guessing reaches is no protection.
    """
    if chance is None or asked.figure not in (INFERENCE, PI_SING):
        return value
    return above_guessing(value, chance) if asked.figure == INFERENCE else max(value, chance)
