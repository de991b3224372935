"""The manual says everything there is, its links lead somewhere, and its examples do what they show."""

import doctest
import re
from html import unescape
from pathlib import Path

import click
import pytest

import zebra_resources
from zebra_core.errors import ZebraError
from zebra_core.installation.simulations.crossed import SimulationCase, truth
from zebra_core.installation.simulations.repeated import known_counts, rows_of, simulation_named
from zebra_core.listening import answers, package
from zebra_core.metrics.registry import METRICS
from zebra_core.recordings.sound import SUFFIXES
from zebra_core.report.document import FORMULAS
from zebra_core.wording.texts import texts_of
from zebra_gui.cli import main
from zebra_gui.manual.book import Book
from zebra_gui.manual.fills import commands, fills
from zebra_gui.manual.places import FIRST_PAGE, PAGE_OF_PART
from zebra_gui.manual.window import anchor, headings, html_of, links
from zebra_gui.window.panes import PANES

with click.Context(main, info_name="zebra"):
    BOOK, COMMANDS = Book(fills()), commands()
NAMES = [page.name for page in BOOK.pages]
LANGUAGES = Path(__file__).parents[3] / "packaging" / "languages.py"  # make languages


def joined(way, page):
    """Where a link of a page leads, as the name of a page and a place in it."""
    path, _, place = way.partition("#")
    if not path:
        return page, place
    parts = page.split("/")[:-1]
    for part in path.split("/"):
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts), place


def test_every_page_is_in_the_contents():
    folder = zebra_resources.path("manual/en")
    there = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.md")}
    assert there == {*NAMES, "contents"}
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_pages_and_headings(name):
    page = BOOK.page(name)
    for way in links(page.text):
        target, place = joined(way, name)
        if target.endswith(".png"):
            assert zebra_resources.path(f"manual/en/{target}").is_file()
            continue
        found = BOOK.page(target.removesuffix(".md"))
        assert found is not None, way
        assert not place or place in headings(found.text), way


@pytest.mark.parametrize("name", [page.name for page in BOOK.pages if ">>>" in page.text])
def test_examples_print_what_they_show(name):
    test = doctest.DocTestParser().get_doctest(BOOK.page(name).text, {}, name, f"{name}.md", 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.tries
    assert not runner.failures


def test_titles_are_those_of_the_contents():
    for page in BOOK.pages:
        assert page.text.startswith(f"# {page.title}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_place_with_every_option(name):
    page = BOOK.page("command-line")
    assert anchor(f"zebra {name}") in headings(page.text)
    place = page.text[page.text.index(f"\n## zebra {name}\n") :]
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and not option.hidden:
            assert all(f"{written}" in place for written in option.opts)


def test_options_of_all_commands_are_told_before_them():
    text = BOOK.page("command-line").text
    told = text[: text.index("\n## ")]
    context = click.Context(main, info_name="zebra")
    options = [name for option in main.get_params(context) for name in option.opts]
    assert {"--language", "--version", "--help"} <= set(options)
    assert [name for name in options if name not in told] == []
    assert [name for name in COMMANDS if f"[`zebra {name}`]" not in told] == []


@pytest.mark.parametrize("name", NAMES)
def test_commands_and_options_that_a_page_names_exist(name):
    text = BOOK.page(name).text
    known = {
        option
        for command in (main, *COMMANDS.values())
        for parameter in command.get_params(click.Context(command))
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    of_make = set(re.findall(r"\"(--[a-z-]+)\"", LANGUAGES.read_text(encoding="utf-8")))
    assert "--new" in of_make
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", text)) - known <= of_make
    called = set(re.findall(r"(?:`|^    )zebra ([a-z]+)\b", text, re.MULTILINE))
    assert called - {*COMMANDS} == set()


def errors():
    """What is said where anything goes wrong, by its code: what errors say, and what is said beside them."""
    kinds, sections = [ZebraError], {"saved"}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        sections |= {kind.section} - {ZebraError.section, ""}
    assert {"input", "output", "finding"} <= sections
    said = {f"{part}.{code}": text for part in sections for code, text in texts_of(part).items()}
    remarks = texts_of("recordings").items()
    return said | {code: text for code, text in remarks if text.endswith(".")}


def test_every_sentence_about_what_goes_wrong_is_there():
    html = html_of(BOOK.page("when-something-goes-wrong").text, {})
    items = re.findall(r"<li>(.*?)</li>", html, re.DOTALL)
    shown = {re.sub(r"<em>.*?</em>", "…", unescape(item)).strip() for item in items}
    expected = {code: re.sub(r"\{[^}]*\}", "…", text) for code, text in errors().items()}
    assert len(expected) > 500
    assert {code: text for code, text in expected.items() if text not in shown} == {}


CURE = re.compile(
    r"(?:^|[.:;,“(] |, or |, and |otherwise )(?:or |then )?(?:Add|Ask|Assess|Break|Call|Check|Choose|Close"
    r"|Compare|Convert|Copy|Correct|Count|Create|Cut|Divide|Download|Draw|Drop|Enter|Evaluate|Export|Fetch|Find|Format|Free|Get"
    r"|Give|Have|Install|Keep|Learn|Leave|Make|Name|Omit|Open|Pack|Put|Read|Remove|Rename|Restore|Reword|Run|Save|Say"
    r"|Score|Set|Shorten|Sign|Sort|Split|Start|State|Take|Tell|Tick|Try|Type|Unpack|Update|Use|Write)\b",
    re.IGNORECASE,
)
WHAT_WOULD_DO = re.compile(
    r"Known are|are: \{|only as: |These can: |by: \{|have answered: |needs? (?:a|true|packages)\b|"
    r"(?:pip|apt-get) install|is “original” or|A line ends in|Ratings are numbers|has two: a segment|"
    r"can verify|makes them|\{(?:reason|reason:q|faults)\}|was left out"
)
"""Some name what would be right instead, or hand on what another sentence says."""


@pytest.mark.parametrize("section", ["input", "output"])
def test_every_error_says_how_to_correct_it(section):
    texts = {code: text for code, text in texts_of(section).items() if code != "way"}
    assert len(texts) > 20
    without = {
        code: text for code, text in texts.items() if not CURE.search(text) and not WHAT_WOULD_DO.search(text)
    }
    assert without == {}


def test_every_format_and_kind_of_file_is_there():
    text = BOOK.page("files-and-formats").text
    formats = {code: said for code, said in texts_of("format").items() if not code.startswith("with-")}
    assert len(formats) > 35
    assert [code for code, said in formats.items() if f"- {said}\n" not in f"{text}\n"] == []
    kinds = {*SUFFIXES, answers.SUFFIX, package.SUFFIX, ".zebra", ".xlsx", ".onnx", ".toml", ".p12", ".pem"}
    assert [kind for kind in sorted(kinds) if kind not in text] == []


def test_every_figure_of_the_registry_is_explained():
    told = " ".join(page.text for page in BOOK.pages if page.name == "challenge-folder").replace("\\", "")
    columns = texts_of("column")
    of_columns = [metric.code for metric in METRICS if metric.column is not None]
    assert len(of_columns) > 10
    for code in of_columns:
        assert f"| {columns[code]} | {columns[f'{code}-means']} |" in told


def test_without_a_command_line_a_page_says_how_to_ask_it():
    assert "    zebra score --help\n" in Book(fills()).page("from-recordings").text


def test_every_formula_is_there():
    everything = "\n".join(page.text for page in BOOK.pages)
    assert [formula.name for formula in FORMULAS if formula.words not in everything] == []


def test_every_pane_has_a_page():
    assert {pane.__name__ for pane in PANES} <= set(PAGE_OF_PART)
    assert {*PAGE_OF_PART.values(), FIRST_PAGE} <= set(NAMES)


OF_A_FIGURE = [name for name in NAMES if name.startswith("figures/")]
PARTS = {
    "picture": r"\n## The pictures?\n\n(?:[^#]*\n)?!\[[^\]]{20,}\]\(\.\./pictures/[a-z-]+\.png\)",
    "how to read it": r"\n## How to read (?:it|them)\n",
    "what it does not say": r"\n## What (?:it does|they do) not say\n",
    "formula": r"\n## Formulas?\n[^#]*\n    \S",
    "example": r"\n## Example\n[^#]*\d",
    "source": r"\n## Source\n[^#]*\b(?:19|20)\d\d\b",
    "for experts": r"\n## More\n",
}


@pytest.mark.parametrize("name", OF_A_FIGURE)
def test_a_page_about_a_figure_has_the_same_parts_in_the_same_order(name):
    text = BOOK.page(name).text
    assert re.search(r"^# [^\n]+\n\n\*\*Question\.\*\* [A-Z][^?]+\?\n", text)
    found = {part: re.search(pattern, text) for part, pattern in PARTS.items()}
    assert [part for part, place in found.items() if place is None] == []
    places = [place.start() for place in found.values()]
    assert places == sorted(places)


@pytest.mark.parametrize("name", sorted({*OF_A_FIGURE} - {"figures/intervals"}))
def test_examples_of_figures_are_computed(name):
    text = BOOK.page(name).text
    assert ">>>" in text[text.index("\n## Example\n") : text.index("\n## Source\n")]


def test_the_example_of_intervals_is_what_the_release_simulated():
    simulation = simulation_named("intervals")
    rows = rows_of(simulation, known_counts()["intervals"])
    row = next(one for one in rows if one.case == SimulationCase(20, 5, 1.5))
    of, true, held = simulation.sets, truth(row.case)["d_ece_bits"], 100.0 * row.shares[0]
    sentence = (
        f"In {of} simulated sets of 20 speakers with five recordings each and a true D_ECE of {true:.3f} "
        f"bit, {held:.1f} % of the intervals contained the true value."
    )
    assert sentence in " ".join(BOOK.page("figures/intervals").text.split())


def test_nothing_is_left_to_be_filled_in():
    assert [page.name for page in BOOK.pages if "{{" in page.text] == []


def test_search_puts_titles_first_and_knows_no_capitals():
    found = [one.page.name for one in BOOK.search("CEILING")]
    assert found[0] == "figures/worst-case"
    assert "glossary" in found
    assert BOOK.search("zoo doves")[0].page.name == "figures/zoo"
    assert BOOK.search("") == ()
    assert BOOK.search("nowhere-to-be-found") == ()


def test_accents_do_not_matter_in_a_search():
    assert "glossary" in [one.page.name for one in BOOK.search("Brummer")]


def test_html_in_a_page_is_shown_as_typed():
    assert "<script>" not in html_of("<script>alert(1)</script>", {})
