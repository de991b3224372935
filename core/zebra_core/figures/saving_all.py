"""Saving all pictures of a project into a folder, in the formats that were chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from zebra_core.errors import InputError, OutputError
from zebra_core.figures.all_pictures import AvailablePicture, distinct, pictures_of
from zebra_core.figures.answer import answer_figure
from zebra_core.figures.calibration import (
    cross_validation_figure,
    learnt_calibration_figure,
    over_estimation_figure,
)
from zebra_core.figures.export import figure_files, zebra_stems
from zebra_core.figures.figure import Colour, Figure, Ink
from zebra_core.figures.linking_pictures import pictures_of_people
from zebra_core.figures.series import colour_of
from zebra_core.figures.speakers import (
    accumulated_disclosure_figure,
    accumulated_worst_case_figure,
    before_after_figure,
    cmc_figure,
    speakers_figure,
    zoo_figure,
)
from zebra_core.files.access import new_folders, write_files
from zebra_core.metrics.learnt_calibration import attack
from zebra_core.metrics.scales import TagScale
from zebra_core.project.comparison.comparison import other_run
from zebra_core.project.comparison.studies import studied
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.conclusion.overall import is_measured
from zebra_core.project.gathering.gathering import over_estimation_of
from zebra_core.project.items import Entry, Item, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import study_of, trials_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.disclosure import SpeakerDisclosures, before_and_after
from zebra_core.speakers.study import SpeakerStudy, cross_validate
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import in_sentence, say

_ANSWERING, _STUDYING, _LEARNING, _LINKING = 0.05, 0.35, 0.4, 0.5  # of the time


def learnt_on_other_run(entries: Sequence[Entry]) -> Iterator[AvailablePicture]:
    """For every entry that has another run: learnt there, judged here; both classes weigh the same."""
    for test in entries:
        if (train := other_run(test, entries)) is not None:
            name = name_with_dataset(test)
            yield AvailablePicture(f"LEARNT-{name}", (train, test), partial(_of_runs, train, test))


def learnt_on_other_speakers(entry: Entry, on_progress: Progress) -> AvailablePicture:
    """Learnt on some speakers of an entry, judged on others; its trials are read again. Raises InputError."""
    trials = trials_of(entry, part_of(on_progress, 0.0, 0.5))
    priors = entry.assessment.profile.prior_log_odds
    found = cross_validate(trials, priors, on_progress=part_of(on_progress, 0.5, 1.0))
    draw = partial(cross_validation_figure, entry, found)
    return AvailablePicture(f"FOLDS-{name_with_dataset(entry)}", (entry,), draw)


def _of_runs(train: Entry, test: Entry) -> Figure:
    counts = train.assessment.counts, test.assessment.counts
    return learnt_calibration_figure(train, test, attack(*counts, test.assessment.profile.prior_log_odds))


@dataclass(frozen=True)
class SavedPictures:
    """What was written, in a fixed order, and a sentence for everything there is no picture of."""

    paths: tuple[Path, ...]
    left_out: tuple[str, ...]


def save_all_pictures(
    project: Project,
    folder: Path,
    kinds: Sequence[str],
    *,
    overwrite: bool = False,
    on_progress: Progress = no_progress,
) -> SavedPictures:
    """Write every picture into the folder, which is made if need be, as ZEBRA-<KIND>-<of what>.

    `kinds` are some of png, pdf, svg and tex. All is made before the first file is written, so what is
    stopped leaves nothing. Raises OutputError; `on_progress` may raise Cancelled.
    """
    if not kinds:
        raise OutputError("no-formats")
    pictures = pictures_of(project)
    answer = _of_answer(project, part_of(on_progress, 0.0, _ANSWERING))
    project = project.ticked
    of_speakers, left_out = _of_speakers(project, part_of(on_progress, _ANSWERING, _STUDYING))
    learnt, not_learnt = _of_calibration(project, part_of(on_progress, _STUDYING, _LEARNING))
    linked, not_linked = of_people(project, part_of(on_progress, _LEARNING, _LINKING))
    pictures = distinct([*answer, *pictures, *of_speakers, *linked, *learnt])
    drawing = part_of(on_progress, _LINKING, 1.0)
    files: dict[str, bytes] = {}
    for number, (picture, stem) in enumerate(
        zip(pictures, zebra_stems(one.label for one in pictures), strict=True)
    ):
        drawing(number / len(pictures))
        figure = picture.made()
        for kind in kinds:
            files |= figure_files(figure, stem, kind)
    with new_folders(folder):
        paths = write_files({folder / name: made for name, made in files.items()}, overwrite=overwrite)
    return SavedPictures(tuple(paths), (*left_out, *not_linked, *not_learnt))


def _of_answer(project: Project, on_progress: Progress) -> list[AvailablePicture]:
    """How often the right person is named, where that is known of any safeguard."""
    found = conclusions(project, people_figures(project, on_progress))
    return [AvailablePicture("ANSWER", (), partial(answer_figure, found))] if is_measured(found) else []


def _of_speakers(project: Project, on_progress: Progress) -> tuple[list[AvailablePicture], tuple[str, ...]]:
    """The pictures of speakers, and a sentence for each reason why some are missing."""
    found: list[AvailablePicture] = []
    before: dict[str, Before] = {}
    reasons: dict[str, list[str]] = {}
    every = all_spoken(project)
    for number, spoken in enumerate(every):
        watch = part_of(on_progress, number / len(every), (number + 1) / len(every))
        try:
            found += _studied(spoken, project.tag_scale, before, watch)
        except InputError as error:
            reasons.setdefault(str(error), []).append(spoken.name)
    return found, _sentences_about("pictures.no-speakers", reasons)


def of_people(
    project: Project, on_progress: Progress = no_progress
) -> tuple[list[AvailablePicture], tuple[str, ...]]:
    """The pictures of linking and singling out, with intervals where known, and why some are missing."""
    found = studied("people", project.entries, on_progress=on_progress)
    reasons: dict[str, list[str]] = {}
    for entry in project.entries:
        if error := found.missing.get(entry.id):
            reasons.setdefault(str(error), []).append(name_with_dataset(entry))
    return list(pictures_of_people(project.entries, found)), _sentences_about("pictures.no-people", reasons)


def _of_calibration(
    project: Project, on_progress: Progress
) -> tuple[list[AvailablePicture], tuple[str, ...]]:
    """The pictures of stated LLRs and of learnt calibration, and why some are missing."""
    found = list(learnt_on_other_run(project.entries))
    reasons: dict[str, list[str]] = {}
    for number, entry in enumerate(project.entries):
        watch = part_of(on_progress, number / len(project.entries), (number + 1) / len(project.entries))
        if entry.assessment.has_llrs:
            known = {entry.id: over_estimation_of(entry)}
            draw = partial(over_estimation_figure, (entry,), known)
            found.append(AvailablePicture(f"OVER-ESTIMATION-{name_with_dataset(entry)}", (entry,), draw))
        try:
            found.append(learnt_on_other_speakers(entry, watch))
        except InputError as error:
            reasons.setdefault(str(error), []).append(name_with_dataset(entry))
    return found, _sentences_about("pictures.no-folds", reasons)


def _sentences_about(code: str, reasons: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(say(code, names=in_sentence(names), reason=reason) for reason, names in reasons.items())


def _studied(
    spoken: SpeakerComparisons, scale: TagScale, before: dict[str, Before], on_progress: Progress
) -> list[AvailablePicture]:
    study = spoken.study(scale, on_progress)
    if spoken.is_unprotected:
        before.setdefault(spoken.measured_against, (spoken, study.disclosures))
    made = pictures_of_speakers(spoken, study, before.get(spoken.measured_against))
    return [replace(picture, setting=spoken.setting or "") for picture in made]


Before = tuple["SpeakerComparisons", SpeakerDisclosures]


@dataclass(frozen=True, eq=False)
class SpeakerComparisons:
    """Comparisons that can be studied speaker by speaker: an assessment, or one setting of matrices."""

    item: Item
    setting: str | None = None

    @property
    def name(self) -> str:
        """What to call them: never without their condition, with the dataset where it is stated."""
        name = f"{self.item.full_name} {self.setting.upper()}" if self.setting else self.item.full_name
        dataset = self.item.own_dataset
        return say("name.of-dataset", name=name, dataset=dataset) if dataset else name

    @property
    def label(self) -> str:
        """The name for a file, which tells matrices from an assessment of the same condition."""
        if not self.setting:
            return self.name
        return "-".join(
            filter(None, (self.item.dataset, self.item.full_name, "MATRICES", self.setting.upper()))
        )

    @property
    def colour(self) -> Colour:
        """The colour of the safeguard; grey for unprotected speech."""
        return Ink.MUTED if self.setting == "oo" else colour_of(self.item)

    @property
    def is_unprotected(self) -> bool:
        """Whether others may be measured against it."""
        return self.setting == "oo" or self.item.is_original

    @property
    def measured_against(self) -> str:
        """What tells the unprotected speech of the same speakers: the same matrices, or the same dataset."""
        return self.item.id if self.setting else f"dataset {self.item.dataset}"

    def study(self, scale: TagScale, on_progress: Progress) -> SpeakerStudy:
        """Look at its speakers. Raises InputError."""
        return study_of(self.item, self.setting, tag_scale=scale, on_progress=on_progress)


def all_spoken(project: Project) -> list[SpeakerComparisons]:
    """All comparisons of a project; unprotected speech comes first, for others are measured against it."""
    found = [SpeakerComparisons(entry) for entry in project.entries]
    for item in project.similarities:
        found += [SpeakerComparisons(item, setting) for setting in item.similarity.matrices]
    return sorted(found, key=lambda spoken: not spoken.is_unprotected)


def pictures_of_speakers(
    spoken: SpeakerComparisons, study: SpeakerStudy, before: Before | None
) -> Iterator[AvailablePicture]:
    """The pictures of one study; `before` is what the same speakers disclosed without protection."""
    name, label, colour, items = spoken.name, spoken.label, spoken.colour, (spoken.item,)
    yield AvailablePicture(
        f"SPEAKERS-{label}", items, partial(speakers_figure, study.disclosures, name, colour)
    )
    if before is not None and not spoken.is_unprotected:
        earlier, disclosures = before
        paired = before_and_after(disclosures, study.disclosures)
        both: Sequence[Item] = list(dict.fromkeys((earlier.item, spoken.item)))
        draw = partial(before_after_figure, paired, (earlier.name, name), colour)
        if paired.pairs:
            yield AvailablePicture(f"BEFORE-AFTER-{label}", both, draw)
    for scale in ZooScale:
        drawn = partial(zoo_figure, study.zoo(scale), name, study.group_sizes(scale))
        yield AvailablePicture(f"ZOO-{scale.value.upper()}-{label}", items, drawn)
    if study.ranks:
        yield AvailablePicture(f"CMC-{label}", items, partial(cmc_figure, [(name, study.ranks)], colour))
    curves = [(say(f"figure.pooling-{way.value}"), found) for way, found in study.accumulations.items()]
    draw_sum, draw_worst = accumulated_disclosure_figure, accumulated_worst_case_figure
    yield AvailablePicture(f"ACCUMULATION-{label}", items, partial(draw_sum, curves, colour))
    yield AvailablePicture(f"ACCUMULATION-WORST-{label}", items, partial(draw_worst, curves, colour))
