"""CSV and TSV with a header: the columns are known by their usual names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from zebra_core.intake.formats.reading import (
    SOURCES,
    ColumnMeaning,
    ColumnSample,
    Reading,
    TextSample,
    look_at,
)
from zebra_core.intake.tables.columns import column_name
from zebra_core.intake.tables.dialect import Delimiter
from zebra_core.intake.tables.labels import OF_SDSV, are_of_sdsv, is_label
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
        pldascore asvscore yscore value lr likelihoodratio""",
    ColumnMeaning.LABEL: """label labels target targettype trialtype key istarget same samespeaker truth
        groundtruth groundtruthlabel hypothesis hypothesislabel class genuine match mated asvlabel ytrue""",
    ColumnMeaning.ATTACK: "attack attacktype probeattacktype",
}
_PART_OF = {name: part for part, names in _NAMES.items() for name in names.split()}
_SPEAKERS = ({"spk1", "speaker1"}, {"spk2", "speaker2"})
_SOURCES = ({"sourceid1", "sourceids0"}, {"sourceid2", "sourceids1"})
"""Of lir: trials are known by who speaks alone."""
_SPEAKER_NAMES = {*_SPEAKERS[0], *_SPEAKERS[1], "spk", "spkid", "speaker", "speakerid", "enrollspk"}
_ONCE = (ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.ATTACK)
_VALUES = {ColumnMeaning.SCORE, ColumnMeaning.LABEL, ColumnMeaning.CLAIMED}
SIDES = frozenset({"a", "b", "A", "B", "1", "2"})
"""The two sides of a telephone call."""
_BOB_CLAIMED, _BOB_REAL, _BOB_SEGMENT = "biorefsubjectid", "probesubjectid", "probekey"


def recognise(look: TextSample) -> list[Reading]:
    """A reading when the first line holds names of columns and the rows hold what the names promise.

    R leaves out the name of the column of row names. Where several columns may be the scores or the labels,
    there is a reading for each.
    """
    first = look.text.sample[0].cells
    names = [column_name(cell) for cell in first]
    is_short = len(first) == look.width - 1 and sum(name in _PART_OF for name in names) > 1
    if not look.rows or not (is_short or look.rows[0] == first):
        return []
    has_known = any(_part_of(name) is not None and not is_label(name) for name in names)
    if not has_known and not _may_be_unknown_names(look):
        return []  # `s1 u1 target` is a line of a key, though `target` heads a column elsewhere
    if is_short:
        first, names = ("", *first), ["", *names]
    body = look_at(look.text.with_header()) if len(look.text.sample) > 1 else None
    if body is None or body.width != len(names) or len(names) < 2:
        return []
    is_bob = _BOB_CLAIMED in names and _BOB_REAL in names
    if None not in _places(names, _SOURCES):
        names = ["score" if name == "features" else name for name in names]
    ways = [(_bob_parts(names), "")] if is_bob else _ways(names, first, look, body)
    found = [_reading(names, parts, column, first) for parts, column in ways if parts is not None]
    return [each for one in found for each in _with_words(one, body)]


def _with_words(reading: Reading, body: TextSample) -> list[Reading]:
    """The reading, or those by which labels of SdSV can be read."""
    label = reading.parts.index(ColumnMeaning.LABEL) if ColumnMeaning.LABEL in reading.parts else None
    is_of_sdsv = label is not None and are_of_sdsv(body.columns[label].words)
    return [replace(reading, target_word=word) for word in OF_SDSV] if is_of_sdsv else [reading]


def _reading(names: list[str], parts: list[ColumnMeaning], column: str, first: Sequence[str]) -> Reading:
    score = parts.index(ColumnMeaning.SCORE) if ColumnMeaning.SCORE in parts else None
    distance = first[score] if score is not None and is_distance(names[score]) else ""
    reading = Reading(_format(names, parts), _role(parts), tuple(parts), skips_header=True)
    ratio = first[score] if score is not None and is_ratio(names[score]) else ""
    return replace(reading, column=column, distance=distance, ratio=ratio)


def part_of_name(name: str) -> ColumnMeaning:
    """What a column of this name usually holds."""
    plain = column_name(name)
    return _part_of(plain) or _part_of(plain.removesuffix("s")) or ColumnMeaning.OTHER


def one_for_each_column(reading: Reading, scores: Sequence[str]) -> list[Reading]:
    """The reading of a file for each of its columns of scores, by their names."""
    meant = {name: name if len(scores) > 1 else "" for name in scores}
    return [
        replace(
            reading,
            column=column,
            distance=name if is_distance(name) else "",
            ratio=name if is_ratio(name) else "",
        )
        for name, column in meant.items()
    ]


def is_distance(name: str) -> bool:
    """Whether by the name of a column lower values in it mean more alike."""
    return column_name(name).removesuffix("s").endswith(("distance", "dist", "dissimilarity"))


def is_ratio(name: str) -> bool:
    """Whether by the name of a column its values are likelihood ratios, not their logarithms."""
    return column_name(name).removesuffix("s") in ("lr", "likelihoodratio")


def _part_of(plain: str) -> ColumnMeaning | None:
    return _PART_OF.get(plain) or (ColumnMeaning.SCORE if is_distance(plain) else None)


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


def _ways(
    names: list[str], first: Sequence[str], look: TextSample, body: TextSample
) -> list[tuple[list[ColumnMeaning] | None, str]]:
    """What each column means, one way for each that may hold the scores or the labels, and its name."""
    named = [_part_of(name) or ColumnMeaning.OTHER for name in names]
    _unlike_their_names(named, body)
    of_kind = {kind: [n for n, part in enumerate(named) if part is kind] for kind in ColumnMeaning}
    for kind in (ColumnMeaning.ENROL, ColumnMeaning.TEST):
        # A recording is called by its own name, where that of its speaker stands beside it.
        of_kind[kind].sort(key=lambda n: names[n] in _SPEAKER_NAMES)
    several = [
        [n for n in of_kind[kind] if is_kind(body.columns[n])] or of_kind[kind][:1] or [-1]
        for kind, is_kind in ((ColumnMeaning.SCORE, _is_number), (ColumnMeaning.LABEL, _is_label))
    ]
    ways = []
    for chosen in product(*several):
        kept = {*chosen, *(n for kind in _ONCE for n in of_kind[kind][:1])}
        parts = [part if n in kept else ColumnMeaning.OTHER for n, part in enumerate(named)]
        asked = [first[n] for n, others in zip(chosen, several, strict=True) if len(others) > 1]
        by_source = _by_source(names, parts)
        ways.append((by_source or _parts(names, parts, look, body), "+".join(asked)))
    return ways


def _is_number(column: ColumnSample) -> bool:
    return column.is_number


def _is_label(column: ColumnSample) -> bool:
    return column.is_label


def _parts(
    names: list[str], parts: list[ColumnMeaning], look: TextSample, body: TextSample
) -> list[ColumnMeaning] | None:
    """All parts of a trial; two columns of unknown names beside a value are the two ids."""
    speakers = _places(names, _SPEAKERS)
    if ColumnMeaning.LABEL not in parts and None not in speakers:
        by_speaker = {speakers[0]: ColumnMeaning.CLAIMED, speakers[1]: ColumnMeaning.REAL}
        if all(parts[n] is ColumnMeaning.OTHER for n in by_speaker if n is not None):
            parts = [by_speaker.get(n, part) for n, part in enumerate(parts)]
    if "side" in names and ColumnMeaning.TEST in parts:
        side = names.index("side")
        if all(word in SIDES for word in body.columns[side].words):
            parts[side] = ColumnMeaning.SIDE
    if not _VALUES & set(parts):
        return _parts_by_content(look, body)
    if ColumnMeaning.ENROL not in parts and ColumnMeaning.TEST not in parts:
        unknown = [n for n, part in enumerate(parts) if part is ColumnMeaning.OTHER]
        if len(unknown) == 2 and not any(body.columns[n].is_real for n in unknown):
            parts[unknown[0]], parts[unknown[1]] = ColumnMeaning.ENROL, ColumnMeaning.TEST
    elif (ColumnMeaning.ENROL in parts) != (ColumnMeaning.TEST in parts):
        unknown = [n for n, part in enumerate(parts) if part is ColumnMeaning.OTHER]
        if len(unknown) == 1:
            parts[unknown[0]] = ColumnMeaning.TEST if ColumnMeaning.ENROL in parts else ColumnMeaning.ENROL
    has_ids = ColumnMeaning.ENROL in parts and ColumnMeaning.TEST in parts
    is_labelled_score = ColumnMeaning.SCORE in parts and ColumnMeaning.LABEL in parts
    return parts if has_ids or is_labelled_score else None


def _by_source(names: list[str], parts: list[ColumnMeaning]) -> list[ColumnMeaning] | None:
    """The parts of a table of scores that says whose both sides are; None for any other."""
    claimed, real = _places(names, _SOURCES)
    if claimed is None or real is None or ColumnMeaning.SCORE not in parts:
        return None
    meant = {claimed: ColumnMeaning.CLAIMED, real: ColumnMeaning.REAL}
    return [meant.get(n, part) for n, part in enumerate(parts)]


def _places(names: list[str], of: tuple[set[str], set[str]]) -> list[int | None]:
    """Where the columns of both sides stand that have one of these names."""
    return [next((n for n, name in enumerate(names) if name in side), None) for side in of]


def _unlike_their_names(parts: list[ColumnMeaning], body: TextSample) -> None:
    """`target` may head the labels or the test segments, `match` the scores: the rows decide."""
    for n, part in enumerate(parts):
        column = body.columns[n]
        if part is ColumnMeaning.LABEL and not column.is_label and not are_of_sdsv(column.words):
            is_score = column.is_number and ColumnMeaning.SCORE not in parts
            parts[n] = ColumnMeaning.SCORE if is_score else ColumnMeaning.OTHER


def _may_be_unknown_names(look: TextSample) -> bool:
    """Whether the first line of a CSV or TSV may be names we do not know: neither numbers nor labels."""
    dialect = look.text.dialect
    return dialect.delimiter is not Delimiter.BLANKS and not any(
        dialect.number(cell) is not None or is_label(cell) or not cell for cell in look.rows[0]
    )


def _parts_by_content(look: TextSample, body: TextSample) -> list[ColumnMeaning] | None:
    """Three columns under unknown names, the last of them real numbers: two ids and a score."""
    *ids, value = body.columns
    are_ids = len(ids) == 2 and not any(column.is_real for column in ids)
    if _may_be_unknown_names(look) and are_ids and value.is_real:
        return [ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.SCORE]
    return None


def _format(names: list[str], parts: list[ColumnMeaning]) -> str:
    if _BOB_CLAIMED in names and ColumnMeaning.CLAIMED in parts:
        return "bob-csv"
    if _SOURCES[0] & set(names) and ColumnMeaning.CLAIMED in parts:
        return SOURCES
    return "nist-table" if {"modelid", "segmentid"} <= set(names) else "table"


def _role(parts: list[ColumnMeaning]) -> FileRole:
    if ColumnMeaning.SCORE not in parts:
        return FileRole.KEY
    return FileRole.BOTH if _VALUES & set(parts) > {ColumnMeaning.SCORE} else FileRole.SCORES
