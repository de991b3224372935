"""What is found of items by jobs: looked for when a pane asks, and kept while what it rests on stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, TypeVarTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.figures.figure import Colour, Ink
from zebra_core.figures.series import colour_of
from zebra_core.metrics.scales import TagScale
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.items import Entry, Item
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.wording.texts import say, visible
from zebra_gui.jobs.jobs import Job, Urgency, Watch
from zebra_gui.session import work
from zebra_gui.session.intervals import RecountConsent
from zebra_gui.session.open_project import OpenProject

T = TypeVar("T")
Given = TypeVarTuple("Given")
_LONGEST = 1500


@dataclass(eq=False)
class _JobFinding(Generic[T]):
    """What is known of one thing; `job` is looking for it."""

    rests_on: object
    value: T | None = None
    failure: str = ""
    job: Job | None = None


class JobFindings(Generic[T], QObject):
    """What was found, or why nothing was, of everything that a pane asked about.

    A subclass says what tells questions apart, what a finding rests on, which question is worth a job, what
    the job is, and the sentence where a fault in the program, or the user, ended it.

    Signals:
        found: the key of what something is known of, or why nothing can be.
    """

    found = Signal(str)
    most_kept = 0  # findings that outlive the project, which may be reopened; 0: none do

    def __init__(self, project: OpenProject, counting_again: RecountConsent) -> None:
        super().__init__(project)
        self._open, self._counting_again = project, counting_again
        self._known: dict[str, _JobFinding[T]] = {}
        project.left.connect(self._on_left)

    def key(self, *about: Any) -> str:
        """What tells these questions apart."""
        raise NotImplementedError

    def rests_on(self, *about: Any) -> object:
        """What a finding stands and falls with."""
        raise NotImplementedError

    def is_worth_asking(self, *about: Any) -> bool:
        """Whether there is anything to look for, and nobody must agree to it first."""
        raise NotImplementedError

    def look(self, *about: Any) -> Job:
        """Start the job that looks for it."""
        raise NotImplementedError

    def fault(self, *about: Any) -> str:
        """What is said where a fault in the program ended it."""
        raise NotImplementedError

    def stopped(self) -> str:
        """What is said where the user ended it."""
        return QCoreApplication.translate("JobFindings", "Stopped.")

    def of(self, *about: Any) -> T | None:
        """What is known; looked for where there is nothing yet."""
        key, known = self.key(*about), self._now(*about)
        if known is not None:
            self._known[key] = self._known.pop(key)  # what was asked for last is kept longest
            if known.job is not None:
                known.job.urgency = Urgency.SEEN  # whoever asks is on the screen
            return known.value
        if self.is_worth_asking(*about):
            self._start(key, *about)
        return None

    def known(self, *about: Any) -> T | None:
        """What is known; nothing is begun."""
        known = self._now(*about)
        return known.value if known else None

    def failure(self, *about: Any) -> str:
        """Why there is nothing; empty while it is being looked for."""
        known = self._now(*about)
        return known.failure if known else ""

    def forget_failure(self, *about: Any) -> None:
        """Look once more when it is next asked for."""
        if self.failure(*about):
            del self._known[self.key(*about)]

    def start_work(self, name: str, function: Callable[[*Given, Watch], object], *given: *Given) -> Job:
        """Start a job whose failure is for whoever asked."""
        return self._open.start_work(name, function, *given, is_reported=False, urgency=Urgency.SEEN)

    def _now(self, *about: Any) -> _JobFinding[T] | None:
        known = self._known.get(self.key(*about))
        return known if known is not None and known.rests_on == self.rests_on(*about) else None

    def _start(self, key: str, *about: Any) -> None:
        known = self._known[key] = _JobFinding(self.rests_on(*about))
        job = known.job = self.look(*about)

        def end(value: T | None, failure: str = "") -> None:
            known.value, known.failure, known.job = value, visible(failure, _LONGEST), None
            if self._known.get(key) is known:  # else something else was asked since
                kept = [each for each, one in self._known.items() if one.value is not None]
                for oldest in kept[: -self.most_kept] if self.most_kept else ():
                    del self._known[oldest]
                self.found.emit(key)

        def fail(error: Exception) -> None:
            if not isinstance(error, ZebraError):
                self._open.report_failure(error)
            end(None, str(error) if isinstance(error, ZebraError) else self.fault(*about))

        job.done.connect(end)
        job.failed.connect(fail)
        job.cancelled.connect(lambda: None if job.is_dropped else end(None, self.stopped()))

    def _on_left(self) -> None:
        self._known = {
            key: one for key, one in self._known.items() if self.most_kept and one.value is not None
        }


class StudyFindings(JobFindings[Any]):
    """What each study of the core finds of an assessment; of groups of people, by one attribute."""

    def key(self, study: str, entry: Entry, by: str = "") -> str:
        return f"{study} {entry.id} {by}"

    def rests_on(self, _study: str, entry: Entry, _by: str = "") -> object:
        files = tuple((file.role, file.sha256) for file in entry.files)
        settings = entry.trust.uncertainty.settings if entry.trust else BootstrapSettings()
        return entry.assessment.counts.digest, entry.assessment.settings, files, settings

    def is_worth_asking(self, study: str, entry: Entry, _by: str = "") -> bool:
        if study == "people":
            return not self._counting_again.offer(entry)
        return bool(names_of_attributes(entry))

    def look(self, study: str, entry: Entry, by: str = "") -> Job:
        name = say(f"study.{study}", name=visible(entry.full_name))
        return self.start_work(name, work.find, study, entry, by)

    def fault(self, study: str, _entry: Entry, _by: str = "") -> str:
        return say(f"study.{study}-failed")


# Studies of speakers: made by jobs when a pane asks for them, and kept while they may be wanted again.


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
