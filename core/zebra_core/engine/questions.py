"""The questions about trials, once for every engine: expressions of Ibis over tables of scores and of a key.

A table of scores has the columns of SCORES, a key those of KEY. Ids are texts or codes; a label is 1 for
target, 0 for nontarget, −1 where none is given; a row is its number in its file, from 0, and where an engine
knows no rows any number that orders them. A score may be NaN, which equals NaN here, or infinite.
"""

from __future__ import annotations

import ibis
from ibis.expr.types import Table

ENROL, TEST, SCORE, LABEL, ROW = "enrol", "test", "score", "label", "row"
PAIR = (ENROL, TEST)
SCORES = {ENROL: "string", TEST: "string", SCORE: "float64", LABEL: "int8", ROW: "int64"}
KEY = {ENROL: "string", TEST: "string", LABEL: "int8", ROW: "int64"}
COUNTS = {SCORE: "float64", "targets": "int64", "nontargets": "int64"}
CELLS = {"enrolled": "int64", "heard": "int64", LABEL: "int8", SCORE: "float64", "times": "int64"}
NAMES = {"code": "int64", "name": "string"}
_COUNTED = "listed"


# --- ids ---------------------------------------------------------------------------------------------------


def names_of(*tables: Table) -> Table:
    """Every distinct id of these tables with a code of its own: columns `code` and `name`."""
    sides = [table.select(name=table[side]) for table in tables for side in PAIR]
    distinct = ibis.union(*sides, distinct=True)
    return distinct.select(ibis.row_number().name("code"), distinct["name"])


def names_of_side(table: Table, side: str, names: Table) -> Table:
    """The distinct ids of one side, columns `code` and `name`, by the first row that has them."""
    first = table.group_by(side).agg(first=table[ROW].min())
    found = first.inner_join(names, first[side] == names["code"])
    return found.order_by("first").select(names["code"], names["name"])


def coded(table: Table, of_enrol: Table, of_test: Table) -> Table:
    """The rows of a table with codes instead of ids: `of_enrol` and `of_test` have columns `code`, `name`."""
    enrol, test = of_enrol.view(), of_test.view()
    joined = table.inner_join(enrol, table[ENROL] == enrol["name"]).select(
        *(table[name] for name in table.columns if name != ENROL), enrol["code"].name(ENROL)
    )
    both = joined.inner_join(test, joined[TEST] == test["name"])
    others = [joined[name] for name in table.columns if name not in PAIR]
    return both.select(joined[ENROL], test["code"].name(TEST), *others)


# --- repeats -----------------------------------------------------------------------------------------------


def listed_again(table: Table) -> Table:
    """The pairs that a table lists more than once: mostly none, so that no more is asked of all of them."""
    pairs = table.group_by(*PAIR).agg(table.count().name(_COUNTED))
    return pairs.filter(pairs[_COUNTED] > 1).drop(_COUNTED)


def repeats(table: Table, often: Table) -> Table:
    """The rows whose pair stands in an earlier row of the same table; `often` are those listed again.

    Columns: the pair, `row`, `first`, the first row of the pair, and `agrees`, whether both say the same.
    """
    listed = table.inner_join(often, PAIR)
    rows = listed.inner_join(listed.group_by(*PAIR).agg(first=listed[ROW].min()), PAIR)
    said = [name for name in (SCORE, LABEL) if name in table.columns]
    firsts = rows.filter(rows[ROW] == rows["first"]).select(
        *PAIR, *(rows[name].name(f"first_{name}") for name in said)
    )
    again = rows.filter(rows[ROW] != rows["first"]).inner_join(firsts, PAIR)
    agrees = again[LABEL] == again["first_label"]
    if SCORE in said:
        agrees &= _is_same(again[SCORE], again["first_score"])
    return again.select(*PAIR, ROW, "first", agrees=agrees)


def how_many_repeat(repeated: Table) -> Table:
    """One row: how many repeats agree with the first row of their pair, and how many contradict it."""
    agrees = repeated["agrees"]
    return repeated.agg(agreeing=_how_many(agrees), contradicting=_how_many(~agrees))


def once(table: Table, repeated: Table) -> Table:
    """The first row of each pair."""
    return table.anti_join(repeated.select(ROW), ROW)


def _is_same(left: ibis.Value, right: ibis.Value) -> ibis.Value:
    return (left == right) | (left.isnan() & right.isnan())


def with_itself(table: Table) -> Table:
    """The rows that compare an id with itself."""
    return table.filter(table[ENROL] == table[TEST])


def with_others(table: Table) -> Table:
    """The rows that compare two ids."""
    return table.filter(table[ENROL] != table[TEST])


# --- matching ----------------------------------------------------------------------------------------------


def matched(scores: Table, key: Table) -> Table:
    """The trials of the key with their scores; neither table lists a pair twice any more.

    Columns: the pair, `score`, `label`, `said`, the label in the file of the scores, `row`, that of the
    score, and `place`, the row of the key, which orders the trials.
    """
    rows = key.rename(place=ROW).inner_join(scores.rename(said=LABEL), PAIR)
    return rows.select(*PAIR, SCORE, LABEL, "said", ROW, "place")


def labelled(scores: Table) -> Table:
    """Scores that carry their labels, with two columns of `matched` added: `said`, the label, and `place`."""
    return scores.mutate(said=scores[LABEL], place=scores[ROW])


def without(table: Table, other: Table) -> Table:
    """The rows of a table whose pair the other table does not list."""
    return table.anti_join(other.select(*PAIR), PAIR)


def contradicting_labels(trials: Table) -> Table:
    """The trials whose label in the file of the scores is not that of the key."""
    return trials.filter((trials["said"] >= 0) & (trials["said"] != trials[LABEL]))


# --- counts ------------------------------------------------------------------------------------------------


def counts(trials: Table) -> Table:
    """How many target and nontarget trials got each distinct score, NaN and infinities among them."""
    targets = trials[LABEL].cast("int64")
    return trials.group_by(SCORE).agg(targets=_sum(targets), nontargets=_sum(1 - targets))


def rounded(counts: Table, exponent: int) -> Table:
    """Counts of finite scores rounded down to multiples of 2 to the power of −exponent; others stay."""
    finite = counts.filter(_is_finite(counts[SCORE]))
    binned = finite.mutate(score=_down(finite[SCORE], exponent))
    others = counts.filter(~_is_finite(counts[SCORE]))
    sums = binned.group_by(SCORE).agg(targets=_sum(binned["targets"]), nontargets=_sum(binned["nontargets"]))
    return sums.union(others.select(*sums.columns))


def counts_by_speakers(trials: Table, speaker_of: Table, exponent: int | None) -> Table:
    """How many trials compare each pair of speakers, by class and score; of scores that are numbers.

    `speaker_of` has for each id its speaker, both as the trials have them, in `name` and `speaker`; ids that
    it does not list are left out. Finite scores are rounded down to multiples of 2 to the power of −exponent,
    None leaves each as it is. Columns: those of CELLS.
    """
    enrolled, heard = speaker_of.view(), speaker_of.view()
    numbers = trials.filter(~trials[SCORE].isnan())
    first = numbers.inner_join(enrolled, numbers[ENROL] == enrolled["name"]).select(
        numbers[TEST], numbers[SCORE], numbers[LABEL], enrolled["speaker"].name("enrolled")
    )
    both = first.inner_join(heard, first[TEST] == heard["name"]).select(
        first["enrolled"], heard["speaker"].name("heard"), first[LABEL], first[SCORE]
    )
    if exponent is not None:
        both = both.mutate(score=_down(both[SCORE], exponent))
    return both.group_by("enrolled", "heard", LABEL, SCORE).agg(times=both.count().cast("int64"))


def coarser_by_speakers(cells: Table, exponent: int) -> Table:
    """Counts from `counts_by_speakers` in wider bins, multiples of 2 to the power of −exponent."""
    down = cells.mutate(score=_down(cells[SCORE], exponent))
    return down.group_by("enrolled", "heard", LABEL, SCORE).agg(times=_sum(down["times"]))


def target_trials(trials: Table) -> Table:
    """The test and the score of each target trial, of scores that are numbers."""
    found = trials.filter((trials[LABEL] == 1) & ~trials[SCORE].isnan())
    return found.select(TEST, SCORE)


def targets(trials: Table) -> Table:
    """The distinct pairs that target trials compare."""
    return trials.filter(trials[LABEL] == 1).select(*PAIR).distinct()


def best_by_speaker(
    trials: Table, speaker_of: Table, *, enrolled_once: bool, lower_is_more_alike: bool = False
) -> Table:
    """The score of each enrolled speaker with each test, and who is heard; of scores that are numbers.

    Of several enrolments the best score counts where all speakers have as many with that test, else the mean
    (`speakers.candidates.of_each_person`). `speaker_of` is that of `counts_by_speakers`.

    Columns: `test`, `enrolled`, `heard` and `best`, where lower
    scores mean more alike with its sign changed.
    """
    enrolled, heard = speaker_of.view(), speaker_of.view()
    numbers = trials.filter(~trials[SCORE].isnan())
    best = -numbers[SCORE] if lower_is_more_alike else numbers[SCORE]
    found = numbers.inner_join(enrolled, numbers[ENROL] == enrolled["name"]).select(
        numbers[TEST], enrolled["speaker"].name("enrolled"), best=best
    )
    if not enrolled_once:
        each = found.group_by(TEST, "enrolled").agg(
            highest=found["best"].max(), mean=found["best"].mean(), enrolments=found.count()
        )
        of_test, count = ibis.window(group_by=TEST), each["enrolments"]
        has_as_many = count.min().over(of_test) == count.max().over(of_test)
        found = each.mutate(best=has_as_many.ifelse(each["highest"], each["mean"]))
    return found.inner_join(heard, found[TEST] == heard["name"]).select(
        found[TEST], found["enrolled"], heard["speaker"].name("heard"), found["best"]
    )


def ranks(best: Table) -> Table:
    """Where the heard speaker stands among the enrolled, for each test; columns as of `best_by_speaker`.

    Columns: `heard`, `above`, how many speakers score higher, `tied`, how many others score the same, and
    `candidates`, how many there are; tests that were not compared with their own speaker are left out.
    """
    own = best.filter(best["enrolled"] == best["heard"]).select(TEST, own=best["best"])
    rows = best.inner_join(own, TEST)
    found = rows.group_by(TEST, "heard").agg(
        above=_how_many(rows["best"] > rows["own"]),
        tied=_how_many(rows["best"] == rows["own"]) - 1,
        candidates=rows.count(),
    )
    return found.drop(TEST)


def not_finite(trials: Table, *, is_nan: bool) -> Table:
    """The trials without a number for a score, or with an infinite one."""
    return trials.filter(trials[SCORE].isnan() if is_nan else trials[SCORE].isinf())


def distinct_ids(trials: Table) -> Table:
    """One row: how many ids are enrolled, and how many are tested, in trials that have a score."""
    read = trials.filter(~trials[SCORE].isnan())
    return read.agg(enrolments=read[ENROL].nunique(), tests=read[TEST].nunique())


def turned_round(trials: Table) -> Table:
    """The trials whose pair stands the other way round in an earlier one (a b, then b a)."""
    read = trials.filter(~trials[SCORE].isnan()).select(*PAIR, "place")
    on_both = ibis.intersect(read.select(id=ENROL), read.select(id=TEST), distinct=True)
    few = read.semi_join(on_both, [(ENROL, "id")]).semi_join(on_both, [(TEST, "id")])
    other = few.view()
    twins = few.inner_join(
        other,
        [few[ENROL] == other[TEST], few[TEST] == other[ENROL], few["place"] > other["place"]],
    )
    return twins.select(few["place"])


# --- examples ----------------------------------------------------------------------------------------------


def how_many(table: Table) -> Table:
    """One row: how many rows there are."""
    return table.agg(table.count().name("count"))


def first_of(table: Table, by: str, most: int) -> Table:
    """The first rows in the order of a column."""
    return table.order_by(by).limit(most)


def _how_many(is_so: ibis.Value) -> ibis.Value:
    return _sum(is_so.cast("int64"))


def _sum(values: ibis.Value) -> ibis.Value:
    """The sum of whole numbers, as int64; 0 where there are none."""
    return values.sum().coalesce(0).cast("int64")


def _floor(values: ibis.Value) -> ibis.Value:
    """The value rounded down, still a float.

    The `floor` of some engines gives whole numbers and takes no larger values than fit into these.
    """
    return values.floor().cast("float64")


def _down(score: ibis.Value, exponent: int) -> ibis.Value:
    """Finite scores rounded down to multiples of 2 to the power of −exponent.

    As `evidence.counting.rounded_down` has it, but for scores that are nearly 0 or nearly infinite.
    """
    scaled = score * 2.0**exponent
    return ibis.ifelse(scaled.abs() < 2.0**53, _floor(scaled) * 2.0**-exponent, score)


def _is_finite(score: ibis.Value) -> ibis.Value:
    return ~(score.isnan() | score.isinf())
