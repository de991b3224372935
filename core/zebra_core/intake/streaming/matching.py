"""Scores matched with their key, audited and counted by an engine, with the findings of tables in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import ibis
import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.embedded import REFUSED, EmbeddedEngine
from zebra_core.errors import InputError
from zebra_core.evidence.audit import ID_MAPPINGS, MOST_EXAMPLES, Decision, Severity
from zebra_core.evidence.speaker_names import Speakers, speaker_in
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import Ids, are_numbered_apart
from zebra_core.intake.formats import parquet
from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.intake.matching import findings
from zebra_core.intake.matching.auditing import explain_spelling, mapped_sides
from zebra_core.intake.matching.matching import Sides
from zebra_core.intake.opening.opening import Encoding
from zebra_core.intake.streaming.pieces import Pieces, TextPieces
from zebra_core.intake.streaming.speaker_counting import WantedRanks, count_by_speakers
from zebra_core.intake.streaming.tally import Tally
from zebra_core.intake.tables.table import LineEnd, Table, meaning
from zebra_core.runtime.progress import Progress, part_of

_ROWS_AT_ONCE = 1 << 18
_MATCHING = 0.7  # the share of the time at which both files are read, about


class MatchedTrials:
    """Scores and key, or scores with labels, matched by their ids in an engine."""

    def __init__(
        self,
        engine: EmbeddedEngine,
        scores: Pieces,
        key: Pieces | None,
        log: findings.Log,
        tally: Tally,
        speaker_of: Speakers | None,
    ) -> None:
        self._engine, self._scores, self._key = engine, scores, key
        self._log, self._tally, self._speaker_of = log, tally, speaker_of
        self._nothing_shared = False
        self._known: dict[str, int] = {}  # a code for each mapped id
        self._trials: Any = None

    def run(self, on_progress: Progress) -> None:
        """Read both, match, and tell what was found, in the order in which tables in memory are looked at."""
        scores, key = self._read(on_progress)
        scores, key = self._without_self_comparisons(scores, key)
        key_once = None if key is None else self._once("key", key, self._key)
        scores_once = self._once("scores", scores, self._scores)
        self._report_share(0.8)
        trials = self._matched(scores_once, key_once)
        self._report_share(0.9)
        self._trials = trials
        if not self._nothing_shared:
            self._look_at_ids(trials)
        self._count(trials)

    def by_speakers(self, *, with_ranks: bool) -> SpeakerCounts:
        """The matched trials counted for each pair of speakers, with ranks if wanted. Raises InputError."""
        is_lower = self._log.decided(Decision.LOWER_IS_MORE_ALIKE)
        wanted = WantedRanks(is_lower) if with_ranks else None
        found = self._names, self._tally, self._speaker_of
        return count_by_speakers(self._engine, self._trials, *found, wanted)

    def _report_share(self, share: float) -> None:
        self._engine.share = share
        self._engine.on_progress(share)

    def _read(self, on_progress: Progress) -> tuple[Any, Any]:
        """Both tables, with codes in the place of ids."""
        files = [("scores", self._scores)] + ([("key", self._key)] if self._key else [])
        read = []
        for number, (name, pieces) in enumerate(files):
            part = part_of(on_progress, number / 2 * _MATCHING, (number + 1) / 2 * _MATCHING)
            fed = feed(self._engine, name, pieces, part, is_scores=name == "scores")
            self._log.counts[f"n_{name}"] = fed.rows
            if fed.set_aside:
                self._log.counts["set_aside"] += fed.set_aside
                self._log.find("set-aside", Severity.NOTE, pieces, (), count=fed.set_aside)
            findings.mixed_labels(self._log, pieces, fed.label_words, pieces.examples)
            read.append(fed.table)
        self._report_share(_MATCHING)
        names = self._engine.keep("names", questions.names_of(*read))
        coded = [
            self._engine.keep(name, questions.coded(table, names, names))
            for (name, _), table in zip(files, read, strict=True)
        ]
        for name, _ in files:
            forget_fed(self._engine, name)
        return coded[0], coded[1] if len(coded) > 1 else None

    def _without_self_comparisons(self, scores: Any, key: Any) -> tuple[Any, Any]:
        labelled, file = (scores, self._scores) if key is None else (key, self._key or self._scores)
        itself = questions.with_itself(labelled)
        targets, among = (self._count_of(one.filter(one["label"] == 1)) for one in (labelled, itself))
        if not (count := self._count_of(itself)):
            return scores, key
        are_numbered = are_numbered_apart(self._names_of(labelled))
        found = findings.SelfComparisons(count, among, targets, are_numbered)
        if found.are_kept(self._log, file, self._few(itself, "row")["row"]):
            return scores, key
        others = {"scores": scores, "key": key}
        kept = {
            name: None if table is None else self._engine.keep(f"{name}_apart", questions.with_others(table))
            for name, table in others.items()
        }
        return kept["scores"], kept["key"]

    # --- repeats -------------------------------------------------------------------------------------------

    def _once(self, name: str, table: Any, pieces: Pieces | None) -> Any:
        """The first row of each pair; the others are logged as repeats or contradictions."""
        assert pieces is not None  # noqa: S101 - it is the file of the table
        often = self._engine.keep_by_pair(f"{name}_often", questions.listed_again, table)
        counted, again = {"agreeing": 0, "contradicting": 0}, often
        if self._count_of(often):
            again = self._engine.keep(f"{name}_again", questions.repeats(table, often))
            counted = self._engine.one(questions.how_many_repeat(again))
        for way in ("agreeing", "contradicting"):
            of_file = f"{way}_repeats"
            self._log.counts[of_file] = self._log.counts.get(of_file, 0) + counted[way]
        if counted["agreeing"]:
            few = self._few(again.filter(again["agrees"]), "row")
            findings.repeats(self._log, pieces, few["row"], counted["agreeing"])
        if counted["contradicting"]:
            few = self._few(again.filter(~again["agrees"]), "row")
            findings.contradictions(self._log, pieces, few["row"], few["first"][0], counted["contradicting"])
        if not any(counted.values()):
            return table
        return self._engine.keep(f"{name}_once", questions.once(table, again))

    # --- matching ------------------------------------------------------------------------------------------

    def _matched(self, scores: Any, key: Any) -> Any:
        if key is None:
            return questions.labelled(scores)
        assert self._key is not None  # noqa: S101 - it is the file of the table
        if findings.are_swapped(self._log, self._scores, self._key):
            key = self._engine.keep("key_swapped", key.rename(enrol="test", test="enrol"))
        by_names: tuple[Sides, Sides] | None = None
        if self._log.allow & frozenset(ID_MAPPINGS):
            by_names = self._names_of(scores), self._names_of(key)
            mapped = self._mapped(*by_names)
            scores = self._renamed("scores", scores, by_names[0], mapped[0])
            key = self._renamed("key", key, by_names[1], mapped[1])
            by_names = mapped
        trials = self._engine.keep_by_pair("matched", questions.matched, scores, key)
        self._tell_of_matching(scores, key, trials, by_names)
        return trials

    def _tell_of_matching(
        self, scores: Any, key: Any, trials: Any, by_names: tuple[Sides, Sides] | None
    ) -> None:
        assert self._key is not None  # noqa: S101 - asked before
        log = self._log
        n_scores, n_key, n_matched = (self._count_of(table) for table in (scores, key, trials))
        missing, extra = n_key - n_matched, n_scores - n_matched
        log.counts["scores_without_key"], log.counts["key_without_score"] = extra, missing
        self._nothing_shared = not n_matched
        if missing:
            if self._nothing_shared or Decision.KEY_LINES_WITHOUT_SCORE not in log.allow:
                by_names = by_names or (self._names_of(scores), self._names_of(key))
                none = self._nothing_shared
                explain_spelling(self._scores, self._key, *by_names, log, nothing_shared=none)
            if self._nothing_shared:
                findings.nothing_shared(log, self._scores, self._key)
                return
            rows = self._few(questions.without(key, scores), "row")["row"]
            findings.missing_scores(log, self._key, rows, missing, self._scores.name)
        if extra:
            rows = self._few(questions.without(scores, key), "row")["row"]
            facts = {"count": extra, "key": self._key.name}
            log.find("scores-outside-key", Severity.NOTE, self._scores, rows, **facts)
        wrong = questions.contradicting_labels(trials)
        if count := self._count_of(wrong):
            rows = self._few(wrong, "place")["row"]
            facts = {"count": count, "key": self._key.name}
            log.find("labels-contradict-key", Severity.ERROR, self._scores, rows, **facts)

    def _names_of(self, table: Any) -> Sides:
        """The distinct ids of both sides of a table, in the order in which the file names them first."""
        names = ibis.table(questions.NAMES, name="names")
        found = [self._engine.fetch(questions.names_of_side(table, side, names)) for side in questions.PAIR]
        enrol, test = (Ids(one["code"], tuple(one["name"].tolist())) for one in found)
        return enrol, test

    def _mapped(self, scores: Sides, key: Sides) -> tuple[Sides, Sides]:
        assert self._key is not None  # noqa: S101 - there is nothing to map otherwise
        return mapped_sides(self._scores, self._key, scores, key, self._log)

    def _renamed(self, name: str, table: Any, old: Sides, new: Sides) -> Any:
        """The table with other codes: the same one for ids that are now the same."""
        if old is new:
            return table
        tables = []
        for side, before, now in zip(questions.PAIR, old, new, strict=True):
            known = self._known
            code = np.array([known.setdefault(one, len(known)) for one in now.names], np.int64)
            place = f"{name}_{side}_renamed"
            self._engine.new(place, {"name": "int64", "code": "int64"})
            self._engine.add(
                place, "SELECT name, code FROM given", given={"name": before.codes, "code": code}
            )
            tables.append(ibis.table({"name": "int64", "code": "int64"}, name=place))
        return self._engine.keep(f"{name}_renamed", questions.coded(table, *tables))

    @cached_property
    def _names(self) -> Any:
        """The ids behind the codes of the trials."""
        if not self._known:
            return ibis.table(questions.NAMES, name="names")
        table = self._engine.new("names_renamed", questions.NAMES)
        given = {"code": np.array([*self._known.values()]), "name": np.array([*self._known], object)}
        self._engine.add("names_renamed", "SELECT code, name FROM given", given=given)
        return table

    # --- what is left --------------------------------------------------------------------------------------

    def _look_at_ids(self, trials: Any) -> None:
        log = self._log
        log.counts.update(self._engine.one(questions.distinct_ids(trials)))
        again = questions.turned_round(trials)
        log.counts["symmetric_repeats"] = count = self._count_of(again)
        if count:
            rows = self._few(again, "place")["place"]
            log.find("symmetric-repeats", Severity.NOTE, self._key or self._scores, rows, count=count)
        if self._speaker_of is not None:
            found = self._engine.fetch(questions.names_of_side(trials, "test", self._names))
            known = {speaker_in(self._speaker_of, name) for name in found["name"].tolist()} - {None}
            log.counts["speakers"] = len(known) or None

    def _count(self, trials: Any) -> None:
        # A sort of scores as they come costs a fraction of the engine's looking for distinct ones.
        scored = self._engine.keep("scored", trials.select("score", "label"))
        for rows in self._engine.pieces("scored", scored, _ROWS_AT_ONCE):
            self._tally.add(rows["score"], rows["label"] == 1)
        for few, is_nan in ((self._tally.nans, True), (self._tally.infinities, False)):
            if few.count:
                found = self._few(questions.not_finite(trials, is_nan=is_nan), "place")
                few.first = list(zip(found["place"], found["row"], strict=True))

    def _count_of(self, table: Any) -> int:
        return self._engine.one(questions.how_many(table))["count"]

    def _few(self, table: Any, by: str) -> dict[str, list[int]]:
        found = self._engine.fetch(questions.first_of(table, by, MOST_EXAMPLES))
        wanted: Sequence[str] = [name for name in ("row", "first", "place") if name in found]
        return {name: [int(value) for value in found[name]] for name in wanted}


# Rows of a file into an engine: read by the engine itself where they are plain, by the careful reader else.
#
# The engine is asked to refuse whatever is not surely the same to both. What it refuses the careful reader
# reads again from the beginning: it finds the line and says it, or knows better.


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
