"""The utility of speech: typed in, counted or heard, and saved."""

import math

import pytest

from zebra_core.document.parts import SavedValue
from zebra_core.document.project import utilities_of
from zebra_core.errors import InputError
from zebra_core.project.items import SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility, typed_wer
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors

KEY = SpeechKey("libri_f", "B2")
ONE = (0,) * 9 + (1,)
RATINGS = Ratings(ONE, ONE[::-1])


def again(values: dict[str, object]) -> Utility:
    saved = SavedValue([{**KEY._asdict(), **values}], "utilities", "a.zebra")
    return utilities_of(saved)[KEY]


@pytest.mark.parametrize(
    ("text", "rate"),
    [("4.2", 0.042), ("4,2 %", 0.042), (" 0 ", 0.0), ("130", 1.3), ("", None), (" % ", None), ("–", None)],
)
def test_typed(text: str, rate: float | None) -> None:
    assert typed_wer(text) == pytest.approx(rate)


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "four", "1e9", "4.2.1"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        typed_wer(text)


@pytest.mark.parametrize("wer", [-0.1, math.nan, math.inf])
def test_a_rate_out_of_range_cannot_be_made(wer: float) -> None:
    with pytest.raises(InputError, match="cannot be"):
        Utility(wer)


def test_a_typed_rate_takes_the_place_of_a_counted_one_and_keeps_what_was_heard() -> None:
    counted = Utility().heard(RatingQuestion.NATURALNESS, RATINGS).counted(WordErrors(1, 0, 0, 4))
    assert counted.wer == 0.25
    typed = Utility.typed(0.5, counted)
    assert (typed.wer, typed.words, typed.listening) == (0.5, None, {RatingQuestion.NATURALNESS: RATINGS})


def test_it_comes_back_from_json() -> None:
    utility = Utility().heard(RatingQuestion.SIMILARITY, RATINGS).counted(WordErrors(1, 0, 0, 4))
    assert again(utility.as_json()) == utility
    assert again(Utility().as_json()) == Utility()
    of_characters = Utility().counted(WordErrors(1, 0, 0, 4, of_characters=True))
    assert again(of_characters.as_json()) == of_characters


@pytest.mark.parametrize(
    "change",
    [
        {"wer": "1"},
        {"wer": True},
        {"wer": -1.0},
        {"listening": None},
        {"listening": {"taste": {}}},
        {"words": 3},
        {"words": {}},
        {"words": {"substitutions": 1}},
        {"words": {**WordErrors(0, 0, 0, 1).as_json(), "deletions": -1}},
        {"words": {**WordErrors(0, 0, 0, 1).as_json(), "deletions": True}},
        {"words": WordErrors(0, 0, 0, 0).as_json()},
    ],
)
def test_what_was_not_saved_by_us_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InputError):
        again({**Utility(0.1).as_json(), **change})


def test_a_project_keeps_it_by_the_speech_and_forgets_an_empty_one() -> None:
    key = SpeechKey("libri_f", "B2")
    project = Project().with_utility(key, Utility(0.1)).with_utility(key, Utility(0.2))
    assert project.utilities == {key: Utility(0.2)}
    assert project.with_utility(key, Utility.typed(None)).utilities == {}
