"""CSV and TSV with a header: the columns are known by their usual names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.trials import Ids
from zebra_core.intake.formats.reading import (
    SOURCES,
    ColumnMeaning,
    ColumnSample,
    Reading,
    TextSample,
    look_at,
)
from zebra_core.intake.tables.columns import ColumnType, Text, TextLine, column_name, read_columns
from zebra_core.intake.tables.table import (
    OF_SDSV,
    Delimiter,
    FileRole,
    are_of_sdsv,
    cut_by_commas,
    is_label,
    meaning,
    surely_cut_by_commas,
    unknown_words,
)

_NAMES: dict[ColumnMeaning, str] = {
    ColumnMeaning.ENROL: """model modelid modelname enrol enrolid enrolment enrolmentid enroll enrollid
        enrollment enrollmentid enroller enrollutt enrolutt enrollspk reference referenceid ref refid
        template templateid claimed claimedid speaker1 spk1 utt1 utterance1 file1 id1 audio1 wav1 path1 left
        query enrollpath spk speaker speakerid spkid bioreftemplateid biorefsubjectid""",
    ColumnMeaning.TEST: """segment segmentid test testid testutt trial trialid testsegment testsegmentid
        probe probeid probekey utt utterance uttid utteranceid file filename verify verification speaker2
        spk2 utt2 utterance2 file2 id2 audio2 wav2 path2 right testpath""",
    ColumnMeaning.SCORE: """score scores llr loglikelihoodratio loglr similarity sim cosine cosinescore plda
        pldascore asvscore yscore value lr likelihoodratio cosinesimilarity similarityscore matchscore
        cos cossim lnlr""",
    ColumnMeaning.LABEL: """label labels target targettype trialtype key istarget same samespeaker truth
        groundtruth groundtruthlabel hypothesis hypothesislabel class genuine match mated asvlabel ytrue
        issame samespk gt""",
    ColumnMeaning.ATTACK: "attack attacktype probeattacktype",
}
_PART_OF = {name: part for part, names in _NAMES.items() for name in names.split()}
_SPEAKERS = ({"spk1", "speaker1"}, {"spk2", "speaker2"})
_SOURCES = ({"sourceid1", "sourceids0"}, {"sourceid2", "sourceids1"})
"""Of lir: trials are known by who speaks alone."""
_SPEAKER_NAMES = {*_SPEAKERS[0], *_SPEAKERS[1], "spk", "spkid", "speaker", "speakerid", "enrollspk"}
_MEASURES = {
    *("duration", "durations", "dur", "length", "len", "seconds", "sec", "time", "start", "begin", "end"),
    *("snr", "age", "year", "index", "number", "n"),
}
"""Columns of numbers that are no scores."""
_FEW_WORDS = 4
_ONCE = (ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.ATTACK)
_VALUES = {ColumnMeaning.SCORE, ColumnMeaning.LABEL, ColumnMeaning.CLAIMED}
SIDES = frozenset({"a", "b", "A", "B", "1", "2"})
"""The two sides of a telephone call."""
_BOB_CLAIMED, _BOB_REAL, _BOB_SEGMENT = "biorefsubjectid", "probesubjectid", "probekey"


def recognise(look: TextSample) -> list[Reading]:
    """A reading when the first line holds names of columns and the rows hold what the names promise.

    Where several columns may be the scores or the labels, there is a reading for each; so there is for each
    word that may mean target. Raises InputError where the rows do not fit the header.
    """
    first = look.text.sample[0].cells
    names = [column_name(cell) for cell in first]
    is_short = _is_short(look, names)
    are_names = not any(look.text.dialect.number(cell) is not None for cell in first)
    if (
        not look.rows
        or not are_names
        or not (is_short or (look.rows[0] == first and not _is_line(look, names)))
    ):
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
    return [
        each
        for one in found
        for each in (
            with_words(one, body.text, body.columns[one.parts.index(ColumnMeaning.LABEL)])
            if ColumnMeaning.LABEL in one.parts
            else [one]
        )
    ]


def _is_short(look: TextSample, names: Sequence[str]) -> bool:
    """Whether the header leaves out one name only: that of the row names, as R writes it.

    Raises InputError where rows have another number of cells than the header for any other reason, or where
    commas are both in numbers and between them.
    """
    lines = [line for line in look.text.sample if len(line.cells) == look.width]
    cut = cut_by_commas(look.text.dialect, look.rows)
    first, is_number = look.text.sample[0].cells, look.text.dialect.number
    are_names = all(is_number(cell) is None for cell in first)
    known = sum(name in _PART_OF for name in names)
    has_numbers = any(column.is_number for column in look.columns)
    is_header = are_names and bool(lines) and (known > 1 or (has_numbers and _is_cut_by_marks(look)))
    if len(names) == look.width or not is_header:
        if not is_header and surely_cut_by_commas(cut, look.rows):
            raise InputError(
                "decimal-commas", file=look.text.file.name, line=lines[0].number, found=lines[0].text
            )
        return False
    is_score = [_part_of(names[n]) in (ColumnMeaning.SCORE, None) for n in cut if n < len(names)]
    by_commas = len(names) < look.width and any(is_score)
    if len(names) == look.width - 1 and not by_commas and _are_row_names(lines):
        return True
    where = {"file": look.text.file.name, "line": lines[0].number, "found": lines[0].text}
    code = "header-decimal-commas" if by_commas else "header-unlike-rows"
    raise InputError(code, **where, count=look.width, expected=len(names))


def _is_line(look: TextSample, names: Sequence[str]) -> bool:
    """Whether the first line is like the others: the only word in it that heads columns is there again."""
    known = [n for n, name in enumerate(names) if name in _PART_OF]
    return len(known) == 1 and look.columns[known[0]].cells.count(look.rows[0][known[0]]) > 1


def _is_cut_by_marks(look: TextSample) -> bool:
    return look.text.dialect.delimiter is not Delimiter.BLANKS


def _are_row_names(lines: Sequence[TextLine]) -> bool:
    """Whether the first cells are what R writes there: all different, quoted throughout or 1, 2, 3 …"""
    names = [line.cells[0] for line in lines]
    counted = [str(n) for n in range(1, len(names[:100]) + 1)]
    is_quoted = all(line.found.lstrip().startswith('"') for line in lines)
    return len({*names}) == len(names) and (is_quoted or names[:100] == counted)


def with_words(reading: Reading, text: Text, column: ColumnSample) -> list[Reading]:
    """The reading of a text, or one for each word that may mean target, where nobody but the user can know.

    A word that nobody knows and that is there once, beside one that is known, is a mistake in its line, and
    reading tells where.
    """
    if are_of_sdsv(column.words):
        return [replace(reading, target_word=word) for word in OF_SDSV]
    if not unknown_words(column.words) or len(column.words) > min(2, len(column.cells) - 1):
        return [reading]
    kinds = [ColumnType.NUMBER if part is ColumnMeaning.SCORE else ColumnType.ID for part in reading.parts]
    found = read_columns(text, kinds)[reading.parts.index(ColumnMeaning.LABEL)]
    assert isinstance(found, Ids)  # noqa: S101 - by its kind
    count = dict(zip(found.names, np.bincount(found.codes, minlength=1), strict=True))
    unknown = unknown_words(count)
    is_mistake = len(unknown) == 1 and count[unknown[0]] == 1
    if len(count) != 2 or not unknown or is_mistake:
        return [reading]
    return [replace(reading, target_word=word) for word in count]


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
    is_labelled = bool(of_kind[ColumnMeaning.LABEL])
    others = {
        ColumnMeaning.SCORE: _unknown(of_kind, names, body, _is_real) if is_labelled else [],
        ColumnMeaning.LABEL: _unknown(of_kind, names, body, _is_both) if of_kind[ColumnMeaning.SCORE] else [],
    }
    several = [
        [n for n in of_kind[kind] if is_kind(body.columns[n])] or of_kind[kind][:1] or [*others[kind], -1]
        for kind, is_kind in ((ColumnMeaning.SCORE, _is_number), (ColumnMeaning.LABEL, _is_label))
    ]
    ways = []
    for score, label in product(*several):
        kept = {score, label, *(n for kind in _ONCE for n in of_kind[kind][:1])}
        parts = [part if n in kept else ColumnMeaning.OTHER for n, part in enumerate(named)]
        for n, part in ((score, ColumnMeaning.SCORE), (label, ColumnMeaning.LABEL)):
            parts[n : n + 1] = [part] if n >= 0 else parts[n : n + 1]
        asked = [
            first[n] for n, others in zip((score, label), several, strict=True) if len(others) > 1 and n >= 0
        ]
        by_source = _by_source(names, parts)
        ways.append((by_source or _parts(names, parts, look, body), "+".join(asked)))
    return ways


def _unknown(
    of_kind: Mapping[ColumnMeaning, list[int]],
    names: Sequence[str],
    body: TextSample,
    may_be: Callable[[ColumnSample], bool],
) -> list[int]:
    """Which columns of unknown names may hold what no column of a known name does."""
    unknown = (n for n in of_kind[ColumnMeaning.OTHER] if names[n] and names[n] not in _MEASURES)
    return [n for n in unknown if may_be(body.columns[n])]


def _is_number(column: ColumnSample) -> bool:
    return column.is_number


def _is_real(column: ColumnSample) -> bool:
    return column.is_number and column.is_real


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


def _is_both(column: ColumnSample) -> bool:
    """Whether cells say target, and others nontarget."""
    return column.is_label and {meaning(word) for word in column.words} >= {True, False}


def _places(names: list[str], of: tuple[set[str], set[str]]) -> list[int | None]:
    """Where the columns of both sides stand that have one of these names."""
    return [next((n for n, name in enumerate(names) if name in side), None) for side in of]


def _unlike_their_names(parts: list[ColumnMeaning], body: TextSample) -> None:
    """`target` may head the labels or the test segments, `match` the scores: the rows decide."""
    for n, part in enumerate(parts):
        column = body.columns[n]
        are_words = column.is_label or are_of_sdsv(column.words)
        if part is ColumnMeaning.LABEL and not are_words and not _are_few(column):
            is_score = column.is_number and ColumnMeaning.SCORE not in parts
            parts[n] = ColumnMeaning.SCORE if is_score else ColumnMeaning.OTHER


def _are_few(column: ColumnSample) -> bool:
    """Whether there are as few distinct cells as there are kinds of trials."""
    return len(column.words) <= min(_FEW_WORDS, len(column.cells) // 2)


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
