"""Colours as a PNG."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

_NO_WORDS: Mapping[str, str] = {}


def png_of(picture: NDArray[np.uint8], dpi: int = 100, words: Mapping[str, str] = _NO_WORDS) -> bytes:
    """Shape (rows, columns, 3 or 4), with `words` as its metadata; the same picture gives the same bytes.

    A fourth channel, for what shines through, is left out: TeX would take it apart from the colours again.
    Drawings are runs of one colour: to look for more than runs saves an eighth, and takes a third longer.
    """
    metadata = PngInfo()
    for name, text in words.items():
        metadata.add_text(name, text)
    stream = io.BytesIO()
    image = Image.fromarray(picture).convert("RGB")
    image.save(stream, "PNG", dpi=(dpi, dpi), pnginfo=metadata, compress_type=zlib.Z_RLE)
    return stream.getvalue()
