"""What is to be compared of folders of recordings, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.pairing_rules import GivenPairs
from zebra_core.recordings.speakers import SpeakerSource


@dataclass(frozen=True)
class BackgroundSpeech:
    """Recordings of other speakers, whom back ends learn from instead of those that are compared."""

    original: Path
    protected: Mapping[str, Path]  # by the name of the safeguard, as far as there are copies
    speakers: SpeakerSource
    pairs: GivenPairs = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What is to be compared, and how."""

    original: Path
    protected: Mapping[str, Path]  # by the name of the safeguard
    speakers: SpeakerSource
    sex: Path | None = None
    transcripts: Path | None = None
    every_pair: bool = False  # else enrolment and test recordings apart, as in the challenge
    attacker: AttackerChoice = AttackerChoice.ALL
    enrol: int = 1  # recordings of a model
    channel: int | None = None
    model: Path | None = None  # a recogniser of the user's own
    keep: Path | None = None  # where embeddings are kept; else they are forgotten
    training: BackgroundSpeech | None = None  # else back ends learn in folds
    pairs: GivenPairs = field(default_factory=dict)
