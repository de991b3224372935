"""How far bounds lie from what a figure is where nothing is disclosed: what the laws of `reach` are made of.

All scores are independent and alike, and everybody's enrolment is compared with everybody's recordings. In
100 sets each of 20, 40 and 80 people with 1, 2 and 4 recordings what is measured here was, at 95 %, 1.42 to
1.72 for D_ECE, 2.01 to 2.44 for min Cllr, 0.39 to 0.53 for the EER and 0.32 to 0.42 for the ROCCH-EER; the
laws have the means.
"""

from __future__ import annotations

import numpy as np

from zebra_core.installation.simulations.crossed import SimulationCase, drawn
from zebra_core.installation.simulations.measured import DRAWS, SEED
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.project.requirements.reach import CONFIDENCES, LAWS
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.one_sided import one_sided

_NO_EFFECTS = (0.0, 0.0, 0.0, 0.0)
_PLACE = 1000  # of these sets among all that are made up


def away_by_guessing(people: int, recordings: int, sets: int) -> dict[str, tuple[float, ...]]:
    """`GuessingLaw.away` of each figure, at each of `CONFIDENCES`: the medians over so many sets."""
    found: dict[str, list[list[float]]] = {figure: [] for figure in LAWS}
    for number in range(sets):
        rng = generator(SEED, Purpose.MADE_UP, _PLACE, people, recordings, number)
        trials = drawn(SimulationCase(people, recordings, 0.0, _NO_EFFECTS), rng)
        draws = bootstrap(trials, assess(trials), BootstrapSettings(DRAWS, seed=number)).figures
        for figure, law in LAWS.items():
            ends = [one_sided(draws[figure], level) for level in CONFIDENCES]
            far = [end.high - law.ideal if law.ideal == 0.0 else law.ideal - end.low for end in ends]
            found[figure].append([one * (people * recordings) ** law.power for one in far])
    return {figure: tuple(np.median(each, axis=0).tolist()) for figure, each in found.items()}
