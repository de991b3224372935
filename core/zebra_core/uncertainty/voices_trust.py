"""How far the figures of similarity matrices can be trusted: intervals, and what chance alone would show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from zebra_core.errors import Cancelled
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import figure_name, in_words, plain_beside, with_interval
from zebra_core.uncertainty.resampling import FEW_CLUSTERS
from zebra_core.uncertainty.voices import VOICE_FIGURES, VoicesUncertainty, figure_of, voices_bootstrap
from zebra_core.uncertainty.voices_null import NullDominance, dominance_without_disclosure
from zebra_core.wording.names import clauses
from zebra_core.wording.texts import say, written

_SHARE_OF_INTERVALS = 0.3  # of the work


@dataclass(frozen=True, eq=False)
class VoicesTrust:
    """Intervals of all figures, and D_diag without disclosure by setting, as far as nobody stopped it."""

    similarity: VoiceSimilarity  # what was measured
    uncertainty: VoicesUncertainty
    null: Mapping[str, NullDominance]

    def is_of(self, voices: VoiceSimilarity) -> bool:
        """Whether it holds for these matrices: the same cells, taken to the same mean."""
        return self.similarity.has_cells_of(voices)

    def interval(self, figure: str) -> Interval | None:
        """The interval of one of VOICE_FIGURES; None where it is not defined."""
        draws = self.uncertainty.figures.get(figure)
        return draws.interval(self.uncertainty.settings.level) if draws else None

    def shown(self, figure: str) -> float | None:
        """The value to show beside its interval: the figure without optimism where that lies inside."""
        interval = self.interval(figure)
        return self.uncertainty.figures[figure].beside(interval) if interval else None

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the intervals."""
        found, remarks = self.uncertainty, []
        if found.n_speakers < FEW_CLUSTERS:
            few: dict[str, object] = {"count": found.n_speakers}
            remarks.append(Remark("uncertainty-few-speakers", few, Severity.WARNING))
        if not found.is_complete:
            stopped: dict[str, object] = {
                "replicates": found.replicates,
                "wanted": found.settings.replicates,
            }
            remarks.append(Remark("uncertainty-stopped", stopped))
        return tuple(remarks)

    @property
    def rests_on(self) -> str:
        """How many speakers and draws the intervals rest on, in a sentence."""
        found = self.uncertainty
        return say(
            "uncertainty.rests-on",
            level=written(100.0 * found.settings.level, "g"),
            count=found.n_speakers,
            replicates=found.replicates,
            seed=found.settings.seed,
        )

    def chance(self, setting: str) -> str:
        """What one in twenty sets without any disclosure goes beyond; empty where nobody knows."""
        null = self.null.get(setting)
        return in_words("d_diag", null.one_in_twenty) if null else ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """How many sets without any disclosure would show each D_diag; in one sentence where none did."""
        shown = {
            setting: self.plain(f"d_diag_{setting}", null.observed) for setting, null in self.null.items()
        }
        if len(shown) > 1 and not any(null.n_as_disclosing for null in self.null.values()):
            values = [
                say("null.dominance-of", setting=setting.upper(), value=value)
                for setting, value in shown.items()
            ]
            replicates = min(null.replicates for null in self.null.values())
            return (say("null.dominance-none-of-all", replicates=replicates, values=clauses(values)),)
        return tuple(_sentence(setting, null, shown[setting]) for setting, null in self.null.items())

    @property
    def beyond_chance(self) -> str:
        """A sentence that no set without disclosure showed any D_diag as high; empty where some did."""
        if not self.null or any(null.n_as_disclosing for null in self.null.values()):
            return ""
        replicates = min(null.replicates for null in self.null.values())
        return say("null.dominance-none-at-all", replicates=replicates)

    def plain(self, figure: str, value: float) -> str:
        """A figure as it was computed, with the digits that its interval bears."""
        return plain_beside(figure, value, self.interval(figure))

    def as_json(self) -> dict[str, object]:
        """The keys that `zebra similarity --bootstrap` adds; numbers unrounded, None where not finite.

        `intervals` {figure: [low, high]} at `level`; `null` {figure: [median, what one set in twenty without
        disclosure goes beyond]} and `null_p` {figure: p-value} of `null_replicates` {setting: sets}; `seed`,
        how many `replicates` there are.
        """
        found = self.uncertainty
        return {
            "intervals": {
                name: [_finite(end.low), _finite(end.high)] for name, end in found.intervals.items()
            },
            "level": found.settings.level,
            "null": {f"d_diag_{s}": [null.median, null.one_in_twenty] for s, null in self.null.items()},
            "null_p": {f"d_diag_{s}": null.p_value for s, null in self.null.items()},
            "null_replicates": {setting: null.replicates for setting, null in self.null.items()},
            "seed": found.settings.seed,
            "replicates": found.replicates,
        }

    def lines(self) -> str:
        """The figures with their intervals, and the sentences on chance, as a short table for the shell."""
        rows = [
            (figure_name(name), with_interval(name, shown, self.interval(name)))
            for name in VOICE_FIGURES
            if (shown := self.shown(name)) is not None
        ]
        width = max(len(name) for name, _ in rows)
        return "\n".join(
            [self.rests_on, *(f"  {name.ljust(width)}  {shown}" for name, shown in rows), *self.sentences]
        )


def voices_trust_of(
    voices: VoiceSimilarity,
    trials: Mapping[str, SpeakerTrials],
    settings: BootstrapSettings | None = None,
    *,
    deals: Mapping[str, int] | None = None,
    on_progress: Progress = no_progress,
) -> VoicesTrust:
    """Intervals, and for each setting as many sets without disclosure as replicates, or as `deals` says.

    `trials` are those of every setting between the speakers of the matrices (`SegmentEvidence.trials`).
    Stopped by `on_progress` (Cancelled) it returns what there is, if that is at least twenty replicates.
    Raises InputError for fewer than three speakers.
    """
    settings = settings or BootstrapSettings()
    part = part_of(on_progress, 0.0, _SHARE_OF_INTERVALS)
    found = voices_bootstrap(voices, trials, settings, on_progress=part)
    null: dict[str, NullDominance] = {}
    if found.is_complete:
        with suppress(Cancelled):  # then there is what there is
            part = part_of(on_progress, _SHARE_OF_INTERVALS, 1.0)
            wanted = dict.fromkeys(trials, settings.replicates) if deals is None else deals
            _add_null(null, found, voices, {s: (trials[s], wanted[s]) for s in wanted}, part)
    return VoicesTrust(voices, found, null)


def _add_null(
    null: dict[str, NullDominance],
    drawn: VoicesUncertainty,
    voices: VoiceSimilarity,
    deals: Mapping[str, tuple[SpeakerTrials, int]],
    on_progress: Progress,
) -> None:
    """Put what chance shows of each setting where it is asked for; stopped, what was done stays there."""
    defined = [setting for setting in deals if figure_of(voices, f"d_diag_{setting}") is not None]
    for number, setting in enumerate(defined):
        trials, replicates = deals[setting]
        part = part_of(on_progress, number / len(defined), (number + 1) / len(defined))
        found = dominance_without_disclosure(
            trials,
            voices.mean,
            replicates=replicates,
            seed=drawn.settings.seed,
            on_progress=part,
        )
        if found is not None:
            null[setting] = found


def _sentence(setting: str, null: NullDominance, value: str) -> str:
    if not null.n_as_disclosing:
        return say("null.dominance-none", replicates=null.replicates, setting=setting.upper(), value=value)
    share = null.p_value
    digits = 0 if share >= 0.095 else 1
    shown = written(100.0 * share, f".{digits}f")
    return say("null.dominance-share", share=shown, setting=setting.upper(), value=value)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
