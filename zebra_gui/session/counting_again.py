"""Trials that were only counted are read again to tell speakers apart, once the user has agreed to it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from zebra_gui import core_types as core
from zebra_gui.session.open_project import OpenProject


class CountingAgain(QObject):
    """Which assessments the user wants to be counted once more.

    Signals:
        agreed: one more of them.
    """

    agreed = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._agreed: set[object] = set()
        project.left.connect(self._agreed.clear)

    def offer(self, item: core.Item) -> str:
        """What counting would take; empty where nothing has to be counted, or the user has agreed."""
        from zebra_core.project.items import Entry
        from zebra_core.project.reading import counting_again_in_words

        if not isinstance(item, Entry) or item.id in self._agreed:
            return ""
        return counting_again_in_words(item)

    def agree(self, item: core.Item) -> None:
        """Count this one, whoever asks."""
        self._agreed.add(item.id)
        self.agreed.emit()
