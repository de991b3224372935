"""The badge shows the letter on the tag's colour."""

import pytest
from PySide6.QtGui import QColor

from core.figures.palette import TAGS
from zebra_gui.badge import TagBadge


@pytest.mark.parametrize("tag", TAGS)
def test_a_badge_is_in_the_colour_of_its_tag(qtbot, tag):
    badge = TagBadge(40)
    qtbot.addWidget(badge)
    badge.show_tag(tag)
    badge.resize(badge.sizeHint())
    image = badge.grab().toImage()

    assert image.pixelColor(image.width() // 2, 2) == QColor(TAGS[tag])
    assert badge.accessibleName() == f"Tag {tag}"


def test_a_tag_of_another_scale_is_grey(qtbot):
    badge = TagBadge(40)
    qtbot.addWidget(badge)
    badge.show_tag("Z")
    badge.resize(40, 40)

    assert badge.grab().toImage().pixelColor(20, 2) == QColor(TAGS["0"])
