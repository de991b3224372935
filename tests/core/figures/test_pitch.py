"""The picture of pitch before and after protection."""

import numpy as np
import pytest

from zebra_core.figures.pitch import pitch_figure, pitch_read_out


def test_each_recording_is_a_point_and_the_line_is_where_nothing_was_changed():
    found = pitch_figure([(100.0, 200.0), (200.0, 400.0)], "B2")
    (points,), (line,) = found.points, found.lines

    assert 2**points.x == pytest.approx([100.0, 200.0])
    assert points.y - points.x == pytest.approx([1.0, 1.0])
    assert np.array_equal(line.x, line.y)
    assert "moved by +12.0 semitones" in found.alt_text
    assert "the originals spread over 6.0 semitones, the copies over 6.0" in found.alt_text
    assert [text for _, text in found.x.ticks] == ["100", "150", "200", "300", "400"]


def test_a_safeguard_that_gives_all_one_pitch():
    found = pitch_figure([(90.0, 150.0), (180.0, 150.0)], "one <b>voice</b>")

    assert "the copies over 0.0" in found.alt_text
    assert found.y.low < np.log2(90.0) < np.log2(180.0) < found.y.high


def test_recordings_with_names_are_read_out_and_the_selected_one_is_larger():
    (points,) = pitch_figure([(100.0, 200.0), (200.0, 150.0)], "B2", ("one", "two"), "two").points

    assert points.emphasised == {"two"}
    assert pitch_read_out(points, 1) == "two: 200 Hz, under protection 150 Hz"
