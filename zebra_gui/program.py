"""Where the program begins: with the language, for commands say what they do as soon as they are loaded."""

from __future__ import annotations

import os
import signal
import sys

_WRONG_USAGE = 2


def main() -> None:
    """Run the program with what was typed."""
    _end_without_a_word()
    from zebra_core.engine.room import remove_leftovers
    from zebra_core.wording.texts import joined, languages, say
    from zebra_gui.language.speaking import VARIABLE, speak, without_language

    # Linear algebra here is of many small matrices: threads that wait for each other make it no faster, and
    # slower where something else keeps a processor busy. The library looks once, when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Programs that libraries start (matplotlib asks fc-list for fonts) are never those of the current folder.
    folders = (folder for folder in os.get_exec_path() if os.path.isabs(folder))  # noqa: PTH117 - fast to start
    os.environ["PATH"] = os.pathsep.join(folders)
    arguments, wanted = without_language(sys.argv[1:])
    try:
        speak(wanted)
    except LookupError as error:
        sentence = say("cli.no-language", found=str(error), known=joined(languages()), variable=VARIABLE)
        sys.stderr.write(f"zebra: {sentence}\n")
        sys.exit(_WRONG_USAGE)
    from zebra_gui.cli import main as command_line

    remove_leftovers()  # ids of trials, where a program was killed
    _end_tidily()
    command_line(arguments)


def _end_without_a_word() -> None:
    """Ctrl-C ends the program at once while it is loaded: there is nothing to tidy up, nor to be told."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end_tidily() -> None:
    """From here on, whoever is at work learns of the end, and removes what nobody keeps."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGTERM", "SIGHUP"):  # Windows has not both
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_DFL)  # a second one ends it at once
    sys.exit(128 + number)
