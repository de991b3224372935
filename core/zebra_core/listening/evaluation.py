"""Evaluation of a listening test: figures of panels and of ratings, agreement, and who is left out.

How far listeners agree: Krippendorff's alpha, the intraclass correlation of answers and of their means.

A matrix has a row for each unit (trial, recording) and a column for each listener, NaN where one did not hear
it; units with fewer than two answers say nothing about agreement.
They are our own: pingouin, which has the correlation, would bring seaborn, scikit-learn and statsmodels into
the bundle. The tests hold both to published cases, and to values of pingouin and krippendorff.
Ref: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; Shrout and Fleiss 1979, case 1, with the
mean number of answers a unit where it differs (Donner 1986).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from msgspec import UNSET

from zebra_core.errors import InputError
from zebra_core.evidence.trials import FloatArray
from zebra_core.evidence.value_types import (
    Count,
    NumberOrNone,
    Sha256,
    array_of,
    json_object,
    map_of,
    note,
    nullable,
    numbers,
    object_as_json,
    optional,
)
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.intervals import (
    FIGURES,
    PANEL_FIGURE,
    PanelFigure,
    difference_of,
    mean_intervals,
    mean_of,
    panel_figures,
)
from zebra_core.listening.items import UNPROTECTED, ItemPurpose, ItemTask, ListeningItem, Stimulus
from zebra_core.listening.package import SUFFIX, Package, read_package, samples_of
from zebra_core.listening.plan import ListeningPlan, as_heard, names_of
from zebra_core.listening.scores import (
    RECOGNISER,
    CollectedAnswers,
    ListenerRecord,
    Panel,
    RatedSpeech,
    distances,
    gather_answers,
    panels,
    rated,
)
from zebra_core.recordings import libraries
from zebra_core.recordings.recogniser import RATE_HZ, Embedding, Recogniser, shipped
from zebra_core.recordings.sound import at_rate
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.resampling import FEW_CLUSTERS
from zebra_core.utility.listening import HIGHEST, Ratings
from zebra_core.wording.texts import kept

# How far one listener can be relied upon: anchors, which everybody should tell, and repeats.


LEAST_PASSED = 0.75
"""The share of anchors from which on a listener passes; the outcome names it."""
_UNPROTECTED_FROM = 6  # a rating of unprotected speech that is above the middle

RELIABILITY = json_object(
    "Reliability",
    anchors=Count,
    anchors_passed=Count,
    fails_anchors=bool,
    repeats=Count,
    consistency=NumberOrNone,
)


@dataclass(frozen=True)
class Reliability:
    """What anchors and repeats of one question say of a listener; None where there were none.

    `consistency` is, of repeats of SAME, the share with the same decision; of ratings the mean difference of
    both in steps; of canvases the mean correlation of the distances.
    """

    anchors: int
    passed: int
    repeats: int
    consistency: float | None

    @property
    def fails(self) -> bool:
        """Whether too few anchors were told."""
        return self.anchors > 0 and self.passed < LEAST_PASSED * self.anchors

    def as_json(self) -> dict[str, object]:
        """The reliability as an object of the outcome file."""
        return object_as_json(RELIABILITY, self, anchors_passed=self.passed, fails_anchors=self.fails)


def reliability(one: ListenerRecord, speaker: Mapping[str, str]) -> dict[ItemTask, Reliability]:
    """A listener's reliability for each question that was answered."""
    found = {}
    items = one.item
    for asked in dict.fromkeys(item.question for item in one.plan.items):
        mine = [(item, answer) for item, answer in one.answered if item.question is asked]
        anchors = [_passes(item, answer, speaker) for item, answer in mine if item.kind is ItemPurpose.ANCHOR]
        repeats = [
            _alike(items[item.of].question, one.answers.of[item.of], answer)
            for item, answer in mine
            if item.kind is ItemPurpose.REPEAT and item.of in one.answers.of
        ]
        known = [each for each in repeats if each is not None]
        mean = float(np.mean(known)) if known else None
        found[asked] = Reliability(len(anchors), sum(anchors), len(repeats), mean)
    return found


def _passes(item: ListeningItem, answer: ItemAnswer, speaker: Mapping[str, str]) -> bool:
    who = [speaker[one.recording] for one in item.stimuli]
    if item.question is ItemTask.SAME:
        return ((answer.confidence or 0) > 0) == (who[0] == who[1])
    if item.question.is_rating:
        return (answer.rating or 0) >= _UNPROTECTED_FROM
    first, second = np.triu_indices(len(who), k=1)
    same = np.array([who[a] == who[b] for a, b in zip(first, second, strict=True)])
    far = distances(_places(answer))
    return bool(same.any() and not same.all() and far[same].mean() < far[~same].mean())


def _alike(asked: ItemTask, first: ItemAnswer, again: ItemAnswer) -> float | None:
    if asked is ItemTask.SAME:
        return float(((first.confidence or 0) > 0) == ((again.confidence or 0) > 0))
    if asked.is_rating:
        return float(abs((first.rating or 0) - (again.rating or 0)))
    before, after = distances(_places(first)), distances(_places(again))
    if before.std() == 0.0 or after.std() == 0.0:
        return None
    return float(np.corrcoef(before, after)[0, 1])


def _places(answer: ItemAnswer) -> FloatArray:
    return np.array(answer.positions, dtype=np.float64)


_LISTENER = json_object(
    "Listener",
    code=str,
    answers_sha256=Sha256,
    answered=Count,
    of=Count,
    is_left_out=bool,
    reliability=json_object(
        "Reliabilities", **dict.fromkeys((task.value for task in ItemTask), optional(RELIABILITY))
    ),
)
_AGREEMENT = numbers("Agreement", "krippendorff_alpha", "icc_1_1", "icc_1_k")
_PANEL = json_object(
    "Panel",
    question=ItemTask,
    safeguard=str,
    listeners=Count,
    target=Count,
    nontarget=Count,
    figures=nullable(json_object("PanelFigures", **dict.fromkeys(FIGURES, PANEL_FIGURE))),
    agreement=_AGREEMENT,
)
_MEAN = json_object(
    "MeanRating",
    safeguard=str,
    against=optional(str),
    mean=float,
    low=NumberOrNone,
    high=NumberOrNone,
    recordings=Count,
)
_RATING = json_object(
    "Rating",
    question=ItemTask,
    listeners=Count,
    means=array_of(_MEAN),
    differences=array_of(_MEAN),
    eer=dict[str, float],
    agreement=_AGREEMENT,
    counts=note(
        map_of(json_object("RatingCounts", upper=list[Count], lower=list[Count])),
        "how often each rating from 1 to 10 was given: upper to unprotected speech, lower to protected",
    ),
)
LISTENING_OUTCOME = json_object(
    "ListeningOutcome",
    test=str,
    title=str,
    seed=Count,
    safeguards=list[str],
    enrol_protected=bool,
    questions=array_of(json_object("Question", question=ItemTask, trial=Count, anchor=Count, repeat=Count)),
    planned_listeners=Count,
    introduction_sha256=Sha256,
    consent_sha256=Sha256,
    least_anchors_passed=float,
    listeners=array_of(_LISTENER),
    panels=array_of(_PANEL),
    machine=array_of(_PANEL),
    ratings=array_of(_RATING),
    level=float,
    replicates=Count,
    bootstrap_seed=Count,
    told=list[str],
)
"""What came of a test. Rates are fractions; null stands for what cannot be said; unprotected speech has no
safeguard."""


@dataclass(frozen=True)
class Agreement:
    """How far listeners agree on the trials of a panel, or on recordings; None where nothing can be said."""

    alpha: float | None
    single: float | None  # ICC(1, 1)
    mean: float | None  # ICC(1, k)

    @classmethod
    def of(cls, answers: FloatArray) -> Agreement:
        """The agreement on a table of answers, shape (units, listeners)."""
        single, mean = intraclass(answers) or (None, None)
        return cls(alpha(answers), single, mean)

    def as_json(self) -> dict[str, float | None]:
        """The agreement as an object of the outcome file."""
        return {"krippendorff_alpha": self.alpha, "icc_1_1": self.single, "icc_1_k": self.mean}


@dataclass(frozen=True, eq=False)
class PanelResult:
    """A panel, its figures, and how far it agrees; `figures` is None where there are too few speakers."""

    panel: Panel
    figures: Mapping[str, PanelFigure] | None
    agreement: Agreement

    def as_json(self) -> dict[str, object]:
        """The panel's result as an object of the outcome file."""
        panel, figures = self.panel, self.figures
        return object_as_json(
            _PANEL,
            panel,
            listeners=len(panel.listeners),
            target=int(panel.is_target.sum()),
            nontarget=int((~panel.is_target).sum()),
            figures={key: found.as_json() for key, found in figures.items()} if figures else None,
            agreement=self.agreement.as_json(),
        )


@dataclass(frozen=True)
class MeanRating:
    """The mean rating of speech under a safeguard, or the difference of two, over so many recordings."""

    safeguard: str
    against: str | None  # the other of a difference
    mean: float
    interval: Interval | None
    recordings: int

    def as_json(self) -> dict[str, object]:
        """The mean rating as an object of the outcome file."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        against = UNSET if self.against is None else self.against
        return object_as_json(_MEAN, self, against=against, low=low, high=high)


@dataclass(frozen=True, eq=False)
class RatingResult:
    """The ratings of a question: means, differences, and how they tell protected from unprotected speech."""

    rated: RatedSpeech
    means: tuple[MeanRating, ...]
    differences: tuple[MeanRating, ...]
    ratings: Mapping[str, Ratings]  # of each safeguard, against unprotected speech
    agreement: Agreement

    def as_json(self) -> dict[str, object]:
        """The result of the ratings as an object of the outcome file."""
        return {
            "question": self.rated.question.value,
            "listeners": len(self.rated.listeners),
            "means": [one.as_json() for one in self.means],
            "differences": [one.as_json() for one in self.differences],
            "eer": {name: ratings.eer for name, ratings in self.ratings.items()},
            "counts": {name: ratings.as_json() for name, ratings in self.ratings.items()},
            "agreement": self.agreement.as_json(),
        }


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A whole test, evaluated."""

    plan: ListeningPlan
    gathered: CollectedAnswers
    used: tuple[ListenerRecord, ...]
    left_out: tuple[str, ...]  # codes of listeners, by a decision of the user
    reliability: Mapping[str, Mapping[ItemTask, Reliability]]  # by listener
    panels: tuple[PanelResult, ...]
    ratings: tuple[RatingResult, ...]
    settings: BootstrapSettings
    sentences: tuple[str, ...]
    machine: tuple[PanelResult, ...] = ()  # what a recogniser finds on the pairs of each panel
    heard_in: tuple[str, ...] = ()  # codes of the listeners in whose files it heard the recordings

    @property
    def failing(self) -> list[str]:
        """The codes of those who did not tell the anchors, left out or not."""
        return [code for code, of in self.reliability.items() if any(one.fails for one in of.values())]

    def as_json(self) -> dict[str, object]:
        """All of it, with the hashes of the files that it rests on."""
        plan = self.plan
        return {
            "test": plan.id,
            "title": plan.title,
            "seed": plan.seed,
            "safeguards": list(plan.safeguards),
            "enrol_protected": plan.enrol_protected,
            "questions": [self._question(asked) for asked in ItemTask if self._items(asked)],
            "planned_listeners": len(plan.listeners),
            "introduction_sha256": plan.introduction_sha256,
            "consent_sha256": plan.consent_sha256,
            "least_anchors_passed": LEAST_PASSED,
            "listeners": [self._listener(one) for one in self.gathered.listeners],
            "panels": [one.as_json() for one in self.panels],
            "machine": [one.as_json() for one in self.machine],
            "ratings": [one.as_json() for one in self.ratings],
            "level": self.settings.level,
            "replicates": self.settings.replicates,
            "bootstrap_seed": self.settings.seed,
            "faults": list(self.gathered.faults),
            "told": list(self.sentences),
        }

    def _items(self, asked: ItemTask) -> list[ListeningItem]:
        return [item for item in self.plan.listeners[0].items if item.question is asked]

    def _question(self, asked: ItemTask) -> dict[str, object]:
        kinds = [item.kind for item in self._items(asked)]
        return {"question": asked.value, **{kind.value: kinds.count(kind) for kind in ItemPurpose}}

    def _listener(self, one: ListenerRecord) -> dict[str, object]:
        of = self.reliability[one.code]
        return {
            "code": one.code,
            "answers_sha256": one.answers.sha256,
            "answered": len(one.answers.of),
            "of": len(one.plan.items),
            "is_left_out": one.code in self.left_out,
            "reliability": {asked.value: found.as_json() for asked, found in of.items()},
        }


def evaluate(
    plan: ListeningPlan,
    paths: Sequence[Path],
    left_out: Collection[str] = (),
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    figures: bool = True,
) -> Evaluation:
    """Evaluate the answers of listeners; without `figures` only what they said is gathered.

    Raises InputError where nobody's answers can be used, or a code is unknown.
    """
    settings = settings or BootstrapSettings()
    gathered = gather_answers(plan, paths)
    codes = [one.code for one in gathered.listeners]
    for code in left_out:
        if code not in codes:
            raise InputError("listening-no-listener", found=code, known=", ".join(codes))
    used = tuple(one for one in gathered.listeners if one.code not in left_out)
    if not used:
        raise InputError("listening-nobody", faults=" ".join(gathered.faults))
    judged = {one.code: reliability(one, plan.speaker) for one in gathered.listeners}
    made, remarks = panels(used, plan.speaker)
    results = []
    for number, panel in enumerate(made):
        on_progress(number / len(made))
        of = panel_figures(panel, plan.speaker, settings) if figures else None
        results.append(PanelResult(panel, of, Agreement.of(panel.said)))
    of_ratings = (one for asked in ItemTask if (one := rated(used, asked)) is not None)
    ratings = [_ratings(plan, one, settings) for one in of_ratings] if figures else []
    on_progress(1.0)
    found = Evaluation(
        plan,
        gathered,
        used,
        tuple(code for code in codes if code in left_out),
        judged,
        tuple(results),
        tuple(ratings),
        settings,
        (*gathered.sentences, *remarks),
    )
    failing = [code for code in found.failing if code not in left_out]
    more = [kept("listening.fails-anchors", listener=code) for code in failing]
    if 1 < len(used) < FEW_CLUSTERS:
        more.insert(0, kept("listening.few-listeners", count=len(used)))
    elif len(used) == 1:
        more.insert(0, kept("listening.one-listener"))
    return replace(found, sentences=(*found.sentences, *more))


def with_machine(
    found: Evaluation, folder: Path, on_progress: Progress = no_progress, *, figures: bool = True
) -> Evaluation:
    """The evaluation with a recogniser's figures on the same pairs, from the listeners' files in a folder.

    Intervals are over speakers. Raises InputError, as `machine_panels` does.
    """
    heard, codes = machine_panels(found.plan, folder, [one.panel for one in found.panels], on_progress)
    speaker, settings = found.plan.speaker, found.settings
    results = [
        PanelResult(
            panel, panel_figures(panel, speaker, settings) if figures else None, Agreement.of(panel.said)
        )
        for panel in heard
    ]
    return replace(found, machine=tuple(results), heard_in=codes)


def _ratings(plan: ListeningPlan, found: RatedSpeech, settings: BootstrapSettings) -> RatingResult:
    names = found.safeguards
    pairs = list(combinations(names, 2))
    figures = [mean_of(found.under(name)) for name in names]
    figures += [difference_of(found.under(one), found.under(other)) for one, other in pairs]
    people = [plan.speaker[name] for name in found.recordings]
    intervals = mean_intervals(figures, people, len(found.listeners), settings)
    ones = np.ones(len(found.recordings)), np.ones(len(found.listeners))
    values = [figure(*ones) for figure in figures]
    heard = {name: ~np.isnan(found.under(name)).all(axis=1) for name in names}
    means = [
        MeanRating(name, None, value, interval, int(heard[name].sum()))
        for name, value, interval in zip(names, values, intervals, strict=False)
    ]
    differences = [
        MeanRating(one, other, value, interval, int((heard[one] & heard[other]).sum()))
        for (one, other), value, interval in zip(
            pairs, values[len(names) :], intervals[len(names) :], strict=True
        )
        if not np.isnan(value)
    ]
    of = {name: _counts(found.under(name)) for name in names}
    against = {name: Ratings(of[UNPROTECTED], of[name]) for name in names if name and UNPROTECTED in of}
    # A recording under one safeguard is a unit: listeners agree on what they heard, not on what they did not.
    units = found.said.reshape(-1, len(found.listeners))
    return RatingResult(found, tuple(means), tuple(differences), against, Agreement.of(units))


def _counts(table: FloatArray) -> tuple[int, ...]:
    given = table[~np.isnan(table)].astype(np.int64)
    return tuple(int(n) for n in np.bincount(given, minlength=HIGHEST + 1)[1:])


def alpha(answers: FloatArray, *, nominal: bool = False) -> float | None:
    """Krippendorff's alpha for answers on an interval scale, or for mere names of classes.

    1 is full agreement, 0 what chance would give; None where fewer than two units were answered twice, or
    all answers are the same, which nothing can be said about.
    """
    units = _paired(answers)
    if len(units) < 2:
        return None
    observed = sum(_distance(unit, nominal) / (len(unit) - 1) for unit in units)
    together = np.concatenate(units)
    expected = _distance(together, nominal) / (len(together) - 1)
    return float(1.0 - observed / expected) if expected > 0.0 else None


def intraclass(answers: FloatArray) -> tuple[float, float] | None:
    """The correlation of single answers to one unit, ICC(1, 1), and of their means, ICC(1, k).

    One-way random effects: other listeners may have answered to each unit. None where fewer than two units
    were answered twice, or all answers are the same.
    """
    units = _paired(answers)
    if len(units) < 2:
        return None
    sizes = np.array([len(unit) for unit in units], dtype=np.float64)
    means = np.array([unit.mean() for unit in units])
    total, n = sizes.sum(), len(units)
    grand = float(sizes @ means / total)
    between = float(sizes @ (means - grand) ** 2) / (n - 1)
    within = sum(float(((unit - unit.mean()) ** 2).sum()) for unit in units) / (total - n)
    typical = float((total - (sizes**2).sum() / total) / (n - 1))
    if between + (typical - 1.0) * within <= 0.0 or between <= 0.0:
        return None
    single = (between - within) / (between + (typical - 1.0) * within)
    return float(single), float((between - within) / between)


def _paired(answers: FloatArray) -> list[FloatArray]:
    found = (row[~np.isnan(row)] for row in answers)
    return [unit for unit in found if len(unit) > 1]


def _distance(values: FloatArray, nominal: bool) -> float:
    """The sum over all ordered pairs of their squared difference, or of whether they differ."""
    n = len(values)
    if nominal:
        counts = np.unique(values, return_counts=True)[1].astype(np.float64)
        return float(n * n - (counts**2).sum())
    return float(2.0 * n * ((values - values.mean()) ** 2).sum())


# A recogniser on the very same pairs that listeners heard, from the very same recordings.


def machine_panels(
    plan: ListeningPlan, folder: Path, panels: Sequence[Panel], on_progress: Progress = no_progress
) -> tuple[list[Panel], tuple[str, ...]]:
    """Panels answered by a recogniser, by cosines of embeddings, and the listeners whose files it used.

    The recordings are those in the listeners' files, which must lie in the folder as they were made. Raises
    InputError where one is needed that is gone or was changed, or where the libraries are not installed.
    """
    libraries.require_all()
    wanted = {one for panel in panels for pair in panel.pairs for one in _stimuli(plan, panel, pair)}
    heard, codes = _heard(plan, folder, wanted, shipped(), on_progress)
    found = []
    for panel in panels:
        sides = [_stimuli(plan, panel, pair) for pair in panel.pairs]
        cosine = [float(np.dot(heard[a].astype(np.float64), heard[b].astype(np.float64))) for a, b in sides]
        found.append(replace(panel, said=np.array(cosine)[:, np.newaxis], listeners=RECOGNISER))
    return found, codes


def _stimuli(plan: ListeningPlan, panel: Panel, pair: tuple[str, str]) -> tuple[Stimulus, Stimulus]:
    both = panel.question is ItemTask.PLACEMENT or plan.enrol_protected
    return Stimulus(pair[0], panel.safeguard if both else UNPROTECTED), Stimulus(pair[1], panel.safeguard)


def _heard(
    plan: ListeningPlan, folder: Path, wanted: set[Stimulus], recogniser: Recogniser, on_progress: Progress
) -> tuple[dict[Stimulus, Embedding], tuple[str, ...]]:
    """What is heard in each recording, once, from the first file that has it; and the listeners of these."""
    found: dict[Stimulus, Embedding] = {}
    codes = []
    for listener in plan.listeners:
        names = names_of(listener.items)
        items = [item for item in listener.items if (set(item.stimuli) & wanted) - set(found)]
        if not items:
            continue
        codes.append(listener.code)
        path = folder / f"{listener.code}{SUFFIX}"
        package = _package(path, listener.package_sha256)
        for item in items:
            sounds = samples_of(path, package, as_heard(item, names))
            for one, (samples, rate_hz) in zip(item.stimuli, sounds, strict=True):
                if one in wanted and one not in found:
                    on_progress(len(found) / len(wanted))
                    found[one] = recogniser.embedding(at_rate(samples, rate_hz, RATE_HZ), one.recording)
    return found, tuple(codes)


def _package(path: Path, sha256: str) -> Package:
    try:
        package = read_package(path)
    except InputError as error:
        raise InputError("listening-recordings-gone", file=path.name, reason=str(error)) from error
    if package.sha256 != sha256:
        raise InputError("listening-other-package-here", file=path.name)
    return package
