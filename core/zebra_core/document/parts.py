"""Parts of project.json that several items share: files, remarks, audits, settings, scales, answers."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, get_type_hints, overload

import msgspec
from msgspec import ValidationError
from msgspec.inspect import type_info

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.audit import Answers, Audit, Decision, Finding, InputFile, Remark, Remarks
from zebra_core.evidence.speaker_names import sessions_as_text, sessions_of_text
from zebra_core.evidence.value_types import ITEM_ID, MOST_ROWS, SHA256, as_json, hints_of, refusal
from zebra_core.files import strict_json
from zebra_core.files.access import without_backslashes
from zebra_core.intake.planned import Topic
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.scales import Tag, TagScale, VerbalScale
from zebra_core.wording.texts import knows, say

SETTINGS = ("score_meaning", "prior_log_odds_limit", "prior_points")
"""What is saved of the settings of an assessment: its scales are those of the project."""
_FILE = ("size", "sha256", "role", "rows", "member", "format", "dialect")
_COUNTS = tuple(one.name for one in fields(Audit) if one.name not in ("files", "findings", "decisions"))


def files_as_json(files: Iterable[InputFile], folder: Path, *, without_folders: bool = False) -> list[Json]:
    """Files: where they are, also as seen from the project's folder, and what tells them from all others.

    `without_folders` leaves out what folders above that of the project are called.
    """
    found = []
    for file in files:
        path = os.path.normpath(file.path.absolute())
        relative = _relative(path, folder)
        shown = (relative or Path(path).name) if without_folders else path
        found.append({"path": shown, "relative": relative, **fields_as_json(file, _FILE)})
    return found


def files_of(saved: SavedValue, most: int = 1000) -> tuple[InputFile, ...]:
    """The files, where they were when the project was saved."""
    return tuple(_file_of(row) for row in saved.rows(most))


def _file_of(saved: SavedValue) -> InputFile:
    saved["role"].as_a(FileRole)
    return InputFile(path=saved["path"].path(), **saved.fields_of(InputFile, _FILE))


def _relative(path: str, folder: Path) -> str | None:
    """The way from the project's folder, with slashes; None where there is none, on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return None


def texts_of(saved: SavedValue) -> dict[str, str]:
    """Texts by name."""
    return {name: value.as_a(str) for name, value in saved.fields().items()}


def choices_of(saved: SavedValue) -> dict[str, str]:
    """Choices by the id of their question.

    Whether something is unpacked, however well it packs, is asked again: the project may be somebody else's.
    Raises InputError for sessions that are none.
    """
    found = {}
    for name, choice in texts_of(saved).items():
        topic, colon, place = name.partition(":")
        if topic == Topic.SESSIONS.value:
            found[f"{topic}{colon}{without_backslashes(place)}"] = sessions_as_text(sessions_of_text(choice))
        elif topic != Topic.UNPACKING.value:
            found[f"{topic}{colon}{without_backslashes(place)}"] = without_backslashes(choice)
    return found


def remark_as_json(remark: Remark) -> Json:
    """A remark: its text for the reader, and the code and the facts that make it again."""
    return {
        "code": remark.code,
        "section": remark.section,
        "severity": remark.severity.value,
        "facts": _facts_as_json(remark.facts),
        "text": str(remark),
    }


def remarks_of(saved: SavedValue, most: int = 100) -> tuple[Remark, ...]:
    """The remarks; their texts are made anew."""
    return tuple(remark_of(row) for row in saved.rows(most))


def remark_of(saved: SavedValue) -> Remark:
    """The remark; its text is made anew."""
    made = Remark(**{**saved.fields_of(Remark, ("code", "section", "severity")), "facts": _facts_of(saved)})
    if made.section not in ("remark", "finding", "input"):
        saved["section"].refuse("remark")
    _refuse_without_text(made, saved)
    return made


def _facts_as_json(facts: Mapping[str, object]) -> Json:
    return {name: _fact_as_json(value) for name, value in facts.items()}


def _fact_as_json(fact: Any) -> object:
    """Numbers of NumPy as numbers, what is no plain value as its text."""
    if isinstance(fact, Remarks):
        return [_fact_as_json(part) for part in fact.parts]
    if isinstance(fact, Remark):
        return {"section": fact.section, "code": fact.code, "facts": _facts_as_json(fact.facts)}
    value = fact.item() if hasattr(fact, "item") else fact
    is_plain = value is None or isinstance(value, bool | int | str)
    return value if is_plain or (isinstance(value, float) and math.isfinite(value)) else str(value)


def _facts_of(saved: SavedValue) -> dict[str, object]:
    return {name: _fact_of(value) for name, value in saved["facts"].fields(most=100).items()}


def _fact_of(saved: SavedValue) -> object:
    if isinstance(saved.value, list):
        return Remarks(tuple(_said_fact_of(part) for part in saved.rows(100)))
    if isinstance(saved.value, dict) and "code" in saved.value:
        return _said_fact_of(saved)
    return saved.value if isinstance(saved.value, str | int | float | None) else saved.refuse("plain")


def _said_fact_of(saved: SavedValue) -> Remark:
    return Remark(saved["code"].as_a(str), _facts_of(saved), section=saved["section"].as_a(str))


def _refuse_without_text(made: Remark, saved: SavedValue) -> None:
    """Facts of the wrong type would fail later, when the text is shown."""
    try:
        if knows(f"{made.section}.{made.code}"):
            str(made)
            return
    except (KeyError, ValueError, IndexError, TypeError, AttributeError):
        pass
    saved.refuse("remark")


def audit_as_json(audit: Audit) -> Json:
    """Counts, decisions and findings with their facts and examples."""
    return {
        **fields_as_json(audit, (*_COUNTS, "decisions")),
        "findings": [_finding_as_json(finding) for finding in audit.findings],
    }


def audit_of(saved: SavedValue, files: tuple[InputFile, ...]) -> Audit:
    """The audit of these files."""
    findings = tuple(_finding_of(row) for row in saved["findings"].rows(1000))
    return Audit(files=files, findings=findings, **saved.fields_of(Audit, (*_COUNTS, "decisions")))


def _finding_as_json(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "facts": _facts_as_json(finding.facts),
        "text": str(finding),
        **fields_as_json(finding, ("examples", "lifted_by")),
    }


def _finding_of(saved: SavedValue) -> Finding:
    names = ("code", "severity", "examples", "lifted_by")
    made = Finding(**saved.fields_of(Finding, names), facts=_facts_of(saved))
    _refuse_without_text(made.as_remark(), saved)
    return made


def scales_as_json(tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Json:
    """Both scales of a project."""
    return {"tag_scale": as_json(tag_scale.tags), "verbal_scale": as_json(verbal_scale)}


def scales_of(saved: SavedValue) -> tuple[TagScale, VerbalScale | None]:
    """The scales of the project."""
    tags, verbal = saved["tag_scale"].value, saved["verbal_scale"].value
    try:
        return TagScale(made_of(tuple[Tag, ...], tags)), made_of(VerbalScale | None, verbal)
    except InputError as error:
        refusal = error
    except (ValidationError, UnicodeEncodeError):
        refusal = InputError("scale-not-readable")
    raise InputError("project-scale", file=saved.file, reason=str(refusal))


def answers_of(saved: SavedValue) -> Answers:
    """The answers; decisions that nobody knows are refused."""
    allowed: Mapping[str, tuple[str, ...]] = {
        without_backslashes(place): tuple(row.as_a(Decision).value for row in names.rows(100))
        for place, names in saved["allowed"].fields().items()
    }
    return Answers(choices_of(saved["choices"]), allowed)


# Plain values of classes, and back: each value of the type and within the bounds that its class states.
#
# `msgspec` reads and checks; what it refuses is told with the file and the place in it.


T = TypeVar("T")
Json = dict[str, Any]
_DEEPEST = 60
_UNKNOWN = "Invalid enum value "
_EXPECTED = re.compile(r"Expected `([^`]*)`(?: of length (<=|>=)?| matching regex (.*))?", re.DOTALL)
_KINDS = {"int": "whole", "float": "number", "str": "text", "bool": "flag", "object": "object"}
_PATTERNS = {repr(ITEM_ID): "id", repr(SHA256): "sha256"}


def written(values: object) -> bytes:
    """JSON with indents, in the order of the keys, in UTF-8. Raises ValueError at NaN and infinity."""
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # A lone surrogate, of a file name that is no UTF-8, becomes its JSON escape.
    return text.encode("utf-8", "backslashreplace")


def fields_as_json(owner: object, names: Iterable[str]) -> Json:
    """These fields, in this order; null for a number that JSON cannot hold.

    Raises OutputError where a text is longer than what is ever read again.
    """
    kind: type = type(owner)
    found: Json = {}
    for name in names:
        value = getattr(owner, name)
        if isinstance(value, str) and len(value) > (most := _longest(kind, name)):
            raise OutputError("text-too-long", found=value, most=most)
        found[name] = as_json(value)
    return found


def read(content: bytes, file: str, place: str = "project.json") -> SavedValue:
    """What `written` made, from a member of a file of this name. Raises InputError."""
    try:
        value = strict_json.parse(content.decode("utf-8").encode())  # no other encoding is one of ours
        _refuse_depth(value, _DEEPEST)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError("project-not-json", file=file, reason=reason) from error
    return SavedValue(value, place, file)


@dataclass(frozen=True)
class SavedValue:
    """A value with the place where it stands. All methods raise InputError where it is not what they read."""

    value: object
    place: str
    file: str

    def __getitem__(self, name: str) -> SavedValue:
        """A field of an object."""
        if not isinstance(self.value, dict):
            self.refuse("object")
        if name not in self.value:
            raise InputError("project-field-missing", file=self.file, place=f"{self.place} › {name}")
        return SavedValue(self.value[name], f"{self.place} › {name}", self.file)

    def fields(self, most: int = MOST_ROWS) -> dict[str, SavedValue]:
        """All fields of an object."""
        if not isinstance(self.value, dict):
            self.refuse("object")
        self._refuse_more_than(most, self.value)
        return {name: self[name] for name in self.value}

    def rows(self, most: int = MOST_ROWS) -> list[SavedValue]:
        """The rows of a list."""
        if not isinstance(self.value, list):
            self.refuse("list")
        self._refuse_more_than(most, self.value)
        return [
            SavedValue(row, f"{self.place} › {n}", self.file) for n, row in enumerate(self.value, start=1)
        ]

    @overload
    def as_a(self, kind: type[T]) -> T: ...

    @overload
    def as_a(self, kind: Any) -> Any: ...

    def as_a(self, kind: Any) -> Any:
        """A value of this type, within the bounds that it states; no field of it may be missing."""
        with self.as_part():
            try:
                return made_of(kind, self.value)
            except msgspec.ValidationError as error:
                self._refuse(error)
            except UnicodeEncodeError:  # a name or value with a lone surrogate, which none of ours has
                self.refuse("text")

    def fields_of(
        self, owner: type, names: Iterable[str], optional: Iterable[str] = (), *, bounded: bool = True
    ) -> Json:
        """These fields of an object, each as this class states it, and the optional ones that are there.

        Not `bounded` for a class that has sentences of its own for what is beyond its bounds.
        """
        hints, there = hints_of(owner) if bounded else get_type_hints(owner), self.fields()
        wanted = (*names, *(name for name in optional if name in there))
        return {name: self[name].as_a(hints[name]) for name in wanted}

    def whole(self, least: int = 0, most: int = 1 << 62) -> int:
        """A whole number within bounds that other values give."""
        return int(self.as_a(Annotated[int, msgspec.Meta(ge=least, le=most)]))

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """A number within such bounds."""
        value = self.as_a(float)
        return value if least <= value <= most else self.refuse("number")

    def or_none(self, read_it: Callable[[SavedValue], T]) -> T | None:
        """Nothing, or what this reads."""
        return None if self.value is None else read_it(self)

    def path(self) -> Path:
        """A path, of Windows as well; one with a NUL is none."""
        text = self.as_a(str)
        return Path(without_backslashes(text)) if text and "\0" not in text else self.refuse("path")

    def refuse(self, wanted: str) -> NoReturn:
        """Raise InputError: it is not what stands there in a project."""
        raise InputError("project-value", file=self.file, place=self.place, wanted=say(f"saved.{wanted}"))

    @contextmanager
    def as_part(self, unreadable: str = "") -> Iterator[None]:
        """Tell what is refused inside as of this part: the reason of its class, or that it is unreadable."""
        try:
            yield
        except InputError as error:
            if error.code.startswith("project-") and not unreadable:
                raise
            reason = InputError(unreadable) if error.code.startswith("project-") else error
            raise InputError("project-part", file=self.file, place=self.place, reason=str(reason)) from error

    def _refuse_more_than(self, most: int, values: list[object] | dict[str, object]) -> None:
        if len(values) > most:
            raise InputError("project-too-many-rows", file=self.file, place=self.place, most=most)

    def _refuse(self, error: msgspec.ValidationError) -> NoReturn:
        """Tell what msgspec refused here or at a place below, as "Expected `int` >= 0 - at `$[2].size`"."""
        why, steps, field = refusal(error)
        at = self
        for step in itertools.takewhile(lambda step: step is not None, steps):
            at = at[step] if isinstance(step, str) else at.rows(sys.maxsize)[step or 0]
        if field is not None:
            at = at[field]
        if why.startswith(_UNKNOWN):
            found = at.value if isinstance(at.value, str) else why[len(_UNKNOWN) :].strip("'")
            raise InputError("project-unknown-value", file=self.file, place=at.place, found=found)
        expected = _EXPECTED.match(why)
        kind, bound, pattern = expected.groups() if expected else ("float", None, None)
        if kind == "array" and bound:
            at.rows(int(why.rpartition(" ")[2]))
        if pattern:
            at.refuse(_PATTERNS[pattern])
        at.refuse("short-text" if bound else _KINDS.get(kind.split(" ")[0], "list"))


def made_of(kind: Any, value: object) -> Any:
    """A value of this type from plain ones, within the bounds that it states; no field of it may be missing.

    Raises ValidationError, UnicodeEncodeError at names that hold a lone surrogate, and what the type raises.
    """
    made = msgspec.convert(value, kind)
    _refuse_missing(value, made, "$")
    return made


def _refuse_missing(given: Any, made: object, at: str) -> None:
    """Refuse fields that were made of their defaults, which are for programs and not for files."""
    if is_dataclass(made):
        for name in (field.name for field in fields(made)):
            if name not in given:
                raise msgspec.ValidationError(f"Object missing required field `{name}` - at `{at}`")
            _refuse_missing(given[name], getattr(made, name), f"{at}.{name}")
    elif isinstance(made, tuple):
        for n, (row, value) in enumerate(zip(given, made, strict=True)):
            _refuse_missing(row, value, f"{at}[{n}]")


@cache
def _longest(owner: type, name: str) -> int:
    return getattr(type_info(hints_of(owner)[name]), "max_length", None) or sys.maxsize


def _refuse_depth(value: object, left: int) -> None:
    if left == 0:
        raise ValueError(say("saved.too-deep"))
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inside:
        _refuse_depth(part, left - 1)
