"""How far figures of assessments and of similarity matrices can be trusted: intervals, and chance."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.evidence.value_types import NumberOrNone, as_json, json_object, note, object_as_json
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, assess
from zebra_core.metrics.registry import METRICS, drawn_values
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.normalisation import Normalisation, normalised_trials, why_not_normalised
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty, bootstrap
from zebra_core.uncertainty.intervals import (
    d_ece_at,
    figure_name,
    in_words,
    most_errors,
    plain_beside,
    with_interval,
)
from zebra_core.uncertainty.no_disclosure import NoDisclosure, ceiling_of, without_disclosure
from zebra_core.uncertainty.one_sided import PeopleBounds
from zebra_core.uncertainty.resampling import FEW_CLUSTERS, VOICE_FIGURES, BoundedFigure, ResamplingUnit
from zebra_core.uncertainty.voices import (
    dominance_without_disclosure,
    figure_of,
    voices_bootstrap,
)
from zebra_core.wording.texts import clauses, say, written

_CHANCE = 0.05
_METRICS = {metric.key: metric for metric in METRICS}
_MEASURED_LEVEL = 0.95
_WEAK_BITS, _STRONG_BITS = 0.05, 0.6
"""Sets whose true D_ECE is 0.011 and 0.655 bit were simulated, and such of 0.22 and 0.45 between them."""
_SHARE_OF_INTERVALS = 0.6  # of the work
_SHARE_AS_GIVEN = 0.3  # of the work, where normalised scores are tried, too
_DEALS_NORMALISED = 199  # sets without disclosure at most
_SHARE_OF_VOICES = 0.3  # of the work, where chance needs every matrix again


PROFILE = json_object(
    "Profile",
    **dict.fromkeys(("prior_log_odds", "default_bits", "min_bits", "actual_bits"), list[NumberOrNone]),
)
REVERSED = json_object("Reversed", d_ece_bits=NumberOrNone, worst_case_log10_lr=NumberOrNone, tag=str)
CROSS_FITTED = json_object(
    "CrossFitted",
    worst_case_log10_lr=NumberOrNone,
    tag=str,
    strongest_for_log10_lr=NumberOrNone,
    strongest_against_log10_lr=NumberOrNone,
    is_by_speaker=note(bool, "false: single trials were held apart, for nobody knows the speakers"),
)
CORRECTED = "d_ece_corrected_bits"


@dataclass(frozen=True, eq=False)
class Trust(ABC):
    """Intervals of all figures; what no disclosure would show, or None where it was stopped before."""

    figures: Assessment | VoiceSimilarity  # what was measured
    uncertainty: Uncertainty
    null: NoDisclosure | None = None

    @property
    def tried_normalised(self) -> bool:
        """Whether it was tried what the scores disclose when they are normalised, where that can be."""
        return True

    def is_of(self, figures: Assessment | VoiceSimilarity) -> bool:
        """Whether it holds for these: the same trials or cells, taken for the same; tags may differ."""
        return figures.rests_on == self.figures.rests_on

    def with_interval(self, figure: str, *, is_in_column: bool = False) -> str:
        """A figure with its interval, to digits that fit; empty where it has none.

        It is without optimism where that lies inside.
        """
        found = self.uncertainty
        if figure not in found.figures:
            return ""
        interval = found.interval(figure)
        return with_interval(figure, found.shown(figure), interval, is_in_column=is_in_column)

    def plain(self, figure: str, value: float | None = None) -> str:
        """A figure as it was computed, or another value of it, with the digits that its interval bears."""
        found = self.uncertainty
        value = found.figures[figure].estimate if value is None else value
        return plain_beside(figure, value, found.interval(figure))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the intervals."""
        found, stopped = self.uncertainty, []
        if not found.is_complete:
            facts: dict[str, object] = {"replicates": found.replicates, "wanted": found.settings.replicates}
            stopped.append(Remark("uncertainty-stopped", facts))
        return (
            *found.remarks,
            *self._on_perfection,
            *stopped,
            *(self.null.remarks if self.null else ()),
        )

    @property
    def _on_perfection(self) -> tuple[Remark, ...]:
        """What must be told where hardly an error was seen."""
        return ()

    @property
    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """How sure the leading figures are, and how much of them no disclosure would show."""

    @abstractmethod
    def lines(self) -> str:
        """The intervals and what chance shows, as a short table for the shell."""

    def as_json(self) -> dict[str, object]:
        """The keys that `--bootstrap` adds; numbers unrounded, None where not finite.

        `intervals` {figure: [low, high]} at `level`; what `_beside_intervals` adds; `seed`, and how many
        `replicates` there are.
        """
        found = self.uncertainty
        return {
            "intervals": {
                name: [_finite(end.low), _finite(end.high)] for name, end in found.intervals.items()
            },
            "level": found.settings.level,
            **self._beside_intervals(),
            "seed": found.settings.seed,
            "replicates": found.replicates,
        }

    @abstractmethod
    def _beside_intervals(self) -> dict[str, object]:
        """`null` {figure: [median, what one set in twenty goes beyond towards disclosure]}, and more."""

    def _head(self, code: str) -> str:
        """How many were drawn how often, in a sentence."""
        found = self.uncertainty
        return say(
            code,
            level=written(100.0 * found.settings.level, "g"),
            count=found.n_clusters,
            replicates=found.replicates,
            seed=found.settings.seed,
        )


@dataclass(frozen=True, eq=False)
class AssessmentTrust(Trust):
    """How far the figures of an assessment can be trusted.

    `bounded` has further figures with their draws that were required, by their keys, such as the worst case
    that other speakers bear out; `people` the bounds of every single person, where somebody asked for them;
    `groups` how far figures of those can be trusted of whom something is required by themselves, by what they
    are called ("sex=female"), or why such a group cannot be assessed. `normalised` has the same of the scores
    held against each other, whose draws are pairs of these, or `not_normalised` says why that was not tried;
    neither where nobody tried.
    """

    figures: Assessment
    bounded: Mapping[str, BoundedFigure] = field(default_factory=dict)
    people: PeopleBounds | None = None
    groups: Mapping[str, AssessmentTrust | Remark] = field(default_factory=dict)
    normalised: Mapping[Normalisation, AssessmentTrust] = field(default_factory=dict)
    not_normalised: Remark | None = None

    @property
    def tried_normalised(self) -> bool:
        """Whether it was tried what the scores disclose when they are normalised."""
        return bool(self.normalised) or self.not_normalised is not None

    @property
    def tag_may_be_chance(self) -> bool:
        """Whether more than one in twenty sets without any disclosure show such a worst case or more."""
        return self.null is not None and self.null.p_value("worst_case_log10_lr") > _CHANCE

    @property
    def null_tag_share(self) -> float | None:
        """Which share of the sets without disclosure reach the tag of these trials, or a worse one.

        None where nobody knows, or what was dealt out does not keep together what belongs together.
        """
        if self.null is None or not self.null.exchange.has_p_value:
            return None
        scale, known = self.figures.settings.tag_scale, self.figures
        shares = self.null.tag_shares(scale, are_equal=known.all_scores_equal)
        letters = [tag.letter for tag in scale.tags]
        return sum(shares.get(letter, 0.0) for letter in letters[letters.index(known.tag) :])

    @property
    def tag_by_chance(self) -> str:
        """How many sets without disclosure reach this tag or a worse one, in a sentence; empty if unknown."""
        share = self.null_tag_share
        if share is None or self.null is None:
            return ""
        tag = self.figures.settings.tag_scale.shown(self.figures.tag)
        facts = {"tag": tag, "replicates": self.null.replicates}
        if share in (0.0, 1.0):
            return say("null.tag-none" if share == 0.0 else "null.tag-all", **facts)
        return say("null.tag-share", count=round(share * self.null.replicates), **facts)

    @property
    def on_the_tag(self) -> str:
        """A warning that the tag may be chance, in a sentence; empty where it is not, or nobody knows."""
        if self.null is None or not self.tag_may_be_chance:
            return ""
        share = 100.0 * self.null.p_value("worst_case_log10_lr")
        return say("null.tag", share=written(share, ".0f"))

    @property
    def _on_perfection(self) -> tuple[Remark, ...]:
        """A remark that no error or few were seen, and how many there may be nevertheless."""
        found = self.uncertainty
        if found.unit is not ResamplingUnit.SPEAKER:
            return (Remark("uncertainty-perfect-trials"),) if found.is_perfect else ()
        most = most_errors(found.n_fewest, found.settings.level)
        if found.intervals["d_ece_bits"].low < d_ece_at(most):
            return ()
        level, share = f"{100.0 * found.settings.level:g}", f"{100.0 * most:.{0 if most >= 0.01 else 2}f}"
        by_ear = "-by-ear" if found.is_by_ear else ""
        code = f"uncertainty-perfect{by_ear}" if found.is_perfect else f"uncertainty-few-errors{by_ear}"
        return (Remark(code, {"count": found.n_fewest, "share": share, "level": level}),)

    @property
    def sentences(self) -> tuple[str, ...]:
        """D_ECE with its interval, as it was computed, and how much of it no disclosure would show.

        Then how often such intervals hold the truth, where that is not as often as they say.
        """
        found = self.uncertainty
        sure = say(
            "uncertainty.sentence" if found.unit is ResamplingUnit.SPEAKER else "uncertainty.sentence-trials",
            value=self.with_interval("d_ece_bits"),
            level=written(100.0 * found.settings.level, "g"),
            count=found.n_clusters,
        )
        plain = self._plain_sentence
        chance = self.against_chance("d_ece_bits")
        return tuple(filter(None, (sure, plain, chance, coverage_in_words(found))))

    @property
    def _plain_sentence(self) -> str:
        """What D_ECE is as computed, or, where that leads, what it is without optimism."""
        found, corrected = self.uncertainty, self.uncorrected
        if not corrected:
            return say("uncertainty.plain-sentence", value=self.computed)
        if "d_ece_bits" in found.bear_correction:
            return say("uncertainty.plain-for-all", corrected=corrected)
        by_ear = "-by-ear" if found.is_by_ear else ""
        return say(f"uncertainty.plain-leads{by_ear}", corrected=corrected, count=found.n_fewest)

    @property
    def computed(self) -> str:
        """D_ECE as it was computed, in words."""
        return in_words("d_ece_bits", self.uncertainty.figures["d_ece_bits"].estimate)

    @property
    def uncorrected(self) -> str:
        """What D_ECE would be without optimism, in words, where it leads as computed; else empty."""
        found, draws = self.uncertainty, self.uncertainty.figures["d_ece_bits"]
        if found.is_corrected("d_ece_bits"):
            return ""
        return plain_beside("d_ece_bits", draws.corrected_shown, found.interval("d_ece_bits"))

    def one_in_twenty(self, figure: str) -> float | None:
        """What one set in twenty without disclosure goes beyond, on the basis of the figure that is shown.

        Where that is corrected for small sets, this is moved by as much, within the range of the figure: so
        the figure lies on the same side of it as it does as computed. None where nobody knows.
        """
        if self.null is None or figure not in self.null.draws:
            return None
        plain, draws = self.null.one_in_twenty(figure), self.uncertainty.figures.get(figure)
        if draws is None or not self.uncertainty.is_corrected(figure):
            return plain
        moved = plain - (draws.estimate - self.uncertainty.shown(figure))
        return min(max(moved, draws.lowest), draws.highest)

    def against_chance(self, figure: str) -> str:
        """How many sets without any disclosure would show as much; empty where nobody asked."""
        return self.null.sentence(figure, self.plain(figure)) if self.null else ""

    def _beside_intervals(self) -> dict[str, object]:
        """`corrected` {figure: value} for those that the PAV makes look better for the attacker.

        With D_ECE as `d_ece_corrected_bits`, too; `null`, and `null_p` {figure: p-value} of `null_replicates`
        sets; `null_tag_share`, how many of them reach this tag or a worse one.
        """
        found, null = self.uncertainty, self.null
        return {
            "corrected": {name: draws.corrected for name, draws in found.figures.items() if draws.optimistic},
            "d_ece_corrected_bits": found.d_ece_corrected_bits,
            "null": _by_chance(null) if null else None,
            "null_p": _p_values(null) if null else None,
            "null_replicates": null.replicates if null else None,
            "null_tag_share": self.null_tag_share,
        }

    def as_json(self) -> dict[str, object]:
        """Also `bounded` {key: figure} and `people` {apart}, where they were required."""
        found = super().as_json()
        if self.bounded:
            level = self.uncertainty.settings.level
            found["bounded"] = {key: one.as_json(level) for key, one in self.bounded.items()}
        if self.people is not None:
            found["people"] = {"apart": self.people.n_apart}
        if self.groups:
            found["groups"] = {
                name: {"reason": one.code} if isinstance(one, Remark) else one.as_json()
                for name, one in self.groups.items()
            }
        if self.normalised:
            others = self.normalised.items()
            found["normalised"] = {by.value: one.with_figures_as_json() for by, one in others}
        if self.not_normalised is not None:
            found["not_normalised"] = self.not_normalised.code
        return found

    def with_figures_as_json(self) -> dict[str, object]:
        """The figures of normalised scores as computed, with their trust."""
        figures = {key: _finite(value) for key, value in drawn_values(self.figures).items()}
        return {"figures": figures, "tag": self.figures.tag, **self.as_json()}

    def lines(self) -> str:
        """The intervals, the ceiling and what chance shows, as a short table for the shell."""
        found, ceiling = self.uncertainty, ceiling_of(self.figures)
        unit = "" if found.unit is ResamplingUnit.SPEAKER else "-trials"
        rows = [
            (figure_name(name), self.with_interval(name))
            for name in found.figures
            if _METRICS[name].says_something_of(self.figures)
        ]
        rows.append((say("uncertainty.plain"), in_words("d_ece_bits", self.figures.d_ece_bits)))
        lines = [self._head(f"uncertainty.head{unit}"), *_table(rows)]
        lines += filter(None, (ceiling.badge(), ceiling.sentence()))
        if self.null:
            lines += [
                say("uncertainty.null-head", replicates=self.null.replicates),
                *_table([(figure_name(name), self._null_range(self.null, name)) for name in self.null.draws]),
                *filter(None, (self.tag_by_chance,)),
                self.against_chance("d_ece_bits"),
            ]
        lines += filter(None, (coverage_in_words(found),))
        return "\n".join(lines)

    def _null_range(self, null: NoDisclosure, name: str) -> str:
        return clauses(self.plain(name, end) for end in (null.median(name), null.one_in_twenty(name)))


@dataclass(frozen=True, eq=False)
class VoicesTrust(Trust):
    """How far the figures of similarity matrices can be trusted; D_diag without disclosure by setting."""

    figures: VoiceSimilarity

    @property
    def rests_on(self) -> str:
        """How many speakers and draws the intervals rest on, in a sentence."""
        return self._head("uncertainty.rests-on")

    def chance(self, setting: str) -> str:
        """What one in twenty sets without any disclosure goes beyond; empty where nobody knows."""
        name = f"d_diag_{setting}"
        if self.null is None or name not in self.null.draws:
            return ""
        return in_words("d_diag", self.null.one_in_twenty(name))

    @property
    def beyond_chance(self) -> str:
        """A sentence that no set without disclosure showed any D_diag as high; empty where some did."""
        null = self.null
        if null is None or any(map(null.n_as_disclosing, null.draws)):
            return ""
        return say("null.dominance-none-at-all", replicates=null.replicates)

    @property
    def sentences(self) -> tuple[str, ...]:
        """How many sets without any disclosure would show each D_diag; in one sentence where none did."""
        null = self.null
        if null is None:
            return ()
        shown = {name: self.plain(name, value) for name, value in null.observed.items()}
        if len(shown) > 1 and self.beyond_chance:
            values = [
                say("null.dominance-of", setting=name[-2:].upper(), value=value)
                for name, value in shown.items()
            ]
            return (say("null.dominance-none-of-all", replicates=null.replicates, values=clauses(values)),)
        return tuple(_dominance(null, name, value) for name, value in shown.items())

    def _beside_intervals(self) -> dict[str, object]:
        """`null`, and `null_p` {figure: p-value} of `null_replicates` {setting: sets}."""
        null = self.null
        return {
            "null": _by_chance(null) if null else {},
            "null_p": _p_values(null) if null else {},
            "null_replicates": {name[-2:]: len(each) for name, each in null.draws.items()} if null else {},
        }

    def lines(self) -> str:
        """The figures with their intervals, and the sentences on chance, as a short table for the shell."""
        rows = [(figure_name(name), self.with_interval(name)) for name in VOICE_FIGURES]
        return "\n".join([self.rests_on, *_table([row for row in rows if row[1]]), *self.sentences])


def trust_of(
    trials: Resamplable,
    assessment: Assessment,
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    deals: int | None = None,
    normalise: bool = True,
    on_progress: Progress = no_progress,
    on_draws: Callable[[AssessmentTrust], None] | None = None,
) -> AssessmentTrust:
    """Intervals, and as many sets without disclosure as replicates; see `bootstrap` and `without_disclosure`.

    With `deals` so many sets; with 0 none. With `normalise` the same of normalised scores, where there are
    enough comparisons for that. `on_draws` is told the intervals so far, see `OnDraws`.
    Stopped by `on_progress` (Cancelled) it returns what there is, if that is at least twenty replicates.
    """
    settings, whole = settings or BootstrapSettings(), on_progress
    on_progress = part_of(whole, 0.0, _SHARE_AS_GIVEN if normalise else 1.0)
    found = bootstrap(
        trials,
        assessment,
        settings,
        speakers=speakers,
        on_progress=part_of(on_progress, 0.0, _SHARE_OF_INTERVALS),
        on_draws=(lambda so_far: on_draws(AssessmentTrust(assessment, so_far))) if on_draws else None,
    )
    null, wanted = None, settings.replicates if deals is None else deals
    if found.is_complete and wanted:
        with suppress(Cancelled):
            null = without_disclosure(
                trials,
                assessment,
                replicates=wanted,
                seed=settings.seed,
                speakers=speakers,
                on_progress=part_of(on_progress, _SHARE_OF_INTERVALS, 1.0),
            )
    made = AssessmentTrust(assessment, found, null)
    if not (normalise and found.is_complete):
        return made
    with suppress(Cancelled):
        return with_normalised(made, trials, speakers, deals, part_of(whole, _SHARE_AS_GIVEN, 1.0))
    return made


def with_normalised(
    made: AssessmentTrust,
    trials: Resamplable,
    speakers: Speakers | None = None,
    deals: int | None = None,
    on_progress: Progress = no_progress,
) -> AssessmentTrust:
    """The trust with that of normalised scores, or with why these were not tried; raises Cancelled.

    `trials` are those that the trust was made of, in their order: the same speakers are drawn.
    """
    if not isinstance(trials, Trials):
        return replace(made, not_normalised=Remark("not-normalised-counted"))
    try:
        why = why_not_normalised(with_people(trials, speakers if isinstance(speakers, Mapping) else None))
    except InputError:
        why = Remark("not-normalised-unknown")
    if why is not None:
        return replace(made, not_normalised=why)
    settings = replace(made.figures.settings, score_meaning=ScoreMeaning.RAW)
    found, drawn = dict[Normalisation, AssessmentTrust](), made.uncertainty.settings
    for number, by in enumerate(Normalisation):
        part = part_of(on_progress, number / len(Normalisation), (number + 1) / len(Normalisation))
        other = normalised_trials(trials, by)
        known = assess(other, settings)
        found[by] = trust_of(
            other,
            known,
            drawn,
            speakers=speakers,
            deals=min(drawn.replicates if deals is None else deals, _DEALS_NORMALISED),
            normalise=False,
            on_progress=part,
        )
        if not found[by].uncertainty.is_complete:
            raise Cancelled
    return replace(made, normalised=found)


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
    part = part_of(on_progress, 0.0, _SHARE_OF_VOICES)
    found = voices_bootstrap(voices, trials, settings, on_progress=part)
    null, wanted = None, dict.fromkeys(trials, settings.replicates) if deals is None else deals
    if found.is_complete:
        asked = {setting: (trials[setting], replicates) for setting, replicates in wanted.items()}
        with suppress(Cancelled):
            null = dominance_without_disclosure(
                {one: of for one, of in asked.items() if figure_of(voices, f"d_diag_{one}") is not None},
                voices.mean,
                seed=settings.seed,
                on_progress=part_of(on_progress, _SHARE_OF_VOICES, 1.0),
            )
    return VoicesTrust(voices, found, null)


def coverage_in_words(found: Uncertainty) -> str:
    """How often intervals of 95 % held the truth in simulations of sets that disclose about as much.

    Empty where nothing was measured: of other levels, of few speakers, of trials drawn one by one, and where
    a single listener judged, or a recogniser what lay on canvases. The simulations are those of
    `installation.simulations`, their counts lie in zebra_resources/simulations.json, and a test holds the
    sentences to them; the standard error is 1.5 in 100.
    """
    if found.settings.level != _MEASURED_LEVEL or found.unit is not ResamplingUnit.SPEAKER:
        return ""
    if found.n_clusters < FEW_CLUSTERS:
        return ""
    if found.is_by_ear:
        return say("uncertainty.measured-by-ear") if found.has_listeners else ""
    bits = found.shown("d_ece_bits")
    if bits < _WEAK_BITS:
        return say("uncertainty.measured-weak")
    return say("uncertainty.measured-strong" if bits > _STRONG_BITS else "uncertainty.measured-middle")


def _dominance(null: NoDisclosure, name: str, value: str) -> str:
    """How many sets without any disclosure would show a D_diag as high, in a sentence."""
    facts = {"setting": name[-2:].upper(), "value": value}
    if not null.n_as_disclosing(name):
        return say("null.dominance-none", replicates=len(null.draws[name]), **facts)
    share = null.p_value(name)
    digits = 0 if share >= 0.095 else 1
    return say("null.dominance-share", share=written(100.0 * share, f".{digits}f"), **facts)


def _by_chance(null: NoDisclosure) -> dict[str, list[float]]:
    return {name: [null.median(name), null.one_in_twenty(name)] for name in null.draws}


def _p_values(null: NoDisclosure) -> dict[str, float | None]:
    return {name: _finite(null.p_value(name)) for name in null.draws}


def _table(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"  {name.ljust(width)}  {shown}" for name, shown in rows]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def assessment_as_json(label: str, assessment: Assessment, trust: Trust | None = None) -> dict[str, object]:
    """One assessment as `zebra assess --json` prints it; the keys and their order are a promise.

    Numbers are unrounded; null stands for what is not measurable or not finite. Remarks are sentences.
    """
    return {
        "label": label,
        **figures_as_json(assessment, trust),
        "profile": object_as_json(PROFILE, assessment.profile),
        "remarks": [str(remark) for remark in assessment.remarks],
    }


def figures_as_json(found: Assessment, trust: Trust | None = None) -> dict[str, object]:
    """The figures of an assessment under the keys of `zebra assess --json`, without profile and remarks.

    `d_ece_bits` is the figure as the toolkit computes it; the one without the optimism of small sets is
    `d_ece_corrected_bits`, null where nobody asked for intervals.
    """
    figures: dict[str, object] = {
        metric.key: metric.as_json(found) for metric in METRICS if metric.is_promised and metric.stands_alone
    }
    figures |= {
        "reading": found.reading.value,
        "reversed": object_as_json(REVERSED, found.reversed),
        "cross_fitted": object_as_json(CROSS_FITTED, found.cross_fitted, tag=found.cross_fitted_tag),
    }
    figures[CORRECTED] = as_json(trust.uncertainty.d_ece_corrected_bits) if trust else None
    figures["hits_at"] = {f"{rate:g}": as_json(share) for rate, share in found.hits_at.items()}
    return figures
