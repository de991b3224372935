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
from typing import NamedTuple

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark, Severity, and_more
from zebra_core.intake.opening.decoding import decode
from zebra_core.intake.opening.opening import OpenedFile, open_file
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import listed

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_STRAY_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")
_AT_ONCE = 256  # utterances between two reports of progress
_MOST_WORDS = 100_000  # of one utterance, which is half a day of speech: time grows with their square
_COUNTS = ("substitutions", "deletions", "insertions", "reference_words")

Transcripts = Mapping[str, str]
"""The id of each utterance to its words."""


class Errors(NamedTuple):
    """The errors of one utterance; it may have no word of the reference."""

    substitutions: int
    deletions: int
    insertions: int
    reference_words: int

    @property
    def errors(self) -> int:
        """All errors together."""
        return self.substitutions + self.deletions + self.insertions


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
    return transcripts_in(open_file(path))


def transcripts_in(file: OpenedFile) -> dict[str, str]:
    """The transcripts in a file that is open already, as `read_transcripts` reads them."""
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
    """The errors of the hypothesis over the utterances of both, as `errors_of_each` counts them.

    `remarks` tells which utterances were left out. Raises InputError as that does.
    """
    return all_together(errors_of_each(reference, hypothesis, on_progress), remarks_on(reference, hypothesis))


def errors_of_each(
    reference: Transcripts, hypothesis: Transcripts, on_progress: Progress = no_progress
) -> dict[str, Errors]:
    """The errors in each utterance of both; O(words²) within an utterance.

    An utterance of the reference that was not recognised is left out, not counted as deleted: whether it
    was lost or never tried cannot be known. Raises InputError where no utterance is in both, one is longer
    than any speech, or the reference has no word.
    """
    common = [utterance for utterance in reference if utterance in hypothesis]
    if not common:
        raise InputError("no-common-utterance", reference=listed(list(reference)[:1]))
    found: dict[str, Errors] = {}
    for number, utterance in enumerate(common):
        if number % _AT_ONCE == 0:
            on_progress(number / len(common))
        found[utterance] = _errors(
            utterance, normalised(reference[utterance]), normalised(hypothesis[utterance])
        )
    if not any(errors.reference_words for errors in found.values()):
        raise InputError("no-reference-word")
    on_progress(1.0)
    return found


def all_together(each: Mapping[str, Errors], remarks: tuple[Remark, ...] = ()) -> WordErrors:
    """The sums over all utterances."""
    s, d, i, words = (sum(column) for column in zip(*each.values(), strict=True))
    return WordErrors(s, d, i, words, remarks)


def _errors(utterance: str, said: str, heard: str) -> Errors:
    import jiwer  # takes its time

    if max(len(said.split()), len(heard.split())) > _MOST_WORDS:
        raise InputError("utterance-too-long", found=utterance, most=_MOST_WORDS)
    if not said:  # jiwer refuses an empty reference; everything heard is then inserted
        return Errors(0, 0, len(heard.split()), 0)
    found = jiwer.process_words(said, heard)
    return Errors(found.substitutions, found.deletions, found.insertions, len(said.split()))


def normalised(words: str) -> str:
    """The words as they are compared: see the top of this module."""
    text = unicodedata.normalize("NFKC", words).translate(_APOSTROPHES).lower()
    text = "".join(
        character if character == "'" or unicodedata.category(character)[0] not in "PS" else " "
        for character in text
    )
    return " ".join(_STRAY_APOSTROPHE.sub(" ", text).split())


def remarks_on(reference: Transcripts, hypothesis: Transcripts) -> tuple[Remark, ...]:
    """How words were compared, and which utterances only one of the two has."""
    remarks = [Remark("wer-normalisation")]
    missing = [utterance for utterance in reference if utterance not in hypothesis]
    extra = [utterance for utterance in hypothesis if utterance not in reference]
    for code, names in (("utterances-missing", missing), ("utterances-extra", extra)):
        if names:
            remarks.append(Remark(code, {"count": len(names), "names": and_more(names)}, Severity.WARNING))
    return tuple(remarks)
