"""What is to be seen of a recording, against sines whose power is known."""

import numpy as np
import pytest

from tests.core.recordings.samples import SPEECH, tone, write
from zebra_core.errors import InputError
from zebra_core.recordings.spectrogram import FLOOR_DB, envelope, look_at, power_db


def test_a_sine_of_full_scale_has_0_db_in_its_band_and_nothing_far_from_it():
    found = power_db(tone(hertz=1000.0, size=1.0))

    assert found.shape == (257, 48)  # 0.5 s: 1 + (8000 − 400) // 160 frames
    assert found[32] == pytest.approx(0.0, abs=0.01)  # 1000 Hz are 32 bands of 31.25 Hz
    assert found[100:].max() < -60.0


def test_half_the_amplitude_is_6_db_less():
    difference = power_db(tone(size=1.0)) - power_db(tone(size=0.5))
    assert difference[14] == pytest.approx(20.0 * np.log10(2.0), abs=1e-3)


def test_frames_that_share_a_column_have_the_mean_of_their_power():
    sound = tone(hertz=1000.0, size=1.0)  # 48 frames: of the first half, of the second, and three of both
    half = np.concatenate([sound, np.zeros_like(sound)])

    whole = power_db(half, most=1)[32, 0]

    each = power_db(half)[32].astype(np.float64)
    assert whole == pytest.approx(10.0 * np.log10(np.mean(10.0 ** (each / 10.0))), abs=1e-3)
    assert whole == pytest.approx(-3.0, abs=0.15)


def test_silence_is_at_the_floor_and_too_short_a_sound_has_no_columns():
    assert (power_db(np.zeros(400, np.float32)) == FLOOR_DB).all()
    assert power_db(np.zeros(399, np.float32)).shape == (257, 0)


def test_an_envelope_has_the_least_and_the_largest_of_equal_pieces():
    low, high = envelope(np.array([0.1, -0.2, 0.5, 0.4, -0.6, 0.0], np.float32), most=3)

    assert low.tolist() == pytest.approx([-0.2, 0.4, -0.6])
    assert high.tolist() == pytest.approx([0.1, 0.5, 0.0])
    assert [len(part) for part in envelope(np.zeros(0, np.float32))] == [0, 0]


def test_channels_are_mixed_and_the_rate_is_that_of_the_file(tmp_path):
    left = tone(rate=8_000)
    look = look_at(write(tmp_path / "two.wav", np.stack([left, -left], axis=1), rate=8_000, subtype="FLOAT"))

    assert (look.seconds, look.kind.rate_hz, look.peak) == (0.5, 8_000, 0.0)
    assert look.peak_db == -np.inf


def test_speech_is_seen_with_its_hash_and_its_loudness():
    look = look_at(SPEECH)

    assert look.sha256.startswith("")
    assert len(look.sha256) == 64
    assert look.power_db.shape[0] == 257
    assert look.high.max() == pytest.approx(look.samples.max())
    assert 1.0 < look.loudness.speech_s < look.seconds


def test_what_is_no_sound_is_refused(tmp_path):
    (tmp_path / "text.wav").write_text("no sound")
    with pytest.raises(InputError, match="not a sound file"):
        look_at(tmp_path / "text.wav")
