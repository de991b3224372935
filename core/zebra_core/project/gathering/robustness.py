"""How robust the headline figures of a project are: whoever is left out, how far do they move?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.project.checks.checklist import sex_of
from zebra_core.project.gathering.gathering import speaker_map_of
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.weighted import FiguresWithout, LeftOutUnit, Robustness, leave_out
from zebra_core.wording.texts import say, visible_name

_READING = 0.2  # of the work for one


Read = Callable[[Entry, Progress], SpeakerTrials]
"""Gives the trials of an entry with who speaks in them. Raises InputError."""


def robustness_of(
    project: Project, on_progress: Progress = no_progress, read: Read | None = None
) -> tuple[dict[str, Robustness], tuple[str, ...]]:
    """What was found, by the id of the entry, and a sentence for each that could not be examined.

    Speakers of every assessment are left out, one part at a time; what is known of it stays.

    Trials that were let go are read again, by `read` where that is given. `on_progress` may raise Cancelled.
    """
    found, faults = dict(project.robust), []
    missing = [entry for entry in project.entries if entry.id not in found]
    for number, entry in enumerate(missing):
        part = part_of(on_progress, number / len(missing), (number + 1) / len(missing))
        try:
            found[entry.id] = _of(entry, project, read or read_named, part)
        except InputError as error:
            name = visible_name(name_with_dataset(entry))
            faults.append(say("robustness.left-out", name=name, reason=str(error)))
    on_progress(1.0)
    return _with_other_sex(project, found), tuple(faults)


def with_robustness(project: Project, on_progress: Progress = no_progress) -> tuple[Project, tuple[str, ...]]:
    """The project with how robust its headline figures are, and a sentence for what could not be examined."""
    found, faults = robustness_of(project, on_progress)
    return replace(project, robustness=found), faults


def _with_other_sex(project: Project, found: Mapping[str, Robustness]) -> dict[str, Robustness]:
    """The results with each sex left out, if the sexes are datasets of their own, as libri_f and libri_m.

    Leaving out one sex leaves the dataset of the other, under the same attack on the same safeguard.
    """
    alike: dict[tuple[object, ...], dict[str, Entry]] = {}
    for entry in project.entries:
        stem, sexes = sex_of(entry.dataset)
        if entry.id in found and len(sexes) == 1:
            key = (stem, entry.name, entry.run, entry.condition, entry.attack)
            alike.setdefault(key, {}).setdefault(next(iter(sexes)), entry)
    changed = dict(found)
    for by_sex in alike.values():
        if len(by_sex) == 2:
            (one, of_one), (other, of_other) = sorted(by_sex.items())
            ours, theirs = found[of_one.id], found[of_other.id]
            left_out = (
                FiguresWithout(LeftOutUnit.SEX, other, theirs.n_speakers, ours.figures),
                FiguresWithout(LeftOutUnit.SEX, one, ours.n_speakers, theirs.figures),
            )
            for entry, each in ((of_one, ours), (of_other, theirs)):
                kept = tuple(part for part in each.left_out if part.part is not LeftOutUnit.SEX)
                changed[entry.id] = replace(each, left_out=(*kept, *left_out))
    return changed


def sex_of_speakers(project: Project, dataset: str) -> dict[str, str]:
    """The sex of the speakers of a dataset, as far as maps came along with matrices."""
    maps = [item.similarity.sex for item in project.similarities if item.dataset == dataset]
    return {speaker: sex for one in maps for speaker, sex in one.items()}


def read_named(entry: Entry, on_progress: Progress = no_progress) -> SpeakerTrials:
    """The trials of an entry with who speaks in them, read again where they were let go."""
    return SpeakerTrials.of_trials(trials_of(entry, on_progress), speaker_map_of(entry))


def _of(entry: Entry, project: Project, read: Read, on_progress: Progress) -> Robustness:
    named = read(entry, part_of(on_progress, 0.0, _READING))
    sex = sex_of_speakers(project, entry.dataset)
    return leave_out(named, entry.assessment, sex, part_of(on_progress, _READING, 1.0))
