"""A recogniser of the user's own is tried in a process of its own; a hostile one has a sentence."""

import pytest

import zebra_resources
from tests.core.recordings.samples import speech
from zebra_core.errors import InputError
from zebra_core.recordings import given_recogniser
from zebra_core.recordings.given_recogniser import given
from zebra_core.recordings.recogniser import SHIPPED, shipped


def test_a_network_that_takes_filter_banks_is_taken():
    found = given(zebra_resources.path(SHIPPED))

    assert (found.name, found.licence, found.dimensions) == ("campplus-16k-zh-en", "not stated", 192)
    assert found.embedding(speech()[:16_000]) == pytest.approx(shipped().embedding(speech()[:16_000]), abs=0)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no network", "cannot be used as a recogniser"),
        (b"\x0a\x08location\x12\x0b/etc/passwd", "keeps its weights in other files"),
        (b"", "cannot be used as a recogniser"),
    ],
)
def test_what_is_no_network_has_a_sentence(tmp_path, content, sentence):
    (tmp_path / "a.onnx").write_bytes(content)

    with pytest.raises(InputError, match=sentence):
        given(tmp_path / "a.onnx")


def test_a_network_that_does_not_end_is_ended(tmp_path, monkeypatch):
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)\n")
    (tmp_path / "a.onnx").write_bytes(b"x")
    monkeypatch.setattr(given_recogniser, "_PROGRAM", tmp_path / "slow.py")
    monkeypatch.setattr(given_recogniser, "_SECONDS", 0.2)

    with pytest.raises(InputError, match="within the limits of time and memory"):
        given(tmp_path / "a.onnx")


def test_a_larger_network_than_is_read_is_refused(tmp_path, monkeypatch):
    (tmp_path / "a.onnx").write_bytes(b"x" * 11)
    monkeypatch.setattr(given_recogniser, "_MOST_BYTES", 10)

    with pytest.raises(InputError, match="larger than"):
        given(tmp_path / "a.onnx")
