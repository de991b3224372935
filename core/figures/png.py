"""Colours as a PNG, which TeX lays into a picture."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image  # comes with matplotlib


def png_of(picture: NDArray[np.uint8], dpi: int = 100) -> bytes:
    """Shape (rows, columns, 3); the same picture gives the same bytes.

    Without a channel for what shines through, which TeX would take apart from the colours again.
    """
    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(stream, "PNG", dpi=(dpi, dpi))
    return stream.getvalue()
