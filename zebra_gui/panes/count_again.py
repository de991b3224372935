"""The button that counts trials once more where they were only counted, beside what that takes."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.project.items import Item
from zebra_gui.session.session import Session


class CountAgainButton(QPushButton):
    """Shown as long as the user has not agreed to it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._item: Item | None = None
        self.setText(self.tr("Count speaker by speaker"))
        self.clicked.connect(self._on_clicked)
        self.hide()

    def offer_for(self, item: Item | None) -> str:
        """Offer it for this item, where there is anything to count; what that takes."""
        self._item = item
        said = self._session.counting_again.offer(item) if item else ""
        self.setVisible(bool(said))
        self.setAccessibleDescription(said)
        return said

    def _on_clicked(self) -> None:
        if self._item is not None:
            self._session.counting_again.agree(self._item)
