"""`zebra copy`, and what reports and copies have in common that name nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.errors import InputError, OutputError
from zebra_core.files.writing import require_free
from zebra_core.wording.texts import say, visible
from zebra_gui.commands.opening import opened
from zebra_gui.commands.options import INPUT, PATH, out_option, overwrite_option, together, unpack_option
from zebra_gui.commands.terminal import INPUT_AT_FAULT, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.project.project import Project
    from zebra_core.project.sharing.pseudonymised import Places, PseudonymisedProject


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
    from zebra_core.saved.project_file import SUFFIX, save_project

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
