"""What is open and selected, and everything that changes it."""

from typing import TYPE_CHECKING

from zebra_gui.jobs.late import LateModule

if not TYPE_CHECKING:  # for that it is the module itself
    work = LateModule("zebra_gui.session.work")
