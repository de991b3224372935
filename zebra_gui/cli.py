"""The command line: one program, `zebra`, with a window and without."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.decisions import ALSO, Decision
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.commands import libraries
from zebra_gui.commands.attacking import attack_options, attacked
from zebra_gui.commands.choices import choices_of, unpack_option
from zebra_gui.commands.compare import compare
from zebra_gui.commands.completion import completion
from zebra_gui.commands.count import count
from zebra_gui.commands.desktop import desktop
from zebra_gui.commands.report import report, verify
from zebra_gui.commands.requiring import (
    end_by,
    judged,
    require_options,
    requiring,
    verdict_lines,
    with_what_it_takes,
)
from zebra_gui.commands.sign import certificate_for_trials, sign
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar
from zebra_gui.jobs.leaving import leave

# Everything heavy (NumPy, Qt, matplotlib) is imported where it is used: `zebra --help` must not wait for it.

DECISIONS = (*(decision.value for decision in Decision), *ALSO)
FIGURE_KINDS = ("png", "pdf", "svg", "tex")
SPEAKER_RULES = ("before-hyphen", "before-underscore", "first-folder", "whole-id")
MEANS = ("geometric", "sigmoid-of-mean")
SCORE_DECISIONS = (Decision.INFINITE_SCORES.value, Decision.NAN_SCORES.value)


_OF_THE_WINDOW = ("PySide6", "shiboken6", "pyqtgraph")  # the extra `gui`


class FilesOrCommand(click.Group):
    """`zebra COMMAND …` runs a command; `zebra`, or `zebra FILE…`, opens the window."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `window` before arguments that name no command; a shell that completes names none yet."""
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)
        if not args or not (args[0] in self.commands or args[0] in ("--help", "-h", "--version")):
            args = ["window", *args]
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Also what is done before a command, as printing the help, ends in a sentence."""
        return one_sentence(super().main)(*args, **kwargs)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[core.CompletionItem]:
        """Commands, and files to open."""
        from click.shell_completion import CompletionItem

        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are defined."""
        return [name for name, command in self.commands.items() if not command.hidden]


@click.group(
    cls=FilesOrCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="",
    subcommand_metavar="[FILES… | COMMAND …]",
    help=say("cli.program"),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _option, given: _show_version(ctx) if given else None,
    help=say("cli.version"),
)
def main() -> None:
    """Run the program."""


def _show_version(ctx: click.Context) -> None:
    from zebra_core.version import full_version  # asks git in a checkout: not before somebody wants to know

    click.echo(f"zebra {full_version()}")
    ctx.exit()


@main.command(hidden=True)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@one_sentence
def window(files: Sequence[Path]) -> None:
    """Open the window."""
    leave(_open_window(files))


@main.command(help=say("cli.demo"))
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help=say("cli.demo-out"))
@click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
@one_sentence
def demo(out: Path | None, overwrite: bool) -> None:
    """Open the demo project; without a screen, or with --out, write its report set."""
    if out is None and _has_screen():
        leave(_open_window(demo=True))
    from zebra_core.project.certainty import with_certainty
    from zebra_core.project.demo import demo_project
    from zebra_core.project.gathering import gather
    from zebra_core.report.export import report_set, require_place
    from zebra_core.report.lines import zebra_lines
    from zebra_core.runtime.progress import part_of

    folder = out or Path("demo-report")
    require_place(folder, is_set=True, overwrite=overwrite)
    with progress_bar(say("cli.assessing-demo")) as progress:
        project, _ = with_certainty(
            demo_project(part_of(progress, 0.0, 0.1)), on_progress=part_of(progress, 0.1, 1.0)
        )
    written = report_set(gather(project), folder, overwrite=overwrite)
    for entry in project.entries:
        click.echo(zebra_lines(entry.full_name, entry.assessment) + "\n")
    click.echo(say("cli.report-set-written", folder=folder))
    for path in written:
        click.echo(f"  {path}")


@main.command(help=say("cli.assess"))
@click.option("-s", "scores", required=True, type=click.Path(path_type=Path), help=say("cli.scores"))
@click.option("-k", "key", type=click.Path(path_type=Path), help=say("cli.key"))
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    type=click.Choice(DECISIONS),
    help=say("cli.allow", names=", ".join(DECISIONS)),
)
@click.option("--read", "readings", multiple=True, metavar="FILE=WAY", help=say("cli.read"))
@click.option("-l", "label", default=say("cli.default-label"), show_default=True, help=say("cli.label"))
@click.option("-p", "show", is_flag=True, help=say("cli.show"))
@click.option("-e", "kinds", multiple=True, type=click.Choice(FIGURE_KINDS), help=say("cli.kinds"))
@click.option("-o", "out", default=Path(), type=click.Path(path_type=Path), help=say("cli.out"))
@click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
@click.option("--bootstrap", "replicates", type=click.IntRange(min=1), help=say("cli.bootstrap"))
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help=say("cli.seed"))
@click.option("--stream/--no-stream", "stream", default=None, help=say("cli.stream"))
@click.option("--prior", "one_in", type=click.IntRange(2, 10**9), metavar="N", help=say("cli.prior"))
@attack_options
@require_options
@unpack_option
@click.option("--json", "as_json", is_flag=True, help=say("cli.json"))
@one_sentence
def assess(  # noqa: PLR0913, PLR0917 - one for each option of the command
    scores: Path,
    key: Path | None,
    allow: Sequence[str],
    readings: Sequence[str],
    label: str,
    show: bool,
    kinds: Sequence[str],
    out: Path,
    overwrite: bool,
    replicates: int | None,
    seed: int,
    stream: bool | None,
    one_in: int | None,
    attacker: str,
    recogniser: str,
    back_end: str,
    require: Path | None,
    junit: Path | None,
    unpack: bool,
    as_json: bool,
) -> None:
    """Assess one score file with its key, which may be inside."""
    choices = choices_of(readings, stream=stream, unpack=unpack)
    from zebra_core.project.project import Project
    from zebra_core.project.reading import assess_files
    from zebra_core.report.evidence import assessment_as_json
    from zebra_core.report.lines import zebra_lines
    from zebra_core.wording.texts import visible

    with progress_bar(say("cli.assessing", file=scores.name)) as progress:
        entry = assess_files(scores, key, name=label, allow=allow, choices=choices, on_progress=progress)
    entry = entry.at_prior(one_in) if one_in else entry
    project = attacked(Project().with_items(entry), attacker, recogniser, back_end)
    asked, (entry,) = requiring(project, require, junit), project.entries
    trust = _trust(entry, scores.name, replicates, seed) if replicates else None
    verdicts: tuple[core.Verdict, ...] = ()
    if require is not None:
        asked = asked.with_trust({entry.id: trust} if trust else {})
        asked = with_what_it_takes(asked, replicates, seed)
        verdicts = judged(asked, junit, overwrite=overwrite)
    remarks = [*entry.assessment.remarks, *(trust.remarks if trust else ())]
    for remark in remarks:
        click.echo(f"zebra: {remark}", err=True)
    if as_json:
        people, told = _people(entry, scores.name, replicates, seed)
        found = assessment_as_json(label, entry.assessment, trust)
        said = {"attacker": entry.attacker, "recogniser": entry.recogniser, "back_end": entry.back_end}
        found |= {**said, "reidentification": people, "remarks": [*map(str, remarks), *told]}
        judgement = {} if require is None else {"verdicts": [each.as_json() for each in verdicts]}
        echo_json({**found, **(trust.as_json() if trust else {}), **judgement})
    else:
        click.echo(zebra_lines(visible(label, 300), entry.assessment))
        if trust:
            click.echo(f"\n{trust.lines()}")
        if require is not None:
            click.echo(f"\n{verdict_lines(verdicts)}")
    _save_figures(entry, label, kinds, out, overwrite=overwrite)
    if show:
        leave(_open_window(project=asked))
    end_by(verdicts)


def _people(
    entry: core.Entry, file: str, replicates: int | None, seed: int
) -> tuple[dict[str, object] | None, list[str]]:
    """How well people are linked and singled out, as JSON, and what is to be told; None where nobody can."""
    from zebra_core.errors import ZebraError
    from zebra_core.project.people import reidentification_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings

    settings = BootstrapSettings(replicates, seed=seed) if replicates else None
    try:
        with progress_bar(say("cli.people", file=file)) as progress:
            found = reidentification_of(entry, settings, on_progress=progress)
    except ZebraError as error:
        click.echo(f"zebra: {error}", err=True)
        return None, [str(error)]
    for remark in found.remarks:
        click.echo(f"zebra: {remark}", err=True)
    return found.as_json(), [str(remark) for remark in found.remarks]


def _trust(entry: core.Entry, file: str, replicates: int, seed: int) -> core.Trust:
    """Intervals and the line of no disclosure; Ctrl-C stops them with what there is."""
    from zebra_core.project.reading import trials_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.uncertainty.trust import trust_of

    settings = BootstrapSettings(replicates, seed=seed)
    trials = trials_of(entry)
    with progress_bar(say("cli.measuring", file=file)) as progress, _stoppable(progress) as stoppable:
        return trust_of(trials, entry.assessment, settings, on_progress=stoppable)


@contextmanager
def _stoppable(progress: Progress) -> Iterator[Progress]:
    """Progress that Ctrl-C ends with Cancelled, between two steps of the work."""
    asked = False

    def ask(_signal: int, _frame: object) -> None:
        nonlocal asked
        asked = True

    def watch(share: float) -> None:
        progress(share)
        if asked:
            raise Cancelled

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield watch
    except Cancelled:
        raise click.Abort from None
    finally:
        signal.signal(signal.SIGINT, before)


@main.command(help=say("cli.calibration"))
@click.option("-s", "scores", required=True, type=click.Path(path_type=Path), help=say("cli.scores"))
@click.option("-k", "key", required=True, type=click.Path(path_type=Path), help=say("cli.key"))
@click.option("--train-scores", required=True, type=click.Path(path_type=Path), help=say("cli.train-scores"))
@click.option("--train-key", required=True, type=click.Path(path_type=Path), help=say("cli.train-key"))
@click.option("-e", "kinds", multiple=True, type=click.Choice(FIGURE_KINDS), help=say("cli.kinds"))
@click.option("-o", "out", default=Path(), type=click.Path(path_type=Path), help=say("cli.out"))
@click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
@unpack_option
@click.option("--json", "as_json", is_flag=True, help=say("cli.json"))
@one_sentence
def calibration(  # noqa: PLR0913, PLR0917 - one for each option of the command
    scores: Path,
    key: Path,
    train_scores: Path,
    train_key: Path,
    kinds: Sequence[str],
    out: Path,
    overwrite: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Learn calibration on one run of a safeguard, and judge it on another."""
    from zebra_core.figures.adversary import adversary_figure
    from zebra_core.metrics.adversary import attack
    from zebra_core.project.reading import assess_files, name_from
    from zebra_core.runtime.progress import part_of
    from zebra_core.wording.wording import bits, signed

    with progress_bar(say("cli.assessing", file=scores.name)) as progress:
        train = assess_files(
            train_scores,
            train_key,
            name=say("cli.trained-on", name=name_from(train_scores)),
            choices=choices_of(unpack=unpack),
            on_progress=part_of(progress, 0.0, 0.5),
        )
        test = assess_files(
            scores,
            key,
            name=say("cli.judged-on", name=name_from(scores)),
            choices=choices_of(unpack=unpack),
            on_progress=part_of(progress, 0.5, 1.0),
        )
    priors = test.assessment.profile.prior_log_odds
    found = attack(train.assessment.counts, test.assessment.counts, priors)
    if found.linear_map.bounded:
        click.echo(f"zebra: {say('adversary.bounded')}", err=True)
    if as_json:
        echo_json(found.as_json())
    else:
        for name, judged in (("linear", found.linear), ("isotonic", found.isotonic)):
            c_ece, cllr = signed(judged.c_ece_bits), bits(judged.cllr_bits)
            click.echo(say(f"cli.calibration-{name}", c_ece=c_ece, cllr=cllr))
    make = partial(adversary_figure, train, test, found)
    _save(make, f"ADVERSARY-{name_from(scores)}", kinds, out, overwrite=overwrite)


def _save_figures(
    entry: core.Entry, label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    from zebra_core.figures.ece import ece_figure

    _save(lambda: ece_figure([entry]), label, kinds, folder, overwrite=overwrite)


def _save(
    make: Callable[[], core.Figure], label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    if not kinds:
        return
    from zebra_core.figures.export import save_figure, zebra_stem

    figure = make()
    for kind in dict.fromkeys(kinds):
        for path in save_figure(figure, zebra_stem(label), kind, folder, overwrite=overwrite):
            click.echo(say("cli.saved", file=path), err=True)


@main.command(help=say("cli.similarity"))
@click.option("--oo", required=True, type=click.Path(path_type=Path), help=say("cli.similarity-oo"))
@click.option("--op", type=click.Path(path_type=Path), help=say("cli.similarity-op"))
@click.option("--pp", type=click.Path(path_type=Path), help=say("cli.similarity-pp"))
@click.option("--utt2spk", type=click.Path(path_type=Path), help=say("cli.utt2spk"))
@click.option("--speakers", "rule", type=click.Choice(SPEAKER_RULES), help=say("cli.speaker-rule"))
@click.option(
    "--mean", default="geometric", type=click.Choice(MEANS), show_default=True, help=say("cli.mean")
)
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    type=click.Choice(SCORE_DECISIONS),
    help=say("cli.allow", names=", ".join(SCORE_DECISIONS)),
)
@click.option("--read", "readings", multiple=True, metavar="FILE=WAY", help=say("cli.read"))
@click.option(
    "-l", "label", default=say("cli.default-safeguard"), show_default=True, help=say("cli.safeguard")
)
@click.option("-e", "kinds", multiple=True, type=click.Choice(FIGURE_KINDS), help=say("cli.similarity-kinds"))
@click.option("-o", "out", type=click.Path(path_type=Path), help=say("cli.similarity-out"))
@click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
@click.option("--bootstrap", "replicates", type=click.IntRange(min=1), help=say("cli.similarity-bootstrap"))
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help=say("cli.seed"))
@unpack_option
@click.option("--json", "as_json", is_flag=True, help=say("cli.json"))
@one_sentence
def similarity(  # noqa: PLR0913, PLR0917 - one for each option of the command
    oo: Path,
    op: Path | None,
    pp: Path | None,
    utt2spk: Path | None,
    rule: str | None,
    mean: str,
    allow: Sequence[str],
    readings: Sequence[str],
    label: str,
    kinds: Sequence[str],
    out: Path | None,
    overwrite: bool,
    replicates: int | None,
    seed: int,
    unpack: bool,
    as_json: bool,
) -> None:
    """Compare the voices of all speakers with each other."""
    if (utt2spk is None) == (rule is None):
        raise click.UsageError(say("cli.speakers-by-one"))
    choices = choices_of(readings, unpack=unpack)
    from zebra_core.evidence.speaker_names import SpeakerRule
    from zebra_core.intake.similarity_files import read_evidence
    from zebra_core.metrics.similarity import Mean
    from zebra_core.report.lines import similarity_lines
    from zebra_core.runtime.progress import part_of
    from zebra_core.wording.texts import visible

    with progress_bar(say("cli.comparing", file=oo.name)) as progress:
        evidence = read_evidence(
            oo=oo,
            op=op,
            pp=pp,
            speakers=utt2spk or SpeakerRule(rule),
            allow=allow,
            choices=choices,
            on_progress=part_of(progress, 0.0, 0.8),
        )
        voices = evidence.similarity(Mean(mean), part_of(progress, 0.8, 1.0))
    trust = _voices_trust(evidence, voices, oo.name, replicates, seed) if replicates else None
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
        from zebra_core.files.writing import make_folder
        from zebra_gui.commands.similarity_saving import save_matrices, save_speakers

        folder = make_folder(out) if out is not None else Path()
        save_matrices(voices, label, kinds or ("png",), folder, overwrite=overwrite)
        if out is not None:
            save_speakers(evidence, voices, label, kinds or ("png",), out, overwrite=overwrite)


def _voices_trust(
    evidence: core.SegmentEvidence, voices: core.VoiceSimilarity, file: str, replicates: int, seed: int
) -> core.VoicesTrust:
    """Intervals of the figures of matrices, and what chance shows; Ctrl-C stops them with what there is."""
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.uncertainty.voices_trust import voices_trust_of

    settings, trials = BootstrapSettings(replicates, seed=seed), evidence.all_trials(voices)
    with progress_bar(say("cli.measuring", file=file)) as progress, _stoppable(progress) as stoppable:
        return voices_trust_of(voices, trials, settings, on_progress=stoppable)


@main.command(name="selftest", help=say("cli.selftest"))
@click.option("-o", "out", type=click.Path(path_type=Path), metavar="FILE", help=say("cli.selftest-out"))
@click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
@click.option("--json", "as_json", is_flag=True, help=say("cli.json"))
@one_sentence
def check_installation(out: Path | None, overwrite: bool, as_json: bool) -> None:
    """Make the known-answer tests."""
    from zebra_core.files.writing import write_file
    from zebra_core.installation.selftest import page, selftest

    with progress_bar(say("cli.checking")) as progress:
        outcome = selftest(progress)
    text = page(outcome)
    if as_json:
        echo_json(outcome.as_json())
    else:
        click.echo(text, nl=False)
    if out:
        write_file(out, text.encode(), overwrite=overwrite)
    sys.exit(0 if outcome.passed else INPUT_AT_FAULT)


main.add_command(compare)
main.add_command(count)
main.add_command(report)
main.add_command(verify)
main.add_command(sign)
main.add_command(certificate_for_trials)
main.add_command(desktop)
main.add_command(completion)


def _open_window(
    files: Sequence[Path] = (), *, demo: bool = False, project: core.Project | None = None
) -> int:
    """Raises InputError where there is no screen, or Qt or what it needs of the system is not installed."""
    if not _has_screen():
        raise InputError("no-screen")
    lacking = libraries.missing()
    gc.disable()  # of what is imported nothing is garbage; the window sees to the rest from when it is there
    try:
        from zebra_gui.app import run
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _OF_THE_WINDOW:
            raise
        raise InputError("no-window") from None
    except ImportError as error:
        if not lacking:
            raise
        raise InputError("no-libraries", packages=" ".join(lacking)) from error
    if lacking and not os.environ.get("QT_QPA_PLATFORM"):  # Qt would end the program without a way back
        raise InputError("no-libraries", packages=" ".join(lacking))
    return run(files, demo=demo, project=project)


def _has_screen() -> bool:
    """Whether a window can be shown: on Linux where there is a display, elsewhere always."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform.startswith(("offscreen", "minimal")):
        return False
    return sys.platform != "linux" or any(
        os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    )
