"""Where the program begins: with the language, for commands say what they do as soon as they are loaded."""

from __future__ import annotations

import os
import sys

from zebra_core.wording.languages import languages
from zebra_core.wording.names import joined
from zebra_core.wording.texts import say
from zebra_gui.language.speaking import VARIABLE, speak, without_language

_WRONG_USAGE = 2


def main() -> None:
    """Run the program with what was typed."""
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

    command_line(arguments)
