"""Files dropped on the window, wherever on it they fall."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from zebra_gui.widgets.urls import path_of


class FileDrops(QObject):
    """Watches widgets that files may be dropped on.

    Signals:
        dropped: the local files of a drop, and those URLs that are no local file.
        dragging_changed: files are being held over a widget, or no longer.
    """

    dropped = Signal(list, list)
    dragging_changed = Signal(bool)

    def watch(self, widget: QWidget) -> None:
        """Take drops on this widget and on everything in it."""
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DragLeave:
            self.dragging_changed.emit(False)
            return False
        if not isinstance(event, QDropEvent) or not event.mimeData().hasUrls():
            return False
        event.acceptProposedAction()
        is_drop = event.type() is QEvent.Type.Drop
        if event.type() is QEvent.Type.DragEnter or is_drop:
            self.dragging_changed.emit(not is_drop)
        if is_drop:
            self.dropped.emit(*_sorted(event.mimeData()))
        return True


def _sorted(mime: QMimeData) -> tuple[list[Path], list[str]]:
    urls: Sequence[QUrl] = mime.urls()
    paths = [path_of(url) for url in urls]
    elsewhere = [url.toDisplayString() for url, path in zip(urls, paths, strict=True) if path is None]
    return [path for path in paths if path is not None], elsewhere
