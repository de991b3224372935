"""What a reader copies out of README and manual runs as it stands, in an empty folder with their files."""

import ast
import doctest
import json
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
NOTEBOOKS = sorted(zebra_resources.path("manual/notebooks").iterdir())
MOST_WORDS = 950
ZEBRA = str(Path(sys.executable).with_name("zebra"))
PAPER = """
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

import zebra_core
from zebra_core.types import Interval


def trials_of(name: str) -> zebra_core.Trials:
    table = pd.read_csv(f"scores-{name}", sep=" ", names=["enrol", "test", "llr"])
    llr: NDArray[np.float64] = table["llr"].to_numpy()
    same = table["enrol"] == table["test"].str.split("-").str[0]
    return zebra_core.Trials.from_arrays(
        score=llr, is_target=same.to_numpy(), enrol=list(table["enrol"]), test=list(table["test"])
    )


def written(of: Mapping[str, zebra_core.Trials], unprotected: zebra_core.Trials, to: Path) -> pd.DataFrame:
    found = zebra_core.compare(of, unprotected=unprotected, condition="PP", attacker="informed")
    figure = Figure(figsize=(3.4, 2.6))
    found.plot("ECE", ax=figure.add_subplot())
    figure.savefig(to / "ece.pdf")
    (to / "table.tex").write_text(found.to_latex(), encoding="utf-8")
    (to / "sources.bib").write_text(zebra_core.bibtex(), encoding="utf-8")
    return found.to_frame()


def intervals(trials: zebra_core.Trials) -> Interval | None:
    sure = zebra_core.bootstrap(trials, zebra_core.assess(trials), zebra_core.BootstrapSettings(20))
    return sure.interval("d_ece_bits")


trials = {name: trials_of(name) for name in ("B1", "B2")}
frame = written(trials, trials_of("original"), Path())
print(frame["d_ece_bits"].to_numpy().max() - zebra_core.eer([1, 1, 0], [2.0, 0.5, 0.1]))
print({name: intervals(each) for name, each in trials.items()})
"""
"""As somebody would write for a paper who types what they write."""


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


def cells(notebook: Path) -> str:
    found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in found if cell["cell_type"] == "code")


def commands(page: Path) -> list[str]:
    lines = [line for block in blocks(page) for line in block.replace("\\\n", " ").splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("zebra ")]


def typed(page: Path) -> str:
    """All that mypy can read in it: its blocks, and after them its examples with a prompt."""
    examples = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))
    return "\n".join([program(page), *(example.source for example in examples)])


def _is_of_few(words: list[str]) -> bool:
    return all(word < "3" for word in words[: max(1, len(words) - 1)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a page supposes: transcripts, scores, their key and who speaks, a challenge, and requirements."""
    written(tmp_path / "mine")
    lines = [line.split() for line in (tmp_path / "mine/trials").read_text().splitlines()]
    scored = [f"{a} {b} {2 * (kind == 'target') + n % 17 / 9}\n" for n, (a, b, kind) in enumerate(lines)]
    for name in ("scores", "scores-original", "scores-B1", "scores-B2"):
        (tmp_path / "mine" / name).write_text("".join(scored))
    demo = zebra_resources.path("demo")
    for path in [*demo.glob("exp/*/*/scores"), *demo.glob("data/*/*")]:
        if path.parts[-3] not in ("B1w", "B2r"):  # the others, and a third of the people, take less time
            (tmp_path / "mine/FOLDER" / path.relative_to(demo)).parent.mkdir(parents=True, exist_ok=True)
            few = [line for line in path.read_text().splitlines(keepends=True) if _is_of_few(line.split())]
            (tmp_path / "mine/FOLDER" / path.relative_to(demo)).write_text("".join(few))
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


def test_a_script_for_a_paper_runs(folder: Path) -> None:
    words = [sys.executable, "-W", "error", "-c", PAPER]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in folder.iterdir()} > {"ece.pdf", "table.tex", "sources.bib"}


def test_mypy_has_nothing_against_what_readers_copy(tmp_path: Path) -> None:
    """In one run, with a cache of its own: `make check` writes the other meanwhile."""
    scripts = {page.stem.replace("-", "_"): typed(page) for page in PAGES}
    scripts |= {f"{path.stem.replace('-', '_')}_notebook": cells(path) for path in NOTEBOOKS} | {
        "paper": PAPER
    }
    scripts = {name: script for name, script in scripts.items() if script.strip()}
    assert {"README", "from_python", "folder_notebook"} < scripts.keys()
    for name, script in scripts.items():
        (tmp_path / f"{name}.py").write_text(script, encoding="utf-8")
    words = ["--strict", "--cache-dir", str(ROOT / ".cache/mypy-pages"), *map(str, tmp_path.iterdir())]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


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
    said = {}
    for line in commands(page):
        name, *words = shlex.split(line)[1:] or [""]
        try:
            with click.Context(main, info_name="zebra") as context:
                said[line] = main.commands[name].make_context(name, words, context).info_name
        except (KeyError, click.ClickException) as error:
            said[line] = str(error)
    assert said == {line: shlex.split(line)[1] for line in commands(page)}


def test_the_readme_can_be_read_in_four_minutes() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_the_readme_claims_nothing_that_it_contradicts() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "--transcripts" in text
    assert "It looks at the words only where you give transcripts" in text
    assert "does not look at the words" not in text
