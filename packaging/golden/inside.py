"""The few things that neither the command line nor `zebra_core` makes: what moves in the code, moves here."""

from itertools import count
from pathlib import Path

from tests.core.document.samples import rich_project
from tests.core.listening.cases import answered, knowing, recordings
from zebra_core import Project, save_project
from zebra_core.listening import answers
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.making import ListeningTest
from zebra_core.listening.plan import read_plan
from zebra_core.listening.study import hear_dropped, with_heard


def write_recordings(folder: Path) -> None:
    """Short tones of five people, `original` and under the safeguard `mask`."""
    recordings(folder)


def write_answers(plan: Path) -> None:
    """Two listeners who know the speakers, and one who says the same of everything."""
    at = count()
    answers.now = lambda: f"2021-05-03T10:{next(at) // 60:02}:{next(at) % 60:02}Z"
    made = ListeningTest(read_plan(plan), (plan,), ())
    knows = knowing(made.plan.speaker)
    for code, rule in (("L01", knows), ("L02", knows), ("L03", _the_same)):
        answered(made, code, rule)


def _the_same(item: object) -> ItemAnswer:
    question = str(getattr(item, "question").value)  # noqa: B009 - whatever an item will be
    if question == "same":
        return ItemAnswer(confidence=2)
    if question == "placement":
        places = len(item.stimuli)  # type: ignore[attr-defined]
        return ItemAnswer(positions=tuple((0.1 * n, 0.5) for n in range(places)))
    return ItemAnswer(rating=5)


def save_heard(folder: Path, file: Path) -> tuple[str, ...]:
    """A project of the test and the answers in a folder; what is said of files that were not used."""
    heard = hear_dropped([folder], ())
    save_project(with_heard(Project(title="Ears"), heard, alone=True), file)
    return heard.faults


def save_rich(folder: Path, file: Path) -> None:
    """A project with something in every part of it."""
    folder.mkdir(parents=True, exist_ok=True)
    save_project(rich_project(folder), file, {"prior": 100})
