"""Are the differences real? Every group of a project compared pair by pair, on the trials that are common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.comparability import why_not_ranked
from core.comparison import Comparison, Group, Row, compare
from core.errors import Cancelled, InputError
from core.progress import Progress, no_progress, part_of
from core.project import Entry, Project
from core.remarks import Remark
from core.texts import say
from core.trials import Trials
from core.uncertainty.bootstrap import BootstrapSettings
from core.uncertainty.difference import aligned, bootstrap_paired, ranking
from core.uncertainty.draws import FigureDraws
from core.uncertainty.settled import Compared, Settled
from core.uncertainty.trust import Trust
from core.uncertainty.voices import voices_bootstrap
from core.voices import VoiceSimilarity

FIGURES = ("d_ece_bits", "worst_case_log10_lr", "eer")
OF_VOICES = ("de_id", "g_vd_db")

ReadTrials = Callable[[Entry, Progress], Trials]
_READING = 0.2  # of the work of a group


@dataclass(frozen=True, eq=False)
class Settling:
    """What was found in each group, and a sentence for every one that could not be compared.

    `measured` has the intervals of everything that was compared, by the id of the entry. Their draws are in
    the order of the trials that they were paired with: alone, an entry has others.
    """

    settled: tuple[Settled, ...]
    faults: tuple[str, ...] = ()
    measured: Mapping[str, Trust] = field(default_factory=dict)


def settle(
    project: Project,
    read_trials: ReadTrials,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> Settling:
    """Compare all entries of each dataset, condition and attacker with each other, with one draw for all.

    Unprotected speech is left out, as it is of ranks. Entries on other trials than the rest are compared
    among themselves, or a sentence tells that they cannot be. Where speakers are the same in the similarity
    matrices, DeID and G_VD are compared, too. Stopped (Cancelled) it returns what there is, if that is
    anything.
    """
    settings = settings or BootstrapSettings()
    comparison = compare(project, only_ticked=False)
    groups = [group for group in comparison.groups if _can_be_ranked(comparison, group)]
    if not groups:
        raise InputError("difference-no-group")
    found: list[Settled] = []
    faults: list[str] = []
    measured: dict[str, Trust] = {}
    try:
        for number, group in enumerate(groups):
            part = part_of(on_progress, number / len(groups), (number + 1) / len(groups))
            found += _of_group(comparison.of(group), read_trials, settings, part, faults, measured)
    except Cancelled:
        if not found:
            raise
    return Settling(tuple(found), tuple(faults), measured)


def _can_be_ranked(comparison: Comparison, group: Group) -> bool:
    entries = [row.entry for row in comparison.of(group)]
    return not group.is_of_unprotected and len(entries) > 1 and why_not_ranked(entries) is None


def _of_group(
    rows: Sequence[Row],
    read_trials: ReadTrials,
    settings: BootstrapSettings,
    on_progress: Progress,
    faults: list[str],
    intervals: dict[str, Trust],
) -> list[Settled]:
    read: list[list[tuple[Row, Trials]]] = []
    for number, row in enumerate(rows):
        share = _READING / len(rows)
        part = part_of(on_progress, share * number, share * (number + 1))
        try:
            _put_to_its_like(read, row, read_trials(row.entry, part))
        except InputError as error:
            faults.append(
                say("difference.left-out", name=row.system, group=str(row.group), reason=str(error))
            )
    found = []
    alike = [members for members in read if len(members) > 1]
    faults += [
        say("difference.alone", name=members[0][0].system, group=str(rows[0].group))
        for members in read
        if len(members) == 1
    ]
    for number, members in enumerate(alike):
        share = (1.0 - _READING) / len(alike)
        part = part_of(on_progress, _READING + share * number, _READING + share * (number + 1))
        try:
            found.append(_settled(members, settings, part, intervals))
        except InputError as error:
            faults.append(say("difference.group", group=str(rows[0].group), reason=str(error)))
    return found


def _put_to_its_like(read: list[list[tuple[Row, Trials]]], row: Row, trials: Trials) -> None:
    """To those of the same trials, in their order; by itself where there are none."""
    if trials.enrol is None or trials.test is None:
        raise InputError("difference-without-ids")
    for members in read:
        try:
            members.append((row, aligned(trials, members[0][1])))
        except InputError:
            continue
        return
    read.append([(row, trials)])


def _settled(
    members: Sequence[tuple[Row, Trials]],
    settings: BootstrapSettings,
    on_progress: Progress,
    intervals: dict[str, Trust],
) -> Settled:
    assessed = [(trials, row.found) for row, trials in members]
    measured = bootstrap_paired(assessed, settings, on_progress=on_progress)
    ids = tuple(row.entry.id for row, _ in members)
    intervals |= {
        row.entry.id: Trust(row.found, each, None) for (row, _), each in zip(members, measured, strict=True)
    }
    figures = [each.figures for each in measured]
    compared = [_compared(name, dict(zip(ids, figures, strict=True)), settings) for name in FIGURES]
    voices = {row.entry.id: row.similarity for row, _ in members if row.similarity is not None}
    replicates = measured[0].replicates
    stopped = Remark("uncertainty-stopped", {"replicates": replicates, "wanted": settings.replicates})
    return Settled(
        known={row.entry.id: row.found for row, _ in members},
        voices=voices,
        compared=tuple(one for one in (*compared, *_of_voices(voices, settings)) if one is not None),
        settings=settings,
        replicates=replicates,
        remarks=(
            *measured[0].remarks,
            *([] if measured[0].is_complete else [stopped]),
        ),
    )


def _of_voices(voices: Mapping[str, VoiceSimilarity], settings: BootstrapSettings) -> list[Compared | None]:
    """DeID and G_VD of those that have the speakers of the first, and matrices of their own."""
    first = next(iter(voices.values()), None)
    if first is None or len(first.speakers) < 3:
        return []
    drawn: dict[str, Mapping[str, FigureDraws]] = {}
    for entry_id, of_entry in voices.items():
        if of_entry.speakers == first.speakers:
            drawn[entry_id] = voices_bootstrap(of_entry, settings).figures
    # Where two entries share their matrices there is nothing to compare.
    own = {entry_id: figures for entry_id, figures in drawn.items() if _has_its_own(entry_id, voices)}
    return [_compared(name, own, settings) for name in OF_VOICES]


def _has_its_own(entry_id: str, voices: Mapping[str, VoiceSimilarity]) -> bool:
    return sum(each is voices[entry_id] for each in voices.values()) == 1


def _compared(
    figure: str, draws: Mapping[str, Mapping[str, FigureDraws]], settings: BootstrapSettings
) -> Compared | None:
    """The entries of which the figure is known, by id; None where that are fewer than two."""
    known = {entry_id: figures[figure] for entry_id, figures in draws.items() if figure in figures}
    if len(known) < 2:
        return None
    ranked = ranking(figure, list(known.values()), settings.level)
    ends = [end for each in ranked.differences for end in (each.interval.low, each.interval.high)]
    return Compared(tuple(known), ranked) if np.isfinite(ends).all() else None
