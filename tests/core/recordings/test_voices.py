"""Voices in a project file: only if asked for, read without trust, and gone when they are forgotten."""

import json
import stat
import sys
import zipfile
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from zebra_core.document.container import VOICES
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.project import Project
from zebra_core.recordings.embedding import EmbeddedRecording, Loudness
from zebra_core.recordings.voices import forget_voices, voices_as_member, voices_of

PROJECT = Project("Case 7")
HEARD = EmbeddedRecording(
    "ab" * 32, 2.5, 16_000, Loudness(1.25, 0.0, -20.0), np.array([0.6, -0.8], np.float32), 2
)
KEY = f"{'ab' * 32}-0-{'c' * 16}"


def test_voices_are_in_the_file_and_come_back_as_they_were(tmp_path: Path) -> None:
    save_project(PROJECT, tmp_path / "case.zebra", voices={KEY: HEARD})
    [(key, found)] = open_project(tmp_path / "case.zebra").voices.items()

    assert key == KEY
    assert found.embedding.tobytes() == HEARD.embedding.tobytes()
    for name in ("sha256", "seconds", "rate_hz", "loudness", "channels"):
        assert getattr(found, name) == getattr(HEARD, name)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_file_with_voices_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    for voices in ({}, {KEY: HEARD}):
        save_project(PROJECT, path, voices=voices)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_says_what_they_are() -> None:
    assert json.loads(voices_as_member({KEY: HEARD}))["about"].endswith("biometric data.")
    assert "0.6" not in repr(HEARD)


def test_unasked_there_are_none(tmp_path: Path) -> None:
    save_project(PROJECT, tmp_path / "case.zebra")

    assert zipfile.ZipFile(tmp_path / "case.zebra").namelist() == ["project.json"]
    assert open_project(tmp_path / "case.zebra").voices == {}


def test_what_is_forgotten_leaves_the_file_as_if_it_had_never_been_there(tmp_path: Path) -> None:
    save_project(PROJECT, tmp_path / "case.zebra", voices={KEY: HEARD})
    save_project(PROJECT, tmp_path / "without.zebra")

    assert forget_voices(tmp_path / "case.zebra") == 1
    assert (tmp_path / "case.zebra").read_bytes() == (tmp_path / "without.zebra").read_bytes()
    with pytest.raises(InputError, match=r"holds no embeddings that ZEBRA kept.*or a project file"):
        forget_voices(tmp_path / "case.zebra")


def _encoded(*values: float) -> str:
    return b64encode(np.array(values, "<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("key", "changes", "place"),
    [
        ("../../etc/passwd", {}, " › 1"),
        (KEY.upper(), {}, " › 1"),
        (KEY, {"embedding": _encoded(1.0, np.nan)}, "embedding"),
        (KEY, {"embedding": _encoded(0.0, 0.0)}, "embedding"),
        (KEY, {"embedding": ""}, "embedding"),
        (KEY, {"embedding": "no base64!"}, "embedding"),
        (KEY, {"embedding": "AAAA"}, "embedding"),
        (KEY, {"embedding": [0.6, 0.8]}, "embedding"),
        (KEY, {"embedding": "A" * 70_000}, "embedding"),
        (KEY, {"rate_hz": 0}, "rate_hz"),
        (KEY, {"seconds": -1.0}, "seconds"),
        (KEY, {"clipped_share": 2.0}, "clipped_share"),
        (KEY, {"channels": "two"}, "channels"),
    ],
)
def test_what_cannot_be_a_voice_is_refused_with_its_place(
    key: str, changes: dict[str, object], place: str
) -> None:
    values = json.loads(voices_as_member({KEY: HEARD}))
    values["voices"] = {key: {**values["voices"][KEY], **changes}}

    with pytest.raises(InputError, match=place) as told:
        voices_of(json.dumps(values).encode(), "case.zebra")
    assert "case.zebra" in str(told.value)
    assert VOICES in str(told.value)
