"""How often intervals of similarity matrices hold the true value: D_diag, DeID and G_VD of known voices.

Not run by `make bench`, for it takes minutes: `python -m benchmarks.coverage_voices`, optionally with
numbers of speakers. Original and protected voices are drawn from one population in which they are correlated,
as in the two-covariance model of `tests.core.speaker_model`; the truth is that of infinitely many speakers
with as many segments each. Prints how often 95 % intervals hold it, and the bias of the figure.
Fails where a figure is covered in fewer than 80 or more than 99 of 100 sets.

Measured with 200 sets of 200 replicates, in per cent; the last column, of 100 speakers protected well, with
the calibration held as it was learnt on the whole set, is why it is learnt anew for every draw:

    speakers         30            100           100
    safeguard    well  some    well  some    well, held
    D_diag OO    85.5  85.5    87.5  87.5       83.8
    D_diag OP    95.5  90.0    95.0  90.5       56.5
    D_diag PP    90.0  87.0    92.5  88.5       62.2
    DeID         93.0  87.0    93.5  90.0       55.2
    G_VD         84.0  86.5    87.5  84.0       62.5

They are somewhat too narrow where voices stand out: the spread of the draws is a tenth below that of the
figures, for cells near 1 leave it no room, and the bias of such cells falls more slowly than n^(-2/3).
"""

import sys
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tests.core.speaker_model import DIMENSIONS, log_likelihood_ratio
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids
from zebra_core.metrics.similarity import Mean, VoiceSimilarity, gain_db, loss, similarity_matrix
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.voices import voices_bootstrap

SETS, REPLICATES, SEGMENTS = 200, 200, 3
MANY = 200_000  # speakers, and pairs of speakers, for the truth
ORIGINAL = 3.0  # variance between voices, where that within is 1
FIGURES = ("d_diag_oo", "d_diag_op", "d_diag_pp", "de_id", "g_vd_db")
FEWEST, MOST = 0.80, 0.99


@dataclass(frozen=True)
class Safeguard:
    """What is left of voices: how far protected ones differ, and how much they keep of the original."""

    words: str
    between: float  # variance between protected voices
    kept: float  # correlation of a protected voice with its original


SAFEGUARDS = (Safeguard("protected well", 0.5, 0.3), Safeguard("protected", 1.0, 0.6))


def segments_of(rng: np.random.Generator, n_speakers: int, what: Safeguard) -> dict[str, FloatArray]:
    """Original and protected segments, "o" and "p", (speakers, segments, dimensions), of variance 1."""
    own, new = rng.normal(size=(2, n_speakers, 1, DIMENSIONS))
    protected = what.kept * own + np.sqrt(1.0 - what.kept**2) * new
    made = {}
    for side, voice, between in (("o", own, ORIGINAL), ("p", protected, what.between)):
        noise = rng.normal(size=(n_speakers, SEGMENTS, DIMENSIONS))
        made[side] = (np.sqrt(between) * voice + noise) / np.sqrt(between + 1.0)
    return made


def llr(setting: str, one: FloatArray, other: FloatArray, what: Safeguard) -> FloatArray:
    """The true LLR of two segments of variance 1, over the last axis."""
    variance = {"o": ORIGINAL, "p": what.between}
    shares = [np.sqrt(variance[side] / (variance[side] + 1.0)) for side in setting]
    correlation = float(np.prod(shares)) * (what.kept if setting == "op" else 1.0)
    # Of voices with the variance b the model makes segments of variance b + 1 and covariance b.
    between = correlation / (1.0 - correlation)
    return log_likelihood_ratio(one * np.sqrt(between + 1.0), other * np.sqrt(between + 1.0), between)


def own_pairs(setting: str) -> list[tuple[int, int]]:
    """Which segments of one speaker are compared: none with itself, nor with its own protected version."""
    each = range(SEGMENTS)
    if setting == "op":
        return [(i, j) for i in each for j in each if i != j]
    return list(combinations(each, 2))


def truth(what: Safeguard) -> dict[str, float]:
    """The figures of infinitely many speakers, as near as these many tell."""
    made = segments_of(np.random.default_rng(99), MANY, what)
    d_diag = {}
    for setting in ("oo", "op", "pp"):
        one, other = made[setting[0]], made[setting[1]]
        stranger = np.roll(other, 1, axis=0)
        own = [llr(setting, one[:, i], other[:, j], what) for i, j in own_pairs(setting)]
        others = [
            llr(setting, one[:, i], stranger[:, j], what) for i in range(SEGMENTS) for j in range(SEGMENTS)
        ]
        cells = [np.exp(-np.logaddexp(0.0, -np.array(each)).mean(axis=0)).mean() for each in (own, others)]
        d_diag[setting] = abs(float(cells[0] - cells[1]))
    return {
        **{f"d_diag_{setting}": value for setting, value in d_diag.items()},
        "de_id": loss(d_diag["op"], d_diag["oo"]) or 0.0,
        "g_vd_db": gain_db(d_diag["pp"], d_diag["oo"]) or 0.0,
    }


def matrices_of(
    rng: np.random.Generator, n_speakers: int, what: Safeguard
) -> tuple[VoiceSimilarity, dict[str, SpeakerTrials]]:
    """The matrices of one set of speakers, with every comparison that there is."""
    made = segments_of(rng, n_speakers, what)
    names = tuple(f"s{k:03d}" for k in range(n_speakers))
    n = n_speakers * SEGMENTS
    who = np.repeat(np.arange(n_speakers, dtype=np.int32), SEGMENTS)
    ids = tuple(f"{names[k]}-{j}" for k in range(n_speakers) for j in range(SEGMENTS))
    trials, found = {}, {}
    for setting in ("oo", "op", "pp"):
        one, other = (made[side].reshape(n, DIMENSIONS) for side in setting)
        mutual = setting != "op"
        first, second = np.nonzero(np.triu(np.ones((n, n)), 1) if mutual else ~np.eye(n, dtype=bool))
        score, is_target = llr(setting, one[first], other[second], what), who[first] == who[second]
        enrol, test = (Ids(side.astype(np.int32), ids) for side in (first, second))
        trials[setting] = SpeakerTrials(names, enrol, test, who, who, score, is_target, mutual)
        found[setting] = similarity_matrix(trials[setting])
    return VoiceSimilarity(names, found["oo"], found["op"], found["pp"], Mean.GEOMETRIC), trials


def study(n_speakers: int, what: Safeguard) -> dict[str, float]:
    """Draw sets and print how often the intervals hold the truth; returns these shares."""
    true = truth(what)
    held = dict.fromkeys(FIGURES, 0)
    plain: dict[str, list[float]] = {name: [] for name in FIGURES}
    corrected: dict[str, list[float]] = {name: [] for name in FIGURES}
    rng = np.random.default_rng(n_speakers)
    for number in range(SETS):
        settings = BootstrapSettings(REPLICATES, seed=number)
        found = voices_bootstrap(*matrices_of(rng, n_speakers, what), settings)
        intervals = found.intervals
        for name in FIGURES:
            plain[name].append(found.figures[name].estimate)
            corrected[name].append(found.figures[name].corrected)
            held[name] += true[name] in intervals[name]
    for name in FIGURES:
        bias, spread = np.mean(plain[name]) - true[name], np.std(plain[name])
        share = 100.0 * held[name] / SETS
        left = np.mean(corrected[name]) - true[name]
        print(
            f"  {name}: truth {true[name]:.4f}, bias {bias:+.4f}, corrected {left:+.4f}, "
            f"spread {spread:.4f}; {share:.1f} %",
            flush=True,
        )
    return {name: count / SETS for name, count in held.items()}


def main(sizes: list[int]) -> int:
    """Study all sizes and strengths."""
    at_fault = 0
    for n_speakers in sizes:
        for what in SAFEGUARDS:
            print(f"{n_speakers} speakers, {what.words}:", flush=True)
            shares = study(n_speakers, what)
            at_fault += sum(not FEWEST <= share <= MOST for share in shares.values())
    return int(at_fault > 0)


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]] or [30, 100]))
