"""What projects ask of tests by ear: of their items, their studies, their pictures, and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.value_types import Count, array_of, fault, json_object, note
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import Figure
from zebra_core.intake.tables.table import FileRole
from zebra_core.listening.evaluation import LISTENING_OUTCOME
from zebra_core.listening.section import ears_figure, rated_figure, section_of
from zebra_core.listening.study import (
    ListeningStudy,
    answers_of,
    hear_again,
    heard_from,
    listener_of,
    read_heard,
    speakers_heard,
)
from zebra_core.project.items import Entry
from zebra_core.project.satellites import Satellite
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say, visible

_LONGEST_TITLE = 100
_ROWS = frozenset({"questions", "listeners", "panels", "machine", "ratings"})


def _read_anew(entry: Entry) -> Entry:
    raise InputError("listening-drop-again", file=entry.name)


def _refuse_unlike(files: Sequence[InputFile], values: object, file: str) -> None:
    is_planned = [one.role for one in files[:1]] == [FileRole.LISTENING_PLAN.value]
    if (at := fault(values, LISTENING_OUTCOME) if is_planned else "files") is not None:
        raise InputError("listening-damaged", file=file, what=at)


def _again(study: ListeningStudy, on_progress: Progress) -> ListeningStudy:
    return hear_again(study, study.left_out, on_progress).study


def _figures_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """Rows by what they are of; sentences follow from the rest."""
    found: dict[str, object] = {}
    for name, value in values.items():
        if name in _ROWS:
            for row in value:
                of = " ".join(str(row[key]) for key in ("question", "safeguard", "code") if row.get(key))
                found[f"{name}: {of}"] = row
        elif name != "told":
            found[name] = value
    return found


def _pictures(study: ListeningStudy) -> Iterator[AvailablePicture]:
    """Listeners and recogniser, and what was rated."""
    for one in study.values["ratings"]:
        if one["counts"]:
            label = f"RATED-{one['question'].upper()}"
            yield AvailablePicture(label, (), partial(_of_test, study, rated_figure, one))
    if any(one["figures"] for one in study.values["panels"]):
        yield AvailablePicture("EARS", (), partial(_of_test, study, ears_figure, study.values))


def _of_test(study: ListeningStudy, draw: Callable[[Mapping[str, Any]], Figure], values: Any) -> Figure:
    """A picture of a listening test, with its title below."""
    return replace(draw(values), caption=visible(study.title, _LONGEST_TITLE))


SATELLITE = Satellite(
    study=ListeningStudy,
    outcome=LISTENING_OUTCOME,
    evidence=note(
        array_of(json_object("ListeningTest", inputs=list[Count], values=LISTENING_OUTCOME)),
        "tests by ear: the places of the plan, of the answers and of what a recogniser heard among the "
        "inputs, and what came of it; evidence of before there were any does not say",
    ),
    label=listener_of,
    read=read_heard,
    read_anew=_read_anew,
    assessed=heard_from,
    weighable=answers_of,
    speakers=speakers_heard,
    refuse_unlike=_refuse_unlike,
    again=_again,
    title=lambda values: say("verify.listening", title=values["title"]),
    figures_by_name=_figures_by_name,
    pictures=_pictures,
    section=section_of,
)
