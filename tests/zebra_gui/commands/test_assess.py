"""`zebra assess`: what it prints and saves, and how it ends."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import zebra_resources
from zebra_core.intake.streaming import matching
from zebra_core.project import demo
from zebra_core.wording.texts import say
from zebra_gui.cli import main

SCORES = str(demo.FILES[2].path)
KEY = str(zebra_resources.path(demo.KEY))

JSON_KEYS = [
    "format",
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
    "dev_pav_log10",
    "invariance_low_log10_lr",
    "invariance_high_log10_lr",
    "min_dcf",
    "actual_dcf",
    "min_dcf_0_05",
    "actual_dcf_0_05",
    "reading",
    "reversed",
    "cross_fitted",
    "d_ece_corrected_bits",
    "hits_at",
    "profile",
    "remarks",
    "attacker",
    "recogniser",
    "back_end",
    "reidentification",
    "most_exposed",
    "inference",
    "uniqueness",
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


def test_the_people_in_question_are_the_prior_and_linking_is_told_among_them() -> None:
    asked = ("assess", "-s", SCORES, "-k", KEY, "--json")
    found = json.loads(zebra(*asked, "--among", "3").stdout)
    assert found["prior_one_in"] == 3
    among = found["reidentification"]["among"]
    assert (among["people"], among["linkage"][0]["people"]) == (3, 3)
    beyond = json.loads(zebra(*asked, "--among", "1000", "--prior", "20").stdout)
    assert beyond["prior_one_in"] == 20
    assert beyond["reidentification"]["among"] == {"people": 1000, "linkage": []}
    assert "among" not in json.loads(zebra(*asked).stdout)["reidentification"]


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
    assert found["hits_at"] == {
        "0.01": pytest.approx(24 / 156),
        "0.001": pytest.approx(9 / 156),
        "0.0001": None,
    }
    assert found["remarks"] == [
        (
            "Actual ECE and Cllr judge the scores as if they were log-likelihood ratios, "
            "which raw scores need not be."
        ),
        say("remark.reidentification-sessions"),
        "Inference is not measured: that needs labels of an attribute of the speakers (--attributes).",
    ]


def test_where_sessions_are_said_nothing_bounds_a_person_who_has_one() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--json", "--sessions", "before-last-hyphen")
    found = json.loads(done.stdout)
    most = found["reidentification"]["most_linked"]
    assert (most["sessions"], most["low"], most["high"]) == (1, 0.0, 1.0)
    assert (found["most_exposed"]["low"], found["most_exposed"]["high"]) == (None, None)
    assert say("remark.reidentification-sessions") not in found["remarks"]


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
    assert "zebra: To have scores read that way: --allow reversed." in done.stderr.splitlines()
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


def test_figures_of_a_tiny_set_say_nothing_which_is_said_first(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b 1\na c 0\n")
    (tmp_path / "k").write_text("a b target\na c nontarget\n")
    done = zebra("assess", "-s", f"{tmp_path}/s", "-k", f"{tmp_path}/k")
    assert done.stdout.startswith(
        "2 comparisons, 1 of the same person and 1 of different ones: these figures say nothing."
    )


def test_what_is_undefined_is_null(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b 1\na c 0\n")
    (tmp_path / "k").write_text("a b target\na c nontarget\n")
    found = json.loads(zebra("assess", "-s", f"{tmp_path}/s", "-k", f"{tmp_path}/k", "--json").stdout)
    assert found["linkability"] is None
    assert found["d_ece_bits"] == pytest.approx(0.7213475204444817)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["assess", "-s", "nowhere", "-k", KEY], 1, "zebra: error: nowhere was not found"),
        (
            ["assess", "-s", KEY, "-k", KEY],
            1,
            "zebra: error: trials was given as the scores, but is a key. Give the score file.",
        ),
        (
            ["assess", "-s", SCORES],
            1,
            "zebra: error: scores does not say which trials are target. Give its key too (-k).",
        ),
        (["assess", "-k", KEY], 2, "Give either scores (-s) or transcripts (--transcripts)."),
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


def test_json_singles_out_of_many_people_by_fewer_sets_unless_intervals_are_asked_for(
    tmp_path: Path,
) -> None:
    """Of 70 people three recordings each: 2²⁰ ÷ (70 · 70 · 3) sets are 71; two recordings would be exact."""
    rng, scores = np.random.default_rng(0), tmp_path / "scores.csv"
    pairs = [(e, t, n) for e in range(70) for t in range(70) for n in range(3)]
    lines = [
        f"p{e},p{t}-{n},{rng.normal() + 2.0 * (e == t):.4f},{'non' * (e != t)}target" for e, t, n in pairs
    ]
    scores.write_text("\n".join(["enrolment,test,score,label", *lines]) + "\n")
    plain, asked = (
        json.loads(zebra("assess", "-s", str(scores), "--json", *options).stdout)["reidentification"]
        for options in ((), ("--bootstrap", "20"))
    )
    for found, sets in ((plain, 71), (asked, 200)):
        assert [(point["people"], point["sets"]) for point in found["singling_out"]][:6] == [
            (2, None), (5, sets), (10, sets), (20, sets), (50, sets), (70, None),
        ]  # fmt: skip
        assert {point["sets"] for point in found["linkage"]} == {None}


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
        for name in ("d_ece_unordered_bits", "cross_fitted"):
            assert now.pop(name) != before.pop(name)
        people = [found.pop("reidentification") for found in (now, before)]
        counted, held = ([one["probability"] for one in each["linkage"]] for each in people)
        assert counted == pytest.approx(held[: len(counted)], rel=1e-12)
        assert people[0]["rank_disclosure"] == pytest.approx(people[1]["rank_disclosure"], rel=1e-9)
        assert people[0]["singling_out"] is None
        # By other bounds: nobody can draw speakers again of whom trials were only counted.
        ends = [[found["most_exposed"].pop(end) for end in ("low", "high")] for found in (now, before)]
        assert all(low <= high for low, high in ends)
    assert now == before
    if option == "--stream":
        said, estimated, of_counts = told
        assert of_counts.startswith("The trials were counted, not held in memory: linking and the ranks")
        assert estimated.startswith("Who speaks in which trial is not known")
        assert said.startswith("9\u202f828 trials were read piece by piece and counted, not held in memory")
        assert f"zebra: {said}" in done.stderr
    else:
        assert not told


def test_a_streamed_file_is_read_twice_for_figures_and_for_intervals_with_linking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []
    feed = matching.feed
    monkeypatch.setattr(
        matching, "feed", lambda *given, **rest: read.append(given[1]) or feed(*given, **rest)
    )
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--stream", "--bootstrap", "20", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    low, high = found["intervals"]["d_ece_bits"]
    assert 0.0 < low < found["d_ece_corrected_bits"] < high < 0.72
    assert found["replicates"] == 20
    assert found["reidentification"]["linkage"]
    assert read == ["scores", "key"] * 2
    assert "The 9\u202f828 trials are counted again, for each pair of speakers." in done.stderr


def test_what_the_scores_are_can_be_stated(tmp_path: Path) -> None:
    for name, content in (("same", "2.0\n50.1\n900\n0.5\n33\n"), ("other", "0.0004\n0.2\n0.03\n1.4\n0.01\n")):
        (tmp_path / name).write_text(content)
    given = ("assess", "-s", str(tmp_path / "same"), "-k", str(tmp_path / "other"), "--json")
    as_ratios = json.loads(zebra(*given, "--scores-are", "lr").stdout)
    assert as_ratios["cllr_bits"] == pytest.approx(0.382675, abs=1e-6)
    stated = zebra(*given, "--scores-are", "log10-lr")
    assert json.loads(stated.stdout)["cllr_bits"] > 0.5
    assert "but none is negative" in stated.stderr
