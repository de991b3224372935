"""Foreign text is shown as it was typed."""

import pytest
from PySide6.QtGui import QFont, QFontMetrics, Qt

from zebra_gui.widgets.layouts import ElidedLabel, elided_apart, label, shown_name, tooltip


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("B2", "B2"),
        ("<img src=x>", "<img src=x>"),
        ("two\nlines", "two\\nlines"),
        ("\u202eabc", "\\u202eabc"),
        ("x" * 300, "x" * 300),
    ],
)
def test_names_are_one_line_with_nothing_hidden(name, shown):
    assert shown_name(name) == shown


def test_tooltips_hold_no_markup_of_others():
    made = tooltip("<img src=x> & <b>")

    assert "<img" not in made
    assert "&lt;img src=x&gt; &amp; &lt;b&gt;" in made
    assert Qt.mightBeRichText(made)
    assert tooltip("") == ""


def test_labels_are_plain_text(qtbot):
    made = label("<b>bold</b>", "quiet")
    qtbot.addWidget(made)

    assert made.textFormat() == Qt.TextFormat.PlainText
    assert made.text() == "<b>bold</b>"


def test_a_label_is_cut_where_the_room_ends(qtbot):
    made = ElidedLabel()
    qtbot.addWidget(made)
    made.resize(80, 20)
    made.show_text("a name that is far too long for this")
    made.show()

    assert made.text().endswith("…")
    assert "far too long" in made.toolTip()
    assert made.accessibleName() == made.whole_text == "a name that is far too long for this"

    made.resize(600, 20)
    assert made.text() == made.whole_text
    assert made.toolTip() == ""


def test_a_name_is_cut_where_names_like_it_are_alike(qapp):
    metrics = QFontMetrics(qapp.font())
    name, place = "a safeguard with a long name, number 07", 37
    room = metrics.horizontalAdvance("a safe") + metrics.horizontalAdvance("…07")
    assert elided_apart(name, place, metrics, 1000) == name
    assert elided_apart(name, place, metrics, room) == "a safe…07"
    assert elided_apart(name, place, metrics, metrics.horizontalAdvance("…07")) == "…07"
    assert "…" in elided_apart(name, 0, metrics, room)


def test_a_label_is_as_high_as_a_new_one_whatever_it_was_asked_before(qtbot):
    def high(one):
        qtbot.addWidget(one)
        one.show()
        return [one.heightForWidth(width) for width in (80, 200)]

    asked = label("a few words that need several lines")
    heights = [high(asked)]
    asked.setText("one word")
    heights.append(high(asked))
    assert heights[1] == high(label("one word"))
    larger = QFont(asked.font())
    larger.setPointSize(3 * asked.font().pointSize())
    asked.setFont(larger)
    heights.append(high(asked))
    asked.setStyleSheet("padding: 30px")
    heights.append(high(asked))
    assert heights[0] > heights[1] < heights[2] < heights[3]
