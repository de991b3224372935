"""Studies of speakers: made by jobs when a pane asks for them, and kept while they may be wanted again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.figures.figure import Colour, Ink
from zebra_core.figures.series import colour_of
from zebra_core.project.items import Item
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import say, visible
from zebra_gui.jobs.jobs import Job, Urgency
from zebra_gui.session import work
from zebra_gui.session.counting_again import RecountConsent
from zebra_gui.session.open_project import OpenProject

_MOST_KEPT = 6
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


class SpeakerStudies(QObject):
    """The studies of the session.

    Signals:
        studied: the key of comparisons whose study is there, or failed.
    """

    studied = Signal(str)

    def __init__(self, project: OpenProject, counting_again: RecountConsent) -> None:
        super().__init__(project)
        self._open = project
        self._counting_again = counting_again
        self._found: dict[str, tuple[object, SpeakerStudy]] = {}
        self._failed: dict[str, tuple[object, str]] = {}
        self._asked: dict[str, tuple[object, Job]] = {}
        project.left.connect(self._on_left)

    def of(self, spoken: StudiedComparisons) -> SpeakerStudy | None:
        """The study of these comparisons; None while it is being made, or where it failed."""
        stamp, key = self._stamp(spoken), spoken.key
        for known in (self._found, self._failed):
            if key in known and known[key][0] != stamp:  # the project has changed
                del known[key]
        if key in self._found:
            self._found[key] = self._found.pop(key)  # the last one asked for is kept longest
            return self._found[key][1]
        asked_for, job = self._asked.get(key, (None, None))
        if job is not None and asked_for == stamp:
            job.urgency = Urgency.SEEN  # whoever asks is on the screen
        elif key not in self._failed and not self._counting_again.offer(spoken.item):
            self._start(spoken, stamp)
        return None

    def known(self, spoken: StudiedComparisons) -> SpeakerStudy | None:
        """The study of these comparisons if it is there; none is begun."""
        stamp, study = self._found.get(spoken.key, (None, None))
        return study if study is not None and stamp == self._stamp(spoken) else None

    def failure(self, spoken: StudiedComparisons) -> str:
        """Why there is no study of these comparisons; empty while it is being made."""
        return self._failed.get(spoken.key, (None, ""))[1]

    def test_zoo(self, study: SpeakerStudy, scale: ZooScale) -> Job:
        """Test by permutations whether speakers differ by more than chance; the result is Differences."""
        name = self.tr("Testing whether speakers differ")
        return self._open.start_work(name, study.differences, scale, supersedes="zoo")

    def _on_left(self) -> None:
        """What was found is kept, for the project may be reopened."""
        self._asked.clear()
        self._failed.clear()

    def _stamp(self, spoken: StudiedComparisons) -> object:
        """What a study rests on: names and colours may change without it, and the project may be reopened."""
        item, project = spoken.item, self._open.project
        return _contents_of(item), project.tag_scale if project else None

    def _start(self, spoken: StudiedComparisons, stamp: object) -> None:
        key, project = spoken.key, self._open.project
        name = self.tr("Looking at the speakers of {name}").format(name=visible(spoken.name))
        scale = project.tag_scale if project else None
        job = self._open.start_work(
            name, work.study, spoken.item, spoken.setting, scale, is_reported=False, urgency=Urgency.SEEN
        )
        self._asked[key] = stamp, job
        job.done.connect(lambda study: self._on_done(key, stamp, study))
        job.failed.connect(lambda error: self._on_failed(key, stamp, error))
        job.cancelled.connect(lambda: None if job.is_dropped else self._on_failed(key, stamp, None))

    def _on_done(self, key: str, stamp: object, study: SpeakerStudy) -> None:
        self._asked.pop(key, None)
        self._found[key] = stamp, study
        while len(self._found) > _MOST_KEPT:
            del self._found[next(iter(self._found))]
        self.studied.emit(key)

    def _on_failed(self, key: str, stamp: object, error: Exception | None) -> None:
        self._asked.pop(key, None)
        if error is None:
            said = self.tr("Stopped. Choose the comparisons again to look once more.")
        elif isinstance(error, ZebraError):
            said = str(error)
        else:
            self._open.report_failure(error)
            said = self.tr("The speakers could not be examined: see the problem above.")
        self._failed[key] = stamp, visible(said, 1500)
        self.studied.emit(key)

    def forget_failure(self, spoken: StudiedComparisons) -> None:
        """Try these comparisons once more when they are next asked for."""
        self._failed.pop(spoken.key, None)


def _contents_of(item: Item) -> object:
    """The contents of its files, how they were read and what was decided; without files, its figures."""
    if not item.files:
        return item.figures.rests_on
    files = tuple((file.role, file.sha256, file.member, file.format, file.dialect) for file in item.files)
    return files, tuple(sorted(item.choices.items())), item.decisions
