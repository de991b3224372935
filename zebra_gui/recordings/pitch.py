"""How high the voices of all recordings are, before and after protection, as far as they were scored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.pitch import pitch_figure, pitch_read_out
from zebra_core.project.items import Item
from zebra_core.recordings.versions import RecordingVersions
from zebra_gui.panes.pane import FigureCard, MakeFigure
from zebra_gui.plots.points import PointsView
from zebra_gui.session.session import Session

_LOWEST = 280  # pixels


class PitchCard(FigureCard):
    """Originals against the copies under one safeguard; hidden where nobody has measured them.

    Signals:
        picked: the name of the recording that was clicked.
    """

    picked = Signal(str)

    def __init__(self, session: Session, takes: Sequence[RecordingVersions]) -> None:
        view = PointsView(pitch_read_out)
        super().__init__(session, view)
        view.picked.connect(self.picked)
        self._takes, self._safeguard, self._selected = tuple(takes), "", ""
        self.setMinimumHeight(_LOWEST)
        self.hide()

    @property
    def is_quick(self) -> bool:
        return True

    def show_take(self, take: RecordingVersions, safeguard: str) -> None:
        """Draw the recordings under a safeguard, one of them marked."""
        self._safeguard, self._selected = safeguard, take.name
        self.setVisible(bool(safeguard and self._known))
        self.refresh()

    @property
    def _known(self) -> dict[str, tuple[float, float]]:
        found = ((take.name, take.pitches_of(self._safeguard)) for take in self._takes)
        return {name: pitches for name, pitches in found if pitches is not None}

    def make_figure(self) -> MakeFigure | None:
        if not (known := self._known):
            return None
        if self._selected in known:  # drawn last, above the others
            known[self._selected] = known.pop(self._selected)
        return partial(pitch_figure, [*known.values()], self._safeguard, [*known], self._selected)

    def make_picture(self) -> MakeFigure | None:
        return self.make_figure()

    def file_stem(self) -> str:
        return f"{zebra_stem(self._safeguard)}-pitch"

    def subjects(self) -> Sequence[Item]:
        return ()
