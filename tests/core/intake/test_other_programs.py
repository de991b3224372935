"""Scores as ESPnet, lir, legal-eval, spkanon_eval, SdSV and home-made JSON have them; and what has none."""

import io
import json
import math
import os
import pickle
import re
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import zebra_core
from tests.core.intake.test_written_otherwise import (
    BOTH_WAYS,
    FIGURES,
    IN_PIECES,
    ROWS,
    codes,
    figures,
    is_as,
    key,
    lines,
    read,
    refusal,
)
from zebra_core.errors import InputError
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.reading.folder import project_of_folder

SPEAKERS = [f"f-{n}" for n in range(12)]


def choices_of(path: Path) -> list[str]:
    return [reading.choice for reading in recognise(open_file(path)).readings]


# --- ESPnet ------------------------------------------------------------------------------------------------

ESPNET = lines(lambda a, b, s, t: f"{a}*{b} {s} {int(t == 'target')}")
ESPNET_SCORES = lines(lambda a, b, s, _t: f"{a}*{b} {s}")
ESPNET_KEY = lines(lambda a, b, _s, t: f"{a}*{b} {int(t == 'target')}")


@BOTH_WAYS
def test_espnet_pairs_are_read_and_in_one_way_only(tmp_path: Path, choices: dict[str, str]) -> None:
    trials = read(tmp_path, ESPNET, **choices)
    assert figures(trials) == is_as(FIGURES)
    assert choices_of(tmp_path / "scores") == ["espnet-scores"]
    scores = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    for listed, said in ((ESPNET_SCORES, ESPNET_KEY), (scores, ESPNET_KEY), (ESPNET_SCORES, key())):
        assert figures(read(tmp_path, listed, said, **choices)) == is_as(FIGURES)
        [one] = plan([tmp_path / "scores", tmp_path / "key"]).assessments
        assert one.key is not None


@pytest.mark.parametrize("bad", ["spk00spk00-u0", "spk00*spk00*u0", "*spk00-u0", "spk00*"])
@BOTH_WAYS
def test_a_pair_that_is_not_two_ids_is_named_with_its_line(
    tmp_path: Path, bad: str, choices: dict[str, str]
) -> None:
    rows = ESPNET.splitlines()
    rows[6] = f"{bad} 0.5 1"
    said = refusal(tmp_path, "\n".join(rows) + "\n", **choices)
    assert said.startswith(f"scores, line 7: “{bad}” does not have two ids with one * between them")


def test_ids_with_a_star_in_lists_of_two_ids_stay_ids(tmp_path: Path) -> None:
    trials = read(tmp_path, lines(lambda a, b, s, t: f"{a}*x {b}*y {s} {t}"))
    assert figures(trials) == is_as(FIGURES)
    assert trials.enrol.names[0].endswith("*x")


# --- lir ---------------------------------------------------------------------------------------------------


def speaker(name: str) -> str:
    return name.partition("-")[0]


PRESCORED = lines(
    lambda a, b, s, _t: f"{speaker(a)}    , {speaker(b)}   , {s}", "sourceID1, sourceID2, score\n"
)
WRITTEN_BY_LIR = lines(
    lambda a, b, s, t: f"0,{speaker(a)},{speaker(b)},{int(t == 'target')},{s}",
    "batch,source_ids.0,source_ids.1,hypothesis,features\n",
)
LABELLED = {
    head: lines(lambda _a, _b, s, t: f"{int(t == 'target')},{s}", f"{head}\n")
    for head in ("hypothesis_label,llr", "label,llr", "hypothesis,llr")
}
WITH_INTERVALS = lines(
    lambda _a, _b, s, t: f"{int(t == 'target')},{s},{float(s) - 0.3},{float(s) + 0.3}",
    "hypothesis,llr,llr_interval_low,llr_interval_high\n",
)


@BOTH_WAYS
def test_pre_scored_pairs_of_sources_are_target_where_both_are_one_and_it_is_said(
    tmp_path: Path, choices: dict[str, str]
) -> None:
    trials = read(tmp_path, PRESCORED, **choices)
    assert figures(trials) == is_as(FIGURES)
    assert codes(trials) == ["equal-is-target"]


@pytest.mark.parametrize("table", [*LABELLED.values(), WITH_INTERVALS, WRITTEN_BY_LIR])
@BOTH_WAYS
def test_labelled_tables_of_lir_are_read(tmp_path: Path, table: str, choices: dict[str, str]) -> None:
    trials = read(tmp_path, table, **choices)
    assert (figures(trials), trials.audit.matched) == (is_as(FIGURES), 192)


def test_a_label_that_contradicts_the_sources_is_named(tmp_path: Path) -> None:
    wrong = WRITTEN_BY_LIR.replace("0,spk00,spk00,1,", "0,spk00,spk00,0,", 1)
    assert "in “0,spk00,spk00,0," in refusal(tmp_path, wrong)
    assert "the label contradicts the two sources" in refusal(tmp_path, wrong)


def test_llrs_without_labels_are_refused_in_words_of_their_own(tmp_path: Path) -> None:
    case = lines(
        lambda _a, _b, s, _t: f"0.1,{s},{float(s) - 0.3},{float(s) + 0.3}", "feature_0,llr,llr_low,llr_high\n"
    )
    for given in ((case,), (case, key())):
        said = refusal(tmp_path, *given)
        assert "has a column of scores, but neither the ids of their trials nor labels" in said


# --- legal-eval --------------------------------------------------------------------------------------------


def matrix(folder: Path, enrolled: list[str], tests: list[str], **said: object) -> Path:
    draws = np.random.default_rng(8)
    same = np.array([[a == b for b in tests] for a in enrolled])
    np.save(folder / "M.npy", (draws.normal(size=same.shape) + 2.0 * same).astype(np.float32))
    content = {"enroll_speakers": enrolled, "test_speakers": tests, **said}
    (folder / "M.npy.json").write_text(json.dumps(content))
    return folder / "M.npy"


def as_list(path: Path, enrolled: list[str], tests: list[str]):
    scores = np.load(path)
    label = [int(a == b) for a in enrolled for b in tests]
    found = zebra_core.Trials.from_scores(
        [s for s, is_target in zip(scores.ravel(), label, strict=True) if is_target],
        [s for s, is_target in zip(scores.ravel(), label, strict=True) if not is_target],
    )
    return zebra_core.assess(found)


@pytest.mark.parametrize("tests", [SPEAKERS, [*SPEAKERS[::-1], "other"], [*SPEAKERS, *SPEAKERS, "f-0"]])
def test_a_matrix_has_its_ids_beside_it(tmp_path: Path, tests: list[str]) -> None:
    path = matrix(tmp_path, SPEAKERS, tests, metadata={"attacker": "informed", "conversation_length": 3})
    usual = as_list(path, SPEAKERS, tests)
    for given in ((path,), (path, tmp_path / "M.npy.json")):
        trials = zebra_core.read_trials(*given)
        found = zebra_core.assess(trials)
        assert (found.d_ece_bits, found.eer, found.n_target) == (
            usual.d_ece_bits,
            usual.eer,
            len(tests) - ("other" in tests),
        )
        assert "matrix-says" in codes(trials)
        assert trials.enrol.names == tuple(SPEAKERS)
    assert "attacker informed, conversation_length 3" in "".join(map(str, trials.audit.findings))


def test_matrices_in_a_folder_find_their_own_ids(tmp_path: Path) -> None:
    for number, size in enumerate((12, 9)):
        (tmp_path / str(number)).mkdir()
        matrix(tmp_path / str(number), SPEAKERS[:size], SPEAKERS[:size])
        for name in ("M.npy", "M.npy.json"):
            shutil.move(tmp_path / str(number) / name, tmp_path / name.replace("M", f"M{number}"))
    made = plan([tmp_path])
    assert [(one.scores.source.path.name, one.key.source.path.name) for one in made.assessments] == [
        ("M0.npy", "M0.npy.json"),
        ("M1.npy", "M1.npy.json"),
    ]
    assert not made.problems
    assert not made.questions


def test_a_matrix_in_an_archive_has_its_ids_there(tmp_path: Path) -> None:
    path = matrix(tmp_path, SPEAKERS, SPEAKERS)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("M.npy", "M.npy.json"):
            archive.write(tmp_path / name, f"exp/{name}")
    assert zebra_core.read_trials(tmp_path / "a.zip").audit.matched == np.load(path).size


def test_ids_of_another_size_are_a_sentence(tmp_path: Path) -> None:
    matrix(tmp_path, SPEAKERS, SPEAKERS[:6])
    said = {"enroll_speakers": SPEAKERS[:6], "test_speakers": SPEAKERS}  # as many cells
    (tmp_path / "M.npy.json").write_text(json.dumps(said))
    with pytest.raises(InputError, match=r"M.npy is a matrix of 12 × 6, but M.npy.json has ids for 6 × 12"):
        zebra_core.read_trials(tmp_path / "M.npy")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            '{"enroll_speakers": ["a", 7.5], "test_speakers": ["a"]}',
            "“enroll_speakers” is not a list of names",
        ),
        ('{"enroll_speakers": [], "test_speakers": ["a"]}', "“enroll_speakers” is not a list of names"),
        ('{"enroll_speakers": ["a\\u0000"], "test_speakers": ["a"]}', "is not a list of names"),
        ('{"enroll_speakers": ["a"], "test_speakers": {}}', "M.npy.json is JSON, but none"),
        (
            '{"enroll_speakers": ["a"], "enroll_speakers": ["b"], "test_speakers": ["a"]}',
            "M.npy.json is JSON",
        ),
        (json.dumps({"enroll_speakers": ["a"] * 200_000, "test_speakers": ["a"] * 200_000}), "trials"),
    ],
)
def test_bad_ids_of_a_matrix_are_a_sentence(tmp_path: Path, content: str, told: str) -> None:
    matrix(tmp_path, SPEAKERS, SPEAKERS)
    (tmp_path / "M.npy.json").write_text(content)
    with pytest.raises(InputError, match=told):
        zebra_core.read_trials(tmp_path / "M.npy")


def test_a_matrix_without_its_ids_says_what_it_lacks(tmp_path: Path) -> None:
    museum = Path(__file__).parents[2] / "data" / "intake" / "broken" / "matrix-without-ids.npy"
    with pytest.raises(InputError, match="is a matrix without ids"):
        zebra_core.read_trials(museum)
    path = matrix(tmp_path, SPEAKERS, SPEAKERS)
    (tmp_path / "M.npy.json").unlink()
    with pytest.raises(InputError, match=r"M.npy is a matrix without ids. .* \(M.npy.json\)"):
        zebra_core.read_trials(path)
    for label in (key(), "1\n0\n" * 72):
        (tmp_path / "key").write_text(label)
        with pytest.raises(InputError, match=r"M.npy has no ids"):
            zebra_core.read_trials(path, tmp_path / "key")


def test_ids_beside_a_matrix_lead_nowhere_else(tmp_path: Path) -> None:
    """Names are never paths, and what is no regular file is not opened."""
    path = matrix(tmp_path, ["../../etc/passwd", "/etc/passwd", "a"], ["a", "../../etc/passwd"])
    assert zebra_core.read_trials(path).enrol.names[0] == "../../etc/passwd"
    (tmp_path / "M.npy.json").unlink()
    os.mkfifo(tmp_path / "M.npy.json")
    with pytest.raises(InputError, match="without ids"):
        zebra_core.read_trials(path)


# --- spkanon_eval ------------------------------------------------------------------------------------------


def test_speakers_and_llrs_are_asked_about_and_said(tmp_path: Path) -> None:
    code = {name: n for n, name in enumerate(dict.fromkeys(speaker(row[1]) for row in ROWS))}
    rows = [[code[speaker(b)], code[speaker(a)], float(s)] for a, b, s, _ in ROWS]
    path = tmp_path / "llrs.npy"
    np.save(path, np.array(rows))
    with pytest.raises(
        InputError, match=r"--read llrs.npy=npy-speakers-llr \(.*\) or --read llrs.npy=npy-matrix"
    ):
        zebra_core.read_trials(path)
    trials = zebra_core.read_trials(path, choices={"llrs.npy": "npy-speakers-llr"})
    assert (figures(trials), "equal-is-target" in codes(trials)) == (is_as(FIGURES), True)
    np.save(path, np.array(rows) + 0.25)
    assert choices_of(path) == ["npy-matrix"]


# --- JSON --------------------------------------------------------------------------------------------------


def as_json(a: str, b: str, s: str, label: str) -> dict[str, object]:
    return {"enroll": a, "test": b, "score": float(s), "label": int(label == "target")}


TRIALS = [as_json(*row) for row in ROWS]
COLUMNS = {"scores": [one["score"] for one in TRIALS], "labels": [one["label"] for one in TRIALS]}
JSON = {
    "lines": "\n".join(map(json.dumps, TRIALS)) + "\n",
    "a list": json.dumps(TRIALS, indent=1),
    "columns": json.dumps(COLUMNS),
    "words": json.dumps(
        [{**one, "label": ("nontarget", "target")[int(str(one["label"]))]} for one in TRIALS]
    ),
    "true and false": json.dumps([{**one, "label": bool(one["label"])} for one in TRIALS]),
}


@pytest.mark.parametrize("name", JSON)
@BOTH_WAYS
def test_json_of_trials_is_read(tmp_path: Path, name: str, choices: dict[str, str]) -> None:
    assert figures(read(tmp_path, JSON[name], **choices)) == is_as(FIGURES)


def test_json_goes_with_a_key_and_is_one(tmp_path: Path) -> None:
    scores = json.dumps([{"enrol": a, "test": b, "score": float(s)} for a, b, s, _ in ROWS])
    said = "".join(json.dumps({"enrol": a, "test": b, "target": t}) + "\n" for a, b, _, t in ROWS)
    for listed, labels in (
        (scores, key()),
        (scores, said),
        (lines(lambda a, b, s, _t: f"{a} {b} {s}"), said),
    ):
        assert figures(read(tmp_path, listed, labels)) == is_as(FIGURES)


BAD = {
    '{"enroll": "a", "test": "b", "label": 1}': "line 7: this trial has no field “score”",
    '{"enroll": "a", "test": "b", "score": "high", "label": 1}': "line 7: the score “high” is not a number",
    '{"enroll": "a", "test": "b", "score": true, "label": 1}': "line 7: the score “True” is not a number",
    '{"enroll": "a", "test": "b", "score": 1e999, "label": 1}': "line 7: this is not a trial in JSON",
    '{"enroll": "a", "test": "b", "score": 1.0, "label": "often"}': "line 7: the label “often” means neither",
    '{"enroll": ["a"], "test": "b", "score": 1.0, "label": 1}': "line 7: “['a']” is neither an id",
    '{"enroll": "", "test": "b", "score": 1.0, "label": 1}': "line 7: “” is neither an id nor a label",
    '{"enroll": "a\\u0007", "test": "b", "score": 1.0, "label": 1}': "row 7: the id “a",
    '{"enroll": "a", "test": "b", "score": 1.0, "label": 1': "line 7: this is not a trial in JSON",
    "": "line 7: this is not a trial in JSON",
    "[" * 100_000: "line 7: this is not a trial in JSON",
    f'{{"enroll": "a", "test": "b", "score": 1{"0" * 400}, "label": 1}}': "is too large",
}


@pytest.mark.parametrize("bad", BAD, ids=[text[:60] for text in BAD])
@BOTH_WAYS
def test_a_bad_line_of_json_is_named(tmp_path: Path, bad: str, choices: dict[str, str]) -> None:
    rows = JSON["lines"].splitlines()
    rows[6] = bad
    assert BAD[bad] in refusal(tmp_path, "\n".join(rows) + "\n", **choices)


def test_columns_of_unequal_length_are_a_sentence(tmp_path: Path) -> None:
    said = refusal(tmp_path, json.dumps({**COLUMNS, "labels": COLUMNS["labels"][1:]}))
    assert said.startswith("scores: scores, labels must be lists of equal length")


def test_a_missing_score_in_json_is_decided_as_elsewhere(tmp_path: Path) -> None:
    missing = json.dumps([*TRIALS[:5], {**TRIALS[5], "score": None}, *TRIALS[6:]])
    assert "--allow nan-scores" in refusal(tmp_path, missing)
    assert read(tmp_path, missing, None, "nan-scores").audit.matched == 191


def test_two_fields_of_scores_and_distances_in_json_are_asked_about(tmp_path: Path) -> None:
    two = json.dumps([{**one, "cosine": math.tanh(float(str(one["score"])))} for one in TRIALS])
    assert re.search(r"=json-trials:score \(.*\) or --read scores=json-trials:cosine", refusal(tmp_path, two))
    assert figures(read(tmp_path, two, scores="json-trials:score")) == is_as(FIGURES)
    distance = json.dumps([{"enrol": a, "test": b, "distance": float(s), "label": t} for a, b, s, t in ROWS])
    assert "lower-is-more-alike" in refusal(tmp_path, distance)


# --- SdSV --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "format_"), [("", "kaldi-key"), ("model-id evaluation-file-id trial-type\n", "table")]
)
def test_which_words_of_sdsv_mean_target_is_asked(tmp_path: Path, head: str, format_: str) -> None:
    words = ["TC" if t == "target" else ("IC", "IW")[n % 2] for n, (*_, t) in enumerate(ROWS)]
    said = head + "".join(f"{a} {b} {w}\n" for (a, b, _, _), w in zip(ROWS, words, strict=True))
    scores = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    ways = rf"--read key={format_}:TC \(.*\) or --read key={format_}:TC\+TW"
    assert re.search(ways, refusal(tmp_path, scores, said))
    for way in ("TC", "TC+TW"):
        assert figures(read(tmp_path, scores, said, key=f"{format_}:{way}")) == is_as(FIGURES)
    wrong = said.replace(" TC\n", " TW\n", 1)
    by_way = [read(tmp_path, scores, wrong, key=f"{format_}:{way}").audit.n_target for way in ("TC", "TC+TW")]
    assert by_way == [23, 24]
    stray = said.replace(" IW\n", " IX\n", 1)
    assert "the label “IX” means neither" in refusal(tmp_path, scores, stray, key=f"{format_}:TC")


def test_keys_of_sdsv_are_not_counted_piece_by_piece(tmp_path: Path) -> None:
    said = lines(lambda a, b, _s, t: f"{a} {b} {'TC' if t == 'target' else 'IC'}")
    scores = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    assert "cannot be read piece by piece" in refusal(tmp_path, scores, said, key="kaldi-key:TC", **IN_PIECES)


# --- no scores ---------------------------------------------------------------------------------------------


def npz() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **{f"spk0-u{n}": np.linspace(-1, 1, 192) for n in range(5)})
    return stream.getvalue()


def torch() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("speaker_vectors/data.pkl", pickle.dumps([1.0]))
        archive.writestr("speaker_vectors/data/0", b"\0" * 64)
    return stream.getvalue()


NO_SCORES: dict[str, tuple[bytes, str]] = {
    "emb.npz": (npz(), "emb.npz holds 5 embeddings. Make scores of them with zebra score --embeddings"),
    "speaker_vectors.pt": (torch(), "contains Python objects, as PyTorch (.pt) and pickle (.pkl) save them"),
    "scores.pkl": (pickle.dumps({"a": 1.0}), "contains Python objects, as PyTorch (.pt) and pickle"),
    "scores.mat": (
        b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + b" " * 90,
        "is a MATLAB file. Write its scores or key as HDF5",
    ),
    "x.ark": (
        b"spk0-u0 \0BFV \x04\xc0\0\0\0" + b"\x3f" * 768,
        "is a binary Kaldi archive of features or embeddings",
    ),
    "text.ark": (
        b"spk0-u0  [ 0.1 0.2 0.3 0.4 ]\nspk0-u1  [ 0.2 0.1 0.4 0.3 ]\n",
        "holds embeddings as Kaldi writes them in text",
    ),
    "id2idx": (
        b"1272-128104-0000 0\n1272-128104-0001 1\n",
        "id2idx numbers embeddings (“1272-128104-0000” for one)",
    ),
    "idx2spk": (b"0 1272\n1 1462\n", "idx2spk numbers embeddings (“1272” for one)"),
    "linkability_informed_L3.json": (
        b'{"metric": "linkability", "conversation_length": 3, "values": {"20": [0.95, 0.949]}}',
        "has results of legal-eval",
    ),
    "vpc.csv": (
        b"dataset,enrollment,metric,L,speakers,value,std\nlibri,anon,link,3,20,0.9,0.1\n",
        "has results of legal-eval",
    ),
}


@pytest.mark.parametrize("name", NO_SCORES)
def test_what_holds_no_scores_is_called_what_it_is(tmp_path: Path, name: str) -> None:
    content, told = NO_SCORES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        zebra_core.read_trials(path)
    assert told in str(refused.value)
    (tmp_path / "scores").write_text(lines(lambda a, b, s, t: f"{a} {b} {s} {t}"))
    made = plan([tmp_path])  # in a folder it came along
    assert (len(made.assessments), made.problems) == (1, ())


def test_embeddings_in_hdf5_are_called_what_they_are(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "xvector.h5", "w") as file:
        for n in range(5):
            file[f"spk0-u{n}"] = np.zeros(192, np.float32)
    with pytest.raises(InputError, match=r"xvector.h5 holds 5 embeddings"):
        zebra_core.read_trials(tmp_path / "xvector.h5")


# --- likelihood ratios -------------------------------------------------------------------------------------

LRS = lines(lambda _a, _b, s, t: f"{t},{math.exp(float(s))!r}", "label,LR\n")
STATED = zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR)


@BOTH_WAYS
def test_a_column_of_likelihood_ratios_is_asked_about(tmp_path: Path, choices: dict[str, str]) -> None:
    if choices:
        for allow in ((), ("likelihood-ratios",)):
            with pytest.raises(InputError, match="no logarithms are taken while it is read piece by piece"):
                read(tmp_path, LRS, None, *allow, **choices)
        return
    said = refusal(tmp_path, LRS)
    assert "in a column called “LR” and none is negative" in said
    assert said.endswith("(--allow likelihood-ratios).")
    found = zebra_core.assess(read(tmp_path, LRS, None, "likelihood-ratios"), STATED)
    usual = zebra_core.assess(read(tmp_path, LABELLED["label,llr"]), STATED)
    assert found.cllr_bits == pytest.approx(usual.cllr_bits, rel=1e-12)
    assert found.d_ece_bits == usual.d_ece_bits


def test_ratios_that_are_negative_are_none(tmp_path: Path) -> None:
    negative = LABELLED["label,llr"].replace("llr", "LR")
    assert figures(read(tmp_path, negative)) == is_as(FIGURES)
    with pytest.raises(InputError, match="is negative, as no likelihood ratio is"):
        read(tmp_path, negative, None, "likelihood-ratios")


def test_a_ratio_of_nothing_is_an_infinite_logarithm(tmp_path: Path) -> None:
    zero = LRS.replace(LRS.splitlines()[-1], "nontarget,0")
    with pytest.raises(InputError, match="--allow infinite-scores"):
        read(tmp_path, zero, None, "likelihood-ratios")
    assert read(tmp_path, zero, None, "likelihood-ratios", "infinite-scores").audit.matched == 192


def test_lists_of_ratios_stated_to_be_llrs_are_warned_of(tmp_path: Path) -> None:
    for name, content in (
        ("LRss.txt", "2.0\n50.1\n900\n0.5\n33\n"),
        ("LRds.txt", "0.0004\n0.2\n0.03\n1.4\n0.01\n"),
    ):
        (tmp_path / name).write_text(content)
    pair = tmp_path / "LRss.txt", tmp_path / "LRds.txt"
    warned = zebra_core.assess(zebra_core.read_trials(*pair), STATED)
    assert "llrs-never-negative" in [one.code for one in warned.remarks]
    mended = zebra_core.assess(zebra_core.read_trials(*pair, allow=["likelihood-ratios"]), STATED)
    assert mended.cllr_bits == pytest.approx(0.382675, abs=1e-6)
    assert "llrs-never-negative" not in [one.code for one in mended.remarks]
    raw = zebra_core.assess(zebra_core.read_trials(*pair))
    assert raw.d_ece_bits == warned.d_ece_bits == mended.d_ece_bits


def test_a_folder_of_embeddings_alone_is_told_as_such(tmp_path: Path) -> None:
    for name in ("id2idx", "idx2spk", "speaker_vectors.pt"):
        (tmp_path / name).write_bytes(NO_SCORES[name][0])
    (tmp_path / "spk2gender").write_text("1272 M\n1462 F\n")
    with pytest.raises(InputError, match=r"id2idx numbers embeddings .* Python objects, as PyTorch"):
        project_of_folder(tmp_path)
