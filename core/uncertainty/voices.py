"""Intervals for the figures of similarity matrices: speakers drawn again, cells counted by their speakers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from core.errors import Cancelled, InputError
from core.progress import Progress, no_progress
from core.speakers.trials import SpeakerTrials
from core.trials import CodeArray, FloatArray
from core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings
from core.uncertainty.draws import FigureDraws
from core.uncertainty.intervals import Interval
from core.uncertainty.resampling import FEWEST_CLUSTERS, Clusters, Unit
from core.uncertainty.weighted import FIGURES, SortedTrials
from core.voices import SETTINGS, VoiceSimilarity
from core.zebra import FULL_DISCLOSURE_BITS

BY_SETTING: Mapping[str, tuple[float, float]] = {
    "d_diag": (0.0, 1.0),
    "d_ece_bits": (0.0, FULL_DISCLOSURE_BITS),
    "min_cllr_bits": (0.0, 1.0),
}
"""Figures of one setting, named d_diag_oo and so on, with the range that no interval leaves."""

RELATIVE: Mapping[str, tuple[float, float]] = {
    "de_id": (-np.inf, 1.0),
    "g_vd_db": (-np.inf, np.inf),
    "d_ece_op_oo": (-np.inf, 1.0),
    "min_cllr_op_oo": (-np.inf, 1.0),
    "g_d_ece_db": (-np.inf, np.inf),
    "g_cllr_db": (-np.inf, np.inf),
}
"""Figures of two settings, named as those of `VoiceSimilarity`."""

VOICE_FIGURES: Mapping[str, tuple[float, float]] = {
    **{f"{name}_{setting}": ends for name, ends in BY_SETTING.items() for setting in SETTINGS},
    **RELATIVE,
}
"""Everything that is drawn, with its range."""

_OF_CELLS = frozenset({"de_id", "g_vd_db", *(f"d_diag_{setting}" for setting in SETTINGS)})
_AT_ONCE = 16  # draws between two looks at whether somebody stops it


@dataclass(frozen=True, eq=False)
class VoicesUncertainty:
    """Draws of those of VOICE_FIGURES that are defined; `replicates` is what there is of those asked for."""

    settings: BootstrapSettings
    replicates: int
    n_speakers: int
    figures: Mapping[str, FigureDraws]

    @property
    def is_complete(self) -> bool:
        """Whether nobody stopped it before its end."""
        return self.replicates == self.settings.replicates

    @property
    def intervals(self) -> dict[str, Interval]:
        """The intervals at the level and by the method of the settings."""
        level, method = self.settings.level, self.settings.method
        return {name: draws.interval(level, method) for name, draws in self.figures.items()}


def figure_of(voices: VoiceSimilarity, name: str) -> float | None:
    """One of VOICE_FIGURES as the matrices have it; None where it is not defined."""
    if name in RELATIVE:
        value: float | None = getattr(voices, name)
        return value
    of_setting, setting = name[:-3], name[-2:]
    if of_setting == "d_diag":
        return voices.d_diag(setting)
    matrix = voices.matrices.get(setting)
    return getattr(matrix, of_setting) if matrix else None


def is_optimistic(name: str) -> bool:
    """Whether it rests on the plain PAV, whose bias carries over to shares and gains."""
    return name not in _OF_CELLS


def voices_bootstrap(
    voices: VoiceSimilarity,
    settings: BootstrapSettings | None = None,
    *,
    trials: Mapping[str, SpeakerTrials] | None = None,
    on_progress: Progress = no_progress,
) -> VoicesUncertainty:
    """Draw the speakers of the matrices again and again; O(replicates · speakers²) for each matrix.

    Somebody drawn w times is in w rows and columns: the cell of i with itself counts w_i times, as there are
    w_i people who are like themselves, and that of i with j w_i·w_j times. All settings share each draw, so
    that DeID and G_VD are those of pairs. The calibration behind the cells is held as it is, which makes
    intervals a little narrower than if it were learnt anew. With `trials`, those of each setting between
    the same speakers (`SpokenSegments.trials`), D_ECE and min Cllr, the disclosure relative to OO and the
    gains of voice distinctiveness by both (csl2022, eq. 17 to 20) are drawn too; for these the PAV is learnt
    anew, and the intervals are freed of its optimism as those of an assessment are. Stopped (Cancelled) it
    returns what there is, if that is at least 20 replicates. Raises InputError for fewer than three speakers.
    """
    settings = settings or BootstrapSettings()
    n = len(voices.speakers)
    if n < FEWEST_CLUSTERS:
        raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
    drawing = _Drawing.of(voices, trials or {})
    before = 1 + drawing.clusters.n_left_out
    work, weights, tables = before + settings.replicates, drawing.weights(settings), []
    done = 0
    try:
        while block := list(islice(weights, _AT_ONCE)):
            on_progress(done / work)
            tables.append(drawing.figures(np.array(block)))
            done += len(block)
        on_progress(1.0)
    except Cancelled:
        if done < before + FEWEST_REPLICATES:
            raise
    values = {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
    figures = {
        name: FigureDraws(
            float(of_name[0]),
            of_name[before:],
            of_name[1:before],
            n,
            is_optimistic(name),
            *VOICE_FIGURES[name],
        )
        for name, of_name in values.items()
        if figure_of(voices, name) is not None and not np.isnan(of_name[before:]).all()
    }
    return VoicesUncertainty(settings, done - before, n, figures)


@dataclass(frozen=True, eq=False)
class _Drawing:
    """What speakers are drawn from: cells of the matrices, and ordered trials, by setting."""

    clusters: Clusters
    cells: Mapping[str, FloatArray]
    ordered: Mapping[str, SortedTrials]

    @classmethod
    def of(cls, voices: VoiceSimilarity, trials: Mapping[str, SpeakerTrials]) -> _Drawing:
        n, nothing = len(voices.speakers), np.zeros(0, dtype=np.int32)
        return cls(
            Clusters(n, nothing, nothing, np.zeros(n, dtype=np.int64), Unit.SPEAKER),
            {setting: matrix.cells(voices.mean) for setting, matrix in voices.matrices.items()},
            {
                setting: SortedTrials.of(of_setting, Clusters.of_speaker_trials(of_setting))
                for setting, of_setting in trials.items()
                if voices.matrices[setting].is_calibrated
            },
        )

    def weights(self, settings: BootstrapSettings) -> Iterator[CodeArray]:
        """As it is, then the jackknife, then the draws."""
        rng = np.random.default_rng(settings.seed)
        draws = (self.clusters.draw(rng) for _ in range(settings.replicates))
        return chain([self.clusters.all_once], self.clusters.left_out(), draws)

    def figures(self, weights: CodeArray) -> dict[str, FloatArray]:
        """Every figure under each row of weights, NaN where it is not defined."""
        counted = weights[:, :-1].astype(np.float64)
        values = {f"d_diag_{s}": np.abs(_dominance(cells, counted)) for s, cells in self.cells.items()}
        _relate(values, "d_diag", "de_id", "g_vd_db")
        saved = {}
        for setting, ordered in self.ordered.items():
            d_ece, min_cllr = _pav_figures(ordered, weights)
            values |= {f"d_ece_bits_{setting}": d_ece, f"min_cllr_bits_{setting}": min_cllr}
            saved[f"saved_{setting}"] = 1.0 - min_cllr
        _relate(values, "d_ece_bits", "d_ece_op_oo", "g_d_ece_db")
        _relate(saved, "saved", "min_cllr_op_oo", "g_cllr_db")
        values |= {name: of_name for name, of_name in saved.items() if name in RELATIVE}
        return {name: np.where(np.isfinite(of_name), of_name, np.nan) for name, of_name in values.items()}


def _pav_figures(ordered: SortedTrials, weights: CodeArray) -> tuple[FloatArray, FloatArray]:
    """D_ECE and min Cllr under each row of weights; NaN where a class is empty."""
    at = [FIGURES.index("d_ece_bits"), FIGURES.index("min_cllr_bits")]
    rows = np.full((len(weights), 2), np.nan)
    for row, weight in enumerate(weights):
        if measured := ordered.figures(weight, np.zeros(1)):
            rows[row] = measured[0][at]
    return rows[:, 0], rows[:, 1]


def _relate(values: dict[str, FloatArray], figure: str, loss: str, gain: str) -> None:
    """Add what OP loses and PP gains relative to OO, where there are both."""
    oo, op, pp = (values.get(f"{figure}_{setting}") for setting in SETTINGS)
    with np.errstate(divide="ignore", invalid="ignore"):
        if oo is not None and op is not None:
            values[loss] = 1.0 - op / oo
        if oo is not None and pp is not None:
            values[gain] = 10.0 * np.log10(pp / oo)


def _dominance(cells: FloatArray, weights: FloatArray) -> FloatArray:
    """`similarity.signed_dominance` under each row of weights (k, speakers), shape (k,); NaN if undefined."""
    filled = ~np.isnan(cells)
    own, own_filled = np.where(filled, cells, 0.0).diagonal(), filled.diagonal()
    others, others_filled = np.where(filled, cells, 0.0), filled.astype(np.float64)
    np.fill_diagonal(others, 0.0)
    np.fill_diagonal(others_filled, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        diagonal = (weights @ own) / (weights @ own_filled)
        rest = ((weights @ others) * weights).sum(1) / ((weights @ others_filled) * weights).sum(1)
        return np.asarray(diagonal - rest)
