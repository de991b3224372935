"""The recogniser that comes along hears what the network in 32 bits hears."""

import json
from pathlib import Path

import kaldi_native_fbank
import numpy as np
import pytest

from tests.core.recordings.samples import ORIGINAL, speech
from zebra_core.errors import InputError
from zebra_core.recordings.recogniser import filter_banks, shipped, unit, without_mean
from zebra_core.recordings.sound import read_sound

REFERENCE = json.loads((Path(__file__).parents[2] / "data/recordings/campplus-32-bit.json").read_text())


@pytest.mark.parametrize("name", sorted(REFERENCE))
def test_embeddings_agree_with_those_of_the_network_in_32_bits(name):
    samples = read_sound(ORIGINAL / name.partition("-")[0] / f"{name}.flac").samples
    found = shipped().embedding(samples)

    assert found @ unit(np.array(REFERENCE[name])) >= 0.9999
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-6)


def test_it_says_who_made_it_and_which_it_is():
    assert shipped().name == "CAM++ (3D-Speaker)"
    assert shipped().licence == "Apache-2.0"
    assert shipped().sha256 == "7b48bfcd3ee351cae6795136e55e2c1a8f734ea085f4dd7c95c79b0a7a2d3bfb"
    assert shipped().dimensions == 192


def test_the_same_recording_gives_the_same_bits():
    assert (shipped().embedding(speech()[:16_000]) == shipped().embedding(speech()[:16_000])).all()


def test_a_long_recording_is_heard_in_equal_pieces(monkeypatch):
    monkeypatch.setattr("zebra_core.recordings.recogniser.LONGEST_PIECE_S", 1)
    samples = speech()[:32_000]
    both = [shipped().embedding(piece) for piece in (samples[:16_000], samples[16_000:])]

    assert shipped().embedding(samples) == pytest.approx(unit(np.sum(both, axis=0)), abs=1e-6)


def test_less_than_a_frame_has_a_sentence():
    with pytest.raises(InputError, match=r"short\.wav is shorter than 25 ms"):
        shipped().embedding(speech()[:399], "short.wav")


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
    monkeypatch.setattr("zebra_core.recordings.recogniser._BLOCK", 7)

    assert filter_banks(speech()) == pytest.approx(whole, abs=1e-4)


def test_the_mean_of_each_band_goes():
    assert without_mean(filter_banks(speech())).mean(axis=0) == pytest.approx(0.0, abs=1e-4)
