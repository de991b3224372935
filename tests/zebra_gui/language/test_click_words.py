"""Click's own words are in the language of the program, and none that a user may meet lacks."""

import ast
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from zebra_core.wording.texts import in_english, speaking, texts_of
from zebra_gui.cli import main
from zebra_gui.language.click_words import _SPEAK

OF_PROGRAMMERS = (
    "DeprecationWarning", "Value must be an iterable", "Could not determine name", "No options defined",
    "Arguments take exactly one", "Name '{name}' defined twice", "Boolean option", "Unknown color",
    "Choice({choices})", "does not match the format",
)  # fmt: skip
"""What only somebody reads who makes a mistake in click's use."""
OF_NO_COMMAND_HERE = (
    "Do you want to continue?", "Confirm the action", "%(prog)s", "Show the version",
    "Invalid start character", "Press any key", "valid UUID",
)  # fmt: skip


def said_by_click():
    for module in _SPEAK:
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
                words = node.args[: 1 if node.func.id == "_" else 2]
                yield from (word.value for word in words if isinstance(word, ast.Constant))


def test_every_word_of_click_that_a_user_may_meet_can_be_translated():
    asked_for_by_a_variable = {"required"}
    known = {in_english(f"click.{name}") for name in texts_of("click")} - asked_for_by_a_variable
    met = {
        text
        for text in said_by_click()
        if not any(one in text for one in OF_PROGRAMMERS + OF_NO_COMMAND_HERE)
    }
    assert met == known


@pytest.mark.parametrize(
    ("code", "typed", "said"),
    [
        ("de", ["protect", "."], "[OPTIONS] IN\nHilfe gibt „zebra protect --help“.\n\nFehler: Es"),
        ("de", ["assess"], "Aufruf: zebra assess [OPTIONS]\nHilfe gibt „zebra assess --help“."),
        ("fr", ["assess", "--nothing"], "Erreur\u202f: Il n’y a pas d’option '--nothing'."),
        ("es", ["utility", "--question", "a"], "Valor no válido para '--question': 'a' no está entre 'simi"),
        ("fr", ["desktop"], "Erreur\u202f: Donnez soit --install, soit --remove."),
        ("de", ["listen", "--open", "a", "--new", "b"], "eines von --new, --open und --evaluate an."),
        ("en", ["assess"], "Usage: zebra assess [OPTIONS]\nTry 'zebra assess --help' for help."),
    ],
)  # fmt: skip
def test_an_error_of_usage_is_said_in_the_language(code, typed, said):
    with speaking(code):
        done = CliRunner().invoke(main, typed, prog_name="zebra")
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(("count", "said"), [(1, "Sobra un argumento (a)"), (2, "Sobran argumentos (a b)")])
def test_forms_for_numbers(count, said):
    with speaking("es"), pytest.raises(click.UsageError) as error:
        click.Command("none").parse_args(click.Context(click.Command("none")), ["a", "b"][:count])
    assert error.value.message == said


@pytest.mark.parametrize(
    ("code", "heading"), [("de", "Optionen:"), ("fr", "Options\u202f:"), ("en", "Options:")]
)
def test_a_heading_of_help_has_the_colon_of_the_language(code, heading):
    with speaking(code):
        done = CliRunner().invoke(main, ["languages", "--help"], prog_name="zebra")
    assert heading in done.output.splitlines()
