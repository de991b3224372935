"""Files read piece by piece: the same figures, the same findings, the same sentences as in memory."""

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import zebra_core
from zebra_core.document.parts import audit_as_json
from zebra_core.intake.streaming import pieces
from zebra_core.project.reading.reading import assess_files, trials_of

MUSEUM = Path(__file__).parents[3] / "data" / "intake"
STREAMED = {"streaming": "yes"}
FIGURES = ("d_ece_bits", "worst_case_log10_lr", "tag", "eer", "rocch_eer", "cllr_bits", "min_cllr_bits")
MORE = ("linkability", "hits_at", "n_target", "n_nontarget", "misleading", "oracle_misleading")


@cache
def texts() -> tuple[str, str]:
    """8000 trials, the key in another order, a repeat and a score outside the key; lines of 20 bytes."""
    rng = np.random.default_rng(1)
    pairs = [(f"s{a}", f"s{b}-{k}", a == b) for a in range(40) for b in range(40) for k in range(5)]
    lines = [f"{a} {b} {rng.normal() + 2 * same:.2f}" for a, b, same in pairs]
    key = [f"{a} {b} {'target' if same else 'nontarget'}" for a, b, same in pairs]
    rng.shuffle(key)
    return "\n".join([*lines, lines[3], "x y 0.5"]) + "\n", "\n".join(key) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The trials of `texts`, to be spoilt."""
    for name, text in zip(("scores", "key"), texts(), strict=True):
        (tmp_path / name).write_text(text)
    return tmp_path / "scores", tmp_path / "key"


def same_findings(held: zebra_core.Trials, counted: zebra_core.CountedTrials) -> None:
    before, now = audit_as_json(held.audit), audit_as_json(counted.audit)
    assert [one for one in now.pop("findings") if one["code"] != "streamed"] == before.pop("findings")
    assert now == before
    assert counted.files == held.files


def differing(held: zebra_core.Trials, counted: zebra_core.CountedTrials) -> list[str]:
    """The figures, and the profile, that are not the very same."""
    first, second = zebra_core.assess(held), zebra_core.assess(counted)
    names = [name for name in (*FIGURES, *MORE) if getattr(first, name) != getattr(second, name)]
    is_same_profile = np.array_equal(first.profile.actual_bits, second.profile.actual_bits)
    return names if is_same_profile else [*names, "profile"]


@pytest.mark.parametrize("size", [40_000, 8 << 20])
def test_figures_and_findings_are_those_of_trials_in_memory(files, size, monkeypatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", size)
    held, counted = zebra_core.read_trials(*files), zebra_core.read_trials(*files, choices=STREAMED)
    assert isinstance(counted, zebra_core.CountedTrials)
    same_findings(held, counted)
    assert differing(held, counted) == []
    assert str(counted.remarks[-1]).startswith("8\u202f000 trials were read piece by piece")


@pytest.mark.parametrize(
    ("scores", "key"),
    [
        ("kaldi-scores", "kaldi-key"),
        ("kaldi-scores-crlf", "key-in-capitals"),
        ("kaldi-scores-with-comments", "kaldi-key"),
        ("kaldi-scores-bom", "kaldi-key"),
        ("kaldi-scores.gz", "kaldi-key"),
        ("kaldi-scores.xz", "kaldi-key"),
        ("nist-scores.tsv", "nist-key.tsv"),
        ("combined-wespeaker", None),
        ("two-columns-score-word", None),
        ("table.csv", None),
        ("table-semicolon-decimal-comma.csv", None),
    ],
)
def test_pieces_of_the_museum_come_to_the_same(scores: str, key: str | None) -> None:
    paths = (MUSEUM / scores, MUSEUM / key if key else None)
    held, counted = zebra_core.read_trials(*paths), zebra_core.read_trials(*paths, choices=STREAMED)
    assert isinstance(counted, zebra_core.CountedTrials)
    same_findings(held, counted)
    assert differing(held, counted) == []


@pytest.mark.parametrize("name", ["scores", "key"])
def test_a_bad_line_is_told_with_its_number_in_the_file(files, name, monkeypatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 40_000)
    path = files[0].with_name(name)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:7000], "a b", *lines[7000:]]) + "\n")
    with pytest.raises(zebra_core.InputError, match=f"^{name}, line 7001: found 2 columns"):
        zebra_core.read_trials(*files, choices=STREAMED)


@pytest.mark.parametrize(
    ("line", "decision"),
    [("s0 s0-0 nan", "nan-scores"), ("s0 s0-0 inf", "infinite-scores"), ("", "key-lines-without-score")],
)
def test_decisions_hold_as_in_memory(files, line, decision) -> None:
    lines = files[0].read_text().splitlines()
    files[0].write_text("\n".join([line, *lines[1:]]) + "\n")
    sentences = []
    for choices in ({}, STREAMED):
        with pytest.raises(zebra_core.InputError) as refused:
            zebra_core.read_trials(*files, choices=choices)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]
    held = zebra_core.read_trials(*files, allow=[decision])
    counted = zebra_core.read_trials(*files, allow=[decision], choices=STREAMED)
    same_findings(held, counted)
    assert differing(held, counted) == []


def test_a_contradiction_is_refused_with_both_lines(files) -> None:
    with files[1].open("a") as key:
        key.write("s0 s0-0 nontarget\n")
    sentences = []
    for choices in ({}, STREAMED):
        with pytest.raises(zebra_core.InputError) as refused:
            zebra_core.read_trials(*files, choices=choices)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]


def test_single_trials_cannot_be_had_of_counts(files) -> None:
    entry = assess_files(*files, choices=STREAMED)
    with pytest.raises(zebra_core.InputError, match="known only as counts"):
        trials_of(entry)


def test_cancelling_stops_the_reading(files) -> None:
    def stop(share: float) -> None:
        if share > 0.0:
            raise zebra_core.Cancelled

    with pytest.raises(zebra_core.Cancelled):
        zebra_core.read_trials(*files, stop, choices=STREAMED)


def test_counts_in_parquet_are_assessed(files, tmp_path) -> None:
    counts = zebra_core.assess(zebra_core.read_trials(*files)).counts
    columns = {"score": counts.score, "targets": counts.n_target, "nontargets": counts.n_nontarget}
    order = np.random.default_rng(3).permutation(len(counts.score))
    pq.write_table(pa.table({name: column[order] for name, column in columns.items()}), tmp_path / "c")
    assert differing(zebra_core.read_trials(*files), zebra_core.read_trials(tmp_path / "c")) == []


@pytest.mark.parametrize("choices", [{}, STREAMED])
def test_trials_in_parquet_are_those_of_text(files, tmp_path, choices) -> None:
    for name, kind in (("scores", "score"), ("key", "label")):
        rows = [line.split() for line in (tmp_path / name).read_text().splitlines()]
        values = [float(row[2]) if kind == "score" else row[2] for row in rows]
        table = {"enrol": [row[0] for row in rows], "test": [row[1] for row in rows], kind: values}
        pq.write_table(pa.table(table), tmp_path / f"{name}.parquet")
    found = zebra_core.read_trials(tmp_path / "scores.parquet", tmp_path / "key.parquet", choices=choices)
    assert isinstance(found, zebra_core.CountedTrials) == bool(choices)
    assert differing(zebra_core.read_trials(*files), found) == []


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            {"score": [1.0], "targets": [-1], "nontargets": [1]},
            "row 1: -1 in the column “targets”|is not a number",
        ),
        (
            {"score": [None, 1.0], "targets": [1, 1], "nontargets": [1, 1]},
            "line 1: the score in “None 1 1” is not a number",
        ),
        ({"score": ["a"], "targets": [1], "nontargets": [1]}, "which does not fit its name"),
        ({"score": [1.0], "targets": [0.5], "nontargets": [1]}, "which does not fit its name"),
        ({"score": [1.0], "label": ["maybe"], "count": [1]}, "“maybe” means neither"),
        ({"score": [float("nan"), 1.0], "targets": [3, 1], "nontargets": [0, 1]}, "3 "),
        ({"a": [1]}, "which are neither those of trials"),
    ],
)
def test_parquet_that_is_not_right_is_refused_with_a_sentence(tmp_path, columns, said) -> None:
    pq.write_table(pa.table(columns), tmp_path / "counts")
    with pytest.raises(zebra_core.InputError, match=said):
        zebra_core.read_trials(tmp_path / "counts")


def test_parquet_cut_short_is_a_sentence(tmp_path) -> None:
    (tmp_path / "cut").write_bytes(b"PAR1" + bytes(100))
    with pytest.raises(zebra_core.InputError, match="is not a complete Parquet file"):
        zebra_core.read_trials(tmp_path / "cut")


def test_a_bomb_is_refused(tmp_path) -> None:
    line = b"a" * 1000 + b" b 0.5\n"
    (tmp_path / "s.gz").write_bytes(gzip.compress(line * (100 << 10)))
    with pytest.raises(zebra_core.InputError, match="unpacks to more than 400 times"):
        zebra_core.read_trials(tmp_path / "s.gz", MUSEUM / "kaldi-key", choices=STREAMED)


def test_a_pair_listed_over_and_over_is_counted_once(files) -> None:
    with files[0].open("a") as scores, files[1].open("a") as key:
        scores.write("s0 s0-0 7.25\n" * 3000 + "s0 s1-0 9\n" * 2)
        key.write("s0 s0-0 target\n" * 3000)
    lines = files[0].read_text().splitlines()
    lines[0], lines[5] = "s0 s0-0 7.25", "s0 s1-0 9"
    files[0].write_text("\n".join(lines) + "\n")
    held = zebra_core.read_trials(*files)
    found = zebra_core.read_trials(*files, choices=STREAMED)
    same_findings(held, found)
    assert differing(held, found) == []
    assert held.audit.agreeing_repeats == 1 + 3000 + 2 + 3000


def test_contradictions_in_later_rows_are_told_with_the_first_line(files) -> None:
    with files[0].open("a") as scores:
        scores.write("s0 s0-0 7.25\ns3 s1-2 8.5\n" * 1500)
    sentences = []
    for choices in ({}, STREAMED):
        with pytest.raises(zebra_core.InputError) as refused:
            zebra_core.read_trials(*files, choices=choices)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]


def test_ids_are_mapped_as_in_memory(files) -> None:
    files[0].write_text(files[0].read_text().upper())
    for allow in ([], ["ignore-case"]):
        if allow:
            held = zebra_core.read_trials(*files, allow=allow)
            counted = zebra_core.read_trials(*files, allow=allow, choices=STREAMED)
            same_findings(held, counted)
            assert differing(held, counted) == []
            assert "ignore-case" in [one.value for one in counted.audit.decisions]
        else:
            same_refusal(files)


def same_refusal(files, allow=()) -> str:
    sentences = []
    for choices in ({}, STREAMED):
        with pytest.raises(zebra_core.InputError) as refused:
            zebra_core.read_trials(*files, choices=choices, allow=allow)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]
    return sentences[0]


def test_ids_that_a_mapping_would_take_for_one_are_refused_as_in_memory(files) -> None:
    with files[0].open("a") as scores:
        scores.write("S0 s0-0 1.5\n")
    assert "s0" in same_refusal(files, ["ignore-case"])


@pytest.mark.parametrize("size", [40_000, 8 << 20])
@pytest.mark.parametrize("odd", [False, True])  # plain for the engine, or not
def test_labels_of_two_vocabularies_are_told_as_in_memory(files, size, odd, monkeypatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", size)
    _, key = files
    lines = key.read_text().splitlines()
    lines[6000] = lines[6000].rsplit(" ", 1)[0] + (" 1" if lines[6000].endswith(" target") else " 0")
    first, *rest = lines
    key.write_text("\n".join([*(["# made by hand"] if odd else []), first, *rest]) + "\n")
    held, counted = zebra_core.read_trials(*files), zebra_core.read_trials(*files, choices=STREAMED)
    same_findings(held, counted)
    assert f"line {6002 if odd else 6001})" in str(held.audit.findings[0])


def test_labels_of_two_vocabularies_in_parquet_and_in_counts_are_told(tmp_path) -> None:
    score, label = [0.5, 1.5, 2.5, 0.25], ["target", "nontarget", "genuine", "nontarget"]
    ids = {"enrol": ["a", "a", "b", "b"], "test": ["c", "d", "c", "d"]}
    pq.write_table(
        pa.table({**ids, "score": score, "label": label}), tmp_path / "table.parquet", row_group_size=2
    )
    held, counted = (
        zebra_core.read_trials(tmp_path / "table.parquet", choices=choices) for choices in ({}, STREAMED)
    )
    same_findings(held, counted)
    pq.write_table(
        pa.table({"score": score, "label": label, "count": [3, 4, 5, 6]}), tmp_path / "counts.parquet"
    )
    of_counts = zebra_core.read_trials(tmp_path / "counts.parquet")
    for audit in (held.audit, of_counts.audit):
        found = next(one for one in audit.findings if one.code == "labels-mixed")
        assert "“genuine” for target (first in line 3)" in str(found)


def test_labels_of_two_vocabularies_without_ids_are_told_when_streamed(tmp_path) -> None:
    (tmp_path / "scores").write_text("0.5 target\n1.5 nontarget\n2.5 1\n0.25 nontarget\n")
    held, counted = (
        zebra_core.read_trials(tmp_path / "scores", choices=choices) for choices in ({}, STREAMED)
    )
    same_findings(held, counted)
    assert held.audit.findings[0].code == "labels-mixed"
