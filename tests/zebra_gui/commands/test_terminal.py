"""What a terminal shows while a command runs."""

import io
import sys

import pytest

from zebra_gui.commands.terminal import progress_bar


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
