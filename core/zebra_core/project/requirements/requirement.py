"""A requirement: which figure must lie within which bound, of what, how surely, why, and who set it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.toml_file import TomlFile, read_toml
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.error_rates import FALSE_ALARM_RATES
from zebra_core.metrics.registry import Value, hits_key
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.items import Condition, Entry, Item
from zebra_core.project.report_settings import FEWEST_PEOPLE, MOST_PEOPLE
from zebra_core.project.requirements.figures import (
    FORMER,
    PI_SING,
    REQUIRABLE,
    SHARE_AT_TAG,
    TAG,
    Requirable,
    rank_of,
)
from zebra_core.speakers.singling_out import singling_out_chance
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import say, visible, written

FIRST_CONFIDENCE = 0.95
LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 0.5, 0.9999
LONGEST_NAME, LONGEST_TEXT = 200, 2_000
MOST_PATTERNS, MOST_REQUIREMENTS = 100, 200
MOST_RECORDINGS = 1_000
QUESTIONS = (RatingQuestion.INTELLIGIBILITY.value, RatingQuestion.NATURALNESS.value)
"""What of the utility of speech listeners are asked; how alike voices are is no utility."""
EVERYTHING = "*"


class Sense(Enum):
    """On which side of its bound a figure must lie; the bound itself is within."""

    AT_MOST = "at_most"
    AT_LEAST = "at_least"


class RecordedWhen(Enum):
    """When a requirement came into this project: before or after the data in its scope were assessed."""

    BEFORE = "before"
    AFTER = "after"
    NOT_SHOWN = "not-shown"  # it came along with a command, and is in no record

    def __str__(self) -> str:
        return say(f"requirement.recorded-{self.value}")


@dataclass(frozen=True)
class Scope:
    """What a requirement applies to: lists of names, in which `*` is a wildcard; an empty list means all.

    Unprotected speech, OO, is in scope only where `conditions` names it: a safeguard is what is required to
    protect. What nobody stated has an empty name.
    """

    datasets: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    attackers: tuple[str, ...] = ()
    safeguards: tuple[str, ...] = ()

    def holds(self, entry: Entry) -> bool:
        """Whether an assessment is in scope."""
        condition = entry.condition.value if entry.condition else ""
        if entry.condition is Condition.OO and Condition.OO.value not in self.conditions:
            return False
        return self.names(entry, condition, entry.attacker)

    def names(self, item: Item, condition: str, attacker: str) -> bool:
        """Whether the scope names an item of this condition and attacker."""
        return all(
            not patterns or any(matches(pattern, name) for pattern in patterns)
            for patterns, name in (
                (self.datasets, item.dataset),
                (self.conditions, condition),
                (self.attackers, attacker),
                (self.safeguards, item.name),
            )
        )

    def of(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        """The entries in scope, in their order."""
        return tuple(entry for entry in entries if self.holds(entry))

    @property
    def in_words(self) -> str:
        """What it names: "libri_f · OP · lazy-informed"; or that it is everything protected."""
        parts = (self.datasets, self.conditions, self.attackers, self.safeguards)
        named = [", ".join(map(visible, names)) for names in parts if names]
        return " · ".join(named) if named else say("requirement.everything")


def matches(pattern: str, name: str) -> bool:
    """Whether a name is one of a pattern, in which `*` stands for any characters, also none."""
    first, *middle = pattern.split(EVERYTHING)
    if not middle:
        return name == pattern
    last, at = middle.pop(), len(first)
    if not name.startswith(first):
        return False
    for part in middle:  # the first place is as good as any: a regular expression would try all of them
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(name) - len(last) >= at and name.endswith(last)


@dataclass(frozen=True)
class RequirementDetail:
    """Which figure of its kind is meant; what a figure does not take is None or empty.

    `people` says among how many somebody is linked or singled out, `recordings` how many of a person are
    pooled (1 where it is None), `false_alarms` at which rate of them hits are counted, `attribute` what a
    recogniser tells, called as its file is, `question` what listeners were asked. `group`, "sex=female",
    says among whom: those with this value of an attribute.
    """

    people: int | None = None
    recordings: int | None = None
    false_alarms: float | None = None
    attribute: str = ""
    question: str = ""
    group: str = ""

    def check(self) -> None:
        """Raise InputError, whose facts name the field in `key`, where a value cannot be."""
        for key, lowest, highest in (
            ("people", FEWEST_PEOPLE, MOST_PEOPLE),
            ("recordings", 1, MOST_RECORDINGS),
        ):
            value: int | None = getattr(self, key)
            if value is not None and not lowest <= value <= highest:
                raise _wrong(key, "requirement-detail-whole", name=key, lowest=lowest, highest=highest)
        if self.false_alarms is not None and self.false_alarms not in FALSE_ALARM_RATES:
            known = ", ".join(map(_decimal, FALSE_ALARM_RATES))
            raise _wrong("false_alarms", "requirement-false-alarms", known=known)
        if self.question and self.question not in QUESTIONS:
            known = ", ".join(QUESTIONS)
            raise _wrong("question", "requirement-question", found=self.question, known=known)
        if self.group and not all(self.attribute_and_value):
            raise _wrong("group", "requirement-group", found=self.group)

    @property
    def attribute_and_value(self) -> tuple[str, str]:
        """Of a group: the attribute, and the value of it that its people have."""
        attribute, _, value = self.group.partition("=")
        return attribute.strip(), value.strip()


@dataclass(frozen=True)
class Requirement:
    """A requirement, never changed. Texts are the user's, and foreign to us.

    `bound` is in the unit of the figure: bits, fractions of 1 for rates, base-10 LLRs, or the letter of a
    tag. A figure that has a name of before gets that of today. With `no_worse_than`, a pattern of safeguards,
    it is the margin by which a figure may be worse than theirs in the same dataset, condition and attacker.
    `tag` is that of a share at a tag. `confidence` is None for what is not resampled. Raises InputError,
    whose facts name the field in `key`.
    """

    name: str
    figure: str
    bound: float | str
    sense: Sense = Sense.AT_MOST
    confidence: float | None = FIRST_CONFIDENCE
    scope: Scope = field(default_factory=Scope)
    no_worse_than: str = ""
    tag: str = ""
    why: str = ""
    set_by: str = ""
    recorded: RecordedWhen = RecordedWhen.NOT_SHOWN
    detail: RequirementDetail = field(default_factory=RequirementDetail)

    def __post_init__(self) -> None:
        object.__setattr__(self, "figure", FORMER.get(self.figure, self.figure))
        self._check_texts()
        if self.figure not in REQUIRABLE:
            raise _wrong("figure", "requirement-figure", found=self.figure, known=", ".join(REQUIRABLE))
        self._check_bound()
        figure = self.of
        if figure.is_resampled:
            if self.confidence is None or not LOWEST_CONFIDENCE <= self.confidence <= HIGHEST_CONFIDENCE:
                raise _wrong("confidence", "requirement-confidence", found=self.confidence)
        elif self.confidence is not None:
            raise _wrong("confidence", "requirement-confidence-none", name=self.figure)
        if self.no_worse_than and not figure.is_paired:
            paired = ", ".join(code for code, each in REQUIRABLE.items() if each.is_paired)
            raise _wrong("no_worse_than", "requirement-not-paired", name=self.figure, known=paired)
        if (figure.is_of_people or self.figure == PI_SING) and not self.is_upper:
            raise _wrong("bound", "requirement-at-most", name=self.figure)
        if bool(self.tag) != (self.figure == SHARE_AT_TAG):
            raise _wrong("tag", "requirement-tag")
        self._check_detail()

    @property
    def of(self) -> Requirable:
        """The figure that is required."""
        return REQUIRABLE[self.figure]

    def in_scope(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """What it is about: assessments, or similarity matrices, of which nobody says who attacks."""
        if not self.of.is_of_matrices:
            return self.scope.of(entry for item in items for entry in item.entries)
        matrices = (one for item in items for one in item.similarities)
        return tuple(item for item in matrices if self.scope.names(item, self.of.condition, ""))

    @property
    def is_upper(self) -> bool:
        """Whether what is required must not lie above the bound."""
        return self.sense is Sense.AT_MOST

    @property
    def demand(self) -> tuple[object, ...]:
        """What two requirements share where they demand the same, whatever is said of why and by whom."""
        of_what = self.figure, self.tag, self.detail, self.no_worse_than, self.scope
        return (*of_what, self.sense, self.bound, self.confidence)

    @property
    def in_words(self) -> str:
        """What is demanded in a sentence, without its name and scope."""
        figure, surely = self.figure_in_words, "" if self.confidence is None else "-surely"
        facts = {} if self.confidence is None else {"confidence": written(100.0 * self.confidence, "g")}
        if self.no_worse_than:
            facts |= {"than": self.no_worse_than, "margin": self.of.difference_in_words(float(self.bound))}
            return say(f"requirement.no-worse{surely}", figure=figure, **facts)
        if self.tag:
            figure = say("requirement.share-at", tag=visible(self.tag))
        sense = self.sense.value.replace("_", "-")
        code = f"requirement.{sense}-surely" if surely else f"requirement.{sense}"
        return say(code, figure=figure, bound=self.of.in_words(self.bound), **facts)

    @property
    def figure_in_words(self) -> str:
        """The figure with what says which it is: "π_link among 20 people"."""
        said = self.detail
        facts: dict[str, object] = {"people": said.people, "count": self.recordings}
        facts["attribute"] = visible(said.attribute)
        if said.false_alarms is not None:
            facts["alarms"] = round(1.0 / said.false_alarms)
        if said.question:
            facts["question"] = say(f"required.question-{said.question}")
        is_meant = any(getattr(said, key) not in (None, "") for key in self.of.takes)
        found = say(f"{self.of.text}-of", **facts) if is_meant else self.of.name
        return say("required.in-group", figure=found, group=visible(said.group)) if said.group else found

    def value_in(self, found: Assessment | VoiceSimilarity) -> Value:
        """The figure as it was computed; None where that does not have it."""
        if self.detail.false_alarms is not None and isinstance(found, Assessment):
            return found.hits_at[self.detail.false_alarms]
        return self.of.value_of(found, self.tag)

    @property
    def recordings(self) -> int:
        """How many recordings of a person are pooled."""
        return self.detail.recordings or 1

    @property
    def draws_key(self) -> str:
        """What the draws of the figure are called, in the figures of an assessment or in what is required."""
        said, takes = self.detail, self.of.takes
        if said.false_alarms is not None:
            return hits_key(said.false_alarms)
        among = [str(said.people or EVERYTHING)] if "people" in takes else []
        pooled = [str(self.recordings)] if "recordings" in takes else []
        return ":".join((self.of.key, *among, *pooled, *filter(None, [said.attribute])))

    def checked_on(self, scale: TagScale) -> Requirement:
        """Itself. Raises InputError where the scale has no such tag."""
        for key, letter in (("bound", self.bound if self.figure == TAG else ""), ("tag", self.tag)):
            if letter and rank_of(scale, str(letter)) is None:
                known = ", ".join(tag.letter for tag in scale.tags)
                raise _wrong(key, "requirement-no-tag", found=letter, known=known)
        return self

    def _check_detail(self) -> None:
        said, figure = self.detail, self.of
        given = {one.name for one in fields(said) if getattr(said, one.name) not in (None, "")}
        for key in sorted(given - {"group", *figure.takes}):
            raise _wrong(key, "requirement-detail-none", name=self.figure, found=key)
        for key in figure.needs:
            if key not in given:
                raise _wrong(key, "requirement-detail-needed", name=self.figure, found=key)
        said.check()
        if said.group and (self.no_worse_than or not figure.has_groups):
            raise _wrong("group", "requirement-group-none", name=self.figure)
        if self.figure == PI_SING and said.people is not None:
            chance = singling_out_chance(said.people)
            if float(self.bound) < chance:
                guessed = written(100.0 * chance, ".1f")
                raise _wrong("bound", "requirement-below-guessing", people=said.people, chance=guessed)

    def _check_texts(self) -> None:
        if not self.name.strip():
            raise _wrong("name", "requirement-nameless")
        for key, text, most in (
            ("name", self.name, LONGEST_NAME),
            ("why", self.why, LONGEST_TEXT),
            ("set_by", self.set_by, LONGEST_TEXT),
            ("no_worse_than", self.no_worse_than, LONGEST_NAME),
            ("attribute", self.detail.attribute, LONGEST_NAME),
            ("group", self.detail.group, LONGEST_NAME),
        ):
            if len(text) > most:
                raise _wrong(key, "requirement-too-long", name=key, most=most)
        for key in ("datasets", "conditions", "attackers", "safeguards"):
            named: Sequence[str] = getattr(self.scope, key)
            if len(named) > MOST_PATTERNS or any(len(each) > LONGEST_NAME for each in named):
                raise _wrong(key, "requirement-too-many", name=key, most=MOST_PATTERNS, longest=LONGEST_NAME)

    def _check_bound(self) -> None:
        figure = REQUIRABLE[self.figure]
        if self.figure == TAG:
            if not isinstance(self.bound, str):
                raise _wrong("bound", "requirement-bound-tag", found=self.bound)
            return
        lowest = 0.0 if self.no_worse_than else figure.lowest
        if (
            isinstance(self.bound, str)
            or not lowest <= self.bound <= figure.highest
            or abs(self.bound) == float("inf")
        ):
            raise _wrong(
                "bound",
                "requirement-bound" if figure.highest < float("inf") else "requirement-bound-open",
                name=self.figure,
                found=self.bound,
                lowest=written(lowest, "g"),
                highest=written(figure.highest, ".4g"),
            )


def required(
    known: Sequence[Requirement], added: Iterable[Requirement], items: Sequence[Item]
) -> tuple[Requirement, ...]:
    """The requirements of a project with further ones, for which its record says when they came.

    One that demands the same as one that is known keeps the record of that. Raises InputError at two of one
    name, and at too many.
    """
    found = list(known)
    for each in added:
        place = next((n for n, one in enumerate(found) if one.name == each.name), None)
        if place is None:
            found.append(recorded_now(each, items))
        elif found[place].demand == each.demand:
            found[place] = replace(each, recorded=found[place].recorded)
        else:
            raise InputError("requirement-known", found=each.name)
    if len(found) > MOST_REQUIREMENTS:
        raise InputError("requirement-many", most=MOST_REQUIREMENTS)
    return tuple(found)


def recorded_now(requirement: Requirement, items: Iterable[Item]) -> Requirement:
    """The requirement as it is added to a project: before or after items in its scope were assessed."""
    is_late = bool(requirement.in_scope(items))
    return replace(requirement, recorded=RecordedWhen.AFTER if is_late else RecordedWhen.BEFORE)


def _decimal(rate: float) -> str:
    """A rate without an exponent: 0.0001."""
    return f"{rate:.6f}".rstrip("0")


def _wrong(key: str, code: str, /, **facts: object) -> InputError:
    return InputError(code, key=key, **facts)


# Requirements in a TOML file: read with the line of what is wrong, and written to be read again.


TABLE = "requirement"
CONTEXT = "context"
_SCOPE = ("datasets", "conditions", "attackers", "safeguards")
_TEXTS = ("name", "figure", "no_worse_than", "tag", "attribute", "question", "group", "why", "set_by")
_BOUNDS = ("at_most", "at_least", "margin")
_WHOLE = ("people", "recordings")
DETAIL = ("people", "recordings", "false_alarms", "attribute", "question", "group")
KEYS = ("name", "figure", *DETAIL, "tag", "no_worse_than", *_BOUNDS, "confidence", *_SCOPE, "why", "set_by")
"""What may stand in a table, in the order in which it is written."""


def read_requirements(
    path: Path, scale: TagScale = PAPER_SCALE, people: int | None = None
) -> tuple[Requirement, ...]:
    """Read a file of requirements. Raises InputError with file and line; tags are those of the scale.

    `people` is how many the context of the release states, for those that say people = "context".
    """
    file = _read(path)
    lines, values = file.lines, file.values
    for name in values:
        if name != TABLE:
            raise _at(path, lines.of_key(name), InputError("requirements-unknown", found=name, known=TABLE))
    rows = values.get(TABLE)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise _at(path, lines.of_key(TABLE), InputError("requirements-none"))
    if len(rows) > MOST_REQUIREMENTS:
        line = lines.of_row(TABLE, MOST_REQUIREMENTS)
        raise _at(path, line, InputError("requirement-many", most=MOST_REQUIREMENTS))
    found: list[Requirement] = []
    for place, row in enumerate(rows):
        try:
            made = _requirement(_in_context(row, people), scale)
            if any(made.name == one.name for one in found):
                raise InputError("requirement-twice", found=made.name, key="name")
        except InputError as error:
            raise _at(path, lines.of_row(TABLE, place, str(error.facts.get("key", ""))), error) from error
        found.append(made)
    return tuple(found)


def former_figures(path: Path) -> dict[str, str]:
    """The figures in a file that are called otherwise now, with their names of today. Raises InputError."""
    named = [row["figure"] for row in _read(path).values[TABLE]]
    return {name: FORMER[name] for name in named if name in FORMER}


def refuse_idle(path: Path, requirements: Sequence[Requirement], items: Sequence[Item]) -> None:
    """Raise InputError with file and line for the first requirement that is about nothing here.

    Its scope matches nothing, or it names a safeguard to be compared with that is not here.
    """
    lines = _read(path).lines
    for place, each in enumerate(requirements):
        key, pattern = _idle(each, items)
        if key:
            facts: dict[str, object] = {"name": each.name, "found": pattern}
            code = "requirement-idle-than" if key == "no_worse_than" else "requirement-idle"
            raise _at(path, lines.of_row(TABLE, place, key), InputError(code, **facts))


def _idle(each: Requirement, items: Sequence[Item]) -> tuple[str, str]:
    """Which field leaves nothing of the items, and what stands there; empty where something is left.

    Of all similarity matrices, whatever they are of, may be said where there are none.
    """
    if not each.in_scope(items):
        for key in _SCOPE:
            patterns: tuple[str, ...] = getattr(each.scope, key)
            named = patterns if not each.of.is_of_matrices else [one for one in patterns if one != EVERYTHING]
            if named and not replace(each, scope=Scope(**{key: patterns})).in_scope(items):
                return key, ", ".join(patterns)
        return ("", "") if each.of.is_of_matrices else ("name", each.scope.in_words)
    than = each.no_worse_than
    if than and EVERYTHING not in than and not any(matches(than, item.name) for item in items):
        return "no_worse_than", than
    return "", ""


def requirements_text(requirements: Iterable[Requirement]) -> str:
    """The file of these requirements, which `read_requirements` reads again."""
    return "\n".join(_table(each) for each in requirements)


def _table(each: Requirement) -> str:
    bound = "margin" if each.no_worse_than else each.sense.value
    limit = each.bound if isinstance(each.bound, str) else float(each.bound)
    values: dict[str, object] = {
        "name": each.name,
        "figure": each.figure,
        **{key: getattr(each.detail, key) for key in DETAIL},
        "tag": each.tag,
        "no_worse_than": each.no_worse_than,
        bound: limit,
        "confidence": each.confidence,
        **{key: list(getattr(each.scope, key)) for key in _SCOPE},
        "why": each.why,
        "set_by": each.set_by,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value not in ("", None, [])]
    return "\n".join([f"[[{TABLE}]]", *lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    return _file_decimal(value) if isinstance(value, float) else str(value)


def _file_decimal(value: float) -> str:
    """A number without an exponent where it is short so."""
    plain = f"{value:.6f}".rstrip("0")
    return plain if float(plain) == value and not plain.endswith(".") else repr(value)


def _escaped(character: str) -> str:
    """A character of a basic string; a lone surrogate, which TOML cannot hold, as a question mark."""
    if character in '"\\':
        return f"\\{character}"
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "?"
    if code < 0x20 or code == 0x7F or not character.isprintable():
        return f"\\U{code:08X}"
    return character


def _requirement(row: Mapping[str, Any], scale: TagScale) -> Requirement:
    for key, value in row.items():
        if key not in KEYS:
            raise InputError("requirement-key", key=key, found=key, known=", ".join(KEYS))
        _check_type(key, value)
    given = [key for key in _BOUNDS if key in row]
    than = row.get("no_worse_than", "")
    wanted = ("margin",) if than else ("at_most", "at_least")
    if len(given) != 1 or given[0] not in wanted:
        code = "requirement-margin" if than else "requirement-one-bound"
        raise InputError(code, key=given[-1] if given else "name")
    figure = FORMER.get(row.get("figure", ""), row.get("figure", ""))
    is_sure = figure not in REQUIRABLE or REQUIRABLE[figure].is_resampled
    try:
        return Requirement(
            row.get("name", ""),
            figure,
            row[given[0]],
            Sense.AT_LEAST if given[0] == "at_least" else Sense.AT_MOST,
            row.get("confidence", FIRST_CONFIDENCE if is_sure else None),
            Scope(**{key: tuple(row.get(key, ())) for key in _SCOPE}),
            than,
            row.get("tag", ""),
            row.get("why", ""),
            row.get("set_by", ""),
            detail=RequirementDetail(**{key: row[key] for key in DETAIL if key in row}),
        ).checked_on(scale)
    except InputError as error:
        if error.facts.get("key") == "bound":
            raise InputError(error.code, **{**error.facts, "key": given[0]}) from error
        raise


def _in_context(row: Mapping[str, Any], people: int | None) -> Mapping[str, Any]:
    if row.get("people") != CONTEXT:
        return row
    if people is None:
        raise InputError("requirement-context", key="people")
    return {**row, "people": people}


def _check_type(key: str, value: object) -> None:
    if key in _SCOPE:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InputError("requirement-not-texts", key=key, name=key)
    elif key in _TEXTS:
        if not isinstance(value, str):
            raise InputError("requirement-not-text", key=key, name=key)
    elif key in _WHOLE:
        if type(value) is not int:
            raise InputError("requirement-not-whole", key=key, name=key)
    elif isinstance(value, str) and key in _BOUNDS:
        return  # the letter of a tag
    elif not _is_number(value):
        raise InputError("requirement-not-number", key=key, name=key)


def _is_number(value: object) -> bool:
    """Whether a float can hold it; a whole number in TOML has any number of digits."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    except OverflowError:
        return False


def _at(path: Path, line: int, error: InputError) -> InputError:
    """The error with file and line in front."""
    return InputError("requirements-at", file=path.name, line=line, reason=str(error))


def _read(path: Path) -> TomlFile:
    return read_toml(path, no_toml="requirements-not-toml", too_large="requirements-too-large")
