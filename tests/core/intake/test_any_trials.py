"""Laws: any trials in any format read back the same, and any bytes at all end in trials or a sentence."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import zebra_core
from zebra_core.errors import ZebraError
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import OpenedFile, Source, open_all
from zebra_core.intake.sorting.plan import audit_planned, plan
from zebra_core.intake.tables.columns import ColumnType, read_columns, read_text

MUSEUM = Path(__file__).parents[2] / "data" / "intake"
Row = tuple[str, str, float, bool]

letters = st.characters(categories=("L", "N", "Pc", "Pd"), include_characters="./@")
names = st.text(letters, min_size=1).map(lambda name: f"x{name}")
finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def trials(draw: st.DrawFn) -> list[Row]:
    """Distinct pairs with a score, both classes among them, and one score that is no whole number."""
    pairs = draw(st.lists(st.tuples(names, names), min_size=3, max_size=12, unique=True))
    labels = [True, False, *draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))]
    scores = [0.5, -2.25, *draw(st.lists(finite, min_size=len(pairs), max_size=len(pairs)))]
    return [(a, b, scores[n], labels[n]) for n, (a, b) in enumerate(pairs)]


def word(label: bool) -> str:
    return "target" if label else "nontarget"


def lines(rows: list[Row], write: Callable[[str, str, float, bool], str]) -> bytes:
    return "".join(f"{write(*row)}\n" for row in rows).encode()


def npz(rows: list[Row]) -> bytes:
    stream = io.BytesIO()
    enrol, test, score, label = zip(*rows, strict=True)
    np.savez(stream, enroll_id=enrol, test_id=test, score=score, label=[int(one) for one in label])
    return stream.getvalue()


def zipped(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores", content)
    return stream.getvalue()


WITH_IDS = {
    "combined": lambda rows: lines(rows, lambda a, b, s, t: f"{a} {b} {s!r} {word(t)}"),
    "label then score": lambda rows: lines(rows, lambda a, b, s, t: f"{a} {b} {word(t)} {s!r}"),
    "label first": lambda rows: lines(rows, lambda a, b, s, t: f"{int(t)} {a} {b} {s!r}"),
    "CSV": lambda rows: (
        b"enrol,test,score,label\n" + lines(rows, lambda a, b, s, t: f"{a},{b},{s!r},{word(t)}")
    ),
    "TSV": lambda rows: (
        b"label\tscore\ttest\tenrol\n" + lines(rows, lambda a, b, s, t: f"{int(t)}\t{s!r}\t{b}\t{a}")
    ),
    "decimal comma": lambda rows: (
        b"enrol;test;score;label\n"
        + lines(
            rows, lambda a, b, s, t: f"{a};{b};{s!r};{word(t)}".replace(repr(s), repr(s).replace(".", ","))
        )
    ),
    "quoted CSV": lambda rows: (
        b'"enrol","test","score","label"\n'
        + lines(rows, lambda a, b, s, t: f'"{a}","{b}","{s!r}","{word(t)}"')
    ),
    "npz": npz,
}
WITHOUT_IDS = {
    "score word": lambda rows: lines(rows, lambda _a, _b, s, t: f"{s!r} {word(t)}"),
    "word score": lambda rows: lines(rows, lambda _a, _b, s, t: f"{word(t)} {s!r}"),
    "score 0/1": lambda rows: lines(rows, lambda _a, _b, s, t: f"{s!r} {int(t)}"),
    "±1 score": lambda rows: lines(rows, lambda _a, _b, s, t: f"{1 if t else -1} {s!r}"),
    "bob": lambda rows: lines(rows, lambda a, _b, s, t: f"{a} {a if t else 'nobody'} x {s!r}"),
}
PAIRS = {
    "Kaldi": (
        lambda rows: lines(rows, lambda a, b, s, _t: f"{a} {b} {s!r}"),
        lambda rows: lines(rows, lambda a, b, _s, t: f"{a} {b} {word(t)}"),
    ),
    "score first, label first": (
        lambda rows: lines(rows, lambda a, b, s, _t: f"{s!r} {a} {b}"),
        lambda rows: lines(rows, lambda a, b, _s, t: f"{int(t)} {a} {b}"),
    ),
    "NIST": (
        lambda rows: (
            b"modelid\tsegmentid\tside\tLLR\n" + lines(rows, lambda a, b, s, _t: f"{a}\t{b}\ta\t{s!r}")
        ),
        lambda rows: (
            b"modelid\tsegmentid\tside\ttargettype\n"
            + lines(rows, lambda a, b, _s, t: f"{a}\t{b}\ta\t{word(t)}")
        ),
    ),
    "Kaldi, key with ASVspoof metadata": (
        lambda rows: lines(rows, lambda a, b, s, _t: f"{a} {b} {s!r}"),
        lambda rows: lines(rows, lambda a, b, _s, t: f"{a} {b} alaw ita_tx bonafide {word(t)} notrim eval"),
    ),
}
PACKED = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zip": zipped,
    "zip of gz": lambda content: zipped(gzip.compress(content)),
}
WRITTEN = {
    "UTF-8": lambda content: content,
    "BOM": lambda content: b"\xef\xbb\xbf" + content,
    "UTF-16": lambda content: content.decode().encode("utf-16"),
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "CR": lambda content: content.replace(b"\n", b"\r"),
    "comments": lambda content: b"# by a tool\n" + content + b"#end",
}

relaxed = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def as_rows(found: zebra_core.Trials) -> list[Row]:
    assert found.enrol is not None
    assert found.test is not None
    return [
        (found.enrol[n], found.test[n], score, label)
        for n, (score, label) in enumerate(zip(found.score.tolist(), found.is_target.tolist(), strict=True))
    ]


@pytest.mark.parametrize("form", WITH_IDS)
@given(rows=trials(), packed=st.sampled_from(list(PACKED)), written=st.sampled_from(list(WRITTEN)))
@relaxed
def test_trials_in_one_file_read_back_the_same(
    tmp_path: Path, form: str, rows: list[Row], packed: str, written: str
) -> None:
    content = WITH_IDS[form](rows)
    if form != "npz":
        content = PACKED[packed](WRITTEN[written](content))
    (tmp_path / "file").write_bytes(content)
    assert as_rows(zebra_core.read_trials(tmp_path / "file")) == rows


@pytest.mark.parametrize("form", WITHOUT_IDS)
@given(rows=trials())
@relaxed
def test_scores_with_labels_and_no_ids_read_back_the_same(tmp_path: Path, form: str, rows: list[Row]) -> None:
    (tmp_path / "file").write_bytes(WITHOUT_IDS[form](rows))
    found = zebra_core.read_trials(tmp_path / "file")
    assert found.score.tolist() == [row[2] for row in rows]
    assert found.is_target.tolist() == [row[3] for row in rows]


@pytest.mark.parametrize("form", PAIRS)
@given(rows=trials(), order=st.randoms(), written=st.sampled_from(list(WRITTEN)))
@relaxed
def test_trials_in_two_files_read_back_the_same(
    tmp_path: Path, form: str, rows: list[Row], order: object, written: str
) -> None:
    write_scores, write_key = PAIRS[form]
    shuffled = rows[:]
    order.shuffle(shuffled)
    (tmp_path / "scores").write_bytes(WRITTEN[written](write_scores(shuffled)))
    (tmp_path / "key").write_bytes(write_key(rows))
    assert as_rows(zebra_core.read_trials(tmp_path / "scores", tmp_path / "key")) == rows


def told_of(path: Path) -> list[str]:
    """What is said of a file on its way to trials; anything but that is a traceback, and fails the test."""
    made = plan([path])
    told = [str(problem.error) for problem in made.problems]
    for planned in made.assessments:
        try:
            told += [str(finding) for finding in audit_planned(planned)[1].findings]
        except ZebraError as error:
            told.append(str(error))
    try:
        zebra_core.read_trials(path, path)
    except ZebraError as error:
        told.append(str(error))
    return told


def fits_on_a_line(sentence: str) -> bool:
    return bool(sentence) and "\n" not in sentence


@given(content=st.binary(max_size=300))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_end_in_trials_or_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert all(map(fits_on_a_line, told_of(tmp_path / "file")))


@given(content=st.text("ab019.,;:-+#\"' \t\n\r=eEnixſ\u2028\u00a0\ufeff", max_size=200))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_ends_in_trials_or_a_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "file").write_text(content, encoding="utf-8", newline="")
    assert all(map(fits_on_a_line, told_of(tmp_path / "file")))


@given(
    name=st.sampled_from(sorted(str(p.relative_to(MUSEUM)) for p in MUSEUM.rglob("*") if p.is_file())),
    cut=st.integers(0, 4000),
    flips=st.lists(st.tuples(st.integers(0, 4000), st.integers(1, 255)), max_size=4),
    pack=st.sampled_from(list(PACKED)),
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_damaged_pieces_of_the_museum_end_in_trials_or_a_sentence(
    tmp_path: Path, name: str, cut: int, flips: list[tuple[int, int]], pack: str
) -> None:
    content = bytearray(PACKED[pack]((MUSEUM / name).read_bytes()))
    content = content[: len(content) - cut] if 0 < cut < len(content) else content
    for place, change in flips:
        if content:
            content[place % len(content)] ^= change
    (tmp_path / "file").write_bytes(content)
    assert all(map(fits_on_a_line, told_of(tmp_path / "file")))


number_like = st.one_of(
    st.text("0123456789.,eE+-_xinfatrues ", max_size=8),
    finite.map(repr),
    st.sampled_from(
        ["inf", "-Infinity", "nan", "true", "1e400", "-1e-400", "0x1p3", ".", "+", "1.", ".5", "٣"]
    ),
)


@given(cells=st.lists(number_like, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_the_fast_look_says_what_the_slow_look_says(cells: list[str]) -> None:
    content = "".join(f"a{n} b {cell}\n" for n, cell in enumerate(cells)).encode()
    text = read_text(OpenedFile(Source(Path("f")), content, 0, ""))
    kinds = [ColumnType.ID, ColumnType.ID, ColumnType.NUMBER]
    slow = [text.dialect.number(line.cells[2]) if len(line.cells) == 3 else None for line in text.all_lines()]
    if all(
        value is not None and ("n" in cell or not np.isinf(value))
        for value, cell in zip(slow, cells, strict=True)
    ):
        np.testing.assert_array_equal(read_columns(text, kinds)[2], slow)
    else:
        with pytest.raises(zebra_core.InputError):
            read_columns(text, kinds)


def test_the_museum_ends_well_as_a_whole() -> None:
    made = plan([MUSEUM])
    told = [str(problem.error) for problem in (*made.problems, *made.ignored)]
    assert len(told) >= 20
    assert all("\n" not in sentence for sentence in told)


def test_long_files_are_read_in_pieces_that_fit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zebra_core.intake.tables.columns._PIECE_BYTES", 64)
    rows = [(f"s{n % 7}", f"u{n}", n / 8 - 3.125) for n in range(100)]
    (tmp_path / "scores").write_text("".join(f"{a} {b} {s}\n" for a, b, s in rows))
    [file] = open_all(tmp_path / "scores")
    table = recognise(file).read()
    assert [(table.enrol[n], table.test[n], table.score[n]) for n in range(100)] == rows
    frame = pd.read_csv(tmp_path / "scores", sep=" ", header=None)
    assert table.score.tolist() == frame[2].tolist()
