"""The menu that chooses the language of the window; a report chooses its own."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.wording.languages import is_ready, languages, own_name
from zebra_gui.language.translating import choose_language, chosen_language
from zebra_gui.widgets.menus import add_choices


class LanguageMenu(QMenu):
    """The languages by their own names, read from their catalogues when the menu is first opened."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("&Language"))
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        if self.actions():
            return
        now = chosen_language()
        offered = [code for code in languages() if is_ready(code) or code == now]
        choices = {self.tr("As the &system"): "", **{own_name(code): code for code in offered}}
        chosen = list(choices.values()).index(now)
        add_choices(
            self, self, {text: partial(choose_language, code) for text, code in choices.items()}, chosen
        )
        self.addSeparator()
        self.addAction(self.tr("Holds when ZEBRA is next started")).setEnabled(False)
