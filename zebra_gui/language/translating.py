"""What the window says, in the language that was chosen: Qt asks here for every text of tr()."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from zebra_core.wording.texts import ENGLISH, current, languages, translated, translated_for, use
from zebra_gui.language.speaking import best_of, is_asked_for
from zebra_gui.settings import settings

_SETTING = "language"


class CatalogueTranslator(QTranslator):
    """Answers from the catalogue of the current language, under the name of the class that shows the text."""

    def isEmpty(self) -> bool:
        return False

    def translate(  # type: ignore[override]  # None is how Qt is told to go on asking
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        """The translation; None where the catalogue lacks it."""
        found = translated(f"window.{context}", source)
        return None if found == source else found


def translate_window(app: QCoreApplication) -> None:
    """From now on the window speaks the current language, the buttons of Qt's own dialogs included."""
    if current() == ENGLISH:
        return
    QLocale.setDefault(QLocale(current()))  # the decimal sign of its fields for numbers, the names of months
    own = QTranslator(app)
    if own.load(f"qtbase_{current()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(own)
    app.installTranslator(CatalogueTranslator(app))
    QGuiApplication.setLayoutDirection(QLocale().textDirection())  # Qt does not ask its locale


def choose_language(code: str) -> None:
    """Speak this language from the next start on; "" is the system's."""
    settings().setValue(_SETTING, code)


def chosen_language() -> str:
    """Which language was chosen; "" where it is the system's."""
    kept = settings().value(_SETTING)
    return kept if kept in languages() else ""


def speak_as_chosen() -> None:
    """Say everything in the language that was chosen, unless the program was started in another."""
    if not is_asked_for():
        use(chosen_language() or best_of(QLocale.system().uiLanguages()))


def for_count(context: str, one: str, several: str, count: int) -> str:
    """A text of the window in the form for so many, the number put in for {count} where it stands.

    `context` is the class that shows it; both texts are plain, for they are found by reading this code.
    """
    return translated_for(f"window.{context}", one, several, count)
