"""Bring the translations up to date with the English, compile them, and say what they lack: `make languages`.

English stands in zebra_resources/texts/en.toml (what the core says) and in the calls of tr(), translate() and
for_count() in zebra_gui (what the window says). Each other language is a catalogue of gettext, say de.po, in
which people translate with any editor of such files; the program reads de.mo, compiled of it. To begin one:

    make languages ARGS="--new it"

Pages of the manual are translated in zebra_resources/manual/de. When the English one has changed, the page
is named until somebody has brought it up to date and says so:

    make languages ARGS="--page de/first-steps"
"""

from __future__ import annotations

import sys
from collections import Counter

import click
from babel.messages.catalog import Catalog
from catalogues import as_mo, as_po, codes, compiled, is_known, place, progress, read, updated
from complaints import complaints_about, terms
from english import core_texts, window_texts
from manual_pages import outdated, pages, renew


def _new(_context: click.Context, _option: click.Parameter, code: str | None) -> str | None:
    if code is not None and not is_known(code):
        raise click.BadParameter(f"{code} is not the code of a language; codes are as it or pt_BR")
    return code


def _begun(_context: click.Context, _option: click.Parameter, code: str | None) -> str | None:
    if code is not None and code not in codes():
        raise click.BadParameter(f'there is no {code}.po; ARGS="--new {code}" begins it')
    return code


@click.command()
@click.option("--new", metavar="CODE", callback=_new, help="Begin a language, as it or pt_BR.")
@click.option("--only", metavar="CODE", callback=_begun, help="One language alone.")
@click.option("--list", "is_listed", is_flag=True, help="Say of each text what its translation lacks.")
@click.option(
    "--page", metavar="CODE/NAME", help="This page of the manual says what the English one says today."
)
@click.option(
    "--check", "is_checked", is_flag=True, help="Write nothing; status 1 unless all is complete and right."
)
def main(new: str | None, only: str | None, page: str | None, is_listed: bool, is_checked: bool) -> None:
    """Bring the translations up to date with the English, compile them, and say what they lack."""
    if page is not None:
        code, _, name = page.partition("/")
        if name not in pages(code):
            raise click.BadParameter(
                f"there is no resources/zebra_resources/manual/{page}.md", param_hint="--page"
            )
        renew(code, name)
        return
    is_wanting = False
    texts = [*core_texts(), *window_texts()]
    known_terms = terms()
    for code in [new or only] if new or only else codes():
        before = read(code) if place(code).exists() else Catalog()
        catalog = updated(code, before, texts)
        if not is_checked:
            place(code).write_bytes(as_po(catalog))
            compiled(code).write_bytes(as_mo(catalog))
        complaints = list(complaints_about(catalog, known_terms))
        done, of = progress(catalog)
        click.echo(f"{code}: {done} of {of} texts are translated")
        if code == new:
            click.echo(f"    translate {place(code)}, then: make languages")
        kinds = Counter(one.what for one in complaints)
        for what, count in kinds.items():
            click.echo(f"    {what.value}: {count}")
        if is_listed:
            click.echo("\n".join(f"    {one}" for one in complaints))
        old = list(outdated(code))
        for name in old:
            click.echo(f"    manual/{code}/{name}.md: the English page has changed since it was translated")
        is_wanting |= bool(old or complaints)
    if is_checked and is_wanting:
        sys.exit(1)


if __name__ == "__main__":
    main()
