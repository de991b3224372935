"""The command line: what it prints, where, and how it ends."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from zebra_core.installation import selftest
from zebra_core.project import demo
from zebra_gui.cli import main
from zebra_gui.commands.choices import choices_of

SCORES = str(demo.FILES[2].path)
KEY = str(zebra_resources.path(demo.KEY))
JSON_KEYS = [
    "label",
    "n_target",
    "n_nontarget",
    "d_ece_bits",
    "worst_case_log10_lr",
    "worst_case_ceiling_log10_lr",
    "tag",
    "eer",
    "rocch_eer",
    "cllr_bits",
    "min_cllr_bits",
    "linkability",
    "linkability_by_chance",
    "d_ece_unordered_bits",
    "prior_one_in",
    "wrong_target_share",
    "wrong_nontarget_share",
    "reading",
    "reversed",
    "cross_fitted",
    "d_ece_corrected_bits",
    "profile",
    "remarks",
    "attacker",
    "recogniser",
    "back_end",
    "reidentification",
    "inference",
]


def zebra(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_assess_prints_the_three_lines_of_the_reference_toolkit() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "-l", "libri speech, B2")
    assert done.exit_code == 0
    assert done.stdout == "libri speech, B2\nPopulation: 0.205 bit\nIndividual: 2.394 (C)\n"
    assert done.stderr.startswith("zebra: Actual ECE and Cllr judge the scores as if")


def test_the_label_is_zebra_profile_unless_given() -> None:
    assert zebra("assess", "-s", SCORES, "-k", KEY).stdout.startswith("ZEBRA profile\n")


def test_json_is_of_the_prior_that_is_asked_for() -> None:
    found = json.loads(zebra("assess", "-s", SCORES, "-k", KEY, "--json", "--prior", "20").stdout)
    assert found["prior_one_in"] == 20


def test_json_is_one_object_with_unrounded_figures_and_nothing_else() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--json")
    found = json.loads(done.stdout)
    assert list(found) == JSON_KEYS
    assert list(found["profile"]) == ["prior_log_odds", "default_bits", "min_bits", "actual_bits"]
    assert [len(curve) for curve in found["profile"].values()] == [201] * 4
    assert found["d_ece_bits"] == pytest.approx(0.204525236416, abs=1e-10)  # tests/data/reference
    assert found["remarks"] == [
        (
            "Actual ECE and Cllr judge the scores as if they were log-likelihood ratios, "
            "which raw scores need not be."
        ),
        "Inference is not measured: that needs labels of an attribute of the speakers (--attributes).",
    ]


@pytest.fixture
def reversed_scores(tmp_path: Path) -> str:
    """The demo's unprotected scores with their signs changed."""
    lines = demo.FILES[0].path.read_text().splitlines()
    rows = [line.rsplit(" ", 1) for line in lines]
    (tmp_path / "distances").write_text("".join(f"{ids} {-float(score)}\n" for ids, score in rows))
    return str(tmp_path / "distances")


def test_scores_that_run_the_wrong_way_are_told_with_what_they_disclose(reversed_scores: str) -> None:
    done = zebra("assess", "-s", reversed_scores, "-k", KEY, "-l", "distances")
    assert done.exit_code == 0
    assert done.stdout == (
        "distances\nPopulation: 0 bit\nIndividual: 0.003 (A)\nRead the other way round, lower meaning more "
        "alike, these scores disclose 0.678 bit, C (worst case 3.88), rather than 0.\n"
    )
    assert done.stderr.startswith("zebra: Read the other way round, these scores disclose 0.678 bit, C")
    found = json.loads(zebra("assess", "-s", reversed_scores, "-k", KEY, "--json").stdout)
    assert found["reading"] == "reversed"
    assert found["reversed"]["d_ece_bits"] == pytest.approx(0.67816, abs=1e-5)
    assert found["reversed"]["tag"] == "C"
    assert found["d_ece_unordered_bits"] == pytest.approx(0.636, abs=0.01)
    assert found["cross_fitted"]["is_by_speaker"] is True


def test_a_decision_turns_them_round(reversed_scores: str) -> None:
    done = zebra("assess", "-s", reversed_scores, "-k", KEY, "-l", "distances", "--allow", "reversed")
    assert done.stdout == "distances\nPopulation: 0.678 bit\nIndividual: 3.879 (C)\n"
    assert "lower meaning more alike, as you decided" in done.stderr
    assert "Read the other way round" not in done.stderr


def test_what_is_undefined_is_null(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b 1\na c 0\n")
    (tmp_path / "k").write_text("a b target\na c nontarget\n")
    found = json.loads(zebra("assess", "-s", f"{tmp_path}/s", "-k", f"{tmp_path}/k", "--json").stdout)
    assert found["linkability"] is None
    assert found["d_ece_bits"] == pytest.approx(0.7213475204444817)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["assess", "-s", "nowhere", "-k", KEY], 1, "zebra: nowhere was not found"),
        (
            ["assess", "-s", KEY, "-k", KEY],
            1,
            "zebra: trials was given as the scores, but is a key. Give the score file.",
        ),
        (
            ["assess", "-s", SCORES],
            1,
            "zebra: scores does not say which trials are target. Give its key too (-k).",
        ),
        (["assess", "-k", KEY], 2, "Missing option '-s'"),
        (["assess", "-s", SCORES, "--allow", "everything"], 2, "'lower-is-more-alike'"),
        (["assess", "-s", SCORES, "--read", "scores"], 2, "scores is not of the form FILE=WAY."),
        (["assess", "-s", SCORES, "-k", KEY, "-e", "doc"], 2, "Invalid value for '-e'"),
        (["assess", "-s", SCORES, "-k", KEY, "--prior", "1"], 2, "Invalid value for '--prior'"),
        (["assess", "--no-such-option"], 2, "No such option"),
    ],
)
def test_wrong_input_ends_in_one_sentence_and_its_status(
    arguments: list[str], status: int, sentence: str
) -> None:
    done = zebra(*arguments)
    assert done.exit_code == status
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("png", ["ZEBRA-B2.png"]),
        ("pdf", ["ZEBRA-B2.pdf"]),
        ("svg", ["ZEBRA-B2.svg"]),
        ("tex", ["ZEBRA-B2-standalone.tex", "ZEBRA-B2.tex"]),
    ],
)
def test_e_saves_the_plot_under_the_name_of_the_reference_toolkit(
    tmp_path: Path, kind: str, names: list[str]
) -> None:
    arguments = ["assess", "-s", SCORES, "-k", KEY, "-l", "B2", "-e", kind, "-o", str(tmp_path)]
    assert zebra(*arguments).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    there = tmp_path / "ZEBRA-B2.png"
    there.write_bytes(b"mine")
    arguments = ["assess", "-s", SCORES, "-k", KEY, "-l", "B2", "-e", "png", "-o", str(tmp_path)]
    refused = zebra(*arguments)
    assert refused.exit_code == 1
    assert "ZEBRA-B2.png" in refused.stderr
    assert there.read_bytes() == b"mine"
    assert zebra(*arguments, "--overwrite").exit_code == 0
    assert there.read_bytes().startswith(b"\x89PNG")


def test_the_demo_without_a_screen_writes_its_report_set(tmp_path: Path) -> None:
    done = zebra("demo", "--out", str(tmp_path / "demo-report"))
    assert done.exit_code == 0
    assert "B2 OP\nPopulation: 0.205 bit\nIndividual: 2.394 (C)\n" in done.stdout
    assert "unprotected OO\nPopulation: 0.678 bit\nIndividual: 3.879 (C)\n" in done.stdout
    folder = tmp_path / "demo-report"
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert {
        "report.pdf",
        "tex/report.tex",
        "results.csv",
        "results.md",
        "results.tex",
        "evidence.json",
    } <= written
    assert any(name.endswith(".png") for name in written)


def test_a_window_without_a_screen_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    done = zebra(SCORES, KEY)
    assert done.exit_code == 1
    assert done.stderr == (
        "zebra: There is no screen to open a window on. Use a command instead: zebra --help lists them.\n"
    )


def test_help_does_not_wait_for_numpy_or_qt() -> None:
    probe = (
        "import sys; from zebra_gui.cli import main; main(['--help'], standalone_mode=False);"
        "slow = 'numpy', 'pandas', 'PySide6', 'matplotlib', 'importlib.metadata';"
        "sys.exit(any(name in sys.modules for name in slow))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert "How much does protected speech still give away" in done.stdout


def test_a_reader_that_closes_early_gets_no_traceback() -> None:
    command = [
        sys.executable,
        "-c",
        "from zebra_gui.cli import main; main()",
        "assess",
        "-s",
        SCORES,
        "-k",
        KEY,
    ]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*command, "--json"], stdout=writing, stderr=subprocess.PIPE, check=False, text=True
    )
    os.close(writing)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["assess", "-s", SCORES, "-k", KEY], ["assess", "-s", SCORES, "-k", KEY, "--json"], ["--help"]],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_where_what_is_printed_finds_no_room_a_sentence_says_so(arguments: list, unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from zebra_gui.cli import main; main()", *arguments],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "zebra: Standard output cannot be written: No space left on device. Free some space, or send "
        "it elsewhere."
    )
    assert "Traceback" not in done.stderr


def test_where_standard_output_is_closed_nothing_is_printed() -> None:
    program = "import sys; sys.stdout = None; from zebra_gui.cli import main; main()"
    command = [sys.executable, "-c", program, "assess", "-s", SCORES, "-k", KEY, "--json"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def figures(*arguments: str) -> tuple[float, float, str]:
    done = zebra("assess", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["n_target"], found["n_nontarget"]) == (4, 4)
    return found["d_ece_bits"], found["worst_case_log10_lr"], found["tag"]


MUSEUM = Path(__file__).parents[1] / "data" / "intake"
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
    found = json.loads(zebra("assess", "-s", str(MUSEUM / name), "--json").stdout)
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


@pytest.mark.parametrize(
    ("reading", "file", "way"),
    [
        ("a=kaldi-key", "a", "kaldi-key"),
        ("a=b=kaldi-key", "a=b", "kaldi-key"),
        ("a=kaldi-key:x=y", "a", "kaldi-key:x=y"),
    ],
)
def test_equals_signs_in_names_are_no_matter(reading: str, file: str, way: str) -> None:
    assert choices_of([reading]) == {file: way}


def test_a_fault_in_the_program_is_one_sentence_and_status_3(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("speaker 1089")

    monkeypatch.setattr("zebra_core.project.reading.assess_files", fails)
    done = zebra("assess", "-s", SCORES, "-k", KEY)
    assert done.exit_code == 3
    assert re.fullmatch(
        r"zebra: This is a fault in the program, not in your files "
        r"\(ValueError at zebra_gui/commands/assess\.py:\d+\)\. "
        r"Nothing was changed; please report it\.\n",
        done.stderr,
    )
    assert done.stderr.count("\n") == 1
    assert "1089" not in done.stderr


def test_version_names_the_commit_in_a_checkout():
    assert re.fullmatch(r"zebra \d+\.\d+\.\d+( \([0-9a-f]{12}(-dirty)?\))?\n", zebra("--version").output)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """The command with the real tests, which take a while: what it printed, its page, the outcome."""
    outcomes, page, compute = [], tmp_path_factory.mktemp("checked") / "page.txt", selftest.selftest

    def compute_and_keep(*on_progress):
        outcomes.append(compute(*on_progress))
        return outcomes[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selftest, "selftest", compute_and_keep)
        done = zebra("selftest", "-o", str(page))
    return done, page, outcomes[0]


@pytest.fixture
def outcome(checked):
    return checked[2]


def test_selftest_prints_its_page_and_writes_it(checked):
    done, page, _ = checked

    assert done.exit_code == 0
    assert ": PASSED\n" in done.stdout
    assert page.read_text("utf-8") == done.stdout


def test_selftest_overwrites_nothing_unasked(tmp_path, monkeypatch, outcome):
    monkeypatch.setattr(selftest, "selftest", lambda _progress: outcome)
    (tmp_path / "page.txt").write_text("mine")
    done = zebra("selftest", "-o", str(tmp_path / "page.txt"))

    assert done.exit_code == 1
    assert "already exists" in done.stderr


def test_selftest_that_fails_has_status_1(monkeypatch, outcome):
    failed = replace(outcome, checks=(replace(outcome.checks[0], passed=False), *outcome.checks[1:]))
    monkeypatch.setattr(selftest, "selftest", lambda _progress: failed)
    done = zebra("selftest", "--json")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["passed"] is False


@pytest.mark.parametrize("option", ["--stream", "--no-stream"])
def test_streaming_may_be_asked_for_and_changes_no_figure_that_needs_no_speakers(option: str) -> None:
    plain, done = (
        zebra("assess", "-s", SCORES, "-k", KEY, "--json", *options) for options in ((), (option,))
    )
    before, now = json.loads(plain.stdout), json.loads(done.stdout)
    told = [line for line in now.pop("remarks") if line not in before["remarks"]]
    before.pop("remarks")
    if option == "--stream":
        # For these speakers must be held apart, or named.
        for name in ("d_ece_unordered_bits", "cross_fitted", "reidentification"):
            assert now.pop(name) != before.pop(name)
    assert now == before
    if option == "--stream":
        said, estimated, only_counts = told
        assert only_counts.startswith("ZEBRA profile is known only as counts")
        assert estimated.startswith("Who speaks in which trial is not known")
        assert said.startswith("9\u202f828 trials were read piece by piece and counted, not held in memory")
        assert f"zebra: {said}" in done.stderr
    else:
        assert not told


def test_intervals_of_a_streamed_file_are_refused_in_one_sentence() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--stream", "--bootstrap", "20")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.endswith(
        "is known only as counts, but this needs the single trials. "
        "Give a file of trials that fits into memory.\n"
    )
