"""What a reader copies out of README and manual runs as it stands, in an empty folder with their files."""

import ast
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

import zebra_resources
from tests.core.words_case import written
from zebra_gui.cli import main
from zebra_gui.manual.book import in_short

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted(zebra_resources.path("manual/en").rglob("*.md"))]
MOST_WORDS = 950
ZEBRA = str(Path(sys.executable).with_name("zebra"))


def blocks(page: Path) -> list[str]:
    tokens = MarkdownIt().parse(in_short(page.read_text(encoding="utf-8")))
    return [token.content for token in tokens if token.type in ("code_block", "fence")]


def program(page: Path) -> str:
    """All of its Python, from above to below, but for examples with a prompt, which are run as such."""
    found = []
    for block in blocks(page):
        try:
            ast.parse(block)
        except SyntaxError:
            continue
        found += [block] if "zebra_core." in block else []
    return "\n".join(found)


def commands(page: Path) -> list[str]:
    lines = [line for block in blocks(page) for line in block.replace("\\\n", " ").splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("zebra ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a page supposes: transcripts, scores, their key and who speaks, a challenge, and requirements."""
    written(tmp_path / "mine")
    lines = [line.split() for line in (tmp_path / "mine/trials").read_text().splitlines()]
    scored = [f"{a} {b} {2 * (kind == 'target') + n % 17 / 9}\n" for n, (a, b, kind) in enumerate(lines)]
    (tmp_path / "mine/scores").write_text("".join(scored))
    shutil.copytree(zebra_resources.path("demo"), tmp_path / "mine/FOLDER")
    shutil.copy(zebra_resources.path("examples/requirements.toml"), tmp_path / "mine")
    return tmp_path / "mine"


@pytest.mark.parametrize("page", [page for page in PAGES if program(page)], ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_from_above_to_below(page: Path, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program(page)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_commands_of_the_readme_run_one_after_the_other(folder: Path) -> None:
    ends = {}
    for line in commands(ROOT / "README.md"):
        words = [ZEBRA, *shlex.split(line)[1:]]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
        ends[line] = done.stderr if done.returncode not in (0, 5, 6) else done.returncode
    assert len(ends) > 5
    required = [line for line in ends if "--require" in line]
    assert [ends.pop(line) in (0, 5, 6) for line in required] == [True]
    assert {line: end for line, end in ends.items() if end != 0} == {}


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.stem)
def test_every_command_of_a_page_is_understood(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every option that it needs, and none that it has not; what takes long is not run."""
    monkeypatch.chdir(folder)
    for line in commands(page):
        words = shlex.split(line)[1:]
        if words and words[0] in main.commands:
            with click.Context(main, info_name="zebra") as context:
                main.commands[words[0]].make_context(words[0], words[1:], context)


def test_the_readme_can_be_read_in_four_minutes() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_the_readme_claims_nothing_that_it_contradicts() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "--transcripts" in text
    assert "It looks at the words only where you give transcripts" in text
    assert "does not look at the words" not in text
