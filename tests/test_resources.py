"""The one door to the files that come along."""

import pytest
from fontTools.ttLib import TTFont

import zebra_resources


@pytest.mark.parametrize("name", ["../pyproject.toml", "/etc/passwd", "fonts/../../LICENSE"])
def test_refuses_to_leave_the_folder(name):
    with pytest.raises(ValueError, match="leads out"):
        zebra_resources.path(name)


def test_says_which_name_is_missing():
    with pytest.raises(FileNotFoundError, match=r"'fonts/None\.ttf'"):
        zebra_resources.read_bytes("fonts/None.ttf")


def test_the_licence_comes_with_the_font():
    assert "The Inter Project Authors" in zebra_resources.read_text("fonts/OFL.txt")


@pytest.mark.parametrize(
    ("style", "weight"), [("Regular", 400), ("Italic", 400), ("SemiBold", 600), ("Bold", 700)]
)
def test_the_font_has_what_the_reports_write(style, weight):
    with TTFont(zebra_resources.path(f"fonts/Inter-{style}.ttf")) as font:
        assert font["name"].getBestFamilyName() == "Inter"
        assert font["OS/2"].usWeightClass == weight
        assert not set(map(ord, "≥≤−·…“”’–—±×σπΔ½")) - set(font.getBestCmap())
