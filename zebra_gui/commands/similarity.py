"""`zebra similarity`: the voices of all speakers compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.evidence.audit import Decision
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import make_folder, write_files
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say, visible
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    Draws,
    allow_option,
    choices_of,
    drawing_options,
    json_option,
    overwrite_option,
    pictures_option,
    read_option,
    speakers_option,
    unpack_option,
)
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar, stoppable

if TYPE_CHECKING:
    from zebra_core.evidence.segments import SegmentEvidence
    from zebra_core.metrics.similarity import VoiceSimilarity
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.uncertainty.trust import Trust


MEANS = ("geometric", "sigmoid-of-mean")
SCORE_DECISIONS = (Decision.INFINITE_SCORES.value, Decision.NAN_SCORES.value)


def save_matrices(
    voices: VoiceSimilarity, label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    """The mosaic, once for each kind of picture."""
    from zebra_core.figures.export import save_figure, zebra_stem
    from zebra_core.figures.similarity import mosaic_figure

    figure = mosaic_figure(voices, label)
    for kind in dict.fromkeys(kinds):
        for path in save_figure(figure, f"{zebra_stem(label)}-similarity", kind, folder, overwrite=overwrite):
            click.echo(say("cli.saved", file=path), err=True)


def save_speakers(
    evidence: SegmentEvidence,
    voices: VoiceSimilarity,
    label: str,
    kinds: Sequence[str],
    folder: Path,
    *,
    overwrite: bool,
) -> None:
    """The zoo and the table of speakers, of OP where it is given, else of what is most protected."""
    from zebra_core.figures.export import save_figure, zebra_stem
    from zebra_core.figures.speakers import zoo_figure
    from zebra_core.report.speaker_tables import speakers_csv
    from zebra_core.speakers.study import SpeakerStudy
    from zebra_core.speakers.zoo import ZooScale

    setting = next(s for s in ("op", "pp", "oo") if s in voices.matrices)
    if not voices.matrices[setting].is_calibrated:
        return  # it has been told why nothing can be said
    study = SpeakerStudy.of(evidence.trials(setting, voices.speakers))
    name = f"{label} {setting.upper()}"
    figure = zoo_figure(study.zoo(ZooScale.LLR), name)
    saved = [
        path
        for kind in dict.fromkeys(kinds)
        for path in save_figure(figure, f"{zebra_stem(name)}-zoo", kind, folder, overwrite=overwrite)
    ]
    table = {
        folder / f"{zebra_stem(name)}-speakers.csv": speakers_csv(study).encode("utf-8", "backslashreplace")
    }
    for path in [*saved, *write_files(table, overwrite=overwrite)]:
        click.echo(say("cli.saved", file=path), err=True)


@click.command(help=say("cli.similarity"))
@click.option("--oo", required=True, type=INPUT, help=say("cli.similarity-oo"))
@click.option("--op", type=INPUT, help=say("cli.similarity-op"))
@click.option("--pp", type=INPUT, help=say("cli.similarity-pp"))
@speakers_option("cli.similarity-speakers")
@click.option(
    "--mean", default="geometric", type=click.Choice(MEANS), show_default=True, help=say("cli.mean")
)
@allow_option(SCORE_DECISIONS)
@read_option
@click.option(
    "-l", "label", default=say("cli.default-safeguard"), show_default=True, help=say("cli.safeguard")
)
@pictures_option("cli.similarity-kinds")
@click.option("-o", "out", type=PATH, help=say("cli.similarity-out"))
@overwrite_option
@drawing_options("cli.similarity-bootstrap")
@unpack_option
@json_option("cli.json")
@one_sentence
def similarity(  # noqa: PLR0913, PLR0917 - one for each option of the command
    oo: Path,
    op: Path | None,
    pp: Path | None,
    speakers: Path | SpeakerRule | None,
    mean: str,
    allow: Sequence[str],
    readings: Sequence[str],
    label: str,
    kinds: Sequence[str],
    out: Path | None,
    overwrite: bool,
    draws: Draws,
    unpack: bool,
    as_json: bool,
) -> None:
    """Compare the voices of all speakers with each other."""
    from zebra_core.intake.drop import read_evidence
    from zebra_core.metrics.similarity import Mean, similarity_of
    from zebra_core.report.tables import similarity_lines

    if speakers is None:
        raise click.UsageError(say("cli.similarity-needs-speakers"))
    choices = choices_of(readings, unpack=unpack)
    with progress_bar(say("cli.comparing", file=oo.name)) as progress:
        evidence = read_evidence(
            oo=oo,
            op=op,
            pp=pp,
            speakers=speakers,
            allow=allow,
            choices=choices,
            on_progress=part_of(progress, 0.0, 0.8),
        )
        voices = similarity_of(evidence, Mean(mean), part_of(progress, 0.8, 1.0))
    trust = _voices_trust(evidence, voices, oo.name, draws.settings) if draws.settings else None
    for remark in (*voices.remarks, *(trust.remarks if trust else ())):
        click.echo(f"zebra: {remark}", err=True)
    if as_json:
        found = {**voices.as_json(), **(trust.as_json() if trust else {})}
        echo_json(found)
    else:
        click.echo(similarity_lines(visible(label, 300), voices))
        if trust:
            click.echo(f"\n{trust.lines()}")
    if kinds or out is not None:
        folder = make_folder(out) if out is not None else Path()
        save_matrices(voices, label, kinds or ("png",), folder, overwrite=overwrite)
        if out is not None:
            save_speakers(evidence, voices, label, kinds or ("png",), out, overwrite=overwrite)


def _voices_trust(
    evidence: SegmentEvidence, voices: VoiceSimilarity, file: str, settings: BootstrapSettings
) -> Trust:
    """Intervals of the figures of matrices, and what chance shows; Ctrl-C stops them with what there is."""
    from zebra_core.uncertainty.trust import voices_trust_of

    trials = evidence.all_trials(voices.speakers)
    with progress_bar(say("cli.measuring", file=file)) as progress, stoppable(progress) as watched:
        return voices_trust_of(voices, trials, settings, on_progress=watched)
