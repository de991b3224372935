"""Which panes there are. A new one is a class here; the window and the guide do the rest."""

from __future__ import annotations

from zebra_gui.listening.pane import ListeningPane
from zebra_gui.panes.answer import AnswerPane
from zebra_gui.panes.calibration import CalibrationPane
from zebra_gui.panes.certainty import CertaintyPane
from zebra_gui.panes.compare import ComparePane
from zebra_gui.panes.files import FilesPane
from zebra_gui.panes.law import LawPane
from zebra_gui.panes.overview import OverviewPane
from zebra_gui.panes.pane import EcePane, ErrorsPane, Pane, StrengthPane
from zebra_gui.panes.people import PeoplePane, ZooPane
from zebra_gui.panes.report import ReportPane
from zebra_gui.panes.similarity import SimilarityPane

PANES: tuple[type[Pane], ...] = (
    AnswerPane,
    OverviewPane,
    EcePane,
    ComparePane,
    CertaintyPane,
    ErrorsPane,
    StrengthPane,
    CalibrationPane,
    SimilarityPane,
    ZooPane,
    PeoplePane,
    LawPane,
    ListeningPane,
    FilesPane,
    ReportPane,
)
"""In the order of their tabs; `zebra_gui.window.pane_layouts` says which of them a reviewer sees."""
