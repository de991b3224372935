"""Listening results: ratings with their class, and the rates of the listeners."""

from pathlib import Path

import pytest

from zebra_core.document.parts import SavedValue
from zebra_core.document.project import ratings_of
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess, assess_counts
from zebra_core.utility.listening import RatingQuestion, Ratings, read_ratings


def counts(*ratings: int) -> tuple[int, ...]:
    return tuple(ratings.count(step) for step in range(1, 11))


def test_means_and_error_rate_worked_by_hand() -> None:
    ratings = Ratings(counts(10, 8, 3), counts(2, 3, 1, 4))
    assert (ratings.upper_mean, ratings.lower_mean) == (7.0, 2.5)
    assert Ratings(counts(9, 9), counts(1, 2)).eer == 0.0
    assert Ratings(counts(5, 5), counts(5)).eer == 0.5


def test_as_scores_they_are_assessed_like_any_others() -> None:
    upper, lower = (10, 8, 8, 3), (2, 3, 1, 4, 8)
    by_counts = assess_counts(Ratings(counts(*upper), counts(*lower)).counts)
    by_trials = assess(Trials.from_scores(upper, lower))
    assert (by_counts.eer, by_counts.rocch_eer) == (by_trials.eer, by_trials.rocch_eer)
    assert by_counts.n_target == 4


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (RatingQuestion.SIMILARITY, "1089 61-70-1 9 target\n1089 61-70-2 2 nontarget\n"),
        (
            RatingQuestion.SIMILARITY,
            "enrol,test,rating,class\n1089,61-70-1,9,Target\r\n1089,61-70-2,2,NONTARGET\r\n",
        ),
        (RatingQuestion.NATURALNESS, "listener utt rating class\nl1 u1 9 clean\nl1 u2 2 anonymized\n"),
        (RatingQuestion.INTELLIGIBILITY, "u1;9;original\nu2;2.0;protected\n"),
    ],
)
def test_reading(tmp_path: Path, question: RatingQuestion, text: str) -> None:
    path = tmp_path / "ratings.txt"
    path.write_text(text, encoding="utf-8")
    assert read_ratings(path, question) == Ratings(counts(9), counts(2))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("u 11 clean", "line 2: “11” is not a rating"),
        ("u 0 clean", "line 2: “0” is not a rating"),
        ("u nan clean", "line 2: “nan” is not a rating"),
        ("u 1_0 clean", "line 2: “1_0” is not a rating"),
        ("u ٥ clean", "line 2: “٥” is not a rating"),
        ("u 0x5 clean", "line 2: “0x5” is not a rating"),
        ("clean", "line 2: “clean” is not a rating"),
        ("u 5 target", "line 2: the class “target” means neither clean nor protected"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "ratings.txt"
    path.write_text(f"u 5 clean\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_ratings(path, RatingQuestion.NATURALNESS)


@pytest.mark.parametrize(
    ("text", "upper", "lower"),
    [
        ("4 clean\n3 anonymized\n5 clean\n2 anonymized\n", (0, 0, 0, 1, 1), (0, 1, 1, 0, 0)),
        (
            "file,mos,model,condition\nu1,4,x,clean\nu2,5,x,clean\nu3,2,x,anon\nu4,3,x,anon\n",
            (0, 0, 0, 1, 1),
            (0, 1, 1, 0, 0),
        ),
    ],
)
def test_a_scale_of_five_is_told_as_such(
    tmp_path: Path, text: str, upper: tuple[int, ...], lower: tuple[int, ...]
) -> None:
    """ITU-T P.800; it was told as from 1 to 10."""
    path = tmp_path / "ratings.txt"
    path.write_text(text)
    found = read_ratings(path, RatingQuestion.NATURALNESS)
    assert found == Ratings(upper, lower, (1.0, 2.0, 3.0, 4.0, 5.0), 5)
    assert [str(one).partition(",")[0] for one in found.remarks] == ["No rating is above 5"]
    said = read_ratings(path, RatingQuestion.NATURALNESS, highest=10)
    assert (said.highest, said.remarks, said.upper) == (10, (), (*upper, 0, 0, 0, 0, 0))
    path.write_text("u 9 clean\nu 2 anon\n")
    with pytest.raises(InputError, match="A rating is 9, but the scale ends at 5"):
        read_ratings(path, RatingQuestion.NATURALNESS, highest=5)


@pytest.mark.parametrize(
    "text",
    ["4.25 clean\n3.125 anonymized\n", "u1;4,25;clean\nu2;3,125;anon\n", "u1 4,25 clean\nu2 3,125 anon\n"],
)
def test_decimals_are_means_and_told_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ratings.txt"
    path.write_text(text)
    found = read_ratings(path, RatingQuestion.NATURALNESS)
    assert (found.upper_mean, found.lower_mean, found.eer) == (4.25, 3.125, 0.0)
    assert "they are means or were predicted" in str(found.remarks[-1])
    assert ratings_of(SavedValue(found.as_json(), "ratings", "a.zebra")) == found


def test_what_a_program_predicts_of_clean_and_of_protected_speech_is_two_files(tmp_path: Path) -> None:
    clean, protected = tmp_path / "clean.csv", tmp_path / "NISQA_results.csv"
    clean.write_text("u1.wav 4.5\nu2.wav 4.0\n")
    protected.write_text("deg,mos_pred,noi_pred,model\nu1_anon.wav,3.1,4.9,NISQA\n")
    found = read_ratings(protected, RatingQuestion.NATURALNESS, clean)
    assert (found.upper_mean, found.lower_mean, found.highest) == (4.25, 3.1, 5)
    for path, told in (
        (protected, r"ratings \(mos_pred\) but does not say"),
        (clean, r"ratings \(4\.5\) but"),
    ):
        with pytest.raises(InputError, match=told):
            read_ratings(path, RatingQuestion.NATURALNESS)


def test_one_class_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.txt"
    path.write_text("u 5 clean\n", encoding="utf-8")
    with pytest.raises(InputError, match="All ratings are of one class"):
        read_ratings(path, RatingQuestion.NATURALNESS)


def test_ratings_come_back_from_json_and_others_are_refused() -> None:
    ratings = Ratings(counts(1, 2), counts(3))
    assert ratings_of(SavedValue(ratings.as_json(), "ratings", "a.zebra")) == ratings
    for saved in (
        None,
        {},
        {"upper": [1] * 10},
        {"upper": [1] * 9, "lower": [1] * 10},
        {"upper": [10**9] * 10, "lower": [1] * 10},
        {"upper": ["1"] * 10, "lower": [1] * 10},
        {"upper": [1] * 2, "lower": [1] * 2, "values": [3.0, 2.0], "highest": 5},
        {"upper": [1] * 2, "lower": [1] * 2, "values": [3.0, 6.0], "highest": 5},
        {"upper": [1] * 2, "lower": [1] * 2, "values": [3.0, float("nan")], "highest": 5},
        {"upper": [1] * 2, "lower": [1] * 2, "values": [3.0, "4"], "highest": 5},
        {"upper": [1] * 2, "lower": [1] * 2, "values": [3.0, 4.0], "highest": 7},
    ):
        with pytest.raises(InputError):
            ratings_of(SavedValue(saved, "ratings", "a.zebra"))
