"""A recogniser of the user's own is run by processes of its own; a hostile one has a sentence."""

import json
import time

import numpy as np
import pytest

import zebra_resources
from tests.core.recordings import networks
from tests.core.recordings.samples import speech
from zebra_core.errors import Cancelled, InputError
from zebra_core.recordings import onnx_recogniser
from zebra_core.recordings.onnx_recogniser import given
from zebra_core.recordings.recogniser import AS_SHIPPED, SHIPPED, NetworkInput, filter_banks, shipped, unit
from zebra_core.runtime import apart

BANKS = {
    "input": "filter-banks",
    "axes": "frames-bands",
    "bands": 80,
    "window": "hamming",
    "full_scale": 1,
    "mean": "kept",
}


@pytest.fixture
def saved(tmp_path):
    """Saves a network and what is said beside it."""

    def save(content, beside=None):
        (tmp_path / "a.onnx").write_bytes(content)
        if beside is not None:
            text = beside if isinstance(beside, str) else json.dumps(beside)
            (tmp_path / "a.json").write_text(text, encoding="utf-8")
        return tmp_path / "a.onnx"

    return save


def test_a_network_that_takes_filter_banks_is_taken():
    found = given(zebra_resources.path(SHIPPED))

    assert (found.name, found.licence, found.dimensions) == ("campplus-16k-zh-en", "not stated", 192)
    assert (found.takes, found.key) == (AS_SHIPPED, shipped().key)
    assert found.embedding(speech()[:16_000]) == pytest.approx(shipped().embedding(speech()[:16_000]), abs=0)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (BANKS, filter_banks(speech()[:8_000], "hamming", 80, 1).mean(axis=0)),
        (
            BANKS | {"axes": "bands-frames", "bands": 40},
            filter_banks(speech()[:8_000], "hamming", 40, 1).mean(axis=0),
        ),
        (
            BANKS | {"window": "hann", "full_scale": 32_768},
            filter_banks(speech()[:8_000], "hann").mean(axis=0),
        ),
    ],
)
def test_a_file_beside_a_network_says_what_goes_into_it(saved, said, expected):
    axis = 2 if said["axes"] == "bands-frames" else 1
    path = saved(networks.mean_over(axis, 1, "a", "b"), said | {"name": "Mine", "licence": "MIT"})

    found = given(path)

    assert (found.name, found.licence, found.takes.as_json()) == ("Mine", "MIT", said)
    assert found.key != found.sha256[:16]  # embeddings of another input are others
    assert found.embedding(speech()[:8_000]) == pytest.approx(unit(expected.astype(float)), abs=1e-5)
    assert given(path, takes=NetworkInput.of(said)).key == found.key


def test_a_network_may_take_samples(saved):
    found = given(saved(networks.of_samples(), {"input": "samples", "full_scale": 32_768}))
    samples = speech()[:8_000]

    expected = unit(np.array([samples.max(), samples.sum(dtype=float)]))
    assert found.embedding(samples) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"framework": "wespeaker", "normalize_samples": "0"}, NetworkInput(window="hamming")),
        ({"framework": "3d-speaker", "feature_normalize_type": ""}, NetworkInput(mean="kept")),
        ({"normalize_samples": "1", "sample_rate": "16000"}, NetworkInput(full_scale=1)),
    ],
)
def test_metadata_of_a_network_say_what_goes_into_it(saved, metadata, expected):
    assert given(saved(networks.mean_over(1, 1, "n", 80, **metadata))).takes == expected


@pytest.mark.parametrize(
    "content",
    [
        networks.mean_over(2, 1, 80, "n"),
        networks.mean_over(1, 1, "n", "m"),
        networks.of_samples(),
        networks.mean_over(1, 1, "n", 80, framework="nemo"),
        networks.mean_over(1, 1, "n", 80, sample_rate="8000"),
    ],
)
def test_what_is_not_clear_is_asked_for_and_not_guessed(saved, content):
    with pytest.raises(
        InputError, match=r"not clear what goes into a.onnx \(input .* in a file a.json beside"
    ):
        given(saved(content))


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("{", "Expecting property name"),
        ({"input": "magic"}, "input"),
        ({"input": "samples"}, "full_scale"),
        (BANKS | {"bands": 1 << 40}, "bands"),
        ({key: value for key, value in BANKS.items() if key != "mean"}, "mean"),
        (BANKS | {"name": "a\nb"}, "name"),
        (BANKS | {"code": "import os"}, "code"),
        ([], "."),
        ("[" * 100_000, ""),
        ('{"input": "samples", "input": "samples", "full_scale": 1}', "twice"),
    ],
)
def test_a_file_beside_a_network_that_says_it_wrongly_has_a_sentence(saved, said, named):
    with pytest.raises(InputError, match=f"a.json does not say clearly what goes into a.onnx: .*{named}"):
        given(saved(networks.of_samples(), said))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no network", "cannot be used as a recogniser"),
        (b"", "cannot be used as a recogniser"),
        (networks.of_an_own_operator(), "cannot be used as a recogniser"),
        (networks.gigabytes(), "cannot be used as a recogniser"),
    ],
)
def test_what_is_no_network_has_a_sentence(saved, content, sentence):
    with pytest.raises(InputError, match=sentence):
        given(saved(content))


def test_what_the_library_says_of_a_fault_is_said_without_its_codes(saved):
    with pytest.raises(InputError) as raised:
        given(saved(networks.of_an_own_operator()))

    assert str(raised.value).startswith("a.onnx cannot be used as a recogniser (This is an invalid model.")


@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("location", ["secret.bin", "../{folder}/secret.bin", "/etc/passwd"])
def test_weights_in_other_files_are_refused_however_that_is_written(saved, monkeypatch, location, padding):
    path = saved(networks.weighed(networks.floats("W", *range(80))))
    assert given(path).dimensions == 80
    monkeypatch.chdir(path.parent)
    (path.parent / "secret.bin").write_bytes(np.linspace(1, 2, 80, dtype=np.float32).tobytes())
    location = location.format(folder=path.parent.name)

    with pytest.raises(InputError, match="keeps its weights in other files"):
        given(saved(networks.weighed(networks.elsewhere(location, padding))))


@pytest.mark.parametrize(
    "place",
    [
        pytest.param((7, 5), id="of a graph"),
        pytest.param((7, 1, 5, 5), id="of an attribute"),
        pytest.param((7, 1, 5, 6, 5), id="of the graph of a loop"),
        pytest.param((7, 15, 1), id="sparse"),
        pytest.param((25, 7, 5, 10), id="of a function"),
        pytest.param((20, 1, 5), id="of training"),
    ],
)
def test_weights_in_other_files_are_found_in_every_place_that_tensors_have(place):
    content = networks.elsewhere("secret.bin", 1)
    for number in reversed(place):
        content = networks.field(number, content)

    assert onnx_recogniser.has_weights_elsewhere(content)


def test_a_tensor_that_says_that_its_weights_are_here_is_none_of_others():
    """As programs write it that took weights in from other files."""
    here, elsewhere = (networks.floats("W", 1.0) + bytes([14 << 3, said]) for said in (0, 1))

    assert not onnx_recogniser.has_weights_elsewhere(networks.field(7, networks.field(5, here)))
    assert onnx_recogniser.has_weights_elsewhere(networks.field(7, networks.field(5, elsewhere)))


def test_a_network_runs_where_no_file_is(saved, monkeypatch):
    """Whatever a library takes for a path then: nothing is below the current folder."""
    path = saved(networks.weighed(networks.elsewhere("secret.bin", 1)))
    monkeypatch.chdir(path.parent)
    (path.parent / "secret.bin").write_bytes(np.linspace(1, 2, 80, dtype=np.float32).tobytes())
    monkeypatch.setattr(onnx_recogniser, "has_weights_elsewhere", lambda _content: False)

    with pytest.raises(InputError, match="cannot be used as a recogniser"):
        given(path)


def test_a_network_that_is_too_large_is_not_read(saved, monkeypatch):
    monkeypatch.setattr(onnx_recogniser, "_MOST_BYTES", 3)
    monkeypatch.setattr(onnx_recogniser, "open_regular", None)
    with pytest.raises(InputError, match=r"a.onnx is larger than"):
        given(saved(b"1234"))


def test_a_network_that_does_not_end_for_a_recording_can_be_stopped_at_once(saved):
    found, beats = given(saved(networks.endless_for_long())), []

    def progress(share):
        beats.append(share)
        if len(beats) > 4:
            raise Cancelled

    began = time.monotonic()
    with pytest.raises(Cancelled):
        found.embedding(speech()[:32_000], "a", progress)
    assert time.monotonic() - began < 30.0  # of the minute that an answer may take
    assert set(beats) == {0.0}
    assert found.embedding(speech()[:16_000]).shape == (80,)


def test_a_network_that_does_not_end_is_ended(saved, monkeypatch):
    monkeypatch.setattr(onnx_recogniser, "_SECONDS", 1.0)
    before = set(apart._RUNNING)

    with pytest.raises(
        InputError, match=r"took longer than \d+ s and was given up\. The computer may be slow"
    ):
        given(saved(networks.endless()))
    assert set(apart._RUNNING) <= before


def test_a_network_that_ends_its_process_later_is_not_begun_again(saved):
    found = given(saved(networks.mean_over(1, 1, "n", 80)))
    (process,) = [one for one in apart._RUNNING if "network_apart" in str(one.args)]
    process.kill()
    process.wait()
    assert found.embedding(speech()[:8_000]).shape == (80,)  # by another: it had not been asked

    found.network._pool.one = lambda _begin: (_ for _ in ()).throw(apart.NoAnswer)
    with pytest.raises(InputError, match="ends the process that runs it"):
        found.embedding(speech()[:8_000])
    del found.network._pool.one
    with pytest.raises(InputError, match="ends the process that runs it"):
        found.embedding(speech()[:8_000])


def test_what_the_library_refuses_of_one_recording_is_told_of_that_one(saved):
    found = given(saved(networks.mean_over(1, 1, "n", 80)))
    shape = (
        found.network(np.ones((7, 80), np.float32)).shape,
        found.network(np.ones((7, 9, 9), np.float32)).shape,
    )

    assert shape == ((80,), (0,))


def test_a_larger_network_than_is_read_is_refused(saved, monkeypatch):
    monkeypatch.setattr(onnx_recogniser, "_MOST_BYTES", 10)

    with pytest.raises(InputError, match="larger than"):
        given(saved(b"x" * 11))
