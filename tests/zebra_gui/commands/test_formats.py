"""`zebra assess` on files in every format: the same figures, or exactly what to type."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from zebra_core.project import demo
from zebra_gui.cli import main

SCORES = str(demo.FILES[2].path)
KEY = str(zebra_resources.path(demo.KEY))


def zebra(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def figures(*arguments: str) -> tuple[float, float, str]:
    done = zebra("assess", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["n_target"], found["n_nontarget"]) == (4, 4)
    return found["d_ece_bits"], found["worst_case_log10_lr"], found["tag"]


MUSEUM = Path(__file__).parents[2] / "data" / "intake"

ALONE = [
    "combined-wespeaker",
    "combined-label-then-score",
    "combined-label-first",
    "two-columns-score-word",
    "two-columns-word-score",
    "two-columns-score-01",
    "two-columns-pm1-score",
    "bob-4-columns",
    "bob-4-columns-without-segments",
    "bob-5-columns",
    "bob.csv",
    "table.csv",
    "table-quoted.csv",
    "table-semicolon-decimal-comma.csv",
    "table-other-order.csv",
    "asvspoof-2019-asv-scores",
    "scores-and-labels-2d.npy",
    "scores-and-labels.npz",
    "two-classes.npz",
    "all-columns.npz",
    "scores-and-key.zip",
    "scores-and-key.tar",
    "scores-and-key.tar.gz",
    "names-that-lead-out.zip",
]

WITH_KEY = [
    *(path.name for path in sorted(MUSEUM.glob("kaldi-scores*"))),
    "gz-with-the-name-of-text.txt",
    "text-with-the-name-of-gz.gz",
    "scores-no-header.csv",
    "scores-unknown-header.csv",
    "nist-scores.tsv",
    "nist-four-columns-no-header",
]

KEYS = ["kaldi-key", "key-with-01", "key-in-capitals", "key-with-tgt-imp", "nist-key.tsv"]


@pytest.fixture(scope="module")
def expected() -> tuple[float, float, str]:
    return figures("-s", str(MUSEUM / "kaldi-scores"), "-k", str(MUSEUM / "kaldi-key"))


@pytest.mark.parametrize("name", ALONE)
def test_labels_inside_need_no_key(name: str, expected: tuple[float, float, str]) -> None:
    assert figures("-s", str(MUSEUM / name)) == expected


@pytest.mark.parametrize("name", WITH_KEY)
def test_scores_in_every_format_are_read(name: str, expected: tuple[float, float, str]) -> None:
    assert figures("-s", str(MUSEUM / name), "-k", str(MUSEUM / "kaldi-key")) == expected


@pytest.mark.parametrize("name", KEYS)
def test_keys_in_every_format_are_read(name: str, expected: tuple[float, float, str]) -> None:
    assert figures("-s", str(MUSEUM / "kaldi-scores"), "-k", str(MUSEUM / name)) == expected


@pytest.mark.parametrize(
    ("scores", "key", "way"),
    [
        ("voxceleb-scores", "voxceleb-key", ""),
        ("asvspoof-2021-asv-scores", "asvspoof-2021-metadata", ""),
        ("asvspoof-2021-asv-scores", "asvspoof-2019-trials", ""),
        ("kaldi-scores", "key-unknown-words", "key-unknown-words=kaldi-key:gleich"),
        ("scores.npy", "labels.npy", "scores.npy=npy-scores"),
    ],
)
def test_scores_and_keys_of_one_family_are_read(
    scores: str, key: str, way: str, expected: tuple[float, float, str]
) -> None:
    ways = ["--read", way] if way else []
    assert figures("-s", str(MUSEUM / scores), "-k", str(MUSEUM / key), *ways) == expected


@pytest.mark.parametrize("name", [path.name for path in sorted(MUSEUM.glob("matrix*"))])
def test_matrices_are_read(name: str) -> None:
    arguments = ["assess", "-s", str(MUSEUM / name), "--json"]
    assert "--speakers" in zebra(*arguments).stderr
    found = json.loads(zebra(*arguments, "--speakers", "whole-id").stdout)
    assert (found["n_target"], found["n_nontarget"]) == (3, 6)


@pytest.mark.parametrize("name", ["bosaris", "pybosaris", "dca-plda", "sidekit"])
def test_hdf5_is_read(name: str, expected: tuple[float, float, str]) -> None:
    key = MUSEUM / f"{name.replace('sidekit', 'bosaris')}-key.h5"
    assert figures("-s", str(MUSEUM / f"{name}-scores.h5"), "-k", str(key)) == expected


def test_an_ambiguous_file_says_exactly_what_to_type(expected: tuple[float, float, str]) -> None:
    arguments = ["-s", str(MUSEUM / "two-columns-unknown-words")]
    refused = zebra("assess", *arguments)
    assert refused.exit_code == 1
    [_, flag, *_] = re.findall(r"--read \S+[^\s.]", refused.stderr)[::-1]
    assert flag == "--read two-columns-unknown-words=two-columns-score-first:gleich"

    assert figures(*arguments, *flag.split()) == expected


def test_two_lists_of_scores_are_told_apart_by_read(expected: tuple[float, float, str]) -> None:
    arguments = ["-s", str(MUSEUM / "target-scores.txt"), "-k", str(MUSEUM / "nontarget-scores.txt")]
    ways = ["--read", "target-scores.txt=target-scores", "--read", "nontarget-scores.txt=nontarget-scores"]
    assert figures(*arguments, *ways) == expected


def test_what_is_a_matter_of_judgement_must_be_allowed(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_text("\n".join(Path(SCORES).read_text().splitlines()[:-7]) + "\n")
    refused = zebra("assess", "-s", str(short), "-k", KEY)
    assert refused.exit_code == 1
    assert "(--allow key-lines-without-score)" in refused.stderr

    allowed = zebra("assess", "-s", str(short), "-k", KEY, "--allow", "key-lines-without-score")
    assert allowed.exit_code == 0
    assert "7 trials of trials have no score in short and were left out, as you decided." in allowed.stderr
