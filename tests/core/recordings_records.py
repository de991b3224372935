"""Scores of made-up recordings with their record, as `zebra score` writes them, without hearing anything."""

from hashlib import sha256

import numpy as np

from zebra_core.intake.recordings_file import FILE, as_bytes
from zebra_core.recordings.attacks import Arena, AttackerChoice, attacks_on
from zebra_core.recordings.embedding import EmbeddedRecording, Loudness
from zebra_core.recordings.layout import write_data, write_scores
from zebra_core.recordings.trial_list import apart

SPEAKERS = 12
EACH = 4


def stage():
    """Embeddings of twelve speakers, four recordings each, and of their copies, which are noisier."""
    rng = np.random.default_rng(5)
    voices = rng.normal(size=(SPEAKERS, 16)).repeat(EACH, axis=0)
    speaker = {f"s{who:02}-{n}": f"s{who:02}" for who in range(SPEAKERS) for n in range(EACH)}
    trials = apart(speaker, 1, {})
    noise = {"": 0.6, "B2": 1.2}
    return Arena(
        trials, {name: voices + size * rng.normal(size=voices.shape) for name, size in noise.items()}
    )


def hashed(text):
    return sha256(text.encode()).hexdigest()


def sound(name):
    return {
        "file": f"{name}.flac",
        "bytes": len(name),
        "sha256": hashed(name),
        "seconds": 12.5,
        "speech_seconds": 11.0,
        "rate_hz": 16000,
        "channels": 1,
        "clipped": False,
        "pitch_hz": 120.0,
    }


def record_values(files=None, attacked=None):
    """Of two attacks, by the cosine; `files` by place, `attacked` by the place of the scores."""
    trials = stage().trials
    first = {trials.ids[number] for members in trials.models for number in members}
    files = files or {"scores": hashed("scores")}
    return {
        "format": "zebra-recordings",
        "version": 1,
        "zebra": "0.1.0",
        "libraries": {"onnxruntime": "1.0"},
        "recogniser": {"name": "Ears", "licence": "MIT", "sha256": hashed("network"), "eer": 0.01},
        "speakers_by": {"rule": "before-hyphen", "file": None, "sha256": None},
        "pairs_by": {
            "B2": {
                "rule": "{}={}",
                "file": None,
                "sha256": None,
                "missing": ["original/s98-0.flac", "original/s99-0.flac"],
                "ambiguous": [],
                "extra": ["B2/Novak.flac"],
                "named_otherwise": [],
            }
        },
        "left_out_files": [{"safeguard": "", "file": "original/Novak2.wav", "why": "not-sound"}],
        "trials": "challenge",
        "enrol": 1,
        "channel": None,
        "same_sex": False,
        "folds": None,
        "is_coded": False,
        "left_out": {"without_copy": 2, "speakers": 0},
        "recordings": [
            {
                "id": name,
                "speaker": who,
                "side": "enrolment" if name in first else "test",
                "original": sound(f"original/{name}"),
                "protected": {"B2": sound(f"B2/{name}")},
            }
            for name, who in zip(trials.ids, trials.speaker, strict=True)
        ],
        "training": [],
        "files": files,
        "attacks": [_attack(place, one) for place, one in (attacked or {}).items()]
        or [_attack("scores", None)],
    }


def _attack(place, attacked):
    attack = attacked.attack if attacked else attacks_on((), AttackerChoice.COSINE)[0]
    return {
        "scores": place,
        "safeguard": attack.safeguard,
        "condition": attack.condition,
        "attacker": attack.knowledge,
        "back_end": attack.kind.name.lower(),
        "adapted": attack.adapted,
        "eer": attacked.eer if attacked else 0.0,
        "taught_by_speakers": attacked.taught_by if attacked else None,
        "shrinkages": list(attacked.shrinkages) if attacked else [],
    }


def write_scored(top):
    """Scores of o-o and o-a with key, map and record in a folder, which is returned."""
    arena = stage()
    files = write_data(top, arena.trials, {}, {})
    attacked = {}
    for attack in attacks_on(["B2"], AttackerChoice.COSINE)[:2]:
        found = arena.attacked(attack)
        files.append(write_scores(top, attack, arena.trials, found.scores))
        attacked[files[-1].place] = found
    values = record_values({one.place: one.sha256 for one in files}, attacked)
    (top / FILE).write_bytes(as_bytes(values))
    return top


def write_sounds(top):
    """Files of the hashes that the record lists; they hold no sound."""
    trials = stage().trials
    for name in (f"{folder}/{one}" for one in trials.ids for folder in ("original", "B2")):
        path = top / f"{name}.flac"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return top


def heard_of(noise=0.0):
    """What hearing them comes to, as `hear` answers: the embeddings of the stage, and perhaps some noise."""
    arena, rng = stage(), np.random.default_rng(1)

    def hear(recordings, *_others):
        found = {}
        for one in recordings:
            folder, name = one.path.parent.name, one.path.stem
            embedding = arena.embeddings["" if folder == "original" else folder][arena.trials.ids.index(name)]
            embedding = embedding + noise * rng.normal(size=embedding.shape)
            loud = Loudness(1.0, 0.0, -20.0)
            found[one.path] = EmbeddedRecording(hashed(f"{folder}/{name}"), 1.0, 16000, loud, embedding)
        return found, {}

    return hear
