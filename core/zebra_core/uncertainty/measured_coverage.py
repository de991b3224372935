"""How often intervals of 95 % held the truth, as simulations measured it.

They are `installation.simulations`, their counts lie in zebra_resources/simulations.json, and a test holds
the sentences to them; the standard error is 1.5 in 100. Sets with fewer than 20 speakers were hardly
simulated.
"""

from __future__ import annotations

from zebra_core.uncertainty.bootstrap import Uncertainty
from zebra_core.uncertainty.resampling import FEW_CLUSTERS, ResamplingUnit
from zebra_core.wording.texts import say

_LEVEL = 0.95
_WEAK_BITS, _STRONG_BITS = 0.05, 0.6
"""Sets whose true D_ECE is 0.011 and 0.655 bit were simulated, and such of 0.22 and 0.45 between them."""


def coverage_in_words(found: Uncertainty) -> str:
    """What was measured of sets that disclose about as much; empty where nothing was measured.

    That is so of other levels, of few speakers, of trials drawn one by one, and where a single listener
    judged, or a recogniser what lay on canvases.
    """
    if found.settings.level != _LEVEL or found.unit is not ResamplingUnit.SPEAKER:
        return ""
    if found.n_clusters < FEW_CLUSTERS:
        return ""
    if found.is_by_ear:
        return say("uncertainty.measured-by-ear") if found.has_listeners else ""
    bits = found.shown("d_ece_bits")
    if bits < _WEAK_BITS:
        return say("uncertainty.measured-weak")
    return say("uncertainty.measured-strong" if bits > _STRONG_BITS else "uncertainty.measured-middle")
