"""The command line: one program, `zebra`, with a window and without."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.commands import showing
from zebra_gui.commands.terminal import end_if_stopped, one_sentence, require_output
from zebra_gui.jobs.leaving import leave
from zebra_gui.language.click_words import translate_click
from zebra_gui.language.speaking import speak

_COMMANDS = {
    "assess": {
        "demo": "demo.demo",
        "assess": "assess.assess",
        "calibration": "calibration.calibration",
        "similarity": "similarity.similarity",
        "reidentify": "reidentify.reidentify",
        "utility": "utility.utility",
        "count": "count.count",
    },
    "report": {
        "compare": "compare.compare",
        "report": "report.report",
        "review": "review.review",
        "copy": "report.copy",
        "again": "again.again",
    },
    "recordings": {
        "score": "score.score",
        "forget": "score.forget",
        "protect": "protect.protect",
        "listen": "listen.listen",
    },
    "verify": {"verify": "report.verify", "sign": "sign.sign", "certificate": "sign.certificate_for_trials"},
    "program": {
        "selftest": "validate.check_installation",
        "validate": "validate.validate",
        "desktop": "desktop.desktop",
        "languages": "languages.list_languages",
        "cite": "cite.cite",
    },
}
"""As the help has them, by their headings (`[cli] group-…`): module in `commands` and function of each."""

_OF_THE_GROUP = ("--help", "-h", "--version", "--language")


class LateCommand(click.Command):
    """A command that is imported when it is given: `zebra --help` does not wait for NumPy."""

    def __init__(self, name: str, place: str) -> None:
        text = say(f"cli.{name}")
        super().__init__(name, help=text, short_help=text.partition("\n\n")[0])  # whole: click cuts its own
        self._place = place

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command itself, which then is its `command`."""
        module, _, function = self._place.partition(".")
        command: click.Command = getattr(import_module(f"zebra_gui.commands.{module}"), function)
        return command.make_context(info_name, args, parent, **extra)


class FilesOrCommand(click.Group):
    """`zebra COMMAND …` runs a command; `zebra`, or `zebra FILE…`, opens the window."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `window` before arguments that name no command; a shell that completes names none yet."""
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)
        if not args or not (args[0] in self.commands or args[0].partition("=")[0] in _OF_THE_GROUP):
            self._refuse_mistyped(ctx, args[:1])
            args = ["window", *args]
        if args[0] != "window":
            require_output()
        return super().parse_args(ctx, args)

    def _refuse_mistyped(self, ctx: click.Context, first: list[str]) -> None:
        """Raise UsageError where the first word is no file, and looks like the name of a command."""
        for word in first:
            if word.isidentifier() and not Path(word).exists():
                close = get_close_matches(word.casefold(), self.list_commands(ctx), cutoff=0.6)
                raise click.UsageError(
                    say("cli.mistyped-like", found=word, close=close[0])
                    if close
                    else say("cli.mistyped", found=word),
                    ctx,
                )

    def invoke(self, ctx: click.Context) -> Any:
        """Whatever it is busy with, Ctrl-C ends it with the status that shells know."""
        try:
            return one_sentence(super().invoke)(ctx)
        finally:
            end_if_stopped(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Also what is done before a command, as printing the help, ends in a sentence."""
        return one_sentence(super().main)(*args, **kwargs)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[core.CompletionItem]:
        """Commands, and files to open: first, for bash forgets what came before them."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file"), *super().shell_complete(ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Under the headings of what they are for, each with its first paragraph."""
        for group, names in _COMMANDS.items():
            with formatter.section(say(f"cli.group-{group}")):
                formatter.write_dl([(name, self.commands[name].get_short_help_str()) for name in names])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are defined."""
        return [name for name, command in self.commands.items() if not command.hidden]


@click.group(
    cls=FilesOrCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="",
    subcommand_metavar="[FILES… | COMMAND …]",
    help=say("cli.program"),
)
@click.option(
    "--language",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=lambda _ctx, _option, given: speak(given) if given else None,  # see program.py
    help=say("cli.language"),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _option, given: _show_version(ctx) if given else None,
    help=say("cli.version"),
)
def main() -> None:
    """Run the program."""


def _show_version(ctx: click.Context) -> None:
    from zebra_core.version import full_version  # asks git in a checkout: not before somebody wants to know

    click.echo(f"zebra {full_version()}")
    ctx.exit()


@main.command(hidden=True)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@one_sentence
def window(files: Sequence[Path]) -> None:
    """Open the window; for a listening test alone the window where it is taken."""
    if len(files) == 1 and files[0].suffix == ".zebra-listening":
        leave(showing.open_listening(files[0]))
    leave(showing.open_window(files))


translate_click()
for _commands in _COMMANDS.values():
    for _name, _place in _commands.items():
        main.add_command(LateCommand(_name, _place))
