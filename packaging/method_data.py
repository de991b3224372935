"""Compute what the method's other tables and pictures show; write zebra_resources/method.json (2 minutes).

Seeded simulations of few sets, and real scores: the demo and tests/data/reference. The long simulations of
coverage and levels are in simulations.py beside this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import zebra_core
import zebra_resources
from zebra_core.evidence.trials import Trials
from zebra_core.installation.simulations.crossed import SimulationCase, drawn, truth
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.project.demo import demo_project
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap

ROOT = Path(__file__).resolve().parent.parent
FILE, REFERENCE = (
    ROOT / "resources" / "zebra_resources" / "method.json",
    ROOT / "tests" / "data" / "reference",
)
SEED, SETS, DRAWS = 27, 40, 100
SPEAKERS, SEGMENTS = (5, 10, 20, 40, 80), 5
WEAK, STRONG = 0.0, 1.5
DECIMALS = (6, 1, 0, -1)
COMPARED = ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "min_cllr_bits", "cllr_bits")


def main() -> None:
    """Write the file."""
    known = {
        "seed": SEED,
        "sets": SETS,
        "worst_case": [worst_cases(n) for n in SPEAKERS],
        "bias": [bias(separation, n) for separation in (WEAK, STRONG) for n in SPEAKERS],
        "ties": ties(),
        "turned": turned(),
        "agreement": agreement(),
    }
    FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8", newline="\n")


def worst_cases(speakers: int, sets: int = SETS) -> dict[str, Any]:
    """Worst cases where nothing is disclosed: as computed, by other speakers, and the ceiling."""
    case = SimulationCase(speakers, SEGMENTS, WEAK)
    found = [assess(drawn(case, _rng(0, speakers, number))) for number in range(sets)]
    computed = [one.worst_case_log10_lr for one in found]
    others = [one.cross_fitted.worst_case_log10_lr for one in found]
    return {
        "speakers": speakers,
        "target_trials": found[0].n_target,
        "computed": _quantiles(computed),
        "others": _quantiles(others),
        "ceiling": found[0].worst_case_ceiling_log10_lr,
    }


def bias(separation: float, speakers: int, sets: int = SETS) -> dict[str, Any]:
    """D_ECE as computed and corrected, on the average over sets, beside the true one."""
    case = SimulationCase(speakers, SEGMENTS, separation)
    plain, corrected = [], []
    for number in range(sets):
        trials = drawn(case, _rng(1, speakers, number))
        known = assess(trials)
        plain.append(known.d_ece_bits)
        settings = BootstrapSettings(DRAWS, seed=number)
        corrected.append(bootstrap(trials, known, settings).d_ece_corrected_bits)
    return {
        "separation": separation,
        "speakers": speakers,
        "true": truth(case)["d_ece_bits"],
        "computed": float(np.mean(plain)),
        "corrected": float(np.mean(corrected)),
        "standard_error": float(np.std(corrected, ddof=1) / np.sqrt(sets)),
    }


def ties() -> list[dict[str, Any]]:
    """Figures of the demo's protected scores, rounded: pooled, and with equal scores told apart both ways."""
    entry = next(one for one in demo_project().entries if one.name == "B2")
    rows = []
    for decimals in DECIMALS:
        trials = replace(entry.trials, score=np.round(entry.trials.score, decimals))
        step = float(np.diff(np.unique(trials.score)).min()) / 4.0
        rows.append(
            {
                "decimals": decimals,
                "distinct": len(np.unique(trials.score)),
                "pooled": _figures(trials),
                "targets_above": _figures(replace(trials, score=trials.score + step * trials.is_target)),
                "targets_below": _figures(replace(trials, score=trials.score - step * trials.is_target)),
            }
        )
    return rows


def turned() -> list[dict[str, Any]]:
    """The demo's scores with their signs reversed: what each reading finds."""
    rows = []
    for entry in demo_project().entries:
        found = assess(replace(entry.trials, score=-entry.trials.score))
        rows.append(
            {
                "name": entry.name,
                "right": entry.assessment.d_ece_bits,
                "given": found.d_ece_bits,
                "reversed": found.reversed.d_ece_bits,
                "unordered": found.cross_fitted.d_ece_unordered_bits,
            }
        )
    return rows


def agreement() -> dict[str, Any]:
    """The largest departure from the second implementation; a row for each file, the toolkit's beside it."""
    known = json.loads((REFERENCE / "expected.json").read_text(encoding="utf-8"))
    files = {name: (REFERENCE / name, REFERENCE / of["key"], of) for name, of in known["files"].items()}
    files |= {
        name: (zebra_resources.path(name), zebra_resources.path(of["key"]), of)
        for name, of in known["demo"].items()
    }
    rows = []
    for name, (scores, key, of) in files.items():
        found = assess(zebra_core.read_trials(scores, key))
        rows.append(
            {
                "name": _name_of(name),
                "n_target": of["n_target"],
                "n_nontarget": of["n_nontarget"],
                "tag": [of["tag"], found.tag],
                **{figure: [of[figure], getattr(found, figure)] for figure in COMPARED},
                "toolkit": known["toolkit"][name],
            }
        )
    largest = {figure: max(abs(row[figure][0] - row[figure][1]) for row in rows) for figure in COMPARED}
    return {"largest": largest, "files": rows}


def _name_of(path: str) -> str:
    """The safeguard, the set of trials, and which side was protected, of a path in the challenge's layout."""
    safeguard, what = Path(path).parts[-3:-1]
    _, enrolled, heard = what.split("-")
    sides = "".join("P" if side.endswith("_anon") else "O" for side in (enrolled, heard))
    return f"{safeguard}, {heard.removesuffix('_anon').replace('_test_trials', '')}, {sides}"


def _figures(trials: Trials) -> dict[str, Any]:
    found = assess(trials)
    names = ("d_ece_bits", "worst_case_log10_lr", "tag", "eer", "rocch_eer", "min_cllr_bits")
    return {name: getattr(found, name) for name in names}


def _quantiles(values: Sequence[float]) -> list[float]:
    """The median, and the values that five in a hundred lie below and above."""
    return [float(value) for value in np.quantile(values, (0.05, 0.5, 0.95))]


def _rng(*part: int) -> np.random.Generator:
    return generator(SEED, Purpose.MADE_UP, 100, *part)


if __name__ == "__main__":
    main()
