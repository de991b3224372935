"""What is dropped beside scores and is of no trials: emotions, ratings, transcripts, other JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zebra_core.errors import InputError
from zebra_core.intake.formats.headed import part_of_name
from zebra_core.intake.formats.reading import ColumnMeaning, TextSample
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import column_name
from zebra_core.intake.tables.dialect import Delimiter
from zebra_core.intake.transcript_files import is_transcript

EMOTIONS = "recording-attributes"
CODES = (
    EMOTIONS,
    "ratings-dropped",
    "transcript-dropped",
    "json-dropped",
    "embeddings",
    "embeddings-kaldi",
    "embedding-index",
    "mistake-pickle",
    "mistake-mat",
    "mistake-ark",
    "legal-eval-results",
    "scores-without-labels",
)
_BINARY = {
    "mistake-pickle": re.compile(rb"\x80[\x02-\x05][\x00-\xff]"),
    "mistake-mat": re.compile(rb"MATLAB (?:5\.0|7\.3) MAT-file"),
    "mistake-ark": re.compile(rb"[^\s\x00]{1,500} \x00B"),
}
_TEXT_ARK = re.compile(r"\S+ +\[(?: +\S+){3,}.*")
_INDICES = ("id2idx", "idx2spk")
_LEGAL_EVAL = ({"metric", "l", "value"}, {"attacker", "l", "curvetype"})
_EMOTIONS, _HEARD, _RATED = (
    frozenset(words.split())
    for words in (
        """ang hap neu sad exc fru sur fea dis oth angry happy neutral calm excited frustrated surprised
        surprise fear fearful disgust disgusted""",
        "clean original orig unprotected protected anonymized anonymised anon",
        "mos mospred utmos ovrl p808mos rating",
    )
)
_FEWEST_EMBEDDINGS, _SHORTEST_EMBEDDING = 3, 16
_HEAD = 1 << 16  # bytes


def refuse_binary(file: OpenedFile) -> None:
    """Raise InputError for what other programs keep scores and embeddings in and nobody reads here."""
    code = next((code for code, sign in _BINARY.items() if sign.match(file.content)), None)
    if code or packing.is_torch(file.content):
        raise InputError(code or "mistake-pickle", file=file.name)


def are_embeddings(shapes: Sequence[Sequence[int]]) -> bool:
    """Whether arrays of these shapes are embeddings: several, of one length, which is not that of a table."""
    widths = {shape[-1] if shape else 0 for shape in shapes}
    return len(shapes) >= _FEWEST_EMBEDDINGS and len(widths) == 1 and min(widths) >= _SHORTEST_EMBEDDING


def refuse_look_alikes(look: TextSample) -> None:
    """Raise InputError for two columns that would be taken for a map of speakers and surely are none."""
    if look.width != 2 or look.is_ragged:
        return
    words = {word.lower() for word in look.columns[1].words}
    file = look.text.file.name
    ids, numbers = look.columns if look.text.file.source.folders[-1] == _INDICES[0] else look.columns[::-1]
    if look.text.file.source.folders[-1] in _INDICES and all(cell.isdecimal() for cell in numbers.cells):
        raise InputError("embedding-index", file=file, found=ids.cells[0])
    if len(words) > 1 and words <= _EMOTIONS:
        raise InputError(EMOTIONS, file=file, found=look.columns[1].cells[0])
    if words <= _HEARD and look.columns[0].is_number:
        raise InputError("ratings-dropped", file=file)


def named(file: OpenedFile, look: TextSample) -> InputError | None:
    """The sentence for what no family of formats knows; None where it is nothing of these either."""
    line, content = look.text.first_line(), look.text.content
    head = {column_name(cell) for cell in line.cells}
    lasts = look.columns[-1].cells
    are_heard = 2 * sum(cell.lower() in _HEARD for cell in lasts) >= len(lasts)
    is_json = content.lstrip()[:1] in (b"{", b"[")
    is_table = not is_json and look.text.dialect.delimiter is not Delimiter.BLANKS
    known = {
        "embeddings-kaldi": _TEXT_ARK.fullmatch(line.text),
        "legal-eval-results": any(names <= head for names in _LEGAL_EVAL)
        or (is_json and b'"metric"' in content[:_HEAD] and b'"values"' in content[:_HEAD]),
        "ratings-dropped": head & _RATED or (are_heard and look.width > 1 and look.columns[-2].is_number),
        "transcript-dropped": is_transcript(file),
        "json-dropped": is_json,
        "scores-without-labels": is_table and ColumnMeaning.SCORE in map(part_of_name, line.cells),
    }
    return next((InputError(code, file=file.name) for code, is_so in known.items() if is_so), None)
