"""Counting elsewhere: the figures of memory, and a sentence for whatever is wrong. DuckDB stands in."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import zebra_core
from zebra_core.engine import elsewhere, embedded
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.audit import Decision
from zebra_core.evidence.counting import ScoreCounter
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.intake.streaming import remote_counting
from zebra_core.intake.streaming.remote_counting import count_elsewhere, read_map, write_counts, write_map
from zebra_core.project.reading.reading import assess_files, study_of, weighable_of
from zebra_core.runtime import memory
from zebra_core.speakers.zoo import ZooScale
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

SCORES = "enrol,test,score\na,b,1.5\na,c,0.5\nd,b,-0.0\nd,c,0\na,b,1.5\nx,y,9\nd,e,nan\n"
KEY = "model,segment,target\na,b,1\na,c,0\nd,b,0\nd,c,true\nd,e,nontarget\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "key.csv").write_text(KEY)
    return tmp_path / "scores.csv", tmp_path / "key.csv"


APART = Decision.NAN_SCORES  # SCORES has one


def counted(files, allow=(), **how) -> remote_counting.Counts:
    return count_elsewhere("duckdb", *map(str, files), [APART, *allow], **how)


def test_counts_and_audit_are_those_of_memory(files, tmp_path) -> None:
    made = counted(files)
    assert made.counts.score[:3].tolist() == [0.0, 0.5, 1.5]
    assert np.isnan(made.counts.score[3])
    assert made.counts.n_target.tolist() == [1, 0, 1, 0]
    assert made.counts.n_nontarget.tolist() == [1, 1, 0, 1]
    record = made.record
    assert (record.n_scores, record.n_key, record.agreeing_repeats) == (7, 5, 1)
    assert (record.scores_without_key, record.key_without_score) == (1, 0)
    write_counts(made, tmp_path / "counts.parquet")
    held = zebra_core.read_trials(*files, allow=["nan-scores"])
    found = zebra_core.read_trials(tmp_path / "counts.parquet", allow=["nan-scores"])
    assert isinstance(found, zebra_core.CountedTrials)
    for name in ("n_scores", "n_key", "matched", "agreeing_repeats", "scores_without_key", "nan_scores"):
        assert getattr(found.audit, name) == getattr(held.audit, name), name
    first, second = zebra_core.assess(held), zebra_core.assess(found)
    assert (first.d_ece_bits, first.eer, first.cllr_bits) == (second.d_ece_bits, second.eer, second.cllr_bits)
    said = [str(one) for one in found.remarks if "says that its trials" in str(one)]
    assert said[0].startswith("counts.parquet says that its trials were matched and counted by DuckDB")


def test_comparisons_of_an_id_with_itself_are_told_of_counts(files, tmp_path) -> None:
    (tmp_path / "scores.csv").write_text(SCORES + "a,a,9\n")
    (tmp_path / "key.csv").write_text(KEY + "a,a,1\n")
    write_counts(counted(files), tmp_path / "counts.parquet")
    found = zebra_core.read_trials(tmp_path / "counts.parquet", allow=["nan-scores"])
    said = [str(one) for one in found.remarks if "with itself" in str(one)]
    assert said[0].startswith(
        "counts.parquet: one of the trials that were counted compares an id with itself"
    )


def test_lists_without_names_and_parquet_are_the_same(files, tmp_path) -> None:
    lists = tmp_path / "s.txt", tmp_path / "k.txt"
    for path, text in zip(lists, (SCORES, KEY), strict=True):
        path.write_text(text.split("\n", 1)[1].replace(",", " "))
    tables = tmp_path / "s.parquet", tmp_path / "k.parquet"
    rows = [line.split(",") for line in SCORES.splitlines()[1:]]
    columns = [list(column) for column in zip(*rows, strict=True)]
    enrol, test, score = columns[0], columns[1], [float(one) for one in columns[2]]
    pq.write_table(pa.table({"enrol": enrol, "test": test, "score": score}), tables[0])
    rows = [line.split(",") for line in KEY.splitlines()[1:]]
    labels = [one[2] in ("1", "true") for one in rows]
    key = {"enrol": [one[0] for one in rows], "test": [one[1] for one in rows], "label": labels}
    pq.write_table(pa.table(key), tables[1])
    expected = counted(files).counts
    for others in (lists, tables):
        found = counted(others).counts
        assert np.array_equal(found.score, expected.score, equal_nan=True)
        assert np.array_equal(found.n_target, expected.n_target)


@pytest.mark.parametrize(
    ("scores", "key", "said"),
    [
        (
            SCORES + "a,b,2\n",
            KEY,
            "One row of scores.csv contradicts an earlier row of the same trial, a b",
        ),
        (SCORES, KEY + "q,r,0\n", "One trial of key.csv has no score in scores.csv: q r"),
        (SCORES, KEY.replace("true", "perhaps"), "“perhaps” in the labels of .*key.csv means neither"),
        (SCORES, KEY.replace("segment", "colour"), "key.csv has no column test"),
        (SCORES.replace("a,c,", "a,,"), KEY, "the column “test” is empty in one row"),
        (SCORES.replace("0.5", "half"), KEY, "cannot do this: .*half"),
    ],
)
def test_what_is_wrong_is_a_sentence(files, scores, key, said) -> None:
    files[0].write_text(scores)
    files[1].write_text(key)
    with pytest.raises(InputError, match=said):
        counted(files)


def test_trials_without_a_score_are_left_out_where_that_was_decided(files) -> None:
    files[1].write_text(KEY + "q,r,0\n")
    assert counted(files, [Decision.KEY_LINES_WITHOUT_SCORE]).record.key_without_score == 1


def test_pairs_that_do_not_fit_into_memory_at_once_are_matched_in_parts(many, monkeypatch) -> None:
    whole, held = paired(many), zebra_core.read_trials(*many)
    parts = []
    run = embedded.EmbeddedEngine._run
    monkeypatch.setattr(
        embedded, "_PAIR", memory.LEAST_GIVEN // 50
    )  # 193 rows of either file: 4, and 8 of both
    monkeypatch.setattr(embedded.EmbeddedEngine, "_run", lambda *asked: parts.append(asked[1]) or run(*asked))
    monkeypatch.setattr(memory, "free_bytes", lambda: 2 * memory.LEAST_GIVEN)
    found = paired(many)
    assert sum("INSERT INTO matched" in asked for asked in parts) == 7
    assert sum("INSERT INTO scores_often" in asked for asked in parts) == 3
    assert (
        sum(asked.startswith("INSERT INTO scores SELECT") for asked in parts) == 4
    )  # 50 of 193 rows at a time
    assert found.record == whole.record
    assert found.counts.score.tolist() == whole.counts.score.tolist()
    assert found.counts.n_target.tolist() == whole.counts.n_target.tolist()
    assert found.pairs is not None
    assert found.pairs.cells["times"].sum() == len(held)
    streamed = zebra_core.read_trials(*many, choices={"streaming": "yes"})
    assert zebra_core.assess(streamed).d_ece_bits == zebra_core.assess(held).d_ece_bits


def test_the_memory_that_is_given_is_what_the_engine_takes_and_only_the_one_in_here_takes_it(files) -> None:
    with embedded.embedded(1, most_memory=200 << 20) as engine:
        assert engine.read("SELECT current_setting('memory_limit') AS n")["n"].tolist() == ["200.0 MiB"]
    assert counted(files, most_memory=200 << 20).record.n_scores == 7
    with pytest.raises(InputError, match="How much memory local takes cannot be said here"):
        count_elsewhere("local", *map(str, files), most_memory=200 << 20)


def test_parquet_in_several_files_is_one_table_whatever_its_columns_are_called(files, tmp_path) -> None:
    rows = [line.split(",") for line in SCORES.splitlines()[1:]]
    for number, some in enumerate((rows[:4], rows[4:])):
        enrol, test, score = (list(column) for column in zip(*some, strict=True))
        given = {"enrol": enrol, "test": test, "score": [float(one) for one in score]}
        given |= {name: [number] * len(some) for name in ("zebra_row", "file_row_number", 'a "b"')}
        pq.write_table(pa.table(given), tmp_path / f"part-{number}.parquet")
    made = count_elsewhere("duckdb", str(tmp_path / "part-*.parquet"), str(files[1]), [APART])
    assert made.led_to == {str(tmp_path / "part-*.parquet"): (2, str(tmp_path.resolve()))}
    assert made.record.agreeing_repeats == 1  # in the second file, of a row in the first
    assert made.counts.n_target.tolist() == counted(files).counts.n_target.tolist()


def test_parquet_that_is_changed_while_it_is_read_is_a_sentence(files, tmp_path, monkeypatch) -> None:
    given = {"enrol": ["a", "a"], "test": ["b", "c"], "score": [1.0, 2.0], "label": [1, 0]}
    pq.write_table(pa.table(given), tmp_path / "s.parquet")
    number = embedded.EmbeddedEngine.keep_numbered

    def late(engine, tables):
        pq.write_table(pa.table(given | {"other": ["b", "c"]}), tmp_path / "s.parquet")
        return number(engine, tables)

    monkeypatch.setattr(embedded.EmbeddedEngine, "keep_numbered", late)
    with pytest.raises(InputError, match=r"s\.parquet was changed while it was being read|cannot do this"):
        count_elsewhere("duckdb", str(tmp_path / "s.parquet"), None)


@pytest.mark.parametrize("name", ["none.csv", "none.parquet", "part-*.parquet", "folder.parquet/"])
def test_a_file_that_is_not_there_is_a_sentence_about_that_file(files, tmp_path, name) -> None:
    (tmp_path / "folder.parquet").mkdir()
    said = "folder.parquet is a folder" if "folder" in name else f"{re.escape(name)}.* was not found in"
    with pytest.raises(InputError, match=said):
        count_elsewhere("duckdb", f"{tmp_path}/{name}", str(files[1]))


def test_ids_that_are_too_many_to_be_numbered_stay_texts(files, monkeypatch) -> None:
    numbered = counted(files)
    monkeypatch.setattr(embedded, "_ID", 1 << 50)
    assert counted(files).record == numbered.record


def test_tables_of_a_database_are_counted_as_lists_are_and_nothing_is_written_into_it(
    files, tmp_path
) -> None:
    with duckdb.connect(str(tmp_path / "it's.duckdb")) as database:
        database.execute("CREATE SCHEMA study")
        for name, path in zip(("scores", "trials"), files, strict=True):
            database.execute(f"CREATE TABLE study.{name} AS FROM read_csv(?)", [str(path)])
    before = (tmp_path / "it's.duckdb").read_bytes()
    made = count_elsewhere(f"duckdb://{tmp_path}/it's.duckdb", "study.scores", "study.trials", [APART])
    expected = counted(files)
    assert made.counts.n_target.tolist() == expected.counts.n_target.tolist()
    assert made.record.agreeing_repeats == expected.record.agreeing_repeats
    assert (tmp_path / "it's.duckdb").read_bytes() == before


@pytest.mark.parametrize("called", ["scores", "main.scores", "SCORES"])
def test_a_view_that_reads_a_file_of_the_user_is_refused(files, tmp_path, called) -> None:
    (tmp_path / "diary").write_text("what must not leave")
    with duckdb.connect(str(tmp_path / "evil.db")) as database:
        letters = f"read_text('{tmp_path / 'diary'}'), range(1, 20) r(i)"
        told = "'e' || i AS enrol, 't' || i AS test, unicode(substr(content, i, 1))::DOUBLE AS score"
        database.execute(f"CREATE VIEW scores AS SELECT {told} FROM {letters}")  # noqa: S608
    with pytest.raises(InputError, match=r"of evil\.db is a view, not a table"):
        count_elsewhere(f"duckdb://{tmp_path}/evil.db", called, str(files[1]))


@pytest.mark.parametrize(
    ("url", "table", "said"),
    [
        ("duckdb://nowhere.duckdb", "scores", "nowhere.duckdb was not found in"),
        ("duckdb://scores.csv", "scores", r"scores\.csv is not a database that can be opened here: The file"),
        (
            "sqlite://scores.csv",
            "scores",
            "is not a database that can be opened here: file is not a database",
        ),
        ("sqlite://nowhere.sqlite", "scores", r"nowhere\.sqlite was not found in"),
        ("file://scores.csv", "scores", "is not a known engine"),
        ("duckdb", "scores", "has no tables of its own"),
    ],
)
def test_a_database_that_is_none_is_a_sentence(files, tmp_path, monkeypatch, url, table, said) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=said):
        count_elsewhere(url, table, str(files[1]))


def test_labels_of_the_scores_do_without_a_key(tmp_path) -> None:
    (tmp_path / "both.csv").write_text("enrol,test,score,label\na,b,1,target\na,c,0,nontarget\n")
    made = count_elsewhere("duckdb", str(tmp_path / "both.csv"), None)
    assert made.counts.n_target.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sparkle", "“sparkle” is not a known engine"),
        ("local", r"needs packages that are not installed: pip install zebra-privacy\[spark\]"),
        ("trino://nowhere", r"pip install 'ibis-framework\[trino\]'"),
    ],
)
def test_an_engine_that_is_not_there_is_a_sentence(files, url, said, monkeypatch) -> None:
    monkeypatch.setattr(elsewhere, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=said):
        count_elsewhere(url, *map(str, files))


def test_an_engine_that_is_silent_is_not_waited_for() -> None:
    from threading import Event

    with pytest.raises(InputError, match="has not answered within 1 second"):
        elsewhere.in_time("spark://nowhere", Event().wait, 1.0, lambda _: None)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Table not found: a\nat line 1", "Table not found: a"),
        (
            "An error occurred while calling o4.count.\n: Aborted\nat b\nCaused by: X\nCaused by: No space",
            "No space",
        ),
        ("An error occurred while calling o47.count.\n: Job aborted\n\tat a.b", "Job aborted"),
        ("", ""),
    ],
)
def test_of_what_java_says_the_cause_is_told(said, reason) -> None:
    assert elsewhere.reason_in(said) == reason


def test_waiting_is_stopped_when_the_user_asks_for_it() -> None:
    from threading import Event

    def stop(_: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        elsewhere.in_time("spark://nowhere", Event().wait, 10.0, stop)


def test_too_many_scores_are_rounded_as_they_are_here(tmp_path, monkeypatch) -> None:
    score = np.random.default_rng(2).normal(size=400)
    lines = [
        f"{value!r},a{n},b,{'target' if n % 3 else 'nontarget'}" for n, value in enumerate(score.tolist())
    ]
    (tmp_path / "s.csv").write_text("score,enrol,test,label\n" + "\n".join(lines) + "\n")
    monkeypatch.setattr(remote_counting, "MOST_DISTINCT", 100)
    monkeypatch.setattr(remote_counting, "MOST_BINS", 50)
    made = count_elsewhere("duckdb", str(tmp_path / "s.csv"), None)
    counter = ScoreCounter(100, 50)
    counter.add(score, np.arange(400) % 3 > 0)
    here = counter.counted()
    assert made.record.width == here.width > 0
    assert np.array_equal(made.counts.score, here.counts.score)
    assert np.array_equal(made.counts.n_target, here.counts.n_target)
    write_counts(made, tmp_path / "counts.parquet")
    assert zebra_core.read_trials(tmp_path / "counts.parquet").width == here.width


@pytest.mark.parametrize("said", ["{", "[]", '{"engine": 1}', "\ufffd", '{"width": -1}'])
def test_a_record_that_is_none_is_refused(tmp_path, said) -> None:
    table = pa.table({"score": [1.0, 2.0], "targets": [0, 1], "nontargets": [1, 0]})
    pq.write_table(table.replace_schema_metadata({"zebra": said}), tmp_path / "counts.parquet")
    with pytest.raises(InputError, match="how its trials were counted cannot be read"):
        zebra_core.read_trials(tmp_path / "counts.parquet")


def test_a_record_that_says_too_much_of_a_number_is_refused(files, tmp_path) -> None:
    record = asdict(counted(files).record) | {"n_scores": -1}
    table = pa.table({"score": [1.0, 2.0], "targets": [0, 1], "nontargets": [1, 0]})
    pq.write_table(table.replace_schema_metadata({"zebra": json.dumps(record)}), tmp_path / "counts.parquet")
    with pytest.raises(InputError, match="how its trials were counted cannot be read"):
        zebra_core.read_trials(tmp_path / "counts.parquet")


# --- for each pair of speakers -----------------------------------------------------------------------------


def paired(files, url: str = "duckdb", **how) -> remote_counting.Counts:
    return count_elsewhere(url, *map(str, files), by_speakers=remote_counting.SpeakerCounting(**how))


@pytest.fixture
def many(tmp_path: Path) -> tuple[Path, Path]:
    """8 speakers, each against 3 segments of each; one segment more, whose speaker nobody knows."""
    rng = np.random.default_rng(5)
    pairs = [(f"s{a}", f"s{b}-{k}", int(a == b)) for a in range(8) for b in range(8) for k in range(3)]
    pairs.append(("s0", "z", 0))
    scores = [f"{a},{b},{rng.normal() + 2 * same:.1f}" for a, b, same in pairs]
    key = [f"{a},{b},{same}" for a, b, same in pairs]
    (tmp_path / "many.csv").write_text("enrol,test,score\n" + "\n".join(scores) + "\n")
    (tmp_path / "many-key.csv").write_text("enrol,test,label\n" + "\n".join(key) + "\n")
    return tmp_path / "many.csv", tmp_path / "many-key.csv"


def test_pairs_of_speakers_come_back_under_codes_and_bear_intervals(many, tmp_path) -> None:
    made = paired(many)
    assert made.pairs is not None
    assert (made.record.speakers, made.record.unknown, made.record.width_by_speakers) == (9, 1, 0.0)
    assert sorted(made.pairs.code_of) == [*(f"s{number}" for number in range(8)), "z"]
    path = tmp_path / "counts.parquet"
    write_counts(made, path)
    assert {str(kind) for kind in pq.read_schema(path).types} == {"double", "int64"}
    assert "s0" not in pq.read_schema(path).metadata[b"zebra"].decode()
    entry, held = assess_files(path), assess_files(*many)
    assert [str(one) for one in entry.assessment.remarks if "for each pair of 8 speakers" in str(one)]
    assert entry.assessment.d_ece_bits == held.assessment.d_ece_bits
    found, streamed = weighable_of(entry), weighable_of(assess_files(*many, choices={"streaming": "yes"}))
    assert isinstance(found, SpeakerCounts)
    trusts = [trust_of(one, held.assessment, BootstrapSettings(20), deals=20) for one in (found, streamed)]
    first, second = (trust.uncertainty.figures["d_ece_bits"].draws.tolist() for trust in trusts)
    assert first == second  # speakers are in the order of their scores, whatever they are called
    names = {str(code): name for name, code in made.pairs.code_of.items()}
    zoos = [study_of(each).zoo(ZooScale.SCORE) for each in (entry, held)]
    means = [dict(zip(zoo.speakers, zoo.target_mean.tolist(), strict=True)) for zoo in zoos]
    assert {names[code]: mean for code, mean in means[0].items()} == pytest.approx(means[1], rel=1e-12)


def test_another_counting_keeps_the_codes_and_can_be_compared(many) -> None:
    first, second = paired(many), paired(many)
    assert first.pairs is not None
    assert second.pairs is not None
    assert not set(first.pairs.code_of.values()) & set(second.pairs.code_of.values())
    again = paired(many, codes=first.pairs.code_of)
    assert again.pairs is not None
    assert again.pairs.code_of == first.pairs.code_of


def test_a_map_is_read_as_it_was_written_and_nothing_else_is(tmp_path) -> None:
    codes = {"a,b": 7, "ü": 5}
    write_map(codes, tmp_path / "codes.csv")
    assert read_map(tmp_path / "codes.csv") == codes
    for wrong in ("code,speaker\n5,a\n5,b\n", "speaker,code\n", "code,speaker\n0,a\n", "code,speaker\nx,a\n"):
        (tmp_path / "codes.csv").write_text(wrong)
        with pytest.raises(InputError, match="is not a map of codes"):
            read_map(tmp_path / "codes.csv")


def test_a_table_says_who_speaks(many, tmp_path) -> None:
    (tmp_path / "who.csv").write_text("segment,speaker\nz,s1\n")
    assert paired(many, speakers=str(tmp_path / "who.csv")).record.unknown == 0
    (tmp_path / "who.csv").write_text("segment,speaker,sex\nz,s1,f\n")
    with pytest.raises(InputError, match="but a speaker map has two"):
        paired(many, speakers=str(tmp_path / "who.csv"))


def test_one_table_may_be_scores_and_key_beside_a_list_of_speakers(tmp_path) -> None:
    (tmp_path / "both.csv").write_text("enrol,test,score,label\na,b,1,target\na,c,0,nontarget\n")
    (tmp_path / "who.csv").write_text("segment,speaker\nb,a\nc,d\n")
    both = str(tmp_path / "both.csv")
    for key in (both, None):
        who = remote_counting.SpeakerCounting(speakers=str(tmp_path / "who.csv"))
        made = count_elsewhere("duckdb", both, key, by_speakers=who)
        assert made.counts.n_target.tolist() == [0, 1]
        assert (made.record.speakers, made.record.unknown) == (2, 0)


def test_too_many_pairs_come_in_wider_bins_and_then_are_refused(many, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(remote_counting, "BINS", 64)
    monkeypatch.setattr(remote_counting, "_FEWEST_BINS", 4)
    monkeypatch.setattr(remote_counting, "MOST_CELLS", 170)
    made = paired(many)
    assert made.record.width_by_speakers == 0.5
    write_counts(made, tmp_path / "counts.parquet")
    assert weighable_of(assess_files(tmp_path / "counts.parquet")).width == 0.5
    monkeypatch.setattr(remote_counting, "MOST_CELLS", 10)
    with pytest.raises(InputError, match="counts for pairs of speakers even in wide bins"):
        paired(many)
    monkeypatch.setattr(remote_counting, "MOST_IDS", 7)
    with pytest.raises(InputError, match="There are 8 distinct ids"):
        paired(many)


def test_pairs_that_are_not_of_the_same_trials_are_refused(many, tmp_path) -> None:
    write_counts(paired(many), tmp_path / "counts.parquet")
    table = pq.read_table(tmp_path / "counts.parquet")
    columns = {name: table[name].to_numpy().copy() for name in table.column_names}
    columns["nontargets"][-1] += 1
    changed = pa.table(columns).replace_schema_metadata(table.schema.metadata)
    pq.write_table(changed, tmp_path / "changed.parquet")
    entry = assess_files(tmp_path / "changed.parquet")
    with pytest.raises(InputError, match="do not add up to those of all trials"):
        weighable_of(entry)
