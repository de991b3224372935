"""Word errors and emotions that nobody asked for: of what lies beside the scores and keys of a drop.

What was said lies beside the key (`data/libri_test_trials_f/text`); what a recogniser of speech understood
lies beside the scores. A copy of the reference beside the scores is no hypothesis: evaluations copy it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from zebra_core.errors import ZebraError
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.intake.formats.attributes import pairs_of
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import PlannedAssessment
from zebra_core.intake.similarity_files import read_speaker_map
from zebra_core.intake.tables.columns import read_text
from zebra_core.intake.transcript_files import Transcripts, transcripts_in
from zebra_core.project.items import Entry, SpeechKey
from zebra_core.project.reading.speaker_study import speakers_of_recordings
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.utility.emotions import Emotions, emotions
from zebra_core.utility.word_errors import WordErrors, word_errors
from zebra_core.wording.spoken import normalised
from zebra_core.wording.texts import say

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
