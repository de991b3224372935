"""Take the pictures of the manual: the program shows the demo, and what differs from before is taken again.

manual_pictures.py           renew the pictures that are out of date
manual_pictures.py --check   only say which they are; status 1 if there are any
manual_pictures.py --all     take all of them again

Whether a picture is out of date is told by hashes of what is shown (words, values of figures, style sheet),
which are in manual_pictures.json; not by pixels, which differ from machine to machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path

import click
import numpy as np
from manual_stage import Stage, shots
from PIL import Image
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QBuffer, QIODevice, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDateTimeEdit,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

import zebra_resources
from zebra_core.version import VERSION
from zebra_gui.panes.pane import FigureCard
from zebra_gui.widgets.layouts import ElidedLabel

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "resources" / "zebra_resources" / "manual" / "en" / "pictures"
HASHES = Path(__file__).with_suffix(".json")

_WORDS_ON_PAGE = re.compile(r"\b\d[\d\s]*(?= words\b)")
_FILE_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{6,}(e[-+]?\d+)?")
_NUMBER = re.compile(r"-?\d+\.\d*(e[-+]?\d+)?")
_COLOURS = 96
_DIGITS = 4  # of values in figures: the last ones differ from processor to processor
_LENGTH = 16  # of a hash: enough to tell one state of a picture from another


@click.command()
@click.option("--check", is_flag=True, help="Only say which pictures are out of date.")
@click.option("--all", "everything", is_flag=True, help="Take all of them again.")
def main(check: bool, everything: bool) -> None:
    """Renew the pictures of the manual that are out of date."""
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"}  # twice as fine as most screens
    known, renewed = known_hashes(), {}
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        for name, shot in shots().items():
            widget = shot.play(stage)
            found = hashes_of(widget, stage.folder)
            why = out_of_date(name, found, known)
            if why or everything:
                renewed[name] = found
                print(f"{name}: {', '.join(why) or 'asked for'}")
            if not check and name in renewed:
                save(widget, PICTURES / f"{name}.png")
        stage.close()
    if check:
        sys.exit(bool(renewed))
    kept = {name: of for name, of in {**known, **renewed}.items() if name in shots()}
    HASHES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for path in PICTURES.glob("*.png"):
        if path.stem not in kept:
            path.unlink()
    print(f"{len(renewed)} of {len(kept)} pictures taken")


def known_hashes() -> dict[str, dict[str, str]]:
    """What was shown when the pictures were taken."""
    found: dict[str, dict[str, str]] = json.loads(HASHES.read_text("utf-8")) if HASHES.exists() else {}
    return found


def out_of_date(name: str, found: Mapping[str, str], known: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What a picture no longer shows as it is: texts, figures, style; or that there is none."""
    if name not in known or not (PICTURES / f"{name}.png").is_file():
        return ["no picture"]
    return [what for what, value in found.items() if known[name].get(what) != value]


def hashes_of(widget: QWidget, folder: Path) -> dict[str, str]:
    """Hashes of the words, the figures and the style of what a widget shows.

    The version does not count, nor do the last digits of numbers, nor what follows from where files are:
    their paths, the hash of the evidence, which names them, and how many words a page of the report has, for
    it breaks long paths. `folder` is where the stage has put files.
    """
    places = (str(folder), str(zebra_resources.path("")))
    texts = [comparable(text, places) for text in _texts(widget)]
    style = comparable(QApplication.instance().styleSheet(), places)
    return {
        "texts": _hash(texts),
        "figures": _hash([_values(figure) for figure in _figures(widget)]),
        "style": _hash(style),
    }


def comparable(text: str, places: Iterable[str]) -> str:
    """A text without what changes although nothing else is shown, such as the `places` of files."""
    for place in places:
        text = text.replace(place, "PLACE")
    text = _WORDS_ON_PAGE.sub("COUNT", _FILE_HASH.sub("HASH", text))
    text = _LONG_NUMBER.sub(_short, text)
    return text.replace(VERSION, "VERSION")


def save(widget: QWidget, path: Path) -> None:
    """Write what a widget shows, in few colours, which makes the file small."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    picture = Image.open(BytesIO(buffer.data().data())).convert("RGB")
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def _hash(what: object) -> str:
    return hashlib.sha256(json.dumps(what, ensure_ascii=False).encode()).hexdigest()[:_LENGTH]


def _figures(widget: QWidget) -> Iterator[object]:
    cards = [widget] if isinstance(widget, FigureCard) else widget.findChildren(FigureCard)
    for card in cards:
        if card.isVisible() and (make := card.make_figure()):
            yield make()


def _values(figure: object) -> str:
    """All that a figure says of itself, numbers with few digits."""
    with np.printoptions(threshold=sys.maxsize):
        return _NUMBER.sub(_short, repr(figure))


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.{_DIGITS}g}"


def _texts(widget: QWidget) -> Iterator[str]:
    """Everything that can be read on it, and what is ticked."""
    for one in (widget, *widget.findChildren(QWidget)):
        if one.isVisible():
            yield from _texts_of(one)


def _texts_of(one: QWidget) -> Iterator[str]:
    if isinstance(one, ElidedLabel):
        yield one.whole_text
    elif isinstance(one, QLabel):
        yield one.text()
    elif isinstance(one, QAbstractButton):
        yield f"{one.text()} {one.isChecked()}"
    elif isinstance(one, QComboBox):
        yield one.currentText()
    elif isinstance(one, QLineEdit) and not isinstance(one.parent(), QDateTimeEdit):
        yield one.text() or one.placeholderText()
    elif isinstance(one, QTextEdit | QPlainTextEdit):
        yield one.toPlainText()
    elif isinstance(one, QTabBar):
        yield from (one.tabText(number) for number in range(one.count()))
    elif isinstance(one, QMenuBar):
        yield from (action.text() for action in one.actions())
    elif isinstance(one, QAbstractItemView) and not isinstance(one, QHeaderView) and one.model():
        yield from _cells(one.model(), QModelIndex())


def _cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent))
    yield from (str(model.headerData(n, Qt.Orientation.Horizontal) or "") for n in columns)
    for row in range(model.rowCount(parent)):
        for column in columns:
            yield str(model.index(row, column, parent).data() or "")
        if not isinstance(model, QAbstractListModel):
            yield from _cells(model, model.index(row, 0, parent))


if __name__ == "__main__":
    main()
