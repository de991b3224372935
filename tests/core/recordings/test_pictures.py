"""A recording as pictures: places, words, and what the renderers make of colours behind axes."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.core.recordings.samples import tone, write
from tests.core.samples import pdflatex
from zebra_core.figures.export import figure_files, save_figure
from zebra_core.figures.palette import COLOUR_MAP, rgb
from zebra_core.recordings.pictures import (
    frame_of,
    spectrogram_figure,
    spectrogram_read_out,
    waveform_figure,
    waveform_read_out,
)
from zebra_core.recordings.spectrogram import look_at


@pytest.fixture(scope="module")
def look(tmp_path_factory):
    return look_at(write(tmp_path_factory.mktemp("sound") / "x.wav", tone(hertz=1000.0), subtype="FLOAT"))


def test_a_waveform_goes_up_and_down_between_the_samples_of_each_piece(look):
    figure = waveform_figure(look, "x", "B2", 0, frame_of([look]))
    (line,) = figure.lines

    assert (figure.x.high, figure.y.high) == (0.5, pytest.approx(0.525))
    assert line.y[:4] == pytest.approx([look.low[0], look.high[0], look.low[1], look.high[1]])
    # Ten samples, k of 0 … 9, of 0.5 sin(2πk/16).
    assert waveform_read_out(line, 801) == waveform_read_out(line, 800) == "0.25 s · −0.19 to 0.50 · B2"


def test_pictures_beside_each_other_have_the_axes_of_the_longest_and_the_loudest(look, tmp_path):
    other = look_at(write(tmp_path / "y.wav", tone(seconds=2.0, size=0.1), subtype="FLOAT"))
    assert frame_of([look, other]) == (2.0, pytest.approx(0.525))
    assert frame_of([]) == (1.0, 0.01)


def test_a_spectrogram_is_read_at_its_places(look):
    figure = spectrogram_figure(look, "x", "original", 0.5)
    raster = figure.raster

    row, column = raster.cell_at(0.25, 1.0)
    assert spectrogram_read_out(raster, row, column) == "0.25 s · 1000 Hz · −6 dB of full scale"
    assert raster.cell_at(-1.0, -1.0) == (0, 0)
    assert raster.cell_at(9.0, 99.0) == (256, 47)
    assert raster.y == pytest.approx((-0.015625, 8.015625))
    assert raster.x == pytest.approx((0.0075, 0.4875))  # frames of 25 ms, each for the 10 ms in its middle


def test_what_is_seen_is_told(look, tmp_path):
    told = spectrogram_figure(look, "x", "original", 0.5).alt_text
    assert "0.5 s" in told
    assert "16\u202f000 samples" in told
    assert "0 to 8 kHz" in told
    assert "peak is at −6.0 dB" in waveform_figure(look, "x", "B2", 0, (0.5, 1.0)).alt_text
    silence = look_at(write(tmp_path / "z.wav", np.zeros(300, np.float32)))
    assert "Every sample is 0." in spectrogram_figure(silence, "z", "B2", 1.0).alt_text
    assert "a flat line" in waveform_figure(silence, "z", "B2", 0, (0.5, 1.0)).alt_text


def test_paper_has_the_colours_and_what_they_mean(look):
    (content,) = figure_files(spectrogram_figure(look, "x", "B2", 0.5), "x", "png").values()
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    colours = {colour for _, colour in picture.getcolors(1 << 20)}
    assert {rgb(COLOUR_MAP[0]), rgb(COLOUR_MAP[-1])} <= colours


def test_in_tex_it_compiles_with_its_colours_in_a_file_beside_it(look, tmp_path):
    names = [
        path.name for path in save_figure(spectrogram_figure(look, "x", "B2", 0.5), "B_2", "tex", tmp_path)
    ]
    assert names[:2] == ["B_2.tex", "B_2-standalone.tex"]
    assert names[2].endswith("-raster.png")
    assert "_" not in names[2]  # TeX would take it for its own

    text = pdflatex("B_2-standalone.tex", tmp_path)

    assert "spectrogram" in text
    assert "frequency (kHz)" in text
    assert "−50" in text.replace("-", "−")
