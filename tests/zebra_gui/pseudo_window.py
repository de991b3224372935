"""The window in another language, or in one that nobody speaks, for as long as a block lasts."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from tests.pseudo import PseudoCatalogue, pseudo_language
from zebra_core.wording.texts import use
from zebra_gui.language.translating import translate_window


@contextmanager
def window_in(app: QApplication, code: str) -> Iterator[str]:
    """What the window says is in this language, its jobs' sentences too."""
    before, locale = app.findChildren(QTranslator), QLocale()
    use(code)
    translate_window(app)
    try:
        yield code
    finally:
        use("en")
        QLocale.setDefault(locale)
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        for translator in set(app.findChildren(QTranslator)) - set(before):
            app.removeTranslator(translator)
            translator.deleteLater()


@contextmanager
def window_speaks(app: QApplication, kind: type[PseudoCatalogue], code: str = "xx") -> Iterator[str]:
    """The same in a language of this kind."""
    with pseudo_language(code, special={"language.decimal": ","}, kind=kind), window_in(app, code):
        yield code
