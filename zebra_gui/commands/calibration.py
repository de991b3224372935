"""`zebra calibration`: what an attacker who learns on one run gains on another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import bits, say, signed
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    choices_of,
    json_option,
    overwrite_option,
    pictures_option,
    save_picture,
    speakers_option,
    unpack_option,
)
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar


@click.command(help=say("cli.calibration"))
@click.option("-s", "--scores", required=True, type=INPUT, help=say("cli.scores"))
@click.option("-k", "--key", type=INPUT, help=say("cli.key"))
@click.option("--train-scores", required=True, type=INPUT, help=say("cli.train-scores"))
@click.option("--train-key", type=INPUT, help=say("cli.train-key"))
@speakers_option("cli.matrix-speakers")
@pictures_option("cli.kinds")
@click.option("-o", "out", default=Path(), type=PATH, help=say("cli.out"))
@overwrite_option
@unpack_option
@json_option("cli.json")
@one_sentence
def calibration(  # noqa: PLR0913, PLR0917 - one for each option of the command
    scores: Path,
    key: Path | None,
    train_scores: Path,
    train_key: Path | None,
    speakers: Path | SpeakerRule | None,
    kinds: Sequence[str],
    out: Path,
    overwrite: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Learn calibration on one run of a safeguard, and judge it on another."""
    from zebra_core.figures.calibration import learnt_calibration_figure
    from zebra_core.metrics.learnt_calibration import attack
    from zebra_core.project.reading.reading import assess_files, name_from

    choices = choices_of(speakers=speakers, unpack=unpack)
    with progress_bar(say("cli.assessing", file=scores.name)) as progress:
        train = assess_files(
            train_scores,
            train_key,
            name=say("cli.trained-on", name=name_from(train_scores)),
            choices=choices,
            on_progress=part_of(progress, 0.0, 0.5),
        )
        test = assess_files(
            scores,
            key,
            name=say("cli.judged-on", name=name_from(scores)),
            choices=choices,
            on_progress=part_of(progress, 0.5, 1.0),
        )
    priors = test.assessment.profile.prior_log_odds
    found = attack(train.assessment.counts, test.assessment.counts, priors)
    if found.linear_map.bounded:
        click.echo(f"zebra: {say('learnt.bounded')}", err=True)
    if as_json:
        echo_json(found.as_json())
    else:
        for name, judged in (("linear", found.linear), ("isotonic", found.isotonic)):
            c_ece, cllr = signed(judged.c_ece_bits), bits(judged.cllr_bits)
            click.echo(say(f"cli.calibration-{name}", c_ece=c_ece, cllr=cllr))
    make = partial(learnt_calibration_figure, train, test, found)
    save_picture(make, f"LEARNT-{name_from(scores)}", kinds, out, overwrite=overwrite)
