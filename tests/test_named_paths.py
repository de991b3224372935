"""Every file and folder that the pages for readers of the code name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "packaging/benchmarks/README.md")
_BLOCK = re.compile(r"^```.*?^```|^ {4}.*?$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[A-Z]+\.md|pyproject\.toml)`")
_LINK = re.compile(r"\]\(([^)#:]+)\)")
MADE = {".venv/bin/zebra", "resources/zebra_resources/texts/it.po", "resources/zebra_resources/manual/it"}
"""What a command makes: the program, and a language that is begun."""


def named(page):
    """The paths that a page names, in its text as seen from the checkout and in its links from the page."""
    text = _BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
    spans = {ROOT / name for name in _SPAN.findall(text) if name not in MADE}
    return spans | {(ROOT / page).parent / way for way in _LINK.findall(text)}


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page):
    assert named(page) != set()
    assert [str(path) for path in named(page) if not path.exists()] == []


def test_the_index_of_the_architecture_names_a_path_for_every_change():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = text.split("| --- | --- |")[-1].strip().splitlines()
    assert len(rows) >= 25
    assert [row for row in rows if not _SPAN.search(row)] == []


def test_every_room_of_the_code_is_on_the_map():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for top in ("core/zebra_core", "zebra_gui"):
        rooms = {path.parent.name for path in (ROOT / top).glob("*/__init__.py")}
        assert {room for room in rooms if f"`{room}`" not in text} == set()
