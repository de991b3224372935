"""The list of what runs with the program is that of the pins, and is what is installed here."""

import re
from pathlib import Path

import dependencies

PINS = Path(dependencies.PAGE).with_name("constraints.txt")


def test_the_list_is_what_the_program_needs():
    assert dependencies.PAGE.read_text(encoding="utf-8") == dependencies.page(dependencies.parts())


def test_every_version_on_the_list_is_the_pinned_one():
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", PINS.read_text(encoding="utf-8"), re.MULTILINE))
    plain = {name.lower().replace("-", "_"): version for name, version in pins.items()}
    rows = re.findall(
        r"^\| ([\w.-]+) \| (\d\S*) \| \S", dependencies.PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 20
    assert {name.lower().replace("-", "_"): version for name, version in rows}.items() <= plain.items()
    assert {"PySide6_Essentials", "numpy", "pypdf", "jiwer"} <= {name for name, _ in rows}
