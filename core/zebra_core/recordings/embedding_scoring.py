"""From embeddings that somebody brings along to scores, keys and a record of where they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import folder_of, is_leftover, write_file, written_together
from zebra_core.intake.embeddings_record import FILE, FORMAT, VERSION, as_bytes
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Choices
from zebra_core.intake.recordings_file import ENOUGH_SPEAKERS
from zebra_core.intake.sorting.naming import ADAPTED, TrainingSpeech, key_name, parts_of
from zebra_core.intake.tables.table import Table
from zebra_core.recordings.attacks import Attack, AttackScores, BackEndKind, TrainingMaterial
from zebra_core.recordings.embedding_attacks import (
    NOBODY,
    EmbeddingArena,
    EnrolledOthers,
    PooledFigures,
    others_of,
)
from zebra_core.recordings.embedding_files import (
    UTTERANCES,
    EmbeddingFile,
    Embeddings,
    EmbeddingTrials,
    SpeakerSource,
    read_embeddings,
    read_enrolments,
    read_key,
    refuse_other_dimensions,
    speakers_in,
    trials_of,
)
from zebra_core.recordings.layout import WrittenFile, require_name, write_column, write_map
from zebra_core.recordings.sound import hash_of
from zebra_core.recordings.trial_list import CONDITIONS, TrialList
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import VERSION as ZEBRA
from zebra_core.wording.texts import in_english, say, visible

MOST_TAUGHT = 10_000
"""Embeddings that back ends learn from, as evenly of all speakers as there are: more only take time."""
_DATASET = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*")
_OF_SETS = re.compile(r"enrol|trials", re.IGNORECASE)
_ENROLS = re.compile(r".+_(?:enroll?s?|enroll?ments?)(?:[_.\-].*)?")
_KEY_NAME = re.compile(r"(?P<dataset>[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*)_trials(?:_[A-Za-z0-9]+)*")
_DEFAULT = "embeddings"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class EmbeddingRequest:
    """What is to be compared, and how it is called where folders do not say it.

    `enrol` are embeddings of enrolments where they are others than those of the tests; `others` those of
    people who are only enrolled. `condition` is one of `CONDITIONS`, `trained_on` "original" or "protected".
    """

    embeddings: Sequence[Path]
    key: Path
    enrol: Sequence[Path] = ()
    others: Sequence[Path] = ()
    speakers: SpeakerSource | None = None
    others_speakers: SpeakerSource | None = None
    enrolments: Path | None = None
    safeguard: str = ""
    condition: str = ""
    dataset: str = ""
    trained_on: str = ""
    every_attacker: bool = True
    choices: Choices = field(default_factory=dict)


@dataclass(frozen=True)
class AttackNames:
    """What the folders of the scores say: sets, safeguard, condition, and what the recogniser learnt from."""

    enrols: str
    trials: str
    safeguard: str
    condition: str
    trained_on: str

    def folder(self, attack: Attack) -> str:
        """Where the scores of an attack lie."""
        recogniser = f"asv_anon_{self.safeguard}" if self.trained_on == "protected" else "asv_orig"
        back_end = f"{ADAPTED}{attack.kind.value}" if attack.adapted else attack.kind.value
        enrols, trials = (f"_{self.safeguard}" if side == "a" else "" for side in self.condition)
        return f"exp/{recogniser}/{back_end}/{self.enrols}{enrols}-{self.trials}{trials}"


@dataclass(frozen=True, eq=False)
class EmbeddingScores:
    """What was written, and what attackers found, the strongest first."""

    trials: EmbeddingTrials
    names: AttackNames
    attacked: tuple[AttackScores, ...]
    people: Mapping[tuple[BackEndKind, bool], tuple[PooledFigures, ...]]  # by back end, adapted or not
    n_others: int
    files: tuple[Path, ...]
    sentences: tuple[str, ...]
    record: Mapping[str, object] = field(repr=False)

    def as_json(self) -> dict[str, object]:
        """What is written beside the scores, and all that was told."""
        return {**self.record, "told": list(self.sentences)}


@dataclass(frozen=True, eq=False)
class _Material:
    """All that was read."""

    key: Table
    enrol: Embeddings
    test: Embeddings  # the same object where both sides are of the same files
    speaker: Mapping[str, str]
    source: SpeakerSource | None
    models: EmbeddingFile | None
    trials: EmbeddingTrials
    other: Embeddings | None
    others: EnrolledOthers


def score_embeddings(
    request: EmbeddingRequest, out: Path, *, overwrite: bool = False, on_progress: Progress = no_progress
) -> EmbeddingScores:
    """Read, compare and write, nothing before everything was read. Raises InputError, OutputError."""
    if not (not out.exists() or (out.is_dir() and (overwrite or all(map(is_leftover, out.iterdir()))))):
        raise OutputError("exists", file=out.name, folder=folder_of(out))
    request = _with_sides(request)
    names = names_of(request)
    material = _read(request, part_of(on_progress, 0.0, 0.4))
    with written_together(out, FILE, overwrite=overwrite) as staged:
        return _scored(request, names, material, out, staged, part_of(on_progress, 0.4, 1.0))


def _with_sides(request: EmbeddingRequest) -> EmbeddingRequest:
    """Folders called after enrolments are those of enrolments, where others are of trials."""
    if request.enrol:
        return request
    enrol = [path for path in request.embeddings if _ENROLS.fullmatch(_set_folder(path).name)]
    test = [path for path in request.embeddings if path not in enrol]
    if not enrol or not test:
        return request
    return replace(request, embeddings=tuple(test), enrol=tuple(enrol))


def _set_folder(path: Path) -> Path:
    """The folder that is called after a set, as `…/emb_xvect/libri_dev_enrolls_x/utt-level` has above it."""
    return path.parent if path.name == UTTERANCES else path


def names_of(request: EmbeddingRequest) -> AttackNames:
    """What the scores are called, by what is said, else by folders of the evaluations.

    Raises InputError for names that folders cannot have, and where nothing says which side is protected.
    """
    key = key_name(Source(request.key))
    of_key = _KEY_NAME.fullmatch(key)
    dataset = request.dataset or (of_key["dataset"] if of_key else _DEFAULT)
    if len(dataset) > _LONGEST_NAME or not _DATASET.fullmatch(dataset) or _OF_SETS.search(dataset):
        raise InputError("dataset-name", found=visible(dataset, 100))
    trials = key if of_key and not request.dataset else f"{dataset}_trials"
    enrols = f"{dataset}_enrolls"
    if len(trials) > 2 * _LONGEST_NAME:
        raise InputError("dataset-name", found=visible(trials, 100))
    safeguard, condition, trained_on = request.safeguard, request.condition, request.trained_on
    parts = None
    if request.enrol:
        test, enrol = _set_folder(request.embeddings[0]), _set_folder(request.enrol[0])
        parts = parts_of(Source(test.parent / f"{enrol.name}-{test.name}" / "scores"), {key})
    if parts is not None:
        suffixes = (parts.sides.enrols_suffix or "", parts.sides.trials_suffix or "")
        safeguard = safeguard or suffixes[1].strip("_-.")
        condition = condition or "".join("a" if suffix else "o" for suffix in suffixes)
        if parts.training is TrainingSpeech.PROTECTED:
            trained_on = trained_on or "protected"
    condition = condition or ("" if safeguard else "oo")
    if condition not in CONDITIONS or (condition == "oo") != (not safeguard):
        raise InputError("embeddings-condition")
    if trained_on == "protected" and not safeguard:
        raise InputError("embeddings-condition")
    if safeguard:
        require_name(safeguard)
    return AttackNames(enrols, trials, safeguard, condition, trained_on or "original")


def _read(request: EmbeddingRequest, on_progress: Progress) -> _Material:
    key = read_key(request.key, request.choices, part_of(on_progress, 0.0, 0.1))
    test = read_embeddings(request.embeddings, part_of(on_progress, 0.1, 0.5))
    enrol = read_embeddings(request.enrol, part_of(on_progress, 0.5, 0.7)) if request.enrol else test
    other = read_embeddings(request.others, part_of(on_progress, 0.7, 0.9)) if request.others else None
    for one in (enrol, other):
        if one is not None:
            refuse_other_dimensions(one, test.dimensions)
    ids = dict.fromkeys((*enrol.ids, *test.ids))
    source = request.speakers or _beside(request, "utt2spk")
    speaker = {**enrol.speaker, **test.speaker}
    if source is not None:
        speaker = speakers_in(ids, source)
    assert key.enrol is not None  # noqa: S101 - see read_key
    needs = not set(key.enrol.names) <= set(enrol.ids)  # else every enrolment has an embedding of its own
    path = request.enrolments or (_beside(request, "enrolls") if needs else None)
    averaged, models = read_enrolments(path, enrol, speaker) if path is not None else ({}, None)
    trials = trials_of(key, enrol, test, speaker, averaged)
    others = _others(request, other, trials) if other is not None else NOBODY
    return _Material(key, enrol, test, speaker, source, models, trials, other, others)


def _beside(request: EmbeddingRequest, name: str) -> Path | None:
    """A list of this name beside the key, in the folder of its enrolments, or beside the embeddings."""
    folder = request.key.parent
    enrols = folder.parent / f"{folder.name.partition('_trials')[0]}_enrolls"
    given = [path if path.is_dir() else path.parent for path in (*request.enrol, *request.embeddings)]
    places = (folder, *given) if name == "utt2spk" else (enrols, folder, *given)
    return next((place / name for place in places if (place / name).is_file()), None)


def _others(request: EmbeddingRequest, other: Embeddings, trials: EmbeddingTrials) -> EnrolledOthers:
    """Who is only enrolled. Raises InputError where nobody says who they are, or one is of the key."""
    source = request.others_speakers
    if source is None and isinstance(request.speakers, SpeakerRule):
        source = request.speakers
    file = other.files[0].name
    speaker = dict(other.speaker) if source is None else speakers_in(other.ids, source)
    unknown = [name for name in other.ids if name not in speaker]
    if unknown:
        raise InputError("others-speakers", file=file, found=visible(unknown[0], 100), count=len(unknown))
    known = {*trials.people, *trials.models, *trials.tests}
    both = next((name for name in other.ids if name in known or speaker[name] in known), None)
    if both is not None:
        raise InputError("others-of-key", file=file, found=visible(speaker[both], 100))
    return others_of(other.vectors, [speaker[name] for name in other.ids], averaged=trials.averages)


def _attacks(names: AttackNames, *, all_of_them: bool) -> Iterator[Attack]:
    enrol, test = (side == "a" for side in names.condition)
    yield Attack(names.safeguard, enrol, test, False, BackEndKind.COSINE)
    for kind in (BackEndKind.CENTRED, BackEndKind.WITHIN) if all_of_them else ():
        for adapted in {"oo": (False,), "oa": (False, True), "aa": (True,)}[names.condition]:
            yield Attack(names.safeguard, enrol, test, adapted, kind)
    if all_of_them:
        yield Attack(names.safeguard, enrol, test, False, BackEndKind.NORMALISED)


def _learns_from(
    names: AttackNames, material: _Material, *, adapted: bool
) -> tuple[TrainingMaterial | None, tuple[str, ...]]:
    """What back ends learn from: whatever is known of other speakers, of the speech that the attacker has.

    With originals enrolled and protected speech tested it is the originals; or, adapted, the recordings of
    which there are both. None where nobody knows who speaks.
    """
    enrol, test, speaker = material.enrol, material.test, material.speaker
    tested, apart = set(test.ids), enrol is not test
    if names.condition == "oa" and adapted:
        ids = [name for name in enrol.ids if name in speaker and name in tested] if apart else []
        left, right = _rows(enrol, ids), _rows(test, ids)
    elif names.condition == "oa":
        enrolled = {name for each in material.trials.members for name in each}
        ids = [name for name in enrol.ids if name in speaker and (apart or name in enrolled)]
        left = right = _rows(enrol, ids)
    else:
        ids = [name for name in test.ids if name in speaker]
        more = [name for name in enrol.ids if name in speaker and name not in tested]
        left = right = np.concatenate([_rows(test, ids), _rows(enrol, more)])
        ids += more
    if not ids:
        return None, ()
    people, person = np.unique(np.array([speaker[name] for name in ids]), return_inverse=True)
    taught = TrainingMaterial(left, right, person.astype(np.int64), is_one_side=left is right)
    return (taught if len(ids) <= MOST_TAUGHT else taught.of(_some(person))), tuple(map(str, people))


def _some(person: np.ndarray) -> np.ndarray:
    """So many places as are learnt from, as evenly of all people as there are, in their order."""
    by_person = np.argsort(person, kind="stable")
    counts = np.bincount(person)
    turn = np.arange(len(person)) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = np.zeros(len(person), dtype=np.bool_)
    chosen[by_person[np.argsort(turn, kind="stable")[:MOST_TAUGHT]]] = True
    return chosen


def _rows(of: Embeddings, ids: Sequence[str]) -> np.ndarray:
    place = {name: row for row, name in enumerate(of.ids)}
    return of.vectors[[place[name] for name in ids]]


def _scored(
    request: EmbeddingRequest,
    names: AttackNames,
    material: _Material,
    out: Path,
    staged: Path,
    on_progress: Progress,
) -> EmbeddingScores:
    trials = material.trials
    listed = _as_list(trials)
    files = [*_write_data(staged, names, trials, listed)]
    arenas = {
        adapted: EmbeddingArena(trials, *_learns_from(names, material, adapted=adapted), material.others)
        for adapted in (False, True)
    }
    attacks = list(_attacks(names, all_of_them=request.every_attacker))
    found: list[tuple[AttackScores, str, tuple[PooledFigures, ...]]] = []
    lacking = False
    for number, attack in enumerate(attacks):
        part = part_of(on_progress, number / len(attacks), (number + 1) / len(attacks))
        arena = arenas[attack.adapted]
        attacked = arena.attacked(attack, part_of(part, 0.0, 0.5))
        if attacked is None:
            lacking = lacking or (attack.kind.learns and not (names.condition == "oa" and attack.adapted))
            continue
        place = f"{names.folder(attack)}/scores"
        files.append(write_column(staged, place, listed, attacked.scores.tolist()))
        found.append((attacked, place, arena.people_figures(attack.kind, part_of(part, 0.5, 1.0))))
    found.sort(key=lambda one: one[0].eer)
    values = _record(names, material, found, {one.place: one.sha256 for one in files})
    last = write_file(staged / FILE, as_bytes(values))
    paths = (*(one.path for one in files), last)
    return EmbeddingScores(
        trials,
        names,
        tuple(attacked for attacked, _, _ in found),
        {(one.attack.kind, one.attack.adapted): figures for one, _, figures in found},
        len(material.others.people),
        tuple(out / path.relative_to(staged) for path in paths),
        tuple(_remarks(material, found, nothing_learnt=lacking)),
        values,
    )


def _as_list(trials: EmbeddingTrials) -> TrialList:
    """The trials as they are written."""
    who = trials.people
    return TrialList(
        trials.tests,
        tuple(who[place] for place in trials.person_of_test.tolist()),
        trials.models,
        tuple((0,) for _ in trials.models),
        trials.pairs,
        trials.is_target,
        same_sex=False,
    )


def _write_data(
    top: Path, names: AttackNames, trials: EmbeddingTrials, listed: TrialList
) -> Iterator[WrittenFile]:
    """The key in its order, and who speaks, where somebody says it."""
    labels = ["target" if is_target else "nontarget" for is_target in trials.is_target.tolist()]
    yield write_column(top, f"data/{names.trials}/trials", listed, labels)
    if trials.speaker:
        spoken = {
            name: trials.people[who] for name, who in zip(trials.tests, trials.person_of_test, strict=True)
        }
        of_models = zip(trials.models, trials.person_of_model.tolist(), strict=True)
        spoken |= {name: trials.people[who] for name, who in of_models if name not in trials.people}
        yield write_map(top, f"data/{names.trials}/utt2spk", spoken)


def _remarks(
    material: _Material,
    found: Sequence[tuple[AttackScores, str, tuple[PooledFigures, ...]]],
    *,
    nothing_learnt: bool,
) -> Iterator[str]:
    if unused := _unused(material):
        yield say("embeddings.unused", count=unused)
    if nothing_learnt and not material.speaker:
        yield say("embeddings.nobody-known")
    elif nothing_learnt:
        yield say("recordings.nothing-learnt")
    taught = [one.taught_by for one, _, _ in found if one.taught_by is not None]
    if taught and min(taught) < ENOUGH_SPEAKERS:
        yield say("recordings.few-speakers", count=min(taught), enough=ENOUGH_SPEAKERS)
    yield say("recordings.biometric")


def _unused(material: _Material) -> int:
    used_tests = set(material.trials.tests)
    used_models = {name for each in material.trials.members for name in each}
    if material.enrol is material.test:
        return len(set(material.test.ids) - used_tests - used_models)
    return len(set(material.test.ids) - used_tests) + len(set(material.enrol.ids) - used_models)


def _record(
    names: AttackNames,
    material: _Material,
    found: Sequence[tuple[AttackScores, str, tuple[PooledFigures, ...]]],
    files: Mapping[str, str],
) -> dict[str, object]:
    trials, key = material.trials, material.key.file
    both = material.enrol is material.test
    return {
        "format": FORMAT,
        "version": VERSION,
        "zebra": ZEBRA,
        "biometric": in_english("recordings.biometric"),
        "key": _input(EmbeddingFile.of(key, "key")),
        "tests": _side(material.test),
        **({} if both else {"enrolments": _side(material.enrol)}),
        **({"models": _input(material.models)} if material.models else {}),
        **({"others": _side(material.other)} if material.other else {}),
        "speakers_by": _source(material),
        "dimensions": material.test.dimensions,
        "n_trials": len(trials.pairs),
        "n_models": len(trials.models),
        "n_tests": len(trials.tests),
        "n_unused": _unused(material),
        "n_enrolled": len(np.unique(trials.person_of_model)),
        "n_others": len(material.others.people),
        "safeguard": names.safeguard,
        "condition": names.condition,
        "dataset": names.trials,
        "recogniser_trained_on": names.trained_on,
        "files": dict(files),
        "attacks": [_attack(*one) for one in found],
    }


def _input(file: EmbeddingFile) -> dict[str, object]:
    return {"file": file.name, "format": file.format, "bytes": file.size, "sha256": file.sha256}


def _side(of: Embeddings) -> dict[str, object]:
    return {"files": [_input(file) for file in of.files], "embeddings": len(of)}


def _source(material: _Material) -> dict[str, object] | None:
    source = material.source
    if isinstance(source, SpeakerRule):
        return {"rule": source.value, "file": None, "sha256": None}
    if source is not None:
        return {"rule": None, "file": source.name, "sha256": hash_of(source)}
    spoken = next(
        (f for one in (material.test, material.enrol) for f in one.files if f.name == "idx2spk"), None
    )
    return {"rule": None, "file": spoken.name, "sha256": spoken.sha256} if spoken else None


def _attack(attacked: AttackScores, place: str, people: Sequence[PooledFigures]) -> dict[str, object]:
    attack = attacked.attack
    return {
        "scores": place,
        "back_end": attack.kind.name.lower(),
        "adapted": attack.adapted,
        "eer": attacked.eer,
        "taught_by_speakers": attacked.taught_by,
        "shrinkages": list(attacked.shrinkages),
        "people": [
            {
                "pooled_by": each.pooled_by,
                "recordings": each.linkage[0].recordings,
                "linkage": [
                    {"people": one.people, "probability": one.probability, "chance": one.chance}
                    for one in each.linkage
                ],
                "singling_out": [
                    {
                        "people": one.people,
                        "probability": one.probability,
                        "chance": one.chance,
                        "sets": one.sets,
                    }
                    for one in each.singling_out
                ],
            }
            for each in people
        ],
    }
