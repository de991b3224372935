"""CSV and TSV with a header: the columns are known by their usual names."""

from __future__ import annotations

import re

from zebra_core.intake.formats.reading import Look, Part, Reading, look_at
from zebra_core.intake.tables.dialect import Delimiter
from zebra_core.intake.tables.labels import is_label
from zebra_core.intake.tables.table import Role

_NAMES: dict[Part, str] = {
    Part.ENROL: """model modelid modelname enrol enrolid enrolment enrolmentid enroll enrollid enrollment
        enrollmentid enroller enrollutt enrolutt enrollspk reference referenceid ref refid template templateid
        claimed claimedid speaker1 spk1 utt1 utterance1 file1 id1 audio1 wav1 path1 left query enrollpath
        spk speaker speakerid spkid bioreftemplateid biorefsubjectid""",
    Part.TEST: """segment segmentid test testid testutt trial trialid testsegment testsegmentid probe probeid
        probekey utt utterance uttid utteranceid file filename verify verification speaker2 spk2 utt2
        utterance2 file2 id2 audio2 wav2 path2 right testpath""",
    Part.SCORE: """score scores llr loglikelihoodratio loglr similarity sim cosine cosinescore plda pldascore
        asvscore value""",
    Part.LABEL: """label labels target targettype trialtype key istarget same samespeaker truth groundtruth
        groundtruthlabel class genuine match mated""",
    Part.ATTACK: "attack attacktype probeattacktype",
}
_PART_OF = {name: part for part, names in _NAMES.items() for name in names.split()}
_BOB_CLAIMED, _BOB_REAL, _BOB_SEGMENT = "biorefsubjectid", "probesubjectid", "probekey"


def recognise(look: Look) -> list[Reading]:
    """A reading when the first line holds names of columns and the rows hold what the names promise."""
    if not look.rows or look.rows[0] != look.text.sample[0].cells:
        return []
    names = [_plain(cell) for cell in look.rows[0]]
    if not any(name in _PART_OF and not is_label(name) for name in names) and not _may_be_unknown_names(look):
        return []  # `s1 u1 target` is a line of a key, though `target` heads a column elsewhere
    body = look_at(look.text.with_header()) if len(look.text.sample) > 1 else None
    if body is None or body.width != len(names) or len(names) < 2:
        return []
    parts = _bob_parts(names) if _BOB_CLAIMED in names and _BOB_REAL in names else _parts(names, look, body)
    if parts is None:
        return []
    return [Reading(_format(names, parts), _role(parts), tuple(parts), skips_header=True)]


def part_of_name(name: str) -> Part:
    """What a column of this name usually holds."""
    plain = _plain(name)
    return _PART_OF.get(plain) or _PART_OF.get(plain.removesuffix("s"), Part.OTHER)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _bob_parts(names: list[str]) -> list[Part] | None:
    special = {_BOB_CLAIMED: Part.CLAIMED, _BOB_REAL: Part.REAL, _BOB_SEGMENT: Part.TEST}
    wanted = (Part.SCORE, Part.ATTACK)
    parts = [special.get(name) or _only(_PART_OF.get(name), wanted) for name in names]
    return parts if parts.count(Part.SCORE) == 1 else None


def _only(part: Part | None, wanted: tuple[Part, ...]) -> Part:
    return part if part in wanted and part is not None else Part.OTHER


def _parts(names: list[str], look: Look, body: Look) -> list[Part] | None:
    """What each column means, by its name; two columns of unknown names beside a value are the two ids."""
    parts: list[Part] = []
    for name in names:
        part = _PART_OF.get(name, Part.OTHER)
        parts.append(part if part not in parts else Part.OTHER)  # the first of its kind counts
    _unlike_their_names(parts, body)
    if Part.SCORE not in parts and Part.LABEL not in parts:
        return _parts_by_content(look, body)
    if Part.ENROL not in parts and Part.TEST not in parts:
        unknown = [n for n, part in enumerate(parts) if part is Part.OTHER]
        if len(unknown) == 2:
            parts[unknown[0]], parts[unknown[1]] = Part.ENROL, Part.TEST
    elif (Part.ENROL in parts) != (Part.TEST in parts):
        unknown = [n for n, part in enumerate(parts) if part is Part.OTHER]
        if len(unknown) == 1:
            parts[unknown[0]] = Part.TEST if Part.ENROL in parts else Part.ENROL
    has_ids = Part.ENROL in parts and Part.TEST in parts
    is_labelled_score = Part.SCORE in parts and Part.LABEL in parts
    return parts if has_ids or is_labelled_score else None


def _unlike_their_names(parts: list[Part], body: Look) -> None:
    """`target` may head the labels or the test segments, `match` the scores: the rows decide."""
    for n, part in enumerate(parts):
        column = body.columns[n]
        if part is Part.LABEL and not column.is_label:
            parts[n] = Part.SCORE if column.is_number and Part.SCORE not in parts else Part.OTHER


def _may_be_unknown_names(look: Look) -> bool:
    """Whether the first line of a CSV or TSV may be names we do not know: neither numbers nor labels."""
    dialect = look.text.dialect
    return dialect.delimiter is not Delimiter.BLANKS and not any(
        dialect.number(cell) is not None or is_label(cell) or not cell for cell in look.rows[0]
    )


def _parts_by_content(look: Look, body: Look) -> list[Part] | None:
    """Three columns under unknown names, the last of them real numbers: two ids and a score."""
    if _may_be_unknown_names(look) and body.width == 3 and body.columns[-1].is_real:
        return [Part.ENROL, Part.TEST, Part.SCORE]
    return None


def _format(names: list[str], parts: list[Part]) -> str:
    if Part.CLAIMED in parts:
        return "bob-csv"
    return "nist-table" if {"modelid", "segmentid"} <= set(names) else "table"


def _role(parts: list[Part]) -> Role:
    if Part.SCORE not in parts:
        return Role.KEY
    return Role.BOTH if Part.LABEL in parts or Part.CLAIMED in parts else Role.SCORES
