"""What cards about speakers have in common: which comparisons they are of, and the study of these."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox

from zebra_core.speakers.study import SpeakerStudy
from zebra_gui.panes.count_again import CountAgainButton
from zebra_gui.session.session import Session
from zebra_gui.session.speaker_studies import StudiedComparisons, all_spoken, spoken_by_default
from zebra_gui.widgets.plain import choice_box, shown_name
from zebra_gui.widgets.when_visible import WhenVisible


class SpokenChoice(QObject):
    """A box with all comparisons that can be studied; it follows what is selected in the session.

    Signals:
        changed: other comparisons are meant, or their study is there now.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: str | None = None
        self._offered: list[tuple[str, str]] = []
        self.box = choice_box(self.tr("Comparisons"))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(16)
        self.box.activated.connect(self._on_activated)
        self.count_button = CountAgainButton(session)
        session.counting_again.agreed.connect(self._show)
        session.selection_changed.connect(self._follow)
        self._when_visible = WhenVisible(self.box, self._show)
        session.changed.connect(self._when_visible.refresh)
        session.left.connect(self._when_visible.refresh_now)
        session.speaker_studies.found.connect(self._on_studied)
        self._follow()
        self._show()

    @property
    def spoken(self) -> StudiedComparisons | None:
        """The comparisons that are meant."""
        return next((one for one in all_spoken(self._session.items) if one.key == self._key), None)

    @property
    def study(self) -> SpeakerStudy | None:
        """The study of them; asked for where there is none yet."""
        return self._session.speaker_studies.of(self.spoken) if self.spoken else None

    @property
    def failure(self) -> str:
        """Why there is none."""
        return self._session.speaker_studies.failure(self.spoken) if self.spoken else ""

    @property
    def missing(self) -> str:
        """Why there is none and none is being made: what it would take, or why it failed."""
        offered = self._session.counting_again.offer(self.spoken.item) if self.spoken else ""
        return offered or self.failure

    @property
    def state(self) -> str:
        """What to say as long as there is none: why, or that it is being made."""
        return (self.missing or self.tr("Looking at the speakers…")) if self.spoken else ""

    def _on_activated(self) -> None:
        self._key = self.box.currentData()
        if self.spoken:
            self._session.speaker_studies.forget_failure(self.spoken)
        self._show()

    def _show(self) -> None:
        if self.spoken is None:
            self._follow()
        self._fill()
        self.count_button.offer_for(self.spoken.item if self.spoken else None)
        self.changed.emit()

    def _on_studied(self, _key: str) -> None:
        self.changed.emit()

    def _follow(self) -> None:
        found = spoken_by_default(self._session.items, self._session.selected_item)
        self._key = found.key if found else None

    def _fill(self) -> None:
        offered = [(shown_name(one.name_with_dataset), one.key) for one in all_spoken(self._session.items)]
        if offered != self._offered:
            self._offered = offered
            self.box.clear()
            for name, key in offered:
                self.box.addItem(name, key)
        self.box.setCurrentIndex(self.box.findData(self._key))
