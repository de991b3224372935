"""Trials that were only counted are read again to tell speakers apart, once the user has agreed to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from zebra_gui import core_types as core
from zebra_gui.session.open_project import OpenProject


class RecountConsent(QObject):
    """Which assessments the user wants to be counted once more.

    Signals:
        agreed: more of them.
        asked: somebody wants something for which they have to be counted, or no longer.
    """

    agreed = Signal()
    asked = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._agreed: set[str] = set()
        self._waiting: tuple[frozenset[str], Callable[[], None]] | None = None
        project.left.connect(self._forget)

    def offer(self, *items: core.Item) -> str:
        """What counting would take; empty where nothing has to be counted, or the user has agreed."""
        from zebra_core.project.reading.reading import counting_again_in_words

        missing = [entry for one in items for entry in one.entries if one.id not in self._agreed]
        return counting_again_in_words(*missing)

    def agree(self, *items: core.Item) -> None:
        """Count these, whoever asks."""
        self._agreed.update(item.id for item in items)
        self.agreed.emit()

    # What somebody asked for

    def is_agreed(self, items: Sequence[core.Item], then: Callable[[], None]) -> bool:
        """Whether these can be measured at once; else the user is asked, and `then` is done if they agree."""
        wanted = self.offer(*items)
        self._waiting = (frozenset(item.id for item in items), then) if wanted else None
        self.asked.emit()
        return not wanted

    @property
    def question(self) -> str:
        """What it would take to do what somebody asked for; empty where nobody waits."""
        return self.offer(*self._waited_for())

    def answer(self, *, yes: bool) -> None:
        """What the user says to that."""
        items, waiting, self._waiting = self._waited_for(), self._waiting, None
        if yes and waiting:
            self.agree(*items)
            waiting[1]()
        self.asked.emit()

    def _waited_for(self) -> tuple[core.Item, ...]:
        ids = self._waiting[0] if self._waiting else frozenset()
        return tuple(item for item in self._open.items if item.id in ids)

    def _forget(self) -> None:
        self._agreed.clear()
        self.answer(yes=False)
