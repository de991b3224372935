"""Who speaks in a segment: by a map, or by a rule on its id."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class SpeakerRule(Enum):
    """How a speaker is read off the id of a segment where no map says it.

    - `BEFORE_HYPHEN`: 1462-170142-0000 is spoken by 1462, as in LibriSpeech.
    - `BEFORE_UNDERSCORE`: p225_001 is spoken by p225, as in VCTK.
    - `FIRST_FOLDER`: id10270/5r0dWxy17C8/00001.wav is spoken by id10270, as in VoxCeleb.
    - `WHOLE_ID`: the files name speakers, not segments.

    Examples
    --------
    >>> from zebra_core import SpeakerRule
    >>> SpeakerRule.BEFORE_HYPHEN.speaker_of("1462-170142-0000")
    '1462'
    >>> SpeakerRule.FIRST_FOLDER.speaker_of("id10270/5r0dWxy17C8/00001.wav")
    'id10270'
    """

    BEFORE_HYPHEN = "before-hyphen"
    BEFORE_UNDERSCORE = "before-underscore"
    FIRST_FOLDER = "first-folder"
    WHOLE_ID = "whole-id"

    def speaker_of(self, segment: str) -> str:
        """The speaker of a segment; the whole id where the mark does not occur in it."""
        mark = _MARKS[self]
        return segment.split(mark, 1)[0] if mark else segment


_MARKS = {
    SpeakerRule.BEFORE_HYPHEN: "-",
    SpeakerRule.BEFORE_UNDERSCORE: "_",
    SpeakerRule.FIRST_FOLDER: "/",
    SpeakerRule.WHOLE_ID: "",
}

Speakers = Mapping[str, str] | SpeakerRule
"""Who speaks: a map from segment to speaker (utt2spk), or a rule on the ids."""


def speaker_in(speakers: Speakers, segment: str) -> str | None:
    """The speaker of a segment, or None where the map does not list it."""
    return speakers.speaker_of(segment) if isinstance(speakers, SpeakerRule) else speakers.get(segment)
