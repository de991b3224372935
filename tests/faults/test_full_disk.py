"""A full disk: whatever writes says so in a sentence, what was there stays whole, nothing half is left."""

import json
import re
from pathlib import Path

from tests.faults.programs import run

FIGURES = ["figure.png", "figure.pdf", "figure.svg", "figure.tex"]
FIRST_FILES = {
    "autosave": ".case.zebra.autosave",
    "save": "case.zebra",
    "save elsewhere": "mine.zebra",
    **{name: name for name in (*FIGURES, "report.pdf")},
    "everything, new": "report.pdf",
    "zebra report": "report.pdf",
    "zebra compare": "results.csv",
    "zebra assess": "ZEBRA-B1.png",
}


def test_everything_that_is_written_on_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    ended = run("full_disk", disk, 200)  # a lock has room
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    reason = (
        r" cannot be written: the disk of \S+ is full\. Free some space, or choose another folder\."
        if found["is_real"]
        else r" is larger than the disk of \S+ allows\. Choose another folder\."
    )
    assert list(found["tried"]) == list(FIRST_FILES)
    for name, outcome in found["tried"].items():
        (told,) = outcome["told"]
        before = "1: zebra: error: " if name.startswith("zebra") else ""
        assert re.fullmatch(f"{before}{re.escape(FIRST_FILES[name])}{reason}", told), (name, told)
        assert outcome["changed"] == [], name
    assert found["ended"] == {"problems": [], "modified": False}
