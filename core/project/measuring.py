"""Intervals for many assessments at once, each drawn alone: for what is in no comparison, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zebra_core.errors import Cancelled, InputError
from zebra_core.project.items import Entry, distinct_names
from zebra_core.project.settling import ReadTrials
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import Trust, trust_of
from zebra_core.wording.texts import say

_READING = 0.2  # of the work of an entry


@dataclass(frozen=True, eq=False)
class Measuring:
    """What was found, by the id of the entry, and a sentence for each that has no intervals."""

    found: dict[str, Trust] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def measure(
    entries: Sequence[Entry],
    read_trials: ReadTrials,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> Measuring:
    """Intervals of each, without what no disclosure would show.

    Stopped (Cancelled) it returns what there is, if that is anything.
    """
    made, names = Measuring(), distinct_names(entries)
    try:
        for number, (entry, name) in enumerate(zip(entries, names, strict=True)):
            part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
            try:
                trials = read_trials(entry, part_of(part, 0.0, _READING))
                drawing = part_of(part, _READING, 1.0)
                made.found[entry.id] = trust_of(
                    trials, entry.assessment, settings, deals=0, on_progress=drawing
                )
            except InputError as error:
                made.faults.append(say("uncertainty.without", name=name, reason=str(error)))
    except Cancelled:
        if not made.found:
            raise
    return made
