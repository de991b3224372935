"""What programmers read: help on every public name, the pages made of it, and notebooks that still do."""

import dataclasses
import inspect
import re

import manual_api
import manual_typst
import notebooks
import pytest

import zebra_core
import zebra_resources
from zebra_gui.manual.window import anchor, headings

PUBLIC = [name for name in zebra_core.__all__ if name != "__version__"]
PAGES = {page.name: page for page in manual_api.programmers_pages()}
_PARAMETERS = re.compile(r"`(?P<name>\w+)`")


def named(what):
    """What the help of a public name names in its text."""
    return set(_PARAMETERS.findall(inspect.getdoc(what)))


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isfunction(getattr(zebra_core, name))])
def test_help_says_what_every_argument_is(name):
    function = getattr(zebra_core, name)
    assert set(inspect.signature(function).parameters) - named(function) == set()


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if dataclasses.is_dataclass(getattr(zebra_core, name))]
)
def test_help_says_what_every_field_is(name):
    of = getattr(zebra_core, name)
    assert {field.name for field in dataclasses.fields(of)} - named(of) == set()


def test_every_public_name_stands_on_the_page_once():
    told = [name for names in manual_api.GROUPS.values() for name in names]
    assert sorted(told) == sorted(PUBLIC)
    assert {anchor(name) for name in told} <= set(headings(PAGES["python/package"].text))


def test_the_page_says_how_a_function_is_called_and_what_an_object_has():
    text = PAGES["python/package"].text
    assert "    assess(\n        trials: Trials | CountedTrials," in text
    assert "        on_progress: Progress = no_progress,\n    ) -> Assessment" in text
    assert (
        "- `calibration_loss_bits`: What Cllr loses by calibration alone: Cllr − min Cllr, at least 0."
        in text
    )
    assert "- `n_target: int`, `n_nontarget: int`: How many trials there are of each class.\n" in text
    assert "- `ceiling_log10_lr: float`: what so many pools can show" in text
    assert "- `d_ece_bits: float`\n" in text  # a comment further down is not about it
    assert text.count("- `mutual: bool`") == 1  # told among attributes, and not again
    assert "*Raises*\n\n- `InputError`: Where the assessment is of other trials, or " in text
    assert "----" not in text
    assert " at 0x" not in text


def test_examples_have_room_on_the_page():
    lines = PAGES["python/package"].text.splitlines()
    assert [line for line in lines if line.startswith("    ") and len(line) > 4 + manual_api._WIDTH] == []


def test_how_to_add_is_that_of_contributing():
    assert headings(PAGES["python/how-to-add"].text) == (
        *("how-to-add", "a-metric", "a-study-of-an-assessment", "a-reader", "a-pane", "a-language"),
    )
    steps = PAGES["python/how-to-add"].text.split("\n## A reader\n\n")[1].split("\n\n")[0]
    assert [step[:3] for step in steps.splitlines()] == ["1. ", "2. ", "3. ", "4. "]


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_can_be_set(name):
    page = PAGES[name]
    assert page.text.startswith(f"# {page.title}\n")
    assert "".join(manual_typst._Setter(page, set(PAGES), {}, "en").set())


@pytest.mark.parametrize("name", notebooks.NAMES)
def test_a_notebook_shows_what_its_cells_make(name):
    found = notebooks.notebook(name)
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    for cell, output in notebooks.run(found):
        assert output == notebooks.shown(cell), notebooks.source(cell)


def test_every_notebook_is_told_of():
    there = {path.stem for path in zebra_resources.path("manual/notebooks").iterdir()}
    assert there == set(notebooks.NAMES)
