"""The end of the program: at once, whatever its threads are doing.

Python waits at its end for threads, and so does Qt: for one that sets pages, or is in a library that knows no
stopping, for as long as it likes. All that matters is on the disk before the window is gone, and files are
written beside and put into their places whole, so that nothing is lost by not waiting.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from typing import NoReturn

from zebra_core.runtime.apart import end_all

MOST_MS = 1500
"""So long threads have to tidy up: they stop when they next tell their progress."""


def leave(status: int) -> NoReturn:
    """End this process with a status, without waiting for any thread."""
    end_all()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # nobody reads it any more, or there is none
            stream.flush()
    os._exit(status)
