"""The window in another language: what the catalogue has is translated, the rest is English."""

import gettext

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QTranslator
from PySide6.QtWidgets import QDialogButtonBox

from tests.core.wording.test_languages import compiled
from zebra_core.wording import texts
from zebra_core.wording.texts import speaking
from zebra_gui.language.translating import CatalogueTranslator, for_count, translate_window

GERMAN = {
    ("window.Base", "&Open…"): "Ö&ffnen…",
    ("window.Other", "&Open…"): "Anderes…",
    ("window.Base", ("1 file", "{count} files")): ("1 Datei", "{count} Dateien"),
}


class Base(QObject):
    def said(self) -> str:
        return self.tr("&Open…")


class Derived(Base):
    def other(self) -> str:
        return self.tr("Never translated")


@pytest.fixture
def german(monkeypatch, qapp):
    found = {"de": compiled("de", GERMAN), "en": gettext.NullTranslations()}
    monkeypatch.setattr(texts, "_catalogue", found.__getitem__)
    monkeypatch.setattr(texts, "_there", lambda: ("en", "de"))
    before = qapp.findChildren(QTranslator)
    with speaking("de"):
        translate_window(qapp)
        yield
    for translator in qapp.findChildren(QTranslator):
        if translator not in before:
            qapp.removeTranslator(translator)
            translator.deleteLater()


def test_a_text_is_translated_for_the_class_that_says_it_and_for_those_derived_from_it(german):
    assert Base().said() == Derived().said() == "Ö&ffnen…"
    assert QCoreApplication.translate("Other", "&Open…") == "Anderes…"
    assert Derived().other() == "Never translated"


def test_qts_own_buttons_are_translated_too(german, qtbot):
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.buttons()[0].text() == "Abbrechen"


def test_forms_for_numbers(german):
    assert [for_count("Base", "1 file", "{count} files", n).format(count=n) for n in (1, 3)] == [
        "1 Datei",
        "3 Dateien",
    ]
    with speaking("en"):
        assert for_count("Base", "1 file", "{count} files", 1) == "1 file"


def test_an_english_window_asks_nobody(qapp):
    before = qapp.findChildren(CatalogueTranslator)
    translate_window(qapp)
    assert qapp.findChildren(CatalogueTranslator) == before
