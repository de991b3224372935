"""What a listener answered (.zebra-answers): a line of JSON an answer, each with the hash of the one before.

An answer is on the disk before the next item is heard, and a line that a power cut left unfinished is dropped
when the session goes on. The chain shows that a line was altered, removed or put in by hand; it keeps nobody
from making a whole new chain, for there is no secret in it.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from io import FileIO
from pathlib import Path

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import open_regular, read_bounded
from zebra_core.listening.items import Fields, ItemTask
from zebra_core.listening.package import HeardItem, Package

SUFFIX = ".zebra-answers"
FORMAT = 1
LOWEST, HIGHEST = 1, 10
_MOST_BYTES = 64 << 20
_LONGEST_S = 1e6
_HEAD = b'{"format": '  # with which the first line begins
_LONGEST_HEAD = 4096


@dataclass(frozen=True)
class ItemAnswer:
    """To one item. Of these only what was asked is given.

    `confidence` is from 1 to 10, above 0 for the same speaker and below for different ones; `rating` from 1
    to 10; `positions` those of the recordings on the canvas, from 0 to 1 both ways, in the item's order.
    """

    confidence: int | None = None
    rating: int | None = None
    positions: tuple[tuple[float, float], ...] = ()
    seconds: float = 0.0  # from the first recording on
    plays: tuple[int, ...] = ()  # how often each recording was heard
    at: str = ""
    elsewhere: bool = False  # some recording was not played here: the listener says it was, somewhere else

    def as_json(self) -> dict[str, object]:
        """What is written of it."""
        said: dict[str, object] = {}
        if self.confidence is not None:
            said = {"same": self.confidence > 0, "confidence": abs(self.confidence)}
        elif self.rating is not None:
            said = {"rating": self.rating}
        else:
            said = {"positions": [list(place) for place in self.positions]}
        said |= {"elsewhere": True} if self.elsewhere else {}
        return {**said, "seconds": round(self.seconds, 3), "plays": list(self.plays), "at": self.at}


@dataclass(frozen=True)
class ListenerAnswers:
    """The answers of one listener so far, by the id of the item, in the order in which they were given."""

    file: str
    test: str
    listener: str
    package_sha256: str
    of: Mapping[str, ItemAnswer] = field(default_factory=dict)
    last_hash: str = ""  # of the last line
    torn: bool = False  # the last line was unfinished, and is left out
    sha256: str = ""


class AnswerFile:
    """A file of answers that is being written. Each is on the disk when `answer` returns, or nothing of it.

    Raises InputError for a file of another test, one that was altered, or that somebody else writes to, too;
    OutputError.
    """

    def __init__(self, path: Path, package: Package) -> None:
        self.path, self.package = path, package
        self._size = 0  # of the file
        if is_begun(path):
            self.answers, self._size = _continued(path, package)
        else:
            self.answers = ListenerAnswers(path.name, package.test, package.listener, package.sha256)
            header = {
                "format": FORMAT,
                "test": package.test,
                "listener": package.listener,
                "package": package.sha256,
                "begun": now(),
            }
            self._append(header, new=not path.exists())

    @property
    def left(self) -> tuple[HeardItem, ...]:
        """The items that have no answer yet, in their order."""
        return tuple(item for item in self.package.items if item.id not in self.answers.of)

    def answer(self, item: HeardItem, answer: ItemAnswer) -> None:
        """Keep the answer to the next item."""
        _refuse_wrong(self.path.name, item, answer)
        self._append({"item": item.id, **answer.as_json()})
        of = {**self.answers.of, item.id: answer}
        self.answers = replace(self.answers, of=of)

    def finish(self) -> None:
        """Say that everything was answered."""
        self._append({"finished": now()})

    def _append(self, line: Mapping[str, object], *, new: bool = False) -> None:
        chained, digest = _chained(line, self.answers.last_hash)
        try:
            with self.path.open("xb" if new else "ab", buffering=0) as file:
                if file.seek(0, os.SEEK_END) != self._size:
                    raise InputError("listening-answered-elsewhere", file=self.path.name)
                self._write(file, chained)
        except OSError as error:
            if new and not isinstance(error, FileExistsError):
                with suppress(OSError):
                    self.path.unlink()
            facts = {"file": self.path.name, "folder": str(self.path.parent)}
            raise OutputError("failed", **facts, reason=error.strerror or str(error)) from error
        self._size += len(chained)
        self.answers = replace(self.answers, last_hash=digest)

    def _write(self, file: FileIO, line: bytes) -> None:
        """The whole line, or, with an OSError, nothing: the next try would else follow upon half of it."""
        try:
            if file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                file.truncate(self._size)
            raise


def is_begun(path: Path) -> bool:
    """Whether a session was begun in this file: not where it is empty, or a power cut left half a first line.

    Half a line is removed. Raises OutputError.
    """
    if not path.exists():
        return False
    with open_regular(path) as file:
        head = file.read(_LONGEST_HEAD)
    if b"\n" in head or not (head.startswith(_HEAD) or _HEAD.startswith(head)) or len(head) == _LONGEST_HEAD:
        return True
    _cut(path, 0)
    return False


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_answers(path: Path, items: Sequence[HeardItem] | None = None) -> ListenerAnswers:
    """A file of answers, whose chain must be whole; with `items` each must be an answer to what was asked.

    Raises InputError, with the line.
    """
    found, _ = _read(path, items)
    return found


def _continued(path: Path, package: Package) -> tuple[ListenerAnswers, int]:
    found, good = _read(path, package.items)
    if (found.test, found.listener) != (package.test, package.listener):
        raise InputError("listening-other-test", file=path.name)
    if found.package_sha256 != package.sha256:
        raise InputError("listening-other-package", file=path.name)
    if found.torn:
        _cut(path, good)
    return found, good


def _cut(path: Path, size: int) -> None:
    """Leave only the first so many bytes. Raises OutputError."""
    try:
        os.truncate(path, size)
    except OSError as error:
        facts = {"file": path.name, "folder": str(path.parent)}
        raise OutputError("failed", **facts, reason=error.strerror or str(error)) from error


def _read(path: Path, items: Sequence[HeardItem] | None) -> tuple[ListenerAnswers, int]:
    """The answers, and how many bytes are whole lines."""
    too_large = InputError("listening-too-large", file=path.name, most=1)
    content = read_bounded(path, _MOST_BYTES, too_large)
    good = content.rfind(b"\n") + 1
    lines = content[:good].splitlines()
    if not lines:
        raise InputError("listening-no-answers", file=path.name)
    asked = {item.id: item for item in items} if items is not None else None
    head = _line(path.name, 1, lines[0], "")
    if head.whole("format", 1, 1 << 20) != FORMAT:
        raise InputError("listening-newer", file=path.name)
    of: dict[str, ItemAnswer] = {}
    before, finished = head.text("hash"), False
    for number, line in enumerate(lines[1:], start=2):
        found = _line(path.name, number, line, before)
        before = found.text("hash")
        if finished:
            raise InputError("listening-altered", file=path.name, line=number)
        if "finished" in found.found:
            finished = True
            continue
        item, answer = found.text("item"), _answer(found)
        if item in of:
            raise InputError("listening-item-twice", file=path.name, line=number, item=item)
        if asked is not None:
            if item not in asked:
                raise InputError("listening-item-unknown", file=path.name, line=number, item=item)
            _refuse_wrong(path.name, asked[item], answer)
        of[item] = answer
    return ListenerAnswers(
        path.name,
        head.text("test"),
        head.text("listener"),
        head.text("package"),
        of,
        before,
        good < len(content),
        sha256(content).hexdigest(),
    ), good


def _line(file: str, number: int, line: bytes, before: str) -> Fields:
    """A line whose hash is right, and which follows the one before."""
    try:
        found = Fields.of(file, line)
    except InputError as error:
        code = "listening-no-answers" if number == 1 else "listening-altered"
        raise InputError(code, file=file, line=number) from error
    if number == 1 and not {"format", "test", "listener", "package", "hash"} <= set(found.found):
        raise InputError("listening-no-answers", file=file)
    rest = {name: value for name, value in found.found.items() if name != "hash"}
    if rest.get("before") != before or found.found.get("hash") != _hash(rest):
        raise InputError("listening-altered", file=file, line=number)
    return found


def _chained(line: Mapping[str, object], before: str) -> tuple[bytes, str]:
    whole = {**line, "before": before}
    digest = _hash(whole)
    return (json.dumps({**whole, "hash": digest}, ensure_ascii=False) + "\n").encode(), digest


def _hash(line: Mapping[str, object]) -> str:
    written = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(written.encode()).hexdigest()


def _answer(found: Fields) -> ItemAnswer:
    answer = ItemAnswer(
        seconds=found.real("seconds", 0.0, _LONGEST_S),
        plays=tuple(int(found.number("plays", one, 0, 1e6)) for one in found.rows("plays")),
        at=found.text("at", may_be_empty=True),
        elsewhere="elsewhere" in found.found and found.yes("elsewhere"),
    )
    if "rating" in found.found:
        return replace(answer, rating=found.whole("rating", LOWEST, HIGHEST))
    if "confidence" in found.found:
        sign = 1 if found.yes("same") else -1
        return replace(answer, confidence=sign * found.whole("confidence", LOWEST, HIGHEST))
    return replace(answer, positions=tuple(_position(found, row) for row in found.rows("positions")))


def _position(found: Fields, row: object) -> tuple[float, float]:
    if not isinstance(row, list) or len(row) != 2:
        found.refuse("positions")
    x, y = (found.number("positions", one, 0.0, 1.0) for one in row)
    return x, y


def _refuse_wrong(file: str, item: HeardItem, answer: ItemAnswer) -> None:
    """Raise InputError for what is no answer to what was asked."""
    given = (
        answer.confidence is not None and LOWEST <= abs(answer.confidence) <= HIGHEST
        if item.question is ItemTask.SAME
        else answer.rating is not None and LOWEST <= answer.rating <= HIGHEST
        if item.question.is_rating
        else len(answer.positions) == len(item.sounds)
    )
    if not given:
        raise InputError("listening-answer-wrong", file=file, item=item.id)
