"""What the session's jobs do; imported when the first of them begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from zebra_core.evidence.audit import Answers
from zebra_core.intake.planned import Plan
from zebra_core.intake.transcript_files import TranscriptSide, how_read, read_whole_set
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, reassess
from zebra_core.metrics.learnt_calibration import LearntCalibration, attack
from zebra_core.metrics.prior import prior_share
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.comparison.comparison import learnt_on_other_runs as learnt_on_other_runs
from zebra_core.project.comparison.difference_tests import MeasuredItems, SettledGroups, measure, settle
from zebra_core.project.comparison.spans import robustness_lines
from zebra_core.project.comparison.studies import STUDIES, StudyQuestion
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.conclusion.overall import ProjectAnswer
from zebra_core.project.demo import demo_project as demo_project
from zebra_core.project.gathering.gathering import designs_of
from zebra_core.project.gathering.robustness import with_robustness as with_robustness
from zebra_core.project.items import Entry, Item
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import Arrival, arrive, plan_with
from zebra_core.project.reading.content_cache import KnownResults
from zebra_core.project.reading.late_attributes import join as join
from zebra_core.project.reading.reading import (
    read_again as read_again,
    study_of,
    trials_of,
    voice_trials_of,
    weighable_of,
)
from zebra_core.project.reading.utility_study import (
    SpeakerSource,
    read_emotions as emotions_in,
    speakers_beside,
)
from zebra_core.project.requirements.reach import reach_in_words
from zebra_core.project.requirements.ready import ready_requirements
from zebra_core.project.requirements.requirement import (
    Requirement,
    former_figures,
    read_requirements as read,
    refuse_idle,
)
from zebra_core.project.since import changes
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.measuring import lacks_bounds, with_bounds as with_bounds
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.baselines import held_against as held_against
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.speakers.study import CrossValidation, SpeakerStudy, cross_validate
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import DEALS
from zebra_core.utility.emotions import Emotions, emotions
from zebra_core.utility.listening import RatingQuestion, Ratings, read_ratings
from zebra_core.utility.word_errors import WordErrors, word_errors
from zebra_gui.jobs.jobs import Watch


def changed_in_words(project: Project) -> str:
    """What has changed since the baseline of a project, in a sentence."""
    found = changes(project, verdicts(project))
    return found.front if found else ""


def sort_out(paths: Sequence[Path], answers: Answers | None, on_progress: Progress) -> Plan:
    """What these files come to together."""
    return plan_with(paths, answers or Answers(), on_progress)


def try_out(
    paths: Sequence[Path],
    answers: Answers | None,
    made: Plan | None,
    earlier: Arrival | None,
    known: KnownResults,
    on_progress: Progress,
) -> Arrival:
    """Read, audit and assess what the files come to; one bad file does not lose the others."""
    done = earlier.already_there if earlier else frozenset()
    return arrive(paths, answers, made=made, earlier=earlier, done=done, known=known, on_progress=on_progress)


def judge_scores(
    entries: Sequence[Entry], meaning: ScoreMeaning, on_progress: Progress
) -> dict[str, Assessment]:
    """The assessments of entries whose scores are now said to be something else, by id."""
    found = {}
    for number, entry in enumerate(entries):
        settings = replace(entry.assessment.settings, score_meaning=meaning)
        part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
        found[entry.id] = reassess(entry.assessment, settings, part)
    return found


def learn_and_judge(train: Entry, test: Entry, one_in: int, on_progress: Progress) -> LearntCalibration:
    """What calibration learnt on one entry, with its classes weighted to a prior, is worth on another."""
    on_progress(0.1)
    priors = test.assessment.profile.prior_log_odds
    return attack(train.assessment.counts, test.assessment.counts, priors, prior_share(one_in))


def learn_on_other_speakers(entry: Entry, one_in: int, on_progress: Progress) -> CrossValidation:
    """The worth of calibration learnt on some speakers of an entry and judged on the others."""
    priors = entry.assessment.profile.prior_log_odds
    trials = trials_of(entry, part_of(on_progress, 0.1, 0.5))
    part = part_of(on_progress, 0.5, 1.0)
    return cross_validate(trials, priors, prior=prior_share(one_in), on_progress=part)


def count_word_errors(reference: Path, hypothesis: Path, on_progress: Progress) -> WordErrors:
    """The word errors of a file of transcripts against another."""
    said, heard = (
        read_whole_set(reference, TranscriptSide.REFERENCE),
        read_whole_set(hypothesis, TranscriptSide.HYPOTHESIS),
    )
    found = word_errors(said, heard, on_progress, _spoken(reference, said))
    return replace(found, remarks=(how_read(reference), how_read(hypothesis), *found.remarks))


def read_emotions(labels: Path, predictions: Path, on_progress: Progress) -> Emotions:
    """What a recogniser told of the emotions of recordings."""
    on_progress(0.1)
    said, guessed = emotions_in(labels), emotions_in(predictions)
    return emotions(said, guessed, _spoken(labels, said))


def _spoken(beside: Path, names: Iterable[str]) -> dict[str, str]:
    """Who speaks, where a map lies beside a file."""
    who = SpeakerSource(speakers_beside(beside))
    return {name: speaker for name in names if (speaker := who.of(name))}


def read_listening(path: Path, question: RatingQuestion, on_progress: Progress) -> Ratings:
    """What listeners answered."""
    on_progress(0.1)
    return read_ratings(path, question)


def measure_trust(items: Sequence[Item], watch: Watch) -> MeasuredItems:
    """Intervals and what no disclosure would show, for each item; stopped, those that there are.

    Tells of the assessment under way, as an entry with the intervals so far.
    """
    return measure(
        items,
        weighable_of,
        on_progress=watch,
        read_voices=voice_trials_of,
        deals=None,
        on_draws=watch.give_partial,
        give_way=watch.give_way,
    )


def settle_differences(project: Project, on_progress: Progress) -> SettledGroups:
    """Which ranks of the project are settled; stopped, what there is."""
    return settle(project, weighable_of, on_progress=on_progress, read_voices=voice_trials_of)


def study(item: Item, setting: str | None, scale: TagScale | None, on_progress: Progress) -> SpeakerStudy:
    """What is said speaker by speaker about an item."""
    return study_of(item, setting, tag_scale=scale or PAPER_SCALE, on_progress=on_progress)


def conclude(project: Project, watch: Watch) -> ProjectAnswer:
    """The answer; first tells what is known without looking at people."""
    watch.give_partial(ProjectAnswer.of(conclusions(project), project), is_last=True)
    return ProjectAnswer.of(conclusions(project, people_figures(project, watch)), project)


def find(study: str, entry: Entry, by: str, on_progress: Progress) -> object:
    """What a study finds of an assessment, with intervals and by chance; of groups, by this attribute."""
    asked = StudyQuestion(settings=BootstrapSettings(), by=by, deals=DEALS, dense=True)
    return STUDIES[study](entry, asked, on_progress)


def read_requirements(
    path: Path, project: Project | None, on_progress: Progress
) -> tuple[tuple[Requirement, ...], dict[str, str]]:
    """The requirements of a file, and the figures that it calls as they were called before.

    Where there are assessments, each must be about some of them.
    """
    on_progress(0.1)
    scale, people = (project.tag_scale, project.report.people) if project else (PAPER_SCALE, None)
    found = read(path, scale, people)
    if project is not None and project.items:
        refuse_idle(path, found, project.items)
    return found, former_figures(path)


def take_ready(name: str, project: Project, on_progress: Progress) -> tuple[Requirement, ...]:
    """The requirements of a file that comes along, among as many people as the context states."""
    on_progress(0.1)
    return ready_requirements(name, project.tag_scale, project.report.people)


def what_it_takes(asked: Requirement, on_progress: Progress) -> str:
    """How many recordings of how many people a requirement takes, in a sentence; empty where nobody knows."""
    on_progress(0.1)
    return reach_in_words(asked)


def decide_requirements(project: Project, on_progress: Progress) -> tuple[tuple[Verdict, ...], bool]:
    """What comes of the requirements of a project, from the intervals it has; whether more are needed."""
    on_progress(0.1)
    asked = project.requirements
    return verdicts(project), lacks_bounds(project, asked)


def check_list(project: Project, on_progress: Progress) -> tuple[str, ...]:
    """Whether the assessment is to be trusted: a line for each check, and what leaving out speakers did."""
    designs = designs_of(project, on_progress)
    checks = [f"{line.outcome.sign}  {line.in_words}" for line in checklist(project, designs=designs)]
    return (*checks, *(f"•  {line}" for line in robustness_lines(project)))
