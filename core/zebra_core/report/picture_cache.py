"""Pictures of a report as it prints them; those that are the same as before are not drawn again.

A report is set anew after every word that is changed in it, and drawing takes most of the time.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from functools import lru_cache

from zebra_core.figures.matplotlib_ import render
from zebra_core.report.document import ReportPicture
from zebra_core.wording.languages import current

_KEPT = 64
"""Pictures of some 80 kB each: those of two long reports."""


def drawn(picture: ReportPicture) -> bytes:
    """The picture as SVG."""
    asked = current(), picture.figure, picture.height, picture.width
    return _drawn(_PictureKey(pickle.dumps(asked), picture))


def forget_drawn() -> None:
    """Let go of all pictures: the next report draws its own."""
    _drawn.cache_clear()


@dataclass(frozen=True)
class _PictureKey:
    """A picture, known by everything that is drawn of it."""

    values: bytes
    picture: ReportPicture = field(compare=False)


@lru_cache(maxsize=_KEPT)
def _drawn(asked: _PictureKey) -> bytes:
    picture = asked.picture
    return render(picture.figure, "svg", axes_height=picture.height, width=picture.width)
