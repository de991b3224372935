"""The document: the file of the project, whether it is up to date, and what may be lost."""

from typing import TYPE_CHECKING

from zebra_gui.jobs.late import LateModule

if not TYPE_CHECKING:  # for that it is the module itself
    work = LateModule("zebra_gui.document.work")
