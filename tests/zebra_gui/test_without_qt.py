"""Without Qt every command works, and whoever wants the window is told in one sentence how to get it."""

import json
import os
import subprocess
import sys

import pytest

import zebra_resources
from zebra_core.errors import InputError
from zebra_gui.commands import libraries, showing

# As where the extra `gui` is not installed.
BARE = """
import json, sys
sys.modules.update(dict.fromkeys(["PySide6", "shiboken6", "pyqtgraph"]))
from zebra_gui.cli import main
"""
ALL = f"""{BARE}
import importlib, pkgutil, zebra_gui.commands
for module in pkgutil.iter_modules(zebra_gui.commands.__path__):
    importlib.import_module(f"zebra_gui.commands.{{module.name}}")
from click.testing import CliRunner
for arguments in json.loads(sys.argv[1]):
    done = CliRunner().invoke(main, arguments)
    if done.exit_code or not done.output:
        sys.exit(f"{{arguments}}: {{done.output}} {{done.exception}}")
"""
NO_WINDOW = (
    "zebra: error: Only the command line is installed here, not the window. To install it: pip install "
    '"zebra-privacy[gui]"\n'
)


PROGRAM = "from zebra_gui.cli import main; main()"
NOBODY = ":99123"  # no server has so high a number


def zebra(*arguments, cwd, program=f"{BARE}main()", screens=None):
    screens = {"DISPLAY": ":0"} if screens is None else screens
    unset = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {**screens, "HOME": str(cwd)}
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True, text=True, check=False, cwd=cwd, env=environment,
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [[], ["scores", "trials"], ["demo"]], ids=["alone", "files", "demo"])
def test_the_window_is_missed_in_one_sentence(arguments, tmp_path):
    for name in ("scores", "trials"):
        (tmp_path / name).touch()
    done = zebra(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", NO_WINDOW)


def test_a_word_that_is_no_file_is_a_wrong_command_and_a_missing_file_is_not(tmp_path):
    assert zebra("scores", "trials", cwd=tmp_path).returncode == 2
    done = zebra("scores.txt", "trials.txt", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", NO_WINDOW)


def test_commands_work_without_qt(tmp_path):
    scores, key = tmp_path / "scores", tmp_path / "trials"
    scores.write_text("a b 2.0\na c -1.0\nd e 1.5\nd f 0.5\n", encoding="utf-8")
    key.write_text("a b target\na c nontarget\nd e target\nd f nontarget\n", encoding="utf-8")
    pair = ["-s", "scores", "-k", "trials"]
    (tmp_path / "one").mkdir()
    for file in (scores, key):
        (tmp_path / "one" / file.name).write_bytes(file.read_bytes())
    segments = "\n".join(
        f"{a}{i} {b}{j} {i + j}.5" for a in "xy" for b in "xy" for i in (1, 2) for j in (1, 2)
    )
    (tmp_path / "oo").write_text(segments + "\n", encoding="utf-8")
    (tmp_path / "utt2spk").write_text("x1 x\nx2 x\ny1 y\ny2 y\n", encoding="utf-8")
    commands = (
        ["assess", *pair, "-e", "png", "-e", "tex"],
        ["similarity", "--oo", "oo", "--utt2spk", "utt2spk"],
        ["compare", "one", "-o", "compared"],
        ["--version"],
    )
    done = zebra(json.dumps(commands), cwd=tmp_path, program=ALL)
    assert (done.returncode, done.stderr) == (0, "")


def test_system_libraries_that_qt_needs_are_named_before_qt_ends_the_program(monkeypatch):
    monkeypatch.setattr(libraries, "is_installed", lambda name: "cursor.so" not in name)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    with pytest.raises(InputError) as caught:
        showing.open_window()
    assert str(caught.value) == (
        "The window needs system libraries that are missing here. An administrator can install them: "
        "apt-get install libwayland-cursor0 libxcb-cursor0"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt always has a screen")
@pytest.mark.parametrize("names", [("DISPLAY",), ("WAYLAND_DISPLAY",), ("WAYLAND_DISPLAY", "DISPLAY")])
@pytest.mark.parametrize("arguments", [[], ["demo"], ["listen"]], ids=["alone", "demo", "listen"])
def test_a_screen_that_does_not_answer_ends_in_a_sentence(arguments, names, tmp_path):
    screens = dict.fromkeys(names, NOBODY) | {"XDG_RUNTIME_DIR": str(tmp_path)}
    done = zebra(*arguments, cwd=tmp_path, program=PROGRAM, screens=screens)
    named = ", ".join(f"{name}={NOBODY}" for name in names)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"zebra: error: No screen answers at {named}. Start the program on a desktop, or use a command "
        "instead: zebra --help lists them.\n"
    )


def test_without_any_screen_the_program_says_so(tmp_path):
    done = zebra(cwd=tmp_path, program=PROGRAM, screens={})
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        (
            "zebra: error: There is no screen to open a window on. Use a command instead: zebra --help lists "
            "them.\n"
        ),
    )


def test_one_screen_that_answers_is_enough(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("WAYLAND_DISPLAY", "nobody")
    monkeypatch.setattr(libraries, "_wayland_takes", lambda: False)
    monkeypatch.setattr(libraries, "_x_takes", lambda: True)
    assert libraries.silent_screens() == []


def test_a_bundle_asks_for_no_library_of_the_system(monkeypatch):
    monkeypatch.setattr(libraries, "is_installed", lambda _name: False)
    assert len(libraries.missing()) == len(libraries.QT)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert libraries.missing() == []


def test_a_library_that_does_not_exist_does_not_load():
    assert libraries.is_installed("libzebra-nobody-has-this.so.7") is (sys.platform != "linux")


def test_the_sentence_of_the_window_is_that_of_the_texts():
    assert "zebra-privacy[gui]" in zebra_resources.read_text("texts/en.toml")
