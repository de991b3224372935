"""The window when nothing is open: one large drop target that says what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

import zebra_resources
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import label

_PICTURE = 92


class StartPage(QWidget):
    """Invites to drop files or a folder, to open some, or to look at a demo."""

    def __init__(
        self,
        session: Session,
        open_action: QAction,
        folder_action: QAction,
        demo_action: QAction,
        recordings_demo_action: QAction,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._target = QFrame()
        self._target.setProperty("look", "drop")
        self.invitation = label(tone="invitation")
        self.explanation = label(tone="quiet")
        for text in (self.invitation, self.explanation):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)

        self.open_button = QPushButton(self.tr("Open files…"))
        self.open_button.setProperty("look", "main")
        self.open_button.clicked.connect(open_action.trigger)
        self.folder_button = QPushButton(self.tr("Open folder…"))
        self.folder_button.clicked.connect(folder_action.trigger)
        self.demo_button = QPushButton(self.tr("Open the demo"))
        self.demo_button.clicked.connect(demo_action.trigger)
        self.recordings_demo_button = QPushButton(self.tr("Demo from recordings"))
        self.recordings_demo_button.clicked.connect(recordings_demo_action.trigger)
        buttons = in_row(
            1,
            self.open_button,
            self.folder_button,
            self.demo_button,
            self.recordings_demo_button,
            1,
            spacing=10,
        )

        inside = in_column(3, self._picture, on=self._target, margins=(40, 30, 40, 30), spacing=12)
        inside.addSpacing(6)
        inside.addWidget(self.invitation)
        inside.addWidget(self.explanation)
        inside.addSpacing(10)
        inside.addLayout(buttons)
        inside.addStretch(4)
        in_column(self._target, on=self, margins=(26, 20, 26, 26))

        session.arrivals.waiting_changed.connect(self._show_invitation)
        self._show_invitation()
        self._show_picture()

    def show_dragging(self, dragging: bool) -> None:
        """Light up while files are held over the window."""
        self._target.setProperty("dragging", dragging)
        self._target.style().polish(self._target)

    def _show_invitation(self) -> None:
        roles = {file.role.value for file in self._session.arrivals.waiting}
        if "scores" in roles:
            invitation = self.tr("Now drop the key")
        elif roles:
            invitation = self.tr("Now drop the score files")
        else:
            invitation = self.tr("Drop score files and their key here")
        self.invitation.setText(invitation)
        self.explanation.setText(
            self.tr(
                "A score file says how alike two recordings are; the key says which of them share a "
                "speaker. You can also drop a whole folder: ZEBRA finds what belongs together.\n"
                "Without scores, drop a folder of original and a folder of protected recordings: ZEBRA "
                "listens to them and makes the scores."
            )
        )

    def _show_picture(self) -> None:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(str(zebra_resources.path("icons/zebra.png"))).scaled(
            round(_PICTURE * ratio),
            round(_PICTURE * ratio),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        picture.setDevicePixelRatio(ratio)
        self._picture.setPixmap(picture)
