"""What is asked of a window that a screen reader reads: names, roles, texts, headers, contrast."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tests.contrast import luminance_of_pixels

PLOTS = ("chart",)
TABLES = ("table", "tree table")
NO_ROLES = ("filler", "unknown", "invalid", "")
CONTROLS = (
    *(
        "push button",
        "toggle button",
        "check box",
        "radio button",
        "combo box",
        "spin button",
        "slider",
        "text",
    ),
    *("entry", "page tab", "page tab list", "menu item", "check menu item", "radio menu item", "list item"),
    *("list", "tree", "table", "table cell", "link", "chart", "password text", "tree item", "editbar"),
)
WORDS = (
    "label",
    "push button",
    "check box",
    "radio button",
    "page tab",
    "menu item",
    "combo box",
    "table cell",
)
TEXT, MARK = 4.5, 3.0
_LEAST_AREA = 0.7  # of a part that must be seen for its contrast to be told
_WIDEST_ICON = 28  # pixels: a button without words
_LEAST_TEXT, _LEAST_NUMBERS = 40, 1
_LEAST_INK = 8  # pixels, of strokes: a short word has some fifty


@dataclass
class Judged:
    """What was found in a pane or a dialog."""

    controls: int = 0
    plots: int = 0
    tables: int = 0
    texts: int = 0
    least: float = 21.0
    least_of: str = ""
    faults: list[str] = field(default_factory=list)

    def blame(self, node: dict, why: str) -> None:
        """One thing that is not as it should be."""
        self.faults.append(f"{why}: {node['role']} “{node['name'][:60]}” {node.get('place')}")


def every(node: dict, clip: tuple[int, int, int, int] | None = None) -> Iterator[tuple[dict, tuple]]:
    """A part and all within it, each with what can be seen of it at most."""
    place = tuple(node.get("place") or (0, 0, 0, 0))
    shown = place if clip is None or not place[2] else _both(place, clip)
    yield node, shown
    holds = place[2] and place[3] and not node["role"].startswith("menu")  # a menu opens outside its bar
    for child in node["children"]:
        yield from every(child, shown if holds else clip)


def judge(nodes: list[tuple[dict, tuple]], pixels: np.ndarray) -> Judged:
    """What is to be said of these parts, as they are on the screen."""
    found = Judged()
    for node, shown in nodes:
        _judge_words(node, found)
        if "SENSITIVE" in node["states"] and node["role"] in WORDS and node["name"]:
            _judge_contrast(node, shown, pixels, found)
    return found


def _judge_words(node: dict, found: Judged) -> None:
    takes_focus = "FOCUSABLE" in node["states"]
    if takes_focus or node["role"] in CONTROLS:
        found.controls += 1
        if not node["name"].strip():
            found.blame(node, "without a name")
        if node["role"] in NO_ROLES:
            found.blame(node, "without a role")
    if node["role"] in PLOTS:
        found.plots += 1
        says = node["description"]
        if len(says) < _LEAST_TEXT or sum(letter.isdigit() for letter in says) < _LEAST_NUMBERS:
            found.blame(node, f"a picture that says only “{says[:60]}”")
    if node["role"] in TABLES and "columns" in node:
        found.tables += 1
        headers = node["headers"]
        if not headers or not all(header.strip() for header in headers):
            found.blame(node, f"a table with the headers {headers}")


def _judge_contrast(node: dict, shown: tuple, pixels: np.ndarray, found: Judged) -> None:
    _, _, wide, high = node["place"]
    high_seen, wide_seen = pixels.shape[:2]
    left, top, right, bottom = _edges(_both(shown, (0, 0, wide_seen, high_seen)))
    if min(wide, high) < 6 or (right - left) * (bottom - top) < _LEAST_AREA * wide * high:
        return
    measured = contrast_within(pixels[top:bottom, left:right])
    found.texts += 1
    if measured < found.least:
        found.least, found.least_of = measured, f"{node['role']} “{node['name'][:40]}”"
    is_icon = wide <= _WIDEST_ICON
    if measured < (MARK if is_icon else TEXT):
        found.blame(node, f"contrast {measured:.2f}")


def contrast_within(pixels: np.ndarray) -> float:
    """The contrast of the ink with the paper, in a piece of the screen.

    Paper is the colour that is there most. Ink is the strongest colour of which there are as many pixels as a
    few thin strokes have: one strong pixel, say of a frame's corner, is none, nor is the edge of a letter,
    which is paler than its strokes.
    """
    packed = pixels.reshape(-1, 3).astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    light = luminance_of_pixels(np.stack([values >> 16, values >> 8 & 255, values & 255], axis=1)) + 0.05
    paper = light[np.argmax(counts)]
    contrasts = np.maximum(light, paper) / np.minimum(light, paper)
    strongest = np.argsort(-contrasts)
    inked = int(counts[contrasts > 1.0].sum())
    enough = np.searchsorted(np.cumsum(counts[strongest]), min(_LEAST_INK, inked // 4))  # a dash has few
    return float(contrasts[strongest[min(int(enough), len(strongest) - 1)]])


def _both(one: tuple, other: tuple) -> tuple[int, int, int, int]:
    (a, b, c, d), (e, f, g, h) = _edges(one), _edges(other)
    left, top, right, bottom = max(a, e), max(b, f), min(c, g), min(d, h)
    return left, top, max(0, right - left), max(0, bottom - top)


def _edges(place: tuple) -> tuple[int, int, int, int]:
    x, y, wide, high = place
    return x, y, x + wide, y + high
