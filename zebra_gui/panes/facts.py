"""The figures of an entry in the words they are shown with, on cards and as copied text."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from zebra_core.metrics.assessment import Assessment, EvidenceReading, reading_in_words
from zebra_core.metrics.registry import BIT, HITS, METRICS, ON_CARD, Metric
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import (
    Entry,
    Individual,
    Population,
    basis_in_words,
    is_corrected,
    name_with_dataset,
)
from zebra_core.report.content.attackers import on_the_attacker
from zebra_core.report.tables import badge
from zebra_core.uncertainty.intervals import with_interval
from zebra_core.uncertainty.no_disclosure import ceiling_of
from zebra_core.uncertainty.shown import as_computed, fewer, rounded
from zebra_core.wording import texts
from zebra_core.wording.texts import grouped, say, strength, written
from zebra_gui.widgets.layouts import spoken

translate = QCoreApplication.translate

_PLACE_OF_TRIALS = 5  # among the small figures


@dataclass(frozen=True)
class Fact:
    """One figure: what it is, its value, and what it means."""

    name: str
    value: str
    meaning: str = ""
    more: str = ""  # for those who ask


def worst_case(entry: Entry) -> Fact:
    """The individual disclosure, shown beside its tag; that of reversed scores where they disclose more."""
    found, shown = entry.assessment, Individual.of(entry)
    ceiling = ceiling_of(found)
    odds = texts.odds_in_words(abs(shown.log10_lr))
    said = translate("Facts", "{direction}: {odds}").format(
        direction=direction_in_words(shown.log10_lr), odds=odds
    )
    reach = translate("Facts", "These data can show {most} at most in this direction, {other} in the other.")
    more = [
        reach.format(
            most=texts.log10_lr(shown.ceiling_log10_lr),
            other=texts.log10_lr(shown.other_ceiling_log10_lr),
        ),
        _of_others(found),
    ]
    if (trust := entry.trust) is not None and trust.null is not None:
        more += filter(None, (trust.against_chance("worst_case_log10_lr"), trust.tag_by_chance))
    verbal = found.settings.verbal_scale
    return Fact(
        translate("Facts", "Worst case"),
        shown.in_words,
        "\n".join(
            [
                *reading(entry),
                said if shown.log10_lr else odds,
                *([verbal.sentence(shown.log10_lr)] if verbal else []),
                *([ceiling.badge()] if ceiling.is_reached else []),
            ]
        ),
        "\n".join([*more, ceiling.sentence()]).strip(),
    )


def reading(entry: Entry) -> tuple[str, ...]:
    """A sentence if another reading of the scores discloses more; else empty."""
    return tuple(filter(None, [reading_in_words(entry.assessment)]))


def direction_in_words(log10_lr: float) -> str:
    """Which proposition evidence with this sign is for."""
    if log10_lr >= 0.0:
        return translate("Facts", "for the same speaker")
    return translate("Facts", "for two different speakers")


def _of_others(found: Assessment) -> str:
    value = strength(found.cross_fitted.worst_case_log10_lr)
    return translate("Facts", "{value} ({tag}) by what other speakers bear out").format(
        value=value, tag=found.settings.tag_scale.shown(found.cross_fitted_tag)
    )


def population(entry: Entry, *, is_measuring: bool = False) -> Fact:
    """The population disclosure, with its interval where there is one; the note has further details.

    It is that of the reading which discloses most: the smaller figure alone would mislead. Below it stands on
    which basis it is, and that intervals are being computed, `is_measuring`, where it will change.
    """
    found, shown = entry.assessment, Population.of(entry)
    share = translate("Facts", "{share} of full disclosure ({full} bit)").format(
        share=shown.lead_share_in_words, full=full_disclosure()
    )
    trust = entry.trust
    more = [share, *(trust.sentences if trust else ())]
    if found.reading is not EvidenceReading.GIVEN:
        as_given = translate("Facts", "As the scores were given: {value}")
        more.append(as_given.format(value=shown.in_words))
    return Fact(
        translate("Facts", "Disclosure"),
        shown.lead_in_words,
        "\n".join(filter(None, (*reading(entry), _basis(entry, is_measuring), on_the_attacker(entry)))),
        "\n".join(more),
    )


def _basis(entry: Entry, is_measuring: bool) -> str:
    """On which basis D_ECE stands; nothing where another reading leads, which has no other."""
    if entry.assessment.reading is not EvidenceReading.GIVEN:
        return ""
    if is_measuring and not is_corrected([entry]):
        return say("headline.being-computed")
    return basis_in_words([entry])


def conventional(entry: Entry) -> tuple[Fact, ...]:
    """The figures of the recogniser itself, and how many trials they rest on."""
    found = entry.assessment
    trials = Fact(
        translate("Facts", "Target · nontarget"),
        f"{grouped(found.n_target)} · {grouped(found.n_nontarget)}",
        translate("Facts", "Comparisons of a speaker with the same speaker, and of two different speakers"),
    )
    shown = {place: _fact(entry, metric) for place, metric in ON_CARD.items()}
    shown[_PLACE_OF_TRIALS] = trials
    return tuple(shown[place] for place in sorted(shown))


def _fact(entry: Entry, metric: Metric) -> Fact:
    """A figure of the registry, with its interval where that is known."""
    found = entry.assessment
    meaning = metric.text(f"fact.{metric.code}-means", found) + _interval(entry, metric.key)
    if not metric.says_something_of(found):
        meaning = translate(
            "Facts", "Says nothing about raw scores: state that the scores are LLRs to see it"
        )
    value = as_computed(metric.key, found, entry.trust)
    has_number = value[-1:].isdigit() and metric.format.unit == BIT
    return Fact(say(f"fact.{metric.code}"), f"{value}{BIT.suffix}" if has_number else value, meaning)


def _interval(entry: Entry, figure: str) -> str:
    """The figure with its interval on a line of its own; nothing where it is not known."""
    found = entry.trust.uncertainty if entry.trust else None
    if found is None or figure not in found.figures:
        return ""
    value = with_interval(figure, found.shown(figure), found.interval(figure))
    level = written(100.0 * found.settings.level, "g")
    return "\n" + translate("Facts", "With its {level} % interval: {value}").format(level=level, value=value)


def full_disclosure() -> str:
    """The population disclosure when nothing is protected, as it is shown."""
    return texts.disclosure(FULL_DISCLOSURE_BITS)


def further(entry: Entry) -> tuple[Fact, ...]:
    """Figures that are not on the cards, for copying."""
    found = entry.assessment
    bits = translate("Facts", "{bits} bit")
    n = fewer(found)
    return (
        Fact(
            translate("Facts", "Calibration loss"),
            bits.format(bits=rounded("cllr_bits", found.calibration_loss_bits, n)),
        ),
        Fact(translate("Facts", "1 − min Cllr"), rounded("min_cllr_bits", found.one_minus_min_cllr, n)),
        *(
            Fact(
                say(f"column.{hits.code}"),
                hits.why_missing(found) or as_computed(hits.key, found, entry.trust),
                say(f"column.{hits.code}-means") + _interval(entry, hits.key),
            )
            for hits in METRICS
            if hits.key in HITS
        ),
        Fact(translate("Facts", "Misleading targets"), rounded("eer", found.misleading.of_target, n)),
        Fact(translate("Facts", "Misleading nontargets"), rounded("eer", found.misleading.of_nontarget, n)),
    )


def as_text(entry: Entry) -> str:
    """All figures of an entry, one a line, to be pasted elsewhere."""
    most_exposed = Fact(translate("Facts", "Worst case"), badge(entry.assessment))
    facts = (most_exposed, population(entry), *conventional(entry), *further(entry))
    return "\n".join([spoken(name_with_dataset(entry)), *(f"{fact.name}\t{fact.value}" for fact in facts)])
