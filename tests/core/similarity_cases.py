"""Small sets of segment scores for tests, and slow, plain versions of the figures made from them."""

import math
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from tests.core import brute_force
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.similarity import VoiceSimilarity, similarity_of

Rows = list[tuple[str, str, float]]


def ids(names: list[str]) -> Ids:
    distinct = tuple(dict.fromkeys(names))
    return Ids(np.array([distinct.index(name) for name in names], dtype=np.int32), distinct)


def ordered_by_name(trials: Trials) -> Trials:
    """The same trials as if chance were dealt in the order of names, which a hand can follow."""
    sides = []
    for side in (trials.enrol, trials.test):
        assert side is not None
        names = tuple(sorted(side.names))
        place = np.array([names.index(name) for name in side.names], dtype=np.int32)
        sides.append(Ids(place[side.codes], names, is_ordered=True))
    return replace(trials, enrol=sides[0], test=sides[1])


def scores(rows: Rows, name: str = "scores.txt") -> SegmentScores:
    first, second, values = zip(*rows, strict=True)
    return SegmentScores(ids(list(first)), ids(list(second)), np.array(values, dtype=np.float64), name)


def segments(n_speakers: int, n_segments: int) -> dict[str, str]:
    """Segment → speaker: s0-0, s0-1 … of speaker s0, and so on."""
    return {f"s{i}-{k}": f"s{i}" for i in range(n_speakers) for k in range(n_segments)}


def random_rows(
    spoken: dict[str, str], seed: int, *, ordered: bool, gap: float = 2.0, decimals: int = 1
) -> Rows:
    """Normal scores, `gap` higher for one speaker; rounded, so that there are ties."""
    rng = np.random.default_rng(seed)
    pairs = [p for p in product(spoken, repeat=2) if p[0] != p[1]] if ordered else combinations(spoken, 2)
    return [
        (a, b, round(float(rng.normal(gap if spoken[a] == spoken[b] else 0.0)), decimals)) for a, b in pairs
    ]


def voices_with_trials(n_speakers: int, **gaps: float) -> tuple[VoiceSimilarity, dict[str, SpeakerTrials]]:
    """Matrices of three segments each, whose own voices stand out by the gap of a setting; their trials."""
    spoken = segments(n_speakers, 3)
    given = {
        setting: scores(random_rows(spoken, seed, ordered=setting == "op", gap=gap))
        for seed, (setting, gap) in enumerate(gaps.items())
    }
    evidence = SegmentEvidence(given, spoken)
    voices = similarity_of(evidence)
    return voices, evidence.all_trials(voices.speakers)


def mirrored(rows: Rows) -> Rows:
    return rows + [(b, a, score) for a, b, score in rows]


def matrix(rows: Rows, spoken: dict[str, str], *, mutual: bool, sigmoid_of_mean: bool) -> list[list[float]]:
    """csl2022, eq. 6, cell by cell in plain loops."""
    target = [score for a, b, score in rows if spoken[a] == spoken[b]]
    nontarget = [score for a, b, score in rows if spoken[a] != spoken[b]]
    llr_of = brute_force.pav_llrs(target, nontarget, laplace=True)
    speakers = sorted(set(spoken.values()))
    cells = []
    for row in speakers:
        cells.append([])
        for column in speakers:
            llrs = [
                llr_of[score]
                for a, b, score in rows
                if (spoken[a], spoken[b]) == (row, column)
                or (mutual and (spoken[b], spoken[a]) == (row, column))
            ]
            cells[-1].append(_sigmoid_of_mean(llrs) if sigmoid_of_mean else _geometric_mean(llrs))
    return cells


def d_diag(cells: list[list[float]]) -> float:
    """csl2022, eq. 8."""
    n = len(cells)
    own = sum(cells[i][i] for i in range(n)) / n
    others = sum(cells[j][k] for j in range(n) for k in range(n) if j != k) / (n * (n - 1))
    return abs(own - others)


def _geometric_mean(llrs: list[float]) -> float:
    return math.prod((1.0 / (1.0 + math.exp(-llr))) ** (1.0 / len(llrs)) for llr in llrs)


def _sigmoid_of_mean(llrs: list[float]) -> float:
    return 1.0 / (1.0 + math.exp(-sum(llrs) / len(llrs)))
