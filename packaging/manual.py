"""Make the manual as a site (Sphinx) and as one PDF (Typst), in dist/manual.

Every link is checked on the way: a page, heading or picture that is not there ends it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import click
from manual_api import programmers_pages
from manual_typst import pdf_of

import zebra_resources
from zebra_core.version import VERSION
from zebra_gui.cli import main as command_line
from zebra_gui.manual.book import Book, ManualPage
from zebra_gui.manual.fills import fills

ROOT = Path(__file__).resolve().parent.parent
SOURCE, OUT = ROOT / "build" / "manual-source", ROOT / "dist" / "manual"

_CONF = """
project = "ZEBRA"
copyright = "ZEBRA"
version = release = {version!r}
language = {language!r}
extensions = ["myst_parser"]
html_theme = "alabaster"
html_theme_options = {{"description": "Manual", "fixed_sidebar": True, "show_powered_by": False,
    "font_family": "sans-serif", "head_font_family": "sans-serif", "page_width": "1060px",
    "sidebar_width": "260px"}}
html_sidebars = {{"**": ["about.html", "searchfield.html", "navigation.html"]}}
html_static_path = ["narrow.css"]
html_css_files = ["narrow.css"]
html_copy_source = html_show_sphinx = html_show_copyright = False
smartquotes = False
myst_heading_anchors = 3
"""

_NARROW = """\
/* On narrow screens the page comes first, and the navigation below it. */
@media screen and (max-width: 875px) {
  div.document { display: flex; flex-direction: column; }
  div.documentwrapper { order: 1; width: 100%; }
  div.sphinxsidebar { order: 2; }
  table.docutils { display: block; overflow-x: auto; }
}
"""


def main() -> None:
    """Both, anew."""
    with click.Context(command_line, info_name="zebra"):
        book = Book(fills())
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    pages = with_programmers_pages(book)
    make_site(pages, book.language)
    (OUT / "zebra-manual.pdf").write_bytes(pdf_of(pages, "Manual", VERSION))
    method = [page for page in book.pages if page.name.startswith("method/")]
    (OUT / "zebra-method.pdf").write_bytes(pdf_of(method, "The method", VERSION))
    print(f"dist/manual: index.html, zebra-manual.pdf ({len(pages)} pages of the manual), zebra-method.pdf")


def with_programmers_pages(book: Book) -> tuple[ManualPage, ...]:
    """All pages in their order; those for programmers stand below *From Python*."""
    place = [page.name for page in book.pages].index("from-python") + 1
    return (*book.pages[:place], *programmers_pages(), *book.pages[place:])


def make_site(pages: Sequence[ManualPage], language: str) -> None:
    """The site; a warning of Sphinx, as of a link that leads nowhere, is an error."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    folder = zebra_resources.path(f"manual/{language}")
    for page in pages:
        place = SOURCE / f"{page.name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        title, rest = page.text.split("\n", maxsplit=1)  # a tree further down would stand below a section
        tree = _tree(below(page, pages), "hidden:")
        place.write_text(f"{title}\n{tree}{rest}", encoding="utf-8")
    for pictures in ("pictures", "method/pictures"):
        if (folder / pictures).is_dir():
            shutil.copytree(folder / pictures, SOURCE / pictures)
    chapters = [page for page in pages if not page.depth]
    (SOURCE / "index.md").write_text("# Manual\n" + _tree(chapters, "includehidden:"), encoding="utf-8")
    (SOURCE / "narrow.css").write_text(_NARROW, encoding="utf-8")
    (SOURCE / "conf.py").write_text(_CONF.format(version=VERSION, language=language), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(SOURCE), str(OUT)],
        check=True,
    )


def below(chapter: ManualPage, pages: Sequence[ManualPage]) -> list[ManualPage]:
    """The pages that stand below a chapter; none below others."""
    after = pages[pages.index(chapter) + 1 :]
    return list(takewhile(lambda page: page.depth, after)) if not chapter.depth else []


def _tree(pages: Sequence[ManualPage], how: str) -> str:
    """What tells Sphinx which pages stand below this one."""
    names = "".join(f"/{page.name}\n" for page in pages)
    return f"\n```{{toctree}}\n:titlesonly:\n:{how}\n\n{names}```\n" if pages else ""


if __name__ == "__main__":
    main()
