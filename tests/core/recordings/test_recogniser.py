"""The recogniser that comes along hears what the network in 32 bits hears."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.core.recordings.samples import ORIGINAL, speech
from zebra_core.errors import InputError
from zebra_core.recordings.recogniser import shipped, unit
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
