"""`zebra report` and `zebra verify`: a report without a window, and whether one holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import require_free
from zebra_core.report.certificates import read_certificate
from zebra_core.report.verification import Verification, VerificationLine, VerificationStatus
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import language_for, say, visible, visible_sentence
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    attack_options,
    held_against_earlier,
    json_option,
    opened,
    out_option,
    overwrite_option,
    question_options,
    since_options,
    together,
    unpack_option,
)
from zebra_gui.commands.requiring import (
    RequirementFiles,
    end_by,
    judged,
    require_options,
    requiring,
    verdict_lines,
    with_what_it_takes,
)
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.project.attackers import AttackWords
    from zebra_core.project.project import Project
    from zebra_core.project.sharing.pseudonymised import Places, PseudonymisedProject


# `zebra copy`, and what reports and copies have in common that name nobody.


nameless_options = together(
    click.option("--without-names", "is_nameless", is_flag=True, help=say("cli.without-names")),
    click.option("--codes", "key_file", metavar="FILE.json", type=PATH, help=say("cli.codes")),
)


def places_of(
    out: Path, key_file: Path | None, *, is_nameless: bool, overwrite: bool, is_folder: bool = False
) -> Places | None:
    """Where score files and key go; None where names may be read. Raises UsageError for a key to nothing."""
    from zebra_core.project.sharing.pseudonymised import Places

    if not is_nameless:
        if key_file is not None:
            raise click.UsageError(say("cli.codes-alone"))
        return None
    return Places.beside(out, is_folder=is_folder, key_file=key_file, overwrite=overwrite)


@dataclass
class Share:
    """Puts a project under codes, or leaves it as it is without places; what was written is removed again."""

    places: Places | None
    made: PseudonymisedProject | None = None

    def of(self, project: Project, require: Path | None = None) -> Project:
        """What can be shared of it.

        Raises InputError where a file says what it must be shown to meet, and a name is in one of its
        requirements: without its verdict the command would seem to say that all are met.
        """
        from zebra_core.project.sharing.pseudonymised import without_names

        if self.places is None:
            return project
        with progress_bar(say("cli.coding")) as progress:
            self.made = without_names(project, self.places, progress)
        shared = self.made.project
        if require is not None and len(shared.requirements) < len(project.requirements):
            raise InputError("nameless-require", file=require.name)
        return shared

    def look(self, files: Mapping[str, bytes], ours: str = "") -> None:
        """Raise OutputError where a name is left in what was made under codes, and is about to be written."""
        if self.made:
            self.made.refuse_names(files, ours)

    @property
    def files(self) -> tuple[Path, ...]:
        """The score files that were written."""
        return self.made.files if self.made else ()


@contextmanager
def sharing(places: Places | None) -> Iterator[Share]:
    """What is written under codes stays if nothing fails inside.

    Then it is told what was left behind, and where the key is.
    """
    share = Share(places)
    try:
        yield share
    except BaseException:
        if share.made:
            share.made.undo()
        raise
    if share.made:
        for sentence in (
            *share.made.sentences,
            say("cli.key-kept", file=visible(str(share.made.key_file), 300)),
        ):
            click.echo(f"zebra: {sentence}", err=True)


@click.command(help=say("cli.copy"))
@click.argument("what", metavar="PROJECT|FOLDER", type=INPUT)
@out_option("FILE.zebra", "cli.copy-out")
@click.option("--inside", "with_inputs", is_flag=True, help=say("cli.copy-inside"))
@nameless_options
@overwrite_option
@unpack_option
@one_sentence
def copy(
    what: Path,
    out: Path,
    with_inputs: bool,
    is_nameless: bool,
    key_file: Path | None,
    overwrite: bool,
    unpack: bool,
) -> None:
    """Save a copy of a project, or what a folder comes to as one; under codes if that is wanted."""
    from zebra_core.document.project_file import SUFFIX, save_project

    if out.suffix.lower() != SUFFIX:
        raise OutputError("copy-format", file=out.name)
    require_free(out, overwrite=overwrite)
    places = places_of(out, key_file, is_nameless=is_nameless, overwrite=overwrite)
    with opened(what, unpack=unpack) as (project, faults), sharing(places) as share:
        saved = save_project(
            share.of(project),
            out,
            with_inputs=with_inputs,
            overwrite=overwrite,
            without_folders=is_nameless,
            look=share.look,
        )
    click.echo(saved.path)
    for fault in faults:
        click.echo(f"zebra: {fault}", err=True)
    if faults:
        raise SystemExit(INPUT_AT_FAULT)


NOT_VERIFIED = 4


@click.command(help=say("cli.report"))
@click.argument("what", metavar="PROJECT|FOLDER", type=INPUT)
@out_option("FILE.pdf|FILE.docx|DIR", "cli.report-out")
@click.option("--template", "template", metavar="FILE.docx", type=INPUT, help=say("cli.report-template"))
@click.option(
    "--case",
    "case",
    metavar="FILE.toml",
    type=INPUT,
    help=say("cli.report-case"),
)
@click.option("--comments", "with_comments", is_flag=True, help=say("cli.report-comments"))
@click.option("--summary", "is_summary", is_flag=True, help=say("cli.report-summary"))
@click.option("--robustness", "is_robust", is_flag=True, help=say("cli.report-robustness"))
@click.option("--no-intervals", is_flag=True, help=say("cli.report-no-intervals"))
@click.option("--language", "language", metavar="CODE", help=say("cli.report-language"))
@click.option("--date", "date", type=click.DateTime(["%Y-%m-%d"]), help=say("cli.report-date"))
@nameless_options
@overwrite_option
@attack_options
@question_options
@require_options
@since_options
@unpack_option
@json_option("cli.report-json")
@one_sentence
def report(  # noqa: PLR0913, PLR0917 - one for each option of the command
    what: Path,
    out: Path,
    template: Path | None,
    case: Path | None,
    with_comments: bool,
    is_summary: bool,
    is_robust: bool,
    no_intervals: bool,
    language: str | None,
    date: datetime | None,
    is_nameless: bool,
    key_file: Path | None,
    overwrite: bool,
    attack: AttackWords,
    question: Callable[[Project], Project],
    required: RequirementFiles,
    since: Path | None,
    is_same_people: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Write the report of a project or of a folder, with intervals: a file, or everything into a folder."""
    from zebra_core.document.project import context_as_json
    from zebra_core.project.conclusion.overall import own_settings
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.project.reading.case_file import read_case
    from zebra_core.report.attachment import WORD
    from zebra_core.report.export import report_set, require_place, save_report, save_word_report

    on = date.date() if date else None
    words = read_case(case) if case else None
    is_word = out.suffix.lower() == WORD
    if template and not is_word:
        raise click.UsageError(say("cli.report-template-alone"))
    is_one = is_word or is_summary or out.suffix.lower() == ".pdf"
    places = places_of(out, key_file, is_nameless=is_nameless, overwrite=overwrite, is_folder=not is_one)
    with opened(what, unpack=unpack) as (arrived, faults), sharing(places) as share:
        require_place(out, is_set=not is_one, overwrite=overwrite)  # intervals take their time
        project = attack.said_in(_with_comments(arrived) if with_comments else arrived)
        project = question(words.said_of(project) if words else project)
        project = share.of(requiring(project, required), required.require)
        project = project if language is None else _in_language(project, language)
        project, without = (project, ()) if no_intervals else with_intervals(project)
        project = with_what_it_takes(project, required)
        project = held_against_earlier(project, since, is_same_people=is_same_people)
        if is_robust:
            project, not_examined = _with_robustness(project)
            without = (*without, *not_examined)
        with progress_bar(say("cli.reporting", file=out.name)) as progress:
            material, rest = gather(project, part_of(progress, 0.0, 0.3)), part_of(progress, 0.3, 1.0)
            save: Callable[..., Path | list[Path]] = report_set
            if is_word:
                save = partial(save_word_report, template=template, is_summary=is_summary)
            elif is_one:
                save = partial(save_report, is_summary=is_summary)
            made = save(material, out, overwrite=overwrite, date=on, look=share.look, on_progress=rest)
            written = made if isinstance(made, list) else [made]
    written = [*written, *share.files]
    verdicts = judged(project, required, overwrite=overwrite)
    if as_json:
        found = {"verdicts": [each.as_json() for each in verdicts]} if required.require else {}
        context = context_as_json(project.report)
        echo_json({"written": [str(path) for path in written], **found, "context": context})
    else:
        for path in written:
            click.echo(path)
        if required.require:
            click.echo(verdict_lines(verdicts))
    for fault in (*faults, *without, *own_settings(project)):
        click.echo(f"zebra: {fault}", err=True)
    if faults:
        sys.exit(INPUT_AT_FAULT)
    end_by(verdicts)


def _in_language(project: Project, wanted: str) -> Project:
    """The project with a report in this language. Raises InputError where there are no texts in it."""
    return replace(project, report=replace(project.report, language=language_for(wanted) or wanted))


def _with_comments(project: Project) -> Project:
    return replace(project, report=replace(project.report, with_comments=True))


def with_intervals(project: Project) -> tuple[Project, tuple[str, ...]]:
    """The project with intervals and tested differences, and a sentence for everything that lacks them."""
    from zebra_core.project.comparison.difference_tests import with_certainty

    with progress_bar(say("cli.measuring-all")) as progress:
        return with_certainty(project, on_progress=progress)


def _with_robustness(project: Project) -> tuple[Project, tuple[str, ...]]:
    """The project with the effect of leaving out speakers, and a sentence for what could not be examined."""
    from zebra_core.project.gathering.robustness import with_robustness

    with progress_bar(say("cli.leaving-out")) as progress:
        return with_robustness(project, progress)


@click.command(help=say("cli.verify"))
@click.argument("file", metavar="REPORT.pdf|evidence.json|REPORT.docx", type=INPUT)
@click.option(
    "--data",
    "folders",
    multiple=True,
    metavar="DIR|PROJECT",
    type=INPUT,
    help=say("cli.verify-data"),
)
@click.option(
    "--trust",
    "trusted",
    multiple=True,
    metavar="CERTIFICATE",
    type=INPUT,
    help=say("cli.verify-trust"),
)
@click.option("--recordings", multiple=True, metavar="DIR", type=INPUT, help=say("cli.verify-recordings"))
@click.option("--model", metavar="FILE", type=INPUT, help=say("cli.verify-model"))
@click.option("--record", metavar="FILE.pdf", type=PATH, help=say("cli.verify-record"))
@overwrite_option
@unpack_option
@json_option("cli.verify-json")
@one_sentence
def verify(  # noqa: PLR0913, PLR0917 - one for each option of the command
    file: Path,
    folders: Sequence[Path],
    trusted: Sequence[Path],
    recordings: Sequence[Path],
    model: Path | None,
    record: Path | None,
    overwrite: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Compute the figures of a report again; the exit status is 0 only if everything is verified."""
    from zebra_core.report.outcome_page import save_record
    from zebra_core.report.verify import verify as verify_report

    certificates = [read_certificate(path) for path in trusted]
    with progress_bar(say("cli.verifying", file=file.name)) as progress:
        found = verify_report(
            file,
            folders,
            progress,
            any_ratio=unpack,
            trusted=certificates,
            recordings=recordings,
            model=model,
        )
    if record is not None:
        for path in save_record(file, found, [*folders, *recordings], record, overwrite=overwrite):
            click.echo(path, err=True)
    if as_json:
        echo_json(found.as_json(), indent=1)
    else:
        _print(found)
    sys.exit(0 if found.is_verified else NOT_VERIFIED)


def _print(found: Verification) -> None:
    """First what is not verified, one a line; then the outcome, and what signatures say."""
    for one in found.checked:
        if one.status is not VerificationStatus.VERIFIED:
            click.echo(_line(one))
    click.echo(found.summary)
    for sentence in found.sentences:
        click.echo(sentence)


def _line(one: VerificationLine) -> str:
    facts = {"status": str(one.status), "about": one.about, "what": one.what}
    differs = one.status.value == "differs"
    if one.has_reason or (differs and one.recorded and not one.found):  # the latter of a page, in words
        return say("verify.line-reason", **facts, reason=visible_sentence(one.found or one.recorded))
    if not one.found:
        return say("verify.line", **facts)
    return say("verify.line-values", **facts, recorded=one.recorded, found=one.found)
