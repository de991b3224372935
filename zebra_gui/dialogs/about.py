"""About: what this is, which versions of what it runs on, and under which licences."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from zebra_core.version import versions
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import label, tell

_LEAST_WIDTH = 430


class AboutDialog(QDialog):
    """One page, with buttons that copy the versions for a letter to us and that show all licences.

    Signals:
        licences_asked: the user wants to read the licences of all that comes along.
    """

    licences_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About ZEBRA"))
        self.versions = version_lines()
        about = label(
            self.tr("How much does protected speech still give away about who is speaking?"), "subheading"
        )
        licences = label(
            self.tr(
                "ZEBRA is free software under the Apache License 2.0. It uses Qt and PySide6 under the GNU "
                "Lesser General Public License 3, whose libraries you may replace by your own, and the "
                "Inter typeface under the SIL Open Font License 1.1."
            ),
            "quiet",
        )
        listed = label()
        tell(listed, self.tr("Versions"), "\n".join(self.versions))
        listed.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        copy = QPushButton(self.tr("Copy versions"))
        copy.clicked.connect(self._on_copy)
        more = QPushButton(self.tr("&Licences…"))
        more.setAccessibleDescription(self.tr("The licences of everything included, with their texts"))
        more.clicked.connect(lambda _checked=False: self.licences_asked.emit())
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)

        layout = in_column(
            label("ZEBRA", "invitation"),
            about,
            listed,
            licences,
            in_row(copy, more, 1, close),
            on=self,
            margins=(24, 20, 24, 18),
            spacing=14,
        )
        width = max(_LEAST_WIDTH, layout.sizeHint().width())
        self.setMinimumWidth(width)
        self.resize(width, layout.totalHeightForWidth(width))  # as many lines as the words need in it
        close.setFocus()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.versions))


def version_lines() -> tuple[str, ...]:
    """The program and what it runs on, one a line."""
    return tuple(f"{name} {version}" for name, version in versions_here().items())


def versions_here() -> dict[str, str]:
    """The versions of the program and of what it runs on, name to version."""
    return {**versions(), "qt": qVersion(), "system": platform.platform()}
