"""What can go wrong that the user can correct, told as facts; its sentence is in zebra_resources/texts.

ZebraError                 shown in the window and the command line as str(error): one line, nothing invisible
├── InputError             a file or a value given is at fault
└── OutputError            a file could not be written
Cancelled                  the user stopped a job: not an error, and no ZebraError
"""

from __future__ import annotations

from zebra_core.wording.texts import say, visible_sentence


class ZebraError(Exception):
    """Something the user can correct; `str()` is one sentence: what is wrong, where, and how to correct it.

    `code` names the text (without its section) and `facts` are its values.

    Examples
    --------
    >>> from zebra_core import ZebraError, read_trials
    >>> try:
    ...     read_trials("nowhere/scores.txt")
    ... except ZebraError as error:
    ...     print(error.code, error.facts)
    missing {'file': 'scores.txt', 'folder': 'nowhere'}
    """

    section = "error"

    def __init__(self, code: str, /, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        return visible_sentence(say(f"{self.section}.{self.code}", **self.facts))

    def __reduce__(self) -> tuple[object, ...]:
        # The default would forget the facts on the way from a worker process.
        return (_rebuild, (type(self), self.code, self.facts))


def _rebuild(kind: type[ZebraError], code: str, facts: dict[str, object]) -> ZebraError:
    return kind(code, **facts)


class InputError(ZebraError):
    """A file or a value that was given is at fault.

    Examples
    --------
    >>> from zebra_core import InputError, Trials
    >>> try:
    ...     Trials.from_arrays(score=[0.5, float("nan")], is_target=[True, False])
    ... except InputError as error:
    ...     print(error)
    The score at position 1 is nan, not a finite number. Remove or correct it.
    """

    section = "input"


class OutputError(ZebraError):
    """A result could not be written; nothing was changed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from zebra_core import OutputError, Project, save_project
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "study.zebra")
    ...     saved = save_project(Project("Our study"), path)
    ...     try:
    ...         save_project(Project("Another"), path, overwrite=False)
    ...     except OutputError as error:
    ...         print(error.code)
    exists
    """

    section = "output"


class Cancelled(Exception):  # noqa: N818 - it is an ending, not an error
    """Raised by a progress callback to stop the work it watches.

    Examples
    --------
    >>> from zebra_core import Cancelled, Trials, assess
    >>> def stop(share):
    ...     raise Cancelled
    >>> try:
    ...     assess(Trials.from_scores([1.0], [0.0]), on_progress=stop)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """
