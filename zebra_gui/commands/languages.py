"""`zebra languages`: which languages there are, and how much of each is translated."""

from __future__ import annotations

import click

from zebra_core.wording.languages import current, languages, own_name, translated_texts
from zebra_core.wording.texts import say
from zebra_gui.commands.options import json_option
from zebra_gui.commands.terminal import echo_json, one_sentence


@click.command("languages", help=say("cli.languages"))
@json_option("cli.json")
@one_sentence
def list_languages(as_json: bool) -> None:
    """List them, the one that is spoken marked."""
    found = {code: translated_texts(code) for code in languages()}
    spoken = current()
    if as_json:
        echo_json(
            [
                {
                    "code": code,
                    "name": own_name(code),
                    "translated": done,
                    "texts": of,
                    "spoken": code == current(),
                }
                for code, (done, of) in found.items()
            ]
        )
        return
    for code, (done, of) in found.items():
        sentence = say("cli.language-done", done=done, of=of) if of else say("cli.language-source")
        mark = "*" if code == spoken else " "
        click.echo(f"{mark} {code:5}  {own_name(code):10}  {sentence}")
