"""Linking and singling out in an assessment of the project, whose trials may have to be read again."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.errors import ZebraError
from zebra_core.evidence.trials import Trials
from zebra_core.project.items import Entry
from zebra_core.project.reading import trials_of
from zebra_core.project.speaker_study import speakers_of_entry
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import Reidentification, reidentification


def reidentification_of(
    entry: Entry,
    settings: BootstrapSettings | None = None,
    *,
    trials: Trials | None = None,
    deals: int = 0,
    dense: bool = False,
    on_progress: Progress = no_progress,
) -> Reidentification:
    """Both probabilities of an assessment; its trials are read again where they were let go.

    See `uncertainty.reidentification`. Raises InputError as `reading.trials_of`, `with_people` and
    `Candidates.of` do.
    """
    read = trials_of(entry, part_of(on_progress, 0.0, 0.2)) if trials is None else trials
    found = Candidates.of(with_people(read, speakers_of_entry(entry)))
    rest = part_of(on_progress, 0.2, 1.0)
    return reidentification(found, settings, deals=deals, dense=dense, on_progress=rest)


def among_all(
    entries: Sequence[Entry], on_progress: Progress = no_progress
) -> tuple[dict[str, Reidentification], dict[str, ZebraError]]:
    """The same of several, by the id of the entry, and why there is nothing of some."""
    found: dict[str, Reidentification] = {}
    missing: dict[str, ZebraError] = {}
    for number, entry in enumerate(entries):
        on_progress(number / len(entries))
        try:
            found[entry.id] = reidentification_of(entry)
        except ZebraError as error:
            missing[entry.id] = error
    on_progress(1.0)
    return found, missing
