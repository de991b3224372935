"""A recording as pictures: places, words, and what the renderers make of colours behind axes."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.core.recordings.samples import SPEECH, tone, write
from tests.core.samples import pdflatex
from zebra_core.errors import InputError
from zebra_core.figures.export import figure_files, save_figure
from zebra_core.figures.figure import COLOUR_MAP, rgb
from zebra_core.recordings.pictures import (
    FLOOR_DB,
    envelope,
    frame_of,
    look_at,
    power_db,
    spectrogram_figure,
    spectrogram_read_out,
    waveform_figure,
    waveform_read_out,
)


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


def test_a_sine_of_full_scale_has_0_db_in_its_band_and_nothing_far_from_it():
    found = power_db(tone(hertz=1000.0, size=1.0))

    assert found.shape == (257, 48)  # 0.5 s: 1 + (8000 − 400) // 160 frames
    assert found[32] == pytest.approx(0.0, abs=0.01)  # 1000 Hz are 32 bands of 31.25 Hz
    assert found[100:].max() < -60.0


def test_half_the_amplitude_is_6_db_less():
    difference = power_db(tone(size=1.0)) - power_db(tone(size=0.5))
    assert difference[14] == pytest.approx(20.0 * np.log10(2.0), abs=1e-3)


def test_frames_that_share_a_column_have_the_mean_of_their_power():
    sound = tone(hertz=1000.0, size=1.0)  # 48 frames: of the first half, of the second, and three of both
    half = np.concatenate([sound, np.zeros_like(sound)])

    whole = power_db(half, most=1)[32, 0]

    each = power_db(half)[32].astype(np.float64)
    assert whole == pytest.approx(10.0 * np.log10(np.mean(10.0 ** (each / 10.0))), abs=1e-3)
    assert whole == pytest.approx(-3.0, abs=0.15)


def test_silence_is_at_the_floor_and_too_short_a_sound_has_no_columns():
    assert (power_db(np.zeros(400, np.float32)) == FLOOR_DB).all()
    assert power_db(np.zeros(399, np.float32)).shape == (257, 0)


def test_an_envelope_has_the_least_and_the_largest_of_equal_pieces():
    low, high = envelope(np.array([0.1, -0.2, 0.5, 0.4, -0.6, 0.0], np.float32), most=3)

    assert low.tolist() == pytest.approx([-0.2, 0.4, -0.6])
    assert high.tolist() == pytest.approx([0.1, 0.5, 0.0])
    assert [len(part) for part in envelope(np.zeros(0, np.float32))] == [0, 0]


def test_channels_are_mixed_and_the_rate_is_that_of_the_file(tmp_path):
    left = tone(rate=8_000)
    look = look_at(write(tmp_path / "two.wav", np.stack([left, -left], axis=1), rate=8_000, subtype="FLOAT"))

    assert (look.seconds, look.kind.rate_hz, look.peak) == (0.5, 8_000, 0.0)
    assert look.peak_db == -np.inf


def test_speech_is_seen_with_its_hash_and_its_loudness():
    look = look_at(SPEECH)

    assert look.sha256.startswith("")
    assert len(look.sha256) == 64
    assert look.power_db.shape[0] == 257
    assert look.high.max() == pytest.approx(look.samples.max())
    assert 1.0 < look.loudness.speech_s < look.seconds


def test_what_is_no_sound_is_refused(tmp_path):
    (tmp_path / "text.wav").write_text("no sound")
    with pytest.raises(InputError, match="not a sound file"):
        look_at(tmp_path / "text.wav")
