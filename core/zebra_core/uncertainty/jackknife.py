"""How far figures rest on single speakers: each left out, each tenth of them, and each sex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import CodeArray, FloatArray
from zebra_core.metrics.assessment import Assessment, ScoreMeaning
from zebra_core.metrics.zebra import LN10
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.resampling import Clusters, ResamplingUnit
from zebra_core.uncertainty.weighted import FIGURES, WeightedTrials

HEADLINES = ("d_ece_bits", "worst_case_log10_lr", "eer", "min_cllr_bits")
"""The figures whose range is told, by key; all as they are computed, with the optimism of small sets."""

N_TENTHS = 10


class LeftOutUnit(Enum):
    """What is left out at once."""

    SPEAKER = "speaker"
    TENTH = "tenth"  # the k-th, and every tenth speaker after, in the order of the trials' `speakers`
    SEX = "sex"


@dataclass(frozen=True)
class FiguresWithout:
    """The headline figures without these speakers; a figure that is not measurable is not among them."""

    part: LeftOutUnit
    name: str  # of the speaker or the sex; of a tenth its number, from 1
    n_speakers: int  # left out
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Span:
    """From the least to the most that a figure becomes, and what was left out when it moved most."""

    low: float
    high: float
    mover: FiguresWithout


@dataclass(frozen=True, eq=False)
class Robustness:
    """The headline figures of an assessment, and what they are without some of its speakers."""

    rests_on: tuple[object, ...]  # the version of the assessment
    n_speakers: int
    figures: Mapping[str, float]
    left_out: tuple[FiguresWithout, ...]

    def parts(self) -> tuple[LeftOutUnit, ...]:
        """What was left out, in the order of `LeftOutUnit`."""
        there = {one.part for one in self.left_out}
        return tuple(part for part in LeftOutUnit if part in there)

    def span(self, figure: str, part: LeftOutUnit) -> Span | None:
        """The range of a figure when such parts are left out; None where none was, or it is not measurable.

        Of several that move it as far the first counts.
        """
        found = [one for one in self.left_out if one.part is part and figure in one.figures]
        if not found or figure not in self.figures:
            return None
        values, plain = [one.figures[figure] for one in found], self.figures[figure]
        return Span(min(values), max(values), max(found, key=lambda one: abs(one.figures[figure] - plain)))


def leave_out(
    trials: SpeakerTrials,
    assessment: Assessment,
    sex: Mapping[str, str] | None = None,
    on_progress: Progress = no_progress,
) -> Robustness:
    """Compute the headline figures without each speaker, each tenth of the speakers and each sex.

    Whoever is left out takes all trials along, those as enrolled and those as heard. A test segment of whom
    nobody knows the speaker stays. Speakers of fewer than twenty have no tenths; a sex is left out where
    `sex` (speaker to any word) has two and knows every speaker. One sort, then O(n) for each part.
    `on_progress` may raise Cancelled.
    """
    on_progress(0.0)
    clusters = _clusters(trials)
    unit = LN10 if assessment.settings.score_meaning is ScoreMeaning.LOG10_LR else 1.0
    ordered = WeightedTrials.of(trials, clusters, unit)
    no_priors = np.zeros(1)
    chosen = list(_parts(trials.speakers, sex))
    found = []
    for number, (part, name, places) in enumerate(chosen):
        on_progress(number / len(chosen))
        figures = _figures(ordered, _without(clusters, places), no_priors)
        found.append(FiguresWithout(part, name, len(places), figures))
    on_progress(1.0)
    whole = _figures(ordered, clusters.all_once, no_priors)
    return Robustness(assessment.rests_on, len(trials.speakers), whole, tuple(found))


def _parts(
    speakers: Sequence[str], sex: Mapping[str, str] | None
) -> Iterator[tuple[LeftOutUnit, str, list[int]]]:
    places = range(len(speakers))
    for place in places:
        yield LeftOutUnit.SPEAKER, speakers[place], [place]
    if len(speakers) >= 2 * N_TENTHS:
        for tenth in range(N_TENTHS):
            yield LeftOutUnit.TENTH, str(tenth + 1), list(places[tenth::N_TENTHS])
    known = sex or {}
    sexes = sorted({known[name] for name in speakers if name in known})
    if len(sexes) == 2 and all(name in known for name in speakers):
        for each in sexes:
            yield LeftOutUnit.SEX, each, [place for place in places if known[speakers[place]] == each]


def _clusters(trials: SpeakerTrials) -> Clusters:
    """Every speaker with their trials; segments of whom nobody knows are never left out."""
    n = len(trials.speakers)
    heard = np.where((trials.heard == NOBODY_KNOWN) | (trials.heard == trials.enrolled), n, trials.heard)
    return Clusters(
        n, trials.enrolled, heard.astype(np.int32), np.zeros(n, dtype=np.int64), ResamplingUnit.SPEAKER
    )


def _without(clusters: Clusters, places: Sequence[int]) -> CodeArray:
    weight = clusters.all_once
    weight[list(places)] = 0
    return weight


def _figures(ordered: WeightedTrials, weight: CodeArray, priors: FloatArray) -> dict[str, float]:
    by_key = dict(zip(FIGURES, ordered.figures(weight[np.newaxis], priors)[0][0].tolist(), strict=True))
    return {name: by_key[name] for name in HEADLINES if by_key[name] == by_key[name]}
