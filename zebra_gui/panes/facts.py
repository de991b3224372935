"""The figures of an entry in the words they are shown with, on cards and as copied text."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.metric import Metric
from zebra_core.metrics.reading import reading_in_words
from zebra_core.metrics.registry import ON_CARDS
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.report.lines import badge
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.precision import with_interval
from zebra_core.wording import wording
from zebra_core.wording.texts import grouped, say
from zebra_gui.widgets.plain import spoken

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Fact:
    """One figure: what it is, its value, and what it means."""

    name: str
    value: str
    meaning: str = ""


def worst_case(entry: Entry) -> Fact:
    """The individual disclosure; the tag is shown beside it."""
    found = entry.assessment
    meaning = translate("Facts", "{direction}: {odds} · at most {ceiling} with these data").format(
        direction=direction_in_words(found),
        odds=wording.odds_in_words(found.worst_case_log10_lr),
        ceiling=wording.log10_lr(abs(found.strongest_ceiling_log10_lr)),
    )
    meaning = "\n".join([*reading(entry), meaning, _of_others(found)])
    if (ceiling := ceiling_of(found)).is_reached:
        meaning += f"\n{ceiling.badge()}"
    if (null := entry.trust.null if entry.trust else None) is not None:
        meaning += f"\n{null.sentence('worst_case_log10_lr')}"
        meaning += f"\n{entry.trust.tag_by_chance}" if entry.trust and entry.trust.tag_by_chance else ""
    if (verbal := found.settings.verbal_scale) is not None:
        meaning += f"\n{verbal.sentence(found.strongest_log10_lr)}"
    return Fact(
        translate("Facts", "Worst case (individual)"), wording.log10_lr(found.worst_case_log10_lr), meaning
    )


def reading(entry: Entry) -> tuple[str, ...]:
    """That another reading of the scores discloses more, where one does."""
    return tuple(filter(None, [reading_in_words(entry.assessment)]))


def direction_in_words(found: Assessment) -> str:
    """Which proposition the strongest evidence is for."""
    if found.strongest_log10_lr >= 0.0:
        return translate("Facts", "for the same speaker")
    return translate("Facts", "for two different speakers")


def _of_others(found: Assessment) -> str:
    value = wording.log10_lr(found.cross_fitted.worst_case_log10_lr)
    return translate("Facts", "{value} ({tag}) by what other speakers bear out").format(
        value=value, tag=found.cross_fitted_tag
    )


def population(entry: Entry) -> Fact:
    """The population disclosure with its share of full disclosure."""
    found = entry.assessment
    meaning = translate("Facts", "{share} of full disclosure ({full} bit)").format(
        share=wording.percent(found.share_of_full_disclosure), full=full_disclosure()
    )
    meaning = "\n".join([*reading(entry), meaning])
    if (trust := entry.trust) is not None:
        meaning = "\n".join([meaning, *trust.sentences])
    value = translate("Facts", "{bits} bit").format(bits=wording.disclosure(found.d_ece_bits))
    return Fact(translate("Facts", "Disclosure (population)"), value, meaning)


def conventional(entry: Entry) -> tuple[Fact, ...]:
    """The figures of the recogniser itself, and how many trials they rest on."""
    found = entry.assessment
    trials = Fact(
        translate("Facts", "Target · nontarget"),
        f"{grouped(found.n_target)} · {grouped(found.n_nontarget)}",
        translate("Facts", "Comparisons of a speaker with the same speaker, and of two different speakers"),
    )
    return (*(_fact(entry, metric) for metric in ON_CARDS), trials)


def _fact(entry: Entry, metric: Metric) -> Fact:
    """A figure of the registry, with its interval where that is known."""
    found = entry.assessment
    meaning = metric.text(f"fact.{metric.code}-means", found) + _interval(entry, metric.key)
    if not metric.says_something_of(found):
        meaning = translate("Facts", "Says nothing of raw scores: state that the scores are LLRs to see it")
    return Fact(say(f"fact.{metric.code}"), metric.alone(found), meaning)


def _interval(entry: Entry, figure: str) -> str:
    """The figure with its interval on a line of its own; nothing where it is not known."""
    found = entry.trust.uncertainty if entry.trust else None
    if found is None or figure not in found.figures:
        return ""
    value = with_interval(figure, found.shown(figure), found.interval(figure))
    level = f"{100.0 * found.settings.level:g}"
    return "\n" + translate("Facts", "With its {level} % interval: {value}").format(level=level, value=value)


def full_disclosure() -> str:
    """The population disclosure when nothing is protected, as it is shown."""
    return wording.disclosure(FULL_DISCLOSURE_BITS)


def further(entry: Entry) -> tuple[Fact, ...]:
    """Figures that are not on the cards, for copying."""
    found = entry.assessment
    bits = translate("Facts", "{bits} bit")
    recall = translate("Facts", "True positives at {rate} false alarms")
    return (
        Fact(
            translate("Facts", "Calibration loss"),
            bits.format(bits=wording.bits(found.calibration_loss_bits)),
        ),
        Fact(translate("Facts", "1 − min Cllr"), wording.bits(found.one_minus_min_cllr)),
        *(
            Fact(recall.format(rate=wording.percent(rate)), wording.percent(share))
            for rate, share in found.recall.items()
        ),
        Fact(translate("Facts", "Misleading targets"), wording.percent(found.misleading.of_target)),
        Fact(translate("Facts", "Misleading nontargets"), wording.percent(found.misleading.of_nontarget)),
    )


def as_text(entry: Entry) -> str:
    """All figures of an entry, one a line, to be pasted elsewhere."""
    most_exposed = Fact(translate("Facts", "Worst case"), badge(entry.assessment))
    facts = (most_exposed, population(entry), *conventional(entry), *further(entry))
    return "\n".join([spoken(name_with_dataset(entry)), *(f"{fact.name}\t{fact.value}" for fact in facts)])
