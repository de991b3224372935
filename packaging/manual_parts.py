"""Write into the English pages what the program fills in, so that they can be read where they stand.

It stands between marks, `<!-- command score -->` and `<!-- end -->`; the window and the site fill it in anew.
Pages in other languages keep the short form, `{{command score}}`.
"""

from __future__ import annotations

from pathlib import Path

import click
from manual_pages import MANUAL

from zebra_gui.cli import main as command_line
from zebra_gui.manual.book import as_written
from zebra_gui.manual.fills import fills


def main() -> None:
    """Renew the pages that are out of date, and name them."""
    for path, text in renewed().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(MANUAL))


def renewed() -> dict[Path, str]:
    """The English pages that do not say what the program says today, and what they would say."""
    with click.Context(command_line, info_name="zebra"):
        known = fills()
        texts = {path: path.read_text(encoding="utf-8") for path in sorted((MANUAL / "en").rglob("*.md"))}
        made = {path: as_written(text, known) for path, text in texts.items()}
    return {path: text for path, text in made.items() if text != texts[path]}


if __name__ == "__main__":
    main()
