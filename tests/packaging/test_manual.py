"""The manual as one PDF: every page and every link of it is there."""

import sys
from io import BytesIO
from pathlib import Path

import click
import pytest
from pypdf import PdfReader

from zebra_gui.cli import main
from zebra_gui.manual.book import Book, ManualPage
from zebra_gui.manual.fills import fills

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture(scope="module")
def setting():
    sys.path.insert(0, str(PACKAGING))
    import manual_typst

    sys.path.remove(str(PACKAGING))
    return manual_typst


@pytest.fixture(scope="module")
def book():
    with click.Context(main, info_name="zebra"):
        return Book(fills())


def test_every_page_is_a_section_of_the_pdf(setting, book):
    reader = PdfReader(BytesIO(setting.pdf_of(book.pages, "Manual", "1.2.3")))
    titles = [item.title for item in reader.outline if not isinstance(item, list)]
    assert titles == [page.title for page in book.pages]
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert "1.2.3" in reader.pages[0].extract_text()


def test_a_link_to_a_page_that_is_not_there_is_refused(setting, book):
    page = ManualPage("one", "One", 0, "# One\n\n[two](two.md)\n", "en")
    with pytest.raises(FileNotFoundError, match=r"manual/en/two\.md"):
        "".join(setting._Setter(page, {"one"}, {}, "en").set())


def test_nothing_in_a_page_is_taken_for_typst(setting):
    page = ManualPage("one", "One", 0, '# One\n\n#pagebreak() $x$ "quoted" \\\\ `#raw`\n', "en")
    text = "".join(setting._Setter(page, {"one"}, {}, "en").set())
    assert '#"#pagebreak() $x$ \\"quoted\\" \\\\ ";' in text
    assert '#raw("#raw")' in text


def test_a_long_first_column_leaves_room_for_words(setting):
    def columns(option):
        page = ManualPage(
            "one", "One", 0, f"# One\n\n| Option | Means |\n| --- | --- |\n| `{option}` | words |\n", "en"
        )
        return "".join(setting._Setter(page, {"one"}, {}, "en").set())

    assert "columns: (auto, 1fr)" in columns("--out DIR")
    assert "columns: (2fr, 3fr)" in columns("--speakers [before-hyphen or before-underscore or first-folder]")
