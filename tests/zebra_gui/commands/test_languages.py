"""`zebra languages` lists what there is, and how much of it is translated."""

import json

from click.testing import CliRunner

import zebra_resources
from zebra_core.wording.texts import languages
from zebra_gui.cli import main

MANUAL = zebra_resources.path("manual")


def test_every_language_is_listed_by_its_code_and_the_one_spoken_is_marked():
    lines = CliRunner().invoke(main, ["languages"]).stdout.splitlines()
    heads = [line for line in lines if not line.startswith("    ")]
    assert [line.split()[0 if line.startswith("  ") else 1] for line in heads] == list(languages())
    assert heads[0] == "* en     English     the source of all others"
    assert all(" texts, " in line and line.endswith(" manual pages translated") for line in heads[1:])
    assert max(map(len, lines)) <= 80


def test_pages_of_the_manual_that_are_shown_in_english_are_named():
    told = " ".join(CliRunner().invoke(main, ["languages"]).stdout.split())
    german = told.partition(" de ")[2].partition(" es ")[0]
    assert "In English: The window; " in german
    assert "; The method; " in german
    assert "From recordings" not in german
    assert "Listening tests" not in german


def test_programs_read_the_same_numbers():
    rows = json.loads(CliRunner().invoke(main, ["languages", "--json"]).stdout)["languages"]
    assert [row["code"] for row in rows] == list(languages())
    every = len([path for path in (MANUAL / "en").rglob("*.md") if path.name != "contents.md"])
    assert rows[0] == {
        "code": "en",
        "name": "English",
        "translated": 0,
        "texts": 0,
        "pages": every,
        "pages_in_english": [],
        "spoken": True,
    }
    for row in rows[1:]:
        assert 0 <= row["translated"] <= row["texts"] > 3000
        assert row["pages"] == len(list((MANUAL / row["code"]).rglob("*.md")))
        assert row["pages"] + len(row["pages_in_english"]) == every
