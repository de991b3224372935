"""`zebra protect`: a folder of recordings under a reference safeguard."""

from __future__ import annotations

from pathlib import Path

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say
from zebra_gui.commands.options import INPUT, out_option, overwrite_option, speakers_option
from zebra_gui.commands.terminal import INPUT_AT_FAULT, one_sentence, progress_bar

SAFEGUARDS = ("mcadams",)
DRAWN_BY = ("speaker", "utterance")


@click.command(help=say("cli.protect"))
@click.argument("folder", metavar="IN", type=INPUT)
@click.option(
    "--with", "safeguard", required=True, type=click.Choice(SAFEGUARDS), help=say("cli.protect-with")
)
@click.option("--coefficient", type=click.FloatRange(0.1, 2.0), help=say("cli.protect-coefficient"))
@click.option("--random", "drawn_by", type=click.Choice(DRAWN_BY), help=say("cli.protect-random"))
@speakers_option("cli.protect-speakers")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help=say("cli.protect-seed")
)
@out_option("OUT", "cli.protect-out")
@overwrite_option
@one_sentence
def protect(
    folder: Path,
    safeguard: str,
    coefficient: float | None,
    drawn_by: str | None,
    speakers: Path | SpeakerRule | None,
    seed: int,
    out: Path,
    overwrite: bool,
) -> None:
    """Write protected copies of all recordings in a folder."""
    from zebra_core.recordings import doubtful_copies, protecting
    from zebra_core.recordings.folder import look_into, require_some
    from zebra_core.recordings.speakers import who_speaks

    if coefficient is not None and drawn_by is not None:
        raise click.UsageError(say("cli.protect-one-coefficient"))
    if (drawn_by == "speaker") != (speakers is not None):
        raise click.UsageError(say("cli.protect-whose"))
    if drawn_by is not None:
        how = protecting.McAdams(coefficient=None, random=drawn_by, seed=seed)
    else:
        how = protecting.McAdams(protecting.B2 if coefficient is None else coefficient)
    with progress_bar(say("cli.protecting", folder=folder.name)) as progress:
        found = require_some(look_into(folder, part_of(progress, 0.0, 0.02)))
        of_place = {}
        if speakers is not None:
            by_place = {str(one.place): one for one in found.recordings}
            spoken = who_speaks(by_place, speakers)
            for sentence in doubtful_copies.of_speakers(spoken, speakers):
                click.echo(f"zebra: {sentence}", err=True)
            found, of_place = protecting.of_known_speakers(found, spoken), dict(spoken.speaker)
        outcome = protecting.protect(
            found,
            out,
            how,
            lambda one: of_place.get(str(one.place), ""),
            overwrite=overwrite,
            on_progress=part_of(progress, 0.02, 1.0),
        )
    for sentence in (*doubtful_copies.of_folders(found, {}), *map(str, outcome.faults)):
        click.echo(f"zebra: {sentence}", err=True)
    if quieter := sum(one.is_quieter for one in outcome.done):
        click.echo(f"zebra: {say('recordings.quieter', count=quieter)}", err=True)
    click.echo(say("recordings.protected", count=len(outcome.done), folder=out, safeguard=safeguard))
    if outcome.kept:
        click.echo(say("recordings.protected-before", count=outcome.kept))
    click.echo(say("recordings.weak-by-design"))
    if not outcome.done:
        raise SystemExit(INPUT_AT_FAULT)
