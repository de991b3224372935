"""The record beside scores: recordings with their hashes, recogniser, attackers and whom they learnt from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan

from zebra_core.attackers.folds import FOLDS
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.opening import size_of
from zebra_core.intake.recordings_file import FORMAT, VERSION
from zebra_core.recordings import libraries
from zebra_core.recordings.attacks import Attack, AttackScores
from zebra_core.recordings.comparable import ComparableRecordings
from zebra_core.recordings.doubtful_copies import likeness, likeness_of_one_person
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.network_input import AS_SHIPPED
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.pairing_rules import PairingTable
from zebra_core.recordings.request import Request
from zebra_core.recordings.sound import hash_of
from zebra_core.recordings.speakers import AlikeSpeakers, SpeakerColumn, SpeakerSource, path_of
from zebra_core.recordings.trial_list import TrialList
from zebra_core.version import VERSION as ZEBRA
from zebra_core.wording.spoken import normalised

Json = dict[str, object]


def record(
    request: Request,
    compared: ComparableRecordings,
    lists: Mapping[str, TrialList],
    attacked: Mapping[str, AttackScores],
    files: Mapping[str, str],
    eer: float,
    alike: Sequence[AlikeSpeakers] = (),
) -> Json:
    """What every score goes back to. No embedding is in it.

    `attacked` is by the places of the scores; `files` has the hash of everything that was written; `alike`
    are speakers who sound so; `eer` is that of the network's cosine on unprotected speech.
    """
    recogniser, trials = compared.recogniser, next(iter(lists.values()))
    learnt = any(one.taught_by is not None for one in attacked.values())
    return {
        "format": FORMAT,
        "version": VERSION,
        "zebra": ZEBRA,
        "libraries": libraries.versions(),
        "recogniser": {
            "name": recogniser.name,
            "licence": recogniser.licence,
            "sha256": recogniser.sha256,
            "eer": eer,
            **({"takes": recogniser.takes.as_json()} if recogniser.takes != AS_SHIPPED else {}),
        },
        "speakers_by": _source(request.speakers),
        "pairs_by": _pairs(compared.pairing),
        **_words(compared),
        "left_out_files": [
            {"safeguard": one.safeguard, "file": one.place, "why": one.why} for one in compared.left_out_files
        ],
        "trials": "all" if request.every_pair else "challenge",
        "enrol": request.enrol,
        "channel": request.channel,
        "same_sex": trials.same_sex,
        "asked": request.asked(),
        "folds": min(FOLDS, len(set(trials.speaker))) if learnt and compared.training is None else None,
        "is_coded": False,
        **(_alike(alike) if alike else {}),
        **({"one_person": [list(pair) for pair in request.one_person]} if request.one_person else {}),
        **_likeness_of_one_person(compared),
        "left_out": {**compared.left_out, "speakers": len(trials.left_out)},
        "recordings": list(_rows(compared, _sides(trials, every_pair=request.every_pair))),
        "training": list(_rows(compared.training, lambda _name: "both")) if compared.training else [],
        "files": dict(files),
        "attacks": [_attack(place, one) for place, one in attacked.items()],
    }


def _source(speakers: SpeakerSource) -> Json:
    if isinstance(speakers, SpeakerRule):
        return {"rule": speakers.value, "file": None, "sha256": None}
    column = {"column": speakers.column} if isinstance(speakers, SpeakerColumn) else {}
    path = path_of(speakers)
    return {"rule": None, "file": path.name, "sha256": hash_of(path), **column}


def _pairs(pairing: Pairing) -> Json:
    """By safeguard, how copies were found, and what has no partner on either side."""
    found: Json = {}
    for safeguard, source in pairing.sources.items():
        if isinstance(source, PairingTable):
            by: Json = {"rule": None, "file": source.path.name, "sha256": hash_of(source.path)}
        else:
            by = {"rule": str(source), "file": None, "sha256": None}
        same = pairing.delivered_twice(safeguard)
        otherwise = [one for one in pairing.named_otherwise(safeguard) if one not in same]
        extra = [one for one in pairing.strangers[safeguard] if one not in (*otherwise, *same)]
        repeated = [str(one.copy.place) for one in pairing.repeated.get(safeguard, ())]
        used = pairing.protected[safeguard]
        found[safeguard] = {
            **by,
            "missing": [_place(pairing, name) for name in pairing.unpaired[safeguard]],
            "ambiguous": [
                *(_place(pairing, name) for name in pairing.ambiguous[safeguard]),
                *(str(one.place) for one in pairing.competing[safeguard]),
            ],
            "extra": [str(one.place) for one in extra],
            "named_otherwise": [str(one.place) for one in otherwise],
            **({"repeated": repeated} if repeated else {}),
            **(
                {"twice": [[str(one.place), str(used[name].place)] for one, name in same.items()]}
                if same
                else {}
            ),
        }
    return found


def _words(compared: ComparableRecordings) -> Json:
    """Where what is understood of copies comes from, and of how many recordings."""
    found = {
        safeguard: {"sha256": sha256, "recordings": count}
        for safeguard, sha256 in compared.words_from.items()
        if (count := len(compared.understood[safeguard].keys() & {*compared.ids}))
    }
    return {"words_by": found} if found else {}


def _place(pairing: Pairing, name: str) -> str:
    return str(pairing.originals[name].place)


def _alike(pairs: Sequence[AlikeSpeakers]) -> Json:
    by = [[round(value, 4) for value in (one.likeness, *one.usual)] for one in pairs]
    return {"sound_alike": [list(one.names) for one in pairs], "sound_alike_by": by}


def _likeness_of_one_person(compared: ComparableRecordings) -> Json:
    """Where anybody has several recordings."""
    originals = {name: compared.heard[compared.pairing.originals[name].path] for name in compared.ids}
    found = likeness_of_one_person(originals, compared.speaker)
    return {} if isnan(found[0]) else {"likeness_of_one_person": [round(one, 4) for one in found]}


def _sides(trials: TrialList, *, every_pair: bool) -> Callable[[str], str]:
    """On which side of the trials a recording stands."""
    if every_pair:
        return lambda _name: "both"
    enrolled = {trials.ids[number] for members in trials.models for number in members}
    tested = set(trials.segments)

    def side(name: str) -> str:
        if name in enrolled:
            return "enrolment"
        return "test" if name in tested else "none"

    return side


def _rows(compared: ComparableRecordings, side: Callable[[str], str]) -> Iterator[Json]:
    pairing = compared.pairing
    said = {name: words for name in compared.ids if (words := normalised(compared.transcripts.get(name, "")))}
    text = {words: number for number, words in enumerate(dict.fromkeys(said.values()))}
    for name in compared.ids:
        original = compared.heard[pairing.originals[name].path]
        copies = {
            safeguard: {
                **_file(compared, of[name]),
                "likeness": round(likeness(compared.heard[of[name].path], original), 4),
            }
            for safeguard, of in pairing.protected.items()
        }
        yield {
            "id": name,
            "speaker": compared.spoken.speaker[name],
            "side": side(name),
            "original": _file(compared, pairing.originals[name]),
            "protected": copies,
            **({"text": text[said[name]]} if name in said else {}),
        }


def _file(compared: ComparableRecordings, recording: Recording) -> Json:
    heard = compared.heard[recording.path]
    level = heard.loudness.level_db
    return {
        "file": str(recording.place),
        "bytes": size_of(recording.path) or 0,
        "sha256": heard.sha256,
        "seconds": round(heard.seconds, 3),
        "speech_seconds": round(heard.loudness.speech_s, 2),
        "rate_hz": heard.rate_hz,
        "channels": heard.channels,
        "clipped": heard.loudness.is_clipped,
        "pitch_hz": round(heard.pitch.median_hz, 1) if heard.pitch.is_known else None,
        **({} if level is None else {"level_dbfs": round(level, 1)}),
    }


def _attack(place: str, attacked: AttackScores) -> Json:
    attack = attacked.attack
    parts = [_compared(one) for one in attacked.parts]
    return {
        "scores": place,
        "safeguard": attack.safeguard,
        "condition": attack.condition,
        "attacker": attack.knowledge,
        **_compared(attack),
        **({"together": parts} if parts else {}),
        "eer": attacked.eer,
        "taught_by_speakers": attacked.taught_by,
        "shrinkages": list(attacked.shrinkages),
    }


def _compared(attack: Attack) -> Json:
    return {"back_end": attack.kind.name.lower(), "adapted": attack.adapted}
