"""Options that several commands have, each in the same words."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, fields, replace
from functools import partial, wraps
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

import click

from zebra_core.errors import ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import is_folder, make_folder, refuse_missing, temporary_folder
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say, visible
from zebra_gui.commands.terminal import progress_bar

if TYPE_CHECKING:
    from zebra_core.evidence.speaker_names import Sessions, Speakers
    from zebra_core.figures.figure import Figure
    from zebra_core.intake.planned import Choices
    from zebra_core.project.attackers import AttackWords
    from zebra_core.project.by_group import EntryFindings, GroupsOfPeople
    from zebra_core.project.comparison.inference import Labels
    from zebra_core.project.items import Entry
    from zebra_core.project.project import Project
    from zebra_core.report.results_tex import TexTables
    from zebra_core.uncertainty.bootstrap import BootstrapSettings


F = TypeVar("F", bound=Callable[..., object])


class Option(Protocol):
    """What puts an option before a command."""

    def __call__(self, command: F, /) -> F: ...


def together(*options: Option) -> Option:
    """Several options as one, in this order."""

    def before(command: F, /) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return before


def gathered(keyword: str, make: Callable[..., object], *options: Option) -> Option:
    """Several options whose values a command is given as one: what `make` makes of them, by their names."""

    def before(command: F, /) -> F:
        @wraps(command)
        def run(**given: Any) -> object:
            own = {name: given.pop(name) for name in signature(make).parameters}
            return command(**{keyword: make(**own)}, **given)

        return cast("F", together(*options)(run))

    return before


def asked(option: str | Option, *names: str, **how: Any) -> Any:
    """A field of a class of settings, and the option that asks for it: as click takes it, or one of ours."""
    return field(metadata={"asked": (option, names, how)})


def options_of(keyword: str, settings: type) -> Option:
    """The options of the fields of a class, in their order; a command is given all of them as one value."""
    made: list[Option] = []
    for each in fields(settings):
        option, names, how = each.metadata["asked"]
        made.append(option if callable(option) else click.option(option, *names, each.name, **how))
    return gathered(keyword, settings, *made)


class _InputPath(click.Path):
    """A file to be read, or a folder: also `-`, standard input, and a pipe, as `<(…)` of a shell.

    These are kept in a file until the command ends, because files are read several times.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or that of the file that it is kept in."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is None or ctx.resilient_parsing or (value != "-" and not _is_pipe(path)):
            return path
        kept = Path(ctx.with_resource(temporary_folder())) / _called(value)
        with click.open_file(value, "rb") as given, kept.open("wb") as file:
            shutil.copyfileobj(given, file)
        return kept


def _is_pipe(path: Path) -> bool:
    try:
        return path.is_fifo()
    except (OSError, ValueError):  # a name that no file can have: told by whoever reads it
        return False


def _called(value: str) -> str:
    return "standard-input" if value == "-" else f"pipe-{Path(value).name}"


class _Written(click.Path):
    """What is written: the folder that it lies in is made, and goes again where nothing came into it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is not None and not ctx.resilient_parsing and not path.parent.exists():
            ctx.call_on_close(partial(_remove_empty, make_folder(path.parent)))
        return path


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


class _SpeakersType(_InputPath):
    """Who speaks: a file that says it, or the name of a rule."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The rule of this name, or the path."""
        rules = {rule.value: rule for rule in SpeakerRule}
        return rules.get(value) or super().convert(value, param, ctx)


PATH, INPUT, _WHO = _Written(path_type=Path), _InputPath(path_type=Path), _SpeakersType(path_type=Path)
PATH.name = INPUT.name = "path"  # in every language
PICTURE_KINDS = ("png", "pdf", "svg", "tex", "csv")

overwrite_option = click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
"""Of every command that writes."""

unpack_option = click.option("--unpack", is_flag=True, help=say("cli.unpack"))
"""Of every command that reads files of scores."""

same_people_option = click.option(
    "--same-people", "is_same_people", is_flag=True, help=say("cli.same-people")
)
"""Of every command that holds a project against an earlier one."""

since_options = together(
    click.option("--since", "since", type=PATH, metavar="OLD", help=say("cli.since")), same_people_option
)

read_option = click.option("--read", "readings", multiple=True, metavar="FILE=WAY", help=say("cli.read"))
"""Of every command that is told how to read which file."""

passphrase_option = click.option(
    "--passphrase-file", metavar="FILE", type=INPUT, help=say("cli.passphrase-file")
)
"""Of every command that takes a key."""


def json_option(words: str) -> Option:
    """`--json`, with the code of the text that says what it prints."""
    return click.option("--json", "as_json", is_flag=True, help=say(words))


def out_option(metavar: str, words: str) -> Option:
    """`-o` where it must be given: what it names, and the code of the text that says so."""
    return click.option("-o", "out", required=True, metavar=metavar, type=PATH, help=say(words))


def speakers_option(words: str, *names: str) -> Option:
    """Who speaks, by a file or a rule, with the code of the text that says in what."""
    names = names or ("--speakers", "--utt2spk", "speakers")
    return click.option(*names, metavar="FILE|RULE", type=_WHO, help=say(words))


def allow_option(decisions: Sequence[str]) -> Option:
    """`--allow` for these decisions of the user."""
    return click.option(
        "--allow",
        multiple=True,
        metavar="NAME",
        type=click.Choice(decisions),
        help=say("cli.allow", names=", ".join(decisions)),
    )


def pictures_option(words: str, *, first: Sequence[str] = ()) -> Option:
    """`-e`, once for each kind of picture; without it the first kinds are saved."""
    return click.option(
        "-e",
        "kinds",
        multiple=True,
        default=first,
        show_default=bool(first),
        type=click.Choice(PICTURE_KINDS),
        help=say(words),
    )


def _columns(text: str) -> tuple[str, ...]:
    """The codes of keys with commas between them; one that there is not is refused with all that there are.

    Codes, which were asked for formerly, are read, too; that they have another name is told.
    """
    from zebra_core.report.results_tex import CHOICES

    keys = tuple(filter(None, (key.strip() for key in text.split(","))))
    now = {code: key for key, code in CHOICES.items()}
    for key in keys:
        if key not in CHOICES and key not in now:
            raise click.BadParameter(say("cli.no-column", found=visible(key), known=", ".join(CHOICES)))
        if key not in CHOICES:
            click.echo(f"zebra: {say('requirement.former-name', found=key, now=now[key])}", err=True)
    return tuple(CHOICES.get(key, key) for key in keys)


def _tex_tables(columns: str, digits: int | None, is_long: bool) -> TexTables:
    from zebra_core.report.results_tex import TexTables

    return TexTables(_columns(columns), digits, is_long)


tex_options = gathered(
    "tex",
    _tex_tables,
    click.option("--columns", default="", metavar="CODE,CODE", help=say("cli.tex-columns")),
    click.option("--digits", type=click.IntRange(0, 15), help=say("cli.tex-digits")),
    click.option("--longtable", "is_long", is_flag=True, help=say("cli.tex-longtable")),
)
"""How results.tex is to be."""


class Draws(NamedTuple):
    """How often something is drawn again, None where nobody asked for it, and the seed."""

    replicates: int | None = None
    seed: int = 0

    @property
    def settings(self) -> BootstrapSettings | None:
        """What the bootstrap takes; None where nobody asked for it."""
        return self.or_usual if self.replicates else None

    @property
    def or_usual(self) -> BootstrapSettings:
        """The same, with the usual number of draws where nobody asked."""
        from zebra_core.uncertainty.bootstrap import BootstrapSettings

        return BootstrapSettings(self.replicates or BootstrapSettings.replicates, seed=self.seed)


def drawing_options(words: str, *, default: int | None = None, least: int = 1) -> Option:
    """`--bootstrap` and `--seed` as Draws, with the code of the text that says what is drawn again.

    Without a default nothing is drawn again unless the user asks for it.
    """
    replicates = click.option(
        "--bootstrap",
        "replicates",
        type=click.IntRange(min=least),
        default=default,
        show_default=default is not None,
        help=say(words),
    )
    seed = click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help=say("cli.seed")
    )

    return gathered("draws", Draws, replicates, seed)


# The option that divides the people of assessments into groups, and what is said of these.


by_option = click.option("--by", "by", multiple=True, metavar="ATTRIBUTE", help=say("cli.by"))
"""Of every command that may look at groups of people."""


def groups_of(
    entries: Sequence[Entry],
    by: Sequence[str],
    given: Sequence[tuple[str, Labels]],
    draws: Draws,
) -> EntryFindings[tuple[GroupsOfPeople, ...]]:
    """The groups by each of these attributes, and why some assessments have none.

    Raises InputError for an attribute that there is not.
    """
    from zebra_core.project.by_group import EntryFindings
    from zebra_core.project.comparison.studies import StudyQuestion, require_attribute, studied

    found: EntryFindings[tuple[GroupsOfPeople, ...]] = EntryFindings()
    for attribute in dict.fromkeys(by):
        with progress_bar(say("cli.grouping", attribute=attribute)) as progress:
            require_attribute(entries, attribute, given)
            asked = StudyQuestion(settings=draws.or_usual, given=given, by=attribute)
            of_one = studied("by_group", entries, asked, progress)
        found.missing |= of_one.missing
        for entry_id, groups in of_one.items():
            found[entry_id] = (*found.get(entry_id, ()), *groups)
    return found


def groups_of_one(
    entry: Entry, by: Sequence[str], given: Sequence[tuple[str, Labels]], draws: Draws
) -> tuple[GroupsOfPeople, ...]:
    """The groups of one assessment; prints why there are none."""
    found = groups_of([entry], by, given, draws)
    for error in found.missing.values():
        click.echo(f"zebra: {error}", err=True)
    return found.get(entry.id, ())


def group_lines(entries: Sequence[Entry], found: Mapping[str, Sequence[GroupsOfPeople]]) -> str:
    """A block for each attribute: the groups of each assessment, whether they differ, remarks."""
    from zebra_core.project.by_group import attacks_in_words
    from zebra_core.project.items import name_with_dataset

    attacks, blocks = attacks_in_words(entries), []
    known = [(entry, each) for entry in entries for each in found.get(entry.id, ())]
    for name in dict.fromkeys(each.attribute for _, each in known):
        lines = [say("by-group.head", attribute=visible(name))]
        of_one = [(entry, each) for entry, each in known if each.attribute == name]
        for entry, each in of_one:
            lines += [visible(name_with_dataset(entry))] if len(entries) > 1 else []
            lines += each.lines(entry, attacks[entry.id])
        remarks = dict.fromkeys(remark for _, each in of_one for remark in each.remarks)
        blocks.append("\n".join([*lines, *remarks]))
    return "\n\n".join(blocks)


# Options for what is inferred of attributes of speakers, and what is said of it.


class LabelFiles(NamedTuple):
    """The files that were given: attributes of speakers, and predictions of them."""

    attributes: Sequence[Path]
    predictions: Sequence[Path]

    def refuse_alone(self) -> None:
        """Raises UsageError where there is nothing that predictions could be of."""
        if not self.attributes and self.predictions:
            raise click.UsageError(say("cli.attributes-first"))

    def joined(self, project: Project) -> Project:
        """The project with these attributes and predictions among the files of its assessments."""
        from zebra_core.project.reading.late_attributes import join

        given = [*self.attributes, *self.predictions]
        return join(project.entries, given).into(project) if given else project


class AttributeResults(NamedTuple):
    """What is told of attributes, as JSON and in sentences; nothing where none were given."""

    as_json: list[dict[str, object]] | None
    sentences: Sequence[str] = ()
    uniqueness: dict[str, object] | None = None  # how many people share their combination
    remarks: Sequence[str] = ()  # why it is not measured, where it is not


def attributes_option(words: str) -> Option:
    """`--attributes`, with the code of the text that says what for."""
    return click.option("--attributes", multiple=True, metavar="FILE", type=INPUT, help=say(words))


def labels_in(paths: Sequence[Path]) -> list[tuple[str, Labels]]:
    """The attributes in these files, by their names. Raises InputError, which names file and line."""
    from zebra_core.project.comparison.inference import read_labels

    if not paths:
        return []
    return [(path.name, read_labels(path)) for path in paths]


label_options = gathered(
    "labelled",
    LabelFiles,
    attributes_option("cli.attributes"),
    click.option("--predictions", multiple=True, metavar="FILE", type=INPUT, help=say("cli.predictions")),
)


def infer(entry: Entry, given: LabelFiles, who: Speakers | None, draws: Draws) -> AttributeResults:
    """What scores and predictions tell of the attributes. Raises InputError for files of something else."""
    if not given.attributes:
        return AttributeResults(None, remarks=[say("cli.not-inferred")])
    from zebra_core.project.comparison.inference import inferred, read_labels, uniqueness
    from zebra_core.project.reading.reading import trials_of

    attributes, said = labels_in(given.attributes), [read_labels(path) for path in given.predictions]
    labels = [one for _, one in attributes]
    try:
        with progress_bar(say("cli.inferring", file=given.attributes[0].name)) as progress:
            trials = trials_of(entry)
            if isinstance(who, SpeakerRule):
                who = {
                    name: who.speaker_of(name)
                    for ids in filter(None, (trials.enrol, trials.test))
                    for name in ids.names
                }
            found = inferred(trials, labels, said, who, draws.settings, progress)
    except ZebraError as error:  # of these trials nothing can be said; the other figures stay
        click.echo(f"zebra: {error}", err=True)
        return AttributeResults(None, remarks=[str(error)])
    named = [(name, each) for (name, _), each in zip(attributes, found, strict=True)]
    sentences, remarks = [one.in_words(name) for name, one in named], []
    unique = None
    try:
        unique = uniqueness(trials, attributes, said, who)
        sentences.append(" ".join(unique.sentences(entry)))
    except ZebraError as error:
        click.echo(f"zebra: {error}", err=True)
        remarks.append(str(error))
    return AttributeResults(
        [one.as_json(name) for name, one in named], sentences, unique.as_json() if unique else None, remarks
    )


# What a command is about: the project of a file, its inputs wherever they are, or what a folder comes to.


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
    from zebra_core.document.project_file import find_inputs, open_project
    from zebra_core.evidence.audit import replaced_files
    from zebra_core.project.reading.inputs import input_files, with_findings
    from zebra_core.project.reading.reading import as_in_its_files

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
    from zebra_core.project.attackers import AttackWords

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
    from zebra_core.intake.drop import sessions_named

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
    if not kinds:
        return
    from zebra_core.figures.export import save_figure, zebra_stem

    figure = make()
    for kind in dict.fromkeys(kinds):
        for path in save_figure(figure, zebra_stem(label), kind, folder, overwrite=overwrite):
            click.echo(say("cli.saved", file=path), err=True)
