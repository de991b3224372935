"""Verifying a report: find its files by their hash, compute everything again, and say figure by figure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zebra_core.errors import ZebraError
from zebra_core.intake.opening.packing import TOO_MUCH
from zebra_core.project.satellites import provenance
from zebra_core.report.attachment import GivenEvidence, evidence_beside, read_evidence
from zebra_core.report.found_files import FoundInput, find_inputs, unpacked
from zebra_core.report.pages import checked_pages
from zebra_core.report.recomputation import Recomputation, contained, why_not_made_again
from zebra_core.report.recorded_items import RecordedItem, items_of
from zebra_core.report.signatures import signatures_of
from zebra_core.report.verification import (
    ProvenanceChecks,
    Verification,
    VerificationLine,
    VerificationStatus,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import shortened
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate

_LONGEST = 300  # characters of what is told of entries that differ
RELATIVE_TOLERANCE = 1e-12
"""So much may the order of additions on another machine change; a report shows three digits."""


def verify(
    path: Path,
    folders: Iterable[Path] = (),
    on_progress: Progress = no_progress,
    *,
    any_ratio: bool = False,
    trusted: Sequence[Certificate] = (),
    recordings: Sequence[Path] = (),
    model: Path | None = None,
    on_checked: Callable[[Sequence[VerificationLine]], object] = len,
) -> Verification:
    """Check a report (PDF) or its evidence (JSON) against the files below these folders, or inside projects.

    Of a Word file the evidence beside it is checked. Without any folders, files are looked for in the
    folder of the report. Every figure of an assessment is computed again with the settings, choices and
    decisions that the evidence records; but what packs better than files of scores do is unpacked only with
    `any_ratio`, whatever the evidence says. Signatures are held against the certificates that are trusted,
    if any are named. Where scores were made from recordings, and these lie below the folders, or below
    those of `recordings`, they are made again, by the recogniser that comes along or by `model`. Raises
    InputError for what is no evidence; `on_progress` may raise Cancelled. `on_checked` is told everything
    that has been checked so far, again and again.
    """
    given = read_evidence(path)
    signatures = signatures_of(given.pdf, trusted) if given.pdf is not None else ()
    finding = part_of(on_progress, 0.0, 0.2)
    with unpacked(tuple(folders) or (path.absolute().parent,), finding) as (where, kept):
        found = find_inputs(given.values["inputs"], where, finding, kept)
        named = list(zip(given.values["inputs"], found, strict=True))
        checked = [*_seal(given), *(at.line(one["name"], one["sha256"]) for one, at in named)]
        on_checked(tuple(checked))
        again = Recomputation(given.values, found, any_ratio)
        items = items_of(again)
        end = 0.8 if given.pdf else 1.0
        middle, reached = (0.5 if given.values["recordings"] else end), ProvenanceChecks()
        for number, item in enumerate(items):
            places = (0.2 + (middle - 0.2) * place / len(items) for place in (number, number + 1))
            checked += _checked(item, found, part_of(on_progress, *places))
            on_checked(tuple(checked))
        if given.values["recordings"]:
            part, folders = part_of(on_progress, middle, end), (*where, *recordings)
            reached = provenance().checked(again, part, folders, is_asked=bool(recordings), model=model)
            checked += reached.checked
        checked.append(_checked_evidence(again))
        on_checked(tuple(checked))
        if given.pdf is not None:
            checked += checked_pages(given, again, part_of(on_progress, end, 1.0))
            on_checked(tuple(checked))
        if given.is_of_word:
            checked.append(_word_itself(evidence_beside(path)))
        on_progress(1.0)
        return Verification(
            given.values["title"],
            tuple(checked),
            given.pdf is not None,
            signatures,
            reached.chain,
            reached.is_whole,
            reached.needs_model,
            tuple(told for one, at in named if not at.changed and (told := at.about_others(one["name"]))),
        )


def _seal(given: GivenEvidence) -> list[VerificationLine]:
    if given.seal is None:
        return []
    status = VerificationStatus.VERIFIED if given.is_as_sealed else VerificationStatus.DIFFERS
    what = say("verify.beside" if given.is_of_word else "verify.attachment")
    return [VerificationLine(say("verify.report"), what, status, given.seal, given.sha256)]


def _word_itself(evidence: Path) -> VerificationLine:
    """That what a Word file says was compared with nothing."""
    why = say("verify.word-not", evidence=evidence.name)
    return VerificationLine(
        say("verify.report"), say("verify.word"), VerificationStatus.NOT_COMPARED, found=why
    )


def _checked(
    item: RecordedItem, found: Sequence[FoundInput], on_progress: Progress
) -> list[VerificationLine]:
    """Every figure of it."""
    said = item.said
    states = {found[place].status for place in item.inputs if found[place].path is None}
    if states or not item.inputs:
        worst = (
            VerificationStatus.FILE_CHANGED
            if VerificationStatus.FILE_CHANGED in states
            else VerificationStatus.FILE_MISSING
        )
        return [VerificationLine(item.about, what, worst, _text(value)) for what, value in said.items()]
    try:
        now = item.again(on_progress)
    except ZebraError as error:
        reason = str(error)
        packed = str(error.facts["file"]) if error.code == TOO_MUCH else ""
        return [
            VerificationLine(item.about, what, VerificationStatus.NOT_POSSIBLE, _text(value), reason, packed)
            for what, value in said.items()
        ]
    for name in ("speakers", "most_exposed", "reidentification"):
        if name in said:  # nobody was reported: then nothing is said of any
            now = {
                what: value for what, value in now.items() if not what.startswith((f"{name}[", f"{name}."))
            }
    names = dict.fromkeys((*said, *now))
    return [_compared(item.about, what, said.get(what), now.get(what)) for what in names]


def _checked_evidence(again: Recomputation) -> VerificationLine:
    """Everything that the evidence says beside the evidence made anew: sentences, remarks, counts, places."""
    about, what, values = say("verify.evidence"), say("verify.everything"), again.values
    reason = why_not_made_again(values) or ("" if again.has_all else say("verify.not-all-again"))
    made: Mapping[str, object] = {}
    try:
        if not reason:
            made = contained(again.evidence)
    except ZebraError as error:
        reason = str(error)
    if reason:
        return VerificationLine(about, what, VerificationStatus.NOT_COMPARED, found=reason)
    others = list(_different(values, made))
    if not others:
        same = say("verify.same-evidence")
        return VerificationLine(about, what, VerificationStatus.VERIFIED, same, same)
    listed = shortened(", ".join(others), _LONGEST)
    told = say("verify.other-entries", count=len(others), entries=listed)
    return VerificationLine(about, what, VerificationStatus.DIFFERS, found=told, is_sentence=True)


def _different(said: object, now: object, at: str = "") -> Iterator[str]:
    """Where two evidences say different things."""
    if isinstance(said, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*said, *now)):
            place = f"{at}.{key}" if at else key
            yield from (
                _different(said.get(key), now.get(key), place) if key in said and key in now else (place,)
            )
    elif isinstance(said, list) and isinstance(now, list) and len(said) == len(now):
        for number, (one, other) in enumerate(zip(said, now, strict=True)):
            yield from _different(one, other, f"{at}[{number}]")
    elif not _is_same(said, now):
        yield at


def _compared(about: str, what: str, said: object, now: object) -> VerificationLine:
    status = VerificationStatus.VERIFIED if _is_same(said, now) else VerificationStatus.DIFFERS
    return VerificationLine(about, what, status, _text(said), _text(now))


def _is_same(one: object, other: object) -> bool:
    """Whether two plain values are the same, numbers up to rounding in their last digits."""
    if isinstance(one, float) or isinstance(other, float):
        if not (_is_number(one) and _is_number(other)):
            return False
        return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=RELATIVE_TOLERANCE)  # type: ignore[arg-type]
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> str:
    """A recorded value in short."""
    if isinstance(value, list):
        return say("verify.points", count=len(value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return "" if value is None else str(value)
