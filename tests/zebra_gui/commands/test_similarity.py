"""`zebra similarity`: what it prints, what it saves, and how it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zebra_core.metrics.similarity import Mean
from zebra_gui.cli import main
from zebra_gui.commands.similarity import MEANS

DATA = Path(__file__).parents[2] / "data" / "similarity"
EXPECTED = json.loads((DATA / "expected.json").read_text())["sets"]
JSON_KEYS = [
    *("format", "speakers", "oo", "op", "pp", "d_diag", "de_id", "g_vd_db", "d_ece_bits", "min_cllr_bits"),
]


def zebra(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["similarity", *map(str, arguments)])


def files(name: str = "other_f/B2") -> dict[str, Path]:
    folder = DATA / name
    return {
        "--oo": folder.parent / "scores_oo.txt.gz",
        "--op": folder / "scores_op.txt.gz",
        "--pp": folder / "scores_pp.txt.gz",
        "--utt2spk": folder.parent / "utt2spk",
    }


def given(options: dict[str, Path]) -> list[str | Path]:
    return [part for option in options.items() for part in option]


@pytest.mark.parametrize("name", EXPECTED)
def test_json_is_one_object_with_the_figures_of_other_implementations(name: str) -> None:
    done = zebra(*given(files(name)), "--json")
    assert done.exit_code == 0
    found, expected = json.loads(done.stdout), EXPECTED[name]
    assert list(found) == JSON_KEYS
    assert found["d_diag"] == pytest.approx(expected["d_diag"], abs=1e-6)
    assert found["de_id"] == pytest.approx(expected["de_id"], abs=1e-6)
    assert found["g_vd_db"] == pytest.approx(expected["g_vd_db"], abs=1e-6)
    assert found["d_ece_bits"] == pytest.approx(expected["rounded"]["d_ece_bits"], abs=5.1e-4)
    assert found["min_cllr_bits"] == pytest.approx(expected["rounded"]["min_cllr_bits"], abs=5.1e-4)
    assert found["op"][0][1] == pytest.approx(expected["op_cell_0_1"], abs=1e-6)
    assert found["op"][1][0] == pytest.approx(expected["op_cell_1_0"], abs=1e-6)
    assert found["speakers"][:2] == expected["first_speakers"]
    assert [len(found[setting]) for setting in ("oo", "op", "pp")] == [5, 5, 5]


def test_the_older_mean_can_be_chosen() -> None:
    found = json.loads(zebra(*given(files()), "--json", "--mean", "sigmoid-of-mean").stdout)
    expected = EXPECTED["other_f/B2"]["rounded"]["sigmoid_of_mean"]
    assert found["de_id"] == pytest.approx(expected["de_id"], abs=5.1e-5)
    assert found["g_vd_db"] == pytest.approx(expected["g_vd_db"], abs=5.1e-4)


def test_without_json_there_is_a_short_table() -> None:
    assert zebra(*given(files()), "-l", "other_f, B2").stdout == (
        "other_f, B2\n"
        "5 speakers        OO    OP    PP\n"
        "D_diag           1.0   0.5   0.8\n"
        "D_ECE (bit)     0.72  0.26  0.54\n"
        "min Cllr (bit)  0.01  0.63  0.25\n"
        "DeID 54 %\n"
        "G_VD −0.9 dB\n"
    )


def test_op_and_pp_may_be_left_out() -> None:
    options = files()
    del options["--op"], options["--pp"]
    found = json.loads(zebra(*given(options), "--json").stdout)
    assert list(found) == JSON_KEYS
    assert (found["op"], found["pp"], found["de_id"], found["g_vd_db"]) == (None, None, None, None)
    assert found["d_diag"] == {"oo": pytest.approx(0.98358757435), "op": None, "pp": None}
    assert zebra(*given(options)).stdout.splitlines()[1:3] == [
        "5 speakers        OO",
        "D_diag           1.0",
    ]


def test_a_rule_on_the_ids_may_stand_in_for_the_map_and_is_told() -> None:
    options = files()
    del options["--utt2spk"]
    done = zebra(*given(options), "--speakers", "before-hyphen", "--json")
    assert json.loads(done.stdout) == json.loads(zebra(*given(files()), "--json").stdout)
    assert done.stderr.startswith("zebra: ")
    assert "hyphen" in done.stderr


def test_segments_without_a_speaker_are_counted_and_named_on_standard_error(tmp_path: Path) -> None:
    lines = files()["--utt2spk"].read_text().splitlines()
    (tmp_path / "utt2spk").write_text("\n".join(lines[1:]) + "\n")
    done = zebra(*given({**files(), "--utt2spk": tmp_path / "utt2spk"}), "--json")
    assert done.exit_code == 0
    said = "zebra: One segment has no speaker in the speaker map, and its trials were left out: "
    assert f"{said}{lines[0].split()[0]}." in done.stderr
    assert list(json.loads(done.stdout)) == JSON_KEYS


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("png", ["ZEBRA-B2-similarity.png"]),
        ("pdf", ["ZEBRA-B2-similarity.pdf"]),
        ("svg", ["ZEBRA-B2-similarity.svg"]),
        (
            "tex",
            [
                "ZEBRA-B2-similarity-cells.png",
                "ZEBRA-B2-similarity-standalone.tex",
                "ZEBRA-B2-similarity.tex",
            ],
        ),
    ],
)
def test_e_saves_the_matrices_and_overwrites_nothing_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = [*given(files()), "-l", "B2", "-e", kind]
    assert zebra(*arguments).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == names

    refused = zebra(*arguments)

    assert refused.exit_code == 1
    assert "already exists" in refused.stderr
    assert zebra(*arguments, "--overwrite").exit_code == 0


def test_a_folder_gets_the_matrices_the_zoo_and_the_table_of_speakers(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = zebra(*given(files()), "-l", "B2", "-e", "svg", "-o", folder)

    assert done.exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "ZEBRA-B2-OP-speakers.csv",
        "ZEBRA-B2-OP-zoo.svg",
        "ZEBRA-B2-similarity.svg",
    ]
    lines = (folder / "ZEBRA-B2-OP-speakers.csv").read_text().splitlines()
    assert lines[0].startswith("speaker,d_ece_bits,estimate_bits,low_bits,high_bits,worst_case_log10_lr,tag")
    assert {line.split(",")[0] for line in lines[1:]} == {"367", "533", "1998", "3080", "3331"}
    assert all(path.name in done.stderr for path in folder.iterdir())
    again = zebra(*given(files()), "-l", "B2", "-e", "svg", "-o", folder)
    assert again.exit_code == 1


def test_without_a_kind_a_folder_gets_png(tmp_path: Path) -> None:
    assert zebra(*given(files()), "-l", "B2", "-o", tmp_path).exit_code == 0
    assert (tmp_path / "ZEBRA-B2-similarity.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_for_ids_are_read_as_the_user_says(tmp_path: Path) -> None:
    (tmp_path / "oo").write_text("1 2 3\n1 3 4\n")
    arguments = ["--oo", tmp_path / "oo", "--speakers", "whole-id"]
    assert zebra(*arguments).exit_code == 1
    assert zebra(*arguments, "--read", "oo=kaldi-scores").exit_code == 0


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"--oo": "nowhere"}, "zebra: error: nowhere was not found"),
        ({"--op": "key"}, "zebra: error: key was given as the scores, but is a key."),
        ({"--pp": "twice"}, "zebra: error: twice, line 2: “a b 2” contradicts line 1, “a b 1”."),
        ({"--utt2spk": "map"}, "zebra: error: map, line 2: “a-1” belongs to b here, but to a in line 1."),
        ({"--utt2spk": "others"}, "zebra: error: No segment in OO has a known speaker"),
    ],
)
def test_wrong_input_ends_in_one_sentence_and_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key").write_text("a b target\na c nontarget\n")
    Path("twice").write_text("a b 1\na b 2\n")
    Path("map").write_text("a-1 a\na-1 b\n")
    Path("others").write_text("x-1 x\nx-2 x\ny-1 y\n")

    done = zebra(*given({**files(), **{option: Path(name) for option, name in changed.items()}}), "--json")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["sentence"] == done.stderr.removeprefix("zebra: error: ").strip()
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Missing option '--oo'"),
        (["--oo", "x"], "Say who speaks in the recordings with --speakers."),
        (["--oo", "x", "--utt2spk", "y", "--read", "z"], "z is not of the form FILE=WAY"),
    ],
)
def test_wrong_usage_ends_with_status_2(arguments: list[str], sentence: str) -> None:
    done = zebra(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_the_command_offers_what_the_core_knows() -> None:
    assert tuple(mean.value for mean in Mean) == MEANS


def test_bootstrap_adds_intervals_chance_level_seed_and_replicates() -> None:
    done = zebra(*given(files()), "--bootstrap", "30", "--seed", "3", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    added = ["intervals", "level", "null", "null_p", "null_replicates", "seed", "replicates"]
    assert list(found) == [*JSON_KEYS, *added]
    assert (found["seed"], found["replicates"], found["level"]) == (3, 30, 0.95)
    for name in ("d_diag_oo", "d_diag_op", "d_diag_pp", "de_id", "g_vd_db", "d_ece_op_oo", "g_d_ece_db"):
        low, high = found["intervals"][name]
        assert low < high, name
    low, high = found["intervals"]["de_id"]
    assert low < found["de_id"] < high
    assert found["null_p"]["d_diag_oo"] < 0.05
    assert "Intervals rest on only 5 speakers" in done.stderr


def test_bootstrap_prints_a_table_below_the_figures_and_the_seed_decides() -> None:
    def printed(seed: str) -> str:
        return zebra(*given(files()), "--bootstrap", "30", "--seed", seed).stdout

    lines = printed("1").splitlines()
    assert lines[6:9] == ["G_VD −0.9 dB", "", "95 % intervals over 5 speakers, 30 replicates, seed 1."]
    assert [line.split("  ")[1] for line in lines[9:24]][-6:] == [
        "De-identification",
        "Gain of voice distinctiveness",
        "D_ECE(OP/OO)",
        "min Cllr(OP/OO)",
        "G_DECE",
        "G_Cllr",
    ]
    assert printed("1") == printed("1") != printed("2")


def test_too_few_replicates_are_refused_in_a_sentence() -> None:
    done = zebra(*given(files()), "--bootstrap", "5")
    assert done.exit_code == 1
    assert done.stderr.endswith("Ask for at least 20, better 1000.\n")
