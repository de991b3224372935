"""McAdams agrees with the challenge's way of computing it, frame by frame with SciPy."""

import numpy as np
import pytest
from scipy.signal import lfilter, tf2zpk

from tests.core.recordings.samples import speech, tone
from zebra_core.recordings.protecting import burg, mcadams


def burg_of_one(frame, order):
    """Burg's recursion as the textbook has it: plain sums, one coefficient after the other."""
    forward, backward, found = list(frame[1:]), list(frame[:-1]), [1.0]
    for _ in range(order):
        above = sum(f * b for f, b in zip(forward, backward, strict=True))
        below = sum(f * f + b * b for f, b in zip(forward, backward, strict=True))
        k = -2.0 * above / below
        found = [a + k * b for a, b in zip([*found, 0.0], [0.0, *reversed(found)], strict=True)]
        forward, backward = (
            [f + k * b for f, b in zip(forward, backward, strict=True)][1:],
            [b + k * f for f, b in zip(forward, backward, strict=True)][:-1],
        )
    return np.array(found)


def frame_by_frame(signal, rate, coefficient, order=20):
    """As in anonymization/mcadams of the challenge's repository of 2024, without its levelling."""
    epsilon = np.finfo(np.float32).eps
    signal = signal + epsilon
    size, hop = int(0.02 * rate), int(0.01 * rate)
    window = np.hanning(size)
    window = np.sqrt(window / (window.sum() / hop))
    found = np.zeros(len(signal))
    for start in range(0, len(signal) - size + 1, hop):
        frame = signal[start : start + size] * window
        predictor = burg_of_one(frame + epsilon, order)
        poles = tf2zpk([1.0], predictor)[1]
        angle, turns = np.angle(poles), ~np.isreal(poles)
        angle[turns] = np.sign(angle[turns]) * np.abs(angle[turns]) ** coefficient
        turned = np.real(np.poly(np.abs(poles) * np.exp(1j * angle)))
        residual = lfilter(predictor, [1.0], frame)
        found[start : start + size] += lfilter([1.0], turned, residual) * window
    return found


@pytest.mark.parametrize("coefficient", [0.8, 0.5])
def test_it_agrees_with_the_loop_over_frames_on_real_speech(coefficient):
    signal = speech()[8_000:14_400].astype(np.float64)
    found = mcadams(signal, 16_000, coefficient)

    assert np.abs(found).max() > 0.01
    assert np.abs(found - frame_by_frame(signal, 16_000, coefficient)).max() < 1e-6


def test_a_coefficient_of_1_changes_nothing_but_the_ends():
    signal = speech()[:16_000].astype(np.float64)

    assert mcadams(signal, 16_000, 1.0)[400:-400] == pytest.approx(signal[400:-400], abs=1e-2)


@pytest.mark.parametrize("rate", [8_000, 44_100])
def test_other_rates_keep_their_length(rate):
    signal = tone(0.2, rate).astype(np.float64)

    assert len(mcadams(signal, rate, 0.8)) == len(signal)


def test_silence_stays_silent_and_defined():
    assert np.abs(mcadams(np.zeros(3_200), 16_000, 0.8)).max() < 1e-5


def test_what_is_shorter_than_a_frame_comes_back():
    assert (mcadams(np.ones(10), 16_000, 0.8) == 1.0).all()


def test_burg_finds_the_poles_of_a_resonance():
    n = np.arange(400)
    decaying = (0.99**n * np.cos(0.3 * n))[None]

    assert burg(decaying, 2)[0] == pytest.approx([1.0, -2 * 0.99 * np.cos(0.3), 0.99**2], abs=0.02)
