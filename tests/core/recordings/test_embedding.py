"""The energy gate: how much speech there is, and what is clipped."""

import numpy as np
import pytest

from tests.core.recordings.samples import speech, tone
from zebra_core.recordings.embedding import clipped_share, loudness


def test_pauses_are_no_speech():
    half = np.concatenate([tone(0.5), np.zeros(8_000, np.float32)])

    assert loudness(half).speech_s == pytest.approx(0.5)
    assert loudness(half).is_short


@pytest.mark.parametrize("size", [0.0, 1e-4])
def test_what_is_hardly_there_is_silence(size):
    assert loudness(tone(2.0, size=size)).is_silent


def test_speech_is_neither_silent_nor_short_nor_clipped():
    found = loudness(speech())

    assert 1.0 < found.speech_s <= len(speech()) / 16_000
    assert (found.is_silent, found.is_short, found.is_clipped) == (False, False, False)


def test_a_quieter_copy_has_as_much_speech():
    assert loudness(speech() / 8).speech_s == loudness(speech()).speech_s


def test_the_share_that_is_cut_off_is_counted():
    samples = tone(1.0, hertz=100.0, size=2.0).clip(-1.0, 1.0)

    assert clipped_share(samples) == pytest.approx(2 / 3, abs=0.01)  # beyond 30° of every quarter turn
    assert loudness(samples).is_clipped


def test_a_loud_tone_that_just_fits_is_not_clipped():
    assert clipped_share(tone(1.0, hertz=1_000.0, size=1.0)) == 0.0


def test_nothing_at_all_is_silence():
    assert loudness(np.empty(0, np.float32)).is_silent


def test_the_level_is_that_of_the_speech_alone():
    """A sine of amplitude 0.5 has a power of 1/8, −9.03 dB; silence beside it does not count."""
    tone_alone = tone(1.0, size=0.5)
    beside = np.concatenate([tone_alone, np.zeros_like(tone_alone)])
    for samples in (tone_alone, beside):
        assert loudness(samples).level_db == pytest.approx(10 * np.log10(1 / 8), abs=0.01)
    assert loudness(np.zeros(16_000, np.float32)).level_db is None
