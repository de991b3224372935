"""How high a voice is: tones whose frequency is known, noise that has none, and read speech."""

import numpy as np
import pytest

from zebra_core.recordings.pitch import NOT_VOICED, Pitch, frame_pitch, pitch_of
from zebra_core.recordings.recogniser import RATE_HZ

SECOND = np.arange(RATE_HZ) / RATE_HZ


def voice(frequency_hz, seconds=2.0):
    """Harmonics that fall off as those of a voice do."""
    time = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    phase = 2.0 * np.pi * np.cumsum(np.broadcast_to(frequency_hz, time.shape)) / RATE_HZ
    return (0.1 * sum(np.cos(k * phase + k) / k for k in range(1, 11))).astype(np.float32)


@pytest.mark.parametrize("frequency_hz", [65.0, 80.0, 110.0, 151.3, 220.0, 330.0, 390.0])
def test_the_frequency_of_a_steady_voice(frequency_hz):
    found = pitch_of(voice(frequency_hz))

    assert found.median_hz == pytest.approx(frequency_hz, rel=0.005)
    assert found.voiced_s == pytest.approx(2.0, abs=0.06)
    assert found.range_semitones < 0.05


def test_spread_and_range_of_a_glide():
    """An octave in equal steps of semitones: quartiles are 6 apart, the 5th and 95th percentile 10.8."""
    time = np.arange(4 * RATE_HZ) / (4 * RATE_HZ)
    found = pitch_of(voice(120.0 * 2.0**time, 4.0))

    assert found.median_hz == pytest.approx(120.0 * 2**0.5, rel=0.01)
    assert found.spread_semitones == pytest.approx(6.0, abs=0.15)
    assert found.range_semitones == pytest.approx(10.8, abs=0.2)


def test_what_is_not_voiced_has_no_pitch():
    noise = np.random.default_rng(1).normal(scale=0.1, size=2 * RATE_HZ).astype(np.float32)

    for samples in (noise, np.zeros(RATE_HZ, np.float32), np.zeros(10, np.float32)):
        assert not pitch_of(samples).is_known
    assert pitch_of(np.zeros(10, np.float32)) == NOT_VOICED
    assert np.isnan(pitch_of(noise).features).all()


def test_quiet_frames_are_not_asked():
    loud, quiet = voice(100.0), 1e-3 * voice(200.0)

    assert pitch_of(np.concatenate([loud, quiet])).median_hz == pytest.approx(100.0, rel=0.005)


def test_the_features_are_semitones_and_logarithms():
    found = Pitch(1.0, 128.0, 2.0, 8.0).features

    assert found.tolist() == [84.0, 1.0, 3.0]


def test_frames_stand_ten_milliseconds_apart():
    assert len(frame_pitch(np.zeros(8_000, np.float32))) == 1 + (8_000 - 400) // 80
