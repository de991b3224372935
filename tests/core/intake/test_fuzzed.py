"""What the fuzzer once found stays mended: every kept input ends in data or in a sentence."""

import json
import random
from pathlib import Path

import pytest

from core import apart
from tests.fuzz import blind, forking, fuzzer, saved, targets
from tests.fuzz.targets import TARGETS, survive

KEPT = Path(__file__).parents[2] / "data" / "fuzz"
MUSEUM = Path(__file__).parents[2] / "data" / "intake"


@pytest.mark.parametrize("folder", sorted(KEPT.iterdir()), ids=lambda folder: folder.name)
def test_the_kept_inputs_are_survived(folder: Path) -> None:
    kept = [path.read_bytes() for path in folder.iterdir()]
    for content in kept:
        survive(TARGETS[folder.name], content)
    assert kept


# A command line is none of bytes; for HDF5, which takes a process for each file, test_museum.py is enough.
@pytest.mark.parametrize("name", [name for name in TARGETS if name not in ("command-line", "hdf5")])
def test_every_target_survives_the_museum(name: str) -> None:
    files = [path for path in sorted(MUSEUM.rglob("*")) if path.is_file()]
    for path in files:
        survive(TARGETS[name], path.read_bytes())
    assert len(files) > 100


def test_an_input_that_costs_too_much_time_or_memory_is_no_survivor(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter((0, fuzzer.MOST_BYTES + 10, 0, fuzzer.MOST_BYTES + 11, 0))
    monkeypatch.setattr(fuzzer, "_peak_bytes", peaks.__next__)
    fuzzer.timed(survive, bytes, b"x")
    with pytest.raises(MemoryError, match="256 MB for 1 bytes"):
        fuzzer.timed(survive, bytes, b"x")
    monkeypatch.setattr(fuzzer, "_peak_bytes", lambda: 0)
    monkeypatch.setattr(fuzzer, "HANG_SECONDS", 0.0)
    with pytest.raises(TimeoutError, match="of the processor"):
        fuzzer.timed(survive, lambda _content: sum(range(10_000)), b"x")


def test_a_target_that_fails_otherwise_is_not_survived() -> None:
    with pytest.raises(ZeroDivisionError):
        survive(lambda content: divmod(1, len(content)), b"")


def test_inputs_are_changed_by_the_seed_and_are_not_longer_than_they_may_be() -> None:
    def made_by_seeds() -> list[bytes]:
        rngs = (random.Random(seed) for seed in range(200))  # noqa: S311 - to be repeated, not to be secret
        return [blind.changed(b"one two 3\n", [b"other"], 12, rng) for rng in rngs]

    made = made_by_seeds()
    assert made == made_by_seeds()
    assert len(set(made)) > 150
    assert max(map(len, made)) == 12


def test_a_process_tries_so_many_inputs_and_ends_well(tmp_path: Path) -> None:
    Path(tmp_path, "good").write_text("a b 1.0\n")
    tried = blind.try_blindly("lists", 50, 60, [tmp_path])
    assert (tried.inputs, tried.fatal) == (50, None)


def test_what_a_process_died_of_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, state = tmp_path / "good", tmp_path / "state"
    good.mkdir()
    Path(good, "one").write_bytes(b"fine")
    state.write_bytes(bytes(1 << 20 | 16))
    read: list[bytes] = []

    def third_one_kills(content: bytes) -> None:
        read.append(content)
        if len(read) == 3:
            raise SystemError("dead")

    monkeypatch.setitem(targets.TARGETS, "lists", third_one_kills)
    monkeypatch.setattr("sys.argv", ["blind", "lists", "9", "60", "1", str(state), str(good)])
    with pytest.raises(SystemError, match="dead"):
        blind.main()
    assert blind.being_tried(state.read_bytes()) == (2, read[2])


def test_a_program_apart_that_dies_is_started_again(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\n"
        "def main():\n"
        "    content = sys.stdin.buffer.read()\n"
        "    if content == b'die':\n"
        "        os.kill(os.getpid(), 9)\n"
        "    sys.stdout.buffer.write(content + sys.argv[1].encode())\n"
    )
    answers = []
    with forking.forked():
        for content in (b"a", b"die", b"b"):
            try:
                answers.append(apart.run_apart(program, ["!"], content, most_bytes=9, seconds=9.0))
            except apart.NoAnswer:
                answers.append(None)
    assert answers == [b"a!", None, b"b!"]


def test_changes_of_json_stay_of_one_size_however_many_were_made_before() -> None:
    good = json.dumps({"of": [{}, [], [1, 2.5, "text"]], "and": {"more": None}}).encode()
    first = [saved.mutated(good, 4096, seed, lambda content, _most: content) for seed in range(300)]
    again = [saved.mutated(good, 4096, seed, lambda content, _most: content) for seed in range(300)]
    assert first == again
    assert len(set(first)) > 150
