"""What hearing, attacking and assessing take: progress and the time left are shared out between them.

Seconds of a processor of 2.5 GHz, as measured; only what they are to each other matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from zebra_core.errors import InputError
from zebra_core.recordings.attacks import PAIRS_OF_FOLDS, Attack
from zebra_core.recordings.back_ends import MOST_LEARNT, SHRINKAGES, BackEndKind
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.sound import opened
from zebra_core.runtime.parallel import threads_for

_OF_RECORDING = 0.02  # read, and heard begun
_OF_SECOND = 0.024  # of speech
_OF_TRIAL = 9e-7  # scored
_OF_LINE = 2e-6  # written: who is compared, and the score
_OF_LABEL = 1.2e-6  # written into the key
_OF_LEARNING = 0.015  # axes of a covariance, and a map for each shrinkage
_OF_PAIR = 1.5e-7  # scored and put in order, to judge a shrinkage by
_OF_FILE = 0.014  # recognised, read and assessed
_OF_READ_TRIAL = 1e-6  # read and assessed
_SAMPLED = 16


@dataclass(frozen=True)
class ExpectedWork:
    """What lies ahead: recordings to hear, the most trials of a condition, and what each part takes."""

    recordings: int
    trials: int
    hearing_s: float
    attacking_s: float  # with all that is written
    assessing_s: float = 0.0  # of what was written, by whoever does it

    @property
    def share_of_hearing(self) -> float:
        """Of making scores; the rest is attacking."""
        return self.hearing_s / (self.hearing_s + self.attacking_s)

    @property
    def share_of_scores(self) -> float:
        """Of everything; the rest is assessing them."""
        scores = self.hearing_s + self.attacking_s
        return scores / (scores + self.assessing_s)

    @property
    def attacking_as_recordings(self) -> float:
        """While how many recordings more could be heard."""
        return self.attacking_s / self.hearing_s * self.recordings

    @property
    def assessing_as_recordings(self) -> float:
        """The same of assessing."""
        return self.assessing_s / self.hearing_s * self.recordings


def of_hearing(count: int, seconds: float) -> float:
    """Of so many recordings, which last so many seconds in all; several are heard at once."""
    return (_OF_RECORDING * count + _OF_SECOND * seconds) / max(1, threads_for(count))


def of_attack(attack: Attack, trials: int, recordings: int, *, in_folds: bool) -> float:
    """Of scoring these trials, not writing them, where as many recordings are compared, or else learnt from.

    In folds back ends learn from two thirds of the recordings, on average. Each shrinkage is judged by the
    pairs of either half of what is learnt from.
    """
    scoring = _OF_TRIAL * trials
    if attack.kind is not BackEndKind.WITHIN or not attack.learns_first:
        return scoring
    half = min(MOST_LEARNT, recordings / (3 if in_folds else 2))
    judging = _OF_PAIR * len(SHRINKAGES) * half**2
    return scoring + (PAIRS_OF_FOLDS if in_folds else 1) * (_OF_LEARNING + judging)


def of_steps(
    attacks: Sequence[Attack], trials: Mapping[str, int], listed: int, recordings: int, *, in_folds: bool
) -> Iterator[float]:
    """Of each step of attacking: keys, each attack and the writing of its scores, then similarity lists.

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
    """Of reading what was written again, and assessing it."""
    counts = [*(trials[attack.condition] for attack in attacks), listed]
    return sum(_OF_FILE + _OF_READ_TRIAL * count for count in counts)


def seconds_of(recordings: Sequence[Recording]) -> float:
    """How long they are, by what some of them say of themselves."""
    some = recordings[:: max(1, len(recordings) // _SAMPLED)]
    known = [length for one in some if (length := _length(one)) is not None]
    return len(recordings) * sum(known) / len(known) if known else 0.0


def _length(recording: Recording) -> float | None:
    try:
        with opened(recording.path, hashed=False) as (_digest, _file, kind):
            return kind.frames / kind.rate_hz
    except InputError:
        return None
