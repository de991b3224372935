"""The user's Markdown: a small part of it is markup, the rest stays as typed."""

import pytest

from tests.core.samples import HOSTILE
from zebra_core.report.document import Bullets, Paragraph, Run, prose


def test_paragraphs_emphasis_lists_and_links() -> None:
    found = prose("One *two* **three**\nfour `five`.\n\n1. a\n2. [b](https://example.org/x)\n\n- c")
    assert found == (
        Paragraph(
            (
                Run("One "),
                Run("two", italic=True),
                Run(" "),
                Run("three", bold=True),
                Run(" four "),
                Run("five", mono=True),
                Run("."),
            )
        ),
        Bullets(((Run("a"),), (Run("b (https://example.org/x)"),)), numbered=True),
        Bullets(((Run("c"),),)),
    )


def test_nested_lists_become_flat() -> None:
    assert prose("- a\n    - b\n- c") == (Bullets(((Run("a"),), (Run("b"),), (Run("c"),))),)


@pytest.mark.parametrize(
    "typed",
    [
        "<img src=x onerror=y>",
        "<script>x</script>",
        "# no heading",
        "| a | b |",
        "![a](b)",
        "&lt;",
        "http://a.b",
        "> q",
    ],
)
def test_everything_else_stays_as_typed(typed: str) -> None:
    (found,) = prose(typed)
    shown = "".join(run.text for run in found.runs)
    assert shown == typed if typed[0] != "!" else "a (b)" in shown


@pytest.mark.parametrize("typed", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_invisible_is_left(typed: str) -> None:
    for block in prose(typed):
        for runs in block.items if isinstance(block, Bullets) else (block.runs,):
            assert all(character.isprintable() for run in runs for character in run.text)


def test_nothing_is_nothing() -> None:
    assert prose("") == prose(" \n\n ") == ()


def test_deep_nesting_does_no_harm() -> None:
    assert prose("- " * 500 + "x")
    assert prose("*" * 5000 + "x")
