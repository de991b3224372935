"""What projects ask of tests by ear: of their items, their studies, their pictures, and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import Figure
from zebra_core.files.schema import Count, array_of, fault, json_object, note
from zebra_core.intake.tables.table import FileRole
from zebra_core.listening.evaluation import LISTENING_OUTCOME
from zebra_core.listening.pictures import ears_figure, rated_figure
from zebra_core.listening.section import section_of
from zebra_core.listening.study import (
    ListeningStudy,
    answers_of,
    hear_again,
    heard_from,
    listener_of,
    read_heard,
    speakers_heard,
)
from zebra_core.metrics.assessment import Settings
from zebra_core.project.items import Entry
from zebra_core.project.satellites import Satellite, Study
from zebra_core.report.document import Block
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say, visible

_LONGEST_TITLE = 100
_ROWS = frozenset({"questions", "listeners", "panels", "machine", "ratings"})


class ListeningTests(Satellite):
    """See `Satellite`."""

    study = ListeningStudy
    outcome = LISTENING_OUTCOME
    evidence = note(
        array_of(json_object("ListeningTest", inputs=list[Count], values=LISTENING_OUTCOME)),
        "tests by ear: the places of the plan, of the answers and of what a recogniser heard among the "
        "inputs, and what came of it; evidence of before there were any does not say",
    )

    def label(self, entry: Entry) -> str:
        """The code of the listener, of one listener alone."""
        return listener_of(entry)

    def read(self, entry: Entry, on_progress: Progress) -> Entry:
        """See `Satellite`."""
        return read_heard(entry, on_progress)

    def read_anew(self, entry: Entry) -> Entry:
        """Always raises InputError: plan and answers are to be dropped again."""
        raise InputError("listening-drop-again", file=entry.name)

    def assessed(
        self,
        files: Sequence[InputFile],
        choices: Mapping[str, str],
        settings: Settings,
        on_progress: Progress,
    ) -> Entry:
        """See `Satellite`."""
        return heard_from(files, choices, settings, on_progress)

    def weighable(self, entry: Entry, on_progress: Progress) -> HeardTrials:
        """See `Satellite`."""
        return answers_of(entry, on_progress)

    def speakers(self, entry: Entry) -> dict[str, str]:
        """By the plan."""
        return speakers_heard(entry)

    def refuse_unlike(self, files: Sequence[InputFile], values: object, file: str) -> None:
        """See `Satellite`."""
        if [one.role for one in files[:1]] != [FileRole.LISTENING_PLAN.value]:
            raise InputError("listening-damaged", file=file, what="files")
        if (at := fault(values, LISTENING_OUTCOME)) is not None:
            raise InputError("listening-damaged", file=file, what=at)

    def again(self, study: Study, on_progress: Progress) -> Study:
        """See `Satellite`."""
        assert isinstance(study, ListeningStudy)  # noqa: S101 - it is one of ours
        return hear_again(study, study.left_out, on_progress).study

    def title(self, values: Mapping[str, Any]) -> str:
        """See `Satellite`."""
        return say("verify.listening", title=values["title"])

    def figures_by_name(self, values: Mapping[str, Any]) -> dict[str, object]:
        """Sentences are left out: they follow from the rest."""
        found: dict[str, object] = {}
        for name, value in values.items():
            if name in _ROWS:
                for row in value:
                    of = " ".join(str(row[key]) for key in ("question", "safeguard", "code") if row.get(key))
                    found[f"{name}: {of}"] = row
            elif name != "told":
                found[name] = value
        return found

    def pictures(self, study: ListeningStudy) -> Iterator[AvailablePicture]:
        """Listeners and recogniser, and what was rated."""
        for one in study.values["ratings"]:
            if one["counts"]:
                yield AvailablePicture(
                    f"RATED-{one['question'].upper()}", (), partial(_of_test, study, rated_figure, one)
                )
        if any(one["figures"] for one in study.values["panels"]):
            yield AvailablePicture("EARS", (), partial(_of_test, study, ears_figure, study.values))

    def section(self, study: ListeningStudy, number: int) -> Iterator[Block]:
        """See `Satellite`."""
        return section_of(study, number)


def _of_test(study: ListeningStudy, draw: Callable[[Mapping[str, Any]], Figure], values: Any) -> Figure:
    """A picture of a listening test, with its title below."""
    return replace(draw(values), caption=visible(study.title, _LONGEST_TITLE))


SATELLITE = ListeningTests()
