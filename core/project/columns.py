"""The columns of a comparison: one list for the window, CSV, Markdown, TeX and what is copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial

from zebra_core.metrics.metric import Discloses, Metric
from zebra_core.metrics.reading import shown_tag
from zebra_core.metrics.registry import METRICS
from zebra_core.project.comparison import Row
from zebra_core.project.settled import span_in_words
from zebra_core.uncertainty.precision import below_its_unit
from zebra_core.utility.listening import Question
from zebra_core.wording.texts import grouped, say, visible
from zebra_core.wording.wording import decibels, log10_lr, percent, share, signed

NOTHING = "–"
_CHANCE = 0.5  # the error rate of guessing

Value = str | float | None


class Better(Enum):
    """Which way a figure speaks for a safeguard."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True)
class Column:
    """A column: what is sorted by, what is shown, and which way is better for those who are protected.

    `bar_end` is the value that fills a cell's bar, which begins at 0; None for no bar. Its words are in the
    texts: `column.<code>` is the head with the unit, `column.<code>-means` says it in a sentence.
    """

    code: str
    value: Callable[[Row], Value]
    shown: Callable[[Row], str]
    better: Better = Better.NEITHER
    bar_end: float | None = None
    is_text: bool = False
    is_shown_first: bool = True  # in the window, until the user chooses

    @property
    def head(self) -> str:
        """What stands above it."""
        return say(f"column.{self.code}")

    @property
    def meaning(self) -> str:
        """What it tells, in a sentence, and which way is better."""
        return " ".join([say(f"column.{self.code}-means"), *self._direction()])

    def _direction(self) -> list[str]:
        return [say(f"column.better-{self.better.value}")] if self.better is not Better.NEITHER else []


def _text(code: str, of: Callable[[Row], str], *, first: bool = True) -> Column:
    # Sorted by the text itself; shown on one line with nothing invisible in it.
    return Column(code, of, lambda row: visible(of(row), 400) or NOTHING, is_text=True, is_shown_first=first)


def _figure(
    code: str,
    of: Callable[[Row], float | None],
    word: Callable[[float], str],
    better: Better = Better.NEITHER,
    bar_end: float | None = None,
    *,
    first: bool = True,
    drawn: str = "",
) -> Column:
    """`drawn` is what its interval is called, which is shown where it is known."""

    def shown(row: Row) -> str:
        value = of(row)
        trust = row.entry.trust
        if value is not None and trust is not None and (ends := trust.uncertainty.interval(drawn)):
            return below_its_unit(drawn, trust.uncertainty.shown(drawn), ends)
        return NOTHING if value is None else word(value)

    return Column(code, of, shown, better, bar_end, is_shown_first=first)


def _condition(row: Row) -> str:
    return row.group.condition.value if row.group.condition else ""


def _trials(row: Row) -> str:
    return f"{grouped(row.assessment.n_target)} / {grouped(row.assessment.n_nontarget)}"


def _rank(row: Row) -> str:
    """The rank; where differences were tested, those that are left open, and whether it is settled."""
    if row.ranks is not None:
        return span_in_words(row.ranks)
    return NOTHING if row.rank is None else say("rank.untested", rank=row.rank)


def _signed_percent(value: float) -> str:
    return percent(value).replace("-", "−")


def _rating(question: Question) -> Callable[[Row], float | None]:
    def of(row: Row) -> float | None:
        ratings = row.utility.listening.get(question)
        if ratings is None:
            return None
        return ratings.upper_mean if row.group.is_of_unprotected else ratings.lower_mean

    return of


def _heard(row: Row) -> float | None:
    ratings = row.utility.listening.get(Question.SIMILARITY)
    return None if ratings is None else ratings.eer


_LOW, _HIGH = Better.LOWER, Better.HIGHER
_BETTER = {Discloses.MORE: _LOW, Discloses.LESS: _HIGH, Discloses.NEITHER: Better.NEITHER}
_BESIDE = {
    "d_ece": _figure("share", lambda row: row.assessment.share_of_full_disclosure, share, _LOW),
    "worst_case": Column(
        "tag",
        lambda row: row.assessment.worst_case_log10_lr,
        lambda row: visible(shown_tag(row.assessment)),
        _LOW,
    ),
    "ceiling": _figure(
        "cross_fitted",
        lambda row: row.assessment.cross_fitted.worst_case_log10_lr,
        log10_lr,
        _LOW,
        first=False,
    ),
}
"""Columns that tell a figure once more, by the code of the figure that they follow."""
_OF_ITS_SIDE: dict[str, Callable[[Row], float | None]] = {
    "ceiling": lambda row: abs(row.assessment.strongest_ceiling_log10_lr)
}
"""The promised key has the higher of two ceilings; beside a worst case stands that of its direction."""


def _of_figures() -> Iterator[Column]:
    """The figures of the assessment, in the order of the registry."""
    for metric in METRICS:
        if (look := metric.column) is None:
            continue
        yield _figure(
            metric.code,
            _OF_ITS_SIDE.get(metric.code, partial(_value, metric)),
            metric.format.words,
            _BETTER[metric.discloses],
            look.bar_end,
            first=look.is_shown_first,
            drawn=metric.key,
        )
        if metric.code in _BESIDE:
            yield _BESIDE[metric.code]


def _value(metric: Metric, row: Row) -> float | None:
    value = metric.of(row.assessment)
    return None if isinstance(value, str) else value


COLUMNS = (
    _text("name", lambda row: row.system),
    _text("dataset", lambda row: row.group.dataset, first=False),
    _text("condition", _condition, first=False),
    _text("attacker", lambda row: row.group.attacker, first=False),
    Column("rank", lambda row: row.rank, _rank, _LOW),
    *_of_figures(),
    _figure("de_id", lambda row: row.de_id, _signed_percent, _HIGH, 1.0),
    _figure("g_vd", lambda row: row.g_vd_db, decibels, _HIGH),
    _figure("c_ece", lambda row: row.c_ece_bits, signed, _LOW, first=False),
    _figure("d_ece_op_oo", lambda row: row.d_ece_loss, _signed_percent, _HIGH, 1.0, first=False),
    _figure("min_cllr_op_oo", lambda row: row.min_cllr_loss, _signed_percent, _HIGH, 1.0, first=False),
    _figure("g_d_ece", lambda row: row.d_ece_gain_db, decibels, first=False),
    _figure("g_cllr", lambda row: row.min_cllr_gain_db, decibels, first=False),
    _figure("wer", lambda row: row.utility.wer, percent, _LOW, 1.0),
    _figure(
        "intelligibility", _rating(Question.INTELLIGIBILITY), lambda mean: f"{mean:.2f}", _HIGH, first=False
    ),
    _figure("naturalness", _rating(Question.NATURALNESS), lambda mean: f"{mean:.2f}", _HIGH, first=False),
    _figure("heard", _heard, percent, _HIGH, _CHANCE, first=False),
    Column("trials", lambda row: float(row.assessment.n_target + row.assessment.n_nontarget), _trials),
)
"""Everything that is compared, in its order."""

GROUP_COLUMNS = tuple(one for one in COLUMNS if one.code in ("dataset", "condition", "attacker"))
"""What a group is of."""


def column(code: str) -> Column:
    """The column of this code. Raises KeyError."""
    return {one.code: one for one in COLUMNS}[code]
