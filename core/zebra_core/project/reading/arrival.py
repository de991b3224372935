"""Files on their way into a project: what they give with the answers so far, and what is still open."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import ZebraError
from zebra_core.evidence.audit import Answers, Decision, Remark, Severity
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.formats.attributes import pairs_of
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import (
    Choices,
    FoundFile,
    Plan,
    Planned,
    PlannedAssessment,
    PlannedSimilarity,
    Question,
    Topic,
    unpacking_answer,
    unpacking_question,
)
from zebra_core.intake.sorting.naming import without_common_folders
from zebra_core.intake.sorting.plan import plan, rows_of
from zebra_core.intake.sorting.sorter import KeyTables
from zebra_core.intake.tables.columns import read_text
from zebra_core.intake.transcript_files import Transcripts, transcripts_in
from zebra_core.project.attackers import AttackWords
from zebra_core.project.items import Entry, Item, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.reading.content_cache import KnownResults
from zebra_core.project.reading.reading import (
    Attempt,
    speakers_of_recordings,
    try_planned,
    try_planned_similarity,
)
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.utility.emotions import Emotions, emotions
from zebra_core.utility.word_errors import WordErrors, word_errors
from zebra_core.wording.spoken import normalised
from zebra_core.wording.texts import say

# Word errors and emotions that nobody asked for: of what lies beside the scores and keys of a drop.
#
# What was said lies beside the key (`data/libri_test_trials_f/text`); what a recogniser of speech understood
# lies beside the scores. A copy of the reference beside the scores is no hypothesis: evaluations copy it
# there.


LABELS = "utt2emo"
"""What the VoicePrivacy evaluations call the emotion of each recording."""
UTT2SPK = "utt2spk"


@dataclass(frozen=True)
class CountedWords:
    """The word errors of some speech, what is told of its emotions, and what is to be said of both."""

    of: Mapping[SpeechKey, WordErrors] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    told: Mapping[SpeechKey, Emotions] = field(default_factory=dict)  # of emotions that came along

    @property
    def speeches(self) -> set[SpeechKey]:
        """All speech of which something is known."""
        return {*self.of, *self.told}


@dataclass
class _TranscriptReader:
    """Each transcript, read once."""

    known: dict[Source, Transcripts] = field(default_factory=dict)

    def read(self, source: Source) -> Transcripts:
        if source not in self.known:
            self.known[source] = transcripts_in(open_source(source))
        return self.known[source]


def count_beside(
    transcripts: Sequence[Source],
    tried: Iterable[tuple[PlannedAssessment, Entry]],
    on_progress: Progress = no_progress,
) -> CountedWords:
    """Count wherever one hypothesis has one reference; what keeps others from being counted is told."""
    at = {source.folders[:-1]: source for source in transcripts}
    pairs: dict[SpeechKey, dict[tuple[Source, Source], None]] = {}
    entries: dict[SpeechKey, Entry] = {}
    for planned, entry in tried:
        heard = at.get(planned.scores.source.folders[:-1])
        said = at.get(planned.key.source.folders[:-1]) if planned.key else None
        if heard is not None and said is not None and heard != said:
            pairs.setdefault(entry.speech, {})[said, heard] = None
            entries[entry.speech] = entry
    found: dict[SpeechKey, WordErrors] = {}
    remarks: list[Remark] = []
    reader = _TranscriptReader()
    for number, (speech, candidates) in enumerate(pairs.items()):
        part = part_of(on_progress, number / len(pairs), (number + 1) / len(pairs))
        try:
            spoken = speakers_of_recordings(entries[speech])
            words = _count(reader, list(candidates), speech, spoken, remarks, part)
        except ZebraError as error:
            remarks.append(Remark("transcript-not-read", {"reason": str(error)}, Severity.WARNING))
            continue
        if words is not None:
            found[speech] = words
    on_progress(1.0)
    return CountedWords(found, tuple(remarks))


def _count(
    reader: _TranscriptReader,
    candidates: Sequence[tuple[Source, Source]],
    speech: SpeechKey,
    spoken: Mapping[str, str],
    remarks: list[Remark],
    on_progress: Progress,
) -> WordErrors | None:
    read = [(reader.read(said), reader.read(heard), heard) for said, heard in candidates]
    said, heard, source = read[0]
    if any((one, other) != (said, heard) for one, other, _ in read):
        remarks.append(Remark("transcripts-several", {"name": _name(speech)}, Severity.WARNING))
        return None
    if _is_copy(said, heard):
        remarks.append(Remark("transcript-copied", {"file": source.place}))
        return None
    words = word_errors(said, heard, on_progress, spoken)
    facts = {"name": _name(speech), "rate": f"{100.0 * words.rate:.2f} %", "count": words.reference_words}
    remarks.append(Remark("characters-counted" if words.of_characters else "transcripts-counted", facts))
    remarks += [remark for remark in words.remarks if remark.severity is Severity.WARNING]
    return words


def _is_copy(said: Transcripts, heard: Transcripts) -> bool:
    """Whether nothing differs in what both have: no recogniser understands every word."""
    common = [utterance for utterance in heard if utterance in said]
    return bool(common) and all(normalised(said[one]) == normalised(heard[one]) for one in common)


def _name(speech: SpeechKey) -> str:
    named = filter(None, (speech.safeguard, speech.run, speech.dataset))
    return ", ".join(named) if speech.safeguard else ", ".join((say("name.unprotected"), *named))


def tell_beside(sources: Sequence[Source], tried: Iterable[tuple[PlannedAssessment, Entry]]) -> CountedWords:
    """What recognisers told of emotions: labels lie beside a key, what was told of them beside scores.

    Where all lie in one folder labels are called `utt2emo`. What belongs to none, or to several, is told.
    """
    pairs: dict[tuple[Source, Source], dict[SpeechKey, Entry]] = {}
    for planned, entry in tried:
        for pair in _labels_and_guesses(sources, planned):
            pairs.setdefault(pair, {})[entry.speech] = entry
    found: dict[SpeechKey, Emotions] = {}
    remarks: list[Remark] = []
    for (labels, guesses), entries in pairs.items():
        (speech, entry), *others = entries.items()
        if others or speech in found:
            remarks.append(Remark("emotions-several", {"file": guesses.place}, Severity.WARNING))
            continue
        try:
            found[speech] = _compared_emotions(labels, guesses, entry, remarks)
        except ZebraError as error:
            remarks.append(Remark("emotions-not-told", {"reason": str(error)}, Severity.WARNING))
    used = {source for pair in pairs for source in pair}
    remarks += [
        Remark("emotions-of-nothing", {"file": source.place}, Severity.WARNING)
        for source in sources
        if source not in used
    ]
    return CountedWords(remarks=tuple(remarks), told=found)


def _labels_and_guesses(
    sources: Sequence[Source], planned: PlannedAssessment
) -> Iterator[tuple[Source, Source]]:
    folders = [file.source.folders[:-1] if file else None for file in (planned.key, planned.scores)]
    beside_key, beside_scores = ([one for one in sources if one.folders[:-1] == top] for top in folders)
    if folders[0] == folders[1]:
        beside_scores = [one for one in beside_key if one.folders[-1] != LABELS]
        beside_key = [one for one in beside_key if one.folders[-1] == LABELS]
    if len(beside_key) == len(beside_scores) == 1:
        yield beside_key[0], beside_scores[0]


def _compared_emotions(labels: Source, guesses: Source, entry: Entry, remarks: list[Remark]) -> Emotions:
    said, guessed = (pairs_of(read_text(open_source(each)))[0] for each in (labels, guesses))
    spoken = speakers_of_recordings(entry)
    path = labels.path.with_name(UTT2SPK)
    if not spoken.keys() >= said.keys() & guessed.keys() and not labels.member and path.is_file():
        spoken = dict(read_speaker_map(path))
    made = emotions(said, guessed, spoken)
    facts = {"name": _name(entry.speech), "rate": f"{100.0 * made.uar:.2f} %", "count": made.recordings}
    remarks += [Remark("emotions-told", facts), *made.remarks]
    return made


@dataclass(frozen=True, eq=False)
class Arrival:
    """Files that were dropped, sorted out and tried. Never changed: another answer makes another arrival."""

    paths: tuple[Path, ...]
    plan: Plan
    answers: Answers = field(default_factory=Answers)
    tried: tuple[Attempt[Item], ...] = ()  # one for each assessment, and each similarity, of the plan
    rows: Mapping[Source, int] = field(default_factory=dict)  # of the files that could be read
    already_there: frozenset[str] = frozenset()  # places of what is in the project already
    words: CountedWords = field(default_factory=CountedWords)  # of transcripts that came along

    @property
    def entries(self) -> tuple[Item, ...]:
        """What is ready to become part of the project."""
        return tuple(one.entry for one in self.tried if one.entry is not None)

    @property
    def first(self) -> Item:
        """What to look at first: an assessment of protected speech, where there is one that is ready."""
        assessed = (entry for one in self.entries for entry in one.entries)
        return next((entry for entry in assessed if not entry.is_original), self.entries[0])

    def there_with_words(self, project: Project) -> dict[str, Entry]:
        """Assessments whose transcripts came again, by id, with those in the project that they repeat."""
        came = [entry for one in self.entries for entry in one.entries if entry.speech in self.words.speeches]
        return {one.id: known for one in came if (known := project.holding(one)) is not None}

    @property
    def failures(self) -> tuple[ZebraError, ...]:
        """Why the others are not ready, the first reason of each."""
        return tuple(one.failure for one in self.tried if one.failure is not None)

    @property
    def has_offers(self) -> bool:
        """Whether a decision of the user could lift an error."""
        return any(finding.lifted_by for one in self.tried for finding in one.errors)

    def of(self, file: FoundFile) -> tuple[Attempt[Item], ...]:
        """The assessments that a file takes part in."""
        return tuple(one for one in self.tried if file.source in _sources(one.planned))

    def with_attack(self, words: AttackWords) -> Arrival:
        """The arrival with these words on the attack, wherever its files and folders say nothing about it."""
        tried = tuple(
            one if one.entry is None else replace(one, entry=words.said_of(one.entry)) for one in self.tried
        )
        return replace(self, tried=tried) if words else self

    def with_strongest_first(self) -> Arrival:
        """The arrival sorted by EER within each speech and condition: the strongest attacker comes first."""
        place = {_speech(one): number for number, one in reversed(list(enumerate(self.tried)))}
        return replace(
            self, tried=tuple(sorted(self.tried, key=lambda one: (place[_speech(one)], _eer(one))))
        )

    def only_failed(self) -> Arrival:
        """The arrival with only what failed; assessments that are ready count as done."""
        ready = {one.planned.place for one in self.tried if one.entry is not None}
        done = self.already_there | ready
        return replace(
            self,
            plan=_without(self.plan, done),
            tried=tuple(one for one in self.tried if one.entry is None),
            words=CountedWords(),
            already_there=done,
        )


def leaves_something_open(made: Plan) -> bool:
    """Whether a plan that has something in it leaves something open, or out."""
    is_something = bool(made.planned or made.questions)
    return is_something and bool(made.questions or made.problems or made.unused)


def waits_for_more_files(made: Plan) -> bool:
    """Whether nothing can be made of a plan but to wait for more files."""
    return bool(made.unused) and not made.planned and not made.questions


def plan_with(
    paths: Iterable[Path],
    answers: Answers,
    on_progress: Progress = no_progress,
    keys: KeyTables | None = None,
) -> Plan:
    """The plan with these answers; answers that no longer fit their file are dropped."""
    paths = tuple(paths)
    made = plan(paths, answers.choices, on_progress, keys)
    outdated = {
        f"{Topic.READING.value}:{problem.source.place}"
        for problem in made.problems
        if problem.error.code == "no-such-reading"
    }
    if not outdated & answers.choices.keys():
        return made
    fitting = {name: choice for name, choice in answers.choices.items() if name not in outdated}
    return plan(paths, fitting, on_progress, keys)


def arrive(
    paths: Iterable[Path],
    answers: Answers | None = None,
    *,
    made: Plan | None = None,
    earlier: Arrival | None = None,
    done: Collection[str] = (),
    known: KnownResults | None = None,
    on_progress: Progress = no_progress,
) -> Arrival:
    """Plan, read, audit and assess what a drop comes to; raises nothing about single files.

    `made` is the plan where it is known already; what `earlier` has tried is not tried again, nor is what
    `known` remembers of the same contents.
    """
    paths, answers = tuple(dict.fromkeys(paths)), answers or Answers()
    keys = KeyTables()
    made = made or plan_with(paths, answers, part_of(on_progress, 0.0, 0.3), keys)
    made = _told_apart(_without(made, done))

    def tried_out(planned: Planned, part: Progress) -> Attempt[Item]:
        allow = answers.decisions_for(planned.place)
        before = next((one for one in earlier.tried if one.is_of(planned, allow)), None) if earlier else None
        return before or _try(planned, allow, keys, known, part)

    size = sum(file.size for planned in made.planned for file in planned.files)
    tried = each(tried_out, made.planned, part_of(on_progress, 0.3, 0.9), size)
    made, tried = _asking_about_packing(made, tried, answers.choices)
    rows = dict(earlier.rows) if earlier else {}
    rows.update({source: count for one in tried for source, count in one.rows().items()})
    if made.questions or made.problems or made.unused:
        _count_the_others(made, rows, part_of(on_progress, 0.9, 0.95))
    heard = [
        (one.planned, entry)
        for one in tried
        for entry in one.entries
        if isinstance(one.planned, PlannedAssessment)
    ]
    words = count_beside(made.transcripts, heard, part_of(on_progress, 0.95, 1.0))
    told = tell_beside(made.emotions, heard)
    words = replace(words, remarks=(*words.remarks, *told.remarks), told=told.told)
    on_progress(1.0)
    return Arrival(paths, made, answers, tuple(tried), rows, frozenset(done), words)


def _asking_about_packing(
    made: Plan, tried: Sequence[Attempt[Item]], choices: Choices
) -> tuple[Plan, list[Attempt[Item]]]:
    """The plan and the attempts, with questions about files that pack better than score files do.

    That is found only while they are read: their attempts become open questions.
    """
    asked = [_packed_too_well(one, choices) for one in tried]
    left = [one for one, questions in zip(tried, asked, strict=True) if not questions]
    waiting = [one.planned for one, questions in zip(tried, asked, strict=True) if questions]
    questions = dict.fromkeys(question for several in asked for question in several)
    assessments = tuple(one for one in made.assessments if one not in waiting)
    return replace(made, assessments=assessments, questions=(*made.questions, *questions)), left


def _packed_too_well(tried: Attempt[Item], choices: Choices) -> list[Question]:
    """Whether to unpack a file that packs too well, as a question; none where the user has answered it."""
    if tried.error is None or tried.error.code != packing.TOO_MUCH:
        return []
    return [
        unpacking_question(file.source.path)
        for file in tried.planned.files
        if file.source.name == tried.error.facts["file"]
        and unpacking_answer(file.source.path, choices) is None
    ]


def _try(
    planned: Planned,
    allow: frozenset[Decision],
    keys: KeyTables,
    known: KnownResults | None,
    on_progress: Progress,
) -> Attempt[Item]:
    if known is not None and (found := known.find(planned, allow)) is not None:
        return found
    tried: Attempt[Item]
    if isinstance(planned, PlannedSimilarity):
        tried = try_planned_similarity(planned, allow, on_progress=on_progress)
    else:
        tried = try_planned(planned, allow, on_progress=on_progress, keys=keys)
    if known is not None:
        known.keep(tried)
    return tried


def _count_the_others(made: Plan, rows: dict[Source, int], on_progress: Progress) -> None:
    """The rows of files that no assessment has read."""
    for file in made.files:
        if file.source not in rows:
            on_progress(0.0)
            try:
                rows[file.source] = rows_of(file)
            except ZebraError:  # told when it is used; so far its number of rows is not known
                continue


def _without(made: Plan, done: Collection[str]) -> Plan:
    """The plan without the items at these places, and without files that nothing else uses."""
    if not done:
        return made
    assessments = tuple(one for one in made.assessments if one.place not in done)
    similarities = tuple(one for one in made.similarities if one.place not in done)
    kept = replace(made, assessments=assessments, similarities=similarities)
    used = {source for one in kept.planned for source in _sources(one)}
    gone = {source for one in made.planned for source in _sources(one)} - used
    return replace(kept, files=tuple(file for file in made.files if file.source not in gone))


def _told_apart(made: Plan) -> Plan:
    """The plan with a folder of the scores added to names that several assessments would share."""
    alike: dict[tuple[str, ...], list[PlannedAssessment]] = {}
    for one in made.assessments:
        called = (one.name, one.dataset, one.condition or "", *one.attacked_by.values(), one.run)
        alike.setdefault(called, []).append(one)
    renamed = {
        one.scores.source: say("name.with-folder", name=one.name, folder=folder)
        for several in alike.values()
        if len(several) > 1
        for one, folder in zip(several, _distinct_folders(several), strict=True)
        if folder != one.name
    }
    if not renamed:
        return made
    return replace(
        made,
        assessments=tuple(
            replace(one, name=renamed.get(one.scores.source, one.name)) for one in made.assessments
        ),
    )


def _distinct_folders(several: Sequence[PlannedAssessment]) -> list[str]:
    """The deepest folder of the scores whose name differs for each; else the paths of their folders."""
    folders = [one.scores.source.folders for one in several]
    if len({len(path) for path in folders}) == 1:
        for level in list(zip(*folders, strict=True))[-2::-1]:
            if len(set(level)) == len(level):
                return list(level)
    return without_common_folders([one.scores.source for one in several])


def _speech(one: Attempt[Item]) -> tuple[str, str]:
    return one.planned.name, str(one.planned.condition or "")


def _eer(one: Attempt[Item]) -> float:
    return min((entry.assessment.eer for entry in one.entries), default=math.inf)


def _sources(planned: Planned) -> set[Source]:
    return {file.source for file in planned.files}
