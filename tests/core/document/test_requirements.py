"""Requirements come back from a saved project."""

from pathlib import Path

import pytest

from tests.core.document.test_utilities import resaved
from tests.core.samples import project_of
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import as_json
from zebra_core.project.requirements.requirement import RecordedWhen, Requirement, Scope, Sense

ASKED = (
    Requirement("little", "d_ece", 0.1, scope=Scope(("x*",), ("OP",), ("lazy-informed",), ("B1",)), why="w"),
    Requirement("tag", "tag", "B", Sense.AT_LEAST, None, set_by="the board"),
    Requirement("no worse", "eer", 0.02, no_worse_than="B1w", recorded=RecordedWhen.NOT_SHOWN),
    Requirement("share", "share_at_tag", 0.5, confidence=None, tag="C"),
)


def test_they_come_back(tmp_path: Path) -> None:
    project = project_of("B1").requiring(*ASKED)
    path = save_project(project, tmp_path / "p.zebra").path
    assert open_project(path).project.requirements == project.requirements


@pytest.mark.parametrize(
    "change",
    [
        {"figure": "d_cee"},
        {"bound": 3.0},
        {"bound": None},
        {"sense": "above"},
        {"confidence": 2.0},
        {"scope": {}},
        {"recorded": "yesterday"},
        {"name": ""},
        {"name": "tag"},
    ],
)
def test_what_is_no_requirement_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    project = project_of("B1").requiring(*ASKED)
    path = save_project(project, tmp_path / "p.zebra").path
    first, *others = as_json(project.requirements)
    with pytest.raises(InputError, match=r"p\.zebra"):
        open_project(resaved(path, {"requirements": [{**first, **change}, *others]}))
