"""How contrast is measured on a screen: by the strokes of letters, not by the strongest pixel."""

import numpy as np
import pytest

from accessibility.judging import contrast_within
from tests.contrast import contrast


def paper(*inks):
    """A white piece of the screen with strokes: how many pixels of which grey."""
    made = np.full((20, 60, 3), 255, dtype=np.uint8)
    flat = made.reshape(-1, 3)
    start = 0
    for count, grey in inks:
        flat[start : start + count] = grey
        start += count
    return made


def test_the_ink_is_that_of_the_strokes():
    assert contrast_within(paper((50, 118))) == pytest.approx(contrast("#767676", "#FFFFFF"))


def test_one_strong_pixel_does_not_make_pale_letters_dark():
    assert contrast_within(paper((1, 0), (50, 200))) == pytest.approx(contrast("#C8C8C8", "#FFFFFF"))


def test_the_pale_edges_of_letters_do_not_make_their_strokes_pale():
    assert contrast_within(paper((60, 200), (30, 0))) == pytest.approx(21.0)


def test_a_dash_has_few_pixels_and_its_own_ink():
    assert contrast_within(paper((6, 90), (12, 200))) == pytest.approx(contrast("#5A5A5A", "#FFFFFF"))


def test_nothing_on_paper_has_no_contrast():
    assert contrast_within(paper()) == 1.0
