"""The same trials as different programs write them: the same figures, a question, or a sentence that is true.

Never silently fewer trials, other ones, or doubtful ones; read piece by piece they come to the same.
"""

import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import zebra_core
from zebra_core.intake.sorting.plan import plan

WRITTEN = Path(__file__).parents[2] / "data" / "written"
FIGURES = (24, 168, 0.494739, 1.544068, 0.083333, 0.303652)
SCORES = [line.split() for line in (WRITTEN / "scores").read_text().splitlines()]
KEY = [line.split() for line in (WRITTEN / "key").read_text().splitlines()]
LABELS = [label for _, _, label in KEY]
ROWS = [(a, b, s, label) for (a, b, s), label in zip(SCORES, LABELS, strict=True)]
IN_PIECES = {"streaming": "yes"}
BOTH_WAYS = pytest.mark.parametrize("choices", [{}, IN_PIECES], ids=["whole", "in pieces"])


def lines(write: Callable[[str, str, str, str], str], first: str = "") -> str:
    return first + "".join(write(*row) + "\n" for row in ROWS)


def key() -> str:
    return lines(lambda a, b, _s, label: f"{a} {b} {label}")


def read(folder: Path, listed: str | bytes, said: str | bytes | None = None, *allow: str, **choices: str):
    paths = [folder / "scores", folder / "key"]
    for path, content in zip(paths, (listed, said), strict=True):
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    given = (paths[0], None if said is None else paths[1])
    return zebra_core.read_trials(*given, allow=allow, choices=choices)


def refusal(folder: Path, *given: str | bytes | None, **choices: str) -> str:
    with pytest.raises(zebra_core.InputError) as refused:
        read(folder, *given, **choices)
    return str(refused.value)


def figures(trials) -> tuple[float, ...]:
    found = zebra_core.assess(trials)
    return (
        found.n_target,
        found.n_nontarget,
        found.d_ece_bits,
        found.worst_case_log10_lr,
        found.eer,
        found.min_cllr_bits,
    )


def is_as(expected: tuple[float, ...]):
    return pytest.approx(expected, abs=2e-6)


def codes(trials) -> list[str]:
    return [finding.code for finding in trials.audit.findings]


# --- other programs ----------------------------------------------------------------------------------------

NORMED = "{s}0 {label} 10.1 9.2 0.1 0.0"
TABLES = {
    "y_true": lines(lambda a, b, s, t: f"{a},{b},{int(t == 'target')},{s}", "id1,id2,y_true,y_score\n"),
    "speakers and utterances": lines(
        lambda a, b, s, t: f"{a},{a}-e,{b.split('-')[0]},{b},{int(t == 'target')},{s}",
        "spk1,utt1,spk2,utt2,label,score\n",
    ),
    "speakers and utterances, without labels": lines(
        lambda a, b, s, _t: f"{a},{a}-e,{b.split('-')[0]},{b},{s}", "spk1,utt1,spk2,utt2,score\n"
    ),
    "WeSpeaker, normalised": lines(lambda a, b, s, t: f"{a} {b} {s}0 {t} 10.1 9.2 0.1 0.0"),
    "R with row names": '"enrol" "test" "score" "label"\n'
    + "".join(f'"{n}" "{a}" "{b}" {s} "{t}"\n' for n, (a, b, s, t) in enumerate(ROWS, 1)),
}
LISTS = {
    "ALIZE": lines(lambda a, b, s, _t: f"M {a} 1 {b} 0 0.26 {s}"),
    "ALIZE without times": lines(lambda a, b, s, _t: f"M {a} 1 {b} {s}"),
    "R": lines(lambda a, b, s, _t: f'"{a}" "{b}" {s}'),
    "R with row names": '"enrol" "test" "score"\n'
    + "".join(f'"{n}" "{a}" "{b}" {s}\n' for n, (a, b, s, _) in enumerate(ROWS, 1)),
    "WeSpeaker, normalised": TABLES["WeSpeaker, normalised"],
    "ASVspoof 5": lines(
        lambda a, b, s, _t: f"{a}\t{b}\t1.0\t{s}\t0.5", "spk\tfilename\tcm-score\tasv-score\tsasv-score\n"
    ),
}


@pytest.mark.parametrize("name", TABLES)
@BOTH_WAYS
def test_tables_with_labels_give_the_same_figures(tmp_path: Path, name: str, choices: dict[str, str]) -> None:
    assert figures(read(tmp_path, TABLES[name], **choices)) == is_as(FIGURES)


@pytest.mark.parametrize("name", LISTS)
@BOTH_WAYS
def test_lists_with_a_key_give_the_same_figures(tmp_path: Path, name: str, choices: dict[str, str]) -> None:
    trials = read(tmp_path, LISTS[name], key(), **choices)
    assert figures(trials) == is_as(FIGURES)
    assert trials.audit.n_scores == 192


@BOTH_WAYS
def test_spoof_trials_of_asvspoof_5_are_set_aside(tmp_path: Path, choices: dict[str, str]) -> None:
    spoof = "".join(f"spk00\tfake{n}\tspoof\tspoof\n" for n in range(10))
    head = "spk\tfilename\tcm-label\tasv-label\n"
    labels = lines(lambda a, b, _s, t: f"{a}\t{b}\tbonafide\t{t}", head) + spoof
    scores = LISTS["ASVspoof 5"] + "".join(f"spk00\tfake{n}\t0.0\t2.5\t0.1\n" for n in range(10))
    trials = read(tmp_path, scores, labels, **choices)
    assert (figures(trials), trials.audit.set_aside) == (is_as(FIGURES), 10)


def matrix(corner: str = "") -> str:
    models, segments = (list(dict.fromkeys(row[n] for row in ROWS)) for n in (0, 1))
    score = {row[:2]: row[2] for row in ROWS}
    body = (",".join([a, *(score[a, b] for b in segments)]) for a in models)
    return "\n".join([",".join([corner, *segments]), *body]) + "\n"


@pytest.mark.parametrize("corner", ["", "model", "x"])
def test_a_matrix_of_models_and_segments_has_its_labels_in_a_key(tmp_path: Path, corner: str) -> None:
    assert figures(read(tmp_path, matrix(corner), key())) == is_as(FIGURES)
    assert refusal(tmp_path, matrix(corner)).endswith("Give its key too (-k).")


def test_a_structured_array_is_read_by_the_names_of_its_fields(tmp_path: Path) -> None:
    kinds = [("enroll", "U12"), ("test", "U12"), ("score", "f8"), ("label", "i1")]
    rows = [(a, b, float(s), int(t == "target")) for a, b, s, t in ROWS]
    np.save(tmp_path / "s.npy", np.array(rows, kinds))
    assert figures(zebra_core.read_trials(tmp_path / "s.npy")) == is_as(FIGURES)
    np.save(tmp_path / "o.npy", np.array([("a", {})], [("id", "U9"), ("what", object)]), allow_pickle=True)
    with pytest.raises(zebra_core.InputError, match="contains Python objects"):
        zebra_core.read_trials(tmp_path / "o.npy")


# --- ids ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of_all", [False, True], ids=["some", "all"])
@BOTH_WAYS
def test_ids_may_begin_like_comments_and_it_is_told(
    tmp_path: Path, of_all: bool, choices: dict[str, str]
) -> None:
    def hashed(text: str) -> str:
        return re.sub("^" if of_all else "^(?=spk03 )", "#", text, flags=re.MULTILINE)

    scores = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    comments = "# enroll test score\n#made by hand\n"
    trials = read(tmp_path, comments + hashed(scores), hashed(key()), **choices)
    assert figures(trials) == is_as(FIGURES)
    told = [one for one in trials.audit.findings if one.code == "begins-like-comment"]
    count, line = (192, 1) if of_all else (24, 73)
    assert [(one.facts["count"], one.facts["line"]) for one in told] == [(count, line + 2), (count, line)]
    assert "comment" in str(trials.files[0].dialect)


@pytest.mark.parametrize("head", ["#enroll test score", "# enroll test score", "#enrol test target"])
def test_a_header_that_is_a_comment_stays_one(tmp_path: Path, head: str) -> None:
    trials = read(tmp_path, lines(lambda a, b, s, _t: f"{a} {b} {s}", f"{head}\n"), f"{head}\n" + key())
    assert (figures(trials), trials.audit.n_key) == (is_as(FIGURES), 192)
    assert "begins-like-comment" not in codes(trials)


def test_ids_that_begin_like_comments_are_read_in_csv(tmp_path: Path) -> None:
    table = lines(lambda a, b, s, t: f"#{a},{b},{s},{t}", "enroll,test,score,label\n")
    trials = read(tmp_path, table)
    assert (figures(trials), codes(trials)) == (is_as(FIGURES), ["begins-like-comment"])


@BOTH_WAYS
def test_whole_numbers_may_be_ids(tmp_path: Path, choices: dict[str, str]) -> None:
    for name in ("scores", "key"):
        shutil.copy(WRITTEN / f"numbered-{name}", tmp_path / name)
    trials = zebra_core.read_trials(tmp_path / "scores", tmp_path / "key", choices=choices)
    assert figures(trials) == is_as((73, 225, 0.389542, 1.744132, 0.151111, 0.449769))


@BOTH_WAYS
def test_a_recording_compared_with_itself_is_left_out_and_told(
    tmp_path: Path, choices: dict[str, str]
) -> None:
    scores, labels = ((WRITTEN / f"self-{name}").read_text() for name in ("scores", "key"))
    trials = read(tmp_path, scores, labels, **choices)
    assert figures(trials) == is_as((36, 270, 0.434463, 2.051153, 0.162963, 0.391884))
    [told] = [one for one in trials.audit.findings if one.code == "self-left-out"]
    assert (told.facts["count"], told.facts["line"]) == (18, 1)
    kept = read(tmp_path, scores, labels, "self-comparisons", **choices)
    assert (kept.audit.n_target, "self-kept" in codes(kept)) == (54, True)


KEPT = {
    "self-speakers": lambda k, m: (f"s{k}", f"s{m}", k == m),
    "self-numbered": lambda k, m: (f"{k}", f"{m + 1}", k % 3 == (m + 1) % 3),
    "self-nontarget": lambda k, m: (f"line{k}", f"line{m}", k // 3 == m % 3),
}
LEFT_OUT = {
    "models called after their recordings": lambda k, m: (f"u{k // 3}", f"u{m}", k // 3 % 3 == m % 3),
    "numbers that are names": lambda k, m: (f"{1000 + 7 * k}", f"{1007 + 7 * m}", k % 3 == (m + 1) % 3),
}


@BOTH_WAYS
@pytest.mark.parametrize("code", [*KEPT, *LEFT_OUT])
def test_equal_ids_that_may_be_those_of_recordings_are_told_in_any_case(
    tmp_path: Path, choices: dict[str, str], code: str
) -> None:
    rows = [{**KEPT, **LEFT_OUT}[code](k, m) for k in range(9) for m in range(9)]
    rows = list(dict.fromkeys(rows))
    table = "".join(f"{a} {b} {n * 37 % 11 + 5 * t}\n" for n, (a, b, t) in enumerate(rows))
    labels = "".join(f"{a} {b} {'target' if t else 'nontarget'}\n" for a, b, t in rows)
    trials = read(tmp_path, table, labels, **choices)
    [told] = [one for one in trials.audit.findings if one.code.startswith("self-")]
    equal = sum(a == b for a, b, _ in rows)
    assert told.facts["count"] == equal > 0
    assert told.code == (code if code in KEPT else "self-left-out")
    assert trials.audit.matched == len(rows) - equal * (code in LEFT_OUT)


@BOTH_WAYS
def test_two_sides_of_a_call_are_two_recordings(tmp_path: Path, choices: dict[str, str]) -> None:
    scores, labels = ((WRITTEN / f"sides-{name}.tsv").read_text() for name in ("scores", "key"))
    said = refusal(tmp_path, scores, labels, **choices)
    assert "has no score in scores; 168 trials in all have none" in said
    same = read(tmp_path, scores.replace("\tb\t", "\ta\t"), labels, **choices)
    other = read(tmp_path, scores.replace("\ta\t", "\tb\t"), labels.replace("\ta\t", "\tb\t"), **choices)
    assert same.audit.matched == other.audit.matched == 192
    plain = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    both = labels.replace("\ta\t", "\tb\t")
    assert "--allow ignore-sides" in refusal(tmp_path, plain, both, **choices)
    assert read(tmp_path, plain, both, "ignore-sides", **choices).audit.matched == 192


# --- scores ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("1", "0"), ("target", "nontarget"), ("1", "-1")])
@BOTH_WAYS
def test_labels_beside_scores_go_line_by_line_and_it_is_said(
    tmp_path: Path, words: tuple[str, str], choices: dict[str, str]
) -> None:
    scores = lines(lambda _a, _b, s, _t: s)
    labels = lines(lambda _a, _b, _s, t: words[t != "target"])
    trials = read(tmp_path, scores, labels, **choices)
    assert (figures(trials), "matched-by-position" in codes(trials)) == (is_as(FIGURES), True)
    fewer = labels.split("\n", 1)[1]
    assert "contains 192 scores, but key 191 labels" in refusal(tmp_path, scores, fewer, **choices)


def test_labels_beside_scores_in_a_folder_are_a_key(tmp_path: Path) -> None:
    (tmp_path / "scores.txt").write_text(lines(lambda _a, _b, s, _t: s))
    (tmp_path / "labels.txt").write_text(lines(lambda _a, _b, _s, t: str(int(t == "target"))))
    [one] = plan([tmp_path]).assessments
    assert (one.scores.reading.choice, one.key.reading.choice) == ("scores-alone", "labels-alone")


@pytest.mark.parametrize("name", ["target-scores.txt", "nontarget-scores.txt", "scores.npy"])
@BOTH_WAYS
def test_scores_given_as_a_key_are_refused(tmp_path: Path, name: str, choices: dict[str, str]) -> None:
    if name.endswith("npy"):
        np.save(tmp_path / name, np.array([float(row[2]) for row in ROWS]))
    else:
        (tmp_path / name).write_text(lines(lambda _a, _b, s, _t: s))
    with pytest.raises(zebra_core.InputError, match="was given as the key, but is"):
        zebra_core.read_trials(WRITTEN / "scores", tmp_path / name, choices={} if "npy" in name else choices)


@pytest.mark.parametrize(
    ("column", "expected"),
    [("plda", FIGURES), ("cosine", (24, 168, 0.061521, 0.51663, 0.470238, 0.913204))],
)
@BOTH_WAYS
def test_which_of_two_columns_of_scores_is_meant_is_asked(
    tmp_path: Path, column: str, expected: tuple[float, ...], choices: dict[str, str]
) -> None:
    table = (WRITTEN / "two-scores.csv").read_text()
    said = refusal(tmp_path, table, **choices)
    assert "scores=table:cosine (table with a header: column “cosine”) or --read scores=table:plda" in said
    assert figures(read(tmp_path, table, scores=f"table:{column}", **choices)) == is_as(expected)


def test_which_of_two_arrays_or_columns_of_parquet_is_meant_is_asked(tmp_path: Path) -> None:
    import pandas as pd

    table = pd.read_csv(WRITTEN / "two-scores.csv")
    table.to_parquet(tmp_path / "s.parquet")
    np.savez(tmp_path / "s.npz", **{name: table[name].to_numpy() for name in ("cosine", "plda", "label")})
    for name, format_ in (("s.parquet", "parquet"), ("s.npz", "npz")):
        with pytest.raises(zebra_core.InputError, match=rf"--read {name}={format_}:cosine \(.*\) or"):
            zebra_core.read_trials(tmp_path / name)
        found = zebra_core.read_trials(tmp_path / name, choices={name: f"{format_}:plda"})
        assert figures(found) == is_as(FIGURES)


@BOTH_WAYS
def test_a_column_called_distance_is_asked_about(tmp_path: Path, choices: dict[str, str]) -> None:
    table = (WRITTEN / "distance.csv").read_text()
    said = refusal(tmp_path, table, key(), **choices)
    assert "in a column called “cosine_distance”" in said
    assert said.endswith("lower means more alike (--allow lower-is-more-alike).")
    expected = (24, 168, 0.093691, 1.447158, 0.386905, 0.867663)
    assert figures(read(tmp_path, table, key(), "reversed", **choices)) == is_as(expected)


@pytest.mark.parametrize("word", ["", "NA", "null", "None", "#N/A", "nan"])
@BOTH_WAYS
def test_a_missing_score_is_decided_as_one_that_is_no_number(
    tmp_path: Path, word: str, choices: dict[str, str]
) -> None:
    rows = [f"{a},{b},{s},{t}\n" for a, b, s, t in ROWS]
    rows[5] = rows[5].replace(ROWS[5][2], word)
    table = "enroll,test,score,label\n" + "".join(rows)
    said = refusal(tmp_path, table, **choices)
    assert said.startswith(f"scores, line 7: the score in “{ROWS[5][0]},{ROWS[5][1]},{word},")
    assert "--allow nan-scores" in said
    assert read(tmp_path, table, None, "nan-scores", **choices).audit.matched == 191


@pytest.mark.parametrize("kind", ["float64", "Int64"])
def test_a_missing_score_in_parquet_is_decided_as_well(tmp_path: Path, kind: str) -> None:
    import pandas as pd

    table = pd.read_csv(WRITTEN / "two-scores.csv").drop(columns="cosine")
    table["plda"] = (1000 * table["plda"]).round().astype(kind)
    table.loc[5, "plda"] = None
    table.to_parquet(tmp_path / "s.parquet")
    with pytest.raises(zebra_core.InputError, match="--allow nan-scores"):
        zebra_core.read_trials(tmp_path / "s.parquet")
    assert zebra_core.read_trials(tmp_path / "s.parquet", allow=["nan-scores"]).audit.matched == 191


def test_scores_that_an_array_has_as_text_are_called_that(tmp_path: Path) -> None:
    np.savez(tmp_path / "s.npz", score=np.array(["many", "0.5"]), label=np.array([1, 0]))
    with pytest.raises(zebra_core.InputError, match="the array score contains “many”, which is text"):
        zebra_core.read_trials(tmp_path / "s.npz")


def test_results_of_an_evaluation_are_neither_scores_nor_a_key(tmp_path: Path) -> None:
    results = ",dataset,split,asr,WER\n0,en,test,anon,8.538\n"
    scores = lines(lambda a, b, s, _t: f"{a} {b} {s}")
    told = "was given as the {}, but is a file with results of an evaluation. Give the"
    assert "key " + told.format("key") in refusal(tmp_path, scores, results)
    assert "scores " + told.format("scores") in refusal(tmp_path, results, key())


@pytest.mark.parametrize("cell", [None, "#N/A", "NA"])
def test_a_missing_score_in_a_workbook_is_decided_as_well(tmp_path: Path, cell: str | None) -> None:
    from openpyxl import Workbook

    rows: list[list[object]] = [["enroll", "test", "label", "score"]]
    rows += [[f"#{a}", b, t, float(s)] for a, b, s, t in ROWS]
    rows[6][3] = cell
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "s.xlsx")
    with pytest.raises(zebra_core.InputError, match="--allow nan-scores"):
        zebra_core.read_trials(tmp_path / "s.xlsx")
    trials = zebra_core.read_trials(tmp_path / "s.xlsx", allow=["nan-scores"])
    assert (trials.audit.matched, "begins-like-comment" in codes(trials)) == (191, True)


def test_what_a_spreadsheet_does_not_know_is_no_id(tmp_path: Path) -> None:
    table = lines(lambda a, b, s, t: f"{a},{b},{s},{t}", "enroll,test,score,label\n").replace(
        "spk01,", "#N/A,", 1
    )
    assert "an id is missing in “#N/A," in refusal(tmp_path, table)


@BOTH_WAYS
def test_labels_that_a_threshold_would_give_are_pointed_out(tmp_path: Path, choices: dict[str, str]) -> None:
    decided = lines(lambda a, b, s, _t: f"{a} {b} {s} {float(s) > 0.25}")
    assert "labels-apart" in codes(read(tmp_path, decided, **choices))
    assert "labels-apart" not in codes(read(tmp_path, TABLES["y_true"], **choices))


# --- sentences ---------------------------------------------------------------------------------------------


@BOTH_WAYS
def test_columns_the_other_way_round_are_offered(tmp_path: Path, choices: dict[str, str]) -> None:
    scores = (WRITTEN / "scores").read_text()
    turned = lines(lambda a, b, _s, t: f"{b} {a} {t}")
    said = refusal(tmp_path, scores, turned, **choices)
    assert said.startswith("In key, enrolment and test stand the other way round than in scores: “spk00”")
    assert said.endswith("(--allow swapped-columns).")
    trials = read(tmp_path, scores, turned, "swapped-columns", **choices)
    assert figures(trials) == is_as(FIGURES)
    assert "mapped-swapped-columns" in codes(trials)


SPELT: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "composed": (lambda name: unicodedata.normalize("NFD", name), "ignore-composition"),
    "mojibake": (lambda name: name.encode().decode("cp1252"), "ignore-encoding"),
    "quotes": (lambda name: f"'{name}'", "ignore-quotes"),
    "folders": (lambda name: f"/there/{name}", "ignore-directories"),
}


@pytest.mark.parametrize("way", SPELT)
@BOTH_WAYS
def test_ids_spelt_differently_are_offered_to_be_joined(
    tmp_path: Path, way: str, choices: dict[str, str]
) -> None:
    spell, decision = SPELT[way]
    scores = lines(lambda a, b, s, _t: f"{spell('Mü' + a)} {spell('Mü' + b)} {s}")
    labels = lines(lambda a, b, _s, t: f"Mü{a} Mü{b} {t}")
    said = refusal(tmp_path, scores, labels, **choices)
    assert said.endswith(f"(--allow {decision}).")
    assert figures(read(tmp_path, scores, labels, decision, **choices)) == is_as(FIGURES)


def test_folders_that_differ_are_ignored_as_far_as_they_do(tmp_path: Path) -> None:
    scores = lines(lambda a, b, s, _t: f"/x/y/{a} /x/y/{b} {s}")
    labels = lines(lambda a, b, _s, t: f"/z/w/{a} /z/w/{b} {t}")
    assert refusal(tmp_path, scores, labels).endswith("(--allow ignore-directories).")
    assert figures(read(tmp_path, scores, labels, "ignore-directories")) == is_as(FIGURES)


@BOTH_WAYS
def test_windows_1252_is_read_as_such(tmp_path: Path, choices: dict[str, str]) -> None:
    scores = lines(lambda a, b, s, _t: f"Š{a} {b} {s}")
    trials = read(tmp_path, scores, scores_to_key(scores).encode("cp1252"), **choices)
    assert figures(trials) == is_as(FIGURES)
    said = refusal(tmp_path, scores, scores_to_key(scores).encode("cp1252").replace(b"\x8a", b"\x81"))
    assert "key, line 1: the byte 0x81 is valid neither in UTF-8 nor in Windows-1252." in said


@BOTH_WAYS
def test_utf_8_with_a_byte_of_another_encoding_is_refused_with_its_line(
    tmp_path: Path, choices: dict[str, str]
) -> None:
    """It would be read as Windows-1252, and Müller as MÃ¼ller."""
    scores = lines(lambda a, b, s, _t: f"Müller-{a} {b} {s}")
    utf_8 = scores_to_key(scores).encode()
    broken = utf_8.replace("ü".encode(), b"\xfc", 5).replace(b"\xfc", "ü".encode(), 4)
    line = broken[: broken.index(b"\xfc")].count(b"\n") + 1
    assert line == 5
    said = refusal(tmp_path, scores, broken, **choices)
    assert f"key, line {line}: the byte 0xfc is not valid in UTF-8" in said
    many = utf_8.replace("ü".encode(), b"\xfc").replace(b"M\xfc", "Mü".encode(), 1)
    assert "key, line 2: the byte 0xfc" in refusal(tmp_path, scores, many, **choices)


def test_utf_8_far_below_a_beginning_in_windows_1252_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zebra_core.intake.streaming.pieces._HEAD", 100)
    monkeypatch.setattr("zebra_core.intake.streaming.pieces.PIECE", 50)
    scores = lines(lambda a, b, s, _t: f"Müller-{a} {b} {s}")
    first, *others = scores_to_key(scores).splitlines(keepends=True)
    key = (first * 7).encode("cp1252") + "".join(others).encode()
    assert "key, line 1: the byte 0xfc is not valid in UTF-8" in refusal(tmp_path, scores, key, **IN_PIECES)


@BOTH_WAYS
def test_windows_1252_in_which_two_bytes_happen_to_be_utf_8_is_read(
    tmp_path: Path, choices: dict[str, str]
) -> None:
    scores = lines(lambda a, b, s, _t: f"Spaß“-Šé-{a} {b} {s}")
    trials = read(tmp_path, scores, scores_to_key(scores).encode("cp1252"), **choices)
    assert figures(trials) == is_as(FIGURES)


def scores_to_key(scores: str) -> str:
    rows = (line.split() for line in scores.splitlines())
    return "".join(f"{a} {b} {label}\n" for (a, b, _), label in zip(rows, LABELS, strict=True))


WHAT_IT_IS = {
    "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n": "holds only a pointer of Git LFS",
    "<!DOCTYPE html>\n<html><body>404</body></html>\n": "is a web page",
    '{"audio_filepath": "a.wav", "duration": 3.9, "label": "b"}\n': "is a speaker map",
    "spk00-u0 /exp/xvector.1.ark:0\nspk00-u1 /exp/xvector.1.ark:9\n": "says where a recording or its",
    "spk00 spk00-u0\nspk00 spk00-u1\nspk01 u\n": "is neither a score nor the label of a trial",
    "a b c d e f\n": "“a b c d e f” is neither a score (enrol test score) nor a trial",
}


@pytest.mark.parametrize("content", WHAT_IT_IS)
def test_what_is_no_list_is_called_what_it_is(tmp_path: Path, content: str) -> None:
    for given in ((content, key()), ((WRITTEN / "scores").read_text(), content)):
        said = refusal(tmp_path, *given)
        assert WHAT_IT_IS[content] in said
        assert "as in the other lines" not in said
