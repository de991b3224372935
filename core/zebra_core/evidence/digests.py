"""Digests of arrays: what a result rests on is known by its content, not by where it lies in memory."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


def digest_of(*arrays: np.ndarray) -> str:
    """32 hexadecimal digits, equal for arrays of equal kinds, shapes and values in this order alone.

    Values are told apart bit by bit, so that 0.0 and −0.0 differ, and equal NaNs do not.
    """
    found = blake2b(digest_size=16)
    for array in arrays:
        found.update(f"{array.dtype.str}{array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()
