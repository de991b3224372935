"""Pages of the manual in other languages: built as the English ones are, and named when they are old."""

import re
from collections import Counter
from posixpath import normpath

import languages
import manual_pages
import manual_parts
import pytest
from catalogues import codes
from click.testing import CliRunner

from zebra_gui.manual.book import Book, in_short
from zebra_gui.manual.fills import fills
from zebra_gui.manual.window import headings, links, parser

_FILL = re.compile(r"^\{\{.+\}\}$", re.MULTILINE)
CHAPTERS = {"first-steps", "challenge-folder", "result-to-report"}
FIGURES = {name for name in manual_pages.pages("en") if name.startswith("figures/")}
TRANSLATED = [(code, name) for code in codes() for name in manual_pages.pages(code)]


def text_of(code, name):
    return in_short((manual_pages.MANUAL / code / f"{name}.md").read_text(encoding="utf-8"))


def build_of(text):
    """What has to be the same in every language: kinds of blocks in their order, examples, links, fills.

    Of code that is no example, as a formula in words, only how many lines it has.
    """
    tokens = parser().parse(text)
    blocks = [f"{token.type} {token.tag}" for token in tokens if token.nesting >= 0]
    code = [token.content for token in tokens if token.type in ("code_block", "fence")]
    examples = [each if ">>>" in each or '"' in each else each.count("\n") for each in code]
    inside = [child for token in tokens for child in token.children or ()]
    described = sum(child.type == "image" and bool(child.content) for child in inside)
    return (
        blocks,
        examples,
        Counter(way.partition("#")[0] for way in links(text)),
        described,
        _FILL.findall(text),
    )


@pytest.mark.parametrize(("code", "name"), TRANSLATED)
def test_a_translated_page_has_the_parts_of_the_english_one(code, name):
    translated, english = build_of(text_of(code, name)), build_of(text_of("en", name))
    assert translated == english
    assert english[0][0] == "heading_open h1"


@pytest.mark.parametrize("code", codes())
def test_links_of_translated_pages_lead_to_headings_that_are_there(code):
    book = Book(fills(), code)
    ways = [
        (name, way.partition("#")) for name in manual_pages.pages(code) for way in links(text_of(code, name))
    ]
    wrong = [
        (name, path, place)
        for name, (path, _, place) in ways
        if place and place not in headings(book.page(normpath(f"{name}/../{path}").removesuffix(".md")).text)
    ]
    assert wrong == []


@pytest.mark.parametrize("code", codes())
def test_the_first_chapters_and_the_figures_are_translated_from_the_english_of_today(code):
    assert set(manual_pages.pages(code)) >= CHAPTERS | FIGURES
    assert list(manual_pages.outdated(code)) == [], "translate, then: make languages ARGS='--page CODE/NAME'"


def test_the_contents_name_a_page_as_it_names_itself_and_others_in_english():
    book = Book(fills(), "de")
    assert book.page("first-steps").title == "Erste Schritte"
    assert book.page("for-a-cluster").title == "For a cluster"
    assert [page.name for page in book.pages] == [page.name for page in Book(fills()).pages]


def test_a_page_is_old_from_a_change_of_the_english_until_somebody_says_otherwise(monkeypatch, tmp_path):
    monkeypatch.setattr(manual_pages, "MANUAL", tmp_path)
    monkeypatch.setattr(manual_pages, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(languages, "codes", list)
    for code, text in (("en", "# One\n"), ("it", "# Uno\n")):
        (tmp_path / code).mkdir()
        (tmp_path / code / "one.md").write_text(text, encoding="utf-8")
    assert list(manual_pages.outdated("it")) == ["one"]
    say = CliRunner().invoke(languages.main, ["--page", "it/one"])
    assert (say.exit_code, list(manual_pages.outdated("it"))) == (0, [])
    (tmp_path / "en" / "one.md").write_text("# One more\n", encoding="utf-8")
    assert list(manual_pages.outdated("it")) == ["one"]
    assert (
        "there is no resources/zebra_resources/manual/it/two.md"
        in CliRunner().invoke(languages.main, ["--page", "it/two"]).output
    )


def test_english_pages_are_whole_where_they_stand_and_those_in_other_languages_name_their_parts():
    """`make languages` renews what the program fills in."""
    assert sorted(manual_parts.renewed()) == []
    pages = {path: path.read_text(encoding="utf-8") for path in manual_pages.MANUAL.rglob("*.md")}
    english = {path for path in pages if path.is_relative_to(manual_pages.MANUAL / "en")}
    assert [path for path in english if _FILL.search(pages[path])] == []
    assert [path for path in {*pages} - english if "<!-- end -->" in pages[path]] == []
