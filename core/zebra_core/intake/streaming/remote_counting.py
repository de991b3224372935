"""Counting trials where they are, on an engine by its URL: only counts come back, written as Parquet."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.elsewhere import Engine, engine_at, short
from zebra_core.engine.embedded import Arrays, embedded
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Decision
from zebra_core.evidence.counting import MOST_BINS, MOST_DISTINCT, finest_that_fits
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.trials import FloatArray, ScoreCounts
from zebra_core.files.access import open_regular, write_file
from zebra_core.intake.formats.headed import part_of_name
from zebra_core.intake.formats.parquet import MOST_CODE, RECORD
from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.intake.streaming.records import CountRecord
from zebra_core.intake.streaming.speaker_counting import BINS, SpeakerCodes
from zebra_core.intake.tables.table import meaning
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.version import VERSION
from zebra_core.wording.texts import alternatives, in_sentence

# Counting for each pair of speakers where the trials are: speakers go by codes, and the map stays here.


MOST_CELLS = 1 << 25
"""Rows that come back: 12 to 40 bytes each, before they are packed. Where there are more, bins are wider."""
MOST_IDS = 20_000_000
"""Distinct ids, and distinct pairs of target trials, that are brought here to tell who speaks in which."""
_FEWEST_BINS = 1 << 6
_HEAD = ("code", "speaker")


@dataclass(frozen=True, eq=False)
class Pairs:
    """The rows of `questions.CELLS`, with codes for speakers, and the width of their bins.

    `code_of` is the map: the code of each speaker, by an id.
    """

    cells: Arrays
    width: float
    n_unknown: int
    code_of: Mapping[str, int]

    @property
    def n_speakers(self) -> int:
        """How many speakers take part."""
        return len(np.unique(np.concatenate([self.cells["enrolled"], self.cells["heard"]])))


def count_pairs(
    engine: Engine,
    trials: Any,
    score: FloatArray,
    width: float,
    said: Speakers,
    codes: Mapping[str, int],
) -> Pairs:
    """Count trials whose distinct scores, in bins that wide, are these; speakers that have codes keep them.

    Raises InputError where there are too many ids to tell who speaks, or too many pairs for coarse bins.
    """
    score = np.sort(score[np.isfinite(score)])
    people, ids = _people(engine, trials, said)
    code_of = {name: codes.get(name) or 1 + secrets.randbelow(MOST_CODE) for name in people.names}
    code = np.array([code_of[name] for name in people.names], np.int64)
    names, first = np.unique(np.array(ids, object), return_index=True)
    table = engine.put("speaker_of", {"name": names, "speaker": code[people.speaker[first]]})
    exponent = -round(np.log2(width)) if width else None
    bins = BINS
    if len(score) > bins:
        exponent = finest_that_fits(score, bins)
    cells = engine.keep("cells", questions.counts_by_speakers(trials, table, exponent))
    while (count := engine.one(questions.how_many(cells))["count"]) > MOST_CELLS:
        bins //= 4
        if bins < _FEWEST_BINS:
            raise InputError("engine-too-many-pairs", count=count, most=MOST_CELLS)
        if len(score) > bins:
            exponent = finest_that_fits(score, bins)
            cells = engine.keep(
                f"cells_{'abcdef'[bins.bit_length() % 6]}", questions.coarser_by_speakers(cells, exponent)
            )
    found = engine.fetch(cells)
    return Pairs(
        found, 0.0 if exponent is None else float(np.ldexp(1.0, -exponent)), people.n_unknown, code_of
    )


def read_map(path: Path) -> dict[str, int]:
    """The codes of speakers that an earlier counting wrote. Raises InputError."""
    with open_regular(path) as file:
        text = file.read()
    try:
        head, *rows = csv.reader(io.StringIO(text.decode()), strict=True)
        found = {speaker: int(code) for code, speaker in rows}
        codes = set(found.values())
        if tuple(head) != _HEAD or len(codes) < len(rows) or not all(0 < one <= MOST_CODE for one in codes):
            raise ValueError
    except (ValueError, csv.Error) as error:
        raise InputError("engine-map", file=path.name) from error
    return found


def write_map(code_of: Mapping[str, int], path: Path) -> None:
    """Write the codes of speakers, in the place of an earlier map that these were taken from."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_HEAD)
    rows.writerows((code, speaker) for speaker, code in sorted(code_of.items()))
    write_file(path, text.getvalue().encode(), overwrite=True)


def said_speakers(engine: Engine, given: str) -> Speakers:
    """Who speaks in which segment, by a table of two columns or a rule. Raises InputError."""
    rules = {rule.value: rule for rule in SpeakerRule}
    if given in rules:
        return rules[given]
    table = engine.rows(given)
    names = [name for name in table.columns if name != "zebra_row"]
    if len(names) != 2:
        raise InputError("engine-speakers", file=short(given), found=in_sentence(names))
    _refuse_many(engine, table)
    found = engine.fetch(
        table.select(**{f"c{n}": table[name].cast("string") for n, name in enumerate(names)})
    )
    return dict(zip(found["c0"].tolist(), found["c1"].tolist(), strict=True))


def _people(engine: Engine, trials: Any, said: Speakers) -> tuple[SpeakerCodes, list[str]]:
    """Who speaks in which id, and the ids of both sides."""
    ids = []
    for side in questions.PAIR:
        distinct = trials.select(name=trials[side]).distinct()
        _refuse_many(engine, distinct)
        ids.append(tuple(sorted(engine.fetch(distinct)["name"].tolist())))
    if isinstance(said, SpeakerRule):
        said = {name: said.speaker_of(name) for side in ids for name in side}
    asked = questions.targets(trials)
    _refuse_many(engine, asked)
    targets = engine.fetch(asked)
    place = [{name: number for number, name in enumerate(side)} for side in ids]
    sides = [
        np.array([known[name] for name in targets[side].tolist()], np.int64)
        for known, side in zip(place, questions.PAIR, strict=True)
    ]
    return SpeakerCodes.of((ids[0], ids[1]), (sides[0], sides[1]), said), [*ids[0], *ids[1]]


def _refuse_many(engine: Engine, table: Any) -> None:
    if (count := engine.one(questions.how_many(table))["count"]) > MOST_IDS:
        raise InputError("engine-too-many-ids", count=count, most=MOST_IDS)


_PARTS = {
    ColumnMeaning.ENROL: "enrol",
    ColumnMeaning.TEST: "test",
    ColumnMeaning.SCORE: "score",
    ColumnMeaning.LABEL: "label",
}
_MOST_WORDS = 100
_COARSEST, _FINEST = -1000, 1000  # powers of two that an engine multiplies by


@dataclass(frozen=True)
class SpeakerCounting:
    """A request to count pairs of speakers, too: who speaks, by a table or a rule, and codes given before."""

    speakers: str | None = None
    codes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Counts:
    """What comes back: finite and other scores with their counts, and the record of how they were counted."""

    counts: ScoreCounts
    record: CountRecord
    pairs: Pairs | None = None
    led_to: Mapping[str, tuple[int, str]] = field(
        default_factory=dict
    )  # how many files a path meant, and where

    @property
    def columns(self) -> tuple[str, ...]:
        """What the file of them has."""
        return (*questions.COUNTS, *(("enrolled", "heard") if self.pairs else ()))


def count_elsewhere(
    url: str,
    scores: str,
    key: str | None,
    allow: Iterable[Decision] = (),
    on_progress: Progress = no_progress,
    *,
    by_speakers: SpeakerCounting | None = None,
    most_memory: int | None = None,
) -> Counts:
    """Match and count on the engine of this URL. Raises InputError for what a figure cannot rest on."""
    with engine_at(url, on_progress, most_memory) as engine:
        allow = frozenset(allow)
        trials, record = _matched(engine, scores, key, allow)
        if Decision.NAN_SCORES not in allow:
            _refuse_odd(engine, trials, scores, is_nan=True)
        if Decision.INFINITE_SCORES not in allow:
            _refuse_odd(engine, trials, scores, is_nan=False)
        counts = engine.keep("counts", questions.counts(trials))
        exponent = _exponent(engine, counts)
        if exponent is not None:
            counts = questions.rounded(counts, exponent)
        found = engine.fetch(counts)
        record |= engine.one(questions.distinct_ids(trials))
        record["self_comparisons"] = _count(engine, questions.with_itself(trials))
        width, pairs = 0.0 if exponent is None else float(np.ldexp(1.0, -exponent)), None
        if by_speakers:
            said = said_speakers(engine, by_speakers.speakers) if by_speakers.speakers else {}
            score = np.asarray(found["score"], np.float64)
            pairs = count_pairs(engine, trials, score, width, said, by_speakers.codes)
        counted_as = CountRecord(
            engine=engine.name,
            counted_by=f"zebra {VERSION}",
            on=dt.datetime.now(dt.UTC).date().isoformat(),
            scores=short(scores),
            key=short(key or scores),
            width=width,
            **record,
            speakers=pairs.n_speakers if pairs else 0,
            unknown=pairs.n_unknown if pairs else 0,
            width_by_speakers=pairs.width if pairs else 0.0,
        )
    order = np.argsort(found["score"], kind="stable")
    columns = (np.asarray(found[name])[order] for name in ("score", "targets", "nontargets"))
    score, targets, nontargets = columns
    counted = ScoreCounts(score.astype(np.float64), targets.astype(np.int64), nontargets.astype(np.int64))
    return Counts(counted, counted_as, pairs, engine.led_to)


def write_counts(made: Counts, path: Path, *, overwrite: bool = False) -> None:
    """Write counts with their record, at once and whole. Raises OutputError."""
    given = {
        "score": made.counts.score,
        "targets": made.counts.n_target,
        "nontargets": made.counts.n_nontarget,
    }
    kinds = {name: questions.COUNTS.get(name, "int64") for name in made.columns}
    if made.pairs:
        given = _with_pairs(given, made.pairs)
    names = ", ".join(kinds)
    given["place"] = np.arange(len(given["score"]))
    said = json.dumps(asdict(made.record)).replace("'", "''")
    with embedded(128 * len(given["score"])) as engine:
        engine.new("counts", {**kinds, "place": "int64"})
        others = names.removeprefix("score")
        select = f"SELECT coalesce(score, 'nan'::DOUBLE) {others}, place FROM given"  # noqa: S608 - our names
        engine.add("counts", select, given=given)
        content = engine.as_parquet(f"SELECT {names} FROM counts ORDER BY place", RECORD, said)  # noqa: S608
    write_file(path, content, overwrite=overwrite)


def _with_pairs(counts: dict[str, np.ndarray], pairs: Pairs) -> dict[str, np.ndarray]:
    """The rows of all trials, and below them those of pairs of speakers in the order of their codes."""
    cells = pairs.cells
    order = np.lexsort((cells["score"], cells["label"], cells["heard"], cells["enrolled"]))
    label, times = cells["label"][order], cells["times"][order].astype(np.int64)
    below = {
        "score": cells["score"][order],
        "targets": np.where(label == 1, times, 0),
        "nontargets": np.where(label == 1, 0, times),
        "enrolled": cells["enrolled"][order].astype(np.int64),
        "heard": cells["heard"][order].astype(np.int64),
    }
    nobody = np.zeros(len(counts["score"]), np.int64)
    above = {**counts, "enrolled": nobody, "heard": nobody}
    return {name: np.concatenate([above[name], below[name]]) for name in below}


# --- columns -----------------------------------------------------------------------------------------------


def _parted(engine: Engine, given: str, *, with_scores: bool) -> Any:
    """A table with the columns of `questions`, by the names that columns of trials usually have."""
    table = engine.rows(given)
    names = [name for name in table.columns if name != "zebra_row"]
    found: dict[str, str] = {}
    if all(re.fullmatch(r"(_c|column)\d+", name) for name in names):  # a list without names
        plain = ["enrol", "test", "score" if with_scores else "label", "label"]
        found = dict(zip(plain, names, strict=False))
    else:
        for name in names:
            if (part := _PARTS.get(part_of_name(name))) is not None:
                found.setdefault(part, name)
    wanted = ["enrol", "test", "score" if with_scores else "label"]
    if missing := [part for part in wanted if part not in found]:
        facts = {"file": short(given), "missing": alternatives(missing), "found": in_sentence(names)}
        raise InputError("engine-columns", **facts)
    columns = {part: table[name] for part, name in found.items()}
    _refuse_gaps(engine, given, table, {part: found[part] for part in wanted})
    chosen = {side: columns[side].cast("string") for side in questions.PAIR}
    if with_scores:
        chosen["score"] = columns["score"].cast("float64")
    chosen["label"] = _label(engine, given, columns["label"]) if "label" in found else _nothing()
    return table.select(**chosen, row=table["zebra_row"])


def _nothing() -> Any:
    return import_module("ibis").literal(-1, "int8")


def _refuse_gaps(engine: Engine, given: str, table: Any, parts: dict[str, str]) -> None:
    for part, name in parts.items():
        if count := engine.one(questions.how_many(table.filter(table[name].isnull())))["count"]:
            raise InputError("engine-gaps", file=short(given), column=name, count=count, part=part)


def _label(engine: Engine, given: str, column: Any) -> Any:
    """1, 0, by the words for target and nontarget."""
    words = column.cast("string")
    found = engine.fetch(words.name("word").as_table().distinct().limit(_MOST_WORDS))["word"].tolist()
    said = {word: meaning(str(word)) for word in found if word is not None}
    for word, is_target in said.items():
        if is_target is None:
            raise InputError("engine-label", file=short(given), found=str(word)[:100])
    cases = [(words == word, int(bool(is_target))) for word, is_target in said.items()]
    return import_module("ibis").cases(*cases, else_=-1).cast("int8") if cases else _nothing()


# --- matching ----------------------------------------------------------------------------------------------


def _matched(
    engine: Engine, scores: str, key: str | None, allow: frozenset[Decision]
) -> tuple[Any, dict[str, int]]:
    """The trials, and the numbers of the audit. Raises InputError for what is an error in memory, too."""
    tables = {"scores": _parted(engine, scores, with_scores=True)}
    if key is not None:
        tables["key"] = _parted(engine, key, with_scores=False)
    listed, *others = engine.keep_read(tables)
    scores_once, agreeing = _once(engine, "scores", listed, scores)
    record = {"n_scores": _count(engine, listed), "n_key": 0, "agreeing_repeats": agreeing}
    record |= {"scores_without_key": 0, "key_without_score": 0}
    if key is None:
        unlabelled = listed.filter(listed["label"] < 0)
        if _count(engine, unlabelled):
            raise InputError(
                "engine-columns", file=short(scores), missing="label", found=in_sentence(listed.columns)
            )
        return questions.labelled(scores_once), record
    [of_key] = others
    key_once, agreeing = _once(engine, "key", of_key, key)
    record["agreeing_repeats"] += agreeing
    record["n_key"] = _count(engine, of_key)
    trials = engine.keep_by_pair("matched", _without_rows, scores_once, key_once)
    n_matched = _count(engine, trials)
    record["scores_without_key"] = _count(engine, scores_once) - n_matched
    record["key_without_score"] = _count(engine, key_once) - n_matched
    if record["key_without_score"] and Decision.KEY_LINES_WITHOUT_SCORE not in allow:
        missing = questions.without(key_once, scores_once)
        facts = {"count": record["key_without_score"], "file": short(key), "scores": short(scores)}
        raise InputError("engine-without-score", found=_shown(engine, missing), **facts)
    wrong = questions.contradicting_labels(trials)
    if count := _count(engine, wrong):
        facts = {"count": count, "file": short(scores), "key": short(key)}
        raise InputError("engine-labels-contradict", found=_shown(engine, wrong), **facts)
    return trials, record


def _without_rows(scores: Any, key: Any) -> Any:
    return questions.matched(scores, key).drop("row", "place")


def _once(engine: Engine, name: str, table: Any, given: str) -> tuple[Any, int]:
    often = engine.keep_by_pair(f"{name}_often", questions.listed_again, table)
    if not _count(engine, often):
        return table, 0
    again = engine.keep(f"{name}_again", questions.repeats(table, often))
    counted = engine.one(questions.how_many_repeat(again))
    if count := counted["contradicting"]:
        shown = _shown(engine, again.filter(~again["agrees"]))
        raise InputError("engine-repeats-contradict", file=short(given), count=count, found=shown)
    return engine.keep(f"{name}_once", questions.once(table, again)), counted["agreeing"]


def _refuse_odd(engine: Engine, trials: Any, scores: str, *, is_nan: bool) -> None:
    """Scores that are not numbers, or infinite: an error until the user decides, as in memory."""
    odd = questions.not_finite(trials, is_nan=is_nan)
    if count := _count(engine, odd):
        code = "engine-nan" if is_nan else "engine-infinite"
        raise InputError(code, file=short(scores), count=count, found=_shown(engine, odd))


def _shown(engine: Engine, rows: Any) -> str:
    [enrol], [test] = engine.fetch(rows.select(*questions.PAIR).order_by(questions.PAIR).limit(1)).values()
    return f"{enrol} {test}"[:300]


def _count(engine: Engine, table: Any) -> int:
    return engine.one(questions.how_many(table))["count"]


def _exponent(engine: Engine, counts: Any) -> int | None:
    """How fine the bins are where there are too many scores; None where each can be counted."""
    if _count(engine, counts) <= MOST_DISTINCT:
        return None
    low, high = _COARSEST, _FINEST + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _count(engine, questions.rounded(counts, middle)) <= MOST_BINS:
            low = middle
        else:
            high = middle
    return low
