"""Repeat the release's simulations and write zebra_resources/simulations.json: all of them, or those named.

Takes some forty minutes of one processor core. Only after a change of what is simulated, or of how intervals
and tests are made, and then the manual's sentences about the tables have to be read again.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zebra_core.installation.simulations.crossed import VALUES, HeardCase, heard_truth
from zebra_core.installation.simulations.measured import SEED, SIMULATIONS
from zebra_core.version import VERSION

FILE = Path(__file__).resolve().parent.parent / "resources" / "zebra_resources" / VALUES


def main(names: Sequence[str]) -> None:
    """Write the file; what is not named stays as it is."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    kept, truth = known["simulations"], known.get("truth", {})
    heard = [
        one for each in SIMULATIONS for one in each.cases if isinstance(one, HeardCase) and one.separation
    ]
    if not names or "heard" in names:
        truth = {one.name: heard_truth(one) for one in heard}
        _write({"seed": SEED, "truth": truth, "simulations": kept})  # what is counted is counted against it
    found: dict[str, Any] = {}
    for simulation in SIMULATIONS:
        if names and simulation.name not in names:
            found[simulation.name] = kept.get(simulation.name, {})
            continue
        cases, began = {}, time.process_time()
        for case in simulation.cases:
            counts = [simulation.counted(case, number) for number in range(simulation.sets)]
            cases[case.name] = [list(column) for column in zip(*counts, strict=True)]
            print(simulation.name, case.name, [sum(column) for column in cases[case.name]], flush=True)
        found[simulation.name] = {
            "version": VERSION,
            "sets": simulation.sets,
            "seconds": round(time.process_time() - began),
            "columns": list(simulation.columns),
            "cases": cases,
        }
    _write({"seed": SEED, "truth": truth, "simulations": found})


def _write(known: Any) -> None:
    FILE.write_text(_as_text(known), encoding="utf-8", newline="\n")


def _as_text(known: Any) -> str:
    """JSON in which a list of counts is one line."""
    text = json.dumps(known, indent=1, ensure_ascii=False)
    lines, inside = [], False
    for line in text.splitlines():
        if inside and line.strip().strip(",").lstrip("-").isdigit():
            lines[-1] += line.strip()
        elif inside and line.strip() in ("]", "],"):
            lines[-1] += line.strip()
            inside = False
        else:
            lines.append(line)
            inside = line.strip() == "["
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
