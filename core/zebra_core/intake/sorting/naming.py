"""What the folders of a drop call its assessments: safeguard, dataset, condition, attacker and run, by rules.

Each value comes with the rule that gave it, in words, for the user to correct it. Where a rule gives nothing,
nothing is claimed: an empty text, or no condition.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile
from pathlib import Path

from zebra_core.evidence.audit import Finding, Remark, Remarks, Severity, and_more
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, PlannedAssessment, PlannedSimilarity
from zebra_core.wording.texts import in_english, visible

BY_FOLDERS = "by-folders"
BASELINE_REPEATED = "baseline-repeated"
MATRICES_REPEATED = "matrices-repeated"
SHEETS_LEFT_OUT = "sheets-left-out"
UNDER_CODES = "under-codes"  # the files are copies in which codes stand for names
NOT_AS_RECORDED = "not-as-recorded"  # a record of recordings lists other content at the place of a file
RECORD_INCOMPLETE = "record-incomplete"  # it lists what is not there
NOT_IN_RECORD = "not-in-record"  # scores lie beside a record that does not list them
FROM_EMBEDDINGS = "from-embeddings"  # a record of embeddings lists these scores
OF_THE_DROP = frozenset(
    {
        FROM_EMBEDDINGS,
        BY_FOLDERS,
        BASELINE_REPEATED,
        MATRICES_REPEATED,
        SHEETS_LEFT_OUT,
        UNDER_CODES,
        NOT_AS_RECORDED,
        RECORD_INCOMPLETE,
        NOT_IN_RECORD,
    }
)
"""Findings of all files together: from here, `plan`, `scoring_records`, and where names are hidden."""

# The words of the evaluations, as in zebra_core.project.items.Attacker; their texts have them for codes.
IGNORANT, LAZY_INFORMED, SEMI_INFORMED = "ignorant", "lazy-informed", "semi-informed"

_RUN = re.compile(r"(?P<name>.+?)[_-]run[_-]?(?P<run>\d{1,6})", re.IGNORECASE)
_SHEET_AS_MADE = re.compile(
    r"(?:sheet|tabelle|feuil|hoja|foglio|planilha|blad|ark|arkusz|munka|list|лист|工作表)[ _]?\d+",
    re.IGNORECASE,
)
_IN_NAMES = re.compile(r"(?:_test(?!_trials_mixed))?_trials(?=[_.\-]|$)")
_MOST_NAMED = 3
_LONGEST_PLACE = 200  # characters


def named_by_folders(
    planned: Sequence[PlannedAssessment], keys: Iterable[FoundFile]
) -> list[PlannedAssessment]:
    """Assessments under the names that their folders give them; where folders say nothing they stay as is."""
    key_names = {key_name(key.source) for key in keys}
    parts = [parts_of(one.scores.source, key_names) for one in planned]
    informative = [one for one in parts if one]
    drop = _Drop(informative)
    return [
        one if known is None else drop.named(one, known) for one, known in zip(planned, parts, strict=True)
    ]


def each_baseline_once(
    planned: Sequence[PlannedAssessment],
) -> tuple[list[PlannedAssessment], list[PlannedAssessment]]:
    """Assessments of unprotected speech that several systems bring along, kept once; and those left out.

    They are the same when they judge the same scores, byte by byte, with keys and maps that are the same.
    """
    kept: dict[tuple[object, ...], PlannedAssessment] = {}
    copies: dict[tuple[object, ...], list[PlannedAssessment]] = defaultdict(list)
    for number, one in enumerate(planned):
        contents = tuple(file.content_sha256 for file in one.files if file is not one.record)
        is_baseline = one.condition == "OO" and all(contents)
        same: tuple[object, ...] = (
            (one.dataset, *one.attacked_by.values(), contents) if is_baseline else (number,)
        )
        if same in kept:
            copies[same].append(one)
        else:
            kept[same] = one
    found = [
        replace(one, findings=(*one.findings, _repeated(one, copies[same]))) if copies[same] else one
        for same, one in kept.items()
    ]
    return found, [one for several in copies.values() for one in several]


def each_set_of_matrices_once(
    planned: Sequence[PlannedSimilarity],
) -> tuple[list[PlannedSimilarity], list[PlannedSimilarity]]:
    """Similarity matrices of one safeguard whose files are the same, byte by byte, kept once; and the others.

    Such are the scores of a first run that lie there under the name of no run as well; these are kept.
    """
    same: dict[tuple[object, ...], list[PlannedSimilarity]] = defaultdict(list)
    for number, one in enumerate(planned):
        contents = tuple((setting, file.content_sha256) for setting, file in one.settings.items())
        is_known = all(sha256 for _, sha256 in contents)
        speakers = one.speakers.source if isinstance(one.speakers, FoundFile) else one.speakers
        called = one.name, one.dataset, one.across_runs, speakers
        same[(*called, contents) if is_known else (number,)].append(one)
    found, copies = [], []
    for several in same.values():
        kept, *others = sorted(several, key=lambda one: one.run)
        found.append(replace(kept, findings=(_matrices_repeated(kept, others),)) if others else kept)
        copies += others
    return found, copies


def _matrices_repeated(kept: PlannedSimilarity, copies: Sequence[PlannedSimilarity]) -> Finding:
    files = [file.source.name for one in copies for file in one.settings.values() if file not in kept.files]
    names = ", ".join(visible(name, _LONGEST_PLACE) for name in files[: 2 * _MOST_NAMED])
    facts: dict[str, object] = {"kept": _called(kept), "count": len(copies), "copies": names}
    return Finding(MATRICES_REPEATED, Severity.NOTE, facts)


def _called(one: PlannedSimilarity) -> str:
    return f"{one.name} {one.run}".strip()


def _repeated(kept: PlannedAssessment, copies: Sequence[PlannedAssessment]) -> Finding:
    name, *names = without_common_folders([one.scores.source for one in (kept, *copies)])
    shown = and_more(names, _MOST_NAMED, _LONGEST_PLACE)
    return Finding(BASELINE_REPEATED, Severity.NOTE, {"count": len(copies), "kept": name, "copies": shown})


def without_common_folders(sources: Sequence[Source]) -> list[str]:
    """Where files lie, from the first folder on that is not the same for all."""
    levels = zip(*(source.folders[:-1] for source in sources), strict=False)
    common = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, levels))
    return [visible("/".join(source.folders[common:]), _LONGEST_PLACE) for source in sources]


class _Drop:
    """What all paths of a drop say together: some rules need to know what else came."""

    def __init__(self, parts: Sequence[Parts]) -> None:
        self._datasets = _datasets({one.sides.trials for one in parts})
        originals = (one for one in parts if one.results and one.training is TrainingSpeech.ORIGINAL)
        self._with_originals = {(one.above, one.results) for one in originals}
        self._results: dict[tuple[str, ...], set[tuple[tuple[str, ...], str]]] = defaultdict(set)
        for one in parts:
            if one.results:
                self._results[_system_key(one)].add((one.above, one.results))

    def named(self, planned: PlannedAssessment, parts: Parts) -> PlannedAssessment:
        """An assessment called as the rules make of its path, with these rules."""
        condition, by_condition = _condition(parts)
        training, by_training = self._training(parts)
        attacker, by_attacker = _attacker(condition, training, by_training)
        if parts.adapted_by and condition in ("OP", "PP"):
            why = _rule("back-end-adapted", folder=parts.adapted_by)
            attacker, by_attacker = _named_attacker(SEMI_INFORMED, why)
        if parts.listeners and condition in ("OP", "PP"):
            attacker = in_english("attack.listeners")
            heard = Remark("listeners", section="attack")
            by_attacker = (_rule("by-listeners", value=heard, folder=parts.listeners),)
        safeguard, run, by_name = _safeguard(parts, condition)
        if not run and len(self._results[_system_key(parts)]) > 1:
            run = parts.date
            by_name = (*by_name, _rule("run-date", value=run, folder=parts.results))
        dataset = self._datasets[parts.sides.trials]
        by_dataset = _rule(
            "dataset-whole" if dataset == parts.sides.trials else "dataset",
            value=dataset,
            trials=parts.sides.trials,
        )
        rules = (*by_name, by_dataset, by_condition, *by_attacker, *_attacked_with(parts))
        return replace(
            planned,
            name=safeguard or planned.name,
            dataset=dataset,
            condition=condition,
            attacker=attacker,
            recogniser=parts.recogniser,
            back_end=parts.back_end,
            run=run,
            findings=(*planned.findings, Finding(BY_FOLDERS, Severity.NOTE, {"rules": Remarks(rules)})),
        )

    def _training(self, parts: Parts) -> tuple[TrainingSpeech, Remark]:
        """How the recogniser was trained, and what says so."""
        if parts.training is TrainingSpeech.PROTECTED:
            return parts.training, _rule("trained-on-protected", folder=parts.trained_by)
        if parts.training is TrainingSpeech.ORIGINAL:
            return parts.training, _rule("trained-on-original", folder=parts.trained_by)
        if parts.results and (parts.above, parts.results) in self._with_originals:
            return TrainingSpeech.PROTECTED, _rule("trained-beside-original", folder=parts.results)
        return TrainingSpeech.ORIGINAL, _rule("trained-as-usual")


def _rule(code: str, **facts: object) -> Remark:
    return Remark(code, facts, section="layout")


def _named_attacker(code: str, why: Remark) -> tuple[str, tuple[Remark, ...]]:
    """What an attacker is called, with this code among the texts, and the rule."""
    return in_english(f"attack.{code}"), (_rule("attacker", value=Remark(code, section="attack"), why=why),)


def _system_key(parts: Parts) -> tuple[str, ...]:
    return parts.system or (parts.sides.trials_suffix or "",)


def _datasets(trials: Iterable[str]) -> Mapping[str, str]:
    """What sets are called: without `trials` and without `test`; whole where two would be called alike.

    Sets of women and men together, as in the tables of 2026, keep `test` as they keep `dev`.
    """
    short = {name: _IN_NAMES.sub("", name, count=1) or name for name in trials}
    times = Counter(short.values())
    return {name: name if times[called] > 1 else called for name, called in short.items()}


def _condition(parts: Parts) -> tuple[str | None, Remark]:
    sides = parts.sides
    enrols, trials = sides.enrols_suffix, sides.trials_suffix
    if enrols is None or trials is None:
        return None, _rule("condition-unclear", trials=sides.trials)
    if not trials:
        return (None, _rule("condition-po", suffix=enrols)) if enrols else ("OO", _rule("condition-oo"))
    if not enrols:
        return "OP", _rule("condition-op", suffix=trials)
    if enrols != trials:
        return None, _rule("condition-two-suffixes", enrols=enrols, trials=trials)
    return "PP", _rule("condition-pp", suffix=trials)


def _attacker(
    condition: str | None, training: TrainingSpeech, by_training: Remark
) -> tuple[str, tuple[Remark, ...]]:
    """The attacker is named by the condition and by what the recogniser was trained on."""
    if condition is None:
        return "", ()
    if training is TrainingSpeech.PROTECTED:
        if condition == "PP":
            return _named_attacker(SEMI_INFORMED, by_training)
        return _named_attacker("other-attacker", by_training)  # the evaluations have no name for it
    if condition == "OO":
        return "", ()  # nothing was protected, so there is nothing to be informed about
    return _named_attacker(IGNORANT if condition == "OP" else LAZY_INFORMED, by_training)


def _attacked_with(parts: Parts) -> tuple[Remark, ...]:
    """The rules that named recogniser and back end."""
    named = {"recogniser": parts.recogniser, "back-end": parts.back_end}
    return tuple(_rule(code, value=value) for code, value in named.items() if value)


def _safeguard(parts: Parts, condition: str | None) -> tuple[str, str, tuple[Remark, ...]]:
    """The name of the safeguard, the run that stands in it, and the rules."""
    if condition == "OO":
        words = Remark("unprotected", section="name")
        return in_english("name.unprotected"), "", (_rule("unprotected", value=words),)
    if parts.system:
        return _without_run(parts.system)
    suffix = parts.sides.trials_suffix or parts.sides.enrols_suffix or ""
    if name := suffix.strip("_-."):
        return name, "", (_rule("safeguard-suffix", value=name, suffix=suffix),)
    return "", "", ()


def _without_run(system: tuple[str, ...]) -> tuple[str, str, tuple[Remark, ...]]:
    folder = "-".join(system)
    if found := _RUN.fullmatch(folder):
        name, run = found["name"], found["run"]
        return name, run, (_rule("safeguard-run", value=name, run=run, folder=folder),)
    code = "safeguard-team" if len(system) > 1 else "safeguard-folder"
    return folder, "", (_rule(code, value=folder),)


def name_of(source: Source) -> str:
    """What to call an assessment until the user says better: the file, or its folder where that says more.

    A sheet that nobody has named is called as its workbook.
    """
    *folders, file = source.folders
    if source.member and is_workbook(source.path) and _SHEET_AS_MADE.fullmatch(file):
        return source.path.stem
    stem = file.split(".")[0] or file
    says_nothing = stem.lower() in ("scores", "score")
    return folders[-1] if says_nothing and folders else file.rpartition(".")[0] or file


def is_workbook(path: Path) -> bool:
    """Whether its members are sheets."""
    return path.suffix.lower() in (".xlsx", ".xlsm")


# The usual folders of evaluations: the parts of a score file's path, and which key it is called after.
#
# VoicePrivacy 2020 and 2022:
# `exp/[TEAM/][SYSTEM/][results-DATE[.orig]/]ASV-ENROLS[SUFFIX]-TRIALS[SUFFIX]/scores`; from 2024 on:
# `exp/asv_orig|asv_anonSUFFIX/[cosine_out/]ENROLS[SUFFIX]-TRIALS[SUFFIX]/scores`. The key of both is
# `data/TRIALS/trials`, or a file called after the trials (`keys-voiceprivacy-2020/TRIALS`).
# What follows from the parts is said above.


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
