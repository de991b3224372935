"""What lies in a folder: by content, with names by which recordings are paired."""

import zipfile
from pathlib import PurePosixPath

import pytest

from tests.core.recordings.samples import tone, write
from zebra_core.errors import InputError
from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.folder import Recording, as_id, count_packed, look_into, named, require_some
from zebra_core.recordings.sound import read_sound


def test_sound_is_told_from_what_is_called_so_and_from_the_rest(tmp_path):
    write(tmp_path / "a" / "one.wav", tone())
    write(tmp_path / "b.flac", tone())
    (tmp_path / "letter.wav").write_text("dear all")
    (tmp_path / "utt2spk").write_text("one s")
    (tmp_path / ".hidden.wav").write_bytes((tmp_path / "b.flac").read_bytes())
    found = look_into(tmp_path)

    assert [str(one.place) for one in found.recordings] == ["a/one.wav", "b.flac"]
    assert [str(place) for place in found.pretenders] == ["letter.wav"]
    assert [str(place) for place in found.others] == ["utt2spk"]


UNREAD = {
    "call.m4a": b"\0\0\0\x1cftypM4A ",
    "call.3gp": b"\0\0\0\x14ftyp3gp5",
    "call.aac": b"\xff\xf1\x60\x40",
    "call.amr": b"#!AMR\n",
    "call.wma": b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    "call.webm": b"\x1aE\xdf\xa3",
    "call.sph": b"NIST_1A\n",
}


@pytest.mark.parametrize("name", UNREAD)
def test_sound_that_is_not_read_is_named_with_what_converts_it(tmp_path, name):
    (tmp_path / "calls").mkdir()
    path = tmp_path / "calls" / name
    path.write_bytes(UNREAD[name] + bytes(64))
    found = look_into(tmp_path / "calls")

    assert [str(place) for place in found.unread] == [name]
    assert not found.recordings + found.pretenders + found.others
    convert = r"Convert it first, for instance with: ffmpeg -i call.m4a call.wav$"
    with pytest.raises(
        InputError, match=rf"^calls holds no recordings that ZEBRA can read, but one .*{convert}"
    ):
        require_some(found)
    with pytest.raises(InputError, match=rf"^{name} is in a format that ZEBRA does not read.*{convert}"):
        read_sound(path)
    write(tmp_path / "calls" / "one.wav", tone())
    (sentence,) = doubtful_copies.of_folders(require_some(look_into(tmp_path / "calls")), {})
    assert sentence.startswith(
        f"One recording in calls is in a format that ZEBRA does not read, and is left out: {name}"
    )


def test_names_are_those_of_the_files(tmp_path):
    write(tmp_path / "x" / "one.wav", tone())
    write(tmp_path / "y" / "two 2.wav", tone())
    found, twice = named(look_into(tmp_path).recordings)

    assert sorted(found) == ["one", "two 2"]
    assert twice == ()


def test_folders_tell_apart_what_is_called_alike(tmp_path):
    write(tmp_path / "x" / "one.wav", tone())
    write(tmp_path / "y" / "one.wav", tone())

    assert sorted(named(look_into(tmp_path).recordings)[0]) == ["x/one", "y/one"]


def test_two_of_one_name_in_a_folder_are_told(tmp_path):
    write(tmp_path / "x" / "one.wav", tone())
    write(tmp_path / "x" / "one.flac", tone())
    write(tmp_path / "x" / "two.flac", tone())
    found, twice = named(look_into(tmp_path).recordings)

    assert sorted(found) == ["x/two"]
    assert [str(one.place) for one in twice] == ["x/one.flac", "x/one.wav"]


def test_names_are_ids_as_they_were_written():
    for name in ("Eva Novak", "Eva%20Novak", "100 % sure", "山田\u3000太郎", "Müller/call 1", 'Ben "B"'):
        assert as_id(name) == name


def test_what_no_line_can_hold_is_escaped_and_different_names_have_different_ids():
    names = [
        "a\tb",
        "a%09b",
        "a%2509b",
        "a\nb",
        " a",
        "%20a",
        "a ",
        "a\x85b",
        "a\u2028b",
        "M\udcfcller",
        "a b",
    ]
    ids = [as_id(name) for name in names]
    assert len({*ids}) == len(names)
    assert ids[:2] == ["a%09b", "a%2509b"]
    assert all(name == name.strip() and len(name.splitlines()) == 1 for name in ids)
    assert as_id("M\udcfcller") == "M%ED%B3%BCller"


def test_a_file_is_no_folder(tmp_path):
    with pytest.raises(InputError, match=r"one\.wav is not a folder"):
        look_into(write(tmp_path / "one.wav", tone()))


def test_an_archive_is_to_be_unpacked(tmp_path):
    (tmp_path / "d.zip").touch()
    with pytest.raises(InputError, match=r"^d\.zip is an archive. Unpack it, and give the folder"):
        look_into(tmp_path / "d.zip")


def test_more_files_than_can_be_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("zebra_core.recordings.folder.MOST_FILES", 1)
    for name in "ab":
        (tmp_path / name).touch()

    with pytest.raises(InputError) as refused:
        look_into(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path.name} contains more than 1 files. Give only the folders with the recordings, "
        "originals and copies one by one, or fewer recordings."
    )


def test_a_recording_is_told_from_its_copy_by_its_folder(tmp_path):
    found = Recording(tmp_path / "B2" / "s1" / "one.wav", PurePosixPath("s1/one.wav"))
    assert found.place_and_folder == "B2/s1/one.wav"
    elsewhere = Recording(tmp_path / "moved.wav", PurePosixPath("s1/one.wav"))
    assert elsewhere.place_and_folder == "s1/one.wav"


def zipped(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return path


def test_an_archive_of_recordings_is_named_with_how_many_there_are(tmp_path):
    path = zipped(tmp_path / "B.zip", "März/a.flac", "März/b.FLAC", "März/readme.txt", "__MACOSX/._a.flac")

    assert count_packed(path) == 2
    with pytest.raises(InputError, match=r"B\.zip is an archive of 2 recordings\. Unpack it"):
        look_into(path)


def test_what_is_called_zip_and_is_none_has_no_recordings(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK" + bytes(100))

    assert count_packed(tmp_path / "x.zip") == 0
    assert count_packed(tmp_path / "gone.zip") == 0
