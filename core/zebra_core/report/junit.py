"""Verdicts as JUnit XML, which build servers show: a suite for each requirement, a case for each row.

What is not met is a failure, what is not decided an error, so that either is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from zebra_core.errors import ZebraError
from zebra_core.files.access import open_regular, write_file
from zebra_core.project.verdicts.verdict import RowVerdict, Verdict, VerdictOutcome
from zebra_core.wording.texts import visible_sentence

_BEGINS = b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="zebra"'
_ELEMENTS = {VerdictOutcome.NOT_MET: "failure", VerdictOutcome.NOT_DECIDED: "error"}


def junit_xml(verdicts: Sequence[Verdict]) -> bytes:
    """The document; foreign text is escaped, and control characters are shown as their escapes."""
    cases = [_cases(verdict) for verdict in verdicts]
    lines = [
        f"{_BEGINS.decode()}{_counts([case for each in cases for case in each])}>",
        *(line for verdict, each in zip(verdicts, cases, strict=True) for line in _suite(verdict, each)),
        "</testsuites>",
    ]
    return ("\n".join(lines) + "\n").encode()


def save_junit(verdicts: Sequence[Verdict], path: Path, *, overwrite: bool = False) -> Path:
    """Write the document. An earlier one is replaced; any other file only with `overwrite`."""
    return write_file(path, junit_xml(verdicts), overwrite=overwrite or _is_ours(path))


def _is_ours(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            return file.read(len(_BEGINS)) == _BEGINS
    except (OSError, ZebraError):
        return False


_Case = tuple[str, VerdictOutcome, str]
"""Its name, its outcome, and why."""


def _cases(verdict: Verdict) -> list[_Case]:
    """One for each row, or one for all where there is none."""
    if not verdict.rows:
        return [(verdict.requirement.scope.in_words, verdict.outcome, verdict.reason)]
    return [_case(row) for row in verdict.rows]


def _case(row: RowVerdict) -> _Case:
    return row.name, row.outcome, row.sentence


def _suite(verdict: Verdict, cases: Sequence[_Case]) -> Iterator[str]:
    name = _attribute(verdict.requirement.name)
    yield f" <testsuite name={name}{_counts(cases)}>"
    demanded = {"demand": verdict.requirement.in_words, "verdict": verdict.in_words, "reason": verdict.reason}
    properties = (
        f"<property name={_attribute(key)} value={_attribute(text)}/>" for key, text in demanded.items()
    )
    yield f"  <properties>{''.join(properties)}</properties>"
    for case, outcome, why in cases:
        yield f"  <testcase classname={name} name={_attribute(case)}>"
        if element := _ELEMENTS.get(outcome):
            head = f"<{element} type={_attribute(outcome.value)} message={_attribute(why)}>"
            yield f"   {head}{escape(visible_sentence(why))}</{element}>"
        yield "  </testcase>"
    yield " </testsuite>"


def _counts(cases: Sequence[_Case]) -> str:
    outcomes = [outcome for _, outcome, _ in cases]
    failures, errors = outcomes.count(VerdictOutcome.NOT_MET), outcomes.count(VerdictOutcome.NOT_DECIDED)
    return f' tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0"'


def _attribute(text: str) -> str:
    return quoteattr(visible_sentence(text))
