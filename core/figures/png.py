"""Colours as a PNG, which TeX lays into a picture."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from matplotlib.image import imsave
from numpy.typing import NDArray


def png_of(picture: NDArray[np.uint8], dpi: int = 100) -> bytes:
    """Shape (rows, columns, 3); the same picture gives the same bytes."""
    stream = io.BytesIO()
    # None leaves out the name of the software, which is no part of the picture.
    metadata: dict[str, Any] = {"Software": None}
    imsave(stream, picture, format="png", dpi=dpi, metadata=metadata)
    return stream.getvalue()
