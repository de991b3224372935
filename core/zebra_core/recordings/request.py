"""What is to be compared of folders of recordings, and how."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.pairing_rules import GivenPairs, PairingSource, PairingTable
from zebra_core.recordings.speakers import OnePerson, SpeakerColumn, SpeakerSource, path_of


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

    @property
    def delivery(self) -> Path:
        """The folder that originals and copies lie in, however deep."""
        tops = [Path(os.path.abspath(one)) for one in (self.original, *self.protected.values())]  # noqa: PTH100
        try:
            common = Path(os.path.commonpath(tops))
        except ValueError:  # on several drives
            common = tops[0].parent
        return common.parent if common in tops else common

    def asked(self) -> dict[str, object]:
        """What a record keeps, so that the same can be asked of another delivery: which folders, which files.

        Folders as seen from the delivery, and nothing of what lies above it.
        """
        top = self.delivery
        places = {name: _place(folder, top) for name, folder in self.protected.items()}
        return {
            "attacker": self.attacker.value,
            "original": _place(self.original, top),
            "protected": places,
            "sex": self.sex.name if self.sex else None,
            "transcripts": self.transcripts.name if self.transcripts else None,
            "model": self.model.name if self.model else None,
        }

    def as_words(self, out: Path) -> list[str]:
        """The words of the command that asks the same and writes its scores to `out`; empty where none can.

        All places in it are absolute. None can where a safeguard, or one of two names of a person, is called
        with “=”, where others' speakers stand in a column that was chosen, or where transcripts are left
        alone.
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
            "--original": [_absolute(self.original)],
            "--protected": [f"{name}={_absolute(folder)}" for name, folder in self.protected.items()],
            "--speakers": [_source(self.speakers)],
            "--speaker-column": [self.speakers.column] if isinstance(self.speakers, SpeakerColumn) else [],
            "--one-person": [f"{first}={second}" for first, second in self.one_person],
            "--pairs": [f"{name}:{_way(way)}" for name, ways in self.pairs.items() for way in ways],
            "--sex": [_absolute(self.sex)] if self.sex else [],
            "--transcripts": [_absolute(self.transcripts)] if self.transcripts else [],
            "--trials": ["all"] if self.every_pair else [],
            "--attacker": [self.attacker.value] if self.attacker is not AttackerChoice.ALL else [],
            "--enrol": [self.enrol] if self.enrol > 1 else [],
            "--channel": [self.channel] if self.channel is not None else [],
            "--model": [_absolute(self.model)] if self.model else [],
            "--training": [_absolute(learnt.original)] if learnt else [],
            "--training-protected": (
                [f"{n}={_absolute(f)}" for n, f in learnt.protected.items()] if learnt else []
            ),
            "--training-speakers": [_source(learnt.speakers)] if learnt else [],
            "--keep-embeddings": [_absolute(self.keep)] if self.keep else [],
            "-o": [_absolute(out)],
        }
        said = [(option, str(value)) for option, values in given.items() for value in values]
        return ["zebra", "score", *(word for pair in said for word in pair)]


def _source(speakers: SpeakerSource) -> str:
    return speakers.value if isinstance(speakers, SpeakerRule) else str(_absolute(path_of(speakers)))


def _way(way: PairingSource) -> str:
    return str(_absolute(way.path) if isinstance(way, PairingTable) else way)


def _absolute(path: Path) -> Path:
    return path.absolute()


def _place(folder: Path, top: Path) -> str:
    return Path(os.path.relpath(folder.absolute(), top)).as_posix()
