"""The Export menu: pictures and reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action
from zebra_gui.window.command_copies import CommandCopies
from zebra_gui.window.exports import Exports, word_template
from zebra_gui.window.sharing import SharingActions
from zebra_gui.window.signing import SigningActions

if TYPE_CHECKING:
    from zebra_gui.panes.pane import FigureCard
    from zebra_gui.window.workspace import Workspace


class ExportMenu(QMenu):
    """What can be had of the project as a file, and the picture in front on the clipboard."""

    def __init__(
        self,
        session: Session,
        exporting: tuple[Exports, SharingActions, SigningActions, CommandCopies],
        workspace: Callable[[], Workspace | None],
        window: QWidget,
    ) -> None:
        """`workspace` gives what shows the project, once there is one."""
        super().__init__(window)
        self.setTitle(self.tr("E&xport"))
        self._session, self._workspace, self._window = session, workspace, window
        self._exports, sharing, signing, commands = exporting
        exports = self._exports
        picture = add_action(self, window, self.tr("&Save picture…"), self.save_picture, "Ctrl+E")
        pdf = add_action(self, window, self.tr("&Report as PDF…"), exports.save_report, "Ctrl+P")
        self.word_action = add_action(self, window, self.tr("Report as &Word…"), exports.save_word)
        self.export_actions = (
            picture,
            pdf,
            add_action(self, window, self.tr("S&ummary…"), exports.save_summary, "Ctrl+Shift+P"),
            add_action(self, window, self.tr("&Everything…"), exports.save_everything, "Ctrl+Shift+E"),
            add_action(self, window, self.tr("Report without &names…"), sharing.save_report),
        )
        self.sign_action = add_action(self, window, self.tr("Si&gn…"), signing.sign)
        text = self.tr("&All pictures…")
        self.all_pictures_action = add_action(self, window, text, exports.save_pictures, "Ctrl+Alt+E")
        text = self.tr("&Copy picture")
        self.copy_picture_action = add_action(self, window, text, self._on_copy_picture, "Ctrl+Alt+C")
        text = self.tr("&Template for Word…")
        self.template_action = add_action(self, window, text, self._on_template)
        self.template_action.setCheckable(True)
        self.template_action.setChecked(word_template() is not None)
        self.command_actions = (
            add_action(self, window, self.tr("Copy report as co&mmand"), commands.copy_report),
            add_action(self, window, self.tr("Copy c&omparison as command"), commands.copy_comparison),
        )
        session.topic_changed.connect(self._on_topic_changed)

    def update_all(self) -> None:
        """Which of them make sense now that the project, and perhaps the pane in front, is another."""
        for action in (
            *self.export_actions,
            self.word_action,
            *self.command_actions,
            self.all_pictures_action,
        ):
            action.setEnabled(bool(self._session.items))
        self._on_topic_changed()

    def save_picture(self) -> None:
        """Save the picture of the pane in front."""
        if card := self._front_card():
            self._exports.save_figure(card)

    def _on_topic_changed(self) -> None:
        """Not every pane has a picture."""
        workspace = self._workspace()
        has_picture = workspace is not None and bool(workspace.front_pane.figure_cards())
        for action in (self.export_actions[0], self.copy_picture_action):
            action.setEnabled(bool(self._session.items) and has_picture)

    def _on_template(self) -> None:
        self.template_action.setChecked(self._exports.choose_template(self.template_action.isChecked()))

    def _on_copy_picture(self) -> None:
        if card := self._front_card():
            self._exports.copy_figure(card)

    def _front_card(self) -> FigureCard | None:
        workspace = self._workspace()
        return workspace.front_card(self._window.focusWidget()) if workspace else None
