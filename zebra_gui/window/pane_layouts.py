"""Which panes stand among the tabs: those that a reviewer reads, or all that a laboratory works with."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QCoreApplication, QObject, Signal

from zebra_gui.settings import settings

_SETTING, _OLD_LAYOUT = "panes", "layout"
_OF_REVIEWERS = ("answer", "compare", "speakers", "people", "listening", "files", "report")


class PaneLayout(Enum):
    """The layouts by the words that settings and projects keep."""

    REVIEWER = "reviewer"
    LABORATORY = "laboratory"

    @property
    def title(self) -> str:
        """What menus and buttons call it."""
        translate = QCoreApplication.translate
        if self is PaneLayout.REVIEWER:
            return translate("PaneLayout", "Revie&wer")
        return translate("PaneLayout", "La&boratory")

    @property
    def meaning(self) -> str:
        """Whom it is for, and what it shows."""
        translate = QCoreApplication.translate
        if self is PaneLayout.REVIEWER:
            return translate(
                "PaneLayout", "What a report rests on: answer, comparison, people, law and files"
            )
        return translate("PaneLayout", "All panes: with errors, calibration, similarity and certainty, too")

    def has(self, topic: str) -> bool:
        """Whether the pane about this topic is in it."""
        return self is PaneLayout.LABORATORY or topic in _OF_REVIEWERS


class PaneLayouts(QObject):
    """The layout of the moment: what the user chose, which is remembered, or that of the open project.

    Signals:
        changed: it is another one.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = _remembered()

    def choose(self, layout: PaneLayout) -> None:
        """Be this one, now and at the next start."""
        settings().setValue(_SETTING, layout.value)
        self.follow(layout)

    def follow(self, layout: PaneLayout) -> None:
        """Be this one, as long as this project is open."""
        if layout is not self.now:
            self.now = layout
            self.changed.emit()

    def begin_anew(self) -> None:
        """Another case: be what the user chose."""
        self.follow(_remembered())


def layout_called(word: object) -> PaneLayout:
    """The layout that a project keeps; one from before there were two shows every pane."""
    return PaneLayout.REVIEWER if word == PaneLayout.REVIEWER.value else PaneLayout.LABORATORY


def _remembered() -> PaneLayout:
    """What the user chose; all panes for who has worked with them before, else what a reviewer reads."""
    kept = settings()
    if isinstance(word := kept.value(_SETTING), str):
        return layout_called(word)
    return PaneLayout.LABORATORY if kept.contains(_OLD_LAYOUT) else PaneLayout.REVIEWER
