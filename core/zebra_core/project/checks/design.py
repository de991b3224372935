"""Is the comparison decided already? What rules that hear no voice find in the trials of an assessment."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_trials import speakers_of
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, Trials, digest_of
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.project.checks.outcome import CheckedCase, CheckOutcome, called
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.satellites import provenance
from zebra_core.speakers.design import (
    Clue,
    Members,
    TrivialRule,
    closer,
    id_parts,
    same_recording,
    shared,
    speaker_by_id,
    speakers_named,
)
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.resampling import Clusters, FigureDraws, rate_draws
from zebra_core.wording.texts import in_sentence, of_hundred, say

# How well a rule that hears no voice tells targets from nontargets, with draws of the speakers.
#
# The area under its ROC curve is how often such a rule picks the target out of a target and a nontarget
# trial, both drawn at random; ties count half. Ref: Hanley and McNeil 1982, "The meaning and use of the area
# under a receiver operating characteristic (ROC) curve".


DRAWS = 500
KNOWN_OF = 0.9  # of either class, at least, or a rule says nothing
_STEPS = 256  # that many different values are told apart, equally many trials each
_CELLS = 1 << 22  # gone through at once


@dataclass(frozen=True, eq=False)
class RuleArea:
    """The area of a rule, 0 … 1, with its draws; 0.5 is guessing.

    `target` and `nontarget` are the shares of trials in which both sides share the clue; NaN of one that is
    closer or farther. Rules of one `digest` are the same rule on the same trials.
    """

    clue: Clue
    area: float
    target: float
    nontarget: float
    draws: FigureDraws | None
    digest: str

    def interval(self, level: float) -> Interval | None:
        """The interval over speakers at this level; None where no draw could be measured."""
        return one_sided(self.draws, (1.0 + level) / 2.0) if self.draws else None


def rule_areas(
    rules: Sequence[TrivialRule], is_target: BoolArray, clusters: Clusters
) -> tuple[RuleArea, ...]:
    """The area of each rule that says something of nearly all trials; of values (n,) in the order of trials.

    One sort for each rule, then O(n) a draw; the draws are those of everybody, from one seed.
    """
    told = [rule for rule in rules if _is_known(rule, is_target)]
    if not told:
        return ()
    steps = [_steps(rule.value) for rule in told]
    table = _Table.of(steps, is_target, clusters)
    plain = table.areas(clusters.all_once[np.newaxis])[0]
    left = np.concatenate([table.areas(weight[np.newaxis]) for weight in clusters.left_out()])
    rng = generator(0, Purpose.DESIGN)
    at_once = max(1, _CELLS // table.n_pairs)
    counts = [min(at_once, DRAWS - begin) for begin in range(0, DRAWS, at_once)]
    draws = np.concatenate([table.areas(clusters.draw_often(rng, count)) for count in counts])
    return tuple(
        RuleArea(
            rule.clue,
            float(plain[k]),
            _share(rule, is_target),
            _share(rule, ~is_target),
            rate_draws(float(plain[k]), draws[:, k], left[:, k], clusters.n_told),
            table.digest(k),
        )
        for k, rule in enumerate(told)
    )


def _is_known(rule: TrivialRule, is_target: BoolArray) -> bool:
    known = ~np.isnan(rule.value)
    return all(float(known[chosen].mean()) >= KNOWN_OF for chosen in (is_target, ~is_target))


def _share(rule: TrivialRule, chosen: BoolArray) -> float:
    return float(np.nanmean(rule.value[chosen])) if rule.clue.is_shared else np.nan


def _steps(value: FloatArray) -> IntArray:
    """The step of each value, from 0; −1 where there is none. Equal values have equal steps."""
    known = ~np.isnan(value)
    _, place, count = np.unique(value[known], return_inverse=True, return_counts=True)
    if len(count) > _STEPS:
        before = np.cumsum(count) - count
        place = (before * _STEPS // int(count.sum()))[place]
    steps = np.full(len(value), -1, dtype=np.int64)
    steps[known] = place
    return steps


@dataclass(frozen=True, eq=False)
class _Table:
    """Trials counted by rule, step and class (rows), and by pair of clusters (columns)."""

    counts: sparse.csr_array
    enrol: CodeArray  # of each pair
    test: CodeArray
    size: tuple[int, ...]  # how many steps each rule has

    @classmethod
    def of(cls, steps: Sequence[IntArray], is_target: BoolArray, clusters: Clusters) -> _Table:
        sides = clusters.enrol.astype(np.int64) * (clusters.n + 1) + clusters.test
        pairs, pair = np.unique(sides, return_inverse=True)
        size = tuple(int(each.max()) + 1 for each in steps)
        begin = np.concatenate([[0], np.cumsum(size)[:-1]])
        known = [each >= 0 for each in steps]
        rows = np.concatenate(
            [2 * (start + each) + is_target for start, each in zip(begin, steps, strict=True)]
        )
        there, columns = np.concatenate(known), np.tile(pair, len(steps))
        place = rows[there], columns[there]
        counts = sparse.csr_array((np.ones(len(place[0])), place), (2 * sum(size), len(pairs)))
        counts.sum_duplicates()
        enrol, test = (side.astype(np.int32) for side in np.divmod(pairs, clusters.n + 1))
        return cls(counts, enrol, test, size)

    def digest(self, rule: int) -> str:
        """Equal for a rule that says the same of as many trials of the same pairs."""
        ends = 2 * np.cumsum((0, *self.size))
        of_rule = self.counts[ends[rule] : ends[rule + 1]]
        return digest_of(of_rule.data, of_rule.indices, of_rule.indptr, self.enrol, self.test)

    @property
    def n_pairs(self) -> int:
        return len(self.enrol)

    def areas(self, weights: CodeArray) -> FloatArray:
        """The area of each rule under these weights, (w, rules); NaN where a class is not there."""
        by_cluster = np.ascontiguousarray(weights.T, dtype=np.float64)
        found = (self.counts @ (by_cluster[self.enrol] * by_cluster[self.test])).T
        ends = 2 * np.cumsum(self.size)[:-1]
        return np.stack([_area(part[:, 1::2], part[:, ::2]) for part in np.split(found, ends, 1)], axis=1)


def _area(target: FloatArray, nontarget: FloatArray) -> FloatArray:
    """From the counts by ascending steps, (w, steps) both; (w,)."""
    below = np.cumsum(nontarget, axis=1) - nontarget / 2.0
    total = target.sum(axis=1) * nontarget.sum(axis=1)
    right = (target * below).sum(axis=1)
    return np.asarray(np.divide(right, total, out=np.full(len(total), np.nan), where=total > 0.0))


GUESSING = 0.5
DECIDED_FROM = 0.6
"""The area from which on a rule is told of, where its interval leaves guessing out."""
UNTOLD = "design-untold"
"""The case of an assessment whose trials nobody could look at."""
_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Design:
    """What the rules find that can be looked at in the trials of one assessment; none where nothing is known.

    `is_one_session`: see `speakers.design.IdParts`.
    """

    areas: tuple[RuleArea, ...]
    n_speakers: int
    is_one_session: bool = False


def design_of(
    entry: Entry,
    trials: Trials,
    speakers: Mapping[str, str] | None = None,
    record: ScoringRecord | None = None,
    texts: Mapping[str, Hashable] | None = None,
) -> Design | None:
    """What trivial rules find; None for trials without ids.

    `speakers` says who speaks in which segment, `record` how scores were made from recordings, `texts` what
    is said in each. Raises InputError where there are fewer than three speakers.
    """
    if trials.enrol is None or trials.test is None:
        return None
    made = _RecordedDesign.of(entry, record) if record else None
    utt2spk = speakers or (made.speaker if made else speakers_named(trials))
    found_in_map = not utt2spk.keys().isdisjoint((*trials.enrol.names, *trials.test.names))
    sides = speakers_of(trials.enrol, trials.test, trials.is_target, utt2spk)
    members = made.members if made else {}
    found = id_parts(speaker_by_id(trials, *sides, members))
    rules = [shared(Clue.SESSION, trials, part, members) for part in found.parts]
    if said := texts or (made.text if made else None):
        rules.append(shared(Clue.TEXT, trials, said, members))
    if made:
        rules += made.rules(trials)
    elif (same := same_recording(trials, members)).value.any():  # of none with itself nothing is known
        rules.append(same)
    clusters = Clusters.of_trials(_as_designed(trials, rules), utt2spk if found_in_map else None)
    return Design(rule_areas(rules, trials.is_target, clusters), clusters.n_told, found.is_one_session)


def _as_designed(trials: Trials, rules: Sequence[TrivialRule]) -> Trials:
    """The trials in the order that follows from the design: whoever attacks, the same people are drawn."""
    told = np.sum([(n + 1) * np.nan_to_num(rule.value) for n, rule in enumerate(rules)], axis=0)
    enrol, test = (side and replace(side, is_ordered=False) for side in (trials.enrol, trials.test))
    return in_order(Trials(np.broadcast_to(told, len(trials)), trials.is_target, enrol, test))


@dataclass(frozen=True, eq=False)
class _RecordedDesign:
    """The recordings of a record that were compared, as they were heard on either side."""

    members: Members
    enrolled: Mapping[str, Mapping[str, Any]]
    heard: Mapping[str, Mapping[str, Any]]
    original: Mapping[str, Mapping[str, Any]]
    speaker: Mapping[str, str]
    text: Mapping[str, int]

    @classmethod
    def of(cls, entry: Entry, record: ScoringRecord) -> _RecordedDesign | None:
        attack = provenance().attack_of(entry, record)
        if attack is None:
            return None
        rows = record.values["recordings"]
        original = {row["id"]: row["original"] for row in rows}
        safeguard = attack["safeguard"]
        copies = {row["id"]: row["protected"][safeguard] for row in rows} if safeguard else original
        first, second = (original if side == "o" else copies for side in attack["condition"])
        members: dict[str, list[str]] = {}
        if record.values["trials"] == "challenge":
            for row in rows:
                if row["side"] == "enrolment":
                    members.setdefault(row["speaker"], []).append(row["id"])
        speaker, text = ({row["id"]: row[key] for row in rows if key in row} for key in ("speaker", "text"))
        return cls(members, first, second, original, speaker, text)

    def rules(self, trials: Trials) -> list[TrivialRule]:
        """Every rule that the record has something for."""
        hashes = {name: sound["sha256"] for name, sound in self.original.items()}
        same = shared(Clue.RECORDING, trials, hashes, self.members)
        kinds = {name: (sound["rate_hz"], sound["channels"]) for name, sound in self.original.items()}
        return [
            *([same] if (same.value == 1.0).any() else []),
            shared(Clue.CHANNEL, trials, kinds, self.members),
            self._closer(Clue.LENGTH, trials, "seconds"),
            self._closer(Clue.LEVEL, trials, "level_dbfs"),
        ]

    def _closer(self, clue: Clue, trials: Trials, key: str) -> TrivialRule:
        """Of lengths the ratio counts."""

        def values(of: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
            there = {name: float(sound[key]) for name, sound in of.items() if key in sound}
            is_length = clue is Clue.LENGTH
            return {
                name: math.log(max(value, 0.001)) if is_length else value for name, value in there.items()
            }

        return closer(clue, trials, values(self.enrolled), values(self.heard), self.members)


def comparison_is_open(project: Project, designs: Mapping[str, Design]) -> Iterator[CheckedCase]:
    """For each assessment: is no rule that hears no voice right about targets and nontargets?

    `designs` has what was found, by the id of the entry. The same rule on the same trials is one test; the
    intervals hold for all tests of the project at once (Bonferroni).
    """
    tests = {area.digest for one in designs.values() for area in one.areas}
    level = Family(max(1, len(tests)), _LEVEL).level_of_each
    for entry in project.entries:
        yield _case(entry, designs.get(entry.id), level)


def _case(entry: Entry, found: Design | None, level: float) -> CheckedCase:
    words: dict[str, object] = {"name": called(entry)}
    if found is None or not found.areas:
        code = "design-one-session" if found is not None and found.is_one_session else "design-unknown"
        code = UNTOLD if found is None else code
        return CheckedCase(CheckOutcome.CANNOT_TELL, code, (entry.id,), words)
    spans = [(area, area.interval(level) or Interval(0.0, 1.0)) for area in found.areas]
    figures = {"speakers": found.n_speakers, **_figures(spans)}
    if found.n_speakers < FEWEST_SPEAKERS:
        words |= {"count": found.n_speakers, "fewest": FEWEST_SPEAKERS}
        return CheckedCase(CheckOutcome.CANNOT_TELL, "design-few", (entry.id,), words, figures)
    decided = [each for each in spans if each[0].area >= DECIDED_FROM and each[1].low > GUESSING]
    if decided:
        area, span = max(decided, key=lambda each: each[0].area)
        outcome, code, margin = CheckOutcome.FAILED, f"design-{area.clue.value}", -area.area
    else:
        area, span = max(spans, key=lambda each: each[1].high)
        is_shown = span.high < DECIDED_FROM
        outcome, code = (
            (CheckOutcome.PASSED, "design-passed") if is_shown else (CheckOutcome.CANNOT_TELL, "design-open")
        )
        margin = DECIDED_FROM - span.high
    words |= {
        "rule": say(f"check.clue-{area.clue.value}"),
        "area": of_hundred(area.area),
        "low": of_hundred(span.low),
        "high": of_hundred(span.high),
        "known": in_sentence(_clues(found, are_known=True)),
    }
    if area.clue.is_shared:
        words |= {"targets": of_hundred(area.target), "nontargets": of_hundred(area.nontarget)}
    if outcome is CheckOutcome.PASSED and (unknown := _clues(found, are_known=False)):
        code, words["unknown"] = f"{code}-of-some", in_sentence(unknown)
    return CheckedCase(outcome, code, (entry.id,), words, figures, margin)


def _figures(spans: Sequence[tuple[RuleArea, Interval]]) -> dict[str, float | None]:
    """By the name of the clue, with a number for further parts of ids."""
    figures: dict[str, float | None] = {}
    for area, span in spans:
        also = sum(key.startswith(area.clue.value) and key.endswith("area") for key in figures)
        name = f"{area.clue.value}_{also + 1}" if also else area.clue.value
        figures |= {f"{name}_area": area.area, f"{name}_low": span.low, f"{name}_high": span.high}
        if area.clue.is_shared:
            figures |= {f"{name}_targets": area.target, f"{name}_nontargets": area.nontarget}
    return figures


def _clues(found: Design, *, are_known: bool) -> list[str]:
    known = {area.clue for area in found.areas}
    said = [clue for clue in Clue if clue is not Clue.RECORDING and (clue in known) is are_known]
    return [say(f"check.clue-{clue.value}") for clue in said]
