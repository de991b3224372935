"""Scores matched with their key, audited and counted by an engine, with the findings of tables in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import ibis
import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.embedded import EmbeddedEngine
from zebra_core.evidence.audit import MOST_EXAMPLES
from zebra_core.evidence.decisions import ID_MAPPINGS, Decision
from zebra_core.evidence.remarks import Severity
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.trials import Ids, are_numbered_apart
from zebra_core.intake.matching import findings
from zebra_core.intake.matching.auditing import explain_spelling, mapped_sides
from zebra_core.intake.matching.findings import Log
from zebra_core.intake.matching.matching import Sides
from zebra_core.intake.streaming.loading import feed, forget_fed
from zebra_core.intake.streaming.pieces import Pieces
from zebra_core.intake.streaming.speaker_counting import WantedRanks, count_by_speakers
from zebra_core.intake.streaming.tally import Tally
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
        log: Log,
        tally: Tally,
        speaker_of: Mapping[str, str] | None,
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
            known = {self._speaker_of.get(name) for name in found["name"].tolist()} - {None}
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
