"""Who speaks in a segment, and in which session it was recorded: by a map, or by a rule on its id."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum

import msgspec

from zebra_core.errors import InputError


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


class SessionRule(Enum):
    """How a session is read off the id of a recording: recordings of one day, channel or text, say.

    - `BEFORE_LAST_HYPHEN`: 1462-170142-0000 is of session 1462-170142, as in LibriSpeech.
    - `BEFORE_LAST_UNDERSCORE`: of F01_day2_017 it is F01_day2.
    - `FOLDER`: of id10270/5r0dWxy17C8/00001.wav it is id10270/5r0dWxy17C8, as in VoxCeleb.
    - `SPEAKER`: whoever speaks, all of their recordings are of one session.

    Examples
    --------
    >>> from zebra_core import SessionRule
    >>> SessionRule.BEFORE_LAST_HYPHEN.session_of("1462-170142-0000")
    '1462-170142'
    >>> SessionRule.FOLDER.session_of("id10270/5r0dWxy17C8/00001.wav")
    'id10270/5r0dWxy17C8'
    """

    BEFORE_LAST_HYPHEN = "before-last-hyphen"
    BEFORE_LAST_UNDERSCORE = "before-last-underscore"
    FOLDER = "folder"
    SPEAKER = "speaker"

    def session_of(self, recording: str) -> str:
        """The session of a recording; the whole id where the mark does not occur in it."""
        return recording.rpartition(mark)[0] or recording if (mark := _ENDS[self]) else ""


_ENDS = {
    SessionRule.BEFORE_LAST_HYPHEN: "-",
    SessionRule.BEFORE_LAST_UNDERSCORE: "_",
    SessionRule.FOLDER: "/",
    SessionRule.SPEAKER: "",
}

_SESSION_RULES = {rule.value: rule for rule in SessionRule}
_MOST_TOLD = 60  # characters

Sessions = Mapping[str, str] | SessionRule
"""In which session a recording was made: a map, or a rule on the ids."""


def sessions_as_text(sessions: Sessions) -> str:
    """One line for files: the name of a rule, or a JSON object."""
    if isinstance(sessions, SessionRule):
        return sessions.value
    return json.dumps(dict(sessions), ensure_ascii=False, sort_keys=True)


def sessions_of_text(text: str) -> Sessions:
    """What `sessions_as_text` wrote. Raises InputError for anything else: the file may be somebody else's."""
    if text in _SESSION_RULES:
        return _SESSION_RULES[text]
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise InputError("sessions-not-known", found=text[:_MOST_TOLD]) from error


def session_in(sessions: Sessions, recording: str) -> str:
    """The session of a recording; one that the map does not list is a session by itself."""
    if isinstance(sessions, SessionRule):
        return sessions.session_of(recording)
    return sessions.get(recording, recording)
