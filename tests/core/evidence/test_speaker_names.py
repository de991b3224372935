"""Who speaks in a segment, and in which session it was recorded."""

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import (
    SessionRule,
    SpeakerRule,
    session_in,
    sessions_as_text,
    sessions_of_text,
    speaker_in,
)
from zebra_core.wording.texts import knows


@pytest.mark.parametrize(
    ("rule", "segment", "speaker"),
    [
        (SpeakerRule.BEFORE_HYPHEN, "1462-170142-0000", "1462"),
        (SpeakerRule.BEFORE_UNDERSCORE, "p225_001_mic2", "p225"),
        (SpeakerRule.FIRST_FOLDER, "id10270/5r0dW/00001.wav", "id10270"),
        (SpeakerRule.BEFORE_HYPHEN, "nomark", "nomark"),
        (SpeakerRule.WHOLE_ID, "a-b/c_d", "a-b/c_d"),
    ],
)
def test_rules_for_the_speaker(rule: SpeakerRule, segment: str, speaker: str) -> None:
    assert rule.speaker_of(segment) == speaker


def test_a_map_knows_only_what_it_lists() -> None:
    assert (speaker_in({"a1": "a"}, "a1"), speaker_in({"a1": "a"}, "b1")) == ("a", None)
    assert speaker_in(SpeakerRule.BEFORE_HYPHEN, "a-1") == "a"


def test_every_rule_is_told_in_a_remark() -> None:
    assert all(knows(f"remark.speakers-{rule.value}") for rule in SpeakerRule)


@pytest.mark.parametrize(
    ("rule", "recording", "session"),
    [
        (SessionRule.BEFORE_LAST_HYPHEN, "1462-170142-0000", "1462-170142"),
        (SessionRule.BEFORE_LAST_UNDERSCORE, "F01_day2_017", "F01_day2"),
        (SessionRule.FOLDER, "id10270/5r0dW/00001.wav", "id10270/5r0dW"),
        (SessionRule.BEFORE_LAST_HYPHEN, "1462", "1462"),
        (SessionRule.SPEAKER, "1462-170142-0000", ""),
    ],
)
def test_rules_for_the_session(rule: SessionRule, recording: str, session: str) -> None:
    assert session_in(rule, recording) == session


def test_a_recording_that_is_in_no_list_is_a_session_by_itself() -> None:
    assert (session_in({"a1": "x"}, "a1"), session_in({"a1": "x"}, "b1")) == ("x", "b1")


@pytest.mark.parametrize("sessions", [*SessionRule, {}, {'a"\\1': "1", "ä 2": "1"}])
def test_sessions_are_kept_as_text(sessions: SessionRule | dict[str, str]) -> None:
    assert sessions_of_text(sessions_as_text(sessions)) == sessions


@pytest.mark.parametrize("text", ["", "hyphen", "[]", '{"a": 1}', '{"a": "1"'])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        sessions_of_text(text)
    assert refused.value.code == "sessions-not-known"
