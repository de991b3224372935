"""Files of one run get their places together, the record first, or none does."""

import os

import pytest

from zebra_core.errors import OutputError
from zebra_core.files.access import remove_leftovers, written_together


def fill(staged):
    (staged / "exp").mkdir()
    for name in ("exp/scores", "zz.json"):
        (staged / name).write_text(name)


def test_what_failed_leaves_nothing(tmp_path):
    def fail():
        with written_together(tmp_path / "out", "zz.json") as staged:
            fill(staged)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list((tmp_path / "out").iterdir())


def test_the_first_comes_first_and_a_taken_name_leaves_all_as_it_was(tmp_path, monkeypatch):
    placed = []
    link = os.link
    monkeypatch.setattr(os, "link", lambda one, other: placed.append(other.name) or link(one, other))
    with written_together(tmp_path, "zz.json") as staged:
        fill(staged)
        assert not [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
    assert placed == ["zz.json", "scores"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exp", "zz.json"]

    def again():
        with written_together(tmp_path, "zz.json") as staged:
            fill(staged)

    with pytest.raises(OutputError, match="already"):
        again()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exp", "zz.json"]


def test_folders_of_killed_runs_go_too(tmp_path):
    (tmp_path / ".zebra-0123456789abcdef.tmp" / "exp").mkdir(parents=True)
    assert remove_leftovers(tmp_path, older_than_s=-1.0) == 1
    assert not list(tmp_path.iterdir())
