"""What others published about the same scores, against what is computed here: equal, or the difference."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from zebra_core.evidence.trials import ScoreCounts
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.sorting.naming import BASELINE_REPEATED, SEMI_INFORMED, Parts, key_name, parts_of
from zebra_core.intake.tables.published import FigureDefinition, PrintedFigure, PublishedResults
from zebra_core.metrics.assessment import Assessment
from zebra_core.project.items import Condition, Entry, SpeechKey, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.wording.texts import in_english, say, visible

_TOLD = (
    FigureDefinition.WER,
    FigureDefinition.UAR,
    FigureDefinition.SPKANON_EER,
    FigureDefinition.FEERCI_EER,
)
_MOST_DIGITS = 6  # significant ones: 2024 computes its rates in single precision


@dataclass(frozen=True)
class PublishedFigure:
    """One printed figure against ours; `entry_id` is None where it is of no assessment, or of several."""

    what: FigureDefinition
    dataset: str
    condition: Condition | None
    printed: str
    ours: str | None  # written alike; None where not measurable, or where there is nothing to compare with
    agrees: bool | None  # None: not compared
    source: Source
    line: int
    entry_id: str | None = None
    name: str = ""  # of the entry

    def __str__(self) -> str:
        code = "unmatched" if self.entry_id is None else "agrees" if self.agrees else "differs"
        code = "not-measurable" if self.entry_id is not None and self.ours is None else code
        return say(
            f"published.{code}",
            what=say(f"published.{self.what.value}"),
            of=self.name or self.dataset,
            printed=self.printed,
            ours=self.ours,
            file=self.source.name,
            line=self.line,
        )


def compare_published(
    project: Project, published: Iterable[PublishedResults], only: str | None = None
) -> tuple[PublishedFigure, ...]:
    """Every printed figure of ASV against that of the assessment it is about, file by file, line by line.

    With the id of an entry as `only`, just the figures that are about it.

    They agree when ours, rounded to the printed digits, is what is printed. EERs are computed by the
    definition of the program that printed them, for three are in use.
    """
    return tuple(
        _compared(printed, source, found[0].entry) if len(found) == 1 else _not_compared(printed, source)
        for printed, source, found in _matched(project, published)
        if only is None or [place.entry.id for place in found] == [only]
    )


def unmatched_published(
    project: Project, published: Iterable[PublishedResults]
) -> tuple[PublishedFigure, ...]:
    """The printed figures that are about no assessment of the project, or may be about several."""
    return tuple(
        _not_compared(printed, source)
        for printed, source, found in _matched(project, published)
        if len(found) != 1
    )


def comparison_lines(project: Project, entry_id: str) -> list[str]:
    """What result files print about an entry, a sentence each, differences first; and what was left over."""
    figures = compare_published(project, project.published, entry_id)
    differing = sum(figure.agrees is False for figure in figures)
    lines = [say("published.summary", count=len(figures), differing=differing)] if figures else []
    lines += [str(figure) for figure in sorted(figures, key=lambda figure: figure.agrees is not False)]
    if unmatched := unmatched_published(project, project.published):
        lines.append(say("published.left-over", count=len(unmatched), first=str(unmatched[0])))
    lines += _not_computed(project.published)
    return lines + [
        say(
            "published.unread-lines",
            file=one.source.name,
            count=len(one.unread_lines),
            line=one.unread_lines[0],
        )
        for one in project.published
        if one.unread_lines
    ]


def with_printed_word_errors(project: Project) -> Project:
    """The project with the word error rates that its result files print, where no other is known.

    A rate is of the speech of women and men together. Whose safeguard a file is about, the suffix of its name
    or folder says; where it does not, or files differ, nothing is taken.
    """
    found: dict[SpeechKey, dict[str, str]] = defaultdict(dict)
    places = [place for place in map(_Place.of, project.entries) if place.parts]
    for results in project.published:
        for printed in results.figures:
            if printed.kind is FigureDefinition.WER:
                for place in places:
                    if _is_of_speech(printed, results.source, place):
                        at = f"{results.source.name}:{printed.line}"
                        found[place.entry.speech].setdefault(printed.text, at)
    for key, printed_in in found.items():
        known = project.utilities.get(key, Utility())
        text = max(printed_in, key=len)
        if known.wer is None and known.words is None and all(_rounds_to(text, one) for one in printed_in):
            utility = replace(known, wer=float(text) / 100.0, printed_in=printed_in[text])
            project = project.with_utility(key, utility)
    return project


def _is_of_speech(printed: PrintedFigure, source: Source, place: _Place) -> bool:
    if place.parts is None or not f"{place.parts.sides.trials}_".startswith(f"{printed.trials}_"):
        return False
    if printed.condition == Condition.OO.value:
        return place.entry.condition is Condition.OO
    names = [name.rpartition(".")[0] or name for name in source.folders[-2:]]
    return place.entry.condition is not Condition.OO and any(map(place.has_suffix_of, names))


def _rounds_to(text: str, other: str) -> bool:
    decimals = len(other.partition(".")[2])
    return abs(float(text) - float(other)) <= 0.5 * 10.0**-decimals * (1.0 + 1e-6)


def _not_computed(published: Iterable[PublishedResults]) -> Iterator[str]:
    """What files print that nothing here computes again, a sentence for each file and figure."""
    for results in published:
        for kind in _TOLD:
            said = [_value_as_printed(printed) for printed in results.figures if printed.kind is kind]
            if said:
                facts = {"what": say(f"published.{kind.value}"), "values": "; ".join(said)}
                yield say("published.told", file=results.source.name, **facts)


def _value_as_printed(printed: PrintedFigure) -> str:
    speech = say(f"published.speech-{printed.condition}") if printed.condition else ""
    of = printed.trials.removesuffix("_trials") or printed.pair
    return visible(" ".join(filter(None, (of, speech, printed.text))), 200)


def kaldi_eer(counts: ScoreCounts) -> float:
    """The EER of Kaldi's compute-eer, a fraction, always a whole number of targets.

    k/N for the least k for which the (k + 1)-th lowest target score is above the nontarget score that
    ⌊M·k/N⌋ others exceed, M being the nontargets; (N − 1)/N where there is none.
    """
    target = np.repeat(counts.score, counts.n_target)
    nontarget = np.repeat(counts.score, counts.n_nontarget)
    k = np.arange(len(target))
    exceeding = np.minimum(
        np.floor(len(nontarget) * k * 1.0 / len(target)).astype(np.int64), len(nontarget) - 1
    )
    found = np.flatnonzero(nontarget[len(nontarget) - 1 - exceeding] < target)
    return float(min(found[0] if len(found) else len(target), len(target) - 1) / len(target))


def speechbrain_eer(counts: ScoreCounts) -> float:
    """The EER of SpeechBrain's metric_stats.EER, a fraction: the mean of both rates where they are closest.

    Only thresholds at or above a score are tried, targets at the threshold count as missed; of several the
    lowest. Rates are rounded to single precision, as there.
    """
    miss = np.cumsum(counts.n_target).astype(np.float32) / np.float32(counts.total_target)
    false_alarm = np.cumsum(counts.n_nontarget[::-1])[::-1] - counts.n_nontarget
    rate = false_alarm.astype(np.float32) / np.float32(counts.total_nontarget)
    at = int(np.argmin(np.abs(rate - miss)))
    return (float(rate[at]) + float(miss[at])) / 2.0


@dataclass(frozen=True)
class _Rule:
    """How one kind of figure is computed and printed."""

    value: Callable[[Assessment], float | None]
    decimals: int = 3


_RULES: Mapping[FigureDefinition, _Rule] = {
    FigureDefinition.KALDI_EER: _Rule(lambda known: 100.0 * kaldi_eer(known.counts)),
    FigureDefinition.SPEECHBRAIN_EER: _Rule(lambda known: 100.0 * speechbrain_eer(known.counts)),
    FigureDefinition.SPEECHBRAIN_EER_SHARE: _Rule(lambda known: speechbrain_eer(known.counts)),
    FigureDefinition.ROCCH_EER: _Rule(lambda known: 100.0 * known.rocch_eer, 2),
    FigureDefinition.CLLR: _Rule(lambda known: known.cllr_bits, 2),
    FigureDefinition.MIN_CLLR: _Rule(lambda known: known.min_cllr_bits, 2),
    FigureDefinition.LINKABILITY: _Rule(lambda known: known.linkability, 6),
    FigureDefinition.POPULATION: _Rule(lambda known: known.d_ece_bits),
    FigureDefinition.INDIVIDUAL: _Rule(lambda known: known.worst_case_log10_lr),
}


@dataclass(frozen=True)
class _Place:
    """An entry and what its path says."""

    entry: Entry
    source: Source
    parts: Parts | None

    @classmethod
    def of(cls, entry: Entry) -> _Place:
        sources = [Source(file.path, file.member) for file in entry.files]
        keys = {key_name(source) for source in sources[1:]}
        source = sources[0] if sources else Source(Path())
        return cls(entry, source, parts_of(source, keys) if sources else None)

    def lies_below(self, folders: tuple[str, ...]) -> bool:
        return self.source.folders[: len(folders)] == folders

    def has_suffix_of(self, name: str) -> bool:
        """Whether a name ends in the suffix of its trials."""
        suffix = self.parts.sides.trials_suffix if self.parts else None
        return bool(suffix) and name.endswith(str(suffix))

    @property
    def folder(self) -> str:
        return self.source.folders[-2] if len(self.source.folders) > 1 else ""

    @property
    def is_kept_for_others(self) -> bool:
        audit = self.entry.audit
        return audit is not None and any(finding.code == BASELINE_REPEATED for finding in audit.findings)


class _Places:
    """All entries, to be found by what their paths say."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.by_pair: dict[str, list[_Place]] = defaultdict(list)
        self.by_folders: dict[tuple[str, ...], list[_Place]] = defaultdict(list)
        self.by_trials: dict[str, list[_Place]] = defaultdict(list)
        for place in map(_Place.of, entries):
            self.by_pair[place.folder].append(place)
            self.by_folders[place.source.folders[:-1]].append(place)
            if place.parts:
                self.by_trials[place.parts.sides.trials].append(place)


def _matched(
    project: Project, published: Iterable[PublishedResults]
) -> Iterator[tuple[PrintedFigure, Source, list[_Place]]]:
    places = _Places(project.entries)
    for results in published:
        for printed in results.figures:
            if printed.kind in _TOLD:
                continue
            yield printed, results.source, _matching(printed, results.source, places)


def _matching(printed: PrintedFigure, source: Source, places: _Places) -> list[_Place]:
    """The entries that a figure may be about; one where it is clear."""
    beside = source.folders[:-1]
    if printed.pair:
        found = places.by_pair.get(printed.pair, [])
        below = [place for place in found if place.lies_below(beside)]
        # Its own copy may have been left out for one that is the same, byte by byte.
        return below or [place for place in found if place.is_kept_for_others]
    if not printed.trials:
        return places.by_folders.get(beside, [])
    found = [place for place in places.by_trials.get(printed.trials, []) if _is_about(printed, place)]
    found = [place for place in found if place.lies_below(beside)] or found
    if len(found) < 2:
        return found
    # Several safeguards: the name of the file, or of its folder, ends in the suffix of one.
    names = [name.rpartition(".")[0] or name for name in source.folders[-2:]]
    return [place for place in found if any(place.has_suffix_of(name) for name in names)] or found


def _is_about(printed: PrintedFigure, place: _Place) -> bool:
    entry, parts = place.entry, place.parts
    if parts is None or parts.sides.trials != printed.trials or not entry.condition:
        return False
    is_retrained = entry.attacker in (SEMI_INFORMED, in_english("attack.other-attacker"))
    return (
        entry.condition.value == printed.condition
        and printed.is_retrained in (None, is_retrained)
        and (not printed.safeguard or entry.condition is Condition.OO or entry.name == printed.safeguard)
    )


def _not_compared(printed: PrintedFigure, source: Source) -> PublishedFigure:
    condition = Condition(printed.condition) if printed.condition else None
    of = printed.trials or printed.pair or source.name
    return PublishedFigure(printed.kind, of, condition, printed.text, None, None, source, printed.line)


def _compared(printed: PrintedFigure, source: Source, entry: Entry) -> PublishedFigure:
    ours, agrees = _ours(printed, entry.assessment)
    return PublishedFigure(
        printed.kind,
        entry.dataset,
        entry.condition,
        printed.text,
        ours,
        agrees,
        source,
        printed.line,
        entry.id,
        name_with_dataset(entry),
    )


def _ours(printed: PrintedFigure, assessment: Assessment) -> tuple[str | None, bool | None]:
    """Our figure with as many decimals as the printed one, and whether it rounds to it."""
    if printed.kind is FigureDefinition.TAG:
        return assessment.tag, assessment.tag == printed.text
    rule = _RULES[printed.kind]
    value = rule.value(assessment)
    if value is None:
        return None, None
    theirs = float(printed.text)
    decimals = _decimals(printed, theirs, rule.decimals)
    agrees = abs(value - theirs) <= 0.5 * 10.0**-decimals * (1.0 + 1e-6)
    return f"{value:.{decimals}f}", agrees


def _decimals(printed: PrintedFigure, value: float, usual: int) -> int:
    """How many decimals a printed figure has; zeros at the end may have been dropped."""
    size = 0 if value == 0.0 else math.floor(math.log10(value))
    mantissa, _, exponent = printed.text.partition("e")
    shown = len(mantissa.partition(".")[2]) - int(exponent or 0)
    if printed.kind is FigureDefinition.KALDI_EER:
        return max(0, 3 - size)  # Kaldi prints four significant digits
    if exponent:
        return shown
    return min(max(usual, shown), max(0, _MOST_DIGITS - 1 - size))
