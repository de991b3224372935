"""Scores, keys and maps in the folders of the VoicePrivacy evaluations, where they are read like others.

As in Kaldi blanks separate the columns. Where names hold blanks, tabs do, and names stand in double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.files.access import make_folder, write_file
from zebra_core.intake.sorting.naming import ADAPTED
from zebra_core.intake.sorting.segment_plan import MATRICES, said_by
from zebra_core.recordings.attacks import ORIGINAL, Arena, Attack, BackEndKind, Vectors
from zebra_core.recordings.trial_list import TrialList, count_every_pair, every_pair
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class WrittenFile:
    """A file that was written: its place below the folder of all of them, and its hash."""

    path: Path
    place: str
    sha256: str


DATASET = "recordings"
WITHIN, ACROSS = "within", "across"
"""Folders for every pair: both sides the same speech, or original against protected; each has its own key."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.]*(?:[ _-][A-Za-z0-9.]+)*")
_WORDS_OF_SETS = re.compile(r"enrol|trials|^(?:f|m|mixed|all|common|anon)(?:[_.-]|$)", re.IGNORECASE)
_LONGEST_NAME = 60
_LINES = 1 << 16
_SPACE = re.compile(r"\s")


def require_name(name: str) -> str:
    """The name of a safeguard, which becomes part of those of folders. Raises InputError."""
    said = said_by(name)
    is_misread = _WORDS_OF_SETS.search(name) or said.settings or said.says_only_where
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name) or is_misread:
        raise InputError("safeguard-name", found=name)
    return name


def folder_of(attack: Attack) -> str:
    """Where the scores of an attack lie.

    The network has never heard protected speech, which the first folder says; the back end may have.
    """
    back_end = f"{ADAPTED}{attack.kind.value}" if attack.adapted else attack.kind.value
    enrols, trials = (
        f"_{attack.safeguard}" if side else "" for side in (attack.enrol_protected, attack.test_protected)
    )
    recogniser = f"asv_{attack.kind.recogniser or 'orig'}"
    return f"exp/{recogniser}/{back_end}/{DATASET}_enrolls{enrols}-{DATASET}_trials{trials}"


def write_scores(
    top: Path,
    attack: Attack,
    trials: TrialList,
    scores: NDArray[np.float64],
    *,
    part: str = "",
) -> WrittenFile:
    """The scores of an attack, every digit of them, below a part of the folder. Raises OutputError."""
    place = Path(part, folder_of(attack), "scores")
    return _placed(top, place, _lines(trials, scores.tolist()))


def write_words(
    top: Path,
    attack: Attack,
    trials: TrialList,
    words: Mapping[str, str],
    *,
    part: str = "",
) -> list[WrittenFile]:
    """What was understood of the test recordings, beside the scores. Raises OutputError."""
    known = {name: words[name] for name in trials.ids if name in words}
    if not known:
        return []
    return [_placed(top, Path(part, folder_of(attack), "text"), _words(known))]


def write_data(
    top: Path,
    trials: TrialList,
    sex: Mapping[str, str],
    transcripts: Mapping[str, str],
    *,
    part: str = "",
) -> list[WrittenFile]:
    """The key, who speaks, of which sex, and the words, as far as these are known. Raises OutputError."""
    folder = Path(part, "data", f"{DATASET}_trials")
    speaker = dict(zip(trials.ids, trials.speaker, strict=True))
    labels = ["target" if is_target else "nontarget" for is_target in trials.is_target.tolist()]
    files = {"trials": _lines(trials, labels), "utt2spk": _map(speaker)}
    if known := {who: sex[who] for who in sorted(set(trials.speaker)) if who in sex}:
        files["spk2gender"] = _map(known)
    if words := {name: transcripts[name] for name in trials.ids if name in transcripts}:
        files["text"] = _words(words)
    return [_placed(top, folder / name, content) for name, content in files.items()]


def write_similarity_scores(
    top: Path, attack: Attack, trials: TrialList, scores: NDArray[np.float64]
) -> WrittenFile:
    """Scores of recordings with each other, where those for similarity matrices lie. Raises OutputError."""
    setting = attack.condition.replace("a", "p")
    place = Path(MATRICES, DATASET, attack.safeguard, f"scores_{setting}.txt")
    return _placed(top, place, _lines(trials, scores.tolist()))


def write_similarity_map(top: Path, trials: TrialList) -> WrittenFile:
    """Who speaks in them. Raises OutputError."""
    speaker = dict(zip(trials.ids, trials.speaker, strict=True))
    return _placed(top, Path(MATRICES, DATASET, "utt2spk"), _map(speaker))


def _placed(top: Path, place: Path, content: bytes) -> WrittenFile:
    path = top / place
    make_folder(path.parent)
    return WrittenFile(write_file(path, content), place.as_posix(), sha256(content).hexdigest())


def _map(pairs: Mapping[str, str]) -> bytes:
    blank, name = _writing([*pairs, *pairs.values()])
    return "".join(f"{name(left)}{blank}{name(right)}\n" for left, right in pairs.items()).encode()


def _words(words: Mapping[str, str]) -> bytes:
    """Transcripts; where names hold blanks a table with the names of its columns, or they would be words."""
    blank, name = _writing(words)
    head = f"utterance{blank}text\n" if blank == "\t" else ""
    return (head + "".join(f"{name(one)}{blank}{said}\n" for one, said in words.items())).encode()


def _lines(trials: TrialList, values: list[float] | list[str]) -> bytes:
    return b"".join(_pieces(trials, values))


def _pieces(trials: TrialList, values: list[float] | list[str]) -> Iterator[bytes]:
    blank, name = _writing([*trials.enrol_ids, *trials.ids])
    enrol, test = [*map(name, trials.enrol_ids)], [*map(name, trials.ids)]
    for start in range(0, len(values), _LINES):
        pairs: Iterable[list[int]] = trials.pairs[start : start + _LINES].tolist()
        some = zip(pairs, values[start : start + _LINES], strict=True)
        yield "".join(f"{enrol[m]}{blank}{test[t]}{blank}{v}\n" for (m, t), v in some).encode()


def _writing(names: Iterable[str]) -> tuple[str, Callable[[str], str]]:
    """What separates columns, and how names are written in them."""
    if any(map(_SPACE.search, names)):
        return "\t", lambda name: '"' + name.replace('"', '""') + '"'
    return " ", lambda name: name


def write_column(top: Path, place: str, trials: TrialList, values: list[float] | list[str]) -> WrittenFile:
    """A value for each trial, wherever it belongs: scores, or labels. Raises OutputError."""
    return _placed(top, Path(place), _lines(trials, values))


def write_map(top: Path, place: str, pairs: Mapping[str, str]) -> WrittenFile:
    """Two words a line, such as who speaks in what. Raises OutputError."""
    return _placed(top, Path(place), _map(pairs))


# Scores of every recording with every other, in the lists that similarity matrices are made of.


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
