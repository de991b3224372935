"""What a command is about: the project of a file, its inputs wherever they are, or what a folder comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.opening import is_folder, refuse_missing
from zebra_core.files.writing import temporary_folder
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say
from zebra_gui.commands.options import gathered
from zebra_gui.commands.terminal import progress_bar

if TYPE_CHECKING:
    from zebra_core.evidence.speaker_names import Sessions
    from zebra_core.figures.figure import Figure
    from zebra_core.intake.planned import Choices
    from zebra_core.project.attack_words import AttackWords
    from zebra_core.project.project import Project


@contextmanager
def opened(
    what: Path, *, speakers: Path | SpeakerRule | None = None, unpack: bool = False
) -> Iterator[tuple[Project, tuple[str, ...]]]:
    """The project, and sentences about what was left out; files inside its file are there until the end.

    Raises ZebraError. As in the window, files that are no longer in their places are looked for by their
    contents in the folders where they were, beside the project, and inside its file. With `unpack` what packs
    better than files of scores do is read, too; `speakers` says who speaks in files of a folder.
    """
    refuse_missing(what)
    if is_folder(what):
        yield _of_folder(what, speakers, unpack=unpack)
        return
    if speakers is not None:
        raise click.UsageError(say("cli.speakers-of-folder"))
    with temporary_folder() as kept:
        yield _of_file(what, Path(kept), choices_of(unpack=unpack)), ()


def _of_file(file: Path, keep_in: Path, choices: Choices) -> Project:
    """The project with its trials. Raises InputError where it does not have the counts of its files."""
    from zebra_core.evidence.remarks import replaced_files
    from zebra_core.project.reading.inputs import input_files, with_findings
    from zebra_core.project.reading.reading import as_in_its_files
    from zebra_core.saved.project_file import find_inputs, open_project

    with progress_bar(say("cli.assessing", file=file.name)) as progress:
        kept = open_project(file, part_of(progress, 0.0, 0.3))
        found, _kept = find_inputs(kept.project, file, (), keep_in, part_of(progress, 0.3, 0.5))
        project = with_findings(kept.project, found)
        for sentence in (*kept.remarks, *replaced_files(input_files(project).values()).values()):
            click.echo(f"zebra: {sentence}", err=True)
        items = [replace(item, choices={**item.choices, **choices}) for item in project.items]
        ends = [0.5 + 0.5 * number / max(len(items), 1) for number in range(len(items) + 1)]
        parts = (part_of(progress, *both) for both in pairwise(ends))
        return project.replacing(*map(as_in_its_files, items, parts))


def _of_folder(
    folder: Path, speakers: Path | SpeakerRule | None, *, unpack: bool
) -> tuple[Project, tuple[str, ...]]:
    from zebra_core.project.reading.folder import project_of_folder

    with progress_bar(say("cli.assessing", file=folder.name or str(folder))) as progress:
        found = project_of_folder(folder, progress, speakers=speakers, any_ratio=unpack)
    for remark in found.remarks:
        click.echo(f"zebra: {remark}", err=True)
    return found.project, found.faults


def _typed(attacker: str, recogniser: str, back_end: str) -> AttackWords:
    from zebra_core.project.attack_words import AttackWords

    return AttackWords.typed(attacker=attacker, recogniser=recogniser, back_end=back_end)


attack_options = gathered(
    "attack",
    _typed,
    *(
        click.option(f"--{name}", default="", metavar="TEXT", help=say(f"cli.{name}"))
        for name in ("attacker", "recogniser", "back-end")
    ),
)
"""Who attacks, where no folder says it."""


def _asked(
    safeguard: str, people: int | None, one_in: int | None, sessions: Sessions | None
) -> Callable[[Project], Project]:
    def asked_of(project: Project) -> Project:
        project = project if sessions is None else project.in_sessions(sessions)
        if safeguard:
            project = replace(project, report=replace(project.report, safeguard=safeguard))
        project = project.among(people) if people else project
        return project.at_prior(one_in) if one_in else project

    return asked_of


among_option = click.option(
    "--among", "people", type=click.IntRange(min=2), metavar="N", help=say("cli.among")
)
prior_option = click.option(
    "--prior", "one_in", type=click.IntRange(2, 10**9), metavar="N", help=say("cli.prior")
)


def _sessions(_context: click.Context, _option: click.Parameter, word: str | None) -> Sessions | None:
    from zebra_core.intake.similarity_files import sessions_named

    return None if word is None else sessions_named(word, Path())


sessions_option = click.option(
    "--sessions", metavar="FILE|RULE", callback=_sessions, help=say("cli.sessions")
)


question_options = gathered(
    "question",
    _asked,
    click.option("--about", "safeguard", default="", metavar="SAFEGUARD", help=say("cli.about-safeguard")),
    among_option,
    prior_option,
    sessions_option,
)
"""Which safeguard the question is about, among how many people; which prior, and which sessions."""


def held_against_earlier(project: Project, since: Path | None, *, is_same_people: bool) -> Project:
    """The project with an earlier report or project as its baseline, where one is given.

    Raises UsageError for what is said of it without it.
    """
    if since is None:
        if is_same_people:
            raise click.UsageError(say("cli.same-people-alone"))
        return project
    from zebra_core.report.baselines import held_against

    with progress_bar(say("cli.looking-back", file=since.name)) as progress:
        return held_against(project, since, progress, is_same_people=is_same_people)


def choices_of(
    readings: Sequence[str] = (),
    *,
    speakers: Path | SpeakerRule | None = None,
    stream: bool | None = None,
    unpack: bool = False,
) -> dict[str, str]:
    """How to read which file, by its name, and what holds for all files.

    The first `=` after which a way can stand is the one meant.
    """
    choices = {"unpacking": "yes"} if unpack else {}
    if speakers is not None:
        choices["speakers"] = speakers.value if isinstance(speakers, SpeakerRule) else str(speakers)
    if stream is not None:
        choices["streaming"] = "yes" if stream else "no"
    for reading in readings:
        found = re.fullmatch(r"(?P<file>.+?)=(?P<way>[a-z0-9-]+(?::.*)?)", reading, re.DOTALL)
        if found is None:
            raise click.BadParameter(say("cli.read-wrong", found=reading), param_hint="'--read'")
        choices[found["file"]] = found["way"]
    return choices


def save_picture(
    make: Callable[[], Figure], label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    """What is made only where a kind is asked for."""
    from zebra_core.figures.export import save_figure, zebra_stem

    if not kinds:
        return
    figure = make()
    for kind in dict.fromkeys(kinds):
        for path in save_figure(figure, zebra_stem(label), kind, folder, overwrite=overwrite):
            click.echo(say("cli.saved", file=path), err=True)
