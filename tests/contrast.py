"""How well colours stand out from each other, as WCAG 2 defines it."""

import numpy as np
from PySide6.QtGui import QColor

_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def luminance_of_pixels(rgb):
    """Relative luminance of colours, 0 … 255 along the last axis."""
    shares = np.asarray(rgb, dtype=float) / 255.0
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4) @ _WEIGHTS


def luminance(colour):
    """Relative luminance of one colour, by name."""
    return float(luminance_of_pixels(QColor(colour).getRgb()[:3]))


def contrast(one, other):
    """The contrast of two colours, 1 … 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
