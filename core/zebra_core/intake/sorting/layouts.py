"""The usual folders of evaluations: the parts of a score file's path, and which key it is called after.

VoicePrivacy 2020 and 2022:
`exp/[TEAM/][SYSTEM/][results-DATE[.orig]/]ASV-ENROLS[SUFFIX]-TRIALS[SUFFIX]/scores`; from 2024 on:
`exp/asv_orig|asv_anonSUFFIX/[cosine_out/]ENROLS[SUFFIX]-TRIALS[SUFFIX]/scores`. The key of both is
`data/TRIALS/trials`, or a file called after the trials (`keys-voiceprivacy-2020/TRIALS`).
What follows from the parts is said in `naming`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from zebra_core.intake.opening.opening import Source
from zebra_core.wording.texts import in_english

_PREFIX = re.compile(r"ASV(?P<anon>[_-](?:eval[_^-]?)?anon)?-")
_ENROLS = re.compile(r"(?P<set>.+?_(?:enroll?s?|enroll?ments?))(?P<suffix>(?:[_.\-].+)?)")
_TRIALS = re.compile(r"(?P<set>.+?_trials(?:_(?:f|m|mixed|all|common)(?![^_.\-]))*)(?P<suffix>(?:[_.\-].+)?)")
_COMMON_FIRST = re.compile(r"(?P<name>.+)_common(?P<rest>_(?:dev|test)_trials_[fm])(?P<suffix>(?:[_.\-].+)?)")
_RESULTS = re.compile(r"results-(?P<date>.+?)(?P<original>\.orig)?")
_RECOGNISER = re.compile(
    r"(?:user_)?asv_(?P<kind>(?:eval_?)?(?:anon|orig|ssl)|words|pitch|together)(?P<rest>.*)", re.IGNORECASE
)
_LISTENERS = re.compile(r"listeners_(?P<who>[A-Za-z0-9]{1,16})")
_BACK_ENDS = {
    "cosine_out": "cosine",
    "plda_out": "PLDA",
    # As zebra_core.listening writes them.
    "confidence_out": "confidence",
    "placement_out": "placement",
    # As zebra_core.recordings writes them.
    "centred_out": "centred cosine",
    "within_out": "cosine, whitened within speakers",
    "asnorm_out": "cosine, AS-norm",
    "gaussian_out": "Gaussian",
    "ngrams_out": "character n-grams",
    "fused_out": "logistic regression",
    "adapted_cosine_out": "cosine",
    "adapted_centred_out": "centred cosine, back-end adapted",
    "adapted_within_out": "cosine, whitened within speakers, back-end adapted",
    "adapted_asnorm_out": "cosine, AS-norm",
    "adapted_gaussian_out": "Gaussian, back-end adapted",
    "adapted_fused_out": "logistic regression",
}
ADAPTED = "adapted_"
"""Before the folder of a back end that could learn from protected speech; the recogniser itself did not."""
WITHOUT_NETWORK = ("words", "pitch", "together")
"""Recognisers of ours by their codes among the texts of attacks."""
_SAYS_MORE = frozenset({"ssl"})  # the others say what the recogniser was trained on, and that is told
_LONGEST_NAME = 300  # characters; no folder of an evaluation is called longer
_MOST_CUTS = 20  # hyphens in a name
_ROOT = "exp"
_MOST_SYSTEM_FOLDERS = 2  # TEAM and SYSTEM


class TrainingSpeech(Enum):
    """What the folders say about the speech that the recogniser was trained on."""

    ORIGINAL = "original"
    PROTECTED = "protected"
    UNSAID = "unsaid"


@dataclass(frozen=True)
class Sides:
    """The name of enrolment and trials taken apart: `libri_dev_enrolls_x-libri_dev_trials_f_x`.

    A suffix is what follows the name of a set, with its separator; empty where nothing does. None where
    the name does not tell what belongs to the set and what to a suffix.
    """

    enrols: str
    trials: str  # the set, without the suffix
    enrols_suffix: str | None
    trials_suffix: str | None


@dataclass(frozen=True)
class Parts:
    """What the path of a score file is made of."""

    sides: Sides
    training: TrainingSpeech
    trained_by: str  # the folder, or the part of its name, that says how the recogniser was trained
    system: tuple[str, ...]  # folders that name a team and a system; none where the path has no such folder
    results: str = ""  # the folder `results-DATE`, without `.orig`
    above: tuple[str, ...] = ()  # the folders above that one
    recogniser: str = ""  # a folder that says more of it than what it was trained on
    back_end: str = ""
    listeners: str = ""  # the folder that says that people listened
    adapted_by: str = ""  # the folder that says that the back end has learnt from protected speech

    @property
    def date(self) -> str:
        """What the folder of results says after `results-`."""
        return self.results.partition("-")[2]


def parts_of(scores: Source, key_names: Collection[str]) -> Parts | None:
    """The parts of the path of a score file; None where it is not called after enrolment and trials.

    `key_names` are the names of all sets whose keys came along: they settle where the name of a set ends.
    """
    folders = scores.folders
    for depth in (2, 1):  # the folder of the scores, or the file itself
        if len(folders) > depth and (found := _named(folders[-depth].removesuffix(".txt"), key_names)):
            sides, anon = found
            return _with_folders(sides, anon, folders[:-depth])
    return None


def key_name(key: Source) -> str:
    """The set that a key is called after: its own name, or that of its folder (`data/TRIALS/trials`)."""
    *folders, file = key.folders
    stem = file.partition(".")[0]
    folder = folders[-1] if folders else ""
    if stem.startswith("trials_") and folder:
        stem = f"{folder}_{re.sub(r'_mic[0-9]$', '', stem)}"  # as they are handed out: libri_test/trials_f
    if len(stem) > _LONGEST_NAME:
        return folder
    if found := _COMMON_FIRST.fullmatch(stem):  # vctk_common_test_trials_f is vctk_test_trials_f_common
        return f"{found['name']}{found['rest']}_common{found['suffix']}"
    return stem if _TRIALS.fullmatch(stem) else folder


def keys_by_layout(scores: Source, keys: Iterable[Source]) -> list[Source]:
    """The keys that the folder of the scores is called after: of the very set, else of its protected copy.

    Of several keys of one name those are taken that lie nearest.
    """
    by_name: dict[str, list[Source]] = {}
    for key in keys:
        by_name.setdefault(key_name(key), []).append(key)
    parts = parts_of(scores, by_name)
    if parts is None:
        return []
    for name in (parts.sides.trials, f"{parts.sides.trials}{parts.sides.trials_suffix or ''}"):
        if name in by_name:
            return nearest(scores, by_name[name])
    return []


def nearest(source: Source, others: Iterable[Source]) -> list[Source]:
    """The files of `others` that share the most leading folders with this file; several where they tie."""
    distances = [(_shared(source, other), other) for other in others]
    most = max((shared for shared, _ in distances), default=0)
    return [other for shared, other in distances if shared == most]


def _named(name: str, key_names: Collection[str]) -> tuple[Sides, str] | None:
    """Enrolment and trials in a name; and the mark of a recogniser trained on protected speech before it."""
    if len(name) > _LONGEST_NAME:
        return None
    prefix = _PREFIX.match(name)
    rest = name[prefix.end() :] if prefix else name
    cuts = [(rest[:at], rest[at + 1 :]) for at, character in enumerate(rest) if character == "-"]
    if len(cuts) > _MOST_CUTS:
        return None
    sides_named = [sides for enrols, trials in cuts if (sides := _by_words(enrols, trials, key_names))]
    longest_first = () if sides_named else sorted(key_names, key=len, reverse=True)
    found = sides_named or [
        sides for enrols, trials in cuts if (sides := _by_key(enrols, trials, longest_first))
    ]
    if len(found) > 1:  # suffixes with a hyphen: both sides are of one set
        found = [sides for sides in found if _stem(sides.enrols) == _stem(sides.trials)]
    if len(found) != 1:
        return None  # several ways to cut it, or none
    return found[0], (prefix["anon"] or "")[1:] if prefix else ""


def _by_words(enrols: str, trials: str, key_names: Collection[str]) -> Sides | None:
    """The name taken apart by the words `enrolls` and `trials`."""
    left, right = _ENROLS.fullmatch(enrols), _TRIALS.fullmatch(trials)
    if not left or not right:
        return None
    name, suffix = right["set"], right["suffix"]
    if suffix and "anon" not in suffix and name not in key_names and trials in key_names:
        return Sides(left["set"], trials, None, None)  # `_v2` may be a suffix or a part of the name
    return Sides(left["set"], name, left["suffix"], suffix)


def _by_key(enrols: str, trials: str, key_names: Sequence[str]) -> Sides | None:
    """The name taken apart by that of a key alone, where names are unusual; the longest names come first."""
    for name in key_names:
        suffix = trials[len(name) :]
        if not name or not enrols or not trials.startswith(name) or (suffix and suffix[0] not in "_-."):
            continue  # `trials_f` is not the key of `trials_foo`
        if not suffix and "anon" in name:
            shorter = (other for other in key_names if other != name and name.startswith(f"{other}_anon"))
            if next(shorter, None) is None:
                return Sides(enrols, name, None, None)
            continue  # a copy of the key in the folder of protected speech
        if suffix:
            enrols_suffix = suffix if enrols.endswith(suffix) else ""
        else:
            enrols_suffix = "_anon" if enrols.endswith("_anon") else ""
        return Sides(enrols.removesuffix(enrols_suffix), name, enrols_suffix, suffix)
    return None


def _stem(name: str) -> str:
    return re.split("_enrol|_trials", name, maxsplit=1)[0]


def _with_folders(sides: Sides, anon: str, folders: Sequence[str]) -> Parts:
    """The parts of a path, with what the folders above the pair say about recogniser, results and system."""
    training, by = (TrainingSpeech.PROTECTED, anon) if anon else (TrainingSpeech.UNSAID, "")
    results, above, is_recogniser = "", tuple(folders), False
    recogniser = back_end = listeners = adapted_by = ""
    others: list[str] = []
    at = len(folders)
    while at > 0 and len(others) < _MOST_SYSTEM_FOLDERS and not _ends_the_tree(folders[at - 1]):
        at -= 1
        folder = folders[at]
        if len(folder) > _LONGEST_NAME:
            continue
        if folder in _BACK_ENDS:
            back_end = _BACK_ENDS[folder]
            adapted_by = folder if folder.startswith(ADAPTED) else ""
            continue
        if dated := _RESULTS.fullmatch(folder):
            results, above = f"results-{dated['date']}", tuple(folders[:at])
            training, by = (TrainingSpeech.ORIGINAL, folder) if dated["original"] else (training, by)
        elif found := _RECOGNISER.fullmatch(folder):
            is_protected = found["kind"].lower().endswith("anon")
            training, by = (TrainingSpeech.PROTECTED if is_protected else TrainingSpeech.ORIGINAL), folder
            is_recogniser = True
            recogniser = _recogniser(folder, found["kind"].lower())
        elif found := _LISTENERS.fullmatch(folder):
            listeners, recogniser, is_recogniser = folder, found["who"], True
        else:
            others.insert(0, folder)
    if at > 0 and folders[at - 1] == _ROOT:
        system = tuple(others)
    else:  # away from `exp` nobody knows where an evaluation ends, and what lies above a recogniser
        system = () if is_recogniser else tuple(others[-1:])
    return Parts(sides, training, by, system, results, above, recogniser, back_end, listeners, adapted_by)


def _recogniser(folder: str, kind: str) -> str:
    """What a folder says of the recogniser beyond what it was trained on."""
    if kind in WITHOUT_NETWORK:
        return in_english(f"attack.{kind}")
    return folder if kind in _SAYS_MORE else ""


def _ends_the_tree(folder: str) -> bool:
    return folder == _ROOT or folder.endswith(("/", "\\"))  # the root of the file system


def _shared(left: Source, right: Source) -> int:
    count = 0
    for a, b in zip(left.folders[:-1], right.folders[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count
