"""The window when nothing is open: what the program is for, a large drop target, and what was open lately."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPixmap
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QPushButton, QRadioButton, QScrollArea, QWidget

import zebra_resources
from zebra_gui.document.recents import RecentProjects
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import Flow, in_column, in_row, label
from zebra_gui.window.pane_layouts import PaneLayout, PaneLayouts

_PICTURE = 72
_WIDEST = 760  # of what is read, pixels


class StartPage(QWidget):
    """Says what ZEBRA is for; invites to drop files or a folder, to open some, or to look at a demo."""

    def __init__(
        self,
        session: Session,
        actions: tuple[QAction, QAction, QAction, QAction],
        recent: RecentProjects,
        layouts: PaneLayouts,
        parent: QWidget | None = None,
    ) -> None:
        """`actions` open files, a folder, the demo, and that from recordings."""
        super().__init__(parent)
        self._session, self.recent, self._layouts = session, recent, layouts
        self._target = QFrame()
        self._target.setProperty("look", "drop")
        self.purpose = label(
            self.tr("How much does protected speech still give away about who is speaking?"), "invitation"
        )
        self.invitation = label(tone="heading")
        self.explanation = label(
            self.tr(
                "A score file says how alike two recordings are; the key says which of them share a "
                "speaker. You can also drop a whole folder: ZEBRA finds what belongs together."
            )
        )
        self.from_recordings = label(
            self.tr(
                "Without scores, drop a folder of original and a folder of protected recordings: ZEBRA "
                "listens to them and makes the scores."
            )
        )
        self._picture = QLabel()
        for text in (self.purpose, self.invitation, self.explanation, self.from_recordings, self._picture):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        buttons = self._make_buttons(actions)
        self.layout_buttons = self._make_layout_buttons()
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        inside.setMaximumWidth(_WIDEST)
        in_column(
            3,
            self._picture,
            self.purpose,
            self.invitation,
            self.explanation,
            self.from_recordings,
            buttons,
            self.recent,
            self.layout_buttons,
            4,
            on=inside,
            margins=(20, 12, 20, 12),
            spacing=12,
        )
        page = QWidget()
        page.setProperty("look", "scrolled")
        in_row(1, (inside, 20), 1, on=page, margins=0)
        in_column(_scrolled(page, self.tr("What to begin with")), on=self._target, margins=3)
        in_column(self._target, on=self, margins=(26, 20, 26, 26))

        session.arrivals.waiting_changed.connect(self._show_invitation)
        layouts.changed.connect(self._show_layout)
        self._show_invitation()
        self._show_layout()
        self._show_picture()

    def show_dragging(self, dragging: bool) -> None:
        """Light up while files are held over the window."""
        self._target.setProperty("dragging", dragging)
        self._target.style().polish(self._target)

    def _make_buttons(self, actions: tuple[QAction, ...]) -> Flow:
        texts = (
            self.tr("Open files…"),
            self.tr("Open folder…"),
            self.tr("Open the demo"),
            self.tr("Demo from recordings"),
        )
        self.open_button, self.folder_button, self.demo_button, self.recordings_demo_button = made = [
            QPushButton(text) for text in texts
        ]
        self.open_button.setProperty("look", "main")
        buttons = Flow(across=10, centred=True)
        for button, action in zip(made, actions, strict=True):
            button.clicked.connect(action.trigger)
            buttons.addWidget(button)
        return buttons

    def _make_layout_buttons(self) -> QWidget:
        """Which panes there are going to be; the View menu has the same."""
        box = QWidget()
        row = Flow(across=14, centred=True)
        name = label(self.tr("Panes:"), "quiet")
        row.addWidget(name)
        self._layout_group = QButtonGroup(self)
        for layout in PaneLayout:
            button = QRadioButton(layout.title)
            button.setToolTip(layout.meaning)
            button.setAccessibleDescription(layout.meaning)
            button.clicked.connect(partial(self._layouts.choose, layout))
            self._layout_group.addButton(button)
            row.addWidget(button)
            name.setMinimumHeight(button.sizeHint().height())  # on one line with them
        box.setLayout(row)
        return box

    def _show_layout(self) -> None:
        self._layout_group.buttons()[list(PaneLayout).index(self._layouts.now)].setChecked(True)

    def _show_invitation(self) -> None:
        roles = {file.role.value for file in self._session.arrivals.waiting}
        if "scores" in roles:
            invitation = self.tr("Now drop the key")
        elif roles:
            invitation = self.tr("Now drop the score files")
        else:
            invitation = self.tr("Drop score files and their key here, or folders of recordings")
        self.invitation.setText(invitation)

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


def _scrolled(page: QWidget, name: str) -> QScrollArea:
    """The page in an area that scrolls in a small window; what has the focus is scrolled into sight."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(page)
    for inside in (area.viewport(), page):
        inside.setAutoFillBackground(False)  # the frame lights up behind
    return area
