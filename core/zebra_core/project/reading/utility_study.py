"""Word errors, emotions and ratings of files, with intervals over speakers: what `zebra utility` finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark, Severity
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.trials import FloatArray, ScoreCounts
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.formats.attributes import pairs_of
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.tables.columns import read_text
from zebra_core.intake.transcript_files import TranscriptSide, how_read, read_transcripts
from zebra_core.metrics.chance.seeds import Purpose, draw, generator
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.project.utility import Utility
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval, percentile
from zebra_core.uncertainty.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS
from zebra_core.utility.emotions import Emotions, emotions
from zebra_core.utility.listening import (
    LOWEST,
    RatingLine,
    RatingQuestion,
    Ratings,
    all_ratings,
    read_rating_lines,
)
from zebra_core.utility.word_errors import WordErrors, all_together, errors_of_each

UTT2SPK = "utt2spk"
_NOBODY = ""


class WeightedFigure(NamedTuple):
    """A figure by how often each row counts, (rows,), and its range; NaN where it cannot be measured."""

    of: Callable[[FloatArray], float]
    lowest: float
    highest: float


class SpeakersOfRows:
    """The speakers of each row: one, or two where voices were compared.

    A row of two speakers counts as often as both were drawn, as in `resampling`; of one, as that one.
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        names = sorted({name for row in rows for name in row})
        if len(names) < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=len(names), fewest=FEWEST_CLUSTERS)
        number = {name: n for n, name in enumerate(names)}
        self.n = len(names)
        self._first = np.array([number[row[0]] for row in rows])
        self._second = np.array([number[row[1]] if len(set(row)) > 1 else self.n for row in rows])

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """A remark that few speakers make rough intervals; none where there are enough."""
        few = Remark("uncertainty-few-speakers", {"count": self.n}, Severity.WARNING)
        return (few,) if self.n < FEW_CLUSTERS else ()

    def intervals(
        self, figures: Sequence[WeightedFigure], settings: BootstrapSettings
    ) -> list[Interval | None]:
        """The expanded percentiles of each figure; None where no draw differs, which says nothing."""
        rng = generator(settings.seed, Purpose.UTILITY)
        stratum = np.zeros(self.n, dtype=np.int64)
        draws = np.empty((settings.replicates, len(figures)))
        for row in draws:
            times = np.append(draw(stratum, rng), 1)
            counts = (times[self._first] * times[self._second]).astype(np.float64)
            row[:] = [figure.of(counts) for figure in figures]
        ends = zip(figures, draws.T, strict=True)
        return [_interval(column, settings.level, self.n, figure) for figure, column in ends]


def _interval(draws: FloatArray, level: float, n: int, figure: WeightedFigure) -> Interval | None:
    there = draws[~np.isnan(draws)]
    if not len(there) or there.min() == there.max():
        return None
    low, high = percentile(there, level, n)
    return Interval(max(float(low), figure.lowest), min(float(high), figure.highest))


@dataclass(frozen=True)
class UtilityIntervals:
    """Intervals by the name of their figure, of so many speakers; None where nothing can be said."""

    intervals: Mapping[str, Interval | None]
    speakers: int | None = None  # None: nobody knows who speaks
    remarks: tuple[Remark, ...] = ()

    def of(self, name: str) -> Interval | None:
        """The interval of a figure, where there is one."""
        return self.intervals.get(name)

    def as_json(self) -> dict[str, list[float] | None]:
        """By the name of the figure: both ends, or null."""
        return {name: [end.low, end.high] if end else None for name, end in self.intervals.items()}


@dataclass(frozen=True)
class WordStudy:
    """The word errors of a hypothesis, and how sure they are."""

    errors: WordErrors
    utterances: int
    spread: UtilityIntervals

    def as_json(self) -> dict[str, object]:
        """The object that `zebra utility --json` prints: shares, and counts; of words, or of characters."""
        found = self.errors
        counts: dict[str, object] = {**found.as_json()}
        rates = {"wer": None, "cer": None, found.rate_name: found.rate}
        if counts.pop("of_characters", False):
            counts = {**counts, "reference_words": None, "reference_characters": found.reference_words}
        of = {"utterances": self.utterances, "speakers": self.spread.speakers}
        return {**rates, **counts, **of, "intervals": self.spread.as_json()}


@dataclass(frozen=True)
class RatingStudy:
    """What listeners said, and how sure it is."""

    question: RatingQuestion
    ratings: Ratings
    spread: UtilityIntervals

    def as_json(self) -> dict[str, object]:
        """The object that `zebra utility --json` prints; "upper" means targets, or unprotected speech."""
        figures = {
            "upper_mean": self.ratings.upper_mean,
            "lower_mean": self.ratings.lower_mean,
            "eer": self.ratings.eer,
        }
        scale = {"values": list(self.ratings.values), "highest": self.ratings.highest}
        of = {**figures, **self.ratings.as_json(), **scale, "speakers": self.spread.speakers}
        return {"question": self.question.value, **of, "intervals": self.spread.as_json()}


@dataclass(frozen=True)
class EmotionStudy:
    """What was told of emotions, and how sure that is."""

    emotions: Emotions
    spread: UtilityIntervals

    def as_json(self) -> dict[str, object]:
        """The object that `zebra utility --json` prints: shares, and recordings of each emotion."""
        found = self.emotions
        of_each = {
            value: {"recordings": count, "told": told}
            for value, (count, told) in zip(found.values, found.counts, strict=True)
        }
        of = {"recordings": found.recordings, "speakers": self.spread.speakers}
        rates = {"uar": found.uar, "chance": found.chance}
        return {**rates, "emotions": of_each, **of, "intervals": self.spread.as_json()}


class SpeakerSource:
    """The source of speakers: a map, a rule, or none."""

    def __init__(self, source: Path | SpeakerRule | None) -> None:
        self._rule = source if isinstance(source, SpeakerRule) else None
        self._map = read_speaker_map(source) if isinstance(source, Path) else {}
        self._people = set(self._map.values())
        self.is_said = source is not None

    def of(self, name: str) -> str:
        """The speaker of a recording; a speaker's own name is that speaker; "" where it is not known."""
        if self._rule is None:
            return self._map.get(name, name if name in self._people else _NOBODY)
        who = self._rule.speaker_of(name)
        return who if who != name or self._rule is SpeakerRule.WHOLE_ID else _NOBODY

    def in_rows(self, rows: Sequence[Sequence[str]]) -> list[list[str]]:
        """Speakers of rows whose ids may already be speaker names."""
        found = {name: self.of(name) for row in rows for name in row}
        people = set(found.values()) - {_NOBODY}
        found |= {name: name for name, who in found.items() if not who and name in people}
        return [list(dict.fromkeys(found[name] for name in row if found[name])) for row in rows]


def study_words(
    reference: Path,
    hypothesis: Path,
    who: SpeakerSource,
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> WordStudy:
    """Count word errors and bootstrap them over speakers. Raises InputError for unusable transcripts."""
    said, heard = (
        read_transcripts(reference, TranscriptSide.REFERENCE),
        read_transcripts(hypothesis, TranscriptSide.HYPOTHESIS),
    )
    each = errors_of_each(said, heard, on_progress)
    found = all_together(each, said, heard)
    found = replace(found, remarks=(how_read(reference), how_read(hypothesis), *found.remarks))
    table = np.array([(errors.errors, errors.reference_words) for errors in each.values()], dtype=np.float64)
    rate = {found.rate_name: WeightedFigure(_ratio(table[:, 0], table[:, 1]), 0.0, np.inf)}
    spread = _spread(who, who.in_rows([[name] for name in each]), rate, settings)
    return WordStudy(found, len(each), spread)


def read_emotions(path: Path) -> dict[str, str]:
    """The emotion of each recording, "utt neu" a line or as a table. Raises InputError with file and line."""
    return pairs_of(read_text(open_source(Source(path))))[0]


def study_emotions(
    labels: Path, predictions: Path, who: SpeakerSource, settings: BootstrapSettings
) -> EmotionStudy:
    """What a recogniser told of emotions, drawn over speakers. Raises InputError for unusable files."""
    said, guessed = read_emotions(labels), read_emotions(predictions)
    found = emotions(said, guessed, {name: who.of(name) for name in said if who.of(name)})
    nothing: dict[str, Interval | None] = {"uar": None}
    if not found.by_speaker:
        unknown = sum(not who.of(name) for name in said if name in guessed)
        nobody = Remark("utility-speakers-unknown", {"count": unknown}, Severity.WARNING)
        remark = nobody if who.is_said else Remark("utility-nobody-known")
        return EmotionStudy(found, UtilityIntervals(nothing, None, (remark,)))
    n = len(found.by_speaker)
    draws = Utility().with_emotions(found).draws("uar", settings)
    if draws is None:
        few = Remark("utility-few-speakers", {"count": n, "fewest": FEWEST_CLUSTERS})
        return EmotionStudy(found, UtilityIntervals(nothing, n, (few,)))
    rough = Remark("uncertainty-few-speakers", {"count": n}, Severity.WARNING)
    remarks = (rough,) if n < FEW_CLUSTERS else ()
    return EmotionStudy(found, UtilityIntervals({"uar": draws.interval(settings.level)}, n, remarks))


def study_ratings(
    path: Path,
    question: RatingQuestion,
    who: SpeakerSource,
    settings: BootstrapSettings,
    *,
    clean: Path | None = None,
    highest: int | None = None,
) -> RatingStudy:
    """Read ratings, as `read_ratings` does, and bootstrap them over speakers. Raises InputError."""
    lines = read_rating_lines(path, question, clean)
    ratings = all_ratings(lines, highest)
    figures = _figures(lines, ratings.highest)
    return RatingStudy(
        question, ratings, _spread(who, who.in_rows([line.ids for line in lines]), figures, settings)
    )


def _figures(lines: Sequence[RatingLine], highest: int) -> dict[str, WeightedFigure]:
    ratings = np.array([line.rating for line in lines], dtype=np.float64)
    upper = np.array([line.is_upper for line in lines], dtype=np.float64)
    lower = 1.0 - upper
    return {
        "upper_mean": WeightedFigure(_ratio(ratings * upper, upper), LOWEST, highest),
        "lower_mean": WeightedFigure(_ratio(ratings * lower, lower), LOWEST, highest),
        "eer": WeightedFigure(lambda times: _eer(ratings, times * upper, times * lower), 0.0, 1.0),
    }


def _eer(ratings: FloatArray, upper: FloatArray, lower: FloatArray) -> float:
    if not upper.any() or not lower.any():
        return float("nan")
    steps, place = np.unique(ratings, return_inverse=True)
    counts = [np.bincount(place, weights, len(steps)).astype(np.int64) for weights in (upper, lower)]
    given = (counts[0] + counts[1]) > 0
    return ErrorRates.of(ScoreCounts(steps[given], counts[0][given], counts[1][given])).equal()


def _ratio(above: FloatArray, below: FloatArray) -> Callable[[FloatArray], float]:
    def figure(times: FloatArray) -> float:
        whole = float(times @ below)
        return float(times @ above) / whole if whole else float("nan")

    return figure


def _spread(
    who: SpeakerSource,
    rows: Sequence[Sequence[str]],
    figures: Mapping[str, WeightedFigure],
    settings: BootstrapSettings,
) -> UtilityIntervals:
    nothing = dict.fromkeys(figures)
    if not who.is_said:
        return UtilityIntervals(nothing, None, (Remark("utility-nobody-known"),))
    unknown = sum(not row for row in rows)
    several = sum(len(row) > 2 for row in rows)
    if unknown or several:
        code = "utility-speakers-unknown" if unknown else "utility-speakers-several"
        return UtilityIntervals(
            nothing, None, (Remark(code, {"count": unknown or several}, Severity.WARNING),)
        )
    try:
        speakers = SpeakersOfRows(rows)
    except InputError as error:
        few = {"count": error.facts["count"], "fewest": error.facts["fewest"]}
        return UtilityIntervals(
            nothing, int(str(error.facts["count"])), (Remark("utility-few-speakers", few),)
        )
    found = dict(zip(figures, speakers.intervals(list(figures.values()), settings), strict=True))
    alike = (Remark("utility-no-spread"),) if None in found.values() else ()
    return UtilityIntervals(found, speakers.n, (*speakers.remarks, *alike))


def speakers_beside(reference: Path) -> Path | None:
    """The speaker map that lies beside a transcript, in Kaldi's way."""
    path = reference.parent / UTT2SPK
    return path if path.is_file() else None
