"""Rows of a file into an engine: read by the engine itself where they are plain, by the careful reader else.

The engine is asked to refuse whatever is not surely the same to both. What it refuses the careful reader
reads again from the beginning: it finds the line and says it, or knows better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from zebra_core.errors import InputError
from zebra_core.intake.formats import parquet
from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.intake.opening.decoding import Encoding
from zebra_core.intake.streaming.pieces import Pieces, TextPieces
from zebra_core.intake.tables.dialect import LineEnd
from zebra_core.intake.tables.labels import meaning
from zebra_core.intake.tables.table import Table
from zebra_core.runtime.progress import Progress, part_of

if TYPE_CHECKING:
    from zebra_core.engine.embedded import EmbeddedEngine

_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_PARTS = {
    ColumnMeaning.ENROL: "enrol",
    ColumnMeaning.TEST: "test",
    ColumnMeaning.SCORE: "score",
    ColumnMeaning.LABEL: "label",
}
_MOST_WORDS = 100
_PLAIN_ID = r"[^#\s\x00-\x1f\x7f\p{Z}\p{C}]([^\x00-\x1f\x7f]*[^\s\p{Z}])?"


@dataclass(frozen=True)
class EngineTable:
    """What of a file is in the engine: a table of `questions.SCORES` or `questions.KEY`."""

    table: Any
    rows: int
    set_aside: int = 0
    label_words: Mapping[str, int] = field(default_factory=dict)  # each with the first row that has it


def feed(
    engine: EmbeddedEngine, name: str, pieces: Pieces, on_progress: Progress, *, is_scores: bool
) -> EngineTable:
    """Read a file into a table of the engine. Raises InputError, with its line, at the first bad row."""
    if isinstance(pieces, TextPieces) and _is_plain(pieces):
        pieces.end(part_of(on_progress, 0.0, 0.3))
        if fed := _by_the_engine(engine, name, pieces, is_scores=is_scores):
            return fed
        on_progress = part_of(on_progress, 0.3, 1.0)
    return _piece_by_piece(engine, name, pieces, on_progress, is_scores=is_scores)


def forget_fed(engine: EmbeddedEngine, name: str) -> None:
    """Give back the room of a file whose rows are coded now."""
    is_view = engine.read("SELECT count(*) AS n FROM duckdb_views() WHERE view_name = ?", f"{name}_read")
    engine.read(f"DROP {'VIEW' if is_view['n'][0] else 'TABLE'} {name}_read")
    for rest in ("words", "raw"):
        engine.read(f"DROP TABLE IF EXISTS {name}_{rest}")


# --- piece by piece ----------------------------------------------------------------------------------------


def _piece_by_piece(
    engine: EmbeddedEngine, name: str, pieces: Pieces, on_progress: Progress, *, is_scores: bool
) -> EngineTable:
    from zebra_core.engine import questions

    table = engine.new(f"{name}_read", questions.SCORES if is_scores else questions.KEY)
    rows = set_aside = 0
    words: dict[str, int] = {}
    for first, piece in pieces.tables(on_progress):
        if first + len(piece) + piece.set_aside > parquet.MOST_TRIALS:
            raise InputError("too-many-trials", most=parquet.MOST_TRIALS)
        _add(engine, name, piece, first, pieces.name, is_scores=is_scores)
        rows, set_aside = rows + len(piece), set_aside + piece.set_aside
        words = {word: first + row for word, row in piece.label_words.items()} | words
    return EngineTable(table, rows, set_aside, words)


def _add(engine: EmbeddedEngine, name: str, piece: Table, first: int, file: str, *, is_scores: bool) -> None:
    if piece.sides is None:
        raise InputError("no-ids", file=file)
    enrol, test = piece.sides
    given: dict[str, np.ndarray] = {
        "enrol": enrol.codes,
        "test": test.codes,
        "label": np.full(len(piece), -1, np.int8)
        if piece.is_target is None
        else piece.is_target.astype(np.int8),
        "row": first + (np.arange(len(piece)) if piece.row is None else piece.row),
    }
    score = ""
    if is_scores:
        assert piece.score is not None  # noqa: S101 - by its role
        given["score"] = piece.score
        score = "coalesce(score, 'nan'::DOUBLE), "  # NumPy's NaN comes in as nothing
    tables = {"piece": given}
    for side, ids in (("enrolled", enrol), ("tested", test)):
        tables[side] = {"code": np.arange(len(ids.names)), "name": np.array(ids.names, object)}
    sql = f"""SELECT enrolled.name, tested.name, {score}label, row FROM piece
        JOIN enrolled ON enrolled.code = enrol JOIN tested ON tested.code = test"""
    engine.add(f"{name}_read", sql, **tables)


# --- by the engine itself ----------------------------------------------------------------------------------


def _is_plain(pieces: TextPieces) -> bool:
    """Whether a list is written as the engine reads lists."""
    dialect = pieces.dialect
    plain = dialect.encoding is Encoding.UTF_8 and dialect.line_end in (LineEnd.LF, LineEnd.CRLF)
    odd = dialect.decimal_comma or dialect.quoted or dialect.comment_lines or pieces.is_compressed
    has_ids = {ColumnMeaning.ENROL, ColumnMeaning.TEST} <= set(pieces.parts)
    return plain and not odd and has_ids and set(pieces.parts) <= {*_PARTS, ColumnMeaning.OTHER}


def _by_the_engine(
    engine: EmbeddedEngine, name: str, pieces: TextPieces, *, is_scores: bool
) -> EngineTable | None:
    """A list that is surely nothing but these columns; None where the careful reader must look at it."""
    import ibis

    from zebra_core.engine import questions
    from zebra_core.engine.embedded import REFUSED

    try:
        engine.read(_as_table(name, pieces), str(pieces.path))
        first, words = _words(engine, name, pieces)
        if words is None or not _are_ids(engine, name):
            raise _NotPlainError
    except (*REFUSED, _NotPlainError):
        engine.read(f"DROP TABLE IF EXISTS {name}_raw")
        return None
    rows = int(engine.read(f"SELECT count(*) AS n FROM {name}_raw")["n"][0])
    if rows > parquet.MOST_TRIALS:
        raise InputError("too-many-trials", most=parquet.MOST_TRIALS)
    pieces.were_read(rows)
    if words:
        given = {"word": np.array([*words], object), "said": np.array([*words.values()], np.int8)}
        engine.new(f"{name}_words", {"word": "string", "said": "int8"})
        engine.add(f"{name}_words", "SELECT word, said FROM given", given=given)
    said = f"(SELECT any_value(said) FROM {name}_words WHERE word = label)" if words else "(-1)::TINYINT"
    score = "score, " if is_scores else ""
    columns = f"enrol, test, {score}{said} AS label, rowid AS row"
    engine.read(f"CREATE VIEW {name}_read AS SELECT {columns} FROM {name}_raw")
    table = ibis.table(questions.SCORES if is_scores else questions.KEY, name=f"{name}_read")
    return EngineTable(table, rows, label_words=first)


class _NotPlainError(Exception):
    """The careful reader must look at it."""


def _as_table(name: str, pieces: TextPieces) -> str:
    """The query that reads a list; the name of the file is its value."""
    columns = [_PARTS.get(part, f"other_{number}") for number, part in enumerate(pieces.parts)]
    kinds = ", ".join(f"'{column}': 'VARCHAR'" for column in columns)
    score = f"CASE WHEN regexp_full_match(score, '{_NUMBER}') THEN score::DOUBLE ELSE error('') END AS score"
    wanted = [score if column == "score" else column for column in columns if column in _PARTS.values()]
    return f"""CREATE TABLE {name}_raw AS SELECT {", ".join(wanted)} FROM read_csv(?, columns = {{{kinds}}},
        delim = '{pieces.dialect.delimiter.value}', header = {bool(pieces.dialect.header)}, quote = '',
        escape = '', comment = '', auto_detect = false, strict_mode = true, null_padding = false,
        ignore_errors = false, compression = 'none', encoding = 'utf-8')"""


def _words(
    engine: EmbeddedEngine, name: str, pieces: TextPieces
) -> tuple[dict[str, int], dict[str, int] | None]:
    """The first row of each word of its labels, and what they mean; None where one is no label."""
    if ColumnMeaning.LABEL not in pieces.parts:
        return {}, {}
    by_word = f"SELECT label, min(rowid) AS first FROM {name}_raw GROUP BY label LIMIT {_MOST_WORDS + 1}"
    found = engine.read(by_word)
    first = dict(zip(found["label"].tolist(), found["first"].tolist(), strict=True))
    said = {word: meaning(word, pieces.target_word) for word in first if word}
    if len(first) > _MOST_WORDS or len(said) < len(first) or None in said.values():
        return {}, None
    return first, {word: int(bool(is_target)) for word, is_target in said.items()}


def _are_ids(engine: EmbeddedEngine, name: str) -> bool:
    """Whether every id is there and surely as the careful reader would have it; and every score a number."""
    # A table of its own: a filter would be asked of every row, before what is distinct is looked for.
    engine.read(
        f"CREATE TABLE {name}_ids AS SELECT enrol AS id FROM {name}_raw UNION SELECT test FROM {name}_raw"
    )
    odd = engine.read(
        f"SELECT count(*) AS n FROM {name}_ids WHERE id IS NULL OR NOT regexp_full_match(id, ?)", _PLAIN_ID
    )
    engine.read(f"DROP TABLE {name}_ids")
    if odd["n"][0]:
        return False
    columns = engine.read(f"SELECT column_name AS name FROM (DESCRIBE {name}_raw)")["name"].tolist()
    if "score" not in columns:
        return True
    odd = engine.read(f"SELECT count(*) AS n FROM {name}_raw WHERE score IS NULL OR NOT isfinite(score)")
    return not odd["n"][0]
