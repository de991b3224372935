"""How long similarity matrices take, against what they cannot do without.

Numbers: three settings of a 730-segment set, against one sort and one isotonic regression for each. Files:
one setting from gzipped text, against decompressing it and pandas.read_csv alone. With an argument, the
number of segments of a large set (5300 is VCTK's size, 14 million pairs), numbers only.
Prints ratios measured in the same run and fails where one is above its bound.
"""

import gzip
import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from zebra_core.evidence.segments import SegmentScores
from zebra_core.evidence.trials import Ids
from zebra_core.metrics.similarity import voice_similarity
from zebra_core.project.reading.reading import read_similarity

SEGMENTS, SPEAKERS = 730, 20
REPEATS = 5
MOST_SECONDS = 2.0  # for the numbers of three settings
MOST_TO_SORTING = 6.0
MOST_TO_READING = 4.0


def segment_scores(n_segments: int, seed: int) -> tuple[SegmentScores, dict[str, str]]:
    """All unordered pairs of segments, the segments of the speakers in turn."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(n_segments, 1)
    names = tuple(f"p{k % SPEAKERS:03d}_{k:05d}" for k in range(n_segments))
    score = rng.normal(size=len(first)) + 3.0 * (first % SPEAKERS == second % SPEAKERS)
    ids = [Ids(codes.astype(np.int32), names) for codes in (first, second)]
    return SegmentScores(*ids, score), {name: name.split("_")[0] for name in names}


def sorting(settings: list[SegmentScores]) -> None:
    """One sort and one isotonic regression for each setting."""
    for scores in settings:
        order = np.argsort(scores.score)
        isotonic_regression((scores.first.codes % SPEAKERS == scores.second.codes % SPEAKERS)[order] * 1.0)


def reading(path: Path) -> None:
    """The fastest plain way to the columns."""
    content = gzip.decompress(path.read_bytes())
    pd.read_csv(io.BytesIO(content), sep=" ", header=None, dtype={0: str, 1: str})


def compare(name: str, ours: Callable[[], object], floor: Callable[[], object]) -> tuple[float, float]:
    """Seconds of ours and the ratio to the floor, in turn so that a busy moment meets both."""
    ours()  # imports and first pages are not what is measured
    pairs = [(seconds(ours), seconds(floor)) for _ in range(REPEATS)]
    mine, theirs = (median(times) for times in zip(*pairs, strict=True))
    print(f"{name}: {mine:.3f} s, floor {theirs:.3f} s, ratio {mine / theirs:.2f}")
    return mine, mine / theirs


def seconds(work: Callable[[], object]) -> float:
    """Once, by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bench_numbers() -> bool:
    """OO, OP and PP of 266 085 pairs each."""
    made = [segment_scores(SEGMENTS, seed) for seed in range(3)]
    (oo, speakers), (op, _), (pp, _) = made
    taken, ratio = compare(
        f"three settings of {len(oo):,} pairs, numbers",
        lambda: voice_similarity(oo=oo, op=op, pp=pp, speakers=speakers).as_json(),
        lambda: sorting([oo, op, pp]),
    )
    return taken <= MOST_SECONDS and ratio <= MOST_TO_SORTING


def bench_files() -> bool:
    """The same pairs once, from gzipped text to the matrix."""
    scores, speakers = segment_scores(SEGMENTS, 0)
    with tempfile.TemporaryDirectory() as folder:
        path, utt2spk = Path(folder, "scores_oo.txt.gz"), Path(folder, "utt2spk")
        names = np.array(scores.first.names)
        columns = {0: names[scores.first.codes], 1: names[scores.second.codes], 2: scores.score}
        pd.DataFrame(columns).to_csv(path, sep=" ", header=False, index=False, float_format="%.6f")
        utt2spk.write_text("".join(f"{name} {speaker}\n" for name, speaker in speakers.items()))
        _, ratio = compare(
            f"one setting of {len(scores):,} pairs, gzipped text to matrix",
            lambda: read_similarity(oo=path, speakers=utt2spk),
            lambda: reading(path),
        )
    return ratio <= MOST_TO_READING


def bench_large(n_segments: int) -> bool:
    """One setting, once, numbers only."""
    scores, speakers = segment_scores(n_segments, 0)
    floor = seconds(lambda: sorting([scores]))
    taken = seconds(lambda: voice_similarity(oo=scores, speakers=speakers))
    print(f"one setting of {len(scores):,} pairs, numbers: {taken:.1f} s, floor {floor:.1f} s")
    return taken <= MOST_TO_SORTING * floor


def main() -> int:
    """All of them; a large set where its number of segments is given."""
    fast = [bench_large(int(sys.argv[1]))] if len(sys.argv) > 1 else [bench_numbers(), bench_files()]
    return 0 if all(fast) else 1


if __name__ == "__main__":
    sys.exit(main())
