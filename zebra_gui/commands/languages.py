"""`zebra languages`: which languages there are, and how much of each is translated."""

from __future__ import annotations

from collections.abc import Mapping

import click

from zebra_core.wording.texts import current, languages, listed, own_name, say, translated_texts
from zebra_gui.commands.options import json_option
from zebra_gui.commands.terminal import echo_json, one_sentence
from zebra_gui.manual.book import pages_in

_UNDER = " " * 21  # under the sentence


@click.command("languages", help=say("cli.languages"))
@json_option("cli.json")
@one_sentence
def list_languages(as_json: bool) -> None:
    """List them, the one that is spoken marked."""
    found = {code: (*translated_texts(code), pages_in(code)) for code in languages()}
    spoken = current()
    if as_json:
        rows = [
            {
                "code": code,
                "name": own_name(code),
                "translated": done,
                "texts": of,
                "pages": sum(pages.values()),
                "pages_in_english": _in_english(pages) if of else [],
                "spoken": code == spoken,
            }
            for code, (done, of, pages) in found.items()
        ]
        echo_json({"languages": rows})
        return
    for code, (done, of, pages) in found.items():
        mark = "*" if code == spoken else " "
        counts = {"done": done, "of": of, "pages": sum(pages.values()), "of_pages": len(pages)}
        sentence = say("cli.language-done", **counts) if of else say("cli.language-source")
        click.echo(f"{mark} {code:5}  {own_name(code):10}  {sentence}")
        if of and (rest := _in_english(pages)):
            told = say("cli.language-pages-english", pages=listed(rest, most=len(rest)))
            click.echo(click.wrap_text(told, initial_indent=_UNDER, subsequent_indent=_UNDER))


def _in_english(pages: Mapping[str, bool]) -> list[str]:
    return [title for title, is_there in pages.items() if not is_there]
