"""Write zebra_resources/selftest.json, what is simulated in validation.json and evidence.schema.json anew;
show what changes.

Only after a change of the demo, of what the exports say or of what stands in evidence, and only when the
tests, which check the figures against independent sources, pass. `--schema` writes the schema alone.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zebra_core.document.evidence import SCHEMA_FILE, schema
from zebra_core.installation import dossier
from zebra_core.installation.selftest import EXPECTED, answers_now

RESOURCES = Path(__file__).resolve().parent.parent / "resources" / "zebra_resources"
# Two targets above two nontargets. PAV separates them wholly: 1/(2 ln 2) bit, no error at any threshold.
# Laplace's rule adds a target and a nontarget beyond each end: above, 3 targets to 1 nontarget make odds of
# 3 to 1, at even prior odds a log10 LR of 0.4771; so below.
BY_HAND = {
    "target": [2.0, 3.0],
    "nontarget": [0.0, 1.0],
    "tolerance": 1e-12,
    "figures": {
        "n_target": 2,
        "n_nontarget": 2,
        "d_ece_bits": 0.7213475204444817,
        "worst_case_log10_lr": 0.47712125471966244,
        "tag": "A",
        "eer": 0.0,
        "min_cllr_bits": 0.0,
        "hits_at": {"0.01": None, "0.001": None, "0.0001": None},  # one false alarm is half of the nontargets
    },
}
# Two women, a and b, and two men, c and d. Of six recordings one is guessed wrongly, of a woman: 5 of 6 are
# right (guessing f always gives 4), of each sex 3 of 4 and 2 of 2, in the mean 7 of 8. Of (sex, guess) there
# are 3 (f, f), 1 (f, m) and 2 (m, m): H(2/3) + H(1/2) - H(3/6, 1/6, 2/6) bits. Two of one sex always score
# above two of both: 1/(2 ln 2) bit.
INFERENCE = {
    "attribute": {"a": "f", "b": "f", "c": "m", "d": "m"},
    "speaker_of": {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c", "d1": "d"},
    "guessed": {"a1": "f", "a2": "f", "b1": "f", "b2": "m", "c1": "m", "d1": "m"},
    "trials": [
        *(["a", "a1", 9.0], ["a", "b1", 3.0], ["a", "c1", 0.0], ["a", "d1", 1.0]),
        *(["b", "a1", 2.0], ["b", "b1", 9.0], ["b", "c1", 1.0], ["b", "d1", 0.0]),
        *(["c", "a1", 0.0], ["c", "b1", 1.0], ["c", "c1", 9.0], ["c", "d1", 2.0]),
        *(["d", "a1", 1.0], ["d", "b1", 0.0], ["d", "c1", 3.0], ["d", "d1", 9.0]),
    ],
    "tolerance": 1e-12,
    "figures": {
        "similarity": 0.7213475204444817,
        "recall": 0.875,
        "accuracy": 0.8333333333333334,
        "information_as_computed": 0.4591479170272448,
        "recall_by_guessing": 0.5,
        "accuracy_by_guessing": 0.6666666666666666,
    },
}


def main() -> None:
    """Write the files."""
    _write(SCHEMA_FILE, schema())
    if "--schema" in sys.argv[1:]:
        return
    _write(EXPECTED, {"tolerance": 1e-9, "by_hand": BY_HAND, "inference": INFERENCE, **answers_now()})
    kept = json.loads((RESOURCES / dossier.VALUES).read_text(encoding="utf-8"))
    _write(dossier.VALUES, {**kept, "simulated": dossier.answers_now()})


def _write(name: str, answers: Mapping[str, Any]) -> None:
    file = RESOURCES / name
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    after = json.dumps(answers, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), n=0))
    file.write_text(after, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
