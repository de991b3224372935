"""Counting for each pair of speakers where the trials are: speakers go by codes, and the map stays here."""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.elsewhere import Engine, short
from zebra_core.engine.embedded import Arrays
from zebra_core.errors import InputError
from zebra_core.evidence.counting import finest_that_fits
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.trials import FloatArray
from zebra_core.files.opening import open_regular
from zebra_core.files.writing import write_file
from zebra_core.intake.formats.parquet import MOST_CODE
from zebra_core.intake.streaming.speaker_counting import BINS, SpeakerCodes
from zebra_core.wording.names import in_sentence

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
