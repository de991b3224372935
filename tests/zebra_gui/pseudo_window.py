"""The window in a language that nobody speaks, for as long as a test module lasts."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from tests.pseudo import PseudoCatalogue, pseudo_language
from zebra_core.wording.languages import use
from zebra_gui.language.translating import translate_window


@contextmanager
def window_speaks(app: QApplication, kind: type[PseudoCatalogue]) -> Iterator[str]:
    """What the window says is in this language, its jobs' sentences too."""
    before, locale = app.findChildren(QTranslator), QLocale()
    with pseudo_language(special={"language.decimal": ","}, kind=kind) as code:
        use(code)
        translate_window(app)
        yield code
        use("en")
    QLocale.setDefault(locale)
    for translator in set(app.findChildren(QTranslator)) - set(before):
        app.removeTranslator(translator)
        translator.deleteLater()
