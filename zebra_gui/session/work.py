"""What the session's jobs do. Imported by the first job, in its thread: SciPy and pandas come along."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.answers import Answers
from zebra_core.evidence.decisions import Decision
from zebra_core.intake.planned import Plan
from zebra_core.metrics import assessment
from zebra_core.metrics.adversary import AdversaryReport, attack
from zebra_core.metrics.assessment import Assessment, ScoreMeaning
from zebra_core.metrics.prior import prior_share
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project import reading
from zebra_core.project.arrival import Arrival, arrive, plan_with
from zebra_core.project.comparison import learnt_on_other_runs
from zebra_core.project.content_cache import KnownResults
from zebra_core.project.demo import demo_project
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.settling import Settling, settle
from zebra_core.project.speaker_study import SpeakerStudy, study_of
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.speakers.folds import CrossValidation, cross_validate
from zebra_core.speakers.zoo import ZooScale
from zebra_core.speakers.zoo_chance import Difference
from zebra_core.uncertainty.trust import Trust, trust_of
from zebra_core.uncertainty.voices_trust import VoicesTrust, voices_trust_of
from zebra_core.utility.listening import Question, Ratings, read_ratings
from zebra_core.utility.word_errors import WordErrors, read_transcripts, word_errors
from zebra_core.wording.texts import visible
from zebra_gui.jobs.jobs import Tell


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
    done = earlier.done if earlier else frozenset()
    return arrive(paths, answers, made=made, earlier=earlier, done=done, known=known, on_progress=on_progress)


def decide(entry: Entry, allow: Collection[Decision], on_progress: Progress) -> Entry:
    """The entry with other decisions."""
    return reading.read_again(entry, allow, on_progress)


def open_demo(on_progress: Progress) -> Project:
    """The demo project, assessed."""
    return demo_project(on_progress)


def judge_scores(
    entries: Sequence[Entry], meaning: ScoreMeaning, on_progress: Progress
) -> dict[str, Assessment]:
    """The assessments of entries whose scores are now said to be something else, by id."""
    found = {}
    for number, entry in enumerate(entries):
        settings = replace(entry.assessment.settings, score_meaning=meaning)
        part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
        found[entry.id] = assessment.reassess(entry.assessment, settings, part)
    return found


def learn_and_judge(train: Entry, test: Entry, one_in: int, on_progress: Progress) -> AdversaryReport:
    """What calibration learnt on one entry, with its classes weighted to a prior, is worth on another."""
    on_progress(0.1)
    priors = test.assessment.profile.prior_log_odds
    return attack(train.assessment.counts, test.assessment.counts, priors, prior_share(one_in))


def learn_on_other_speakers(entry: Entry, one_in: int, on_progress: Progress) -> CrossValidation:
    """The same within one entry, learnt on some speakers and judged on others."""
    priors = entry.assessment.profile.prior_log_odds
    trials = reading.trials_of(entry, part_of(on_progress, 0.1, 0.5))
    part = part_of(on_progress, 0.5, 1.0)
    return cross_validate(trials, priors, prior=prior_share(one_in), on_progress=part)


def learn_on_runs(entries: Sequence[Entry], on_progress: Progress) -> dict[str, float]:
    """C_ECE in bits, by id, of every entry of which there is another run."""
    return learnt_on_other_runs(entries, on_progress)


def count_word_errors(reference: Path, hypothesis: Path, on_progress: Progress) -> WordErrors:
    """The word errors of a file of transcripts against another."""
    said, heard = read_transcripts(reference), read_transcripts(hypothesis)
    return word_errors(said, heard, on_progress)


def read_listening(path: Path, question: Question, on_progress: Progress) -> Ratings:
    """What listeners answered."""
    on_progress(0.1)
    return read_ratings(path, question)


@dataclass(frozen=True, eq=False)
class Measured:
    """How sure items are, by their ids, and a sentence for each of which that cannot be said."""

    found: Mapping[str, Trust | VoicesTrust]
    faults: tuple[str, ...] = ()


def how_sure(items: Sequence[Item], on_progress: Progress, tell: Tell) -> Measured:
    """Intervals and what no disclosure would show, for each item; stopped, those that there are.

    Tells of the assessment under way, as an entry with the intervals so far.
    """
    found: dict[str, Trust | VoicesTrust] = {}
    faults = []
    try:
        for number, item in enumerate(items):
            part = part_of(on_progress, number / len(items), (number + 1) / len(items))
            try:
                found[item.id] = _how_sure(item, part, tell)
            except InputError as error:
                faults.append(str(error) if len(items) == 1 else f"{visible(item.full_name)}: {error}")
    except Cancelled:
        if not found:
            raise
    return Measured(found, tuple(faults))


def _how_sure(item: Item, on_progress: Progress, tell: Tell) -> Trust | VoicesTrust:
    reading_part, drawing = part_of(on_progress, 0.0, 0.1), part_of(on_progress, 0.1, 1.0)
    if isinstance(item, SimilarityEntry):
        trials = reading.voice_trials_of(item, reading_part)
        return voices_trust_of(item.similarity, trials, on_progress=drawing)
    assert isinstance(item, Entry)  # noqa: S101 - there are no other items
    entry = item
    return trust_of(
        reading.trials_of(entry, reading_part),
        entry.assessment,
        on_progress=drawing,
        on_draws=lambda so_far: tell(replace(entry, measured=so_far)),
    )


def settle_differences(project: Project, on_progress: Progress) -> Settling:
    """Which ranks of the project are settled; stopped, what there is."""
    return settle(project, reading.trials_of, on_progress=on_progress, read_voices=reading.voice_trials_of)


def study(item: Item, setting: str | None, scale: TagScale | None, on_progress: Progress) -> SpeakerStudy:
    """What is said speaker by speaker about an item."""
    return study_of(item, setting, tag_scale=scale or PAPER_SCALE, on_progress=on_progress)


def test_zoo(study: SpeakerStudy, scale: ZooScale, on_progress: Progress) -> tuple[Difference, ...]:
    """Whether speakers differ from each other by more than chance."""
    return study.differences(scale, on_progress)
