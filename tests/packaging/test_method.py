"""The method's tables and pictures are what the program computes, with the seed that is said."""

import json
import re

import method_data
import method_pictures
import pytest

import zebra_resources
from zebra_core.wording.texts import texts_of
from zebra_gui.manual.fills import method_table, simulation_table

KNOWN = json.loads(zebra_resources.read_text("method.json"))
PAGES = zebra_resources.path("manual/en/method")


def test_the_bias_of_few_speakers_is_computed_again():
    row = next(one for one in KNOWN["bias"] if one["speakers"] == 5 and one["separation"] == 1.5)
    assert method_data.bias(1.5, 5) == pytest.approx(row, rel=1e-9)


def test_worst_cases_of_few_speakers_are_computed_again():
    found, known = method_data.worst_cases(5), KNOWN["worst_case"][0]
    for name in known:
        assert found[name] == pytest.approx(known[name], rel=1e-9), name


def test_ties_and_scores_turned_round_are_computed_again():
    for found, known in zip(method_data.ties(), KNOWN["ties"], strict=True):
        for order in ("pooled", "targets_above", "targets_below"):
            assert numbers(found[order]) == pytest.approx(numbers(known[order]), rel=1e-9)
            assert found[order]["tag"] == known[order]["tag"]
    for found, known in zip(method_data.turned(), KNOWN["turned"], strict=True):
        assert numbers(found) == pytest.approx(numbers(known), rel=1e-9, abs=1e-12)


def numbers(row):
    """What is compared within a tolerance."""
    return {name: value for name, value in row.items() if isinstance(value, float)}


def test_equal_scores_with_targets_below_are_pooled_again():
    """As the PAV does, whatever is told of EER."""
    for row in KNOWN["ties"]:
        for figure in ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "min_cllr_bits"):
            assert row["targets_below"][figure] == pytest.approx(row["pooled"][figure], abs=1e-12)


def test_the_second_implementation_agrees():
    assert len(KNOWN["agreement"]["files"]) == 28
    assert max(KNOWN["agreement"]["largest"].values()) < 1e-10
    assert all(one == other for one, other in (row["tag"] for row in KNOWN["agreement"]["files"]))


@pytest.mark.parametrize(
    ("figure", "most"),
    [
        ("d_ece_bits", 0.0005),
        ("worst_case_log10_lr", 0.0005),
        ("min_cllr_bits", 0.0005),
        ("cllr_bits", 0.0005),
        ("rocch_eer", 0.0003 + 0.00005),  # the toolkit takes it from the PAV under Laplace's rule
    ],
)
def test_the_toolkit_prints_the_same_to_its_last_digit(figure, most):
    for row in KNOWN["agreement"]["files"]:
        assert row[figure][1] == pytest.approx(row["toolkit"][figure], abs=most + 1e-9), row["name"]
        assert row["toolkit"]["tag"] == row["tag"][1]


def test_the_table_has_the_toolkit_beside_ours():
    known = json.loads((method_data.REFERENCE / "expected.json").read_text("utf-8"))["toolkit"]
    assert [row["toolkit"] for row in KNOWN["agreement"]["files"]] == list(known.values())
    line = method_table("agreement").splitlines()[-2]
    assert line == (
        "| B2, libri\\_f, OP | 156 + 9\u202f672 | 0.205 (0.204525) | 2.394 (2.394452) | 25.94 (25.9403) "
        "| 0.705 (0.705247) | 11.884 (11.883932) | C (C) |"
    )


def test_the_pages_say_what_the_tables_say():
    words = (PAGES / "reference-toolkit.md").read_text("utf-8")
    whole, tens = ([row[order] for order in ("pooled", "targets_above")] for row in KNOWN["ties"][2:])
    assert "D_ECE of {:.3f} or of {:.3f}".format(*(of["d_ece_bits"] for of in whole)) in words
    pooled, above = (f"{of['d_ece_bits']:.3f}" for of in tens)
    assert f"to tens {pooled} (tag {tens[0]['tag']}) or {above} bit (tag {tens[1]['tag']})" in words


def test_every_table_has_a_cell_for_each_column():
    asked = {
        (kind, name)
        for page in PAGES.glob("*.md")
        for kind, name in re.findall(r"<!-- (method|simulation) ([a-z-]+) -->", page.read_text("utf-8"))
    }
    assert len(asked) == 12
    for kind, name in asked:
        table = (method_table if kind == "method" else simulation_table)(name)
        assert len({line.count("|") for line in table.splitlines()}) == 1, name


def test_every_picture_is_there_and_shown():
    pages = " ".join(page.read_text("utf-8") for page in PAGES.glob("*.md"))
    shown = re.findall(r"\]\(pictures/([a-z-]+)\.png\)", pages)
    drawn = {path.name for path in (PAGES / "pictures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in shown for kind in ("png", "svg")}


def test_pictures_are_of_the_data_of_today():
    for name, figure in method_pictures.figures():
        kept = (PAGES / "pictures" / f"{name}.svg").read_bytes()
        assert method_pictures.drawn(figure, "svg") == kept, f"{name}: run packaging/method_pictures.py"


def test_whatever_is_cited_by_author_and_year_is_in_the_references():
    texts = [page.read_text("utf-8") for page in PAGES.glob("*.md") if page.stem != "references"]
    cited = {
        found.groups()
        for found in re.finditer(
            r"([^\W\d_]+)(?: et al\.)?,? \(?((?:19|20)\d\d)\b", " ".join(" ".join(texts).split())
        )
        if found[1][0].isupper()
    }
    sources = [*texts_of("reference").values(), *(PAGES / "references.md").read_text("utf-8").split("\n- ")]
    missing = {
        (name, year) for name, year in cited if not any(name in one and year in one for one in sources)
    }
    assert len(cited) >= 12
    assert missing == set()
