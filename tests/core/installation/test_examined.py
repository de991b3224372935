"""Files are compared with the list of the release that the program came with."""

import base64
import hashlib
import json
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest

import zebra_resources
from zebra_core.installation import dossier, examined
from zebra_core.installation.examined import differing, listed, resource_hashes


def test_a_checkout_lists_nothing_and_its_line_is_stated():
    line = dossier._as_listed(listed())
    assert listed() == {}
    assert (line.passed, line.result) == (
        None,
        "This installation, a checkout for instance, came without a list: not compared.",
    )


def test_a_bundle_lists_its_resources_in_its_stamp(monkeypatch):
    hashes = resource_hashes()
    stamp = json.dumps({"commit": "0123", "resources": hashes})
    monkeypatch.setattr(zebra_resources, "read_text", lambda _name: stamp)

    assert listed() == hashes
    assert differing(listed()) == []
    assert dossier._as_listed(listed()).passed is True


def test_a_resource_that_was_changed_or_is_missing_is_named():
    hashes = resource_hashes() | {"selftest.json": "0" * 64, "gone.txt": "1" * 64}
    line = dossier._as_listed(hashes)

    assert differing(hashes) == ["selftest.json", "gone.txt"]
    assert line.passed is False
    assert f"2 of {len(hashes)} files differ or are missing, first selftest.json." in line.result


@pytest.fixture
def wheel(monkeypatch, tmp_path) -> Path:
    """A file of the program and one of another folder, as a wheel's record has them."""

    def recorded(name: str, content: bytes) -> object:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        return SimpleNamespace(
            parts=PurePosixPath(name).parts,
            hash=SimpleNamespace(value=digest),
            as_posix=lambda: name,
            locate=lambda: tmp_path / name,
        )

    files = [recorded("zebra_core/errors.py", b"code"), recorded("share/other.txt", b"other")]
    monkeypatch.setattr(examined.metadata, "files", lambda _package: files)
    return tmp_path / "zebra_core/errors.py"


def test_a_wheel_lists_its_files_in_its_record(wheel):
    assert listed() == {"zebra_core/errors.py": hashlib.sha256(b"code").hexdigest()}
    assert differing(listed()) == []

    wheel.write_bytes(b"other code")
    assert differing(listed()) == ["zebra_core/errors.py"]
    wheel.unlink()
    assert differing(listed()) == ["zebra_core/errors.py"]
