"""Expected duration of hearing, attacking and assessing: progress and time left are shared out by it.

Durations are seconds of a 2.5 GHz processor, as measured; only their ratios matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from zebra_core.attackers.folds import PAIRS_OF_FOLDS
from zebra_core.errors import InputError
from zebra_core.recordings.attacks import Attack
from zebra_core.recordings.back_ends import MOST_LEARNT, SHRINKAGES, BackEndKind
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.sound import opened
from zebra_core.runtime.parallel import threads_for

_OF_RECORDING = 0.02  # read, and heard begun
_OF_SECOND = 0.027  # of speech; of these 0.0025 for its pitch
_OF_TRIAL = 9e-7  # scored
_TIMES = {BackEndKind.NGRAMS: 20.0, BackEndKind.NORMALISED: 3.0, BackEndKind.FUSED: 20.0}
"""As long as scoring a trial of two embeddings takes."""
_OF_LINE = 2e-6  # written: who is compared, and the score
_OF_LABEL = 1.2e-6  # written into the key
_OF_LEARNING = 0.015  # axes of a covariance, and a map for each shrinkage
_OF_PAIR = 1.5e-7  # scored and put in order, to judge a shrinkage by
_OF_FILE = 0.014  # recognised, read and assessed
_OF_READ_TRIAL = 1e-6  # read and assessed
_SAMPLED = 16


@dataclass(frozen=True)
class ExpectedWork:
    """The work ahead: recordings to hear, the most trials of a condition, and the duration of each part."""

    recordings: int
    trials: int
    hearing_s: float
    attacking_s: float  # with all that is written
    assessing_s: float = 0.0  # of what was written, by whoever does it

    @property
    def share_of_hearing(self) -> float:
        """The share of hearing in the time for making scores; the rest is attacking."""
        return self.hearing_s / (self.hearing_s + self.attacking_s)

    @property
    def share_of_scores(self) -> float:
        """The share of making scores in the total time; the rest is assessing them."""
        scores = self.hearing_s + self.attacking_s
        return scores / (scores + self.assessing_s)

    @property
    def attacking_as_recordings(self) -> float:
        """How many more recordings could be heard in the time that attacking takes."""
        return self.attacking_s / self.hearing_s * self.recordings

    @property
    def assessing_as_recordings(self) -> float:
        """How many more recordings could be heard in the time that assessing takes."""
        return self.assessing_s / self.hearing_s * self.recordings


def of_hearing(count: int, seconds: float) -> float:
    """Seconds for hearing `count` recordings that last `seconds` altogether; several are heard at once."""
    return (_OF_RECORDING * count + _OF_SECOND * seconds) / max(1, threads_for(count))


def of_attack(attack: Attack, trials: int, recordings: int, *, in_folds: bool) -> float:
    """Seconds for one attack: scoring `trials`, and learning from `recordings`; writing is not included.

    In folds back ends learn from four fifths of the recordings. Each shrinkage is judged by
    the pairs of either half of the recordings learnt from.
    """
    scoring = _OF_TRIAL * trials * _TIMES.get(attack.kind, 1.0)
    if attack.kind is not BackEndKind.WITHIN or not attack.learns_first:
        return scoring
    half = min(MOST_LEARNT, recordings / (2.5 if in_folds else 2))
    judging = _OF_PAIR * len(SHRINKAGES) * half**2
    return scoring + (PAIRS_OF_FOLDS if in_folds else 1) * (_OF_LEARNING + judging)


def of_steps(
    attacks: Sequence[Attack], trials: Mapping[str, int], listed: int, recordings: int, *, in_folds: bool
) -> Iterator[float]:
    """Seconds for each step of attacking: keys, each attack and the writing of its scores, similarity lists.

    `trials` are counted by condition, `listed` in all similarity lists together.
    """
    keys = {trials["oo"], trials["oa"]} if "oa" in trials else {trials["oo"]}  # two folders, or one
    yield _OF_LABEL * sum(keys)
    for attack in attacks:
        count = trials[attack.condition]
        yield of_attack(attack, count, recordings, in_folds=in_folds)
        yield _OF_LINE * count
    yield (_OF_TRIAL + _OF_LINE) * listed


def of_assessing(attacks: Sequence[Attack], trials: Mapping[str, int], listed: int) -> float:
    """Seconds for reading the written files again and assessing them."""
    counts = [*(trials[attack.condition] for attack in attacks), listed]
    return sum(_OF_FILE + _OF_READ_TRIAL * count for count in counts)


def seconds_of(recordings: Sequence[Recording]) -> float:
    """Total duration of recordings, estimated from the headers of some of them."""
    some = recordings[:: max(1, len(recordings) // _SAMPLED)]
    known = [length for one in some if (length := _length(one)) is not None]
    return len(recordings) * sum(known) / len(known) if known else 0.0


def _length(recording: Recording) -> float | None:
    try:
        with opened(recording.path, hashed=False) as (_digest, _file, kind):
            return kind.frames / kind.rate_hz
    except InputError:
        return None
