"""Letters for the keyboard: no two in one menu or dialog are the same, in any language."""

import re
from collections import Counter

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from tests.zebra_gui.pseudo_window import window_in
from tests.zebra_gui.window.test_other_languages import DIALOGS
from zebra_core.wording.texts import languages


@pytest.fixture(scope="module", params=languages())
def spoken(request, qapp):
    with window_in(qapp, request.param):
        yield request.param


@pytest.fixture(scope="module")
def seen_panes(spoken):
    """None; a window is made in each language."""
    return ()


@pytest.fixture(scope="module")
def window(window_of_module):
    """A window in each language. These tests only read it, and so nothing is put back after them."""
    return window_of_module.lend()


def letter(text):
    found = re.search(r"&([^&\s])", text.replace("&&", ""))
    return found[1].casefold() if found else ""


def taken_twice(texts):
    times = Counter(filter(None, map(letter, texts)))
    return [text for text in texts if times[letter(text)] > 1]


def menus_in(menu):
    yield menu
    for action in menu.actions():
        if action.menu():
            yield from menus_in(action.menu())


def test_in_no_menu_a_letter_is_taken_twice(window):
    of_menus = [[action.text() for action in menu.actions()] for menu in menus_in(window.menuBar())]
    assert len(of_menus) > 15
    assert [found for texts in of_menus if (found := taken_twice(texts))] == []


@pytest.mark.parametrize("name", DIALOGS)
def test_in_no_dialog_a_letter_is_taken_twice(window, name):
    dialog = DIALOGS[name](window)
    texts = [
        widget.text()
        for widget in dialog.findChildren(QAbstractButton) + dialog.findChildren(QLabel)
        if isinstance(widget, QAbstractButton) or widget.buddy()
    ]
    dialog.deleteLater()
    assert taken_twice(texts) == []
