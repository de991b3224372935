"""Whatever the window says, shown, spoken or in a tooltip, comes from a catalogue: nothing stays English."""

import re

import pytest

from tests.core.listening.cases import answered, knowing, made, recordings
from tests.pseudo import PseudoCatalogue
from tests.zebra_gui.conftest import drop
from tests.zebra_gui.pseudo_window import window_speaks
from tests.zebra_gui.said import everything_said
from tests.zebra_gui.turning import turn_events
from tests.zebra_gui.window.test_other_languages import DIALOGS
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask

# Every word of the language has its accents: two words without any, one after the other, are English.
_WORD = r"[A-Za-z]*[aeiou][a-z]*"
_ENGLISH = re.compile(rf"(?<![\w/._-]){_WORD}[,.:;]? {_WORD}(?![\w/._-])")
_NO_SENTENCE = re.compile(r"<[^>]*>|&|\b(zebra|python|system) .*|https?:\S+")


@pytest.fixture(scope="module", autouse=True)
def accented(qapp):
    with window_speaks(qapp, PseudoCatalogue) as code:
        yield code


@pytest.fixture(scope="module", autouse=True)
def english_sentences(qapp):
    """Asks for those of all widgets, but for what other tests have left and nobody has collected yet."""
    others = set(qapp.allWidgets())

    def found():
        lines = {line for said in everything_said(but=others).values() for line in said.splitlines()}
        return sorted(line for line in lines if _ENGLISH.search(_NO_SENTENCE.sub("", line)))

    return found


def test_in_no_pane_and_in_no_menu(qtbot, shared_window, english_sentences):
    for topic in shared_window.workspace.topics:
        shared_window.workspace.show_topic(topic)
        qtbot.waitUntil(lambda: not shared_window.session.drawing.is_busy, timeout=60_000)
    assert english_sentences() == []


@pytest.mark.parametrize("name", DIALOGS)
def test_in_no_dialog(shared_window, name, english_sentences):
    dialog = DIALOGS[name](shared_window)
    dialog.show()
    turn_events(10)
    found = english_sentences()
    dialog.close()
    dialog.deleteLater()
    assert found == []


def test_in_what_a_listening_test_came_to_which_was_kept_in_english(
    window, tmp_path, settled, english_sentences
):
    test = made(recordings(tmp_path), QuestionDesign(ItemTask.NATURALNESS, 10))
    answered(test, "L01", knowing(test.plan.speaker))
    drop(window, test.files[0].parent)
    settled(window.jobs)
    window.workspace.show_topic("listening")
    turn_events(10)
    assert "3 óff 4 pláññédddd lístéñérsssss" in window.workspace.pane("listening").told.text()
    assert english_sentences() == []
