"""Word error rates of transcripts: what a recogniser, or a listener, understood against what was said.

Words are compared after one normalisation, the same on both sides: Unicode NFKC, small letters; punctuation
and symbols part words as white space does, but for the apostrophe within a word. Nothing else is changed:
numbers and abbreviations stay as they are written. Source: VoicePrivacy 2020 evaluation plan, 6.1.1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.intake.opening.decoding import decode
from zebra_core.intake.opening.opening import open_file
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import listed

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_STRAY_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")
_AT_ONCE = 256  # utterances between two reports of progress
_MOST_WORDS = 100_000  # of one utterance, which is half a day of speech: time grows with their square
_COUNTS = ("substitutions", "deletions", "insertions", "reference_words")

Transcripts = Mapping[str, str]
"""The id of each utterance to its words."""


@dataclass(frozen=True)
class WordErrors:
    """The errors of all utterances together."""

    substitutions: int
    deletions: int
    insertions: int
    reference_words: int  # more than 0
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        if min(self.substitutions, self.deletions, self.insertions) < 0 or self.reference_words < 1:
            raise InputError("utility-not-readable")

    @property
    def rate(self) -> float:
        """Errors for each word of the reference, a share; above 1 where more is inserted than was said."""
        return (self.substitutions + self.deletions + self.insertions) / self.reference_words

    def as_json(self) -> dict[str, int]:
        """What `from_json` makes it from again; remarks, which are about the files, are not kept."""
        return {name: getattr(self, name) for name in _COUNTS}

    @classmethod
    def from_json(cls, saved: object) -> WordErrors:
        """The errors as they were saved. Raises InputError where they are none."""
        if not isinstance(saved, Mapping):
            raise InputError("utility-not-readable")
        counts = {name: saved.get(name) for name in _COUNTS}
        if any(isinstance(count, bool) or not isinstance(count, int) for count in counts.values()):
            raise InputError("utility-not-readable")
        substitutions, deletions, insertions, words = (int(str(count)) for count in counts.values())
        return cls(substitutions, deletions, insertions, words)


def read_transcripts(path: Path) -> dict[str, str]:
    """A Kaldi `text` file: a line is the id of an utterance and its words, which may be none.

    Raises InputError, with the line, where an utterance comes twice; and as any file that is no text.
    """
    file = open_file(path)
    found: dict[str, str] = {}
    first_line: dict[str, int] = {}
    for number, line in enumerate(decode(file).content.decode().splitlines(), start=1):
        if not line.strip():
            continue
        utterance, *words = line.split(None, 1)
        if utterance in found:
            raise InputError(
                "utterance-twice", file=file.name, line=number, found=utterance, first=first_line[utterance]
            )
        found[utterance], first_line[utterance] = "".join(words).rstrip(), number
    return found


def word_errors(
    reference: Transcripts, hypothesis: Transcripts, on_progress: Progress = no_progress
) -> WordErrors:
    """The errors of the hypothesis over the utterances of both; O(words²) within an utterance.

    An utterance of the reference that was not recognised is left out, not counted as deleted: whether it
    was lost or never tried cannot be known. `remarks` tells which are, and which hypotheses belong to
    nothing. Raises InputError where no utterance is in both, one is longer than any speech, or the reference
    has no word.
    """
    import jiwer  # takes its time

    common = [utterance for utterance in reference if utterance in hypothesis]
    if not common:
        raise InputError("no-common-utterance", reference=listed(list(reference)[:1]))
    substitutions = deletions = insertions = words = 0
    for start in range(0, len(common), _AT_ONCE):
        on_progress(start / len(common))
        for utterance in common[start : start + _AT_ONCE]:
            said, heard = normalised(reference[utterance]), normalised(hypothesis[utterance])
            if max(len(said.split()), len(heard.split())) > _MOST_WORDS:
                raise InputError("utterance-too-long", found=utterance, most=_MOST_WORDS)
            if not said:  # jiwer refuses an empty reference; everything heard is then inserted
                insertions += len(heard.split())
                continue
            found = jiwer.process_words(said, heard)
            substitutions += found.substitutions
            deletions += found.deletions
            insertions += found.insertions
            words += len(said.split())
    if not words:
        raise InputError("no-reference-word")
    on_progress(1.0)
    return WordErrors(substitutions, deletions, insertions, words, _remarks(reference, hypothesis))


def normalised(words: str) -> str:
    """The words as they are compared: see the top of this module."""
    text = unicodedata.normalize("NFKC", words).translate(_APOSTROPHES).lower()
    text = "".join(
        character if character == "'" or unicodedata.category(character)[0] not in "PS" else " "
        for character in text
    )
    return " ".join(_STRAY_APOSTROPHE.sub(" ", text).split())


def _remarks(reference: Transcripts, hypothesis: Transcripts) -> tuple[Remark, ...]:
    told = [Remark("wer-normalisation")]
    missing = [utterance for utterance in reference if utterance not in hypothesis]
    extra = [utterance for utterance in hypothesis if utterance not in reference]
    for code, names in (("utterances-missing", missing), ("utterances-extra", extra)):
        if names:
            told.append(Remark(code, {"count": len(names), "names": listed(names)}, Severity.WARNING))
    return tuple(told)
