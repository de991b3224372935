"""Whoever closes the window has closed the program, whatever it was doing."""

import re

import pytest

from tests.faults import closing


@pytest.mark.parametrize("occupation", ["report", "intervals", "export"])
def test_the_process_has_gone_soon_after_its_window(
    occupation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = closing.main(1, 1, occupation)
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert re.search(r"^1 of 1 ended within 5 s$", printed, re.MULTILINE)
