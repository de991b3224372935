"""One process of the fuzzer, which instruments `core` to see which inputs reach new lines."""

from __future__ import annotations

import sys
import warnings


def fuzz() -> None:
    """Fuzz the target that the first argument names; the others are the fuzzer's. Does not return."""
    import atheris

    with atheris.instrument_imports(include=["core"]):
        from tests.fuzz.targets import TARGETS, survive

    warnings.simplefilter("error")
    name = sys.argv.pop(1)
    target = TARGETS[name]
    atheris.Setup(sys.argv, lambda content: survive(target, content))
    atheris.Fuzz()
