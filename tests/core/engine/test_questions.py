"""The questions about trials, answered by DuckDB, against answers worked by hand."""

from collections.abc import Iterator

import ibis
import numpy as np
import pytest

from zebra_core.engine import questions
from zebra_core.engine.embedded import EmbeddedEngine, embedded

SCORES = (
    # enrolled, tested, score, label; rows 2 and 3 repeat row 0, one of them contradicts it
    ("a", "a1", 2.0, -1),
    ("a", "b1", 0.0, -1),
    ("a", "a1", 2.0, -1),
    ("a", "a1", 3.0, -1),
    ("b", "b1", np.nan, -1),
    ("b", "b1", np.nan, -1),
    ("b", "a1", -0.0, 1),
    ("c", "x1", 9.0, -1),
    ("a1", "a", 0.5, -1),
)
KEY = (("b", "a1", 0), ("a", "a1", 1), ("a", "b1", 0), ("b", "b1", 1), ("d", "a1", 0), ("a1", "a", 0))


@pytest.fixture(scope="module")
def engine() -> Iterator[EmbeddedEngine]:
    with embedded(1) as opened:
        columns = [np.array(column) for column in zip(*SCORES, strict=True)]
        given = dict(zip(("enrol", "test", "score", "label"), columns, strict=True))
        given |= {"row": np.arange(len(SCORES)), "enrol": given["enrol"].astype(object)}
        given["test"] = given["test"].astype(object)
        opened.new("scores", questions.SCORES)
        said = "SELECT enrol, test, coalesce(score, 'nan'::DOUBLE), label, row FROM given"
        opened.add("scores", said, given=given)
        enrol, test, label = (np.array(column, object) for column in zip(*KEY, strict=True))
        given = {"enrol": enrol, "test": test, "label": label.astype(np.int8), "row": np.arange(len(KEY))}
        opened.new("key", questions.KEY)
        opened.add("key", "SELECT enrol, test, label, row FROM given", given=given)
        yield opened


@pytest.fixture
def scores() -> ibis.Table:
    return ibis.table(questions.SCORES, name="scores")


@pytest.fixture
def key() -> ibis.Table:
    return ibis.table(questions.KEY, name="key")


@pytest.fixture
def trials(scores, key) -> ibis.Table:
    return questions.matched(
        questions.once(scores, questions.repeats(scores, questions.listed_again(scores))), key
    )


def rows(engine: EmbeddedEngine, asked: ibis.Table) -> list[tuple[object, ...]]:
    found = engine.fetch(asked)
    return sorted(zip(*(column.tolist() for column in found.values()), strict=True), key=str)


def test_repeats_agree_or_contradict_the_first_row_of_their_pair(engine, scores) -> None:
    again = questions.repeats(scores, questions.listed_again(scores))
    assert rows(engine, again.select("row", "first", "agrees")) == [(2, 0, True), (3, 0, False), (5, 4, True)]
    assert engine.one(questions.how_many_repeat(again)) == {"agreeing": 2, "contradicting": 1}
    assert rows(engine, questions.once(scores, again).select("row")) == [(0,), (1,), (4,), (6,), (7,), (8,)]


def test_no_repeat_is_nothing_and_not_an_error(engine, key) -> None:
    counted = engine.one(questions.how_many_repeat(questions.repeats(key, questions.listed_again(key))))
    assert counted == {"agreeing": 0, "contradicting": 0}


def test_trials_are_those_of_the_key_with_their_scores(engine, trials) -> None:
    placed = [(0, 6), (1, 0), (2, 1), (3, 4), (5, 8)]
    assert rows(engine, trials.select("place", "row")) == placed
    assert rows(engine, questions.contradicting_labels(trials).select("place")) == [(0,)]


def test_what_the_other_does_not_list_is_found_either_way(engine, scores, key) -> None:
    once = questions.once(scores, questions.repeats(scores, questions.listed_again(scores)))
    assert rows(engine, questions.without(key, once).select("row")) == [(4,)]
    assert rows(engine, questions.without(once, key).select("row")) == [(7,)]


def test_counts_take_both_zeros_for_one_score_and_every_nan_for_another(engine, trials) -> None:
    found = engine.fetch(questions.counts(trials).order_by("score"))
    assert str(found["score"].tolist()) in ("[0.0, 0.5, 2.0, nan]", "[-0.0, 0.5, 2.0, nan]")
    assert found["targets"].tolist() == [0, 0, 1, 1]
    assert found["nontargets"].tolist() == [2, 1, 0, 0]
    assert found["targets"].dtype == np.int64


def test_a_pair_turned_round_is_told_at_its_later_trial(engine, trials) -> None:
    assert rows(engine, questions.turned_round(trials)) == [(5,)]
    assert engine.one(questions.distinct_ids(trials)) == {"enrolments": 3, "tests": 3}


def test_ids_get_codes_and_come_back_in_the_order_of_the_file(engine, scores, key) -> None:
    names = engine.keep("names", questions.names_of(scores, key))
    coded = engine.keep("coded", questions.coded(scores, names, names))
    found = engine.fetch(questions.names_of_side(coded, "enrol", names))
    assert found["name"].tolist() == ["a", "b", "c", "a1"]
    assert sorted(engine.fetch(names)["code"].tolist()) == list(range(7))
    engine.forget("coded", "names")


def test_counts_by_speakers_are_of_bins_and_finite_scores(engine, trials) -> None:
    engine.new("people", {"name": "string", "speaker": "int64"})
    given = {
        "name": np.array(["a", "b", "a1", "b1"], object),
        "speaker": np.array([0, 1, 0, 1]),
    }
    engine.add("people", "SELECT name, speaker FROM given", given=given)
    people = ibis.table({"name": "string", "speaker": "int64"}, name="people")
    exact = questions.counts_by_speakers(trials, people, None)
    expected = [(0, 0, 0, 0.5, 1), (0, 0, 1, 2.0, 1), (0, 1, 0, 0.0, 1), (1, 0, 0, 0.0, 1)]
    assert rows(engine, exact) == expected
    by_bin = questions.coarser_by_speakers(engine.keep("cells", exact), -1)
    assert rows(engine, by_bin) == [(*row[:3], row[3] // 2 * 2, row[4]) for row in expected]
    assert rows(engine, questions.counts_by_speakers(trials, people, -1)) == rows(engine, by_bin)
    engine.forget("cells")


def test_the_rank_of_a_speaker_counts_who_scores_higher_and_who_ties_by_the_best_of_their_enrolments(
    engine,
) -> None:
    """Enrolments a to d of four speakers, e of the first one, f of the second; t, u, v and w of these two."""
    engine.new("ranked", {"enrol": "string", "test": "string", "score": "float64", "label": "int8"})
    given = {
        "enrol": np.array([*"abcde", *"ab", *"bc", *"abef"], object),
        "test": np.array([*"ttttt", *"uu", *"vv", *"wwww"], object),
        "score": np.array([0.5, 2.0, 1.0, np.nan, 1.0, 3.0, 3.0, -1.0, np.inf, 1.0, 3.0, 4.0, 3.5]),
        "label": np.array([1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0], np.int8),
    }
    engine.add("ranked", "SELECT enrol, test, score, label FROM given", given=given)
    schema = {"enrol": "string", "test": "string", "score": "float64", "label": "int8"}
    ranked = ibis.table(schema, name="ranked")
    people = engine.new("heard", {"name": "string", "speaker": "int64"})
    of = {"name": np.array([*"abcdetuvfw"], object), "speaker": np.array([1, 2, 3, 4, 1, 1, 2, 1, 2, 1])}
    engine.add("heard", "SELECT name, speaker FROM given", given=of)
    best = engine.keep("best", questions.best_by_speaker(ranked, people, enrolled_once=False))
    # Of t the mean of a and e is below b and c, who have one enrolment; of w the best of two counts for both.
    # v was not compared with its own speaker.
    assert sorted(rows(engine, questions.ranks(best))) == [(1, 0, 0, 2), (1, 2, 0, 3), (2, 0, 1, 2)]
    engine.forget("best")
    turned = questions.best_by_speaker(ranked, people, enrolled_once=False, lower_is_more_alike=True)
    best = engine.keep("best", turned)
    assert sorted(rows(engine, questions.ranks(best))) == [(1, 0, 0, 2), (1, 0, 0, 3), (2, 0, 1, 2)]
    engine.forget("best")


def test_a_kept_table_comes_in_pieces(engine, scores) -> None:
    kept = engine.keep("kept", scores)
    assert [len(piece["row"]) for piece in engine.pieces("kept", kept, 4)] == [4, 4, 1]
    engine.forget("kept")
