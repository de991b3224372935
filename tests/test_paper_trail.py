"""No figure of the demo moves without an entry in paper_trail.md, which is beside this file."""

import json
from pathlib import Path

import pytest

import zebra_resources

ROOT = Path(__file__).parent.parent
BEFORE = json.loads((ROOT / "tests/data/figures.json").read_text())
TODAY = json.loads(zebra_resources.read_text("selftest.json"))["figures"]


def flat(figures, above=""):
    """Every number by its name, with dots for what lies in another."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        elif isinstance(value, float):
            yield above + name, value


def section():
    """What paper_trail.md says of figures that moved or are new."""
    text = Path(__file__).with_name("paper_trail.md").read_text(encoding="utf-8")
    return text.split("\n### Figures\n")[1]


def entries(told):
    """The table of a section: what stands there for each safeguard and figure."""
    head, _line, *rows = [line for line in told.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in head.split("|")[2:-1]]
    for row in rows:
        figure, *values = [cell.strip() for cell in row.split("|")[1:-1]]
        for name, value in zip(names, values, strict=True):
            yield (name, figure.strip("`")), value


def untold(told, safeguard, before, today):
    """Figures that are new, moved or have no reason, and are not told so: what should stand there."""
    there = dict(entries(told))
    reasons = "\n".join(line for line in told.splitlines() if not line.startswith("|"))
    for name, value in today.items():
        was = before.get(name)
        if was == value:
            continue
        due = f"{value:.6g}" if was is None else f"{was:.6g} → {value:.6g}"
        if there.get((safeguard, name)) != due:
            yield name, due
        if was is not None and f"`{name}`" not in reasons:
            yield name, "a sentence that says why"


@pytest.mark.parametrize("safeguard", TODAY)
def test_a_figure_that_moved_or_is_new_has_its_value_in_the_paper_trail(safeguard):
    assert (
        list(untold(section(), safeguard, dict(flat(BEFORE[safeguard])), dict(flat(TODAY[safeguard])))) == []
    )


def test_a_figure_that_moves_needs_both_values_and_a_reason():
    table = "| figure | B2 |\n| --- | ---: |\n| `eer` | {} |\n| `cllr_bits` | 0.5 |\n\n{}\n"
    before, today = {"eer": 0.25}, {"eer": 0.26, "cllr_bits": 0.5}
    told = table.format("0.25 → 0.26", "`eer` moved because equal scores are pooled.")
    assert list(untold(told, "B2", before, today)) == []
    assert list(untold(table.format("0.26", "No reason."), "B2", before, today)) == [
        ("eer", "0.25 → 0.26"), ("eer", "a sentence that says why"),
    ]  # fmt: skip
    assert list(untold(told, "B2", before, {"cllr_bits": 0.6})) == [("cllr_bits", "0.6")]


def test_no_figure_of_the_last_release_is_gone():
    assert {name for figures in BEFORE.values() for name, _ in flat(figures)} <= {
        name for figures in TODAY.values() for name, _ in flat(figures)
    }


def test_the_paper_trail_tells_of_no_figure_that_is_not_there():
    there = {(safeguard, name) for safeguard, figures in TODAY.items() for name, _ in flat(figures)}
    assert {place for place, value in entries(section()) if value} <= there
