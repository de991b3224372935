"""`zebra reidentify`: how well people are linked in a matrix of scores that need not fit into memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say, written
from zebra_gui.commands.options import INPUT, json_option, speakers_option
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.uncertainty.linking_points import PeoplePoint


@click.command(help=say("cli.reidentify"))
@click.argument("matrix", metavar="MATRIX.npy", type=INPUT)
@click.option("--enrolled", metavar="IDS", type=INPUT, help=say("cli.reidentify-enrolled"))
@click.option("--tests", metavar="IDS", type=INPUT, help=say("cli.reidentify-tests"))
@speakers_option("cli.reidentify-speakers")
@json_option("cli.json")
@one_sentence
def reidentify(
    matrix: Path,
    enrolled: Path | None,
    tests: Path | None,
    speakers: Path | SpeakerRule | None,
    as_json: bool,
) -> None:
    """Link the recordings of a matrix, which is mapped and read once."""
    from zebra_core.intake.drop import read_speaker_map
    from zebra_core.intake.formats.json_scores import speakers_beside
    from zebra_core.speakers.matrix import links_in_file
    from zebra_core.uncertainty.reidentification import of_matrix

    who = read_speaker_map(speakers) if isinstance(speakers, Path) else speakers or {}
    sides = (enrolled, tests) if enrolled and tests else speakers_beside(matrix)
    with progress_bar(say("cli.people", file=matrix.name)) as progress:
        found = of_matrix(links_in_file(matrix, enrolled or sides[0], tests or sides[1], who, progress))
    for remark in found.remarks:
        click.echo(f"zebra: {remark}", err=True)
    if as_json:
        counts = {"enrolled": found.n_enrolled, "recordings": found.n_complete}
        echo_json({**counts, **found.as_json(), "remarks": [str(remark) for remark in found.remarks]})
        return
    click.echo(say("cli.reidentified", count=found.n_complete, people=found.n_enrolled))
    for line in _lines(found.linkage):
        click.echo(line)
    ranks = found.ranks
    facts = {"mean": written(ranks.mean_bits, ".2f"), "worst": written(ranks.worst_bits, ".2f")}
    click.echo(say("cli.reidentified-ranks", people=ranks.people, **facts))


def _lines(points: Sequence[PeoplePoint]) -> list[str]:
    """A line for each number of people, aligned, under their heads."""
    rows = [tuple(say(f"cli.reidentified-{column}") for column in ("people", "linkage", "chance"))]
    rows += [
        (
            str(one.people),
            f"{written(100.0 * one.probability, '.2f')} %",
            f"{written(100.0 * one.chance, '.2f')} %",
        )
        for one in points
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.rjust, row, widths)) for row in rows]
