"""One change of the project, to be undone and done again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QUndoCommand, QUndoStack

from zebra_gui import core_types as core


class SessionState(NamedTuple):
    """What is undone and done again: the project, what panes are about, and all that is selected."""

    project: core.Project | None
    selected_id: str | None
    selected_ids: tuple[str, ...]


class Change(QUndoCommand):
    """From one project to another: projects never change, so going back is taking the old one."""

    def __init__(
        self,
        text: str,
        show: Callable[[SessionState], None],
        before: SessionState,
        after: SessionState,
        merges: str,
    ) -> None:
        super().__init__(text)
        self._show = show
        self._before = before
        self._after = after
        self._merges = merges

    @property
    def ids(self) -> set[str]:
        """The ids of all items before and after it."""
        projects = (self._before.project, self._after.project)
        return {item.id for project in projects if project for item in project.items}

    def undo(self) -> None:
        self._show(self._before)

    def redo(self) -> None:
        self._show(self._after)

    def id(self) -> int:
        return 1 if self._merges else -1  # Qt asks commands of one id whether they merge

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Change) or other._merges != self._merges:  # noqa: SLF001
            return False
        self._after = other._after  # noqa: SLF001
        return True


def ids_to_come_back(stack: QUndoStack) -> set[str]:
    """The ids of all items that may be there again when something is undone or done again."""
    changes = (stack.command(number) for number in range(stack.count()))
    return {one for change in changes if isinstance(change, Change) for one in change.ids}
