"""The choice of who speaks stays within its card, however long names are."""

import pytest
from PySide6.QtWidgets import QLabel

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.speakers import RecordingSpeakers, SpeakerSourceOffer
from zebra_gui.recordings.choices import OffersChoice


@pytest.mark.parametrize("name", ["z" * 60, "a_long_name_" * 5, "z-" * 30])
def test_a_long_name_makes_it_no_wider_and_is_read_out_as_it_is(qapp, name):
    examples = f"{name}/{name}.wav → {name}"
    shown = OffersChoice("Who speaks", "A list…", "")
    shown.show_offers(
        [SpeakerSourceOffer(SpeakerRule.FIRST_FOLDER, RecordingSpeakers({"1": name}, (), examples))], None
    )
    [text] = [one for one in shown.findChildren(QLabel) if one.accessibleName() == examples]

    assert text.text().replace("\u200b", "") == examples
    assert text.minimumSizeHint().width() < 320
