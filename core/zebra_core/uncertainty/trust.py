"""How far an assessment can be trusted: intervals, what no disclosure would show, and the ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from zebra_core.errors import Cancelled
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.registry import METRICS
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty, bootstrap
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.measured_coverage import coverage_in_words
from zebra_core.uncertainty.no_disclosure import NoDisclosure, without_disclosure
from zebra_core.uncertainty.people_bounds import PeopleBounds
from zebra_core.uncertainty.perfect_separation import d_ece_at, most_errors
from zebra_core.uncertainty.precision import figure_name, plain_beside, with_interval
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.wording.names import clauses
from zebra_core.wording.texts import say, written

_CHANCE = 0.05
_METRICS = {metric.key: metric for metric in METRICS}
_SHARE_OF_INTERVALS = 0.6  # of the work


@dataclass(frozen=True, eq=False)
class Trust:
    """Intervals of all figures; what no disclosure would show, or None where it was stopped before.

    `of_others` has the draws of the worst case that other speakers bear out, where somebody asked for them,
    and `people` the bounds of every single person, where these or those were asked for.
    """

    assessment: Assessment  # what was measured
    uncertainty: Uncertainty
    null: NoDisclosure | None
    of_others: FigureDraws | None = None
    people: PeopleBounds | None = None

    def is_of(self, assessment: Assessment) -> bool:
        """Whether it holds for this assessment: the same trials, taken for the same; tags may differ."""
        return assessment.rests_on == self.assessment.rests_on

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
        scale, known = self.assessment.settings.tag_scale, self.assessment
        shares = self.null.tag_shares(scale, are_equal=known.all_scores_equal)
        letters = [tag.letter for tag in scale.tags]
        return sum(shares.get(letter, 0.0) for letter in letters[letters.index(known.tag) :])

    @property
    def tag_by_chance(self) -> str:
        """How many sets without disclosure reach this tag or a worse one, in a sentence; empty if unknown."""
        share = self.null_tag_share
        if share is None or self.null is None:
            return ""
        facts = {"tag": self.assessment.tag, "replicates": self.null.replicates}
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
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the intervals."""
        found = self.uncertainty
        stopped = (
            ()
            if found.is_complete
            else (
                Remark(
                    "uncertainty-stopped",
                    {"replicates": found.replicates, "wanted": found.settings.replicates},
                ),
            )
        )
        return (
            *found.remarks,
            *self._on_perfection,
            *stopped,
            *(self.null.remarks if self.null else ()),
        )

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
        interval = found.interval("d_ece_bits")
        sure = say(
            "uncertainty.sentence" if found.unit is ResamplingUnit.SPEAKER else "uncertainty.sentence-trials",
            value=with_interval("d_ece_bits", found.shown("d_ece_bits"), interval),
            level=written(100.0 * found.settings.level, "g"),
            count=found.n_clusters,
        )
        plain = self._plain_sentence
        chance = self.against_chance("d_ece_bits")
        return tuple(filter(None, (sure, plain, chance, coverage_in_words(found))))

    @property
    def _plain_sentence(self) -> str:
        """What D_ECE is as computed, or, where that leads, what it is without optimism."""
        found, value = self.uncertainty, self.plain("d_ece_bits")
        interval, freed = found.interval("d_ece_bits"), found.d_ece_corrected_bits
        if found.shown("d_ece_bits") == freed or interval is None:
            return say("uncertainty.plain-sentence", value=value)
        corrected = plain_beside("d_ece_bits", freed, interval)
        return say("uncertainty.plain-leads", value=value, corrected=corrected, count=found.n_fewest)

    def plain(self, figure: str) -> str:
        """A figure as it was computed, with the digits that its interval bears."""
        found = self.uncertainty
        return plain_beside(figure, found.figures[figure].estimate, found.interval(figure))

    def against_chance(self, figure: str) -> str:
        """How many sets without any disclosure would show as much; empty where nobody asked."""
        return self.null.sentence(figure, self.plain(figure)) if self.null else ""

    def as_json(self) -> dict[str, object]:
        """The keys that `zebra assess --bootstrap` adds; numbers unrounded, None where not finite.

        `intervals` {figure: [low, high]} at `level`; `corrected` {figure: value} for those that the PAV makes
        look better for the attacker than they are, with D_ECE as `d_ece_corrected_bits`, too; `null`
        {figure: [median, what one set in twenty goes beyond towards disclosure]}, `null_p` {figure: p-value}
        of `null_replicates` sets; `null_tag_share`, how many of them reach this tag or a worse one; `seed`,
        and how many `replicates` there are.
        """
        found, null = self.uncertainty, self.null
        return {
            "intervals": {
                name: [_finite(end.low), _finite(end.high)] for name, end in found.intervals.items()
            },
            "level": found.settings.level,
            "corrected": {name: draws.corrected for name, draws in found.figures.items() if draws.optimistic},
            "d_ece_corrected_bits": found.d_ece_corrected_bits,
            "null": {name: [null.median(name), null.one_in_twenty(name)] for name in null.draws}
            if null
            else None,
            "null_p": {name: _finite(null.p_value(name)) for name in null.draws} if null else None,
            "null_replicates": null.replicates if null else None,
            "null_tag_share": self.null_tag_share,
            "seed": found.settings.seed,
            "replicates": found.replicates,
            **self._required_as_json(),
        }

    def _required_as_json(self) -> dict[str, object]:
        """`of_others` {interval, replicates} and `people` {apart}, where they were required."""
        found: dict[str, object] = {}
        if self.of_others is not None:
            ends = self.of_others.interval(self.uncertainty.settings.level)
            found["of_others"] = {
                "interval": [ends.low, ends.high],
                "replicates": len(self.of_others.draws),
            }
        if self.people is not None:
            found["people"] = {"apart": self.people.n_apart}
        return found

    def lines(self) -> str:
        """The intervals, the ceiling and what chance shows, as a short table for the shell."""
        found = self.uncertainty
        unit = "" if found.unit is ResamplingUnit.SPEAKER else "-trials"
        head = say(
            f"uncertainty.head{unit}",
            level=written(100.0 * found.settings.level, "g"),
            count=found.n_clusters,
            replicates=found.replicates,
            seed=found.settings.seed,
        )
        rows = [
            (figure_name(name), with_interval(name, found.shown(name), found.interval(name)))
            for name in found.figures
            if _METRICS[name].says_something_of(self.assessment)
        ]
        rows.append((say("uncertainty.plain"), self.plain("d_ece_bits")))
        ceiling = ceiling_of(self.assessment)
        lines = [head, *_table(rows), *filter(None, (ceiling.badge(), ceiling.sentence()))]
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
        interval = self.uncertainty.interval(name)
        ends = null.median(name), null.one_in_twenty(name)
        middle, beyond = (plain_beside(name, value, interval) for value in ends)
        return clauses((middle, beyond))


def trust_of(
    trials: Resamplable,
    assessment: Assessment,
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    deals: int | None = None,
    on_progress: Progress = no_progress,
    on_draws: Callable[[Trust], None] | None = None,
) -> Trust:
    """Intervals, and as many sets without disclosure as replicates; see `bootstrap` and `without_disclosure`.

    With `deals` so many sets; with 0 none. `on_draws` is told the intervals so far, see `OnDraws`.
    Stopped by `on_progress` (Cancelled) it returns what there is, if that is at least twenty replicates.
    """
    settings = settings or BootstrapSettings()
    found = bootstrap(
        trials,
        assessment,
        settings,
        speakers=speakers,
        on_progress=part_of(on_progress, 0.0, _SHARE_OF_INTERVALS),
        on_draws=(lambda so_far: on_draws(Trust(assessment, so_far, None))) if on_draws else None,
    )
    null, wanted = None, settings.replicates if deals is None else deals
    if found.is_complete and wanted:
        try:
            null = without_disclosure(
                trials,
                assessment,
                replicates=wanted,
                seed=settings.seed,
                speakers=speakers,
                on_progress=part_of(on_progress, _SHARE_OF_INTERVALS, 1.0),
            )
        except Cancelled:
            null = None
    return Trust(assessment, found, null)


def _table(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"  {name.ljust(width)}  {shown}" for name, shown in rows]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
