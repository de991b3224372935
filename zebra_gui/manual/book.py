"""The pages of the manual in their order, as Markdown, and what is found in them.

They lie in ``zebra_resources/manual/<language>/``; a page that is not translated is shown in English. The
list of links in the English ``contents.md`` gives their order; what is indented in it stands below the page
before. A line ``{{name}}`` or ``{{name of-what}}`` is filled in by the program from what it knows of itself
(``fills.py``), so options, sentences and formats are always today's. In English pages that is written down
between the marks ``<!-- name of-what -->`` and ``<!-- end -->`` (``packaging/manual_parts.py``), and filled
in all the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import zebra_resources
from zebra_core.wording.texts import ENGLISH

Fill = Callable[[str], str]
"""Markdown for what stands after the name of the fill."""

_LINK = re.compile(r"^(?P<indent> *)- \[(?P<title>[^\]]+)\]\((?P<name>[a-z0-9/-]+)\.md\)$")
_FILLED = re.compile(r"^\{\{(?P<name>[a-z-]+)(?: (?P<what>[^}]+))?\}\}$", re.MULTILINE)
_WRITTEN = re.compile(r"(?ms)^<!-- (?P<fill>[a-z-]+(?: [^\n]+?)?) -->\n.*?^<!-- end -->$")
_HEADING = re.compile(r"# (?P<title>.+)")


@dataclass(frozen=True)
class ManualPage:
    """One page: `name` is its path without ``.md``; `depth` 0 for chapters, 1 for what stands below one.

    `language` is the one that it is in, which may be English in a manual of another.
    """

    name: str
    title: str
    depth: int
    text: str
    language: str


@dataclass(frozen=True)
class SearchHit:
    """A page with the words that were searched for: how often they stand there, and in which line first."""

    page: ManualPage
    times: int
    line: str


class Book:
    """All pages, in one language as far as they are translated."""

    def __init__(self, fills: Mapping[str, Fill], language: str = "en") -> None:
        self.language = language
        self.pages = tuple(_pages(fills, language))
        self._by_name = {page.name: page for page in self.pages}

    def page(self, name: str) -> ManualPage | None:
        """The page of this name, if there is one."""
        return self._by_name.get(name)

    def search(self, words: str) -> tuple[SearchHit, ...]:
        """The pages in which all these words stand.

        Those with the words in their title come first, then those in which they stand more often.
        Capitals and accents do not matter.
        """
        wanted = [_plain(word) for word in words.split()]
        found = [one for page in self.pages if wanted and (one := _found(page, wanted))]
        in_title = {one.page.name: all(word in _plain(one.page.title) for word in wanted) for one in found}
        return tuple(sorted(found, key=lambda one: (not in_title[one.page.name], -one.times)))


def pages_in(language: str) -> Mapping[str, bool]:
    """Every page of the manual by its title in the English contents: whether it is there in this language."""
    return {link["title"]: _is_in(_file_of_page(link, language), language) for link in _contents()}


def _pages(fills: Mapping[str, Fill], language: str) -> Iterator[ManualPage]:
    for link in _contents():
        path = _file_of_page(link, language)
        text, title = path.read_text(encoding="utf-8"), link["title"]
        spoken = language if _is_in(path, language) else ENGLISH
        if language != ENGLISH and (heading := _HEADING.match(text)):
            title = heading["title"]
        yield ManualPage(link["name"], title, len(link["indent"]) // 2, _filled(text, fills), spoken)


def _contents() -> Iterator[re.Match[str]]:
    lines = zebra_resources.read_text(f"manual/{ENGLISH}/contents.md").splitlines()
    return (link for line in lines if (link := _LINK.match(line)))


def _file_of_page(link: re.Match[str], language: str) -> Path:
    return file_of(f"{link['name']}.md", language)


def _is_in(path: Path, language: str) -> bool:
    return path.is_relative_to(zebra_resources.path("manual") / language)


def file_of(name: str, language: str) -> Path:
    """A page or a picture of the manual in this language, or else the English one."""
    try:
        return zebra_resources.path(f"manual/{language}/{name}")
    except FileNotFoundError:
        return zebra_resources.path(f"manual/{ENGLISH}/{name}")


def in_short(text: str) -> str:
    """A page with a line ``{{…}}`` in the place of everything that is written between marks."""
    return _WRITTEN.sub(lambda place: f"{{{{{place['fill']}}}}}", text)


def as_written(text: str, fills: Mapping[str, Fill]) -> str:
    """A page with everything that the program fills in written between marks, as it is today."""

    def written(place: re.Match[str]) -> str:
        return f"<!-- {place[0].strip('{}')} -->\n\n{_fill(place, fills)}\n\n<!-- end -->"

    return _FILLED.sub(written, in_short(text))


def _filled(text: str, fills: Mapping[str, Fill]) -> str:
    return _FILLED.sub(lambda place: _fill(place, fills), in_short(text))


def _fill(place: re.Match[str], fills: Mapping[str, Fill]) -> str:
    return fills[place["name"]](place["what"] or "").strip("\n")


def _found(page: ManualPage, wanted: list[str]) -> SearchHit | None:
    text = _plain(page.text)
    times = [text.count(word) for word in wanted]
    if not all(times):
        return None
    lines = (line.strip("#|* ") for line in page.text.splitlines())
    line = next((line for line in lines if wanted[0] in _plain(line)), page.title)
    return SearchHit(page, sum(times), line)


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
