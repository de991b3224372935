"""Protecting a folder: names, lengths, rates and levels stay, and work that was stopped goes on."""

import json

import numpy as np
import pytest
import soundfile

from tests.core.recordings.samples import SPEECH, speech, tone, write
from zebra_core.errors import Cancelled, InputError, OutputError
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.protecting import McAdams, levelled, protect


def folder_of(tmp_path):
    top = tmp_path / "in"
    write(top / "s1" / "a.wav", speech()[:16_000], subtype="PCM_24")
    write(top / "s1" / "b.flac", speech()[16_000:32_000])
    write(top / "s2" / "c.wav", np.stack([tone(0.3, 44_100), tone(0.3, 44_100, 900.0)], axis=1), 44_100)
    write(top / "s2" / "d.mp3", speech()[:16_000])
    (top / "s2" / "letter.wav").write_text("dear all")
    (top / "s2" / "broken.flac").write_bytes(SPEECH.read_bytes()[:9_000])
    return top


def test_names_lengths_rates_and_levels_stay(tmp_path):
    found = protect(look_into(folder_of(tmp_path)), tmp_path / "out", McAdams())

    assert [one.protected for one in found.done] == ["s1/a.wav", "s1/b.flac", "s2/c.wav", "s2/d.flac"]
    for one in found.done:
        before, rate = soundfile.read(tmp_path / "in" / one.original)
        after, rate_after = soundfile.read(tmp_path / "out" / one.protected)
        assert (before.shape, rate) == (after.shape, rate_after)
        assert np.abs(after - before).max() > 0.01
        if not one.is_quieter:
            assert np.mean(after**2) == pytest.approx(np.mean(before**2), rel=0.01)
    assert soundfile.info(tmp_path / "out" / "s1" / "a.wav").subtype == "PCM_24"
    assert [str(fault).split(" ")[0] for fault in found.faults] == ["s2/broken.flac"]


def test_the_record_says_what_was_done(tmp_path):
    found = protect(look_into(folder_of(tmp_path)), tmp_path / "out", McAdams())
    record = json.loads((tmp_path / "out" / "protected.json").read_text())

    assert record["safeguard"] == "mcadams"
    assert record["settings"] == {"coefficient": 0.8, "random": "", "seed": 0}
    assert [one["original_sha256"] for one in record["recordings"]] == [
        one.original_sha256 for one in found.done
    ]


def test_of_two_that_would_share_a_copy_neither_is_made_and_that_is_told(tmp_path):
    for name in ("a.ogg", "a.mp3", "b.flac", "b.mp3", "c.wav", "c.mp3"):
        write(tmp_path / "in" / name, tone())
    found = protect(look_into(tmp_path / "in"), tmp_path / "out", McAdams())

    assert [one.protected for one in found.done] == ["c.flac", "c.wav"]
    assert [str(fault).partition(",")[0] for fault in found.faults] == [
        "The copies of a.mp3 and a.ogg would have the same name",
        "The copies of a.ogg and a.mp3 would have the same name",
        "The copies of b.flac and b.mp3 would have the same name",
        "The copies of b.mp3 and b.flac would have the same name",
    ]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"c.flac", "c.wav", "protected.json"}


def test_what_is_done_is_kept_and_what_changed_is_done_again(tmp_path):
    top, out = folder_of(tmp_path), tmp_path / "out"
    first = protect(look_into(top), out, McAdams())
    write(top / "s1" / "a.wav", tone(1.0))
    again = protect(look_into(top), out, McAdams())

    assert (first.kept, again.kept) == (0, 3)
    assert soundfile.info(out / "s1" / "a.wav").subtype == "PCM_16"


def test_a_start_that_was_stopped_goes_on(tmp_path):
    top, out = folder_of(tmp_path), tmp_path / "out"

    def stop(share):
        if share > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        protect(look_into(top), out, McAdams(), on_progress=stop)
    before = len(json.loads((out / "protected.json").read_text())["recordings"])
    found = protect(look_into(top), out, McAdams())

    assert before >= 1
    assert (found.kept, len(found.done)) == (before, 4)


def test_files_of_others_are_not_overwritten_unasked(tmp_path):
    write(tmp_path / "out" / "s1" / "a.wav", tone())

    with pytest.raises(OutputError, match=r"a\.wav"):
        protect(look_into(folder_of(tmp_path)), tmp_path / "out", McAdams())
    protect(look_into(folder_of(tmp_path)), tmp_path / "out", McAdams(), overwrite=True)


def test_copies_made_in_another_way_keep_their_record_and_changed_copies_what_was_put_there(tmp_path):
    out = tmp_path / "out"
    write(tmp_path / "in" / "a.wav", tone(0.1))
    folder = look_into(tmp_path / "in")
    protect(folder, out, McAdams())
    record = (out / "protected.json").read_bytes()
    with pytest.raises(OutputError, match=r"protected\.json already exists"):
        protect(folder, out, McAdams(0.7))
    assert (out / "protected.json").read_bytes() == record
    assert protect(folder, out, McAdams()).kept == 1

    (out / "a.wav").write_bytes(b"mine")
    with pytest.raises(OutputError, match=r"a\.wav already exists"):
        protect(folder, out, McAdams())
    assert (out / "a.wav").read_bytes() == b"mine"
    assert protect(folder, out, McAdams(0.7), overwrite=True).kept == 0


def test_originals_are_never_written_over(tmp_path):
    top = folder_of(tmp_path)

    with pytest.raises(InputError, match="would overwrite"):
        protect(look_into(top), top, McAdams(), overwrite=True)


def test_a_drawn_coefficient_follows_from_seed_and_name(tmp_path):
    a, b = look_into(folder_of(tmp_path)).recordings[:2]
    by_speaker, by_utterance = (McAdams(None, random, 7) for random in ("speaker", "utterance"))

    assert by_speaker.of(a, "s1") == by_speaker.of(b, "s1") != by_speaker.of(b, "s2")
    assert by_utterance.of(a, "s1") != by_utterance.of(b, "s1")
    assert by_speaker.of(a, "s1") != McAdams(None, "speaker", 8).of(a, "s1")
    drawn = [by_speaker.of(a, str(n)) for n in range(500)]
    assert 0.5 <= min(drawn) < 0.51
    assert 0.89 < max(drawn) <= 0.9


def test_what_would_not_fit_is_quieter_and_says_so():
    loud, spiky = np.ones(100), np.eye(1, 100)[0]

    found, is_quieter = levelled(spiky, loud)
    assert (is_quieter, np.abs(found).max()) == (True, 1.0)
    assert levelled(spiky, loud / 100)[1] is False
