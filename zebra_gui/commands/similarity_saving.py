"""What `zebra similarity` saves: matrices, zoo and table of speakers; where is said on standard error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from zebra_core.figures.export import save_figure, zebra_stem
from zebra_core.figures.similarity import mosaic_figure
from zebra_core.figures.zoo import zoo_figure
from zebra_core.files.writing import write_files
from zebra_core.intake.similarity_files import SegmentEvidence
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.report.speaker_tables import speakers_csv
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import say


def save_matrices(
    voices: VoiceSimilarity, label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    """The mosaic, once for each kind of picture."""
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
