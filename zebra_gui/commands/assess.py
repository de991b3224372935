"""`zebra assess`: the figures of one score file with its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.errors import ZebraError
from zebra_core.evidence.decisions import ALSO, Decision
from zebra_core.wording.texts import say, visible, written
from zebra_gui.commands import showing
from zebra_gui.commands.grouping import by_option, group_lines, groups_of_one
from zebra_gui.commands.inferring import LabelFiles, infer, label_options, labels_in
from zebra_gui.commands.opening import (
    among_option,
    attack_options,
    choices_of,
    prior_option,
    save_picture,
)
from zebra_gui.commands.options import (
    PATH,
    allow_option,
    drawing_options,
    json_option,
    overwrite_option,
    pictures_option,
    read_option,
    unpack_option,
)
from zebra_gui.commands.requiring import (
    end_by,
    judged,
    require_options,
    requiring,
    verdict_lines,
    with_what_it_takes,
)
from zebra_gui.commands.spoken import SpokenWords, words_options
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar, stoppable
from zebra_gui.jobs.leaving import leave

if TYPE_CHECKING:
    from zebra_core.evidence.remarks import Remark
    from zebra_core.evidence.speaker_counts import SpeakerCounts
    from zebra_core.evidence.trials import Trials
    from zebra_core.intake.planned import Choices
    from zebra_core.metrics.assessment import Settings
    from zebra_core.project.attack_words import AttackWords
    from zebra_core.project.items import Entry
    from zebra_core.project.verdicts.verdict import Verdict
    from zebra_core.uncertainty.trust import AssessmentTrust


_RATIOS = "lr"
DECISIONS = (*(decision.value for decision in Decision), *ALSO)


@click.command(help=say("cli.assess"))
@click.option("-s", "scores", type=PATH, help=say("cli.scores"))
@click.option("-k", "key", type=PATH, help=say("cli.key"))
@words_options
@allow_option(DECISIONS)
@read_option
@click.option("-l", "label", default=say("cli.default-label"), show_default=True, help=say("cli.label"))
@click.option("-p", "show", is_flag=True, help=say("cli.show"))
@pictures_option("cli.kinds")
@click.option("-o", "out", default=Path(), type=PATH, help=say("cli.out"))
@overwrite_option
@drawing_options("cli.bootstrap")
@click.option(
    "--scores-are",
    "meaning",
    type=click.Choice(("natural-llr", "log10-lr", _RATIOS)),
    help=say("cli.scores-are"),
)
@click.option("--stream/--no-stream", "stream", default=None, help=say("cli.stream"))
@among_option
@prior_option
@attack_options
@label_options
@by_option
@require_options
@click.option("--unprotected", "unprotected", type=PATH, help=say("cli.unprotected"))
@click.option("--unprotected-key", "unprotected_key", type=PATH, help=say("cli.unprotected-key"))
@unpack_option
@json_option("cli.assess-json")
@one_sentence
def assess(  # noqa: PLR0913, PLR0917 - one for each option of the command
    scores: Path | None,
    key: Path | None,
    words: SpokenWords,
    allow: Sequence[str],
    readings: Sequence[str],
    label: str,
    show: bool,
    kinds: Sequence[str],
    out: Path,
    overwrite: bool,
    replicates: int | None,
    seed: int,
    meaning: str | None,
    stream: bool | None,
    people: int | None,
    one_in: int | None,
    attack: AttackWords,
    labelled: LabelFiles,
    by: Sequence[str],
    require: Path | None,
    junit: Path | None,
    unprotected: Path | None,
    unprotected_key: Path | None,
    unpack: bool,
    as_json: bool,
) -> None:
    """Assess one score file with its key, which may be inside."""
    from zebra_core.project.headline import says_nothing_in_words
    from zebra_core.project.project import Project
    from zebra_core.report.evidence import assessment_as_json
    from zebra_core.report.lines import zebra_lines

    choices = choices_of(readings, stream=stream, unpack=unpack)
    labelled.refuse_alone()
    source = words.refuse_unless_fitting(scores, key)
    entry = _assessed(source, key, words, label, meaning, allow, choices)
    yardstick = _yardstick(unprotected, unprotected_key, allow, choices)
    project = attack.said_in(Project().with_items(entry, *yardstick))
    project = project.among(people) if people else project
    project = project.at_prior(one_in) if one_in else project
    project = labelled.joined(project) if require is not None else project
    asked, entry = requiring(project, require, junit), project.entries[0]
    trials = _weighed(entry, as_json) if replicates else None
    trust = (
        _trust(entry, trials, source.name, replicates, seed) if trials is not None and replicates else None
    )
    verdicts: tuple[Verdict, ...] = ()
    if require is not None:
        asked = asked.with_trust({entry.id: trust} if trust else {})
        asked = with_what_it_takes(asked, replicates, seed)
        verdicts = judged(asked, junit, overwrite=overwrite)
    inferred = infer(entry, labelled, replicates, seed)
    grouped = groups_of_one(entry, by, labels_in(labelled.attributes), replicates, seed)
    remarks = [*entry.assessment.remarks, *(trust.remarks if trust else ())]
    _tell(remarks)
    if as_json:
        linked, exposed, people_remarks = _people(entry, trials, source.name, people, replicates, seed)
        found = assessment_as_json(label, entry.assessment, trust)
        told = {"inference": inferred.as_json, "uniqueness": inferred.uniqueness}
        found |= {**entry.attacked_by, "reidentification": linked, "most_exposed": exposed, **told}
        found |= {"remarks": [*map(str, remarks), *people_remarks, *inferred.remarks]}
        judgement = {} if require is None else {"verdicts": [each.as_json() for each in verdicts]}
        found |= {**(trust.as_json() if trust else {}), **judgement}
        echo_json({**found, **({"by_group": [each.as_json() for each in grouped]} if by else {})})
    else:
        for nothing in filter(None, [says_nothing_in_words(replace(entry, measured=trust))]):
            click.echo(nothing)
        click.echo(zebra_lines(visible(label, 300), entry.assessment))
        if trust:
            click.echo(f"\n{trust.lines()}")
        for sentence in inferred.sentences:
            click.echo(f"\n{sentence}")
        if by:
            click.echo(f"\n{group_lines([entry], {entry.id: grouped})}")
        if require is not None:
            click.echo(f"\n{verdict_lines(verdicts)}")
    _save_figures(entry, label, kinds, out, overwrite=overwrite)
    if show:
        leave(showing.open_window(project=asked))
    end_by(verdicts)


def _assessed(
    source: Path,
    key: Path | None,
    words: SpokenWords,
    label: str,
    meaning: str | None,
    allow: Sequence[str],
    choices: Choices,
) -> Entry:
    """The assessment of scores, or of what transcripts say."""
    from zebra_core.project.reading.reading import assess_files, assess_words

    settings = _as_stated(meaning)
    allow = (*allow, *((Decision.LIKELIHOOD_RATIOS.value,) if meaning == _RATIOS else ()))
    with progress_bar(say("cli.assessing", file=source.name)) as progress:
        if words.transcripts and key is not None and words.speakers is not None:
            return assess_words(
                words.transcripts,
                key,
                words.speakers,
                name=label,
                settings=settings,
                allow=allow,
                choices=choices,
                on_progress=progress,
            )
        return assess_files(
            source, key, name=label, settings=settings, allow=allow, choices=choices, on_progress=progress
        )


def _tell(remarks: Sequence[Remark]) -> None:
    """Every remark, and the option that does what one of them asks for."""
    from zebra_core.metrics.assessment import REVERSED_DISCLOSES_MORE

    for remark in remarks:
        click.echo(f"zebra: {remark}", err=True)
        if remark.code == REVERSED_DISCLOSES_MORE:
            click.echo(f"zebra: {say('cli.read-reversed')}", err=True)


def _as_stated(meaning: str | None) -> Settings:
    """The settings for what the scores were stated to be; logarithms of likelihood ratios are natural."""
    from zebra_core.metrics.assessment import ScoreMeaning, Settings

    return Settings(score_meaning=ScoreMeaning({None: "raw", _RATIOS: "natural-llr"}.get(meaning, meaning)))


def _yardstick(
    scores: Path | None, key: Path | None, allow: Sequence[str], choices: Choices
) -> tuple[Entry, ...]:
    """The assessment of unprotected speech, which shows that the recogniser works, where it is given."""
    from zebra_core.project.items import Condition
    from zebra_core.project.reading.reading import assess_files

    if scores is None:
        if key is not None:
            raise click.UsageError(say("cli.unprotected-alone"))
        return ()
    with progress_bar(say("cli.assessing", file=scores.name)) as progress:
        entry = assess_files(
            scores, key, name=say("name.unprotected"), allow=allow, choices=choices, on_progress=progress
        )
    return (replace(entry, condition=Condition.OO),)


def _people(
    entry: Entry,
    trials: Trials | SpeakerCounts | None,
    file: str,
    among: int | None,
    replicates: int | None,
    seed: int,
) -> tuple[dict[str, object] | None, dict[str, object] | None, list[str]]:
    """How well people are linked and who is most exposed, as JSON or None, and what is to be told."""
    from zebra_core.project.comparison.people import reidentification_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings

    settings = BootstrapSettings(replicates, seed=seed) if replicates else None
    exposed = None
    try:
        trials = _weighed(entry, True) if trials is None else trials
        exposed = _most_exposed(entry, trials)
        with progress_bar(say("cli.people", file=file)) as progress:
            found = reidentification_of(
                entry,
                settings,
                trials=trials,
                people=among,
                quick=settings is None,
                on_progress=progress,
            )
    except ZebraError as error:
        click.echo(f"zebra: {error}", err=True)
        return None, exposed, [str(error)]
    for remark in found.remarks:
        click.echo(f"zebra: {remark}", err=True)
    return found.as_json(), exposed, [str(remark) for remark in found.remarks]


def _most_exposed(entry: Entry, trials: Trials | SpeakerCounts) -> dict[str, object] | None:
    """Who is most exposed, as JSON; None where nobody knows who speaks, which is told beside linking."""
    from zebra_core.project.reading.speaker_study import named_trials_of
    from zebra_core.speakers.study import SpeakerStudy

    try:
        found = SpeakerStudy.of(named_trials_of(entry, trials=trials)).disclosures
    except ZebraError:
        return None
    return found.most_exposed.as_json() if len(found) else None


def _weighed(entry: Entry, with_ranks: bool) -> Trials | SpeakerCounts:
    """The trials, or counts of them for each pair of speakers, read once for all that is asked."""
    from zebra_core.project.reading.reading import counts_of, is_counted, trials_of

    _tell_size(entry)
    return counts_of(entry, with_ranks=with_ranks) if is_counted(entry) else trials_of(entry)


def _trust(
    entry: Entry, trials: Trials | SpeakerCounts, file: str, replicates: int, seed: int
) -> AssessmentTrust:
    """Intervals and the line of no disclosure; Ctrl-C stops them with what there is."""
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.uncertainty.trust import trust_of

    settings = BootstrapSettings(replicates, seed=seed)
    with progress_bar(say("cli.measuring", file=file)) as progress, stoppable(progress) as watched:
        return trust_of(trials, entry.assessment, settings, on_progress=watched)


def _tell_size(entry: Entry) -> None:
    """Say what counting for each pair of speakers takes, before it begins."""
    from zebra_core.evidence.speaker_counts import most_bytes
    from zebra_core.project.reading.reading import is_counted_here

    if is_counted_here(entry):
        size = written(most_bytes(entry.n_trials) / 1e9, ".1f")
        click.echo(say("cli.counting-by-speakers", count=entry.n_trials, size=size), err=True)


def _save_figures(entry: Entry, label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool) -> None:
    from zebra_core.figures.ece import ece_figure

    save_picture(lambda: ece_figure([entry]), label, kinds, folder, overwrite=overwrite)
