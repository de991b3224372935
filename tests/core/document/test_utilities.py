"""The utility of speech comes back from a saved project."""

import json
import zipfile
from pathlib import Path

import pytest

from zebra_core.document.container import PROJECT
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.items import SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors

EMPTY = {"dataset": "", "safeguard": "B", "run": "", "wer": None, "words": None, "listening": {}}
RATINGS = Ratings((0,) * 9 + (3,), (2,) + (0,) * 9)


def resaved(path: Path, change: dict[str, object]) -> Path:
    """The project with other values in project.json."""
    with zipfile.ZipFile(path) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    document = {**json.loads(members[PROJECT]), **change}
    members[PROJECT] = json.dumps(
        {name: value for name, value in document.items() if value is not None}
    ).encode()
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return path


def test_it_comes_back(tmp_path: Path) -> None:
    utilities = {
        SpeechKey("libri_f"): Utility(0.05),
        SpeechKey("libri_f", "B2", "run 1"): Utility()
        .heard(RatingQuestion.NATURALNESS, RATINGS)
        .counted(WordErrors(1, 2, 3, 40))
        .with_emotions(Emotions(("neu", "sad"), ((4, 3), (1, 0)), (((1, 1), (1, 0)), ((3, 2), (0, 0))))),
        SpeechKey("iemocap", "B2"): Utility().with_emotions(Emotions(("neu", "sad"), ((4, 3), (1, 0)))),
    }
    save_project(Project(utilities=utilities), tmp_path / "a.zebra")
    assert open_project(tmp_path / "a.zebra").project.utilities == utilities


@pytest.mark.parametrize(
    "saved",
    [
        "",
        [3],
        [{}],
        [{**EMPTY, "emotions": {"values": ["neu"], "counts": [[1, 1]]}}],
        [{**EMPTY, "emotions": {"values": ["neu", "sad"], "counts": [[1, 2], [1, 0]]}}],
        [{"dataset": 1, "safeguard": "", "run": "", "wer": None, "words": None, "listening": {}}],
    ],
)
def test_what_was_not_saved_by_us_is_refused(tmp_path: Path, saved: object) -> None:
    save_project(Project(), tmp_path / "a.zebra")
    with pytest.raises(InputError):
        open_project(resaved(tmp_path / "a.zebra", {"utilities": saved}))
