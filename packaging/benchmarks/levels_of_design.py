"""How often a comparison is called decided though nothing but the voice tells targets from nontargets.

Not run by `make bench`, for it takes minutes: `python -m benchmarks.levels_of_design`, optionally with
the number of projects. A project has one list of trials, every recording with every other one. Each recording
has a day, a room, a text, a channel, a length and a level, all drawn without regard to who speaks: six rules
are looked at. Of people who are alike each has six recordings; of people who differ each has 2 to 10, and
lengths and levels spread more or less, which does tell them apart a little: the areas are 0.535 on average.
Fails where more than 5 % of projects, and what 400 leave open, are called decided.

Measured with 400 projects, called decided in per cent, and what would be if 0.5 in the place of 0.6 sufficed:

    speakers                     8            20            40
    people                  alike  mixed  alike  mixed  alike  mixed
    called decided            0.0    0.0    0.0    0.5    0.0    0.0
    from 0.5 on               0.0    0.0    0.0    4.5    0.5   22.5
"""

import sys

import numpy as np

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.checks.design import DECIDED_FROM, GUESSING, RuleArea, rule_areas
from zebra_core.speakers.design import Clue, TrivialRule, closer, shared
from zebra_core.uncertainty.resampling import Clusters

PROJECTS = 400
SIZES = (8, 20, 40)
MOST = 0.05 + 2.0 * (0.05 * 0.95 / PROJECTS) ** 0.5


def project(n_speakers: int, *, is_mixed: bool, seed: int) -> tuple[RuleArea, ...]:
    """The areas of all rules in one project without any effect of its design."""
    rng = np.random.default_rng([n_speakers, is_mixed, seed])
    each = rng.integers(2, 11, n_speakers) if is_mixed else np.full(n_speakers, 6)
    spread = rng.uniform(0.2, 2.0, (2, n_speakers)) if is_mixed else np.ones((2, n_speakers))
    who = np.repeat(np.arange(n_speakers), each)
    first, second = np.triu_indices(len(who), 1)
    names = tuple(f"r{k:03d}" for k in range(len(who)))
    is_target = who[first] == who[second]
    trials = Trials(
        rng.normal(size=len(first)),
        is_target,
        Ids(first.astype(np.int32), names, is_ordered=True),
        Ids(second.astype(np.int32), names, is_ordered=True),
    )
    rules: list[TrivialRule] = []
    for clue, n_values in ((Clue.SESSION, 2), (Clue.SESSION, 8), (Clue.TEXT, 30), (Clue.CHANNEL, 3)):
        values = dict(zip(names, rng.integers(n_values, size=len(who)).tolist(), strict=True))
        rules.append(shared(clue, trials, values, {}))
    for clue, of in zip((Clue.LENGTH, Clue.LEVEL), spread, strict=True):
        of_each = dict(zip(names, rng.normal(scale=of[who]).tolist(), strict=True))
        rules.append(closer(clue, trials, of_each, of_each, {}))
    speakers = dict(zip(names, map(str, who), strict=True))
    return rule_areas(rules, is_target, Clusters.of_trials(trials, speakers))


def called(areas: tuple[RuleArea, ...], least: float) -> bool:
    """Whether one of the rules is called right, with an area of at least so much."""
    level = Family(len(areas)).level_of_each
    spans = [(one.area, one.interval(level)) for one in areas]
    return any(area >= least and span is not None and span.low > GUESSING for area, span in spans)


def main(projects: int) -> int:
    """Print a line for each number of speakers and kind of people."""
    worst = 0.0
    for n_speakers in SIZES:
        for is_mixed in (False, True):
            found = [project(n_speakers, is_mixed=is_mixed, seed=seed) for seed in range(projects)]
            shares = [np.mean([called(each, least) for each in found]) for least in (DECIDED_FROM, GUESSING)]
            means = np.mean([[one.area for one in each] for each in found], axis=0)
            worst = max(worst, float(shares[0]))
            kind = "mixed" if is_mixed else "alike"
            decided, above = (f"{100.0 * share:5.1f} %" for share in shares)
            print(f"{n_speakers:3d} {kind}: decided {decided}, above a half {above}; areas {means.round(3)}")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else PROJECTS))
