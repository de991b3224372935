"""The columns of a comparison: one list for the window, CSV, Markdown, TeX and what is copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from zebra_core.metrics.assessment import EvidenceReading, reading_in_a_cell
from zebra_core.metrics.registry import BIT, METRICS, ColumnLook, DisclosureDirection, Metric
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attackers import strongest_reading
from zebra_core.project.comparison.row import (
    ANSWER_COLUMNS,
    INFERENCE_COLUMNS,
    NOTHING,
    PEOPLE_COLUMNS,
    BetterDirection,
    ComparisonColumn,
    ComparisonGroup,
    ComparisonRow,
    ends,
    figure_column,
    kept_as_json,
    text_column,
)
from zebra_core.project.group_differences import span_in_words
from zebra_core.project.items import Condition, Population, attack_as_said, dataset_as_said, tag_in_words
from zebra_core.uncertainty.difference import STRONGEST
from zebra_core.uncertainty.intervals import below_its_unit
from zebra_core.uncertainty.shown import (
    as_printed,
    fewer,
    in_a_cell,
    interval_of,
    leading_bits,
    rounded,
    share_of_full,
)
from zebra_core.utility.listening import HIGHEST, RatingQuestion
from zebra_core.wording import texts
from zebra_core.wording.texts import decimals_of, grouped, percent, say, strength, visible, with_aside

_CHANCE = 0.5  # the error rate of guessing
_SPREAD_OF_RATINGS = 2.0  # about their standard deviation, on the scale from 1 to 10


def _condition(row: ComparisonRow) -> str:
    return row.group.condition.value if row.group.condition else ""


def _trials(row: ComparisonRow) -> str:
    return f"{grouped(row.assessment.n_target)} / {grouped(row.assessment.n_nontarget)}"


def _rank(row: ComparisonRow) -> str:
    """The rank; where differences were tested, those that are left open, and whether it is settled."""
    if row.ranks is not None:
        return span_in_words(row.ranks)
    return NOTHING if row.rank is None else say("rank.untested", rank=row.rank)


def _of_matrices(figure: str, of: Callable[[ComparisonRow], float | None]) -> Callable[[ComparisonRow], str]:
    """A figure of similarity matrices: with its interval, or as far as so many speakers bear it out."""

    def shown(row: ComparisonRow) -> str:
        value = of(row)
        if value is None or row.similarity is None:
            return NOTHING
        sure = row.voices_trust.with_interval(figure, is_in_column=True) if row.voices_trust else ""
        return sure or rounded(figure, value, len(row.similarity.speakers))

    return shown


def _of_trials(figure: str, of: Callable[[ComparisonRow], float | None]) -> Callable[[ComparisonRow], str]:
    """A share or a gain against unprotected speech, as far as so many trials bear it out."""
    return lambda row: (
        NOTHING if (value := of(row)) is None else rounded(figure, value, fewer(row.assessment))
    )


def _relative(
    code: str,
    figure: str,
    of: Callable[[ComparisonRow], float | None],
    words: Callable[[str, Callable[[ComparisonRow], float | None]], Callable[[ComparisonRow], str]],
    better: BetterDirection = BetterDirection.NEITHER,
    bar_end: float | None = None,
    *,
    first: bool = False,
    kept_as: str = "",
) -> ComparisonColumn:
    shown = words(figure, of)
    return ComparisonColumn(code, of, shown, better, bar_end, is_shown_first=first, kept_as=kept_as or code)


def _rating(question: RatingQuestion) -> Callable[[ComparisonRow], float | None]:
    def of(row: ComparisonRow) -> float | None:
        ratings = row.utility.listening.get(question)
        if ratings is None:
            return None
        return ratings.upper_mean if row.group.is_of_unprotected else ratings.lower_mean

    return of


def _heard(row: ComparisonRow) -> float | None:
    ratings = row.utility.listening.get(RatingQuestion.SIMILARITY)
    return None if ratings is None else ratings.eer


def _wer(row: ComparisonRow) -> str:
    """The word error rate, with the digits that so many words bear out; others stay as typed or printed."""
    words, wer = row.utility.words, row.utility.wer
    if wer is None:
        return NOTHING
    if words is None:
        return with_aside(percent(wer), say("compare.as-printed") if row.utility.printed_in else "")
    return _with_ends(row, "wer", wer, words.reference_words)


def _cer(row: ComparisonRow) -> str:
    words, cer = row.utility.words, row.utility.cer
    return NOTHING if cer is None or words is None else _with_ends(row, "cer", cer, words.reference_words)


def _uar(row: ComparisonRow) -> str:
    """The unweighted average recall, with the digits that the recordings of the rarest emotion bear out."""
    found = row.utility.emotions
    if found is None:
        return NOTHING
    return _with_ends(row, "uar", found.uar, min(count for count, _ in found.counts))


def _with_ends(row: ComparisonRow, code: str, rate: float, n: int) -> str:
    """A rate with its interval over speakers, where these are known."""
    shown, interval = _per_cent(rate, n), row.utility_interval(code)
    if interval is None:
        return shown
    decimals = decimals_of(n, 100.0)
    low, high = (texts.rounded(100.0 * end, decimals) for end in (interval.low, interval.high))
    return with_aside(shown, say("compare.between", low=low, high=high))


def _of_words(
    code: str,
    of: Callable[[ComparisonRow], float | None],
    shown: Callable[[ComparisonRow], str],
    better: BetterDirection,
    *,
    first: bool = True,
) -> ComparisonColumn:
    """A rate of what stays usable, kept with its interval; a WER also with what it was printed in."""

    def more(row: ComparisonRow) -> dict[str, Any]:
        printed = {"wer_printed_in": row.utility.printed_in or None} if code == "wer" else {}
        return {**ends(code, row.utility_interval(code)), **printed}

    return ComparisonColumn(code, of, shown, better, 1.0, is_shown_first=first, kept_as=code, more=more)


def _rated(code: str, question: RatingQuestion) -> ComparisonColumn:
    of = _rating(question)

    def shown(row: ComparisonRow) -> str:
        mean, ratings = of(row), row.utility.listening.get(question)
        if mean is None or ratings is None:
            return NOTHING
        counts = ratings.upper if row.group.is_of_unprotected else ratings.lower
        spread = _SPREAD_OF_RATINGS * ratings.highest / HIGHEST
        scale = "" if ratings.highest == HIGHEST else say("compare.of-highest", highest=ratings.highest)
        return with_aside(texts.rounded(mean, decimals_of(sum(counts), spread)), scale)

    return ComparisonColumn(code, of, shown, BetterDirection.HIGHER, is_shown_first=False, kept_as=code)


def _heard_in_words(row: ComparisonRow) -> str:
    ratings = row.utility.listening.get(RatingQuestion.SIMILARITY)
    return NOTHING if ratings is None else _per_cent(ratings.eer, min(sum(ratings.upper), sum(ratings.lower)))


def _per_cent(share_of_one: float, n: int) -> str:
    return f"{texts.rounded(100.0 * share_of_one, decimals_of(n, 100.0))} %"


def _corrected_bits(row: ComparisonRow) -> float | None:
    return row.entry.trust.uncertainty.d_ece_corrected_bits if row.entry.trust else None


def _corrected(row: ComparisonRow) -> str:
    trust, interval = row.entry.trust, interval_of("d_ece_bits", row.entry.trust)
    if trust is None or interval is None:
        return NOTHING
    return below_its_unit("d_ece_bits", trust.uncertainty.figures["d_ece_bits"].corrected_shown, interval)


def _shown_share(row: ComparisonRow) -> float:
    return Population.of(row.entry).by_reading_bits / FULL_DISCLOSURE_BITS


def _share(row: ComparisonRow) -> str:
    found = row.assessment
    if found.reading is not EvidenceReading.GIVEN:
        return share_of_full(found.disclosed_by_reading_bits, found)
    return share_of_full(leading_bits(found, row.entry.trust), found, row.entry.trust)


def _strongest_bits(row: ComparisonRow) -> float | None:
    """D_ECE by the strongest reading of the scores; None where nobody tried others than the one given."""
    if row.entry.trust is None or not row.entry.trust.tried_normalised:
        return None
    return Population.of(strongest_reading(row.entry)).by_reading_bits


def _strongest(row: ComparisonRow) -> str:
    if _strongest_bits(row) is None:
        return NOTHING
    reading = strongest_reading(row.entry)
    found = Population.of(reading)
    how = say(f"name.normalised-{reading.normalisation.value}") if reading.normalisation else ""
    shown = rounded("d_ece_bits", found.by_reading_bits, found.n).removesuffix(BIT.suffix)
    if found.interval is not None and found.bits == found.by_reading_bits:
        shown = below_its_unit("d_ece_bits", found.bits, found.interval)
    return with_aside(shown, how)


_LOW, _HIGH = BetterDirection.LOWER, BetterDirection.HIGHER
_CORRECTED = ComparisonColumn(
    "d_ece_corrected",
    _corrected_bits,
    _corrected,
    BetterDirection.LOWER,
    FULL_DISCLOSURE_BITS,
    figure="d_ece_bits",
    kept_as="d_ece_corrected_bits",
)
_BETTER = {
    DisclosureDirection.MORE: _LOW,
    DisclosureDirection.LESS: _HIGH,
    DisclosureDirection.NEITHER: BetterDirection.NEITHER,
}
_BESIDE = {
    "d_ece": ComparisonColumn("share", _shown_share, _share, _LOW),
    "worst_case": ComparisonColumn(
        "tag",
        lambda row: row.assessment.worst_case_log10_lr,
        lambda row: visible(tag_in_words(row.entry)),
        _LOW,
    ),
    "ceiling": replace(
        figure_column(
            "cross_fitted",
            lambda row: row.assessment.cross_fitted.worst_case_log10_lr,
            strength,
            _LOW,
            first=False,
        ),
        figure="cross_fitted_worst_case_log10_lr",
    ),
}
"""Columns that tell a figure once more, by the code of the figure that they follow."""
_OF_ITS_SIDE: dict[str, Callable[[ComparisonRow], float | None]] = {
    "ceiling": lambda row: abs(row.assessment.strongest_ceiling_log10_lr)
}
"""The promised key has the higher of two ceilings; beside a worst case stands that of its direction."""


def _of_figures() -> Iterator[ComparisonColumn]:
    """The figures of the assessment, in the order of the registry."""
    for metric in METRICS:
        if metric.column is None:
            continue
        if metric.code == "d_ece":
            yield _CORRECTED
        yield _of_metric(metric, metric.column)
        if metric.code in _BESIDE:
            yield _BESIDE[metric.code]


def _of_metric(metric: Metric, look: ColumnLook) -> ComparisonColumn:
    """The column of a metric: values with intervals, if known; D_ECE with another reading that tells more."""
    of = _OF_ITS_SIDE.get(metric.code, partial(_value, metric))

    def shown(row: ComparisonRow) -> str:
        if metric.code in _OF_ITS_SIDE:
            return metric.format.words(of(row))
        if metric.code == "d_ece":
            return with_aside(as_printed(metric.key, row.assessment), reading_in_a_cell(row.assessment))
        return in_a_cell(metric.key, row.assessment, row.entry.trust)

    better = _BETTER[metric.discloses]
    return ComparisonColumn(
        metric.code,
        of,
        shown,
        better,
        look.bar_end,
        is_shown_first=look.is_shown_first,
        figure=metric.key,
    )


def _value(metric: Metric, row: ComparisonRow) -> float | None:
    value = metric.of(row.assessment)
    return None if isinstance(value, str) else value


def _kept(
    code: str, of: Callable[[ComparisonRow], str], said: Callable[[str], str] = attack_as_said
) -> ComparisonColumn:
    """Words that are kept in English, sorted by these."""
    plain = text_column(code, of, first=False)
    return replace(plain, shown=lambda row: visible(said(of(row)), 400) or NOTHING)


COLUMNS = (
    text_column("name", lambda row: row.system),
    _kept("dataset", lambda row: row.group.dataset, dataset_as_said),
    text_column("condition", _condition, first=False),
    _kept("attacker", lambda row: row.group.attacker),
    _kept("knowledge", lambda row: row.entry.attacker),
    _kept("recogniser", lambda row: row.entry.recogniser),
    _kept("back_end", lambda row: row.entry.back_end),
    ComparisonColumn("rank", lambda row: row.rank, _rank, _LOW, kept_as="rank"),
    *_of_figures(),
    ComparisonColumn(
        "d_ece_strongest",
        _strongest_bits,
        _strongest,
        _LOW,
        FULL_DISCLOSURE_BITS,
        kept_as=STRONGEST,
        more=lambda row: {
            "normalisation": reading.value
            if (reading := strongest_reading(row.entry).normalisation)
            else None
        },
    ),
    _relative("de_id", "de_id", lambda row: row.de_id, _of_matrices, _HIGH, 1.0, first=True),
    _relative("g_vd", "g_vd_db", lambda row: row.g_vd_db, _of_matrices, _HIGH, first=True, kept_as="g_vd_db"),
    _relative("c_ece", "d_ece_bits", lambda row: row.c_ece_bits, _of_trials, _LOW, kept_as="c_ece_bits"),
    _relative("d_ece_op_oo", "d_ece_op_oo", lambda row: row.d_ece_loss, _of_trials, _HIGH, 1.0),
    _relative("min_cllr_op_oo", "min_cllr_op_oo", lambda row: row.min_cllr_loss, _of_trials, _HIGH, 1.0),
    _relative("g_d_ece", "g_d_ece_db", lambda row: row.d_ece_gain_db, _of_trials, kept_as="g_d_ece_db"),
    _relative("g_cllr", "g_cllr_db", lambda row: row.min_cllr_gain_db, _of_trials, kept_as="g_cllr_db"),
    _of_words("wer", lambda row: row.utility.wer, _wer, _LOW),
    _of_words("cer", lambda row: row.utility.cer, _cer, _LOW),
    _of_words("uar", lambda row: row.utility.uar, _uar, _HIGH, first=False),
    _rated("intelligibility", RatingQuestion.INTELLIGIBILITY),
    _rated("naturalness", RatingQuestion.NATURALNESS),
    ComparisonColumn("heard", _heard, _heard_in_words, _HIGH, _CHANCE, is_shown_first=False, kept_as="heard"),
    ComparisonColumn(
        "trials", lambda row: float(row.assessment.n_target + row.assessment.n_nontarget), _trials
    ),
)
"""Everything that is compared, in its order."""

COMPARED = tuple(one for one in COLUMNS if one.kept_as and one is not _CORRECTED)
"""What JSON, CSV and frames have beside the figures of the assessment."""

ALL_COLUMNS = (*COLUMNS, *ANSWER_COLUMNS, *PEOPLE_COLUMNS, *INFERENCE_COLUMNS)
"""With what takes its time, for those who ask."""

GROUP_COLUMNS = tuple(one for one in COLUMNS if one.code in ("dataset", "condition", "attacker"))
"""What a group is of."""


def column(code: str) -> ComparisonColumn:
    """The column of this code. Raises KeyError."""
    return {one.code: one for one in ALL_COLUMNS}[code]


def as_record(row: ComparisonRow) -> dict[str, Any]:
    """What it is of, and every figure unrounded, without those that are objects; None where undefined."""
    entry = row.entry
    return {
        "dataset": row.group.dataset,
        "condition": row.group.condition.value if row.group.condition else None,
        "safeguard": entry.name,
        "run": entry.run,
        **entry.attacked_by,
        **{metric.key: metric.as_json(row.assessment) for metric in METRICS},
        **_CORRECTED.as_json(row),
        **kept_as_json(row, (*COMPARED, *PEOPLE_COLUMNS)),
        **row.certainty_as_json(),
    }


# The names that the reference toolkit's challenge script gives to datasets, tasks, figures and tables.


TASKS = {Condition.OO: "o-o", Condition.OP: "o-a", Condition.PP: "a-a", None: ""}
_NOT_IN_ITS_NAMES = ("test", "trials")
_GENDERS = ("f", "m")


class ChallengeNames(NamedTuple):
    """What the toolkit calls a group: "vctk_common", "o-a", "f". Empty where nothing is known."""

    dataset: str
    task: str
    gender: str

    def __str__(self) -> str:
        """The group as it stands in the names of the toolkit's figures: vctk_common-o-a-f."""
        return "-".join(part for part in self if part)


def challenge_names(group: ComparisonGroup) -> ChallengeNames:
    """The toolkit's names for a group; its dataset is libri_f, vctk_f_common, vctk_test_trials_f or such."""
    parts = [part for part in group.dataset.split("_") if part not in _NOT_IN_ITS_NAMES]
    gender = next((part for part in parts if part in _GENDERS), "")
    if gender:
        parts.remove(gender)
    return ChallengeNames("_".join(parts), TASKS[group.condition], gender)


def challenge_system(row: ComparisonRow) -> str:
    """A system as evaluations call its folder: B2, and B2r_run1 for run 1 of B2r."""
    name, run = row.entry.name, row.entry.run
    return f"{name}_run{run}" if run.isdigit() else "_".join(part for part in (name, run) if part)
