"""How sure many items are, each drawn alone: for what is in no comparison, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.project.comparison.difference_tests import ReadTrials, ReadVoices
from zebra_core.project.items import Entry, Item, SimilarityEntry, distinct_names
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import (
    AssessmentTrust,
    Trust,
    VoicesTrust,
    trust_of,
    voices_trust_of,
    with_normalised,
)
from zebra_core.wording.texts import say

DEALS = 199
"""Sets without disclosure, unless somebody asks for more: they tell a share of 5 % to within 3 points."""

_READING = 0.2  # of the work of an item


@dataclass(frozen=True, eq=False)
class MeasuredItems:
    """What was found, by the id of the item, and a sentence for each that has no intervals."""

    trust: dict[str, Trust] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def measure(
    items: Sequence[Item],
    read_trials: ReadTrials,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    read_voices: ReadVoices | None = None,
    deals: int | None = DEALS,
    on_draws: Callable[[Entry], object] | None = None,
    give_way: Callable[[], object] | None = None,
) -> MeasuredItems:
    """Intervals of each assessment and, with `read_voices`, of all matrices; what no disclosure would show.

    That is shown by `deals` sets; None: by as many as there are replicates. `on_draws` is given the
    assessment under way with the intervals so far; `give_way` is called between draws, where no file is
    held, and may wait. Stopped (Cancelled) it returns what there is, if that is anything.
    """
    made = MeasuredItems()
    try:
        for number, (item, name) in enumerate(zip(items, distinct_names(items), strict=True)):
            part = part_of(on_progress, number / len(items), (number + 1) / len(items))
            reading = part_of(part, 0.0, _READING)
            drawing = _giving_way(part_of(part, _READING, 1.0), give_way)
            try:
                for entry in item.entries:
                    trials = read_trials(entry, reading)
                    trust = entry.trust
                    if trust and trust.uncertainty.is_complete and not trust.tried_normalised:
                        made.trust[item.id] = with_normalised(trust, trials, None, deals, drawing)
                        continue
                    made.trust[item.id] = trust_of(
                        trials,
                        entry.assessment,
                        settings,
                        deals=deals,
                        on_progress=drawing,
                        on_draws=_with_intervals(entry, on_draws),
                    )
                for matrices in item.similarities:
                    if read_voices is None:
                        continue
                    spoken = read_voices(matrices, reading)
                    made.trust[item.id] = _of_voices(matrices, spoken, settings, deals, drawing)
            except InputError as error:
                made.faults.append(say("uncertainty.without", name=name, reason=str(error)))
    except Cancelled:
        if not made.trust:
            raise
    return made


def _giving_way(on_progress: Progress, give_way: Callable[[], object] | None) -> Progress:
    if give_way is None:
        return on_progress

    def progress(share: float) -> None:
        give_way()
        on_progress(share)

    return progress


def _with_intervals(
    entry: Entry, on_draws: Callable[[Entry], object] | None
) -> Callable[[AssessmentTrust], None] | None:
    if on_draws is None:
        return None

    def on_intervals(so_far: AssessmentTrust) -> None:
        on_draws(replace(entry, measured=so_far))

    return on_intervals


def _of_voices(
    item: SimilarityEntry,
    spoken: Mapping[str, SpeakerTrials],
    settings: BootstrapSettings | None,
    deals: int | None,
    on_progress: Progress,
) -> VoicesTrust:
    by_setting = None if deals is None else dict.fromkeys(spoken, deals)
    return voices_trust_of(item.similarity, spoken, settings, deals=by_setting, on_progress=on_progress)
