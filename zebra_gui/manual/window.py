"""The window in which the manual is read: contents, search, back, print; it opens nothing outside itself.

A page of the manual as HTML that Qt's browser of texts can show; links lead to its headings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QAction, QImageReader, QKeySequence, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QLineEdit,
    QMainWindow,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolBar,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from zebra_core.wording.texts import current
from zebra_gui.language.translating import for_count
from zebra_gui.manual.book import Book, ManualPage, file_of
from zebra_gui.manual.fills import fills
from zebra_gui.widgets.layouts import in_column, label

_NAME = Qt.ItemDataRole.UserRole
_STYLE = (
    "h1 { font-size: 20pt; } h2 { font-size: 15pt; margin-top: 18px; } "
    "h3 { font-size: 12pt; margin-top: 12px; } "
    "p, li { margin-bottom: 6px; } table { margin: 8px 1px 8px 0; } "
    "pre { margin: 8px 0 8px 16px; white-space: pre-wrap; }"
)
_AROUND = 52  # pixels beside a picture: the margins, and a scroll bar, which comes once the page is longer


class ManualWindow(QMainWindow):
    """Beside the main window, which it never blocks; one for all pages."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Manual"))
        self._book = Book(fills(), current())
        self._been: list[str] = []  # where Back leads to, the latest last
        self._shown = ""
        self.browser = _Browser(self._book.language)
        self.browser.anchorClicked.connect(self._on_link)
        self.search_line = QLineEdit()
        self.search_line.setPlaceholderText(self.tr("Search the manual"))
        self.search_line.setAccessibleName(self.tr("Search the manual"))
        self.search_line.setClearButtonEnabled(True)
        self.search_line.textChanged.connect(self._on_search)
        self.search_line.returnPressed.connect(self._on_first_found)
        self.contents = QTreeWidget()
        self.contents.setObjectName("contents")  # the theme shows its row
        self.contents.setHeaderHidden(True)
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.currentItemChanged.connect(self._on_chosen)
        self.remark = label("", "quiet")
        self.not_translated = label(
            self.tr("This page has not been translated yet: it is in English."), "quiet"
        )
        self._lay_out()
        self._add_actions()
        self._show_contents()
        self.resize(980, 720)

    def show_page(self, name: str, place: str = "") -> None:
        """Show a page, from its beginning or from a heading's anchor."""
        page = self._book.page(name)
        if page is None:
            return
        if self._shown and self._shown != name:
            self._been.append(self._shown)
        self._set(page, place)

    def show_in_front(self, name: str) -> None:
        """Show a page where the user sees it, whatever else is open."""
        self.show_page(name)
        self.show()
        self.raise_()
        self.activateWindow()

    # How it is made

    def _lay_out(self) -> None:
        left = QWidget()
        in_column(self.search_line, self.remark, (self.contents, 1), on=left, margins=(10, 10, 4, 10))
        right = QWidget()
        in_column(self.not_translated, (self.browser, 1), on=right, margins=(4, 10, 10, 10))
        split = QSplitter()
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([270, 710])
        split.setCollapsible(1, False)
        self.setCentralWidget(split)
        self.remark.hide()

    def _add_actions(self) -> None:
        bar = QToolBar(self.tr("Manual"))
        bar.setMovable(False)
        self.addToolBar(bar)
        keys = QKeySequence.StandardKey
        self.back_action = self._action(bar, self.tr("Back"), self._on_back, [QKeySequence("Alt+Left")])
        self.home_action = self._action(bar, self.tr("First page"), self._on_home, [QKeySequence("Alt+Home")])
        self.find_action = self._action(
            bar, self.tr("Search"), self._on_find, QKeySequence.keyBindings(keys.Find)
        )
        self.print_action = self._action(
            bar, self.tr("Print…"), self._on_print, QKeySequence.keyBindings(keys.Print)
        )
        close = QAction(self.tr("Close"), self)
        close.setShortcuts([QKeySequence("Esc"), *QKeySequence.keyBindings(keys.Close)])
        close.triggered.connect(self.close)
        self.addAction(close)

    def _action(self, bar: QToolBar, text: str, does: object, shortcuts: Sequence[QKeySequence]) -> QAction:
        action = bar.addAction(text)
        action.setShortcuts(list(shortcuts))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{text} ({keys})" if keys else text)
        action.triggered.connect(does)
        return action

    # What it shows

    def _show_contents(self) -> None:
        self.remark.hide()
        self.contents.blockSignals(True)
        self.contents.clear()
        above: QTreeWidgetItem | None = None
        for page in self._book.pages:
            item = _item(self._listed(page), page.name)
            if page.depth and above is not None:
                above.addChild(item)
            else:
                self.contents.addTopLevelItem(item)
                above = item
        self.contents.expandAll()
        self._mark_shown()
        self.contents.blockSignals(False)

    def _listed(self, page: ManualPage) -> str:
        """The title of a page; of one that is in English in the manual of another language, with that."""
        if page.language == self._book.language:
            return page.title
        return self.tr("{title} (in English)").format(title=page.title)

    def _on_search(self, words: str) -> None:
        if not words.strip():
            self._show_contents()
            self._mark_words(())
            return
        found = self._book.search(words)
        self.contents.blockSignals(True)
        self.contents.clear()
        for one in found:
            item = _item(self._listed(one.page), one.page.name)
            item.setToolTip(0, one.line)
            self.contents.addTopLevelItem(item)
        self.contents.blockSignals(False)
        self.remark.setText(self._in_words(len(found)))
        self.remark.show()
        self._mark_words(words.split())

    def _in_words(self, pages: int) -> str:
        if not pages:
            return self.tr("No page contains these words. Try fewer words, or others.")
        return for_count("ManualWindow", "One page", "{count} pages", pages).format(count=pages)

    def _on_first_found(self) -> None:
        if first := self.contents.topLevelItem(0):
            self.contents.setCurrentItem(first)

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.show_page(str(item.data(0, _NAME)))

    def _on_link(self, url: QUrl) -> None:
        if url.scheme():  # nothing here goes to a network; the address is there to be copied
            self.statusBar().showMessage(
                self.tr("This is an address on the internet: {url}").format(url=url.toString())
            )
            return
        path = url.path().removesuffix(".md")
        below = self._shown.rpartition("/")[0]
        name = _resolved(below, path) if path else self._shown
        self.show_page(name, url.fragment())

    def _on_back(self) -> None:
        if self._been:
            page = self._book.page(self._been.pop())
            if page is not None:
                self._set(page, "")

    def _on_home(self) -> None:
        self.show_page(self._book.pages[0].name)

    def _on_find(self) -> None:
        self.search_line.setFocus()
        self.search_line.selectAll()

    def _on_print(self) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if QPrintDialog(printer, self).exec():  # the system's own
            self.browser.print_(printer)

    def _set(self, page: ManualPage, place: str) -> None:
        self._shown = page.name
        self.not_translated.setVisible(page.language != self._book.language)
        self.browser.show_page(page)
        if place:
            self.browser.scrollToAnchor(place)
        self.setWindowTitle(self.tr("{page} – Manual").format(page=page.title))
        self.back_action.setEnabled(bool(self._been))
        self.contents.blockSignals(True)
        self._mark_shown()
        self.contents.blockSignals(False)
        self._mark_words(self.search_line.text().split())

    def _mark_shown(self) -> None:
        items = self.contents.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        for item in items:
            if item.data(0, _NAME) == self._shown:
                self.contents.setCurrentItem(item)

    def _mark_words(self, words: Sequence[str]) -> None:
        """The words that were searched for stand out, as selected text does."""
        marks = [mark for word in words for mark in _marks(self.browser, word)]
        self.browser.setExtraSelections(marks)
        if marks and self.search_line.hasFocus():
            self.browser.setTextCursor(QTextCursor(marks[0].cursor))


class _Browser(QTextBrowser):
    """Shows pages of one language, whose pictures lie beside them."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._below = ""  # the folder of the page, in that of the manual
        self.setOpenLinks(False)
        self.document().setDefaultStyleSheet(_STYLE)
        self.document().setDocumentMargin(18)
        self.setAccessibleName(self.tr("Page"))

    def show_page(self, page: ManualPage) -> None:
        """From its beginning."""
        self._below = page.name.rpartition("/")[0]
        self.setHtml(
            html_of(page.text, {way: self._width(way) for way in links(page.text) if way.endswith(".png")})
        )

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Only pictures of the manual."""
        url = QUrl(name)
        if kind == QTextDocument.ResourceType.ImageResource.value and not url.scheme():
            picture = QImageReader(self._file(url.path())).read()
            ratio = self.devicePixelRatioF()
            width = round(self._width(url.path()) * ratio)
            picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(ratio)  # as large as it is shown, for Qt does not smooth
            return picture
        return None

    def _width(self, name: str) -> int:
        """Pictures are made at twice the size of the screen, and never wider than the page."""
        size: QSize = QImageReader(self._file(name)).size()
        return min(size.width() // 2, max(300, self.viewport().width() - _AROUND))

    def _file(self, name: str) -> str:
        return str(file_of(_resolved(self._below, name), self._language))


def _item(title: str, name: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([title])
    item.setToolTip(0, title)  # which is cut where it is too long
    item.setData(0, _NAME, name)
    return item


def _resolved(folder: str, path: str) -> str:
    """A path from a page in a folder, as one from the first page."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/".join(parts)


def _marks(browser: QTextBrowser, word: str) -> list[QTextEdit.ExtraSelection]:
    marks: list[QTextEdit.ExtraSelection] = []
    found = browser.document().find(word)
    while not found.isNull() and len(marks) < 500:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = found
        mark.format.setBackground(browser.palette().highlight())
        mark.format.setForeground(browser.palette().highlightedText())
        marks.append(mark)
        found = browser.document().find(word, found)
    return marks


_NO_WORD = re.compile(r"[^a-z0-9]+")


def anchor(heading: str) -> str:
    """What a link to a heading ends in: ``#zebra-assess`` for "`zebra assess`"."""
    return _NO_WORD.sub("-", heading.casefold()).strip("-")


def parser() -> MarkdownIt:
    """The Markdown of the manual: CommonMark with tables; HTML is shown as it is typed."""
    return MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def html_of(text: str, picture_widths: Mapping[str, int]) -> str:
    """The page; `picture_widths` in pixels of the screen, of the pictures it shows."""
    return str(parser().render(text, {"widths": picture_widths}))


def headings(text: str) -> tuple[str, ...]:
    """The anchors of a page, in their order."""
    tokens = parser().parse(text)
    return tuple(
        anchor(_plain(inline)) for opening, inline in pairwise(tokens) if opening.type == "heading_open"
    )


def links(text: str) -> tuple[str, ...]:
    """Where the links of a page lead, and the pictures it shows."""
    inside = [child for token in parser().parse(text) for child in token.children or ()]
    ways = [child.attrGet("href") or child.attrGet("src") for child in inside]
    return tuple(str(way) for way in ways if way)


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


class _Renderer(RendererHTML):
    """Headings carry anchors, tables have room in their cells, pictures are as wide as on the screen."""

    def heading_open(self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
        token = tokens[index]
        return f'<{token.tag}><a name="{anchor(_plain(tokens[index + 1]))}"></a>'

    def table_open(self, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
        return '<table border="1" cellspacing="0" cellpadding="5" style="border-collapse: collapse">\n'

    def image(self, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
        token = tokens[index]
        source = str(token.attrGet("src"))
        width = env["widths"].get(source)
        wide = f' width="{width}"' if width else ""
        words = escape(_plain(token))
        # What stands for a picture is read by nobody here: Qt tells screen readers no alternative texts.
        return f'<img src="{escape(source)}" alt="{words}"{wide}><br><small>{words}</small>'
