"""`zebra count`: trials counted where they are, on a cluster or on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from zebra_core.evidence.audit import Decision, decisions
from zebra_core.runtime.memory import given_bytes
from zebra_core.wording.texts import in_sentence, say, written
from zebra_gui.commands.options import PATH, allow_option, overwrite_option
from zebra_gui.commands.terminal import one_sentence, progress_bar

DECISIONS = (
    Decision.KEY_LINES_WITHOUT_SCORE.value,
    Decision.NAN_SCORES.value,
    Decision.INFINITE_SCORES.value,
)


@click.command(help=say("cli.count"))
@click.option(
    "--engine", "url", default="duckdb", show_default=True, metavar="URL", help=say("cli.count-engine")
)
@click.option("-s", "--scores", required=True, metavar="TABLE|PATH", help=say("cli.count-scores"))
@click.option("-k", "--key", metavar="TABLE|PATH", help=say("cli.count-key"))
@click.option("-o", "out", required=True, type=PATH, metavar="FILE", help=say("cli.count-out"))
@click.option("--by-speaker", "codes", type=PATH, metavar="FILE", help=say("cli.count-by-speaker"))
@click.option(
    "--speakers", "--utt2spk", "speakers", metavar="TABLE|PATH|RULE", help=say("cli.count-speakers")
)
@click.option("--memory", metavar="SIZE", help=say("cli.count-memory"))
@allow_option(DECISIONS)
@overwrite_option
@one_sentence
def count(  # noqa: PLR0913, PLR0917 - one for each option of the command
    url: str,
    scores: str,
    key: str | None,
    out: Path,
    codes: Path | None,
    speakers: str | None,
    memory: str | None,
    allow: Sequence[str],
    overwrite: bool,
) -> None:
    """Count trials on an engine, and write the counts as Parquet."""
    from zebra_core.intake.streaming.remote_counting import (
        SpeakerCounting,
        count_elsewhere,
        read_map,
        write_counts,
        write_map,
    )

    if speakers and not codes:
        raise click.UsageError(say("cli.count-needs-by-speaker"))
    most = given_bytes(memory) if memory else None
    known = read_map(codes) if codes and codes.exists() else {}
    with progress_bar(say("cli.counting", engine=url)) as progress:
        wanted = SpeakerCounting(speakers, known) if codes else None
        made = count_elsewhere(
            url, scores, key, decisions(allow), progress, by_speakers=wanted, most_memory=most
        )
    if made.pairs and codes:  # before the counts: codes without their map would be of no use
        write_map({**known, **made.pairs.code_of}, codes)
    write_counts(made, out, overwrite=overwrite)
    facts = {"engine": made.record.engine, "file": out.name, "scores": len(made.counts.score)}
    trials = made.counts.total_target + made.counts.total_nontarget
    click.echo(say("cli.counted", count=trials, size=written(out.stat().st_size / 1e6, ".1f"), **facts))
    if made.pairs and codes:
        about = {
            "count": len(made.pairs.cells["times"]),
            "speakers": made.record.speakers,
            "file": codes.name,
        }
        click.echo(say("cli.counted-by-speakers", **about))
    for found, (files, folder) in made.led_to.items():
        click.echo(say("cli.counted-several", found=found, count=files, folder=folder))
    held = {
        "columns": ", ".join(made.columns),
        "tables": in_sentence(sorted({made.record.scores, made.record.key})),
    }
    click.echo(say("cli.counts-hold", count=len(made.counts.score), trials=trials, **held, **facts))
