"""What a requirement on utility comes to: word errors, emotions and ratings, over those who speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zebra_core.project.items import Entry, SpeechKey, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.requirements.figures import RATING, UAR, WER
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.utility import Utility
from zebra_core.project.verdicts.bounded_row import bounded_row, decided
from zebra_core.project.verdicts.verdict import RowVerdict, VerdictOutcome
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.bounded import BoundedFigure
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.ratio import ratio_draws
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import say

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
