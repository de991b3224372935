"""The window of the manual: where F1 leads, and how one goes on from there."""

import re

import pytest
from PySide6.QtCore import Qt, QUrl

import zebra_resources
from zebra_core.wording.texts import speaking
from zebra_gui.manual.window import ManualWindow

CONTAINED_ANYWHERE = Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive
MENU_PATH = re.compile(r"\*((?:File|Edit|View|Assess|Export|Help) > [^*>]+)\*")


@pytest.fixture(scope="module")
def made(qapp):
    manual = ManualWindow()
    yield manual
    manual.deleteLater()


@pytest.fixture
def manual(made, qtbot):
    made.search_line.clear()
    made.show_page("first-steps")
    made.show()
    yield made
    made.close()


def page_of(manual):
    return manual.windowTitle().removesuffix(" – Manual")


def test_f1_shows_the_page_about_the_pane_in_front(shared_window, qtbot):
    shared_window.workspace.show_topic("zoo")
    qtbot.keyClick(shared_window, Qt.Key.Key_F1)
    manual = shared_window.dialogs._manual
    assert manual.isVisible()
    assert page_of(manual) == "The zoo"
    shared_window.workspace.show_topic("ece")
    shared_window.workspace.guide.more_button.click()
    assert page_of(manual) == "Population disclosure (D_ECE)"
    manual.close()


def test_f1_on_the_start_page_shows_the_first_steps(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert page_of(window.dialogs._manual) == "First steps"
    window.dialogs._manual.close()


def test_links_lead_to_pages_and_back_leads_back(manual):
    manual.browser.anchorClicked.emit(QUrl("figures/worst-case.md#formula"))
    assert page_of(manual) == "Worst case, tag and ceiling"
    assert manual.browser.verticalScrollBar().value() > 0
    manual.browser.anchorClicked.emit(QUrl("linkability.md"))
    assert page_of(manual) == "Linkability D_sys (Gomez-Barrero)"
    manual.browser.anchorClicked.emit(QUrl("../glossary.md"))
    assert page_of(manual) == "Glossary"
    for title in ("Linkability D_sys (Gomez-Barrero)", "Worst case, tag and ceiling", "First steps"):
        manual.back_action.trigger()
        assert page_of(manual) == title


def test_an_address_on_the_internet_is_told_and_not_opened(manual):
    manual.browser.anchorClicked.emit(QUrl("https://example.org/"))
    assert page_of(manual) == "First steps"
    assert manual.statusBar().currentMessage() == "This is an address on the internet: https://example.org/"


def test_search_lists_pages_and_marks_the_words(manual, qtbot):
    qtbot.keyClicks(manual.search_line, "ceiling")
    assert manual.remark.text() == f"{manual.contents.topLevelItemCount()} pages"
    qtbot.keyClick(manual.search_line, Qt.Key.Key_Return)
    assert page_of(manual) == "Worst case, tag and ceiling"
    assert {mark.cursor.selectedText().lower() for mark in manual.browser.extraSelections()} == {"ceiling"}
    manual.search_line.setText("nowhere-to-be-found")
    assert manual.remark.text() == "No page contains these words. Try fewer words, or others."
    manual.search_line.clear()
    assert not manual.remark.isVisible()
    assert manual.contents.topLevelItemCount() > 10


def test_contents_are_gone_through_with_the_keys(manual, qtbot):
    manual.contents.setFocus()
    qtbot.keyClick(manual.contents, Qt.Key.Key_Down)
    assert page_of(manual) == "The window"


def test_nothing_but_pictures_of_the_manual_is_loaded(manual):
    assert manual.browser.loadResource(2, QUrl("file:///etc/hostname")) is None
    assert manual.browser.loadResource(2, QUrl("https://example.org/a.png")) is None


def test_pictures_come_in_the_size_in_which_they_are_shown(manual):
    """Qt would leave out rows and columns of larger ones, and small letters with them."""
    manual.resize(720, 700)
    manual.show_page("first-steps")
    picture = manual.browser.loadResource(2, QUrl("pictures/start.png"))

    assert f'width="{picture.width() / picture.devicePixelRatio():.0f}"' in manual.browser.toHtml()
    assert picture.width() <= manual.browser.viewport().width()


def ways(menu, so_far):
    """What a menu offers, as the manual writes it."""
    for action in menu.actions():
        way = f"{so_far} > {action.text().replace('&', '')}"
        yield way
        if action.menu():
            yield from ways(action.menu(), way)


def test_menus_have_what_the_manual_and_the_sentences_of_the_program_name(shared_window):
    tops = [action for action in shared_window.menuBar().actions() if action.menu()]
    offered = {way for top in tops for way in ways(top.menu(), top.text().replace("&", ""))}
    pages = sorted(zebra_resources.path("manual/en").rglob("*.md"))
    named = {way for page in pages for way in MENU_PATH.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert named - offered == set()

    texts = zebra_resources.read_text("texts/en.toml")
    said = [place.start() for place in re.finditer(r"\b(?:File|Edit|View|Assess|Export|Help) > [A-Z]", texts)]
    assert len(said) > 12
    plain = tuple(way.removesuffix("…") for way in offered)
    assert [texts[at : at + 40] for at in said if not texts.startswith(plain, at)] == []


def test_a_page_with_wide_tables_fits_the_window(manual):
    manual.resize(720, 700)
    manual.show_page("method/other-figures")

    assert manual.browser.document().idealWidth() <= manual.browser.viewport().width()


def test_a_page_that_is_not_translated_says_so(manual, qtbot):
    assert not manual.not_translated.isVisible()
    with speaking("de"):
        german = ManualWindow()
    qtbot.addWidget(german)
    german.show()
    shown = {}
    for page in ("first-steps", "figures/zoo", "validation", "glossary"):
        german.show_page(page)
        shown[page_of(german)] = german.not_translated.isVisible()
    assert shown == {
        "Erste Schritte": False,
        "Der Zoo": False,
        "The validation dossier": True,
        "Glossar": False,
    }
    assert german.not_translated.text() == "This page has not been translated yet: it is in English."
    listed = {item.text(0) for item in german.contents.findItems("", CONTAINED_ANYWHERE)}
    assert {"Erste Schritte", "The validation dossier (in English)"} <= listed
    german.search_line.setText("dossier")
    assert german.contents.topLevelItem(0).text(0) == "The validation dossier (in English)"
