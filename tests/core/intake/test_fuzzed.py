"""What the fuzzer once found stays mended: every kept input ends in data or in a sentence."""

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="Windows has no such limits")
from fuzz import blind, fuzzer, hdf5, saved
from fuzz.state import State, being_tried, state_file
from fuzz.targets import APART, TARGETS, survive

KEPT = Path(__file__).parents[2] / "data" / "fuzz"
MUSEUM = Path(__file__).parents[2] / "data" / "intake"


@pytest.mark.parametrize("folder", sorted(KEPT.iterdir()), ids=lambda folder: folder.name)
def test_the_kept_inputs_are_survived(folder: Path) -> None:
    kept = [path.read_bytes() for path in folder.iterdir()]
    for content in kept:
        survive(TARGETS[folder.name], content)
    assert kept


# A command line is none of bytes; for what takes a process for each file test_museum.py is enough.
@pytest.mark.parametrize("name", [name for name in TARGETS if name not in ("command-line", *APART)])
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


def test_a_program_apart_goes_on_with_one_input_after_the_other_until_it_is_ended(tmp_path: Path) -> None:
    """One file keeps the library of HDF5 busy; now and then a good file must be answered as at first."""
    for number, good in enumerate(hdf5.good()):
        Path(tmp_path, f"good-{number}").write_bytes(good)
    busy = bytearray((MUSEUM / "dca-plda-scores.h5").read_bytes())
    busy[1240] = 80
    Path(tmp_path, "busy").write_bytes(busy)
    tried = blind.try_blindly("hdf5", 300, 300, [tmp_path])
    assert (tried.inputs, tried.fatal) == (300, None), tried.report
    told = (one.split(" ", 1) for one in tried.report.strip().split("  ")[1:])
    counts = {what: int(count) for count, what in told}
    assert counts["died of SIGPROF"] > 0
    assert counts["inputs"] > 10 * counts["born"] > 10
    assert counts["checks"] > 0
    assert "wrong" not in counts


def test_what_a_process_died_of_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def third_one_kills(content: bytes) -> None:
        read.append(content)
        if len(read) == 3:
            raise SystemError("dead")

    monkeypatch.setitem(TARGETS, "lists", third_one_kills)
    rng = random.Random(1)  # noqa: S311 - to be repeated, not to be secret
    with state_file() as path, State(path) as state:
        with pytest.raises(SystemError, match="dead"):
            blind.try_all("lists", [b"fine"], 9, 60, rng, state)
        assert being_tried(path.read_bytes()) == (2, read[2])


def test_changes_of_json_stay_of_one_size_however_many_were_made_before() -> None:
    good = json.dumps({"of": [{}, [], [1, 2.5, "text"]], "and": {"more": None}}).encode()
    first = [saved.mutated(good, 4096, seed, lambda content, _most: content) for seed in range(300)]
    again = [saved.mutated(good, 4096, seed, lambda content, _most: content) for seed in range(300)]
    assert first == again
    assert len(set(first)) > 150


def test_changes_of_hdf5_leave_every_byte_at_its_place() -> None:
    good = next(hdf5.good())
    made = [hdf5.mutated(good, 2 * len(good), seed, lambda _content, _most: b"") for seed in range(300)]
    assert 10 < made.count(b"") < 50
    in_place = [one for one in made if one]
    assert {len(one) for one in in_place} == {len(good)}
    changes = [sum(a != b for a, b in zip(one, good, strict=True)) for one in in_place]
    assert 0 < sorted(changes)[len(changes) // 2] < 10
    assert max(changes) <= 6 * 40


def test_a_heap_of_texts_has_no_gap_at_which_its_reader_would_stay() -> None:
    def heap(gap: int) -> bytearray:
        text = (1).to_bytes(8, "little") + (3).to_bytes(8, "little") + b"abc" + bytes(5)
        return bytearray(
            b"before GCOL\1\0\0\0" + (72).to_bytes(8, "little") + text + bytes(8) + bytes([gap, *bytes(23)])
        )

    changed, untouched = heap(0), heap(32)
    hdf5._step_on(changed)
    hdf5._step_on(untouched)
    assert changed == untouched == heap(32)
    beyond = heap(0)[:50]
    hdf5._step_on(beyond)
    assert beyond == heap(0)[:50]
