"""`zebra languages` lists what there is, and how much of it is translated."""

import json

from click.testing import CliRunner

from zebra_core.wording.languages import languages
from zebra_gui.cli import main


def test_every_language_is_listed_by_its_code_and_the_one_spoken_is_marked():
    lines = CliRunner().invoke(main, ["languages"]).stdout.splitlines()
    assert [line.split()[0 if line.startswith("  ") else 1] for line in lines] == list(languages())
    assert lines[0] == "* en     English     the source of all others"
    assert all(line.endswith("texts translated") for line in lines[1:])


def test_programs_read_the_same_numbers():
    rows = json.loads(CliRunner().invoke(main, ["languages", "--json"]).stdout)
    assert [row["code"] for row in rows] == list(languages())
    assert rows[0] == {"code": "en", "name": "English", "translated": 0, "texts": 0, "spoken": True}
    assert all(0 <= row["translated"] <= row["texts"] > 3000 for row in rows[1:])
