"""How commands behave in a terminal: one sentence where something is wrong, a bar while something runs."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

import click

from zebra_core.errors import Cancelled, ZebraError
from zebra_core.files.access import as_command
from zebra_core.installation.faults import place_of_fault
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say, visible

_BLANKS = "\n\u00a0\u202f"  # the last two are in our sentences
INPUT_AT_FAULT = 1
PROGRAM_AT_FAULT = 3
STOPPED = 130  # as shells say it of a program that Ctrl-C ended
OUTPUT_UNREAD = 141  # as they say it of one whose reader was gone, as of `… | head`
_IS_STOPPED, _HAS_PRINTED = "zebra.stopped", "zebra.printed"
P = ParamSpec("P")
R = TypeVar("R")


def one_sentence(run: Callable[P, R]) -> Callable[P, R]:
    """End in one sentence on standard error and status 1 where the input is at fault; never a traceback."""

    @wraps(run)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        _show_what_can_be_shown()
        try:
            return run(*args, **kwargs)
        except ZebraError as error:
            say_error(str(error), error.code)
            _show_ways(error.facts.get("ways"))
            sys.exit(INPUT_AT_FAULT)
        except MemoryError:
            say_error(say("fault.memory"), "memory")
            sys.exit(INPUT_AT_FAULT)
        except BrokenPipeError:
            _write_nowhere()  # whoever read our output has seen enough
            sys.exit(OUTPUT_UNREAD)
        except (KeyboardInterrupt, click.Abort):
            click.echo(say("click.aborted"), err=True)
            sys.exit(STOPPED)
        except click.UsageError as error:
            say_as_json(error.format_message(), "usage")
            raise
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody should have to read a traceback
            if isinstance(error, OSError) and _came_of_printing(error):
                _write_nowhere()
                _end_without_output(error)
            fault = say("fault.program", kind=type(error).__qualname__, place=place_of_fault(error))
            say_error(fault, "program")
            sys.exit(PROGRAM_AT_FAULT)

    return wrapper


def _show_ways(ways: object) -> None:
    """What may be meant, to be copied."""
    for rule, examples in ways if isinstance(ways, tuple) else ():
        plain = "".join(sign if sign.isprintable() else "*" for sign in rule)
        click.echo(f"  --pairs {as_command([plain])}   ({visible(examples, 400)})", err=True)


def say_error(sentence: str, code: str) -> None:
    """What is wrong, on standard error; with --json also as the object that standard output is read for."""
    say_as_json(sentence, code)
    click.echo(say("cli.error", sentence=sentence), err=True)


def say_as_json(sentence: str, code: str) -> None:
    """The same on standard output, where the command was asked for JSON and has printed none."""
    context = click.get_current_context(silent=True)
    if context and context.params.get("as_json") and _HAS_PRINTED not in context.meta:
        echo_json({"error": {"code": code, "sentence": sentence}})


def end_if_stopped(context: click.Context) -> None:
    """End with the status of Ctrl-C where a command told what there was when it was stopped."""
    if _IS_STOPPED in context.meta:
        sys.exit(STOPPED)


def require_output() -> None:
    """End where standard output is closed: nobody would learn what came of it.

    On Windows a program with a window has none.
    """
    if sys.stdout is None and sys.platform != "win32":
        _end_without_output(OSError(errno.EBADF, os.strerror(errno.EBADF)))


def _end_without_output(error: OSError) -> NoReturn:
    click.echo(say("cli.error", sentence=say("fault.output", reason=error.strerror or error)), err=True)
    sys.exit(INPUT_AT_FAULT)


def _came_of_printing(error: OSError) -> bool:
    """Whether it was raised where click prints, and not in what was at work."""
    *_, (innermost, _line) = traceback.walk_tb(error.__traceback__)
    return innermost.f_globals.get("__name__") == click.echo.__module__


def _write_nowhere() -> None:
    """So that Python does not complain when it closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def echo_json(found: Mapping[str, object], indent: int | None = None) -> None:
    """One JSON object on standard output; escaped is what is not to be seen, or cannot be written there.

    It says first of which command it is and in which version of its keys: one that is renamed, or means
    something else, makes the next version; one that is added does not.
    """
    context = click.get_current_context()
    context.meta[_HAS_PRINTED] = True
    found = {"format": {"name": f"zebra-{context.info_name}", "version": 1}, **found}
    text = json.dumps(found, allow_nan=False, ensure_ascii=False, indent=indent)
    text = "".join(c if c.isprintable() or c in _BLANKS else _escaped(c) for c in text)
    try:
        text.encode(getattr(sys.stdout, "encoding", "utf-8"))  # None where it is closed
    except UnicodeEncodeError:
        text = json.dumps(found, allow_nan=False, indent=indent)
    click.echo(text)


def _escaped(character: str) -> str:
    """As JSON writes it; it leaves the one that deletes as it is."""
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def _show_what_can_be_shown() -> None:
    """Escape what standard output cannot hold, as standard error does; on Windows a pipe holds little.

    Python's own ways of writing bytes that were no text ("surrogateescape") do not help there.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="backslashreplace")


class progress_bar:  # noqa: N801 - used like a function
    """A progress bar on standard error while something runs, when somebody looks at it."""

    def __init__(self, task: str) -> None:
        self._task = task

    def __enter__(self) -> Callable[[float], None]:
        if not sys.stderr.isatty():
            return lambda _share: None
        from rich.console import Console
        from rich.progress import Progress, TextColumn

        # The task is called after a file, in whose name nothing is markup.
        columns = (TextColumn("{task.description}", markup=False), *Progress.get_default_columns()[1:])
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        task = self._bar.add_task(self._task, total=1.0)
        return lambda share: self._bar.update(task, completed=share)

    def __exit__(self, *_: Any) -> None:
        if hasattr(self, "_bar"):
            self._bar.stop()


@contextmanager
def stoppable(progress: Progress) -> Iterator[Progress]:
    """Progress that Ctrl-C ends with Cancelled, between two steps of the work."""
    asked = False

    def ask(_signal: int, _frame: object) -> None:
        nonlocal asked
        asked = True

    def watch(share: float) -> None:
        progress(share)
        if asked:
            raise Cancelled

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield watch
    except Cancelled:
        raise click.Abort from None
    finally:
        signal.signal(signal.SIGINT, before)
        if asked and (context := click.get_current_context(silent=True)):
            context.meta[_IS_STOPPED] = True
