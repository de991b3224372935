"""Transcripts dropped on the window with a key, and no scores: what words give away."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.core.words_case import written
from zebra_core.wording.texts import speaking
from zebra_gui.tables.files import FileState


@pytest.fixture
def case(tmp_path):
    return written(tmp_path / "case")


def test_transcripts_key_and_map_are_assessed_where_they_are_dropped(window, settled, drop, case):
    assert drop(window, case / "trials", case / "text", case / "utt2spk")
    settled(window.jobs)

    [entry] = window.session.entries
    assert (entry.recogniser, entry.back_end) == ("words", "character n-grams")
    assert window.workspace.isVisible()
    with speaking("de"):
        assert entry.attack_in_words == "Wörter, Zeichen-n-Gramme"


def test_a_key_that_waits_for_scores_takes_transcripts_too(window, settled, drop, case):
    assert drop(window, case / "trials")
    settled(window.jobs)
    assert window.session.entries == ()
    assert drop(window, case / "text", case / "utt2spk")
    settled(window.jobs)

    assert [entry.recogniser for entry in window.session.entries] == ["words"]


def test_without_a_map_the_sheet_asks_who_speaks_and_an_answer_makes_it_ready(window, settled, drop, case):
    assert drop(window, case / "trials", case / "text")
    settled(window.jobs)
    sheet = window.sheet
    assert sheet.isVisible()
    assert QApplication.activeModalWidget() is None
    [question] = sheet.file_card.questions
    question.buttons["before-hyphen"].click()
    settled(window.jobs)
    assert sheet.assess_button.isEnabled()
    sheet.assess_button.click()

    assert [entry.recogniser for entry in window.session.entries] == ["words"]


def test_beside_scores_the_sheet_says_what_else_a_transcript_is_good_for(window, settled, drop, case):
    rows = [line.split()[:2] for line in (case / "trials").read_text().splitlines()]
    scores = [f"{enrol} {test} {number % 7}.5\n" for number, (enrol, test) in enumerate(rows)]
    (case / "scores").write_text("".join(scores))
    words = [line.split(" ", 1) for line in (case / "text").read_text().splitlines()]
    (case / "words.csv").write_text("id,text\n" + "".join(f"{one},{said}\n" for one, said in words))
    assert drop(window, case / "scores", case / "trials", case / "words.csv")
    settled(window.jobs)

    [row] = [one for one in window.sheet.table.files.rows if one.name == "words.csv"]
    assert row.state is FileState.REFUSED
    assert "To learn what the words give away, drop it with its key, without scores." in row.reason
