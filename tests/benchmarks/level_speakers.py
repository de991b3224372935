"""How often what is said of speakers is false: `python -m tests.benchmarks.level_speakers [SETS]`.

Scores have effects of enrolments and of test segments, and of speakers only where that is said. A zoo is
false where any of its seven tests says that speakers differ; exposure where it calls speakers different; a
curve where it accumulates. Intervals of exposure ought to hold what many more segments of the same speakers
show. Too long for `make bench`.

Measured, in per cent (80 sets each; intervals 12, curves 6), where speakers are alike:

    false:                          zoo of LLRs  of scores  exposure
    trials alone                            0.0        0.0       0.0
    segments differ                         2.5        2.5       0.0
    enrolments and segments differ          1.2        1.2       0.0
    the same, strong                        2.5        1.2       1.2
    the same, half of the list              0.0        0.0       1.2
    the same, ten speakers                  0.0        1.2       2.5

Wolves of 0.3 standard deviations were found in 100 of 100 sets, speakers who differ by 0.6 in their own
trials in 60 (exposure 40). Intervals of exposure held the truth in 94 to 97 %. Without disclosure
D_ECE over 1 to 32 utterances was 0.019 to 0.023 bit (sums of LLRs 0.014 to 0.038), and −0.002 to 0.001
(−0.013 to 0.004) without what chance shows. In sparse lists no disclosure was never called disclosure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.speakers.accumulation import Pooling, accumulate
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.exposure import shrunk, target_units
from zebra_core.speakers.zoo import ZooScale
from zebra_core.speakers.zoo_chance import zoo_tests
from zebra_core.uncertainty.no_disclosure import without_disclosure

SETS = 100
MANY = 200  # more segments of every speaker, which tell what exposure is


@dataclass(frozen=True)
class Model:
    """How scores come about; targets are `mu` above others, effects are standard deviations of 1 in all."""

    name: str
    speakers: int = 30
    segments: int = 3
    mu: float = 1.0
    enrolment: float = 0.0
    segment: float = 0.3
    speaker: float = 0.0  # of a speaker as heard
    own: float = 0.0  # of a speaker in own target trials
    share: float = 1.0  # of the comparisons with others

    def made(self, rng: np.random.Generator, more: int = 0) -> tuple[Trials, FloatArray]:
        """Trials, and as a matrix the target scores of `more` other segments of each speaker."""
        n = self.speakers
        who = np.repeat(np.arange(n), self.segments + more)
        rest = 1.0 - self.enrolment**2 - self.segment**2 - self.speaker**2
        score = (
            self.enrolment * rng.normal(size=n)[:, None]
            + self.speaker * rng.normal(size=n)[who]
            + self.segment * rng.normal(size=len(who))
            + np.sqrt(max(rest, 1e-9)) * rng.normal(size=(n, len(who)))
        )
        is_target = np.arange(n)[:, None] == who
        score += is_target * (self.mu + self.own * rng.normal(size=n)[who])
        place = np.tile(np.arange(self.segments + more), n)
        others = score[is_target].reshape(n, -1)[:, self.segments :]
        kept = (place < self.segments) & (is_target | (rng.random(score.shape) < self.share))
        enrol, test = (axis.astype(np.int32) for axis in np.nonzero(kept))
        names = tuple(f"s{k:03d}" for k in range(n)), tuple(f"s{s:03d}-{k}" for k, s in enumerate(who))
        trials = Trials(score[kept], is_target[kept], Ids(enrol, names[0]), Ids(test, names[1]))
        return trials, others


ALIKE = (
    Model("trials alone", segment=0.0),
    Model("segments differ", segment=0.5),
    Model("enrolments and segments differ", enrolment=0.4),
    Model("the same, strong", speakers=20, segments=5, mu=3.0, enrolment=0.6),
    Model("the same, half of the list", segments=5, mu=1.5, enrolment=0.4, segment=0.4, share=0.5),
    Model("the same, ten speakers", speakers=10, segments=5, mu=1.5, enrolment=0.5, segment=0.5),
)
DIFFERENT = (
    Model("wolves", segments=5, speaker=0.3),
    Model("speakers differ in own trials", segments=5, own=0.6),
)
COVERED = tuple(
    Model(f"{n} × {k}, mu {mu}", n, k, mu, 0.3, 0.3, 0.3, 0.4)
    for n, k, mu in ((30, 3, 1.0), (60, 2, 1.0), (20, 5, 2.0), (30, 10, 3.0))
)
SPARSE = (
    Model("half of the list", 20, 5, 0.0, 0.5, 0.0, 0.4, share=0.5),
    Model("a tenth of the list", 30, 8, 0.0, 0.6, 0.2, 0.2, share=0.1),
)


def false_alarms(model: Model, sets: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """How often a zoo of LLRs, one of scores, and exposure say that speakers differ."""
    said = []
    for seed in range(sets):
        named = SpeakerTrials.of_trials(model.made(rng)[0])
        tests = [zoo_tests(named, scale=scale, replicates=199, seed=seed) for scale in ZooScale]
        zoos = [any(one.is_more_than_chance for one in (*each.sizes, *each.differences)) for each in tests]
        said.append((*zoos, speaker_disclosures(named, replicates=99, seed=seed).chance.is_more_than_chance))
    of_llrs, of_scores, exposure = np.mean(said, axis=0).tolist()
    return of_llrs, of_scores, exposure


def covered(model: Model, sets: int, rng: np.random.Generator) -> float:
    """How many intervals of exposure hold what the same calibration makes of many more segments."""
    held = []
    for _ in range(sets):
        trials, others = model.made(rng, MANY)
        named = SpeakerTrials.of_trials(trials)
        oracle = Oracle.of(named.score, named.is_target)
        found = shrunk(target_units(named, oracle)[0], model.speakers)
        by_name = (disclosed_area(oracle.llr(others.ravel())) / LN2).reshape(others.shape).mean(axis=1)
        truth = by_name[[int(name[1:]) for name in named.speakers]]  # their order follows from their scores
        held.append(np.mean((found.low <= truth) & (truth <= found.high)))
    return float(np.mean(held))


def accumulated(sets: int, rng: np.random.Generator) -> Iterator[str]:
    """The curve of 30 speakers with 32 segments where nothing is disclosed: raw, corrected, in its band."""
    model = Model("", segments=32, mu=0.0, enrolment=0.3)
    curves = [
        {way: accumulate(SpeakerTrials.of_trials(model.made(rng)[0]), way, replicates=39) for way in Pooling}
        for _ in range(sets)
    ]
    for way in Pooling:
        for number, first in enumerate(curves[0][way].points):
            points = [curve[way].points[number] for curve in curves]
            raw = np.mean([point.d_ece_bits for point in points])
            corrected = np.mean([point.d_ece_corrected_bits for point in points])
            inside = np.mean([p.by_chance_bits[0] <= p.shown_bits <= p.by_chance_bits[1] for p in points])
            yield f"{way.value:12s} {first.n_utterances:3d} {raw:7.3f} {corrected:7.3f} {100 * inside:5.0f} %"


def sparse_alarms(model: Model, sets: int, rng: np.random.Generator) -> float:
    """How often no disclosure is called disclosure in a sparse list."""
    p_values = []
    for seed in range(sets):
        trials = model.made(rng)[0]
        p_values.append(
            without_disclosure(trials, assess(trials), replicates=99, seed=seed).p_value("d_ece_bits")
        )
    return float(np.mean(np.array(p_values) <= 0.05))


def main(sets: int = SETS) -> None:
    """Print the tables."""
    rng = np.random.default_rng(0)
    print("How often speakers are said to differ (%): a zoo of LLRs, of scores, exposure")
    for model in (*ALIKE, *DIFFERENT):
        print(f"{model.name:32s}", *(f"{100 * share:5.1f}" for share in false_alarms(model, sets, rng)))
    print("Intervals of exposure that hold the truth (%)")
    for model in COVERED:
        print(f"{model.name:32s} {100 * covered(model, max(1, sets // 5), rng):5.1f}")
    print("Without disclosure: D_ECE over utterances, raw, corrected; in the band of chance")
    print(*accumulated(max(1, sets // 10), rng), sep="\n")
    print("No disclosure called disclosure in sparse lists (%)")
    for model in SPARSE:
        print(f"{model.name:32s} {100 * sparse_alarms(model, sets, rng):5.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
