"""What the fuzzer once found stays mended: every kept input ends in data or in a sentence."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, survive

KEPT = Path(__file__).parents[2] / "data" / "fuzz"
MUSEUM = Path(__file__).parents[2] / "data" / "intake"


@pytest.mark.parametrize("name", TARGETS)
def test_the_kept_inputs_are_survived(name: str) -> None:
    for path in (KEPT / name).glob("*"):
        survive(TARGETS[name], path.read_bytes())


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "command-line"])
def test_every_target_survives_the_museum(name: str) -> None:
    files = [path for path in sorted(MUSEUM.rglob("*")) if path.is_file()]
    for path in files:
        survive(TARGETS[name], path.read_bytes())
    assert len(files) > 100


def test_a_target_that_fails_otherwise_is_not_survived() -> None:
    with pytest.raises(ZeroDivisionError):
        survive(lambda content: divmod(1, len(content)), b"")
