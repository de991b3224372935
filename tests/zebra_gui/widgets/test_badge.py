"""The badge shows the letter on the tag's colour."""

import pytest
from PySide6.QtGui import QColor

from zebra_core.figures.figure import TAGS
from zebra_gui.widgets.badge import TagBadge


@pytest.mark.parametrize("tag", TAGS)
def test_a_badge_is_in_the_colour_of_its_tag(qtbot, tag):
    badge = TagBadge(40)
    qtbot.addWidget(badge)
    badge.show_tag(tag, TAGS[tag])
    badge.resize(badge.sizeHint())
    image = badge.grab().toImage()

    assert image.pixelColor(image.width() // 2, 2) == QColor(TAGS[tag])
    assert badge.accessibleName() == f"Tag {tag}"


def test_a_long_tag_has_room(qtbot):
    badge = TagBadge(20)
    qtbot.addWidget(badge)
    badge.show_tag("moderate", "#123456")
    badge.resize(badge.sizeHint())

    assert badge.width() > 60
    assert badge.height() == 20
    assert badge.grab().toImage().pixelColor(badge.width() // 2, 2) == QColor("#123456")


def test_a_tag_that_may_be_chance_has_a_dashed_frame_and_says_so(qtbot):
    badge = TagBadge(40)
    qtbot.addWidget(badge)
    badge.show_tag("A", TAGS["A"])
    badge.resize(badge.sizeHint())
    plain = badge.grab().toImage()
    badge.show_tag("A", TAGS["A"], "It may be chance.")

    assert badge.grab().toImage() != plain
    assert badge.accessibleDescription() == "It may be chance."
    badge.show_tag("A", TAGS["A"])
    assert badge.grab().toImage() == plain
    assert badge.accessibleDescription() == ""


def test_an_open_tag_is_hatched(qtbot):
    badge = TagBadge(40)
    qtbot.addWidget(badge)
    badge.show_tag("≥ A", TAGS["A"], is_open=True)
    badge.resize(badge.sizeHint())
    image = badge.grab().toImage()
    row = [image.pixelColor(x, 6) for x in range(8, image.width() - 8)]
    lines = [colour for colour in row if colour != QColor(TAGS["A"])]

    assert len(row) / 12 < len(lines) < len(row) / 2  # one line in eight pixels
    badge.show_tag("≥ A", TAGS["A"])
    assert badge.grab().toImage().pixelColor(badge.width() // 2, 2) == QColor(TAGS["A"])
