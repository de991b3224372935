"""Tests by ear in the window: making one, taking one full screen, and what came of it, on a pane."""

from typing import TYPE_CHECKING

from zebra_gui.jobs.late import LateModule

if not TYPE_CHECKING:  # for that it is the module itself
    work = LateModule("zebra_gui.listening.work")
