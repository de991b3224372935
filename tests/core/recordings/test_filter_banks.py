"""The filter banks are Kaldi's."""

import kaldi_native_fbank
import numpy as np
import pytest

from tests.core.recordings.samples import speech
from zebra_core.recordings.filter_banks import filter_banks, without_mean

NOISE = np.random.default_rng(1).normal(scale=0.01, size=4_800).astype(np.float32)


def kaldis(samples):
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.dither = 0.0
    options.mel_opts.num_bins = 80
    computer = kaldi_native_fbank.OnlineFbank(options)
    computer.accept_waveform(16_000, (samples * 32_768).tolist())
    computer.input_finished()
    return np.array([computer.get_frame(n) for n in range(computer.num_frames_ready)])


@pytest.mark.parametrize("samples", [speech(), NOISE, speech()[:400]], ids=["speech", "noise", "one frame"])
def test_they_agree_with_kaldis_own(samples):
    found, expected = filter_banks(samples), kaldis(samples)

    assert found.shape == expected.shape
    assert np.abs(found - expected).max() < 1e-2


def test_silence_is_the_least_energy_and_nothing_is_undefined():
    found = filter_banks(np.zeros(1_600, np.float32))

    assert found.shape == (8, 80)
    assert found == pytest.approx(np.log(np.finfo(np.float32).eps))


def test_what_is_shorter_than_a_frame_has_none():
    assert filter_banks(speech()[:399]).shape == (0, 80)


def test_blocks_are_not_seen_in_the_outcome(monkeypatch):
    whole = filter_banks(speech())
    monkeypatch.setattr("zebra_core.recordings.filter_banks._BLOCK", 7)

    assert filter_banks(speech()) == pytest.approx(whole, abs=1e-4)


def test_the_mean_of_each_band_goes():
    assert without_mean(filter_banks(speech())).mean(axis=0) == pytest.approx(0.0, abs=1e-4)
