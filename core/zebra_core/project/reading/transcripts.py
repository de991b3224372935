"""Word errors that nobody asked for: of transcripts that lie beside the scores and keys of a drop.

What was said lies beside the key (`data/libri_test_trials_f/text`); what a recogniser of speech understood
lies beside the scores. A copy of the reference beside the scores is no hypothesis: evaluations copy it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from zebra_core.errors import ZebraError
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import PlannedAssessment
from zebra_core.intake.transcript_files import Transcripts, transcripts_in
from zebra_core.project.items import Entry, SpeechKey
from zebra_core.project.reading.speaker_study import speakers_of_recordings
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.utility.word_errors import WordErrors, word_errors
from zebra_core.wording.spoken import normalised
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class CountedWords:
    """The word errors of some speech, and what is to be told of them."""

    of: Mapping[SpeechKey, WordErrors] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()


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
