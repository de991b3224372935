"""Whoever kills the program while it keeps changes aside loses none that were kept, file or no file."""

import re

from tests.faults.programs import run


def test_what_was_kept_aside_is_there_whenever_the_program_is_killed() -> None:
    ended = run("kill_while_autosaving", 8)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    told = (
        r"8 kills while autosaving, (\d+) of them with changes to recover, \d+ half-written: nothing lost\n"
    )
    found = re.fullmatch(told, ended.stdout)
    assert found
    assert int(found[1]) >= 4  # all those without a file
