"""`zebra listen`: tests by ear, made, taken and evaluated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.files.access import is_folder, refuse_missing
from zebra_core.wording.texts import say, sentence_as_said, written
from zebra_gui.commands import showing
from zebra_gui.commands.options import INPUT, PATH, Draws, drawing_options, json_option, overwrite_option
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar
from zebra_gui.jobs.leaving import leave

if TYPE_CHECKING:
    from zebra_core.listening.evaluation import Evaluation, MeanRating, PanelResult
    from zebra_core.uncertainty.bootstrap import BootstrapSettings


@click.command(help=say("cli.listen"))
@click.option("--new", "request", type=INPUT, metavar="TEST.toml", help=say("cli.listen-new"))
@click.option("--open", "test", type=INPUT, metavar="FILE", help=say("cli.listen-open"))
@click.option("--evaluate", "plan", type=INPUT, metavar="PLAN", help=say("cli.listen-evaluate"))
@click.argument("answers", nargs=-1, metavar="[ANSWERS…]", type=INPUT)
@click.option("--leave-out", multiple=True, metavar="CODE", help=say("cli.listen-leave-out"))
@click.option("--machine", is_flag=True, help=say("cli.listen-machine"))
@drawing_options("cli.listen-bootstrap", default=1000, least=20)
@click.option("-o", "out", type=PATH, metavar="DIR", help=say("cli.listen-out"))
@overwrite_option
@json_option("cli.json")
@one_sentence
def listen(  # noqa: PLR0913, PLR0917 - one for each option of the command
    request: Path | None,
    test: Path | None,
    plan: Path | None,
    answers: Sequence[Path],
    leave_out: Sequence[str],
    machine: bool,
    draws: Draws,
    out: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Make a test, take one, or evaluate one; with nothing said, ask which one to take."""
    if not any((request, test, plan, answers, leave_out, machine, out, as_json)):
        leave(showing.open_listening())
    if sum(given is not None for given in (request, test, plan)) != 1:
        raise click.UsageError(say("cli.listen-which"))
    if test is not None:
        leave(showing.open_listening(test))
    if out is None:
        raise click.UsageError(say("cli.listen-no-folder"))
    if request is not None:
        if answers or leave_out:
            raise click.UsageError(say("cli.listen-no-answers-yet"))
        _make(request, out, overwrite=overwrite, as_json=as_json)
    elif plan is not None:
        if not answers:
            raise click.UsageError(say("cli.listen-answers"))
        found = _evaluated(plan, answers, leave_out, draws.or_usual, machine=machine)
        _show(found, out, overwrite=overwrite, as_json=as_json)


def _make(file: Path, out: Path, *, overwrite: bool, as_json: bool) -> None:
    from zebra_core.listening.making import make_test, read_request

    request = read_request(file)
    with progress_bar(say("cli.listen-making", file=file.name)) as progress:
        made = make_test(request, out, overwrite=overwrite, on_progress=progress)
    for sentence in made.sentences:
        click.echo(f"zebra: {sentence}", err=True)
    if as_json:
        echo_json(
            {"test": made.plan.id, "files": [str(path) for path in made.files], "told": list(made.sentences)}
        )
        return
    plan, *packages = made.files
    items = len(made.plan.listeners[0].items)
    click.echo(say("cli.listen-made", count=len(packages), items=items, folder=out))
    click.echo(say("cli.listen-plan", file=plan.name))


def _evaluated(
    plan: Path,
    answers: Sequence[Path],
    leave_out: Sequence[str],
    settings: BootstrapSettings,
    *,
    machine: bool,
) -> Evaluation:
    from zebra_core.listening.answers import SUFFIX
    from zebra_core.listening.evaluation import evaluate, with_machine
    from zebra_core.listening.plan import read_plan

    for path in answers:
        refuse_missing(path)
    files = [
        file for path in answers for file in (sorted(path.rglob(f"*{SUFFIX}")) if is_folder(path) else [path])
    ]
    with progress_bar(say("cli.listen-evaluating", file=plan.name)) as progress:
        found = evaluate(read_plan(plan), files, leave_out, settings, progress)
    if machine:
        with progress_bar(say("cli.hearing", folder=plan.absolute().parent.name)) as progress:
            found = with_machine(found, plan.parent, progress)
    return found


def _show(found: Evaluation, out: Path, *, overwrite: bool, as_json: bool) -> None:
    from zebra_core.listening.outcome import write_outcome

    write_outcome(found, out, overwrite=overwrite)
    for sentence in (
        *found.gathered.faults,
        *(sentence_as_said(one, "listening") for one in found.sentences),
    ):
        click.echo(f"zebra: {sentence}", err=True)
    if as_json:
        echo_json(found.as_json())
    else:
        for line in _lines(found):
            click.echo(line)
        click.echo(say("cli.listen-written", folder=out))
    if found.gathered.faults:
        sys.exit(INPUT_AT_FAULT)


def _lines(found: Evaluation) -> list[str]:
    lines = [say("cli.listen-used", count=len(found.used), of=len(found.plan.listeners))]
    lines += [_panel(one, "listen-panel") for one in found.panels]
    lines += [_panel(one, "listen-of-machine") for one in found.machine]
    for rating in found.ratings:
        asked = say(f"listening.{rating.rated.question.value}")
        lines += [_mean(asked, one) for one in (*rating.means, *rating.differences)]
    return lines


def _panel(one: PanelResult, code: str) -> str:
    panel = one.panel
    facts: dict[str, object] = {"question": say(f"listening.{panel.question.value}")}
    facts |= {"safeguard": panel.safeguard or say("name.unprotected"), "count": len(panel.pairs)}
    if one.figures is None:
        return say("cli.listen-too-few", **facts)
    d_ece, eer = one.figures["d_ece_bits"], one.figures["rocch_eer"]
    facts |= {"d_ece": written(d_ece.shown, ".3f"), "low": written(d_ece.interval.low, ".3f")}
    facts |= {"high": written(d_ece.interval.high, ".3f"), "eer": written(100 * eer.value, ".1f")}
    return say(f"cli.{code}", **facts)


def _mean(asked: str, one: MeanRating) -> str:
    code = "listen-mean" if one.against is None else "listen-difference"
    facts: dict[str, object] = {"question": asked, "safeguard": one.safeguard or say("name.unprotected")}
    facts |= {"against": one.against or say("name.unprotected"), "mean": _shown(one.mean)}
    facts["count"] = one.recordings
    if one.interval is None:
        return say(f"cli.{code}", **facts)
    ends = {"low": _shown(one.interval.low), "high": _shown(one.interval.high)}
    return say(f"cli.{code}-between", **facts, **ends)


def _shown(value: float) -> str:
    """A number with two decimals and a true minus sign."""
    return written(value, ".2f").replace("-", "−")
