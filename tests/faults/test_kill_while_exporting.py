"""Whoever kills the program while it exports finds whole files: the old or the new ones."""

from tests.faults.programs import run


def test_a_figure_is_old_or_new_whenever_the_program_is_killed() -> None:
    ended = run("kill_while_exporting", 8, 1, "figure")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout == "8 kills while exporting, 0 of them between two files: nothing lost\n"
