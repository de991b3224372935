"""Assessments side by side: what is shown of each, in groups within which they may be ranked.

A group is one dataset under one condition and one attacker. Figures of different groups answer different
questions: no rank goes beyond a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zebra_core.evidence.audit import Remark, Severity, and_more, distinguishing_names
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.learnt_calibration import LinearCalibration
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.project.attackers import groups_of_attacks, strongest_reading
from zebra_core.project.checks.checklist import family_of
from zebra_core.project.checks.excess import excess
from zebra_core.project.comparison.columns import as_record
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import (
    Attacker,
    Condition,
    Entry,
    Population,
    SimilarityEntry,
    distinct_names,
    may_be_alike,
)
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import disclosure, in_english, in_sentence, say, visible

if TYPE_CHECKING:
    import pandas as pd


_RUN = re.compile(r"^run[-_ ]?(?=.)")
_CONDITIONS = (*Condition, None)
_ATTACKERS = tuple(attacker.value for attacker in Attacker)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Assessments side by side, in groups that can be compared.

    Attributes
    ----------
    `rows`
        Group after group: datasets in the order of the project, OO before OP before PP.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import compare, project_of_folder
    >>> found = compare(project_of_folder(zebra_resources.path("demo")).project)
    >>> [(row.system, row.rank, row.assessment.tag) for row in found.rows]
    [('unprotected', None, 'C'), ('B1w', 1, 'A'), ('B2', 2, 'C'), ('B2r', 3, 'C')]
    >>> found.systems
    ('B1w', 'B2', 'B2r')
    """

    rows: tuple[ComparisonRow, ...]

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.rows)} rows in {len(self.groups)} groups>"

    @property
    def groups(self) -> tuple[ComparisonGroup, ...]:
        """The groups in their order."""
        return tuple(dict.fromkeys(row.group for row in self.rows))

    def of(self, group: ComparisonGroup) -> tuple[ComparisonRow, ...]:
        """The rows of one group."""
        return tuple(row for row in self.rows if row.group == group)

    @property
    def has_certainty(self) -> bool:
        """Whether it was asked of any row how sure its figures or its rank are."""
        return any(row.ranks is not None or row.entry.trust is not None for row in self.rows)

    def has(self, study: str) -> bool:
        """Whether anything is known of any row: "people", "inference", "uniqueness" or "by_group"."""
        return any(getattr(row, study) for row in self.rows)

    def with_found(self, study: str, found: Mapping[str, Any]) -> Comparison:
        """This comparison with what a study found added, by the id of the entry."""
        empty = ComparisonRow.__dataclass_fields__[study].default
        return Comparison(tuple(replace(row, **{study: found.get(row.entry.id, empty)}) for row in self.rows))

    def to_frame(self) -> pd.DataFrame:
        """A row for each assessment, as pandas has it: what it is of, then every figure unrounded.

        Figures are under the keys of `zebra compare --json`; NaN where one is undefined or nobody asked.
        """
        import pandas as pd

        frame = pd.DataFrame([as_record(row) for row in self.rows])
        return frame.where(frame.notna(), np.nan).infer_objects()

    @property
    def systems(self) -> tuple[str, ...]:
        """Safeguards with their runs; unprotected speech is one only where there is nothing else."""
        protected = dict.fromkeys(row.system for row in self.rows if not row.group.is_of_unprotected)
        return tuple(protected or dict.fromkeys(row.system for row in self.rows))

    def of_system(self, system: str) -> tuple[ComparisonRow, ...]:
        """The rows of one system, with the unprotected speech of its datasets, whatever that is called."""
        own = [row for row in self.rows if row.system == system]
        lacking = {row.group.dataset for row in own}
        lacking -= {row.group.dataset for row in own if row.group.is_of_unprotected}
        return tuple(
            row
            for row in self.rows
            if row in own or (row.group.is_of_unprotected and row.group.dataset in lacking)
        )

    def row(self, entry_id: str) -> ComparisonRow | None:
        """The row of an entry, if it is among them."""
        return next((row for row in self.rows if row.entry.id == entry_id), None)


def compare(
    project: Project, *, c_ece_bits: Mapping[str, float] | None = None, only_ticked: bool = True
) -> Comparison:
    """Put the entries of a project side by side; nothing is assessed anew.

    Within a group the unprotected come first, then the order of the project. Similarity matrices belong to an
    entry of the same dataset, safeguard and run ("1" is "run1"); to runs that are not told apart there, where
    there is but one set. Baselines are looked for among all entries, ticked or not: see `baseline_of`.
    Entries with the same scores (`repeated_scores`) have no rank.

    Parameters
    ----------
    `project`
        Where the entries come from.
    `c_ece_bits`
        What `learnt_on_other_runs` found, by the id of the entry.
    `only_ticked`
        Whether entries that are not ticked are left out.

    Returns
    -------
    Comparison
        A row for each entry.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import compare, project_of_folder
    >>> project = project_of_folder(zebra_resources.path("demo")).project
    >>> for row in compare(project).rows:
    ...     if row.baseline:  # that of the unprotected speech
    ...         left = row.assessment.d_ece_bits / row.baseline.d_ece_bits
    ...         print(row.system, f"{left:.0%} of the disclosure is left")
    B1w 5% of the disclosure is left
    B2 30% of the disclosure is left
    B2r 32% of the disclosure is left
    """
    learnt = c_ece_bits or {}
    shown = [entry for entry in project.entries if entry.is_ticked or not only_ticked]
    place = {dataset: number for number, dataset in enumerate(project.datasets)}
    shown.sort(key=lambda entry: (place[entry.dataset], *_place(entry)))
    similarities = project.similarities
    unprotected = [entry for entry in project.entries if entry.condition is Condition.OO]
    matrices = {entry.id: _matrices_of(entry, similarities) for entry in shown}
    rows = [
        ComparisonRow(
            entry,
            ComparisonGroup.of(entry),
            found.assessment if (found := baseline_of(entry, unprotected)) else None,
            item.similarity if (item := matrices[entry.id]) else None,
            project.utilities.get(entry.speech, Utility()),
            learnt.get(entry.id),
            voices_trust=item.trust if item else None,
        )
        for entry in shown
    ]
    repeated = {one.id for each in repeated_scores(shown) for one in each.entries}
    alone = [row for row in rows if row.entry.id not in repeated]
    ranks = _ranks(alone)
    open_ranks = _open_ranks(alone, project.settled)
    return Comparison(
        tuple(replace(row, rank=ranks.get(row.entry.id), ranks=open_ranks.get(row.entry.id)) for row in rows)
    )


def of_one_group(entries: Iterable[Entry], chosen: Entry) -> tuple[Entry, ...]:
    """The entries in the group of the chosen one and the unprotected ones of its dataset, in their order.

    If the chosen entry is unprotected, all entries of its dataset.
    """
    group = ComparisonGroup.of(chosen)
    here = [entry for entry in entries if entry.dataset == chosen.dataset]
    if group.is_of_unprotected:
        return tuple(here)
    return tuple(
        entry for entry in here if (own := ComparisonGroup.of(entry)) == group or own.is_of_unprotected
    )


def baseline_of(entry: Entry, entries: Iterable[Entry]) -> Entry | None:
    """The unprotected speech that an entry is measured against: OO of the same dataset.

    That of the same safeguard's folder where there is one, and of these that which the same attacker heard:
    the same recogniser and back end, else the same recogniser. Of several it is the one that discloses most.
    None for unprotected speech, and where there is no other.
    """
    if entry.condition in (Condition.OO, None):
        return None
    known = [one for one in entries if one.dataset == entry.dataset and one.condition is Condition.OO]
    narrower = (
        lambda one: (one.name, one.run) == (entry.name, entry.run),
        lambda one: one.recogniser == entry.recogniser,
        lambda one: one.back_end == entry.back_end,
    )
    for is_nearer in narrower:
        known = [one for one in known if is_nearer(one)] or known
    return max(known, key=lambda one: Population.of(one).by_reading_bits, default=None)


def learnt_on_other_runs(entries: Sequence[Entry], on_progress: Progress = no_progress) -> dict[str, float]:
    """C_ECE in bits, by entry id, of linear calibration learnt on another run of the same safeguard.

    The other run is the next one, in the order given, of the same dataset, safeguard, condition and
    attacker; the first follows the last. Runs with the same scores teach nothing new and are left out:
    a safeguard without chance has but one run. Source: csl2022, section 5.3 and Table 2.
    """
    found = {}
    for number, entry in enumerate(entries):
        on_progress(number / len(entries))
        other = other_run(entry, entries)
        if other is not None:
            counts = entry.assessment.counts
            learnt = LinearCalibration.fit(other.assessment.counts)
            llr = learnt.llr(counts.score)
            found[entry.id] = d_ece_bits(llr, counts.target_share, counts.nontarget_share)
    on_progress(1.0)
    return found


def other_run(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """The next run of the same safeguard among the entries, as `learnt_on_other_runs` has it, if any."""
    runs = [
        one
        for one in entries
        if (ComparisonGroup.of(one), one.name) == (ComparisonGroup.of(entry), entry.name)
    ]
    if entry.condition is Condition.OO or len(runs) < 2:
        return None
    start = runs.index(entry) + 1
    return next(
        (
            one
            for one in (*runs[start:], *runs[: start - 1])
            if one.run != entry.run and not _same(one.assessment.counts, entry.assessment.counts)
        ),
        None,
    )


def _same(left: ScoreCounts, right: ScoreCounts) -> bool:
    return all(
        np.array_equal(one, two)
        for one, two in (
            (left.score, right.score),
            (left.n_target, right.n_target),
            (left.n_nontarget, right.n_nontarget),
        )
    )


def _matrices_of(entry: Entry, similarities: Sequence[SimilarityEntry]) -> SimilarityEntry | None:
    """The matrices of the safeguard; unprotected speech has none, for they are about protecting it."""
    if entry.condition is Condition.OO:
        return None
    known = [one for one in similarities if (one.dataset, one.name) == (entry.dataset, entry.name)]
    of_run = [one for one in known if _bare(one.run) == _bare(entry.run)]
    if not of_run and len(known) == 1 and not (entry.run and known[0].run):
        of_run = known
    return of_run[0] if of_run else None


def _bare(run: str) -> str:
    """A run by what tells it from others: files call "1" what folders call "run1"."""
    return _RUN.sub("", run.lower())


def _place(entry: Entry) -> tuple[int, int, str, bool]:
    """Where an entry stands within its dataset."""
    attacker = entry.attacker
    known = _ATTACKERS.index(attacker) if attacker in _ATTACKERS else len(_ATTACKERS)
    return _CONDITIONS.index(entry.condition), known, entry.attack, entry.colour is not None


def _open_ranks(
    rows: Sequence[ComparisonRow], settled: Sequence[GroupDifferences]
) -> dict[str, tuple[int, int]]:
    """The ranks that tests leave open, by the id of the entry; only where all rows of a group were compared.

    Groups in which another reading of some scores discloses more are left out: tests are of the scores as
    they were given, ranks are not.
    """
    members: dict[ComparisonGroup, list[ComparisonRow]] = {}
    for row in rows:
        members.setdefault(row.group, []).append(row)
    found: dict[str, tuple[int, int]] = {}
    for of_group in members.values():
        if any(row.assessment.reading is not EvidenceReading.GIVEN for row in of_group):
            continue
        ids = [row.entry.id for row in of_group]
        for one in settled if len(ids) > 1 else ():
            found |= one.ranks_among(ids)
    return found


def _ranks(rows: Sequence[ComparisonRow]) -> dict[str, int]:
    """The ranks by the id of the entry, in groups of two and more protected rows with a stated condition.

    Each row counts by the reading of its scores that discloses most, as given, reversed or normalised, on the
    basis of its dataset.
    """
    members: dict[ComparisonGroup, list[ComparisonRow]] = {}
    for row in rows:
        members.setdefault(row.group, []).append(row)
    ranks: dict[str, int] = {}
    for group, of_group in members.items():
        entries = [row.entry for row in of_group]
        if group.is_of_unprotected or len(entries) < 2 or why_not_ranked(entries):
            continue
        disclosed = [Population.of(strongest_reading(row.entry)).by_reading_bits for row in of_group]
        ranks |= {
            row.entry.id: 1 + sum(bits < own for bits in disclosed)
            for row, own in zip(of_group, disclosed, strict=True)
        }
    return ranks


# What may be ranked against what, and what attacks of different strength say about each other.


REPEATED = ("repeated-scores", "repeated-originals")
"""The remarks on scores that others have, too: all but one can be left out."""
_OF_SCORES = ("scores", "both", "target-scores", "nontarget-scores")  # roles of files
_FEWEST_DISTINCT = 20  # scores: fewer may be as frequent in two files by chance
_LONGEST_PLACE, _MOST_PLACES = 200, 6


@dataclass(frozen=True, eq=False)
class RepeatedScores:
    """Assessments of different things that have the same scores: a file was copied, or the originals read.

    `groups` are of the same safeguards, as under several conditions; each has two assessments at least, those
    of unprotected speech first, else in the order of the project.
    """

    groups: tuple[tuple[Entry, ...], ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them."""
        return tuple(one for group in self.groups for one in group)

    @property
    def copies(self) -> tuple[Entry, ...]:
        """All but the one of each group that may be kept."""
        return tuple(one for group in self.groups for one in group[1:])

    @property
    def of_originals(self) -> tuple[Entry, ...]:
        """The assessments of protected speech that have the scores of unprotected speech."""
        return tuple(one for one in self.entries if not one.is_original and self.groups[0][0].is_original)

    @property
    def remark(self) -> Remark:
        """What that means, which files they are, and what to do."""
        files = dict.fromkeys(
            file.path / file.member for one in self.entries for file in one.files if file.role in _OF_SCORES
        )
        facts: dict[str, object] = {
            "files": and_more(distinguishing_names(list(files)), _MOST_PLACES, _LONGEST_PLACE)
        }
        if self.of_originals:
            facts["names"] = in_sentence(_each_once(one.name_and_run for one in self.of_originals))
            return Remark("repeated-originals", facts, Severity.WARNING, section="comparability")
        plain = [_each_once(one.name_and_run for one in group) for group in self.groups]
        is_plain = all(len(names) == len(group) for names, group in zip(plain, self.groups, strict=True))
        facts["names"] = in_sentence(plain[0] if is_plain else distinct_names(self.entries))
        return Remark("repeated-scores", facts, Severity.WARNING, section="comparability")


def repeated_scores(entries: Iterable[Entry]) -> tuple[RepeatedScores, ...]:
    """The ticked assessments that have the same scores, however these are written and in whichever order.

    Runs of one safeguard may have the same: it may leave nothing to chance. So may attackers who differ in
    what they learnt alone, and protected and unprotected speech where the words alone are heard.
    """
    alike: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        counts = entry.assessment.counts
        is_told = len(counts.score) >= _FEWEST_DISTINCT
        of_file = () if is_told else tuple(one.sha256 for one in entry.files if one.role in _OF_SCORES)
        by_voice = entry.recogniser != in_english("attack.words")
        if entry.is_ticked and by_voice and (is_told or of_file):
            alike.setdefault((counts.digest, *of_file), []).append(entry)
    groups: dict[object, list[tuple[Entry, ...]]] = {}
    for several in alike.values():
        if len({(one.name, one.dataset, one.condition) for one in several}) > 1:
            several.sort(key=lambda one: not one.is_original)
            key = several[0].is_original, frozenset(one.name_and_run for one in several)
            groups.setdefault(key, []).append(tuple(several))
    return tuple(RepeatedScores(tuple(each)) for each in groups.values())


def why_not_ranked(entries: Sequence[Entry]) -> Remark | None:
    """Why these must not be put in an order of merit, or None where they may.

    Figures are comparable where the same speech was attacked in the same way: one dataset, one condition that
    is stated, one attacker. An attacker that nobody stated is another one than any that is stated. A single
    entry, or none, is always in order. The unprotected baseline is of another condition: leave it out.
    """
    if len(entries) < 2:
        return None
    if len(datasets := _each_once(entry.own_dataset for entry in entries)) > 1:
        return _refusal("datasets", found=_listed(datasets))
    if len(conditions := _each_once(_condition(entry) for entry in entries)) > 1:
        return _refusal("conditions", found=_listed(conditions))
    if entries[0].condition is None:
        return _refusal("condition-not-stated")
    if len(attackers := _each_once(entry.attack_in_words for entry in entries)) > 1:
        return _refusal("attackers", found=_listed(attackers))
    return None


def remarks_on_attacks(entries: Sequence[Entry]) -> dict[str, tuple[Remark, ...]]:
    """What speaks against attacks beside others, by the id of the entry: the same scores, or too weak a one.

    Too weak is a semi-informed attacker who learns less than a lazy-informed one.

    The semi-informed one can do all that the lazy-informed one can, so a lower D_ECE tells of its attack, not
    of the safeguard. Compared are entries of the same safeguard, dataset and run, of the same condition where
    both state one, and of what may be one recogniser; of several back ends of either attacker the one that
    learns most. Where chance explains it there is no remark: the check list judges by the same test, and with
    the same family.
    """
    family = family_of(groups_of_attacks(entries))

    def is_beyond_chance(lazy: Entry, semi: Entry) -> bool:
        more = excess(lazy, semi)
        return more.bits > 0.0 and more.p_value <= family.settled_up_to  # never where it is NaN: not tested

    by_attacker: dict[str, list[Entry]] = {}
    for entry in entries:
        by_attacker.setdefault(entry.attacker, []).append(entry)
    semi_informed = by_attacker.get(Attacker.SEMI_INFORMED.value, [])
    lazy = by_attacker.get(Attacker.LAZY_INFORMED.value, [])
    found: dict[str, tuple[Remark, ...]] = {}
    for repeated in repeated_scores(entries):
        found |= dict.fromkeys((one.id for one in repeated.entries), (repeated.remark,))
    for entry in semi_informed:
        most = max((one for one in lazy if _attack_alike(one, entry)), key=_bits, default=entry)
        is_best = entry is max((one for one in semi_informed if _attack_alike(one, entry)), key=_bits)
        if is_best and _bits(entry) < _bits(most) and is_beyond_chance(most, entry):
            found[entry.id] = (*found.get(entry.id, ()), _weaker(entry, most))
    return found


def _weaker(entry: Entry, most: Entry) -> Remark:
    bits = {"semi": disclosure(_bits(entry)), "lazy": disclosure(_bits(most))}
    facts: dict[str, object] = {"name": entry.own_name, **bits}
    return Remark("weaker-than-lazy", facts, Severity.WARNING, section="comparability")


def _bits(entry: Entry) -> float:
    return Population.of(entry).by_reading_bits


def _safeguard(entry: Entry) -> tuple[str, str, str]:
    return entry.name, entry.dataset, entry.run


def _attack_alike(one: Entry, other: Entry) -> bool:
    """Whether both attack the same speech, under what may be one condition and with one recogniser."""
    return (
        _safeguard(one) == _safeguard(other)
        and len({one.condition, other.condition} - {None}) < 2
        and may_be_alike(one.recogniser, other.recogniser)
    )


def _refusal(code: str, **facts: object) -> Remark:
    return Remark(code, facts, section="comparability")


def _condition(entry: Entry) -> str:
    return entry.condition.value if entry.condition else ""


def _each_once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _listed(values: Sequence[str]) -> str:
    return ", ".join(visible(value) if value else say("comparability.not-stated") for value in values)
