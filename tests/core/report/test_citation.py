"""How the program and its methods are cited."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import zebra_resources
from zebra_core.report.citation import bibtex, citation
from zebra_core.report.content.closing import _SOURCES
from zebra_core.version import VERSION
from zebra_core.wording.texts import say

_ENTRY = re.compile(r"^@\w+\{(?P<key>[\w-]+),\n(?P<fields>.*?)^\}$", re.MULTILINE | re.DOTALL)
ENTRIES = {found["key"]: found["fields"] for found in _ENTRY.finditer(bibtex())}
ROOT = Path(__file__).resolve().parents[3]


def field(key: str, name: str) -> str:
    """A field as it is read, without braces and accents of TeX."""
    found = re.search(rf"^  {name} *= \{{(.*)\}},?$", ENTRIES[key], re.MULTILINE)
    return re.sub(r"[{}]", "", found[1]) if found else ""


def test_every_source_of_a_report_is_in_it_and_the_program_first() -> None:
    assert tuple(ENTRIES) == ("zebra-program", *_SOURCES)
    assert field("zebra-program", "note") == f"version {VERSION}"


@pytest.mark.parametrize("key", _SOURCES)
def test_a_source_is_the_one_that_reports_name(key: str) -> None:
    text = say(f"reference.{key}")
    for name in ("title", "year", "journal", "volume", "doi", "eprint", "number"):
        assert field(key, name) in text, name
    assert field(key, "pages").replace("--", "–") in text
    first = re.match(r"[^,]*", field(key, "author"))[0]
    assert re.search(re.sub(r"\\['\"]\w", ".", first), text)


def test_the_page_says_it_in_words_first() -> None:
    words, code = citation().split("@misc", 1)
    assert f"ZEBRA, version {VERSION}." in words
    assert say("reference.zebra") in words
    assert code.startswith("{zebra-program,")


def test_the_file_for_repositories_cites_this_version_and_paper() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {VERSION}\n" in text
    assert f"doi: {field('zebra', 'doi')}" in text
    assert field("zebra", "title") in text


def test_resources_have_no_entry_twice() -> None:
    assert zebra_resources.read_text("references.bib").count("\n@") == len(_SOURCES)


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="needs bibtex")
def test_bibtex_reads_it(tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_text(bibtex())
    aux = "\\citation{*}\n\\bibstyle{plain}\n\\bibdata{references}\n"
    (tmp_path / "page.aux").write_text(aux)
    said = subprocess.run(["bibtex", "page"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Warning" not in said.stdout
    assert (tmp_path / "page.bbl").read_text().count("\\bibitem") == len(ENTRIES)
