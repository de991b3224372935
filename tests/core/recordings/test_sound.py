"""Every kind of sound is read by its content, and every bad input has a sentence."""

import io
import signal
import struct
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.core.recordings.samples import SPEECH, speech, tone, write
from zebra_core.errors import Cancelled, InputError
from zebra_core.recordings import libraries, sound as mp3, sound as sound_process
from zebra_core.recordings.embedding import glance, survey
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.pictures import look_at
from zebra_core.recordings.protecting import McAdams, protect
from zebra_core.recordings.sound import (
    at_rate,
    counted_frames,
    hash_of,
    is_sound,
    looks_like_sound,
    missing_bytes,
    read_channels,
    read_sound,
)
from zebra_core.runtime import apart
from zebra_core.runtime.apart import ProgramOutput


@pytest.mark.parametrize(
    ("ending", "kind", "subtype", "close"),
    [
        ("wav", "WAV", "PCM_16", 1e-4),
        ("wav", "WAV", "PCM_U8", 1e-2),
        ("wav", "WAV", "PCM_24", 1e-6),
        ("wav", "WAV", "FLOAT", 0.0),
        ("flac", "FLAC", "PCM_16", 1e-4),
        ("aiff", "AIFF", "PCM_16", 1e-4),
        ("caf", "CAF", "PCM_16", 1e-4),
        ("w64", "W64", "PCM_16", 1e-4),
        ("ogg", "OGG", "VORBIS", 0.1),
        ("opus", "OGG", "OPUS", 0.3),
        ("mp3", "MP3", "MPEG_LAYER_III", 0.1),
    ],
)
def test_reads_sound_by_its_content(tmp_path, ending, kind, subtype, close):
    given = tone()
    path = write(tmp_path / f"called.{ending}", given, format=kind, subtype=subtype).rename(
        tmp_path / "what.txt"
    )
    found = read_sound(path)

    assert is_sound(path)
    assert (found.kind.format, found.kind.subtype, found.kind.rate_hz) == (kind, subtype, 16_000)
    assert found.samples.dtype == np.float32
    assert found.seconds == pytest.approx(0.5, abs=0.1)
    if kind != "MP3":  # which delays
        assert np.abs(found.samples[: len(given)] - given).max() <= close


def test_its_hash_is_that_of_the_file(tmp_path):
    path = write(tmp_path / "a.wav", tone())

    assert read_sound(path).sha256 == sha256(path.read_bytes()).hexdigest()


def test_a_channel_is_chosen_and_never_mixed(tmp_path):
    channels = np.stack([tone(hertz=100.0 * (n + 1)) for n in range(8)], axis=1)
    path = write(tmp_path / "eight.wav", channels, subtype="FLOAT")

    with pytest.raises(InputError, match=r"“?eight.wav”? has 8 channels. Say which one to use"):
        read_sound(path)
    assert (read_sound(path, 3).samples == channels[:, 2]).all()
    with pytest.raises(InputError, match="8 channels, but no channel 9"):
        read_sound(path, 9)


def broken(tmp_path, name):
    """A bad recording of this name."""
    path = tmp_path / f"{name}.wav"
    if name == "text":
        path.write_text("this is a letter\n")
    elif name == "nothing":
        path.write_bytes(b"")
    elif name == "flac":
        path.write_bytes(SPEECH.read_bytes()[:20_000])
    elif name == "header":
        path.write_bytes(write(path, tone()).read_bytes()[:30])
    elif name == "nan":
        samples = tone()
        samples[1600] = np.nan
        write(path, samples, subtype="FLOAT")
    elif name == "endless":
        samples = tone()
        samples[800] = np.inf
        write(path, samples, subtype="FLOAT")
    elif name == "empty":
        write(path, np.empty(0, np.float32))
    elif name == "slow":
        write(path, tone(), 2_000)
    elif name == "folder":
        path.mkdir()
    return path


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("text", "text.wav is not a sound file: it does not begin like WAV"),
        ("nothing", "nothing.wav is empty"),
        ("flac", "flac.wav (ends after|cannot be read as sound)"),
        ("header", "header.wav cannot be read as sound"),
        ("nan", "the sample at 0.100 s is not a finite number"),
        ("endless", "the sample at 0.050 s is not a finite number"),
        ("empty", "contains no samples"),
        ("slow", "has 2\u202f000 samples per second"),
        ("folder", "is a folder"),
        ("missing", "was not found"),
    ],
)
def test_a_bad_recording_has_a_sentence(tmp_path, name, sentence):
    with pytest.raises(InputError, match=sentence):
        read_sound(broken(tmp_path, name))


KINDS = [
    ("WAV", "PCM_16"),
    ("WAV", "FLOAT"),
    ("WAV", "ULAW"),
    ("WAVEX", "PCM_24"),
    ("RF64", "PCM_16"),
    ("AIFF", "PCM_16"),
    ("W64", "PCM_16"),
    ("CAF", "PCM_16"),
    ("FLAC", "PCM_16"),
    ("OGG", "VORBIS"),
    ("OGG", "OPUS"),
    ("MP3", "MPEG_LAYER_III"),
]


@pytest.mark.parametrize(("kind", "subtype"), KINDS)
def test_half_a_file_is_never_taken_for_a_shorter_recording(tmp_path, kind, subtype):
    path = write(tmp_path / "half.wav", np.tile(tone(), 20), format=kind, subtype=subtype)
    whole = path.read_bytes()
    assert read_sound(path).seconds == pytest.approx(10.0, abs=0.1)
    path.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(InputError, match=r"ends (before its sound does|after)|cannot be read as sound"):
        read_sound(path)


def test_how_much_is_missing_is_told_to_the_byte(tmp_path):
    path = write(tmp_path / "cut.wav", tone())
    path.write_bytes(path.read_bytes()[:-1000])

    with pytest.raises(
        InputError, match=r"^cut.wav ends before its sound does: .* at least 1\u202f000 bytes of it are"
    ):
        read_sound(path)


@pytest.mark.parametrize("size", [0xFFFFFFFF, 0x7FFFFFFF - 44])
def test_a_wav_that_was_written_to_a_pipe_does_not_say_how_long_it_is(tmp_path, size):
    path = write(tmp_path / "piped.wav", tone())
    content = bytearray(path.read_bytes())
    content[40:44] = struct.pack("<I", size)
    path.write_bytes(content)

    assert read_sound(path).seconds == 0.5


@pytest.mark.parametrize(("kind", "subtype"), KINDS)
def test_what_comes_after_the_sound_is_not_missed(tmp_path, kind, subtype):
    path = write(tmp_path / "more.wav", tone(), format=kind, subtype=subtype)

    with path.open("rb") as stream:
        assert missing_bytes(stream) == 0
    with path.open("ab") as stream:
        stream.write(b"LIST\4\0\0\0more")
    with path.open("rb") as stream:
        assert missing_bytes(stream) == 0


_LIES = [0, 1, 24, 1 << 31, (1 << 60) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


@pytest.mark.parametrize(("kind", "subtype"), KINDS)
def test_whatever_a_file_says_of_its_own_length_it_is_read_or_has_a_sentence(tmp_path, kind, subtype):
    """Every field of every header in turn, in both orders of bytes."""
    path = write(tmp_path / "lie.wav", tone(0.1), format=kind, subtype=subtype)
    whole = path.read_bytes()
    fields = [(at, width) for width in (4, 8) for at in range(4, min(len(whole), 200) - width, 4)]
    for at, width in fields:
        for lie in _LIES:
            field = (lie & ((1 << 8 * width) - 1)).to_bytes(width, "little")
            for said in {field, field[::-1]}:
                path.write_bytes(whole[:at] + said + whole[at + width :])
                with path.open("rb") as stream:
                    assert missing_bytes(stream) >= 0


@pytest.mark.parametrize("size", [(1 << 60) - 1, (1 << 63) - 1, (1 << 64) - 1])
def test_a_chunk_that_says_that_it_is_larger_than_any_file_has_a_sentence(tmp_path, size):
    path = write(tmp_path / "far.w64", tone(), format="W64", subtype="PCM_16")
    content = bytearray(path.read_bytes())
    content[40 + 16 : 40 + 24] = size.to_bytes(8, "little")
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"far.w64"):
        read_sound(path)


def with_field(content, after, at, value, order="little"):
    """The bytes with another number at so many bytes after a mark."""
    place = content.index(after) + at
    return content[:place] + value.to_bytes(4, order) + content[place + 4 :]


def saying_less(tmp_path, kind):
    """A file that holds sixty times the 0.5 s that its header speaks of."""
    subtype = "MPEG_LAYER_III" if kind == "MP3" else "PCM_16"
    path = write(tmp_path / "less.wav", np.tile(tone(), 60), format=kind, subtype=subtype)
    whole = path.read_bytes()
    if kind == "FLAC":
        frames = int.from_bytes(whole[18:26], "big") >> 36 << 36 | 8_000
        less = whole[:18] + frames.to_bytes(8, "big") + whole[26:]
    elif kind == "MP3":
        mark = b"Info" if b"Info" in whole else b"Xing"
        less = with_field(whole, mark, 8, 14, "big")
    elif kind == "RF64":
        less = with_field(whole, b"ds64", 16, 16_000)
    elif kind == "CAF":
        less = with_field(whole, b"data", 8, 16_004, "big")
    elif kind == "AIFF":
        less = with_field(whole, b"SSND", 4, 16_008, "big")
    else:
        less = with_field(whole, b"data", 4, 16_000)
    path.write_bytes(less)
    return path


@pytest.mark.parametrize("kind", ["WAV", "RF64", "AIFF", "CAF", "FLAC", "MP3"])
def test_a_file_that_holds_more_than_it_says_is_not_heard_as_what_it_says(tmp_path, kind):
    with pytest.raises(InputError, match=r"^less.wav holds .* bytes more than the 0.[45] s of sound"):
        read_sound(saying_less(tmp_path, kind))


@pytest.mark.parametrize(("kind", "subtype"), KINDS)
def test_notes_after_the_sound_are_no_sound(tmp_path, kind, subtype):
    path = write(tmp_path / "notes.wav", tone(), format=kind, subtype=subtype)
    with path.open("ab") as stream:
        if kind in ("WAV", "WAVEX", "RF64"):
            stream.write(b"LIST" + (9_000).to_bytes(4, "little") + bytes(9_000))
        elif kind == "AIFF":
            stream.write((b"ANNO" + (1_500).to_bytes(4, "big") + bytes(1_500)) * 6)
        elif kind == "CAF":
            stream.write(b"info" + (9_000).to_bytes(8, "big") + bytes(9_000))
        else:
            stream.write(b"TAG" + bytes(125))
    assert read_sound(path).seconds == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("read", [read_sound, hash_of])
def test_a_disk_that_fails_in_the_midst_of_a_file_has_a_sentence(monkeypatch, read):
    class Failing(io.BytesIO):
        def read(self, *_):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("zebra_core.recordings.sound.open_regular", lambda *_: Failing())
    with pytest.raises(InputError, match=r"cannot be read: Input/output error"):
        read(SPEECH)


@pytest.mark.parametrize("dies", [0, 1])
def test_a_file_that_kills_its_process_has_a_sentence_and_the_next_one_is_read(monkeypatch, dies):
    """As a library does that stumbles over a file: while it is opened, or in the midst of its samples."""
    asked = []

    def kill(answer, question):
        if len(asked) == dies:
            answer._process.kill()
        asked.append(question)
        ask(answer, question)

    ask = ProgramOutput.ask
    monkeypatch.setattr(ProgramOutput, "ask", kill)
    with pytest.raises(InputError, match="the separate process that reads sound failed"):
        read_sound(SPEECH)
    monkeypatch.undo()

    assert len(read_sound(SPEECH).samples) > 16_000


@pytest.mark.parametrize("hangs", [0, 1])
def test_a_file_that_hangs_its_process_can_be_stopped_at_once(monkeypatch, hangs):
    """While it is opened, or in the midst of its samples: nobody waits until an answer takes too long."""
    asked, beats = [], []

    def hang(answer, question):
        if len(asked) == hangs:
            answer._process.send_signal(signal.SIGSTOP)
        asked.append(question)
        ask(answer, question)

    def stop(share):
        beats.append(share)
        if len(beats) > 4:
            raise Cancelled

    ask = ProgramOutput.ask
    monkeypatch.setattr(ProgramOutput, "ask", hang)
    with pytest.raises(Cancelled):
        read_sound(SPEECH, on_progress=stop)
    monkeypatch.undo()

    assert beats == [0.0] * 5
    assert len(read_sound(SPEECH).samples) > 16_000


def test_files_are_read_by_one_process_that_waits_between_them():
    read_sound(SPEECH)
    before = set(apart._RUNNING)
    read_sound(SPEECH)

    assert set(apart._RUNNING) == before
    for process in before:
        process.kill()
        process.wait()
    assert len(read_sound(SPEECH).samples) > 16_000  # whoever died meanwhile is not asked
    sound_process.end_idle()
    assert not set(apart._RUNNING) & before


def test_a_longer_recording_than_is_promised_is_refused_by_its_header(tmp_path, monkeypatch):
    path = write(tmp_path / "long.wav", tone(2.0))
    monkeypatch.setattr("zebra_core.recordings.sound.LONGEST_S", 1)

    with pytest.raises(InputError, match="longer than"):
        read_sound(path)


def test_all_channels_of_a_high_rate_together_are_bounded(tmp_path, monkeypatch):
    silence = write(tmp_path / "eight.flac", np.zeros((8_000, 8)), format="FLAC")  # 0.5 s
    monkeypatch.setattr("zebra_core.recordings.sound.MOST_SAMPLES", 16_000)

    assert len(read_sound(silence, 3).samples) == 8_000
    with pytest.raises(InputError, match=r"eight.flac”? is longer than 0\.00208 minutes"):
        read_channels(silence)


def test_a_header_that_promises_hours_takes_no_memory(tmp_path):
    content = bytearray(write(tmp_path / "a.wav", tone()).read_bytes())
    at = content.index(b"data")
    content[at + 4 : at + 8] = struct.pack("<I", 0x7FFFFFF0)
    (tmp_path / "a.wav").write_bytes(content)

    assert len(read_sound(tmp_path / "a.wav").samples) == 8_000  # libsndfile goes by the size of the file


def test_reading_can_be_stopped():
    def stop(_share):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_sound(SPEECH, on_progress=stop)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 96_000])
def test_a_tone_is_the_same_tone_at_another_rate(rate):
    found = at_rate(tone(1.0, rate), rate, 16_000)
    middle = slice(2_000, 14_000)

    assert len(found) == 16_000
    assert np.abs(found[middle] - tone(1.0)[middle]).max() < 1e-3


def test_what_has_the_wanted_rate_stays_itself():
    samples = speech()

    assert at_rate(samples, 16_000, 16_000) is samples


@pytest.mark.parametrize(
    "head",
    [b"", b"text", "\ufeffx y 1\n".encode("utf-16"), b"\xff\xd8\xff\xe0 JPEG", b"RIFF....AVI LIST", b"%PDF"],
)
def test_other_files_do_not_look_like_sound(head):
    assert not looks_like_sound(head)


def test_a_missing_library_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "soxr", None)

    with pytest.raises(InputError, match=r"soxr is missing.*pip install zebra-privacy\[recordings\]"):
        libraries.require_all()


def test_au_is_read_and_one_that_was_cut_off_is_told(tmp_path):
    soundfile.write(tmp_path / "call.au", tone(1.0), 16_000, format="AU", subtype="ULAW")
    assert read_sound(tmp_path / "call.au").seconds == 1.0

    content = (tmp_path / "call.au").read_bytes()
    (tmp_path / "call.au").write_bytes(content[:-100])
    with pytest.raises(InputError, match=r"^call.au ends before its sound does: .* at least 100 bytes"):
        read_sound(tmp_path / "call.au")


def test_a_form_of_wav_that_is_not_read_is_to_be_converted(tmp_path):
    form = struct.pack("<HHIIHH", 0x14, 1, 8000, 3000, 24, 3)  # G.723
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", 240) + bytes(240)
    (tmp_path / "call.wav").write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    with pytest.raises(InputError, match="If other programs can play it, convert it, for instance"):
        read_sound(tmp_path / "call.wav")


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
