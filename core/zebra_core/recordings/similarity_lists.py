"""Scores of every recording with every other, in the lists that similarity matrices are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings.attacks import ORIGINAL, Arena, Attack
from zebra_core.recordings.back_ends import BackEndKind, Vectors
from zebra_core.recordings.layout import WrittenFile, write_similarity_map, write_similarity_scores
from zebra_core.recordings.trial_list import TrialList, count_every_pair, every_pair
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import say

MOST_PAIRS = 1_000_000
"""Of original with protected recordings, 1 000 recordings: lists of more take hundreds of megabytes."""


@dataclass(frozen=True)
class SimilarityLists:
    """What was written; or, in a sentence, why nothing was."""

    files: tuple[WrittenFile, ...] = ()
    sentences: tuple[str, ...] = ()


def voices_of(trials: TrialList, *, every_pair: bool) -> dict[str, str]:
    """Recordings whose voices are compared, with their speakers: as in the challenge those of the tests."""
    speaker = dict(zip(trials.ids, trials.speaker, strict=True))
    return speaker if every_pair else {name: speaker[name] for name in trials.segments}


def count_listed(voices: int, safeguards: int) -> int:
    """The pairs in all lists of so many recordings; none where there are too many."""
    pairs = voices * (voices - 1)
    return 0 if pairs > MOST_PAIRS else pairs // 2 + safeguards * (pairs + pairs // 2)


def write_similarity_lists(
    top: Path,
    speaker: Mapping[str, str],
    safeguards: Sequence[str],
    embeddings_of: Callable[[Sequence[str]], Mapping[str, Vectors]],
    *,
    on_progress: Progress = no_progress,
) -> SimilarityLists:
    """Original with original (OO), and for each safeguard original with protected (OP) and within it (PP).

    All three are compared by the cosine, which learns nothing: what tells them apart then is the speech.
    Lists of one speaker, without a pair of one speaker, or of more than `MOST_PAIRS` are not written, and
    that is told. Raises OutputError.
    """
    try:
        count = count_every_pair(speaker, across=True).trials
    except InputError as error:
        return SimilarityLists(sentences=(say("recordings.no-matrices", reason=str(error)),))
    if count > MOST_PAIRS:
        return SimilarityLists(
            sentences=(
                say("recordings.matrices-too-large", count=len(speaker), pairs=count, most=MOST_PAIRS),
            )
        )
    within, across = (every_pair(speaker, across=one) for one in (False, True))
    embeddings = embeddings_of(within.ids)
    attacks = [(within, Attack(ORIGINAL, False, False, False, BackEndKind.COSINE))]
    for name in safeguards:
        attacks.append((across, Attack(name, False, True, False, BackEndKind.COSINE)))
        attacks.append((within, Attack(name, True, True, False, BackEndKind.COSINE)))
    files = [write_similarity_map(top, within)]
    for number, (trials, attack) in enumerate(attacks):
        on_progress(number / len(attacks))
        attacked = Arena(trials, embeddings).attacked(attack)
        assert attacked is not None  # noqa: S101 - the cosine learns from nobody
        files.append(write_similarity_scores(top, attack, trials, attacked.scores))
    return SimilarityLists(tuple(files))
