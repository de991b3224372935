"""What the fuzzer once found stays mended: every kept input ends in data or in a sentence."""

from pathlib import Path

import pytest

from tests.fuzz import fuzzer
from tests.fuzz.targets import TARGETS, survive

KEPT = Path(__file__).parents[2] / "data" / "fuzz"
MUSEUM = Path(__file__).parents[2] / "data" / "intake"


@pytest.mark.parametrize("name", TARGETS)
def test_the_kept_inputs_are_survived(name: str) -> None:
    for path in (KEPT / name).glob("*"):
        survive(TARGETS[name], path.read_bytes())


# A command line is none of bytes; for what takes a process for each file test_museum.py is enough.
@pytest.mark.parametrize(
    "name", [name for name in TARGETS if name not in ("command-line", "hdf5", "parquet")]
)
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
