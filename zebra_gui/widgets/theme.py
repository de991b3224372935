"""The looks: light or dark and the size of text, as palettes for Fusion and one style sheet.

Widgets that paint themselves take their colours from the palette, so they need not know the theme:
Base is a card, Mid its border, PlaceholderText what is said quietly, Highlight the line of the accent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from functools import cache
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget

import zebra_resources
from zebra_gui.settings import settings

FONT_FAMILY = "Inter"
_FONTS = ("Regular", "Italic", "SemiBold", "Bold")
_SETTING, _TEXT_SIZE = "theme", "text_size"
_POINTS = 9.75  # of text in its normal size
TEXT_SIZES = (85, 100, 115, 130, 150, 175, 200)  # per cent of that
_WITH_FONTS_OF_THEIR_OWN = (
    *("QMenuBar", "QMenu", "QAbstractItemView", "QHeaderView", "QMessageBox", "QStatusBar", "QToolTip"),
    *("QTabBar", "QPushButton", "QToolButton"),
)
"""What has another font than the application on Windows, unless it is told otherwise."""
_FRAMED = ("QLineEdit", "QAbstractSpinBox")
_FUSION_DARKER = 140  # per cent: how Fusion makes an outline of the colour of the window
_OF_DIALOGS = ("folder_up", "folder_new", "view_list", "view_details")
_ICONS = (
    "check",
    "left",
    "right",
    "left_dim",
    "right_dim",
    "up",
    "down",
    *_OF_DIALOGS,
)  # the same in both themes


class ThemeChoice(Enum):
    """What the user asked for."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Colours:
    """The colours of one theme, as #RRGGBB."""

    window: str
    card: str
    border: str  # between parts; nothing that must be found
    edge: str  # of what can be typed into, pressed or drawn along: 3 to 1 (WCAG 2.2)
    text: str
    muted: str
    accent: str  # fills, always with white on it
    accent_line: str  # thin lines and focus rings; Fusion's own rings, too
    on_accent_line: str  # text that is selected
    focus: str  # the focus ring on the accent
    selected: str  # behind the selected row
    hover: str
    problem: str
    problem_border: str
    problem_text: str
    notice: str
    notice_border: str
    error: str  # words on a card
    warning: str


LIGHT = Colours(
    window="#F4F5F7",
    card="#FFFFFF",
    border="#DDE1E6",
    edge="#7F8794",
    text="#1C2128",
    muted="#5B6472",
    accent="#0069A6",
    accent_line="#0072B2",
    on_accent_line="#FFFFFF",
    focus="#3D95CF",
    selected="#E1EDF8",
    hover="#ECEFF3",
    problem="#FDEEEC",
    problem_border="#EFB8B1",
    problem_text="#A3251B",
    notice="#FDF6E3",
    notice_border="#E5D5A3",
    error="#A3261B",
    warning="#7A5600",
)
DARK = Colours(
    window="#17191D",
    card="#20242B",
    border="#363B45",
    edge="#717A87",
    text="#E6E9ED",
    muted="#A3ABB7",
    accent="#0069A6",
    accent_line="#3FA0DC",
    on_accent_line="#17191D",
    focus="#9CD0F2",
    selected="#2A3848",
    hover="#2A2F38",
    problem="#3A2323",
    problem_border="#7A3B38",
    problem_text="#F3A29B",
    notice="#332D1B",
    notice_border="#665A30",
    error="#F39C92",
    warning="#E6C56E",
)


class Theme(QObject):
    """Applies the theme and the size of text to the application, and remembers which the user wants."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = _remembered()
        self._text_size = _remembered_size()
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """What the user asked for."""
        return self._choice

    @property
    def text_size(self) -> int:
        """How large text is, in per cent of its normal size."""
        return self._text_size

    def choose_text_size(self, per_cent: int) -> None:
        """Make all text so large, one of TEXT_SIZES, now and at the next start."""
        self._text_size = per_cent
        settings().setValue(_TEXT_SIZE, per_cent)
        self._apply()
        self.changed.emit()

    @property
    def colours(self) -> Colours:
        """The colours in use."""
        if self._choice is ThemeChoice.SYSTEM:
            # Without a desktop the scheme is unknown, which is light.
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        else:
            dark = self._choice is ThemeChoice.DARK
        return DARK if dark else LIGHT

    def choose(self, choice: ThemeChoice) -> None:
        """Change the theme, now and for the next start."""
        self._choice = choice
        settings().setValue(_SETTING, choice.value)
        self._apply()
        self.changed.emit()

    def _on_system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        sheet = style_sheet(self.colours, self._text_size)
        if self._app.styleSheet() == sheet:
            return  # another window has these colours: Qt would style all of it anew
        # setColorScheme would change nothing where no desktop theme is there, hence palettes of our own.
        self._app.setPalette(palette(self.colours))
        for name in _FRAMED:
            self._app.setPalette(palette_of_framed(self.colours), name)  # type: ignore[arg-type]
        font = self._app.font()
        font.setPointSizeF(_POINTS * self._text_size / 100)
        self._app.setFont(font)
        self._app.setStyleSheet(sheet)
        for name in _WITH_FONTS_OF_THEIR_OWN:  # after the sheet, which gives them those of the system again
            self._app.setFont(font, name)  # type: ignore[arg-type]


def with_text(pixels: float, shown: QWidget) -> int:
    """So many pixels of text in its normal size, in the size that a widget has."""
    return round(pixels * shown.font().pointSizeF() / _POINTS)


def load_fonts(app: QApplication) -> None:
    """Make Inter, which ships with the program, the font of the application."""
    _add_fonts()
    font = QFont(FONT_FAMILY)
    font.setPointSizeF(_POINTS)
    app.setFont(font)


@cache
def _add_fonts() -> None:
    """Once: each time Qt forgets how texts are laid out, and keeps the same font twice."""
    for style in _FONTS:
        QFontDatabase.addApplicationFont(str(zebra_resources.path(f"fonts/Inter-{style}.ttf")))


def palette(colours: Colours) -> QPalette:
    """The palette for Fusion."""
    role = QPalette.ColorRole
    by_role = {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.card,
        role.AlternateBase: colours.window,
        role.Text: colours.text,
        role.Button: colours.card,
        role.ButtonText: colours.text,
        role.BrightText: "#FFFFFF",
        role.ToolTipBase: colours.card,
        role.ToolTipText: colours.text,
        role.PlaceholderText: colours.muted,
        role.Highlight: colours.accent_line,
        role.HighlightedText: colours.on_accent_line,
        role.Link: colours.accent_line,
        role.Mid: colours.border,
        role.Midlight: colours.hover,
        role.Light: colours.card,
        role.Dark: colours.border,
        role.Shadow: colours.border,
    }
    made = QPalette()
    for a_role, colour in by_role.items():
        made.setColor(a_role, QColor(colour))
    for a_role in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, a_role, _between(colours.muted, colours.window))
    return made


def palette_of_framed(colours: Colours) -> QPalette:
    """The palette of what Fusion frames itself, in the colour of the window made darker: that of an edge."""
    made = palette(colours)
    made.setColor(QPalette.ColorRole.Window, QColor(colours.edge).lighter(_FUSION_DARKER))
    return made


def style_sheet(colours: Colours, text_size: int = 100) -> str:
    """The style sheet of the application, with text of so many per cent of its normal size."""
    icons = {name: zebra_resources.path(f"icons/{name.replace('_', '-')}.png").as_posix() for name in _ICONS}
    points = {name: f"{size * text_size / 100:.2f}pt" for name, size in _LARGE.items()}
    return _STYLE.substitute(asdict(colours), **icons, **points)


def _remembered() -> ThemeChoice:
    try:
        return ThemeChoice(settings().value(_SETTING, ThemeChoice.SYSTEM.value))
    except ValueError:  # somebody edited the file
        return ThemeChoice.SYSTEM


def _between(one: str, other: str) -> QColor:
    a, b = QColor(one), QColor(other)
    return QColor((a.red() + b.red()) // 2, (a.green() + b.green()) // 2, (a.blue() + b.blue()) // 2)


def _remembered_size() -> int:
    kept = settings().value(_TEXT_SIZE)
    known = {str(size): size for size in TEXT_SIZES}
    return known.get(str(kept), 100)


_LARGE = {
    "heading_size": 11.0,
    "lead_size": 12.5,
    "number_size": 20.0,
    "invitation_size": 17.0,
}  # points, in the normal size
_STYLE = Template("""
QMainWindow, QDialog { background: $window; }
QMainWindow, QDockWidget, QTabBar, QScrollBar, QProgressBar, QComboBox, QMenu {
    widget-animation-duration: 0;
}
QFileDialog {
    filedialog-parent-directory-icon: url("$folder_up"); filedialog-new-directory-icon: url("$folder_new");
    filedialog-listview-icon: url("$view_list"); filedialog-detailedview-icon: url("$view_details");
}
QToolTip { color: $text; background: $card; border: 1px solid $border; padding: 4px; }

QMenuBar { background: $card; border-bottom: 1px solid $border; padding: 1px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $card; border: 1px solid $border; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: $selected; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $border; margin: 5px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 5px; }

QStatusBar { background: $card; border-top: 1px solid $border; }
QStatusBar::item { border: none; }
QLabel[tone="quiet"] { color: $muted; }
QLabel[tone="problem"] { color: $problem_text; }
QLabel[tone="heading"] { font-weight: 600; font-size: $heading_size; }
QLabel[tone="error"] { color: $error; font-weight: 600; }
QLabel[tone="warning"] { color: $warning; font-weight: 600; }
QLabel[tone="note"] { color: $muted; }
QLabel[tone="subheading"] { font-weight: 600; }
QLabel[tone="lead"] { font-weight: 600; font-size: $lead_size; }
QLabel[tone="number"] { font-weight: 700; font-size: $number_size; }
QLabel[tone="invitation"] { font-weight: 600; font-size: $invitation_size; }

QFrame[look="card"] { background: $card; border: 1px solid $border; border-radius: 7px; }
QFrame[look="problem"] { background: $problem; border: 1px solid $problem_border; border-radius: 7px; }
QFrame[look="notice"] { background: $notice; border: 1px solid $notice_border; border-radius: 7px; }
QFrame[look="drop"] { background: $card; border: 2px dashed $edge; border-radius: 12px; }
QFrame[look="drop"][dragging="true"] { background: $selected; border: 2px dashed $accent_line; }

QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[look="scrolled"] { background: transparent; border: none; }
QScrollArea { background: transparent; border: 1px solid transparent; border-radius: 4px; }
QScrollArea:focus { border: 1px solid $accent_line; }
QGraphicsView { border: 1px solid transparent; }
QGraphicsView:focus { border: 1px solid $accent_line; }
QListView { background: $card; border: 1px solid $border; border-radius: 4px; }
QPlainTextEdit, QTextEdit { background: $card; border: 1px solid $edge; border-radius: 4px; }
QListWidget { selection-background-color: $selected; selection-color: $text; }
QListView:focus { border: 1px solid $accent_line; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent_line; }
QAbstractSpinBox { min-height: 22px; }
LineField { background: $card; border: 1px solid $edge; border-radius: 4px; padding: 3px 5px; }
LineField:focus { border: 2px solid $accent_line; padding: 2px 4px; }
QComboBox {
    background: $card; color: $text; border: 1px solid $edge; border-radius: 4px; padding: 3px 8px;
    selection-background-color: $accent_line; selection-color: $on_accent_line;
}
QComboBox:hover { background: $hover; }
QComboBox:focus { border: 2px solid $accent_line; padding: 2px 7px; }
QComboBox:disabled { color: $muted; background: $window; border: 1px solid $border; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("$down"); width: 9px; height: 9px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 2px; }
QScrollBar::handle { background: $edge; border-radius: 3px; min-height: 26px; min-width: 26px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QPushButton, QToolButton {
    background: $card; color: $text; border: 1px solid $edge; border-radius: 6px; padding: 5px 14px;
}
QToolButton { padding: 4px 10px; }
QFileDialog QToolButton { padding: 2px; background: #DDE1E7; }
QSlider { min-height: 20px; border: 1px solid transparent; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $muted; }
QSlider::handle:horizontal {
    width: 12px; margin: -6px 0; border-radius: 7px; border: 1px solid $muted; background: $card;
}
QSlider::handle:horizontal:hover { background: $hover; }
QSlider:focus { border: 1px solid $accent_line; border-radius: 4px; }
QTabBar::scroller { width: 56px; }
QTabBar QToolButton {
    background: $window; border: none; border-radius: 4px; padding: 0; margin: 6px 1px 8px 1px;
}
QTabBar QToolButton:hover { background: $hover; }
QTabBar QToolButton::left-arrow { image: url("$left"); width: 12px; height: 12px; }
QTabBar QToolButton::right-arrow { image: url("$right"); width: 12px; height: 12px; }
QTabBar QToolButton::left-arrow:disabled { image: url("$left_dim"); }
QTabBar QToolButton::right-arrow:disabled { image: url("$right_dim"); }
QToolButton[popupMode="2"] { padding-right: 22px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; right: 7px; }
QToolButton:checked { background: $selected; border: 1px solid $accent_line; }
QFileDialog QToolButton:pressed { background: #B9C6D6; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $selected; }
QPushButton:focus { border: 2px solid $accent_line; padding: 4px 13px; }
QToolButton:focus { border: 2px solid $accent_line; padding: 3px 9px; }
QToolButton[popupMode="2"]:focus { padding-right: 21px; }
QPushButton:disabled, QToolButton:disabled {
    color: $muted; background: $window; border: 1px solid $border;
}
QToolButton:checked:focus { border: 2px solid $accent_line; padding: 3px 9px; }
QPushButton[look="step"] { padding: 5px 4px; }
QPushButton[look="step"]:checked { background: $accent; color: #FFFFFF; border: 1px solid $accent; }
QPushButton[look="step"]:focus { border: 2px solid $accent_line; padding: 4px 3px; }
QPushButton[look="step"]:checked:focus { border: 4px double #FFFFFF; padding: 2px 1px; }
QPushButton[look="link"] {
    background: transparent; border: 1px solid transparent; color: $text; text-align: left; padding: 3px 8px;
}
QPushButton[look="link"]:hover { background: $hover; }
QPushButton[look="link"]:disabled { color: $muted; }
QPushButton[look="link"]:focus { border: 2px solid $accent_line; padding: 2px 7px; }
QPushButton[look="main"] { background: $accent; color: #FFFFFF; border: 1px solid $accent; font-weight: 600; }
QPushButton[look="main"]:disabled { background: $window; color: $muted; border: 1px solid $border; }
QPushButton[look="main"]:hover { border: 1px solid $focus; }
QPushButton[look="main"]:focus { border: 4px double #FFFFFF; padding: 2px 11px; }

QTreeView {
    background: $card; border: 1px solid $border; border-radius: 7px; padding: 4px; outline: none;
    show-decoration-selected: 0; selection-background-color: transparent;
}
QTreeView:focus { border: 1px solid $accent_line; }
QTreeView::item { border: none; }
QFileDialog QTreeView, QFileDialog QListView {
    show-decoration-selected: 1; selection-background-color: $selected; selection-color: $text;
}
QFileDialog QTreeView::item:selected, QFileDialog QListView::item:selected {
    background: $selected; color: $text;
}
QTreeView#contents::item { padding: 3px 2px; }
QTreeView#contents::item:selected { background: $selected; color: $text; }
QTreeView::branch:selected { background: transparent; }
QLineEdit[look="search"] {
    background: $card; border: 1px solid $edge; border-radius: 6px; padding: 4px 8px;
}
QLineEdit[look="search"]:focus { border: 2px solid $accent_line; padding: 3px 7px; }
QTableView QLineEdit { background: $card; border: 1px solid $accent_line; padding: 0 3px; }
QTreeView QLineEdit { background: $card; border: 1px solid $accent_line; padding: 0 3px; }

QTabBar { background: $window; qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent;
    padding: 8px 6px 7px 6px; margin: 2px 0 4px 0;
}
QTabBar::tab:hover { color: $text; border-bottom: 2px solid $border; }
QTabBar::tab:selected { color: $text; font-weight: 600; border-bottom: 2px solid $accent_line; }
QTabBar:focus { border-bottom: 1px solid $accent_line; }

QDockWidget > QLabel { padding: 12px 4px 7px 10px; }
QMainWindow::separator { background: $window; width: 8px; height: 8px; }
QMainWindow::separator:hover { background: $edge; }

QProgressBar { background: $hover; border: none; border-radius: 4px; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }

QTableView {
    background: $card; border: 1px solid $border; border-radius: 7px; gridline-color: transparent;
    selection-background-color: $selected; selection-color: $text; outline: none;
}
QTableView:focus { border: 1px solid $accent_line; }
QTableView::item { padding: 0 6px; border: none; }
QTableCornerButton::section { background: $card; border: none; }
QRadioButton, QCheckBox { spacing: 8px; padding: 2px; border: 1px solid transparent; border-radius: 4px; }
QRadioButton:focus, QCheckBox:focus { border: 1px solid $accent_line; }
QRadioButton::indicator, QCheckBox::indicator, QListView::indicator {
    width: 13px; height: 13px; border: 1px solid $muted; background: $card; border-radius: 3px;
}
QRadioButton::indicator { border-radius: 7px; }
QRadioButton::indicator:checked {
    border: 1px solid $accent_line;
    background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
        stop: 0 $accent_line, stop: 0.55 $accent_line, stop: 0.65 $card, stop: 1 $card);
}
QCheckBox::indicator:checked, QListView::indicator:checked {
    border: 1px solid $accent; background: $accent; image: url("$check");
}
QSplitter::handle { background: transparent; width: 8px; height: 8px; }
QSplitter::handle:hover { background: $edge; }
QHeaderView::section { background: $card; border: none; border-bottom: 1px solid $border; padding: 5px 9px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: top center; width: 9px; height: 9px; }
QHeaderView::up-arrow { image: url("$up"); }
QHeaderView::down-arrow { image: url("$down"); }
""")


# What a screen reader is told that parts of the window are, where Qt would call them parts and no more.


_Role = QAccessible.Role
_ROLES = {
    "GraphicsView": _Role.Chart,  # pyqtgraph's, from which all pictures come
    "QScrollArea": _Role.Pane,
    "LegendItem": _Role.StaticText,
    "TagBadge": _Role.Graphic,
    "QSplitterHandle": _Role.Separator,
}
"""By the name of a class, which holds for those made from it, too."""


def tell_roles() -> None:
    """From now on, whenever a screen reader asks about a widget for the first time."""
    QAccessible.installFactory(_interface)


def _interface(kind: str, thing: QObject) -> QAccessibleWidget | None:
    """Asked for every class of a thing in turn, its own first; None leaves it to Qt."""
    role = _ROLES.get(kind)
    return QAccessibleWidget(thing, role) if role is not None and isinstance(thing, QWidget) else None
