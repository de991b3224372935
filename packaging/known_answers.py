"""Write resources/selftest.json anew, and show what changes in it.

Only after a change of the demo or of what the exports say, and only when the tests, which check the figures
against independent sources, pass.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path

from zebra_core.installation.selftest import EXPECTED, answers_now

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "resources" / EXPECTED
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
    },
}


def main() -> None:
    """Write the file."""
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    answers = {"tolerance": 1e-9, "by_hand": BY_HAND, **answers_now()}
    after = json.dumps(answers, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), n=0))
    FILE.write_text(after, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
