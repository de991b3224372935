"""What saved figures are called, and which files there are."""

from pathlib import Path

import pytest

from tests.core.samples import HOSTILE, project_of
from zebra_core.errors import OutputError
from zebra_core.figures.export import save_figure, zebra_stem, zebra_stems
from zebra_core.figures.series import ece_figure


@pytest.mark.parametrize(
    ("label", "stem"),
    [
        ("libri speech, primary baseline", "ZEBRA-libri-speech-primary-baseline"),
        ("task_wise_libri-o-a-f", "ZEBRA-task_wise_libri-o-a-f"),
        ("Ångström_1-2 (π)", "ZEBRA-Ångström_1-2-π"),
        ("../../etc/passwd", "ZEBRA-etc-passwd"),
        ('a<b>c:d"e/f\\g|h?i*j', "ZEBRA-a-b-c-d-e-f-g-h-i-j"),
        ("evil $x_1 & 50% #1 `id` $(id) ~\\input{x}", "ZEBRA-evil-x_1-50-1-id-id-input-x"),
        ("con", "ZEBRA-con"),
        ("v1.2.", "ZEBRA-v1-2"),
        ("a\nb\u202ec\0", "ZEBRA-a-b-c"),
        ("", "ZEBRA"),
    ],
)
def test_stem(label: str, stem: str) -> None:
    assert zebra_stem(label) == stem


def test_labels_that_would_share_a_name_stay_apart() -> None:
    one, other, third = zebra_stems(["a b", "a, b", "c"])
    assert third == "ZEBRA-c"
    assert one != other
    assert all(stem.startswith("ZEBRA-a-b-") for stem in (one, other))


def test_labels_that_differ_in_capitals_alone_do_not_share_a_file_on_windows_and_macos() -> None:
    stems = zebra_stems(["B1", "b1", "B2", "Straße", "STRASSE"])
    assert len({stem.casefold() for stem in stems}) == 5
    assert stems[2] == "ZEBRA-B2"
    assert (stems[0][:9], stems[1][:9]) == ("ZEBRA-B1-", "ZEBRA-b1-")


def test_long_labels_stay_apart() -> None:
    one, other = zebra_stem("漢" * 300), zebra_stem("漢" * 301)
    assert one != other
    assert max(len(one.encode()), len(other.encode())) <= 180


@pytest.mark.parametrize("label", HOSTILE.values(), ids=HOSTILE.keys())
def test_every_label_makes_a_file(tmp_path: Path, label: str) -> None:
    (written,) = save_figure(ece_figure(project_of("a").entries), zebra_stem(label), "svg", tmp_path)
    assert written.parent == tmp_path
    assert written.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("extension", "begins"),
    [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("tex", b"% Empirical"), ("csv", b"series,")],
)
def test_formats(tmp_path: Path, extension: str, begins: bytes) -> None:
    figure = ece_figure(project_of("a").entries)
    written = save_figure(figure, "ZEBRA-a", extension, tmp_path)
    names = ["ZEBRA-a.tex", "ZEBRA-a-standalone.tex"] if extension == "tex" else [f"ZEBRA-a.{extension}"]
    assert [path.name for path in written] == names
    assert written[0].read_bytes().startswith(begins)
    with pytest.raises(OutputError, match="already exists"):
        save_figure(figure, "ZEBRA-a", extension, tmp_path)
    assert save_figure(figure, "ZEBRA-a", extension, tmp_path, overwrite=True) == written


def test_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as raised:
        save_figure(ece_figure(project_of("a").entries), "a", "bmp", tmp_path)
    assert str(raised.value) == "Pictures cannot be saved as bmp. Choose one of png, pdf, svg, tex and csv."
