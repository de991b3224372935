"""`zebra assess`: the figures of one score file with its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zebra_core.errors import ZebraError
from zebra_core.evidence.audit import ALSO, Decision
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.wording.texts import say, visible, written
from zebra_gui.commands import showing
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    AttributeResults,
    Draws,
    LabelFiles,
    allow_option,
    among_option,
    asked,
    attack_options,
    by_option,
    choices_of,
    drawing_options,
    gathered,
    group_lines,
    groups_of_one,
    infer,
    json_option,
    label_options,
    labels_in,
    options_of,
    overwrite_option,
    pictures_option,
    prior_option,
    read_option,
    save_picture,
    sessions_option,
    speakers_option,
    unpack_option,
)
from zebra_gui.commands.requiring import (
    RequirementFiles,
    end_by,
    judged,
    require_options,
    requiring,
    verdict_lines,
    with_what_it_takes,
)
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar, stoppable
from zebra_gui.jobs.leaving import leave

if TYPE_CHECKING:
    from zebra_core.evidence.audit import Remark
    from zebra_core.evidence.speaker_names import Sessions
    from zebra_core.evidence.speaker_trials import SpeakerCounts
    from zebra_core.evidence.trials import Trials
    from zebra_core.figures.figure import Figure
    from zebra_core.intake.planned import Choices
    from zebra_core.metrics.assessment import Settings
    from zebra_core.project.attackers import AttackWords
    from zebra_core.project.items import Entry
    from zebra_core.project.project import Project
    from zebra_core.uncertainty.trust import AssessmentTrust


# Transcripts in place of scores: the options of `zebra assess` for what is compared by words.


_SIDES = 2


@dataclass(frozen=True)
class SpokenWords:
    """Transcripts that are assessed in place of scores, and who speaks in them."""

    transcripts: Sequence[Path] = ()
    speakers: Path | SpeakerRule | None = None

    @property
    def known(self) -> Speakers | None:
        """Who speaks. Raises InputError for a file that does not say it."""
        from zebra_core.intake.drop import read_speaker_map

        return read_speaker_map(self.speakers) if isinstance(self.speakers, Path) else self.speakers

    def refuse_unless_fitting(self, scores: Path | None, key: Path | None) -> Path:
        """The file that is assessed. Raises UsageError where options do not go together."""
        if (scores is None) == (not self.transcripts):
            raise click.UsageError(say("cli.scores-or-transcripts"))
        if scores is not None:
            return scores
        if len(self.transcripts) > _SIDES or key is None or self.speakers is None:
            raise click.UsageError(say("cli.transcripts-need"))
        return self.transcripts[-1]


words_options = gathered(
    "words",
    SpokenWords,
    click.option(
        "--transcripts",
        "transcripts",
        multiple=True,
        type=INPUT,
        metavar="FILE",
        help=say("cli.assess-transcripts"),
    ),
    speakers_option("cli.assess-speakers"),
)
"""What is said, and who says it."""


_RATIOS = "lr"
DECISIONS = (*(decision.value for decision in Decision), *ALSO)


@dataclass(frozen=True)
class AssessOptions:
    """What `zebra assess` was told, in the order of its help."""

    scores: Path | None = asked("-s", "--scores", type=INPUT, help=say("cli.scores"))
    key: Path | None = asked("-k", "--key", type=INPUT, help=say("cli.key"))
    words: SpokenWords = asked(words_options)
    allow: Sequence[str] = asked(allow_option(DECISIONS))
    readings: Sequence[str] = asked(read_option)
    label: str = asked("-l", default=say("cli.default-label"), show_default=True, help=say("cli.label"))
    show: bool = asked("-p", is_flag=True, help=say("cli.show"))
    kinds: Sequence[str] = asked(pictures_option("cli.kinds"))
    out: Path = asked("-o", default=Path(), type=PATH, help=say("cli.out"))
    overwrite: bool = asked(overwrite_option)
    draws: Draws = asked(drawing_options("cli.bootstrap"))
    normalise: bool = asked("--normalise", is_flag=True, help=say("cli.normalise"))
    meaning: str | None = asked(
        "--scores-are", type=click.Choice(("natural-llr", "log10-lr", _RATIOS)), help=say("cli.scores-are")
    )
    stream: bool | None = asked("--stream/--no-stream", default=None, help=say("cli.stream"))
    people: int | None = asked(among_option)
    sessions: Sessions | None = asked(sessions_option)
    one_in: int | None = asked(prior_option)
    attack: AttackWords = asked(attack_options)
    labelled: LabelFiles = asked(label_options)
    by: Sequence[str] = asked(by_option)
    required: RequirementFiles = asked(require_options)
    unprotected: Path | None = asked("--unprotected", type=INPUT, help=say("cli.unprotected"))
    unprotected_key: Path | None = asked("--unprotected-key", type=INPUT, help=say("cli.unprotected-key"))
    unpack: bool = asked(unpack_option)
    as_json: bool = asked(json_option("cli.assess-json"))

    @property
    def choices(self) -> Choices:
        """How to read which file."""
        who = self.words.speakers
        return choices_of(self.readings, speakers=who, stream=self.stream, unpack=self.unpack)

    @property
    def speakers_are_idle(self) -> bool:
        """Whether nothing that was asked for takes who speaks: scores with a key say it by themselves."""
        asks = self.key is None or self.words.transcripts or self.draws.settings or self.labelled.attributes
        return self.words.speakers is not None and not asks

    @property
    def file(self) -> str:
        """What is assessed, by its name."""
        return self.words.refuse_unless_fitting(self.scores, self.key).name


@click.command(help=say("cli.assess"))
@options_of("given", AssessOptions)
@one_sentence
def assess(given: AssessOptions) -> None:
    """Assess one score file with its key, which may be inside."""
    from zebra_core.uncertainty.trust import assessment_as_json

    given.labelled.refuse_alone()
    project = _project(given)
    asked_of, entry = requiring(project, given.required), project.entries[0]
    trials = _weighed(entry, given.as_json) if given.draws.settings else None
    trust = _trust(entry, trials, given) if trials is not None else None
    if given.required.require:
        asked_of = asked_of.with_trust({entry.id: trust} if trust else {})
    asked_of = with_what_it_takes(asked_of, given.required, given.draws)
    verdicts = judged(asked_of, given.required, overwrite=given.overwrite)
    inferred = infer(entry, given.labelled, given.words.known, given.draws)
    grouped = (
        groups_of_one(entry, given.by, labels_in(given.labelled.attributes), given.draws) if given.by else ()
    )
    remarks = [*entry.assessment.remarks, *(trust.remarks if trust else ())]
    _tell(remarks)
    if given.speakers_are_idle:
        click.echo(f"zebra: {say('cli.speakers-idle')}", err=True)
    if given.as_json:
        people, people_remarks = _people(entry, trials, given)
        told = [*map(str, remarks), *people_remarks, *inferred.remarks]
        found = assessment_as_json(given.label, entry.assessment, trust) | entry.attacked_by | people
        found |= {"inference": inferred.as_json, "uniqueness": inferred.uniqueness, "remarks": told}
        found |= trust.as_json() if trust else {}
        found |= {"verdicts": [each.as_json() for each in verdicts]} if given.required.require else {}
        echo_json(found | ({"by_group": [each.as_json() for each in grouped]} if given.by else {}))
    else:
        _print(entry, trust, inferred, given.label)
        if given.by:
            click.echo(f"\n{group_lines([entry], {entry.id: grouped})}")
        if given.required.require:
            click.echo(f"\n{verdict_lines(verdicts)}")
    save_picture(lambda: _ece_of(entry), given.label, given.kinds, given.out, overwrite=given.overwrite)
    if given.show:
        leave(showing.open_window(project=asked_of))
    end_by(verdicts)


def _project(given: AssessOptions) -> Project:
    """What is assessed, and unprotected speech after it, with all that was said of them."""
    from zebra_core.project.project import Project

    project = given.attack.said_in(Project().with_items(_assessed(given), *_yardstick(given)))
    project = project.among(given.people) if given.people else project
    project = project if given.sessions is None else project.in_sessions(given.sessions)
    project = project.at_prior(given.one_in) if given.one_in else project
    return given.labelled.joined(project) if given.required.require else project


def _print(entry: Entry, trust: AssessmentTrust | None, inferred: AttributeResults, label: str) -> None:
    from zebra_core.project.items import says_nothing_in_words
    from zebra_core.report.tables import zebra_lines

    for nothing in filter(None, [says_nothing_in_words(replace(entry, measured=trust))]):
        click.echo(nothing)
    click.echo(zebra_lines(visible(label, 300), entry.assessment))
    for each in (*((trust.lines(),) if trust else ()), *inferred.sentences):
        click.echo(f"\n{each}")


def _assessed(given: AssessOptions) -> Entry:
    """The assessment of scores, or of what transcripts say."""
    from zebra_core.project.reading.reading import assess_files, assess_words

    words, key = given.words, given.key
    source = words.refuse_unless_fitting(given.scores, key)
    settings = _as_stated(given.meaning)
    allow = (*given.allow, *((Decision.LIKELIHOOD_RATIOS.value,) if given.meaning == _RATIOS else ()))
    with progress_bar(say("cli.assessing", file=source.name)) as progress:
        how: dict[str, Any] = {
            "name": given.label,
            "settings": settings,
            "allow": allow,
            "choices": given.choices,
        }
        if words.transcripts and key is not None and words.speakers is not None:
            return assess_words(words.transcripts, key, words.speakers, on_progress=progress, **how)
        return assess_files(source, key, on_progress=progress, **how)


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


def _yardstick(given: AssessOptions) -> tuple[Entry, ...]:
    """The assessment of unprotected speech, which shows that the recogniser works, where it is given."""
    from zebra_core.project.items import Condition
    from zebra_core.project.reading.reading import assess_files

    scores, key = given.unprotected, given.unprotected_key
    if scores is None:
        if key is not None:
            raise click.UsageError(say("cli.unprotected-alone"))
        return ()
    how: dict[str, Any] = {"name": say("name.unprotected"), "allow": given.allow, "choices": given.choices}
    with progress_bar(say("cli.assessing", file=scores.name)) as progress:
        entry = assess_files(scores, key, on_progress=progress, **how)
    return (replace(entry, condition=Condition.OO),)


def _people(
    entry: Entry, trials: Trials | SpeakerCounts | None, given: AssessOptions
) -> tuple[dict[str, object], list[str]]:
    """How well people are linked and who is most exposed, as JSON or None, and what is to be told."""
    from zebra_core.project.comparison.linking import reidentification_of

    settings = given.draws.settings
    told: dict[str, object] = {"reidentification": None, "most_exposed": None}
    try:
        trials = _weighed(entry, True) if trials is None else trials
        told["most_exposed"] = _most_exposed(entry, trials)
        with progress_bar(say("cli.people", file=given.file)) as progress:
            found = reidentification_of(
                entry,
                settings,
                trials=trials,
                people=given.people,
                quick=settings is None,
                on_progress=progress,
            )
    except ZebraError as error:
        click.echo(f"zebra: {error}", err=True)
        return told, [str(error)]
    for remark in found.remarks:
        click.echo(f"zebra: {remark}", err=True)
    return told | {"reidentification": found.as_json()}, [str(remark) for remark in found.remarks]


def _most_exposed(entry: Entry, trials: Trials | SpeakerCounts) -> dict[str, object] | None:
    """Who is most exposed, as JSON; None where nobody knows who speaks, which is told beside linking."""
    from zebra_core.project.reading.reading import named_trials_of
    from zebra_core.speakers.study import SpeakerStudy

    try:
        named = named_trials_of(entry, trials=trials)
        exposed = SpeakerStudy.of(named, sessions=entry.sessions).most_exposed
    except ZebraError:
        return None
    return exposed.as_json() if exposed else None


def _weighed(entry: Entry, with_ranks: bool) -> Trials | SpeakerCounts:
    """The trials, or counts of them for each pair of speakers, read once; says before what counting takes."""
    from zebra_core.evidence.speaker_trials import most_bytes
    from zebra_core.project.reading.reading import counts_of, is_counted, is_counted_here, trials_of

    if is_counted_here(entry):
        size = written(most_bytes(entry.n_trials) / 1e9, ".1f")
        click.echo(say("cli.counting-by-speakers", count=entry.n_trials, size=size), err=True)
    return counts_of(entry, with_ranks=with_ranks) if is_counted(entry) else trials_of(entry)


def _trust(entry: Entry, trials: Trials | SpeakerCounts, given: AssessOptions) -> AssessmentTrust:
    """Intervals and the line of no disclosure; Ctrl-C stops them with what there is."""
    from zebra_core.uncertainty.trust import trust_of

    with progress_bar(say("cli.measuring", file=given.file)) as progress, stoppable(progress) as watched:
        settings, normalise = given.draws.settings, given.normalise
        how: dict[str, Any] = {"speakers": given.words.known, "normalise": normalise}
        return trust_of(trials, entry.assessment, settings, on_progress=watched, **how)


def _ece_of(entry: Entry) -> Figure:
    from zebra_core.figures.series import ece_figure

    return ece_figure([entry])
