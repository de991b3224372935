"""What a terminal shows while a command runs."""

import io
import json
import sys

import click
import pytest

from zebra_gui.commands.terminal import echo_json, progress_bar


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_name_is_no_markup_in_the_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("assessing [red]a :smile: [link=http://x]b[/] {task.id}") as progress:
        progress(0.5)
    assert "assessing [red]a :smile: [link=http://x]b[/] {task.id}" in screen.getvalue()


def test_json_has_nothing_in_it_that_a_terminal_obeys_or_nobody_sees(capsys):
    """Control characters, marks that turn the reading direction, and half a pair; our blanks stay."""
    obeyed = "\x1b\x7f\x9b\u202e\u2066\u200b\u2028\ufeff\udc9b\U000e0041"
    found = {obeyed: obeyed + "é 語 1\u202f000"}
    for indent in (None, 1):
        with click.Context(click.Command("assess"), info_name="assess"):
            echo_json(found, indent)
        said = capsys.readouterr().out
        assert all(c.isprintable() or c in "\n\u202f" for c in said)
        assert json.loads(said) == {"format": {"name": "zebra-assess", "version": 1}, **found}
        assert "é 語 1\u202f000" in said
