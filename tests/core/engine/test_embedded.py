"""The database inside this program: its folder, its memory, its errors."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import zebra_core
from zebra_core.engine import room
from zebra_core.engine.embedded import embedded
from zebra_core.errors import Cancelled, InputError
from zebra_core.runtime import memory


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_its_folder_is_private_and_gone_afterwards(temporary) -> None:
    with embedded(1) as engine:
        [folder] = temporary.iterdir()
        if os.name == "posix":
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert engine.read("SELECT 1 AS n")["n"].tolist() == [1]
    assert list(temporary.iterdir()) == []


KILLED = """
import os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from zebra_core.engine.room import room_for
with room_for(1) as folder:
    (folder / "spilled").write_bytes(bytes(1000))
    os.kill(os.getpid(), 9) if os.name == "posix" else os._exit(9)
"""


def test_what_a_killed_program_left_is_removed_by_the_next(temporary) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(temporary)], check=False)
    [left] = temporary.iterdir()
    assert (left / "spilled").exists()
    with room.room_for(1) as folder:
        assert list(temporary.iterdir()) == [folder]


def test_the_folder_of_a_program_that_is_at_work_is_left_alone(temporary) -> None:
    with room.room_for(1) as first, room.room_for(1) as second:
        assert first != second
        assert sorted(temporary.iterdir()) == sorted([first, second])


def test_a_folder_that_is_just_being_made_is_left_alone_by_the_next_program(temporary, monkeypatch) -> None:
    take, removed = room._take, []

    def another_looks_first(lock) -> None:
        monkeypatch.setattr(room, "_take", take)
        removed.append(room.remove_leftovers())
        take(lock)
        removed.append(room.remove_leftovers())

    monkeypatch.setattr(room, "_take", another_looks_first)
    with room.room_for(1) as folder:
        assert (folder / "in-use").exists()
        assert removed == [0, 0]


def test_a_link_that_only_looks_like_such_a_folder_is_left_alone(temporary, tmp_path_factory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "in-use").touch()
    (temporary / "zebra-engine-x").symlink_to(elsewhere)
    assert room.remove_leftovers() == 0
    assert (elsewhere / "in-use").exists()


def test_its_memory_follows_what_is_free(temporary, monkeypatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: 600 << 20)
    with embedded(1) as engine:
        [limit] = engine.read("SELECT current_setting('memory_limit') AS n")["n"].tolist()
    assert limit == "300.0 MiB"


def test_too_little_room_is_a_sentence_before_anything_is_read(temporary) -> None:
    with pytest.raises(InputError, match="but matching these trials may temporarily need"), embedded(1 << 60):
        pass
    assert list(temporary.iterdir()) == []


def test_a_disk_that_is_full_is_a_sentence(temporary) -> None:
    with embedded(1) as engine:
        engine.read("SET memory_limit = '16MiB'")
        engine.read("SET max_temp_directory_size = '1MiB'")
        large = "CREATE TEMP TABLE large AS SELECT random() AS x, uuid() AS y FROM range(3000000)"
        with pytest.raises(InputError, match=r"cannot be written to: .* Free some space"):
            engine.read(large)
    assert list(temporary.iterdir()) == []


def test_a_long_question_is_stopped_when_the_user_asks_for_it(temporary) -> None:
    def stop(_: float) -> None:
        raise Cancelled

    with pytest.raises(zebra_core.Cancelled), embedded(1, stop) as engine:
        engine.read("SELECT sum(random()) AS n FROM range(100000000000)")
    assert list(temporary.iterdir()) == []


def test_neither_pandas_nor_pyarrow_is_needed_for_its_arrays() -> None:
    said = """
import sys
sys.modules["pyarrow"] = sys.modules["rich"] = None
import numpy as np
from zebra_core.engine import questions
from zebra_core.engine.embedded import embedded
with embedded(1) as engine:
    table = engine.new("scores", questions.SCORES)
    given = {"id": np.array(["é"], object), "score": np.array([np.nan])}
    engine.add("scores", "SELECT id, id, coalesce(score, 'nan'::DOUBLE), 1, 0 FROM given", given=given)
    print(engine.fetch(questions.counts(table)), engine.fetch(table)["enrol"].tolist())
"""
    said_in = [sys.executable, "-X", "utf8", "-c", said]
    done = subprocess.run(said_in, capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "{'score': array([nan]), 'targets': array([1]), 'nontargets': array([0])} ['é']\n"
