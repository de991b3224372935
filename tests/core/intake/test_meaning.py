"""What spreadsheets, locales, exports and e-mail do to right files changes no figure without a word."""

from collections import Counter
from pathlib import Path

import pytest

from fuzz import meaning
from fuzz.meaning import Case, Truth
from fuzz.mutations import MUTATIONS
from fuzz.right_files import LAYOUTS, SCORE_STYLES, right
from zebra_core import d_ece_bits
from zebra_core.wording.texts import knows

UNCLEAR = {("VoxCeleb", "whole"), ("unknown names and key", "whole")}
"""Layouts in which whole numbers are not taken for scores."""


def true_figure(scores: str) -> float:
    rows = right("table", "names", scores)[0].rows
    return d_ece_bits([row[3] == "target" for row in rows], [float(row[2]) for row in rows])


def verdict_of(scores: str, codes: str = "", *, is_unseen: bool = False) -> str:
    truth = Truth(true_figure("llrs"), frozenset(), frozenset(codes.split()), is_unseen)
    return meaning.verdict((scores.encode(),), truth)[0]


def is_text(case: Case | None) -> bool:
    """Workbooks hold the time at which they were made."""
    return case is not None and "workbook" not in case.layout


@pytest.mark.parametrize("layout", [name for name, files in LAYOUTS.items() if files[0].matrix != "square"])
def test_every_right_file_has_the_figure_of_its_trials(layout: str) -> None:
    for scores in (one for one in SCORE_STYLES if (layout, one) not in UNCLEAR):
        files = tuple(sheet.content() for sheet in right(layout, "names", scores))
        truth = Truth(true_figure(scores), frozenset(), frozenset())
        assert meaning.verdict(files, truth) == ("same", ""), scores


def test_what_comes_of_a_file_is_judged_by_its_figure_and_by_what_is_said() -> None:
    scores = [(*row[:2], float(row[2]), row[3]) for row in right("table", "names", "llrs")[0].rows]
    good = "".join(f"{e},{t},{s},{label}\n" for e, t, s, label in scores)
    rounded = "".join(f"{e},{t},{s:.0f},{label}\n" for e, t, s, label in scores)
    worded = good.replace("nontarget", "other").replace("target", "one")
    assert verdict_of(good) == "same"
    assert verdict_of(rounded) == "SILENT"
    assert verdict_of(rounded, is_unseen=True) == "unseen"
    assert verdict_of(rounded, "many-ties") == "remark"
    assert verdict_of(f"{good}a,b,1\n", "columns") == "refusal"
    assert verdict_of(f"{good}a,b,1\n") == "astray"
    assert verdict_of(worded) == "question"  # one of whose answers is right
    worded = rounded.replace(",1,", ",0.5,").replace("nontarget", "other").replace("target", "one")
    assert verdict_of(worded) == "SILENT"  # no answer is


def test_cases_are_the_same_each_time_and_most_mutations_are_among_a_few_thousand() -> None:
    first, again = ([meaning.case(3, number) for number in range(400)] for _ in range(2))
    assert [one for one in first if is_text(one)] == [one for one in again if is_text(one)]
    names = Counter(
        name for number in range(0, 4000, 2) if (one := meaning.case(3, number)) for name in one.mutations
    )
    assert len(MUTATIONS) > 150
    assert len(names) > 0.95 * len(MUTATIONS)


def test_what_counts_as_a_word_about_a_mutation_is_said_somewhere() -> None:
    codes = {code for mutation in MUTATIONS.values() for code in mutation.codes.split()}
    said = {code for code in codes if any(knows(f"{part}.{code}") for part in ("finding", "input", "remark"))}
    assert codes - said == set()


def test_nothing_is_silent_but_what_no_reader_can_see() -> None:
    came = [(tried.name, *what) for tried, _, what in meaning.tried_cases(seed=20, count=300, seconds=600)]
    assert [one for one in came if one[1] == "SILENT"] == []
    assert len(came) == 300


@pytest.mark.parametrize("folder", sorted(meaning.KEPT.iterdir()), ids=lambda folder: folder.name)
def test_what_was_silent_once_is_not_any_more(folder: Path) -> None:
    files, truth = meaning.kept(folder)
    assert meaning.verdict(files, truth)[0] != "SILENT"
