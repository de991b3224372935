"""What the comparison with the kept corpus finds, and what it must not take for a difference."""

import datetime as dt
import json
import os
import subprocess
import sys

import pytest

from golden.comparing import EXACT, HEARD, differences
from golden.kept import FEW, GOLDEN, Masks, _hashes_whole, dumped, few, kept_forms, whole
from golden.running import CHECKOUT
from zebra_core import __version__

DAY = dt.date(2026, 2, 13)
VALUES = {"code": "needs-key", "bits": 0.25, "rows": [{"name": "a"}, {"name": "b"}], "said": "0.25 bit of 63"}
TEXT = "Population disclosure is 0.67 bit.\n63 speakers, 92 % of full disclosure.\n"
PAGES = "=== page 1, 595 × 842\nwith these data an attacker\ngains 0.67 bit\n=== page 2, 595 × 842\nthe end\n"


def found(name, before, after, tolerance=EXACT):
    return [str(one) for one in differences(name, before, after, tolerance)]


def of_values(after, tolerance=EXACT, before=VALUES):
    return found("x.json", json.dumps(before), json.dumps(after), tolerance)


@pytest.fixture
def masks(tmp_path):
    return Masks(tmp_path, (DAY,), tmp_path / "in")


def test_what_is_the_same_differs_nowhere():
    assert of_values(VALUES) == found("x.txt", TEXT, TEXT) == found("x.pdf.txt", PAGES, PAGES) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"code": "needs-map"}, 'code:\n      was "needs-key"\n      is  "needs-map"'),
        ({"bits": 0.25 * (1 + 1e-8)}, "bits:\n      was 0.25\n      is  0.2500000025"),
        ({"bits": None}, "bits:\n      was 0.25\n      is  null"),
        ({"said": "0.25 bit of 64"}, 'said:\n      was "0.25 bit of 63"\n      is  "0.25 bit of 64"'),
        ({"rows": [{"name": "b"}, {"name": "a"}]}, "rows, order of 2 entries"),
        ({"rows": [{"name": "a"}]}, "rows, number of entries:\n      was 2\n      is  1"),
        ({"new": 1}, "new: new: 1"),
    ],
)
def test_a_change_of_values_is_named_with_its_place(changed, said):
    assert of_values({**VALUES, **changed})[0].startswith(said)


def test_a_missing_key_and_another_order_of_keys_are_named():
    assert of_values({key: value for key, value in VALUES.items() if key != "code"}) == [
        'code: gone: "needs-key"'
    ]
    [order] = of_values(dict(reversed(VALUES.items())))
    assert "order of keys" in order


def test_a_whole_number_is_not_a_fraction():
    assert len(of_values({"n": 1.0}, before={"n": 1})) == 1


def test_numbers_within_the_tolerance_are_the_same():
    assert of_values({**VALUES, "bits": 0.25 * (1 + 1e-10)}) == []
    assert of_values({**VALUES, "bits": 0.25 * (1 + 5e-5)}, HEARD) == []
    assert len(of_values({**VALUES, "bits": 0.25 * (1 + 2e-4)}, HEARD)) == 1
    precise = "x,0.36451334258235374,y", "x,0.36451334258235391,y"
    assert found("x.csv", *precise) == []


def test_a_printed_number_may_round_the_other_way_only_where_sound_was_heard():
    other = TEXT.replace("0.67", "0.68"), TEXT.replace("92 %", "93 %")
    for after in other:
        assert len(found("x.txt", TEXT, after)) == 1
        assert found("x.txt", TEXT, after, HEARD) == []
    for after in (TEXT.replace("0.67", "0.69"), TEXT.replace("63", "64"), TEXT.replace("0.67", "0.670")):
        assert len(found("x.txt", TEXT, after, HEARD)) == 1


def test_a_changed_line_is_shown_before_and_after():
    [said] = found("x.txt", TEXT, TEXT.replace("full", "possible"))
    assert said == (
        "line 2:\n      was 63 speakers, 92 % of full disclosure.\n"
        "      is  63 speakers, 92 % of possible disclosure."
    )
    assert found("x.txt", TEXT, "A line.\n" + TEXT) == ["line 1: new: A line."]


def test_words_of_a_page_may_be_broken_into_other_lines_but_not_changed():
    assert found("x.pdf.txt", PAGES, PAGES.replace("an attacker\ngains", "an\nattacker gains")) == []
    [said] = found("x.pdf.txt", PAGES, PAGES.replace("attacker", "adversary"))
    assert said == "page 1, after “with these data an”:\n      was attacker\n      is  adversary"
    assert len(found("x.pdf.txt", PAGES, PAGES.replace("0.67", "0.68"))) == 1


@pytest.mark.parametrize("change", [{5: 3.0}, {5: 6.0, 6: 5.0}, {50: 50.0 + 1e-3}])
def test_of_many_numbers_one_that_changes_and_two_that_change_places_are_found(change):
    before = [float(n) for n in range(3 * FEW)]
    after = [change.get(n, one) for n, one in enumerate(before)]
    assert "~numbers" in dumped(few({"draws": before}))
    said = found("x.json", dumped(few({"draws": before})), dumped(few({"draws": after})))
    assert said
    assert all(one.startswith("draws") for one in said)
    nearly = [one * (1 + 1e-12) for one in before]
    assert found("x.json", dumped(few({"draws": before})), dumped(few({"draws": nearly}))) == []


def test_masked_is_what_differs_from_run_to_run_and_nothing_else(masks, tmp_path):
    assert masks.text(f"{DAY}, zebra {__version__}, in {tmp_path}/out, ZEBRA-91C5-A731-F28D") == (
        "<today>, zebra <version>, in <folder>/out, <report>"
    )
    assert masks.text("13 February 2026 at 2026-02-13T09:10:11Z") == "<today> at <time>"
    stays = f"2021-05-03, {__version__} of it, zebra 99.0, numpy arrays, {'5' * 65}"
    assert masks.text(stays) == stays
    assert masks.value({"zebra": __version__, "version": 5, "at": __version__}) == {
        "zebra": "<version>",
        "version": 5,
        "at": __version__,
    }


def test_the_hash_of_an_input_stays_and_that_of_what_was_made_is_masked(masks):
    import hashlib

    file = CHECKOUT / "tests" / "data" / "intake" / "kaldi-key"
    of_input = hashlib.sha256(file.read_bytes()).hexdigest()
    assert masks.text(f"{of_input} {'ab' * 32}") == f"{of_input} <sha256>"


def test_a_hash_that_a_column_of_a_page_breaks_is_whole_again():
    first, second = "ab" * 15, "cd" * 17
    assert _hashes_whole(f"12 325 {first}\n{second} 3") == f"12 325 {first}{second} 3"
    assert _hashes_whole("a deed\nof 12 325") == "a deed\nof 12 325"


def test_many_objects_of_one_kind_are_kept_as_a_table_and_compared_as_objects():
    rows = [{"what": str(n), "bits": n / 7} for n in range(9)]
    assert "~table" in dumped(few(rows))
    assert whole(json.loads(dumped(few(rows)))) == rows
    other = [*rows[:4], {**rows[4], "bits": 1.0}, *rows[5:]]
    [said] = found("x.json", dumped(few({"all": rows})), dumped(few({"all": other})))
    assert said.startswith("all[4].bits:")


def test_the_layout_of_json_is_kept(masks, tmp_path):
    (tmp_path / "x.json").write_text('{"a": "ü", "b": [1, 2]}\n', encoding="utf-8")
    assert [*kept_forms(tmp_path / "x.json", "x.json", masks)] == [
        ("x.json", "JSON, indent None, UTF-8, 1 line ends", '{"a": "ü", "b": [1, 2]}\n')
    ]


def test_the_corpus_is_small_and_says_no_folder_of_whoever_made_it():
    files = [file for file in GOLDEN.rglob("*") if file.is_file()]
    assert files
    assert sum(file.stat().st_size for file in files) < 5.5e6
    assert not [file for file in files if str(CHECKOUT).encode() in file.read_bytes()]


@pytest.mark.skipif(sys.platform != "linux", reason="the corpus is made on Linux")
def test_what_is_said_of_real_scores_and_of_the_museum_is_what_is_kept():
    command = [sys.executable, "-m", "golden", "reference", "museum"]
    env = os.environ | {"PYTHONPATH": str(CHECKOUT / "packaging")}
    done = subprocess.run(command, cwd=CHECKOUT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.endswith(": nothing differs.\n"), done.stdout + done.stderr
