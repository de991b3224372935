"""CSV and TSV with a header: the columns are known by their usual names."""

from __future__ import annotations

import re

from zebra_core.intake.formats.reading import ColumnMeaning, Reading, TextSample, look_at
from zebra_core.intake.tables.dialect import Delimiter
from zebra_core.intake.tables.labels import is_label
from zebra_core.intake.tables.table import FileRole

_NAMES: dict[ColumnMeaning, str] = {
    ColumnMeaning.ENROL: """model modelid modelname enrol enrolid enrolment enrolmentid enroll enrollid
        enrollment enrollmentid enroller enrollutt enrolutt enrollspk reference referenceid ref refid
        template templateid claimed claimedid speaker1 spk1 utt1 utterance1 file1 id1 audio1 wav1 path1 left
        query enrollpath spk speaker speakerid spkid bioreftemplateid biorefsubjectid""",
    ColumnMeaning.TEST: """segment segmentid test testid testutt trial trialid testsegment testsegmentid
        probe probeid probekey utt utterance uttid utteranceid file filename verify verification speaker2
        spk2 utt2 utterance2 file2 id2 audio2 wav2 path2 right testpath""",
    ColumnMeaning.SCORE: """score scores llr loglikelihoodratio loglr similarity sim cosine cosinescore plda
        pldascore asvscore value""",
    ColumnMeaning.LABEL: """label labels target targettype trialtype key istarget same samespeaker truth
        groundtruth groundtruthlabel class genuine match mated""",
    ColumnMeaning.ATTACK: "attack attacktype probeattacktype",
}
_PART_OF = {name: part for part, names in _NAMES.items() for name in names.split()}
_BOB_CLAIMED, _BOB_REAL, _BOB_SEGMENT = "biorefsubjectid", "probesubjectid", "probekey"


def recognise(look: TextSample) -> list[Reading]:
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


def part_of_name(name: str) -> ColumnMeaning:
    """What a column of this name usually holds."""
    plain = _plain(name)
    return _PART_OF.get(plain) or _PART_OF.get(plain.removesuffix("s"), ColumnMeaning.OTHER)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _bob_parts(names: list[str]) -> list[ColumnMeaning] | None:
    special = {
        _BOB_CLAIMED: ColumnMeaning.CLAIMED,
        _BOB_REAL: ColumnMeaning.REAL,
        _BOB_SEGMENT: ColumnMeaning.TEST,
    }
    wanted = (ColumnMeaning.SCORE, ColumnMeaning.ATTACK)
    parts = [special.get(name) or _only(_PART_OF.get(name), wanted) for name in names]
    return parts if parts.count(ColumnMeaning.SCORE) == 1 else None


def _only(part: ColumnMeaning | None, wanted: tuple[ColumnMeaning, ...]) -> ColumnMeaning:
    return part if part in wanted and part is not None else ColumnMeaning.OTHER


def _parts(names: list[str], look: TextSample, body: TextSample) -> list[ColumnMeaning] | None:
    """What each column means, by its name; two columns of unknown names beside a value are the two ids."""
    parts: list[ColumnMeaning] = []
    for name in names:
        part = _PART_OF.get(name, ColumnMeaning.OTHER)
        parts.append(part if part not in parts else ColumnMeaning.OTHER)  # the first of its kind counts
    _unlike_their_names(parts, body)
    if ColumnMeaning.SCORE not in parts and ColumnMeaning.LABEL not in parts:
        return _parts_by_content(look, body)
    if ColumnMeaning.ENROL not in parts and ColumnMeaning.TEST not in parts:
        unknown = [n for n, part in enumerate(parts) if part is ColumnMeaning.OTHER]
        if len(unknown) == 2:
            parts[unknown[0]], parts[unknown[1]] = ColumnMeaning.ENROL, ColumnMeaning.TEST
    elif (ColumnMeaning.ENROL in parts) != (ColumnMeaning.TEST in parts):
        unknown = [n for n, part in enumerate(parts) if part is ColumnMeaning.OTHER]
        if len(unknown) == 1:
            parts[unknown[0]] = ColumnMeaning.TEST if ColumnMeaning.ENROL in parts else ColumnMeaning.ENROL
    has_ids = ColumnMeaning.ENROL in parts and ColumnMeaning.TEST in parts
    is_labelled_score = ColumnMeaning.SCORE in parts and ColumnMeaning.LABEL in parts
    return parts if has_ids or is_labelled_score else None


def _unlike_their_names(parts: list[ColumnMeaning], body: TextSample) -> None:
    """`target` may head the labels or the test segments, `match` the scores: the rows decide."""
    for n, part in enumerate(parts):
        column = body.columns[n]
        if part is ColumnMeaning.LABEL and not column.is_label:
            parts[n] = (
                ColumnMeaning.SCORE
                if column.is_number and ColumnMeaning.SCORE not in parts
                else ColumnMeaning.OTHER
            )


def _may_be_unknown_names(look: TextSample) -> bool:
    """Whether the first line of a CSV or TSV may be names we do not know: neither numbers nor labels."""
    dialect = look.text.dialect
    return dialect.delimiter is not Delimiter.BLANKS and not any(
        dialect.number(cell) is not None or is_label(cell) or not cell for cell in look.rows[0]
    )


def _parts_by_content(look: TextSample, body: TextSample) -> list[ColumnMeaning] | None:
    """Three columns under unknown names, the last of them real numbers: two ids and a score."""
    if _may_be_unknown_names(look) and body.width == 3 and body.columns[-1].is_real:
        return [ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.SCORE]
    return None


def _format(names: list[str], parts: list[ColumnMeaning]) -> str:
    if ColumnMeaning.CLAIMED in parts:
        return "bob-csv"
    return "nist-table" if {"modelid", "segmentid"} <= set(names) else "table"


def _role(parts: list[ColumnMeaning]) -> FileRole:
    if ColumnMeaning.SCORE not in parts:
        return FileRole.KEY
    return (
        FileRole.BOTH if ColumnMeaning.LABEL in parts or ColumnMeaning.CLAIMED in parts else FileRole.SCORES
    )
