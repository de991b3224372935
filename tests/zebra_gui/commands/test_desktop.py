"""The entry in the menu: placed, started with the right command, and taken away without a trace of ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import zebra_resources
from zebra_gui.cli import main
from zebra_gui.commands import desktop

FILES = [
    "applications/zebra.desktop",
    "icons/hicolor/256x256/apps/zebra.png",
    "icons/hicolor/256x256/mimetypes/application-x-zebra-project.png",
    "icons/hicolor/scalable/apps/zebra.svg",
    "icons/hicolor/scalable/mimetypes/application-x-zebra-project.svg",
    "mime/packages/zebra.xml",
]


@pytest.fixture
def share(monkeypatch, tmp_path):
    monkeypatch.setattr(desktop, "_ON_LINUX", True)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(desktop, "program", lambda: tmp_path / "bin" / "zebra")
    monkeypatch.setattr(desktop, "_tell_the_desktop", lambda _folder: None)
    return tmp_path / "share"


def run(*arguments):
    return CliRunner().invoke(main, ["desktop", *arguments])


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_six_files_are_placed_and_named(share):
    done = run("--install")
    assert done.exit_code == 0
    assert files_in(share) == FILES
    assert sorted(done.output.split()) == [str(share / name) for name in FILES]


def test_a_second_installation_replaces_the_first(share):
    run("--install")
    (share / FILES[0]).write_text("old", encoding="utf-8")
    assert run("--install").exit_code == 0
    assert (share / FILES[0]).read_text(encoding="utf-8").startswith("[Desktop Entry]\n")


def test_removing_takes_ours_and_leaves_what_others_placed(share):
    run("--install")
    (share / "applications" / "other.desktop").write_text("", encoding="utf-8")
    assert run("--remove").exit_code == 0
    assert files_in(share) == ["applications/other.desktop"]
    again = run("--remove")
    assert (again.exit_code, again.output) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["--install", "--remove"]], ids=["neither", "both"])
def test_one_of_the_two_is_asked_for(share, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert "Give one of --install and --remove." in done.output
    assert not share.exists()


def test_elsewhere_than_on_linux_nothing_is_written(share, monkeypatch):
    monkeypatch.setattr(desktop, "_ON_LINUX", False)
    done = run("--install")
    assert done.exit_code == 1
    assert done.output.startswith("zebra: error: This command makes menu entries on Linux only;")
    assert not share.exists()


def test_a_relative_data_home_counts_as_none(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", "share")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert desktop.data_home() == tmp_path / ".local" / "share"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/opt/zebra/zebra", 'Exec="/opt/zebra/zebra" %F'),
        ("/home/größe/my programs/zebra", 'Exec="/home/größe/my programs/zebra" %F'),
        ("/a$b/100%/zebra", 'Exec="/a\\\\$b/100%%/zebra" %F'),
        ('/a"b/zebra', 'Exec="/a\\\\"b/zebra" %F'),
    ],
)
def test_the_command_is_quoted_as_the_specification_says(path, line):
    assert line in desktop.entry(Path(path)).splitlines()


def test_the_entry_differs_from_that_of_the_debian_package_in_the_command_alone():
    given, ours = zebra_resources.read_text("desktop/zebra.desktop"), desktop.entry(Path("/x/zebra"))
    differing = [line for line in ours.splitlines() if line not in given.splitlines()]
    assert differing == ['Exec="/x/zebra" %F', "TryExec=/x/zebra", 'Exec="/x/zebra" listen']


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="no desktop-file-validate here")
def test_the_entry_is_valid(tmp_path):
    file = tmp_path / "zebra.desktop"
    file.write_text(desktop.entry(Path("/a b/zebra")), encoding="utf-8")
    assert subprocess.run(["desktop-file-validate", file], check=False).returncode == 0


def test_the_command_is_that_beside_the_interpreter(monkeypatch, tmp_path):
    (tmp_path / "zebra").write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert desktop.program() == tmp_path / "zebra"


def test_the_command_of_a_bundle_is_the_program_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/zebra/zebra")
    assert desktop.program() == Path("/opt/zebra/zebra")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_completion_is_printed_for_each_shell(shell):
    done = CliRunner().invoke(main, [], prog_name="zebra", env={"_ZEBRA_COMPLETE": f"{shell}_source"})
    assert done.exit_code == 0
    assert f"_ZEBRA_COMPLETE={shell}_complete" in done.output


@pytest.mark.skipif(sys.platform != "linux", reason="bash of macOS is too old to complete")
def test_bash_completes_commands_and_leaves_what_is_none_to_files(tmp_path):
    (tmp_path / "zebra").write_text(
        f"#!{sys.executable}\nfrom zebra_gui.cli import main\nmain(prog_name='zebra')\n", encoding="utf-8"
    )
    (tmp_path / "zebra").chmod(0o700)
    typed = """
        compopt() { echo "$@"; }
        eval "$(_ZEBRA_COMPLETE=bash_source ./zebra)"
        for word in s scores; do
            COMPREPLY=() COMP_WORDS=(./zebra $word) COMP_CWORD=1
            _zebra_completion ./zebra
            echo "$word: ${COMPREPLY[@]}"
        done
    """
    done = subprocess.run(
        ["bash", "-c", typed], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(zebra_resources.__file__).parents[1])},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "-o default",
        "s: similarity score sign selftest",
        "-o default",
        "scores: ",
    ]
    assert done.stderr == ""
