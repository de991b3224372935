"""What came of a check: an outcome for each case that was looked at, with its figures, and one for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from zebra_core.evidence.value_types import Count, NumberOrNone, array_of, json_object, note, object_as_json
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.wording.texts import in_sentence, say, visible_name

LONGEST_NAME = 120  # characters


BY_CHANCE = "tag-by-chance"
"""The case of a tag that no disclosure would show, too: neither failed nor without an answer."""

_OF_SEVERAL = ("complete-lacking", "complete-lacking-of")
"""Cases that are told in one sentence with all their names where they differ in nothing else."""


class CheckOutcome(Enum):
    """Passed, failed, or not to be told from these data."""

    PASSED = "passed"
    FAILED = "failed"
    CANNOT_TELL = "cannot tell"

    def __str__(self) -> str:
        """In words."""
        return say(f"check.{self.name.lower().replace('_', '-')}")

    @property
    def sign(self) -> str:
        """The sign that stands before it: outcomes are never told apart by colour alone."""
        return {CheckOutcome.PASSED: "✓", CheckOutcome.FAILED: "✗", CheckOutcome.CANNOT_TELL: "?"}[self]


class Check(Enum):
    """What is checked, in the order of the list."""

    RECOGNISER = "recogniser"  # it tells speakers apart where nothing was protected
    ATTACKERS = "attackers"  # who knows more finds no less
    ENOUGH = "enough"  # speakers and target trials
    DIRECTION = "direction"  # higher scores are more alike
    COMPLETE = "complete"  # both sexes and all conditions are there
    PRINTED = "printed"  # figures agree with those printed beside the scores
    TAG = "tag"  # it is beyond what no disclosure shows
    PSEUDO_SPEAKERS = "pseudo-speakers"  # of protected enrolment and test differ
    DESIGN = "design"  # targets share nothing but the voice that nontargets do not

    def __str__(self) -> str:
        """What is asked."""
        return say(f"check.{self.value}")


CHECKED_CASE = json_object(
    "CheckedCase",
    outcome=CheckOutcome,
    code=str,
    assessments=note(list[Count], "places in the assessments, from 0"),
    figures=dict[str, NumberOrNone],
    text=str,
)
CHECK_LINE = json_object(
    "CheckLine", check=Check, outcome=CheckOutcome, text=str, cases=array_of(CHECKED_CASE)
)


@dataclass(frozen=True)
class CheckedCase:
    """One thing that was looked at: a sentence by its code and words, and its figures as numbers.

    `margin` says how far it is from the other outcome, the greater the farther, and orders cases; units are
    those of the check. `entry_ids` are the assessments that it is about.
    """

    outcome: CheckOutcome
    code: str
    entry_ids: tuple[str, ...]
    words: Mapping[str, object] = field(default_factory=dict)
    figures: Mapping[str, float | int | None] = field(default_factory=dict)
    margin: float = 0.0

    def __str__(self) -> str:
        return say(f"check.{self.code}", **self.words)


@dataclass(frozen=True)
class CheckLine:
    """One line of the check list, with everything that was looked at for it."""

    check: Check
    cases: tuple[CheckedCase, ...]

    @property
    def outcome(self) -> CheckOutcome:
        """Failed where some case did; passed where all did, and there is one."""
        return worst_of(case.outcome for case in self.cases)

    @property
    def deciding(self) -> tuple[CheckedCase, ...]:
        """The cases that made the outcome, the clearest first; of passed ones the narrowest first."""
        outcome = self.outcome
        found = [case for case in self.cases if case.outcome is outcome]
        return tuple(sorted(found, key=lambda case: case.margin))

    @property
    def outcome_in_words(self) -> str:
        """The outcome; of tags that may be chance that they may be."""
        is_chance = any(case.code == BY_CHANCE for case in self.cases)
        is_open = self.outcome is CheckOutcome.CANNOT_TELL
        return say("check.may-be-chance") if is_chance and is_open else str(self.outcome)

    def sentences(self, most: int = 3) -> tuple[str, ...]:
        """The outcome with its figures: so many of the deciding cases of a kind, and how many more there are.

        Of cases that passed, or of which nothing can be told, only the first of a kind is.
        """
        if not self.deciding:
            return (say(f"check.{self.check.value}-nothing"),)
        kinds: dict[str, list[CheckedCase]] = {}
        for case in self.deciding:
            kinds.setdefault(case.code, []).append(case)
        return tuple(sentence for cases in kinds.values() for sentence in self._of_a_kind(cases, most))

    def _of_a_kind(self, cases: Sequence[CheckedCase], most: int) -> list[str]:
        told = _together(cases) if cases[0].code in _OF_SEVERAL else [str(case) for case in cases]
        shown = told[: most if self.outcome is CheckOutcome.FAILED else 1]
        others = len(told) - len(shown)
        code = f"check.others-{self.outcome.name.lower().replace('_', '-')}"
        return [*shown, say(code, count=others)] if others else shown

    @property
    def in_words(self) -> str:
        """The whole line: what was asked, the outcome, and its figures."""
        figures = " ".join(self.sentences())
        return say("check.line", check=str(self.check), outcome=self.outcome_in_words, figures=figures)

    def as_json(self, places: Mapping[str, int]) -> dict[str, object]:
        """Plain values; assessments by their place. Numbers are unrounded."""
        cases = [
            object_as_json(
                CHECKED_CASE, case, assessments=[places[each] for each in case.entry_ids], text=str(case)
            )
            for case in self.cases
        ]
        return object_as_json(CHECK_LINE, self, text=" ".join(self.sentences()), cases=cases)


def _together(cases: Sequence[CheckedCase]) -> list[str]:
    """A sentence for all that differ in nothing but their name."""
    alike: dict[tuple[object, ...], list[CheckedCase]] = {}
    for case in cases:
        alike.setdefault((case.words.get("dataset"), case.words["lacking"]), []).append(case)
    return [
        str(first)
        if not others
        else say(
            f"check.{first.code}-several",
            **{**first.words, "name": in_sentence([str(one.words["name"]) for one in (first, *others)])},
        )
        for first, *others in alike.values()
    ]


def called(entry: Entry) -> str:
    """What an assessment is called in the list: with its dataset, condition and attacker."""
    return visible_name(name_with_dataset(entry), LONGEST_NAME)


def worst_of(outcomes: Iterable[CheckOutcome]) -> CheckOutcome:
    """Failed before cannot tell before passed; of none nothing can be told."""
    found = set(outcomes)
    for outcome in (CheckOutcome.FAILED, CheckOutcome.CANNOT_TELL, CheckOutcome.PASSED):
        if outcome in found:
            return outcome
    return CheckOutcome.CANNOT_TELL
