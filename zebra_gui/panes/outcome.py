"""What came of a learnt calibration: a small table, and what must be known beside it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from zebra_core.metrics.learnt_calibration import LearntCalibration
from zebra_core.speakers.folds import CrossValidation
from zebra_core.wording.texts import say
from zebra_core.wording.wording import bits, signed
from zebra_gui.tables.facts import FactGrid

translate = QCoreApplication.translate


@dataclass(frozen=True)
class CalibrationRow:
    """One calibration, and what its LLRs are worth."""

    name: str
    disclosure: str
    cllr: str


def rows_of(found: LearntCalibration | CrossValidation) -> tuple[CalibrationRow, ...]:
    """The calibrations that were learnt, and within one run the oracle on the same trials."""
    learnt = (
        CalibrationRow(
            translate("Outcome", "Linear"), signed(found.linear.c_ece_bits), bits(found.linear.cllr_bits)
        ),
        CalibrationRow(
            translate("Outcome", "Isotonic"),
            signed(found.isotonic.c_ece_bits),
            bits(found.isotonic.cllr_bits),
        ),
    )
    if isinstance(found, LearntCalibration):
        return learnt
    oracle = CalibrationRow(translate("Outcome", "Oracle"), bits(found.d_ece_bits), bits(found.min_cllr_bits))
    return (*learnt, oracle)


def notes_of(found: LearntCalibration | CrossValidation) -> str:
    """What must be known beside the numbers: separable scores, assumed speakers, trials left out."""
    if isinstance(found, LearntCalibration):
        return say("learnt.bounded") if found.linear_map.bounded else ""
    return say(
        "learnt.assumed",
        speakers=found.n_speakers,
        folds=found.n_folds,
        judged=found.n_judged,
        left_out=found.n_left_out,
    )


class OutcomeTable(FactGrid):
    """The rows under their headings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Results"))

    def show_rows(self, rows: tuple[CalibrationRow, ...]) -> None:
        """Show these rows."""
        headings = self.tr("Calibration"), self.tr("C_ECE (bit)"), self.tr("Cllr (bit)")
        self.show_table(headings, [(row.name, row.disclosure, row.cllr) for row in rows])
