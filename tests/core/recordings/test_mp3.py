"""MP3 that does not say its length is read to its end, and what is torn is told as far as anything tells."""

import io
import struct
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.core.recordings.samples import tone
from zebra_core.errors import InputError
from zebra_core.recordings import mp3
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.mp3 import counted_frames
from zebra_core.recordings.protecting import McAdams, protect
from zebra_core.recordings.sound import read_channels, read_sound
from zebra_core.recordings.spectrogram import look_at
from zebra_core.recordings.survey import glance, survey

SAMPLES = Path(__file__).parents[2] / "data" / "recordings"
ID3 = b"ID3\4\0\0\0\0\x20\0" + bytes(4096)
OLD_TAG = b"TAG" + bytes(125)


def encoded(samples, rate, mode="CONSTANT"):
    """As the encoder writes it, with a first frame that says the length."""
    content = io.BytesIO()
    soundfile.write(content, samples, rate, format="MP3", subtype="MPEG_LAYER_III", bitrate_mode=mode)
    return content.getvalue()


def frames_of(content):
    """Where each frame begins."""
    place, found = mp3._first_frame(io.BytesIO(content))[0], []
    while length := mp3._length(content[place : place + 4]):
        found.append(place)
        place += length
    return found


def unsaid(seconds=2.0, rate=16_000, channels=1, mode="CONSTANT"):
    """The same without the first frame, as of SoX, or FFmpeg with `-write_xing 0`."""
    samples = np.repeat(tone(seconds, rate)[:, None], channels, axis=1)
    content = encoded(samples, rate, mode)
    return content[frames_of(content)[1] :]


def saved(tmp_path, content, name="call.mp3"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("mode", ["CONSTANT", "AVERAGE", "VARIABLE"])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000])
def test_is_read_to_its_last_frame(tmp_path, rate, channels, mode):
    content = unsaid(rate=rate, channels=channels, mode=mode)
    path = saved(tmp_path, content)
    kind, _, samples = read_channels(path)

    of_frame = 1152 if rate >= 32_000 else 576
    assert samples.shape == (of_frame * len(frames_of(content)), channels)
    assert (kind.frames, kind.rate_hz) == (len(samples), rate)
    assert 2.0 <= len(samples) / rate < 2.3


@pytest.mark.parametrize(
    ("name", "seconds", "rate"),
    [
        ("sox-constant.mp3", 0.576, 8_000),
        ("ffmpeg-constant.mp3", 0.470, 22_050),
        ("ffmpeg-variable.mp3", 1.692, 16_000),
    ],
)
def test_files_of_common_encoders_are_read_everywhere(tmp_path, name, seconds, rate):
    (tmp_path / "in").mkdir()
    path = saved(tmp_path / "in", (SAMPLES / name).read_bytes(), name)
    one = look_into(tmp_path / "in").recordings[0]

    sound = read_sound(path, 1)
    assert (round(sound.seconds, 3), sound.kind.rate_hz) == (seconds, rate)
    spectrum = np.abs(np.fft.rfft(sound.samples[: int(0.4 * rate)]))
    assert np.argmax(spectrum) / 0.4 == pytest.approx(440, abs=5)
    assert round(glance([one], {})[path].seconds, 3) == seconds
    assert round(survey([one], {}, 1)[path].seconds, 3) == seconds
    assert round(look_at(path).seconds, 3) == seconds
    done = protect(look_into(tmp_path / "in"), tmp_path / "out", McAdams())
    assert not done.faults
    assert soundfile.info(tmp_path / "out" / done.done[0].protected).duration == pytest.approx(
        seconds, abs=1e-3
    )


@pytest.mark.parametrize("before", [b"", ID3, ID3 + ID3])
@pytest.mark.parametrize("behind", [b"", OLD_TAG, b"APETAGEX" + bytes(200)])
def test_tags_are_no_sound(tmp_path, before, behind):
    content = unsaid()

    plain = read_sound(saved(tmp_path, content, "plain.mp3"))
    assert np.array_equal(read_sound(saved(tmp_path, before + content + behind)).samples, plain.samples)


def test_files_put_one_behind_the_other_are_read_to_the_end(tmp_path):
    content = unsaid()
    path = saved(tmp_path, content + OLD_TAG + ID3 + content)

    assert len(read_sound(path).samples) == 2 * 576 * len(frames_of(content))


@pytest.mark.parametrize("before", [b"", ID3])
@pytest.mark.parametrize("behind", [b"", OLD_TAG])
def test_one_that_ends_within_a_frame_is_torn(tmp_path, before, behind):
    content = unsaid()
    cut = frames_of(content)[20] + 30

    with pytest.raises(InputError, match=r"^call.mp3 ends before its sound does: .* at least \d+ bytes"):
        read_sound(saved(tmp_path, before + content[:cut] + behind))


def test_one_that_ends_between_two_frames_promises_nothing(tmp_path):
    content = unsaid()
    path = saved(tmp_path, content[: frames_of(content)[20]])

    assert len(read_sound(path).samples) == 20 * 576


@pytest.mark.parametrize("mode", ["CONSTANT", "VARIABLE"])
@pytest.mark.parametrize("within", [0, 30])
def test_one_that_says_its_length_is_torn_wherever_it_was_cut(tmp_path, mode, within):
    content = encoded(tone(2.0), 16_000, mode)
    assert counted_frames(io.BytesIO(content)) is None
    assert read_sound(saved(tmp_path, content, "whole.mp3")).seconds == 2.0

    with pytest.raises(InputError, match=r"^call.mp3 (ends after 0\.\d of 2.0 s|cannot be read as sound)"):
        read_sound(saved(tmp_path, content[: frames_of(content)[20] + within]))


@pytest.mark.parametrize("lost", [b"", bytes(300), b"what is no sound" * 20])
def test_one_that_is_damaged_in_the_middle_is_told(tmp_path, lost):
    content = unsaid()
    start, end = frames_of(content)[20:22]
    path = saved(tmp_path, content[: start + 30] + lost + content[end:])

    with pytest.raises(InputError, match=r"^call.mp3 is damaged after 0.8 s: the MP3 stream is interrupted"):
        read_sound(path)


def test_one_that_begins_in_the_midst_of_a_stream_is_read(tmp_path):
    """As a recording of a stream does: what its first frames refer to is not there."""
    content = unsaid(rate=44_100, channels=2)
    for number in (1, 3, 20):
        rest = content[frames_of(content)[number] :]
        sound = read_sound(saved(tmp_path, rest), 1)
        assert len(sound.samples) == 1152 * len(frames_of(rest))


def in_wav(content, rate=16_000, estimate=40_000):
    """MP3 as the samples of a WAV file, which says a length that is an estimate."""
    form = struct.pack("<HHIIHHHHIHHH", 0x55, 1, rate, 4000, 1, 0, 12, 1, 2, 576, 1, 1393)
    chunks = ((b"fmt ", form), (b"fact", struct.pack("<I", estimate)), (b"data", content))
    body = b"".join(name + struct.pack("<I", len(one)) + one + bytes(len(one) % 2) for name, one in chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body


def test_mp3_in_wav_is_read_to_its_last_frame(tmp_path):
    content = unsaid()
    sound = read_sound(saved(tmp_path, in_wav(content), "call.wav"))

    assert (len(sound.samples), sound.kind.format) == (576 * len(frames_of(content)), "WAV")
    noted = in_wav(content) + b"LIST" + struct.pack("<I", 9000) + b"INFO" + b"\xff" * 8996
    assert np.array_equal(read_sound(saved(tmp_path, noted, "noted.wav")).samples, sound.samples)
    with pytest.raises(InputError, match=r"^call.wav ends before its sound does"):
        read_sound(saved(tmp_path, in_wav(content)[:-900], "call.wav"))
    start, stop = frames_of(content)[20:22]
    torn = content[: start + 30] + bytes(300) + content[stop:]
    with pytest.raises(InputError, match=r"^call.wav is damaged after 0.8 s"):
        read_sound(saved(tmp_path, in_wav(torn), "call.wav"))


def test_a_first_frame_that_does_not_say_how_many_follow_is_no_sound(tmp_path):
    content = encoded(tone(2.0), 16_000)
    mark = max(content.find(b"Info"), content.find(b"Xing"))
    silent = content[: mark + 4] + bytes(4) + content[mark + 8 :]

    assert len(read_sound(saved(tmp_path, silent)).samples) == 576 * (len(frames_of(content)) - 1)


def ape(size, *, with_head=True):
    """A tag with something large in it, such as a picture."""
    flags = 0x80000000 if with_head else 0
    mark = [b"APETAGEX" + struct.pack("<IIII8x", 2000, size + 32, 1, flags | top) for top in (0x20000000, 0)]
    return mark[0] * with_head + b"\x55" * size + mark[1]


@pytest.mark.parametrize("tags", [ape(9000), ape(9000, with_head=False), ape(9000) + OLD_TAG])
@pytest.mark.parametrize("content", [unsaid(), encoded(tone(2.0), 16_000)])
def test_large_tags_at_the_end_are_no_sound(tmp_path, content, tags):
    plain = read_sound(saved(tmp_path, content, "plain.mp3"))
    tagged = read_sound(saved(tmp_path, content + tags))

    assert np.array_equal(tagged.samples, plain.samples)
    assert tagged.sha256 == sha256(content + tags).hexdigest()


@pytest.mark.parametrize("rest", [b"PK\3\4" + b"\x55" * 30_000, b"APETAGEX" + bytes(9000)])
def test_what_follows_the_last_frame_and_is_no_tag_is_told(tmp_path, rest):
    with pytest.raises(InputError, match=r"^call.mp3 is damaged after 2.\d s: the MP3 stream is interrupted"):
        read_sound(saved(tmp_path, unsaid() + rest))


def test_any_bytes_come_to_an_end(monkeypatch):
    monkeypatch.setattr(mp3, "_MOST_STEPS", 50)
    rng = np.random.default_rng(1)
    for head in (b"", b"ID3\4\0\0\x7f\x7f\x7f\x7f", OLD_TAG * 60, b"\xff\xfb" * 500):
        for _ in range(20):
            content = head + rng.bytes(3000)
            counted = counted_frames(io.BytesIO(content))
            assert counted is None or 0 <= counted.samples <= 1152 * len(content)
