"""The panes, one file each. A new pane is a class here; the window and the guide do the rest."""

from __future__ import annotations

from zebra_gui.panes.ece import EcePane
from zebra_gui.panes.files import FilesPane
from zebra_gui.panes.overview import OverviewPane
from zebra_gui.panes.pane import Pane

PANES: tuple[type[Pane], ...] = (OverviewPane, EcePane, FilesPane)
"""In the order of their tabs."""
