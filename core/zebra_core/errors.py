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
    """A file or a value that was given is at fault."""

    section = "input"


class OutputError(ZebraError):
    """A result could not be written; nothing was changed."""

    section = "output"


class Cancelled(Exception):  # noqa: N818 - it is an ending, not an error
    """Raised by a progress callback to stop the work it watches."""
