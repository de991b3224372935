"""What the session's jobs do. Each imports in its thread what it needs: SciPy and pandas come along."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from zebra_core.evidence.audit import Decision
from zebra_core.runtime.progress import Progress, part_of
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Watch


def sort_out(paths: Sequence[Path], answers: core.Answers | None, on_progress: Progress) -> core.Plan:
    """What these files come to together."""
    from zebra_core.evidence.answers import Answers
    from zebra_core.project.arrival import plan_with

    return plan_with(paths, answers or Answers(), on_progress)


def try_out(
    paths: Sequence[Path],
    answers: core.Answers | None,
    made: core.Plan | None,
    earlier: core.Arrival | None,
    known: core.KnownResults,
    on_progress: Progress,
) -> core.Arrival:
    """Read, audit and assess what the files come to; one bad file does not lose the others."""
    from zebra_core.project.arrival import arrive

    done = earlier.already_there if earlier else frozenset()
    return arrive(paths, answers, made=made, earlier=earlier, done=done, known=known, on_progress=on_progress)


def join(entries: Sequence[core.Entry], paths: Sequence[Path], on_progress: Progress) -> core.JoinedFiles:
    """Which assessments attributes and predictions belong to that came after the scores."""
    from zebra_core.project.late_attributes import join as joined

    return joined(entries, paths, on_progress)


def decide(entry: core.Entry, allow: Collection[Decision], on_progress: Progress) -> core.Entry:
    """The entry with other decisions."""
    from zebra_core.project.reading import read_again

    return read_again(entry, allow, on_progress)


def open_demo(on_progress: Progress) -> core.Project:
    """The demo project, assessed."""
    from zebra_core.project.demo import demo_project

    return demo_project(on_progress)


def judge_scores(
    entries: Sequence[core.Entry], meaning: core.ScoreMeaning, on_progress: Progress
) -> dict[str, core.Assessment]:
    """The assessments of entries whose scores are now said to be something else, by id."""
    from zebra_core.metrics.assessment import reassess

    found = {}
    for number, entry in enumerate(entries):
        settings = replace(entry.assessment.settings, score_meaning=meaning)
        part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
        found[entry.id] = reassess(entry.assessment, settings, part)
    return found


def learn_and_judge(
    train: core.Entry, test: core.Entry, one_in: int, on_progress: Progress
) -> core.LearntCalibration:
    """What calibration learnt on one entry, with its classes weighted to a prior, is worth on another."""
    from zebra_core.metrics.learnt_calibration import attack
    from zebra_core.metrics.prior import prior_share

    on_progress(0.1)
    priors = test.assessment.profile.prior_log_odds
    return attack(train.assessment.counts, test.assessment.counts, priors, prior_share(one_in))


def learn_on_other_speakers(entry: core.Entry, one_in: int, on_progress: Progress) -> core.CrossValidation:
    """The worth of calibration learnt on some speakers of an entry and judged on the others."""
    from zebra_core.metrics.prior import prior_share
    from zebra_core.project.reading import trials_of
    from zebra_core.speakers.folds import cross_validate

    priors = entry.assessment.profile.prior_log_odds
    trials = trials_of(entry, part_of(on_progress, 0.1, 0.5))
    part = part_of(on_progress, 0.5, 1.0)
    return cross_validate(trials, priors, prior=prior_share(one_in), on_progress=part)


def learn_on_runs(entries: Sequence[core.Entry], on_progress: Progress) -> dict[str, float]:
    """C_ECE in bits, by id, of every entry of which there is another run."""
    from zebra_core.project.comparison import learnt_on_other_runs

    return learnt_on_other_runs(entries, on_progress)


def count_word_errors(reference: Path, hypothesis: Path, on_progress: Progress) -> core.WordErrors:
    """The word errors of a file of transcripts against another."""
    from zebra_core.intake.transcript_files import TranscriptSide, how_read, read_whole_set
    from zebra_core.utility.word_errors import word_errors

    said, heard = (
        read_whole_set(reference, TranscriptSide.REFERENCE),
        read_whole_set(hypothesis, TranscriptSide.HYPOTHESIS),
    )
    found = word_errors(said, heard, on_progress)
    return replace(found, remarks=(how_read(reference), how_read(hypothesis), *found.remarks))


def read_listening(path: Path, question: core.RatingQuestion, on_progress: Progress) -> core.Ratings:
    """What listeners answered."""
    from zebra_core.utility.listening import read_ratings

    on_progress(0.1)
    return read_ratings(path, question)


def measure_trust(items: Sequence[core.Item], watch: Watch) -> core.MeasuredItems:
    """Intervals and what no disclosure would show, for each item; stopped, those that there are.

    Tells of the assessment under way, as an entry with the intervals so far.
    """
    from zebra_core.project.intervals import measure
    from zebra_core.project.reading import voice_trials_of, weighable_of

    return measure(
        items,
        weighable_of,
        on_progress=watch,
        read_voices=voice_trials_of,
        deals=None,
        on_draws=watch.give_partial,
        give_way=watch.give_way,
    )


def settle_differences(project: core.Project, on_progress: Progress) -> core.SettledGroups:
    """Which ranks of the project are settled; stopped, what there is."""
    from zebra_core.project.difference_tests import settle
    from zebra_core.project.reading import voice_trials_of, weighable_of

    return settle(project, weighable_of, on_progress=on_progress, read_voices=voice_trials_of)


def study(
    item: core.Item, setting: str | None, scale: core.TagScale | None, on_progress: Progress
) -> core.SpeakerStudy:
    """What is said speaker by speaker about an item."""
    from zebra_core.metrics.scales import PAPER_SCALE
    from zebra_core.project.speaker_study import study_of

    return study_of(item, setting, tag_scale=scale or PAPER_SCALE, on_progress=on_progress)


def people(entry: core.Entry, on_progress: Progress) -> core.Reidentification:
    """How well people are linked and singled out, with intervals and by chance, for all numbers of people."""
    from zebra_core.project.people import reidentification_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.uncertainty.reidentification import DEALS

    settings = entry.trust.uncertainty.settings if entry.trust else BootstrapSettings()
    return reidentification_of(entry, settings, deals=DEALS, dense=True, on_progress=on_progress)


def inference(entry: core.Entry, on_progress: Progress) -> tuple[core.NamedAttribute, ...]:
    """What is told of attributes of the speakers of an assessment, with their names."""
    from zebra_core.project import attributes
    from zebra_core.project.inference import inference_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings

    settings = entry.trust.uncertainty.settings if entry.trust else BootstrapSettings()
    return attributes.named(entry, inference_of(entry, settings, on_progress=on_progress))


def test_zoo(
    study: core.SpeakerStudy, scale: core.ZooScale, on_progress: Progress
) -> tuple[core.SpeakerDifference, ...]:
    """Whether speakers differ from each other by more than chance."""
    return study.differences(scale, on_progress)


def read_requirements(
    path: Path, project: core.Project | None, on_progress: Progress
) -> tuple[core.Requirement, ...]:
    """The requirements of a file; where there are assessments, each must be about some of them."""
    from zebra_core.metrics.scales import PAPER_SCALE
    from zebra_core.project.requirements.file import read_requirements as read
    from zebra_core.project.requirements.file import refuse_idle

    on_progress(0.1)
    found = read(path, project.tag_scale if project else PAPER_SCALE)
    if project is not None and project.items:
        refuse_idle(path, found, project.items)
    return found


def decide_requirements(
    project: core.Project, on_progress: Progress
) -> tuple[tuple[core.Verdict, ...], bool]:
    """What comes of the requirements of a project, from the intervals it has; whether more are needed."""
    from zebra_core.project.verdicts.deciding import verdicts
    from zebra_core.project.verdicts.measuring import lacks_bounds

    on_progress(0.1)
    asked = project.requirements
    return verdicts(project), lacks_bounds(project, asked)


def bounds_of(project: core.Project, on_progress: Progress) -> tuple[core.Project, tuple[str, ...]]:
    """The project with the intervals and differences that its verdicts need."""
    from zebra_core.project.verdicts.measuring import with_bounds

    return with_bounds(project, project.requirements, None, on_progress)


def check_list(project: core.Project, on_progress: Progress) -> tuple[str, ...]:
    """Whether the assessment is to be trusted: a line for each check, and what leaving out speakers did."""
    from zebra_core.project.checks.checklist import checklist
    from zebra_core.project.spans import robustness_lines

    on_progress(0.1)
    checks = [f"{line.outcome.sign}  {line.in_words}" for line in checklist(project)]
    return (*checks, *(f"•  {line}" for line in robustness_lines(project)))


def leave_out_speakers(project: core.Project, on_progress: Progress) -> tuple[core.Project, tuple[str, ...]]:
    """The project with how far its headline figures move when speakers are left out."""
    from zebra_core.project.robustness import with_robustness

    return with_robustness(project, on_progress)
