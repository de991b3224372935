"""No figure of the demo moves without an entry in the CHANGELOG."""

import json
import re
from pathlib import Path

import pytest

import zebra_resources

ROOT = Path(__file__).parent.parent
BEFORE = json.loads((ROOT / "tests/data/kept/figures-0.1.0.json").read_text())
TODAY = json.loads(zebra_resources.read_text("selftest.json"))["figures"]


def flat(figures, above=""):
    """Every number by its name, with dots for what lies in another."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        elif isinstance(value, float):
            yield above + name, value


def entries():
    """The table of the first section *Figures*: what stands for each figure and safeguard."""
    section = (ROOT / "CHANGELOG.md").read_text().split("\n### Figures\n")[1].split("\n### ")[0]
    head, _line, *rows = [line for line in section.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in head.split("|")[2:-1]]
    for row in rows:
        figure, *values = [cell.strip() for cell in row.split("|")[1:-1]]
        for name, value in zip(names, values, strict=True):
            yield (name, figure.strip("`")), value


@pytest.mark.parametrize("safeguard", TODAY)
def test_a_figure_that_moved_or_is_new_has_its_value_in_the_changelog(safeguard):
    before, told = dict(flat(BEFORE[safeguard])), dict(entries())
    moved = {name: value for name, value in flat(TODAY[safeguard]) if before.get(name) != value}
    assert {name: told.get((safeguard, name)) for name in moved} == {
        name: f"{value:.6g}" for name, value in moved.items()
    }


def test_no_figure_of_the_last_release_is_gone():
    assert {name for figures in BEFORE.values() for name, _ in flat(figures)} <= {
        name for figures in TODAY.values() for name, _ in flat(figures)
    }


def test_the_changelog_tells_of_no_figure_that_is_not_there():
    there = {(safeguard, name) for safeguard, figures in TODAY.items() for name, _ in flat(figures)}
    assert {place for place, value in entries() if value} <= there
    assert re.fullmatch(r"[\w.]+", next(iter(entries()))[0][1])
