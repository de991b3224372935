"""The pictures of speakers of every assessment and every matrix, each set of comparisons studied once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from zebra_core.figures.accumulation import accumulated_disclosure_figure, accumulated_worst_case_figure
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import Colour, Ink
from zebra_core.figures.series import colour_of
from zebra_core.figures.speakers import before_after_figure, cmc_figure, speakers_figure
from zebra_core.figures.zoo import zoo_figure
from zebra_core.metrics.scales import TagScale
from zebra_core.project.items import Item
from zebra_core.project.project import Project
from zebra_core.project.speaker_study import study_of
from zebra_core.runtime.progress import Progress
from zebra_core.speakers.disclosure import SpeakerDisclosures, before_and_after
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import say

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
