"""The figures agree with those of an independent implementation on real scores."""

import json
from pathlib import Path

import pytest

import zebra_core
import zebra_resources

REFERENCE = Path(__file__).parents[2] / "data" / "reference"
EXPECTED = json.loads((REFERENCE / "expected.json").read_text(encoding="utf-8"))
CASES = [
    (REFERENCE / name, REFERENCE / figures["key"], figures) for name, figures in EXPECTED["files"].items()
]
CASES += [
    (zebra_resources.path(name), zebra_resources.path(figures["key"]), figures)
    for name, figures in EXPECTED["demo"].items()
]
EXACT = ("n_target", "n_nontarget", "tag")
CLOSE = (
    "d_ece_bits",
    "worst_case_log10_lr",
    "worst_case_ceiling_log10_lr",
    "rocch_eer",
    "cllr_bits",
    "min_cllr_bits",
)


@pytest.mark.parametrize(
    ("scores", "key", "figures"), CASES, ids=["/".join(scores.parts[-3:-1]) for scores, _, _ in CASES]
)
def test_figures_agree_with_the_reference(scores: Path, key: Path, figures: dict[str, float | str]) -> None:
    found = zebra_core.assess(zebra_core.read_trials(scores, key))
    for name in EXACT:
        assert getattr(found, name) == figures[name], name
    for name in CLOSE:
        assert getattr(found, name) == pytest.approx(figures[name], abs=1e-10), name


def test_every_reference_file_is_looked_at() -> None:
    """24 files of other_f and other_m, four of the demo."""
    assert len(CASES) == 28
