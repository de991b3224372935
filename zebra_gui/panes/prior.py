"""The prior: a slider and a field that all pictures follow, and what the evidence makes of it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from zebra_core.metrics.assessment import reading_in_words
from zebra_core.metrics.prior import ROUND_PRIORS, nearest_round_prior, strongest_posterior
from zebra_core.wording.texts import say
from zebra_gui.session.session import Session
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import in_row, label
from zebra_gui.widgets.wheel import Slider


class PriorBar(QFrame):
    """A prior of 1 in N: marked in the pictures over the prior, and told for the selected entry."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("look", "card")
        self.mark = QCheckBox(self.tr("Mark the &prior"))
        self.mark.setToolTip(self.tr("A dotted line in every picture with an axis of priors"))
        self.mark.toggled.connect(session.mark_prior)
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Prior"))
        self.slider.setRange(0, len(ROUND_PRIORS) - 1)
        self.slider.setPageStep(10)
        self.slider.setInvertedAppearance(True)  # to the right the prior rises, as in the pictures
        self.slider.setInvertedControls(True)
        self.slider.setFixedWidth(170)
        self.slider.valueChanged.connect(self._on_slid)
        self.one_in = WholeBox()
        for field in (self.one_in, self.one_in.lineEdit()):
            field.setAccessibleName(self.tr("Prior: 1 in"))
        before, _, after = self.tr("1 in {count}").partition("{count}")
        self.one_in.setPrefix(before)
        self.one_in.setSuffix(after)
        self.one_in.setRange(ROUND_PRIORS[0], ROUND_PRIORS[-1])
        self.one_in.setGroupSeparatorShown(True)
        self.one_in.setKeyboardTracking(False)
        self.one_in.valueChanged.connect(session.consider_prior)
        self.sentence = label()  # its last word is the figure: where it is long it takes a second line
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

        in_row(
            self.mark,
            self.slider,
            self.one_in,
            (self.sentence, 1),
            on=self,
            margins=(14, 4, 14, 4),
            spacing=12,
        )
        session.prior_changed.connect(self._show)
        for signal in (session.changed, session.left):
            signal.connect(self._show)
        self._show()

    def _show(self) -> None:
        prior, selected = self._session.prior, self._session.selected
        with QSignalBlocker(self.slider), QSignalBlocker(self.one_in), QSignalBlocker(self.mark):
            self.mark.setChecked(self._session.marks_prior)
            self.slider.setValue(nearest_round_prior(prior))
            self.one_in.setValue(prior)
        sentence = str(strongest_posterior(selected.assessment, prior)) if selected else ""
        if selected and reading_in_words(selected.assessment):
            sentence = say("prior.as-given", sentence=sentence)
        self.sentence.setText(sentence)
        self.slider.setAccessibleDescription(sentence)

    def _on_slid(self, place: int) -> None:
        self._session.consider_prior(ROUND_PRIORS[place])
