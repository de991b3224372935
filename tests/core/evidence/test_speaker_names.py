"""Who speaks in a segment."""

import pytest

from zebra_core.evidence.speaker_names import SpeakerRule, speaker_in
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
