"""What is kept: each case is a function that runs the program as a user would, and leaves files and words."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.golden.comparing import EXACT
from tests.golden.running import CHECKOUT, Case, zebra

DATA = CHECKOUT / "tests" / "data"
RESOURCES = CHECKOUT / "resources" / "zebra_resources"
DATE = "2021-05-03"


@dataclass(frozen=True)
class Recipe:
    """How a case is made, and how exactly it is made again."""

    make: Callable[[Case], None]
    tolerance: float = EXACT
    leaves_out: tuple[str, ...] = ("evidence.schema.json",)  # files that another case has


def demo(case: Case) -> None:
    """The demo's report set, and what verifying it says."""
    shutil.copytree(RESOURCES / "demo", case.folder / "in")
    case.zebra("demo", "demo", "--out", "out")
    case.zebra("verify", "verify", "out/report.pdf", "--data", "in", "--json")


def museum(case: Case) -> None:
    """Every file of the museum: alone, as scores with a good key, as a key of good scores."""
    shutil.copytree(DATA / "intake", case.folder / "in")
    files = sorted(path for path in Path("in").rglob("*") if path.is_file())
    ends = []
    for file in files:
        if "layouts" in file.parts or file.name == "README.md":
            continue
        alone = zebra("assess", "-s", str(file), "--json").in_short()
        as_scores = zebra("assess", "-s", str(file), "-k", "in/kaldi-key", "--json").in_short()
        as_key = zebra("assess", "-s", "in/kaldi-scores", "-k", str(file), "--json").in_short()
        ends.append({"file": str(file), "alone": alone, "as scores": as_scores, "as key": as_key})
    case.say("museum", ends)
    for layout in sorted(path.name for path in Path("in/layouts").iterdir() if path.is_dir()):
        case.zebra(f"layout-{layout}", "compare", f"in/layouts/{layout}", "--json")


def help_(case: Case) -> None:
    """What every command says of itself."""
    _help(case)


def help_de(case: Case) -> None:
    """The same in German."""
    _help(case, "--language", "de")


def _help(case: Case, *language: str) -> None:
    said = case.zebra("zebra", *language, "--help").printed
    *_, commands = said.split(":\n")
    for line in commands.splitlines():
        if line[:2] == "  " and line[2] != " ":
            command = line.split()[0]
            case.zebra(command, *language, command, "--help")


def reference(case: Case) -> None:
    """Real scores of five speakers: one assessment in all ways in which it is told."""
    shutil.copytree(DATA / "reference", case.folder / "in")
    speakers = DATA / "similarity" / "other_f" / "utt2spk"
    shutil.copy(speakers, "in/utt2spk")
    key = "in/data/other_test_trials_f/trials"
    scores = "in/exp/B2/ASV-other_test_enrolls-other_test_trials_f_anon/scores"
    both = ("-s", scores, "-k", key)
    case.zebra("assess", "assess", *both, "-l", "B2")
    case.zebra("assess-json", "assess", *both, "-l", "B2", "--json")
    case.zebra("assess-bootstrap", "assess", *both, "--bootstrap", "50", "--seed", "3", "--json")
    case.zebra(
        "assess-pictures", "assess", *both, "-l", "B2", "-e", "tex", "-e", "svg", "-e", "pdf", "-o", "out"
    )


CASES: dict[str, Recipe] = {
    "demo": Recipe(demo, leaves_out=()),
    "help": Recipe(help_),
    "help-de": Recipe(help_de),
    "museum": Recipe(museum),
    "reference": Recipe(reference),
}
