"""How far figures of similarity matrices can be trusted, in a project file: the draws themselves."""

from __future__ import annotations

import math

import numpy as np

from zebra_core.document.container import numbers_as_bytes
from zebra_core.document.parts import Json, SavedValue
from zebra_core.document.trust import (
    DRAWS,
    LEFT_OUT,
    Arrays,
    ReadMember,
    member_of,
    within,
)
from zebra_core.evidence.value_types import as_json
from zebra_core.metrics.chance.seeds import MOST_LEFT_OUT
from zebra_core.metrics.similarity import SETTINGS, VoiceSimilarity
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings, Uncertainty
from zebra_core.uncertainty.no_disclosure import FEWEST_DEALS, Exchange, NoDisclosure
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS, VOICE_FIGURES, FigureDraws, few_speakers
from zebra_core.uncertainty.trust import VoicesTrust
from zebra_core.uncertainty.voices import OPTIMISTIC, figure_of

_SAME = 1e-9
_D_DIAG = (0.0, 1.0)


def voices_trust_as_json(trust: VoicesTrust, number: int) -> tuple[Json, dict[str, bytes]]:
    """What project.json says of it, for the item with this number, and its arrays as members.

    Rows are in the order of `figures`; the sets without disclosure of a setting are one row.
    """
    found, null = trust.uncertainty, trust.null.draws if trust.null else {}
    drawn = found.figures.values()
    members = {
        member_of(number, DRAWS): numbers_as_bytes([draws.draws for draws in drawn]),
        member_of(number, LEFT_OUT): numbers_as_bytes([draws.left_out for draws in drawn]),
        **{member_of(number, _null(name[-2:])): numbers_as_bytes([draws]) for name, draws in null.items()},
    }
    values: Json = {
        "member": number,
        **as_json(found.settings),
        "speakers": found.n_clusters,
        "figures": {name: draws.estimate for name, draws in found.figures.items()},
        "null": {name[-2:]: trust.null.seed for name in null} if trust.null else {},
    }
    return values, members


def voices_trust_of(saved: SavedValue, known: VoiceSimilarity, read_member: ReadMember) -> VoicesTrust:
    """What `voices_trust_as_json` wrote about these matrices. Raises InputError at what no draws can be."""
    arrays = Arrays(saved["member"].whole(1, 99_999), saved.file, read_member)
    settings, n = saved.as_a(BootstrapSettings), saved["speakers"].whole(FEWEST_CLUSTERS)
    estimates = saved["figures"].fields(len(VOICE_FIGURES))
    if n != len(known.speakers) or not estimates or set(estimates) - set(VOICE_FIGURES):
        saved["figures"].refuse("object")
    draws = arrays.read(DRAWS, len(estimates))
    left_out = arrays.read(LEFT_OUT, len(estimates), min(n, MOST_LEFT_OUT))
    if not FEWEST_REPLICATES <= draws.shape[1] <= settings.replicates:
        arrays.refuse(DRAWS)
    figures = {}
    for at, (name, estimate) in enumerate(estimates.items()):
        ends = VOICE_FIGURES[name]
        if np.isnan(draws[at]).all() or not (within(draws[at], ends) and within(left_out[at], ends)):
            arrays.refuse(DRAWS)
        figures[name] = FigureDraws(estimate.number(*ends), draws[at], left_out[at], n, OPTIMISTIC, *ends)
    found = Uncertainty(settings, draws.shape[1], figures, n, remarks=few_speakers(n))
    return VoicesTrust(known, found, _null_of(saved["null"], known, arrays))


def is_of_its_figures(trust: VoicesTrust) -> bool:
    """Whether the figures that were drawn around are those that the matrices have today."""
    return all(
        (value := figure_of(trust.figures, name)) is not None
        and math.isclose(draws.estimate, value, rel_tol=_SAME, abs_tol=_SAME)
        for name, draws in trust.uncertainty.figures.items()
    )


def _null_of(saved: SavedValue, known: VoiceSimilarity, arrays: Arrays) -> NoDisclosure | None:
    observed, drawn, seeds = {}, {}, set()
    for setting, seed in saved.fields(len(SETTINGS)).items():
        value = known.d_diag(setting)
        if value is None:
            saved.refuse("object")
        (draws,) = arrays.read(_null(setting), 1)
        if len(draws) < FEWEST_DEALS or np.isnan(draws).all() or not within(draws, _D_DIAG):
            arrays.refuse(_null(setting))
        observed[f"d_diag_{setting}"], drawn[f"d_diag_{setting}"] = value, draws
        seeds.add(seed.whole())
    if len(seeds) > 1:
        saved.refuse("object")
    return NoDisclosure(observed, drawn, Exchange.SPEAKERS, seeds.pop()) if seeds else None


def _null(setting: str) -> str:
    return f"null-{setting}"
