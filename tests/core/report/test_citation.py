"""How the program and its methods are cited."""

import re
import subprocess
from pathlib import Path

import pytest

import zebra_resources
from tests.programs import needed
from zebra_core.report.citation import bibtex, citation
from zebra_core.report.content.closing import _SOURCES
from zebra_core.version import VERSION, YEAR
from zebra_core.wording.texts import say

_ENTRY = re.compile(r"^@\w+\{(?P<key>[\w-]+),\n(?P<fields>.*?)^\}$", re.MULTILINE | re.DOTALL)
ENTRIES = {found["key"]: found["fields"] for found in _ENTRY.finditer(bibtex())}
OTHER_NAMES = {"March", "Interspeech", "VoicePrivacy", "ENFSI", "ASVspoof"}  # that are followed by a year
ROOT = Path(__file__).resolve().parents[3]


def field(key: str, name: str) -> str:
    """A field as it is read, without braces and accents of TeX."""
    found = re.search(rf"^  {name} *= \{{(.*)\}},?$", ENTRIES[key], re.MULTILINE)
    return re.sub(r"[{}]", "", found[1]) if found else ""


def plain(text: str) -> str:
    """Without accents of TeX."""
    return text.replace('\\"u', "ü").replace("\\'e", "é").replace('\\"a', "ä").replace('\\"o', "ö")


def test_every_source_of_a_report_is_in_it_and_the_program_first() -> None:
    assert tuple(ENTRIES)[: len(_SOURCES) + 1] == ("zebra-program", *_SOURCES)
    assert field("zebra-program", "note") == f"version {VERSION}"
    assert field("zebra-program", "year") == str(YEAR)


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
    assert f"ZEBRA, version {VERSION}, {YEAR}." in words
    assert say("reference.zebra") in words
    assert code.startswith("{zebra-program,")


def test_the_file_for_repositories_cites_this_version_and_paper() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {VERSION}\n" in text
    assert f"\n  year: {YEAR}\n  version: {VERSION}\n" in text
    assert f"doi: {field('zebra', 'doi')}" in text
    assert field("zebra", "title") in text


CITED = [key for key in ENTRIES if key not in {"zebra-program", *_SOURCES}]


@pytest.mark.parametrize("key", CITED)
def test_what_is_cited_by_author_and_year_is_in_the_manual(key: str) -> None:
    text = " ".join(zebra_resources.read_text("manual/en/method/references.md").split())
    for name in ("title", "journal", "volume", "year", "eprint", "number"):
        assert field(key, name) in text, name
    assert field(key, "pages").replace("--", "–") in text


def test_a_report_has_those_that_its_text_cites_and_no_others() -> None:
    text = "PAV (Brümmer und du Preez 2009), nach Vergeer u. a. 2016; see Owen. In 2007 it was raining."
    assert [key for key in CITED if f"{{{key}," in bibtex(text)] == ["brummer2009", "vergeer2016"]
    assert [key for key in CITED if f"{{{key}," in bibtex("ZEBRA 2021, 1988")] == []


def test_whoever_is_cited_in_our_texts_has_an_entry() -> None:
    said = zebra_resources.read_text("texts/en.toml").split("[reference]")
    texts = said[0] + said[1].split("\n[", 1)[1]
    name = r"(?:van |de |du )?[A-Z][a-zäöüé]+"
    cited = re.findall(rf"\b({name})(?: et al\.|(?:, {name})*(?: and {name})?) ((?:19|20)\d\d)\b", texts)
    works = [(one, year) for one, year in cited if one not in OTHER_NAMES]
    assert len(works) > 10
    for surname, year in works:
        known = [key for key in ENTRIES if field(key, "year") == year]
        assert any(surname.split()[-1] in plain(field(key, "author")) for key in known), (surname, year)


def test_bibtex_reads_it(tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_text(bibtex())
    aux = "\\citation{*}\n\\bibstyle{plain}\n\\bibdata{references}\n"
    (tmp_path / "page.aux").write_text(aux)
    said = subprocess.run(
        [needed("bibtex"), "page"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Warning" not in said.stdout
    assert (tmp_path / "page.bbl").read_text().count("\\bibitem") == len(ENTRIES)
