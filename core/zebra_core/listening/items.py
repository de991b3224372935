"""What listeners hear and are asked: questions, items, and what each item is for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MOST_PLACED = 200  # recordings on one canvas


class ItemTask(Enum):
    """What a listener does with an item. Source: VoicePrivacy 2020 evaluation plan, section 6.2."""

    SAME = "same"  # two recordings: the same speaker or not, and how sure, from 1 to 10
    PLACEMENT = "placement"  # several recordings: put near each other what sounds like one speaker
    INTELLIGIBILITY = "intelligibility"  # one recording, rated from 1 to 10
    NATURALNESS = "naturalness"  # the same

    @property
    def is_rating(self) -> bool:
        """Whether one recording is rated."""
        return self in (ItemTask.INTELLIGIBILITY, ItemTask.NATURALNESS)

    def takes(self, recordings: int) -> bool:
        """Whether an item may have so many."""
        fewest, most = {ItemTask.SAME: (2, 2), ItemTask.PLACEMENT: (2, MOST_PLACED)}.get(self, (1, 1))
        return fewest <= recordings <= most


class ItemPurpose(Enum):
    """What an item is for; only trials are evaluated."""

    TRIAL = "trial"
    ANCHOR = "anchor"  # unprotected speech, on which everybody should agree
    REPEAT = "repeat"  # a trial once more, to see whether it is answered alike


UNPROTECTED = ""
"""In the place of the name of a safeguard."""
UNPROTECTED_FOLDER = "unprotected"
"""Where its scores lie, beside those of safeguards in folders of their names."""


@dataclass(frozen=True)
class Stimulus:
    """A recording as it is heard: its id, and the safeguard it has passed, or UNPROTECTED."""

    recording: str
    safeguard: str = UNPROTECTED


@dataclass(frozen=True)
class ListeningItem:
    """What a listener hears before one answer.

    `safeguard` is that of the trial, UNPROTECTED among them; `canvas` tells which set of recordings is
    placed, whoever does it under whichever safeguard; `of` names the item that a repeat repeats.
    """

    id: str
    question: ItemTask
    kind: ItemPurpose
    stimuli: tuple[Stimulus, ...]
    safeguard: str = UNPROTECTED
    canvas: int | None = None
    of: str = ""
