"""The draws that bounds of required figures are made of, beyond those that every assessment has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.project.comparison.inference import guesses_of
from zebra_core.project.comparison.linking import candidates_of
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import is_counted, trials_of
from zebra_core.project.requirements.figures import (
    OF_OTHERS,
    PI_LINK,
    PI_SING,
    RANK_DISCLOSURE,
    REQUIRABLE,
    UAR,
)
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, PoolScores
from zebra_core.speakers.inference import unweighted_average_recall_chance
from zebra_core.speakers.singling_out import IsolationScores, singling_out, singling_out_chance
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.bounded import BoundedFigure
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.inference import recall_draws
from zebra_core.uncertainty.linking_points import linkage_draws, rank_draws, singling_out_draws
from zebra_core.uncertainty.reidentification import PoolRanks
from zebra_core.uncertainty.worst_of_others import worst_of_others

_READING = 0.2  # of the work of one


def bounded_figures(
    entry: Entry,
    asked: Sequence[Requirement],
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> dict[str, BoundedFigure]:
    """What these requirements ask of an assessment, by the keys of their draws.

    What cannot be measured is there with its reason. Raises Cancelled.
    """
    found: dict[str, BoundedFigure] = {}
    source = _Source(entry, settings, part_of(on_progress, 0.0, _READING))
    by_key = {each.draws_key: each for each in asked}
    for place, (key, each) in enumerate(by_key.items()):
        begin, end = (_READING + (1.0 - _READING) * n / len(by_key) for n in (place, place + 1))
        source.on_progress = part_of(on_progress, begin, end)
        try:
            found[key] = _FIGURES[each.of.key](source, each)
        except InputError as error:
            found[key] = BoundedFigure(None, None, Remark(error.code, error.facts, section=error.section))
    on_progress(1.0)
    return found


class _Source:
    """An assessment whose trials are read once, whatever is asked of them."""

    def __init__(self, entry: Entry, settings: BootstrapSettings, on_progress: Progress) -> None:
        self.entry, self.settings, self.on_progress = entry, settings, on_progress

    @cached_property
    def trials(self) -> Trials:
        if is_counted(self.entry):
            raise InputError("bound-of-counts")
        return trials_of(self.entry, self.on_progress)

    @cached_property
    def candidates(self) -> Candidates:
        return candidates_of(self.entry, self.trials)

    def pooled(self, asked: Requirement) -> PoolScores:
        """Recordings against all who are enrolled. Raises InputError where there are too few of anything."""
        people, candidates = asked.detail.people, self.candidates
        if people is not None and people > candidates.n_people:
            raise InputError("bound-more-people", count=candidates.n_people, people=people)
        pooled = candidates.pooled(asked.recordings).complete
        if len(set(pooled.own.tolist())) < 2:
            raise InputError("bound-few-recordings", count=asked.recordings)
        return pooled


def _linkage(source: _Source, asked: Requirement) -> BoundedFigure:
    people = asked.detail.people or source.candidates.n_people
    pooled = source.pooled(asked)
    (draws,) = linkage_draws(pooled, [people], source.settings)
    return _of_people(draws, PoolRanks.with_guessing(pooled).chance(len(pooled.score), people))


def _singling_out(source: _Source, asked: Requirement) -> BoundedFigure:
    scores = IsolationScores.of(source.pooled(asked))
    if scores is None:
        raise InputError("bound-no-calibration")
    people = asked.detail.people or scores.n_people
    if people > scores.n_people:
        raise InputError("bound-more-people", count=scores.n_people, people=people)
    estimate = singling_out(scores, people, generator(source.settings.seed, Purpose.SETS, people))
    return _of_people(
        singling_out_draws(scores, people, source.settings, estimate), singling_out_chance(people)
    )


def _ranks(source: _Source, asked: Requirement) -> BoundedFigure:
    return _of_people(rank_draws(source.pooled(asked), source.settings), None)


def _recall(source: _Source, asked: Requirement) -> BoundedFigure:
    guesses = guesses_of(source.entry, asked.detail.attribute, source.trials)
    draws, chance = (
        recall_draws(guesses, source.settings),
        unweighted_average_recall_chance(guesses.confusion()),
    )
    if draws is None:
        raise InputError("bound-few-of-value", found=asked.detail.attribute)
    return BoundedFigure(draws, chance)


def _worst_of_others(source: _Source, _: Requirement) -> BoundedFigure:
    draws = worst_of_others(source.trials, source.settings, source.on_progress)
    if draws is None:
        raise InputError("speakers-unknown")
    return BoundedFigure(draws)


def _of_people(draws: FigureDraws | None, chance: float | None) -> BoundedFigure:
    if draws is None:
        raise InputError("bound-few-people")
    return BoundedFigure(draws, chance)


_FIGURES: Mapping[str, Callable[[_Source, Requirement], BoundedFigure]] = {
    PI_LINK: _linkage,
    PI_SING: _singling_out,
    RANK_DISCLOSURE: _ranks,
    UAR: _recall,
    REQUIRABLE[OF_OTHERS].key: _worst_of_others,
}
"""How the draws of a figure are made, by its key."""
