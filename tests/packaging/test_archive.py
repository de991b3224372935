"""Packing: the same files give the same bytes, whoever packs them and when."""

import os
import tarfile
import zipfile

import pytest
from archive import checksums, contents, pack_tar, pack_zip

DATE = 1_700_000_000


@pytest.fixture
def folder(tmp_path):
    return made(tmp_path / "one" / "zebra", umask_like=0o600, date=5)


def made(folder, umask_like, date):
    (folder / "in").mkdir(parents=True)
    (folder / "zebra").write_bytes(b"\x7fELF")
    (folder / "zebra").chmod(umask_like | 0o100)
    (folder / "in" / "data").write_text("data")
    (folder / "in" / "data").chmod(umask_like)
    (folder / "link").symlink_to("in/data")
    for path in folder.rglob("*"):
        os.utime(path, (date, date), follow_symlinks=False)
    return folder


@pytest.mark.parametrize("pack", [pack_tar, pack_zip])
def test_rights_and_dates_of_the_builder_do_not_matter(pack, folder, tmp_path):
    other = made(tmp_path / "two" / "zebra", umask_like=0o664, date=7)

    assert pack(folder, tmp_path / "1", DATE).read_bytes() == pack(other, tmp_path / "2", DATE).read_bytes()


def test_a_tar_has_one_owner_one_date_and_keeps_links(folder, tmp_path):
    with tarfile.open(pack_tar(folder, tmp_path / "x.tar.xz", DATE)) as tar:
        members = {member.name: member for member in tar}

    assert list(members) == ["zebra", "zebra/in", "zebra/in/data", "zebra/link", "zebra/zebra"]
    assert {(m.uid, m.gid, m.uname, m.mtime) for m in members.values()} == {(0, 0, "root", DATE)}
    assert members["zebra/link"].linkname == "in/data"
    assert (members["zebra/zebra"].mode, members["zebra/in/data"].mode) == (0o755, 0o644)


def test_a_zip_has_the_files(folder, tmp_path):
    with zipfile.ZipFile(pack_zip(folder, tmp_path / "x.zip", DATE)) as packed:
        assert packed.read("zebra/in/data") == b"data"


def test_checksums_are_those_of_sha256sum(tmp_path):
    (tmp_path / "b").write_bytes(b"")
    (tmp_path / "a").write_bytes(b"abc")

    assert checksums([tmp_path / "b", tmp_path / "a"]) == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
    )
    assert contents(tmp_path).splitlines()[1].endswith("  b")
