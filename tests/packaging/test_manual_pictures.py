"""The pictures of the manual: all there, all shown, and of what the program shows today."""

import re

import manual_pictures
import pytest
from manual_stage import Stage, shots
from PIL import Image

import zebra_resources
from tests.zebra_gui.conftest import take_style_away

PICTURES = zebra_resources.path("manual/en/pictures")
README = manual_pictures.ROOT / "README.md"
_SHOWN = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<way>[^)]+)\)")


def shown():
    """The alternative texts of each picture, wherever it is shown."""
    pages = [*zebra_resources.path("manual/en").rglob("*.md"), README]
    found = {}
    for page in pages:
        for picture in _SHOWN.finditer(page.read_text("utf-8")):
            found.setdefault((page.parent / picture["way"]).resolve(), []).append(picture["alt"])
    return found


def test_every_picture_is_taken_by_the_program_and_shown():
    taken = {path.resolve() for path in PICTURES.iterdir()}
    assert {path.stem for path in taken} == set(shots()) == set(manual_pictures.known_hashes())
    assert taken <= set(shown())


def test_every_picture_is_told_in_words():
    assert [path for path, texts in shown().items() if not all(len(text) > 15 for text in texts)] == []


def test_pictures_are_fine_and_small():
    sizes = {}
    for path in PICTURES.iterdir():
        with Image.open(path) as picture:
            sizes[path.stem] = picture.size
    assert sizes["start"] == (2360, 1480)
    assert min(width for width, _ in sizes.values()) >= 2 * 400
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < 3_000_000


@pytest.mark.parametrize("words", ["194", "1\N{NARROW NO-BREAK SPACE}618"])
def test_how_many_words_a_page_has_makes_no_picture_out_of_date(words):
    """A longer path is broken into more words."""
    told = f"{words} words and the picture of the page of /files/B2.pdf"
    assert manual_pictures.comparable(told, ["/files"]) == (
        "COUNT words and the picture of the page of PLACE/B2.pdf"
    )


def test_what_is_shown_at_once_is_what_was_shown(qapp, tmp_path):
    """What takes longer is compared by `make pictures ARGS=--check`."""
    stage, known, outdated = Stage(tmp_path), manual_pictures.known_hashes(), {}
    for name, shot in shots().items():
        if not shot.is_slow:
            found = manual_pictures.hashes_of(shot.play(stage), tmp_path)
            if why := manual_pictures.out_of_date(name, found, known):
                outdated[name] = why
    stage.close()
    take_style_away()
    assert outdated == {}, f"out of date: {', '.join(outdated)}; `make pictures` renews them"
