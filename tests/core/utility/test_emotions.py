"""Emotions that are still told: UAR by hand and from its confusion, what is left out, what is refused."""

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.speakers.inference import unweighted_average_recall
from zebra_core.utility.emotions import Emotions, emotions

LABELS = {"a1": "neu", "a2": "neu", "a3": "neu", "a4": "neu", "b1": "sad", "b2": "ang"}
GUESSED = {"a1": "neu", "a2": "neu", "a3": "neu", "a4": "sad", "b1": "ang", "b2": "ang"}
WHO = {name: name[0] for name in LABELS}


def test_each_emotion_counts_alike_however_many_recordings_have_it() -> None:
    """Three of four neutral, no sad, the one angry: (3/4 + 0 + 1)/3."""
    found = emotions(LABELS, GUESSED, WHO)
    assert found.values == ("ang", "neu", "sad")
    assert found.counts == ((1, 1), (4, 3), (1, 0))
    assert found.uar == pytest.approx(7 / 12, abs=1e-15)
    assert (found.chance, found.recordings) == (1 / 3, 6)
    assert found.by_speaker == (((0, 0), (4, 3), (0, 0)), ((1, 1), (0, 0), (1, 0)))
    assert found.remarks == ()


def test_it_is_the_recall_of_the_confusion_of_both() -> None:
    """As `inference` counts it for attributes of speakers: the mean of diagonal over row of the table."""
    rng = np.random.default_rng(0)
    words = np.array(["ang", "hap", "neu", "sad"])
    for _ in range(20):
        said, guessed = rng.integers(4, size=50), rng.integers(4, size=50)
        confusion = np.zeros((4, 4), np.int64)
        np.add.at(confusion, (said, guessed), 1)
        files = [dict(enumerate(words[codes].tolist())) for codes in (said, guessed)]
        found = emotions(*({f"u{k}": word for k, word in each.items()} for each in files))
        assert found.uar == pytest.approx(unweighted_average_recall(confusion), abs=1e-12)


def test_what_is_in_one_file_alone_is_left_out_and_told() -> None:
    found = emotions({**LABELS, "c1": "sad"}, {**GUESSED, "d1": "neu", "d2": "neu"}, WHO)
    assert found.recordings == 6
    assert [(one.code, one.facts["count"]) for one in found.remarks] == [
        ("emotions-without-guess", 1),
        ("emotions-without-label", 2),
    ]
    assert found.by_speaker  # those who were compared are known


def test_an_emotion_that_nobody_has_is_wrong_and_told() -> None:
    found = emotions(LABELS, {**GUESSED, "a4": "sur"}, WHO)
    assert found.counts == ((1, 1), (4, 3), (1, 0))
    assert "Predictions name an emotion that no recording has, which counts as wrong: sur." in map(
        str, found.remarks
    )


def test_speakers_are_not_told_where_one_is_not_known() -> None:
    assert emotions(LABELS, GUESSED, {"a1": "a"}).by_speaker == ()
    assert emotions(LABELS, GUESSED).by_speaker == ()


@pytest.mark.parametrize(
    ("labels", "guessed", "code"),
    [
        (LABELS, {"x": "neu"}, "no-common-recording"),
        ({"a1": "neu", "a2": "neu"}, GUESSED, "emotions-one"),
        (LABELS, {**GUESSED, "a1": "Neu"}, "emotions-case"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    labels: dict[str, str], guessed: dict[str, str], code: str
) -> None:
    with pytest.raises(InputError) as refused:
        emotions(labels, guessed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "counts", [((1, 1),), ((0, 0), (1, 1)), ((1, 2), (1, 0))], ids=["too few", "none", "more than there are"]
)
def test_counts_that_contradict_each_other_are_refused(counts: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(InputError):
        Emotions(("ang", "neu"), counts)
