"""What is to be compared of folders of recordings, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.pairing_rules import GivenPairs
from zebra_core.recordings.speakers import OnePerson, SpeakerColumn, SpeakerSource


@dataclass(frozen=True)
class BackgroundSpeech:
    """Recordings of other speakers, whom back ends learn from instead of those that are compared."""

    original: Path
    protected: Mapping[str, Path]  # by the name of the safeguard, as far as there are copies
    speakers: SpeakerSource
    pairs: GivenPairs = field(default_factory=dict)
    one_person: OnePerson = ()


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
    one_person: OnePerson = ()
    without_transcripts: bool = False  # not even those in the folder of originals

    def as_words(self, out: Path) -> list[str]:
        """The words of the command that asks the same and writes its scores to `out`; empty where none can.

        None can where a safeguard, or one of two names of a person, is called with “=”, where others'
        speakers stand in a column that was chosen, or where transcripts are left alone.
        """
        learnt = self.training
        names = {*self.protected, *(learnt.protected if learnt else ()), *chain(*self.one_person)}
        if (
            self.without_transcripts
            or any("=" in name for name in names)
            or (learnt and isinstance(learnt.speakers, SpeakerColumn))
        ):
            return []
        given: dict[str, list[object]] = {
            "--original": [self.original],
            "--protected": [f"{name}={folder}" for name, folder in self.protected.items()],
            "--speakers": [_source(self.speakers)],
            "--speaker-column": [self.speakers.column] if isinstance(self.speakers, SpeakerColumn) else [],
            "--one-person": [f"{first}={second}" for first, second in self.one_person],
            "--pairs": [f"{name}:{way}" for name, ways in self.pairs.items() for way in ways],
            "--sex": [self.sex] if self.sex else [],
            "--transcripts": [self.transcripts] if self.transcripts else [],
            "--trials": ["all"] if self.every_pair else [],
            "--attacker": [self.attacker.value] if self.attacker is not AttackerChoice.ALL else [],
            "--enrol": [self.enrol] if self.enrol > 1 else [],
            "--channel": [self.channel] if self.channel is not None else [],
            "--model": [self.model] if self.model else [],
            "--training": [learnt.original] if learnt else [],
            "--training-protected": [f"{n}={f}" for n, f in learnt.protected.items()] if learnt else [],
            "--training-speakers": [_source(learnt.speakers)] if learnt else [],
            "--keep-embeddings": [self.keep] if self.keep else [],
            "-o": [out],
        }
        said = [(option, str(value)) for option, values in given.items() for value in values]
        return ["zebra", "score", *(word for pair in said for word in pair)]


def _source(speakers: SpeakerSource) -> str:
    if isinstance(speakers, SpeakerColumn):
        return str(speakers.path)
    return speakers.value if isinstance(speakers, SpeakerRule) else str(speakers)
