"""Studies of speakers: made by jobs when a pane asks for them, and kept while they may be wanted again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zebra_core.figures.figure import Colour, Ink
from zebra_core.figures.series import colour_of
from zebra_core.metrics.scales import TagScale
from zebra_core.project.items import Item
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import say, visible
from zebra_gui.jobs.jobs import Job
from zebra_gui.session import work
from zebra_gui.session.findings import JobFindings

_FIRST_SETTINGS = ("op", "pp", "oo")  # what one wants to know of a safeguard first


@dataclass(frozen=True)
class StudiedComparisons:
    """Comparisons that can be studied speaker by speaker: an assessment, or one setting of matrices."""

    item: Item
    setting: str | None = None

    @property
    def key(self) -> str:
        """What tells these comparisons from others."""
        return f"{self.item.id} {self.setting or ''}".strip()

    @property
    def name(self) -> str:
        """What to call them: never without their condition."""
        return f"{self.item.full_name} {self.setting.upper()}" if self.setting else self.item.full_name

    @property
    def name_with_dataset(self) -> str:
        """The name with the dataset before it, where there is one."""
        dataset = self.item.own_dataset
        return say("name.of-dataset", name=self.name, dataset=dataset) if dataset else self.name

    @property
    def colour(self) -> Colour:
        """The colour of the safeguard; grey for unprotected speech."""
        return Ink.MUTED if self.setting == "oo" else colour_of(self.item)


def all_spoken(items: Sequence[Item]) -> tuple[StudiedComparisons, ...]:
    """All comparisons of a project that can be studied."""
    found = [StudiedComparisons(entry) for item in items for entry in item.entries]
    found += [StudiedComparisons(item, setting) for item in items for setting in item.settings]
    return tuple(found)


def spoken_by_default(items: Sequence[Item], selected: Item | None) -> StudiedComparisons | None:
    """The selected assessment, or of selected matrices OP; else the first there is."""
    if selected is not None:
        first = (setting for setting in _FIRST_SETTINGS if setting in selected.settings)
        return StudiedComparisons(selected, next(first, None))
    return next(iter(all_spoken(items)), None)


def before(items: Sequence[Item], spoken: StudiedComparisons) -> StudiedComparisons | None:
    """The unprotected speech of the same speakers: OO of the same matrices, or of the same dataset."""
    if spoken.setting is not None:
        has_oo = spoken.setting != "oo" and "oo" in spoken.item.settings
        return StudiedComparisons(spoken.item, "oo") if has_oo else None
    for item in items:
        if item.is_original and item.dataset == spoken.item.dataset and item.id != spoken.item.id:
            return StudiedComparisons(item)
    return None


class SpeakerStudies(JobFindings[SpeakerStudy]):
    """The studies of the session."""

    most_kept = 6

    def key(self, spoken: StudiedComparisons) -> str:
        return spoken.key

    def rests_on(self, spoken: StudiedComparisons) -> object:
        """Names and colours may change without it, and the project may be reopened."""
        return _contents_of(spoken.item), self._tag_scale

    def is_worth_asking(self, spoken: StudiedComparisons) -> bool:
        return not self._counting_again.offer(spoken.item)

    def look(self, spoken: StudiedComparisons) -> Job:
        name = self.tr("Looking at the speakers of {name}").format(name=visible(spoken.name))
        return self.start_work(name, work.study, spoken.item, spoken.setting, self._tag_scale)

    def fault(self, _spoken: StudiedComparisons) -> str:
        return self.tr("The speakers could not be examined: see the problem above.")

    def stopped(self) -> str:
        return self.tr("Stopped. Choose the comparisons again to look once more.")

    def test_zoo(self, study: SpeakerStudy, scale: ZooScale) -> Job:
        """Test by permutations whether speakers differ by more than chance; the result is Differences."""
        name = self.tr("Testing whether speakers differ")
        return self._open.start_work(name, study.differences, scale, supersedes="zoo")

    @property
    def _tag_scale(self) -> TagScale | None:
        return self._open.project.tag_scale if self._open.project else None


def _contents_of(item: Item) -> object:
    """The contents of its files, how they were read and what was decided; without files, its figures."""
    if not item.files:
        return item.figures.rests_on
    files = tuple((file.role, file.sha256, file.member, file.format, file.dialect) for file in item.files)
    return files, tuple(sorted(item.choices.items())), item.decisions
