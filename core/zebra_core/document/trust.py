"""How far figures can be trusted, in a project file: the draws themselves, from which all else follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import numpy as np
from msgspec import Meta

from zebra_core.document.container import numbers_as_bytes, numbers_of
from zebra_core.document.parts import Json, SavedValue, remark_as_json, remark_of, remarks_of
from zebra_core.errors import InputError
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.evidence.value_types import as_json
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.chance.seeds import MOST_LEFT_OUT
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.project.requirements.figures import RANK_DISCLOSURE
from zebra_core.project.requirements.requirement import MOST_REQUIREMENTS
from zebra_core.uncertainty.bootstrap import (
    FEWEST_REPLICATES,
    MOST_REPLICATES,
    OPTIMISTIC,
    RANGES,
    SCALES,
    BootstrapSettings,
    Uncertainty,
    range_of,
)
from zebra_core.uncertainty.intervals import AT_ERROR
from zebra_core.uncertainty.linking_points import rank_draws_of
from zebra_core.uncertainty.no_disclosure import FEWEST_DEALS, NULL_FIGURES, Exchange, NoDisclosure
from zebra_core.uncertainty.one_sided import DEVIATES, ExposureBounds, LinkageBounds, PeopleBounds
from zebra_core.uncertainty.resampling import (
    FEWEST_CLUSTERS,
    BoundedFigure,
    FigureDraws,
    ResamplingUnit,
    rate_draws,
)
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.uncertainty.weighted import FIGURES

_ROUNDING = 1e-9
_MOST_PEOPLE = 10_000_000
DRAWS, LEFT_OUT, _BAND, _NULL, _NULL_BAND = "draws", "left-out", "band", "null", "null-band"
_BOUNDED, _BOUNDED_LEFT_OUT = "bounded", "bounded-left-out"
_EXPOSURE, _LINKAGE = "exposure", "linkage"

ReadMember = Callable[[str], bytes]


def trust_as_json(trust: AssessmentTrust, number: int | str) -> tuple[Json, dict[str, bytes]]:
    """What project.json says of it, for the item with this number, and its arrays as members.

    Of normalised scores the number has that, too ("12-z"). `drawn` names the figures that rows of the arrays
    are of; a row of NaN stands for what was not measurable.
    """
    found, null = trust.uncertainty, trust.null
    left_out_times = len(next(iter(found.figures.values())).left_out)
    missing = np.full(found.replicates, np.nan), np.full(left_out_times, np.nan)
    rows = [
        (draws.draws, draws.left_out) if (draws := found.figures.get(name)) else missing for name in FIGURES
    ]
    members = {
        member_of(number, DRAWS): numbers_as_bytes([draws for draws, _ in rows]),
        member_of(number, LEFT_OUT): numbers_as_bytes([left_out for _, left_out in rows]),
        member_of(number, _BAND): numbers_as_bytes([found.band_low, found.band_high]),
    }
    values: Json = {
        "member": int(str(number).partition("-")[0]),
        **as_json(found.settings),
        "clusters": found.n_clusters,
        "fewest": found.n_fewest,
        "unit": found.unit.value,
        "drawn": list(FIGURES),
        "figures": {name: draws.estimate for name, draws in found.figures.items()},
        "remarks": [remark_as_json(remark) for remark in found.remarks],
        "null": None,
        "bounded": {},
        "people": None,
    }
    if null is not None:
        members[member_of(number, _NULL)] = numbers_as_bytes(list(null.draws.values()))
        members[member_of(number, _NULL_BAND)] = numbers_as_bytes([null.band_low, null.band_high])
        values["null"] = {
            "exchange": null.exchange.value,
            "seed": null.seed,
            "drawn": list(null.draws),
            "remarks": [remark_as_json(remark) for remark in null.remarks],
        }
    for place, (key, one) in enumerate(trust.bounded.items()):
        values["bounded"][key] = _bounded_as_json(one, number, place, members)
    if trust.people is not None:
        values["people"] = _people_as_json(trust.people, number, members)
    return values, members


def _bounded_as_json(one: BoundedFigure, number: int | str, place: int, members: dict[str, bytes]) -> Json:
    """A figure that is required, with its draws as members."""
    draws = one.draws
    if draws is not None:
        members[member_of(number, f"{_BOUNDED}-{place}")] = numbers_as_bytes([draws.draws])
        members[member_of(number, f"{_BOUNDED_LEFT_OUT}-{place}")] = numbers_as_bytes([draws.left_out])
    return {
        "estimate": draws.estimate if draws else None,
        "highest": draws.highest if draws and np.isfinite(draws.highest) else None,
        "clusters": draws.n_clusters if draws else None,
        "chance": one.chance,
        "why": remark_as_json(one.why) if one.why else None,
    }


def _people_as_json(people: PeopleBounds, number: int | str, members: dict[str, bytes]) -> Json:
    """Without names; `exposure` and `linkage` say whether there are arrays of them, of how many enrolled."""
    exposure = people.exposure
    if exposure is not None:
        members[member_of(number, _EXPOSURE)] = numbers_as_bytes(
            [exposure.recordings.astype(np.float64), exposure.error, *exposure.bits.T]
        )
    if people.linkage:
        rows = [row for one in people.linkage for row in (one.recordings.astype(np.float64), one.total)]
        members[member_of(number, _LINKAGE)] = numbers_as_bytes(rows)
    return {
        "bits_apart": None if people.bits_apart is None else people.bits_apart.tolist(),
        "exposure": exposure is not None,
        "linkage": [one.people for one in people.linkage],
        "unknown": people.linkage[0].n_unknown if people.linkage else 0,
    }


def trust_of(
    saved: SavedValue, assessment: Assessment, read_member: ReadMember, normalised: str = ""
) -> AssessmentTrust:
    """What `trust_as_json` wrote about this assessment. Raises InputError at what no draws can be."""
    arrays = Arrays(f"{saved['member'].whole(1, 99_999)}{normalised}", saved.file, read_member)
    settings, n = saved.as_a(BootstrapSettings), saved["clusters"].whole(FEWEST_CLUSTERS)
    fewest = saved["fewest"].whole(2, n)
    names = _drawn(saved, FIGURES)
    draws = arrays.read(DRAWS, len(names))
    left_out = arrays.read(LEFT_OUT, len(names))
    # segments of speakers whom nobody knows are no speakers, yet are left out in their turn
    if not min(n, MOST_LEFT_OUT) <= left_out.shape[1] <= MOST_LEFT_OUT:
        arrays.refuse(LEFT_OUT)
    if not FEWEST_REPLICATES <= draws.shape[1] <= settings.replicates:
        arrays.refuse(DRAWS)
    figures, unit = {}, saved["unit"].as_a(ResamplingUnit)
    for name, estimate in saved["figures"].fields(len(names)).items():
        if name not in names:
            saved["figures"].refuse("object")
        at, ends = names.index(name), RANGES[name]
        if np.isnan(draws[at]).all() or not (within(draws[at], ends) and within(left_out[at], ends)):
            arrays.refuse(DRAWS)
        figures[name] = FigureDraws(
            estimate.number(*ends),
            draws[at],
            left_out[at],
            fewest,
            name in OPTIMISTIC,
            *range_of(name, assessment),
            SCALES.get(name),
            AT_ERROR.get(name, ()) if unit is ResamplingUnit.SPEAKER else (),
        )
    if "d_ece_bits" not in figures:
        saved["figures"].refuse("object")
    low, high = _band(arrays, _BAND, assessment)
    found = Uncertainty(
        settings=settings,
        replicates=draws.shape[1],
        figures=figures,
        prior_log_odds=assessment.profile.prior_log_odds,
        band_low=low,
        band_high=high,
        n_clusters=n,
        unit=unit,
        remarks=remarks_of(saved["remarks"]),
    )
    null = saved["null"].or_none(lambda null: _null_of(null, assessment, arrays))
    bounded = {
        key: _bounded_of(key, one, arrays, place)
        for place, (key, one) in enumerate(saved["bounded"].fields(MOST_REQUIREMENTS).items())
    }
    people = saved["people"].or_none(lambda people: _people_of(people, arrays))
    return AssessmentTrust(assessment, found, null, bounded, people)


def _people_of(saved: SavedValue, arrays: Arrays) -> PeopleBounds:
    """What `_people_as_json` wrote."""
    exposure, linkage = None, list[LinkageBounds]()
    if saved["exposure"].as_a(bool):
        recordings, error, *bits = arrays.read(_EXPOSURE, 2 + len(DEVIATES))
        table = np.array(bits).T
        is_known = np.isfinite(table).all() and np.isfinite(error).all() and (error >= 0.0).all()
        if not (is_known and (np.diff(table, axis=1) >= -_ROUNDING).all()):
            arrays.refuse(_EXPOSURE)
        exposure = ExposureBounds(_whole(recordings, arrays, _EXPOSURE), table, error)
    among = [row.whole(2) for row in saved["linkage"].rows(1 + MOST_REQUIREMENTS)]
    unknown, rows = saved["unknown"].whole(), list(arrays.read(_LINKAGE, 2 * len(among))) if among else []
    for people, recordings, total in zip(among, rows[::2], rows[1::2], strict=True):
        if not ((total >= 0.0) & (total <= recordings * (1.0 + _ROUNDING))).all():
            arrays.refuse(_LINKAGE)
        linkage.append(LinkageBounds(_whole(recordings, arrays, _LINKAGE), total, people, unknown))
    apart = saved["bits_apart"].as_a(Annotated[list[float], Meta(max_length=_MOST_PEOPLE)] | None)
    return PeopleBounds(exposure, tuple(linkage), None if apart is None else np.array(apart))


def _whole(values: FloatArray, arrays: Arrays, part: str) -> IntArray:
    """Numbers of recordings, 1 or more."""
    if not (len(values) and (values == np.round(values)).all() and (values >= 1.0).all()):
        arrays.refuse(part)
    return values.astype(np.int64)


def _bounded_of(key: str, saved: SavedValue, arrays: Arrays, place: int) -> BoundedFigure:
    """What `_bounded_as_json` wrote; NaN where a draw could not measure it."""
    chance, why = saved["chance"].or_none(lambda one: one.number(0.0, 1.0)), saved["why"].or_none(remark_of)
    estimate = saved["estimate"].or_none(lambda one: one.number(0.0))
    if estimate is None:
        return BoundedFigure(None, chance, why)
    highest = saved["highest"].or_none(lambda one: one.number(estimate))
    ends = (0.0, np.inf if highest is None else highest)
    draws = arrays.column(f"{_BOUNDED}-{place}", FEWEST_REPLICATES, ends)
    left_out = arrays.column(f"{_BOUNDED_LEFT_OUT}-{place}", 1, ends)
    n, kind = saved["clusters"].whole(FEWEST_CLUSTERS), key.partition(":")[0]
    if highest is None:
        return BoundedFigure(FigureDraws(estimate, draws, left_out, n, lowest=0.0), chance, why)
    if kind == RANK_DISCLOSURE:
        return BoundedFigure(rank_draws_of(estimate, draws, left_out, n, highest), chance, why)
    return BoundedFigure(rate_draws(estimate, draws, left_out, n), chance, why)


def _drawn(saved: SavedValue, known: Sequence[str]) -> Sequence[str]:
    """The names of the figures that rows of the arrays are of."""
    names = tuple(row.as_a(str) for row in saved["drawn"].rows(len(known)))
    if not names or len(set(names)) < len(names) or not set(names) <= set(known):
        saved["drawn"].refuse("list")
    return names


def _null_of(saved: SavedValue, assessment: Assessment, arrays: Arrays) -> NoDisclosure:
    names = _drawn(saved, NULL_FIGURES)
    table = arrays.read(_NULL, len(names))
    draws: Mapping[str, FloatArray] = dict(zip(names, table, strict=True))
    if table.shape[1] < FEWEST_DEALS or not all(within(draws[name], RANGES[name]) for name in draws):
        arrays.refuse(_NULL)
    if np.isnan(table).any():
        arrays.refuse(_NULL)
    low, high = _band(arrays, _NULL_BAND, assessment)
    return NoDisclosure(
        observed={name: getattr(assessment, name) for name in names},
        draws=draws,
        prior_log_odds=assessment.profile.prior_log_odds,
        band_low=low,
        band_high=high,
        exchange=saved["exchange"].as_a(Exchange),
        seed=saved["seed"].whole(),
        remarks=remarks_of(saved["remarks"]),
    )


class Arrays:
    """The arrays of one item."""

    def __init__(self, number: int | str, file: str, read_member: ReadMember) -> None:
        self._number, self._file, self._read = number, file, read_member

    def read(self, part: str, n_rows: int, n_columns: int | None = None) -> FloatArray:
        """A table of this shape. Raises InputError."""
        member = member_of(self._number, part)
        table = numbers_of(self._read(member), n_rows, self._file, member)
        if n_columns is not None and table.shape[1] != n_columns:
            self.refuse(part)
        return table

    def column(self, part: str, fewest: int, ends: tuple[float, float]) -> FloatArray:
        """One row of at least so many values within these ends, NaN where one could not be measured."""
        values: FloatArray = self.read(part, 1)[0]
        is_right = fewest <= len(values) <= MOST_REPLICATES and within(values, ends)
        if not is_right or np.isnan(values).all() or np.isinf(values).any():
            self.refuse(part)
        return values

    def refuse(self, part: str) -> None:
        """Raise InputError: it is not what can stand there."""
        raise InputError("project-array", file=self._file, member=member_of(self._number, part))


def member_of(number: int | str, part: str) -> str:
    """What an array of an item is called in the container."""
    return f"trust/{number}-{part}.npy"


def _band(arrays: Arrays, part: str, assessment: Assessment) -> tuple[FloatArray, FloatArray]:
    priors = assessment.profile.prior_log_odds
    low, high = arrays.read(part, 2, len(priors))
    top = prior_entropy_bits(priors) + _ROUNDING
    if not ((low >= -_ROUNDING) & (low <= high) & (high <= top)).all():  # NaN is none of these
        arrays.refuse(part)
    return low, high


def within(values: FloatArray, ends: tuple[float, float]) -> bool:
    """Whether all values that are there lie between these ends, but for rounding."""
    there = values[~np.isnan(values)]
    return bool(((there >= ends[0] - _ROUNDING) & (there <= ends[1] + _ROUNDING)).all())
