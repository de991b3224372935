"""Word and character error rates of transcripts: what somebody understood against what was said.

Words are compared after one normalisation, the same on both sides: see `wording.spoken`.

Scripts without blanks between words (Chinese, Japanese, Thai, Lao, Burmese, Khmer) have no words to count.
Characters are: Unicode's code points, without blanks and what nobody sees; see `of_characters`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark, Severity, and_more
from zebra_core.evidence.value_types import Whole
from zebra_core.intake.transcript_files import Transcripts
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.spoken import normalised
from zebra_core.wording.texts import listed

_UNPARTED = re.compile(  # the letters of scripts without blanks between words, each by itself
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3\ua9e0-\ua9fe\uaa60-\uaa7f"
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_AT_ONCE = 256  # utterances between two reports of progress
_MOST_WORDS = 100_000  # of one utterance, which is half a day of speech: time grows with their square
COUNTS = ("substitutions", "deletions", "insertions", "reference_words")


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
    """The errors of all utterances together, in words, or in characters where the script has no words.

    `by_speaker` has errors and words of the reference for each speaker, ascending, without their names; empty
    where the speaker of some utterance is not known.
    """

    substitutions: Whole
    deletions: Whole
    insertions: Whole
    reference_words: Annotated[int, Meta(ge=1, le=1 << 62)]  # the characters where these are counted
    remarks: tuple[Remark, ...] = ()
    of_characters: bool = False
    by_speaker: tuple[tuple[Whole, Whole], ...] = ()

    @property
    def rate_name(self) -> str:
        """What the rate is: "wer" of words, "cer" of characters."""
        return "cer" if self.of_characters else "wer"

    @property
    def rate(self) -> float:
        """Errors for each word or character of the reference; above 1 where more is inserted than said."""
        return (self.substitutions + self.deletions + self.insertions) / self.reference_words

    def as_json(self) -> dict[str, object]:
        """Plain values, from which it is made again; remarks, which are about the files, are not kept."""
        counts: dict[str, object] = {name: getattr(self, name) for name in COUNTS}
        if self.of_characters:
            counts["of_characters"] = True
        if self.by_speaker:
            counts["by_speaker"] = [list(each) for each in self.by_speaker]
        return counts


def word_errors(
    reference: Transcripts,
    hypothesis: Transcripts,
    on_progress: Progress = no_progress,
    speaker_of: Mapping[str, str] | None = None,
) -> WordErrors:
    """The errors of the hypothesis over the utterances of both, as `errors_of_each` counts them.

    `remarks` tells which utterances were left out; `speaker_of` who speaks in which. Raises InputError as
    that does.
    """
    each = errors_of_each(reference, hypothesis, on_progress)
    found = all_together(each, reference, hypothesis)
    return replace(found, by_speaker=_by_speaker(each, speaker_of or {}))


def _by_speaker(each: Mapping[str, Errors], speaker_of: Mapping[str, str]) -> tuple[tuple[int, int], ...]:
    if not speaker_of.keys() >= each.keys():
        return ()
    sums: dict[str, tuple[int, int]] = {}
    for utterance, one in each.items():
        errors, words = sums.get(speaker_of[utterance], (0, 0))
        sums[speaker_of[utterance]] = errors + one.errors, words + one.reference_words
    return tuple(sorted(pair for pair in sums.values() if pair[1]))


def errors_of_each(
    reference: Transcripts, hypothesis: Transcripts, on_progress: Progress = no_progress
) -> dict[str, Errors]:
    """The errors in each utterance of both; O(words²) within an utterance.

    An utterance of the reference that was not recognised is left out, not counted as deleted: whether it
    was lost or never tried cannot be known. Raises InputError where no utterance is in both, one is longer
    than any speech, or the reference has no word; and as `of_characters` does.
    """
    common = _common(reference, hypothesis)
    if not common:
        raise InputError("no-common-utterance", reference=listed(list(reference)[:1]))
    parted = characters_of if of_characters(reference, hypothesis) else normalised
    found: dict[str, Errors] = {}
    for number, utterance in enumerate(common):
        if number % _AT_ONCE == 0:
            on_progress(number / len(common))
        found[utterance] = _errors(utterance, parted(reference[utterance]), parted(hypothesis[utterance]))
    if not any(errors.reference_words for errors in found.values()):
        raise InputError("no-reference-word")
    on_progress(1.0)
    return found


def of_characters(reference: Transcripts, hypothesis: Transcripts) -> bool:
    """Whether characters are counted: the reference is in a script without blanks between words.

    An utterance is where it has no fewer letters of such scripts than words of others; without either it is
    as the others are. Raises InputError where only some utterances are: no rate is right for all.
    """
    kinds: dict[bool, str] = {}
    for utterance in _common(reference, hypothesis):
        words = normalised(reference[utterance])
        unparted = len(_UNPARTED.findall(words))
        others = sum(any(map(str.isalpha, word)) for word in _UNPARTED.sub(" ", words).split())
        if unparted or others:
            kinds.setdefault(unparted >= others, utterance)
    if len(kinds) > 1:
        raise InputError("transcripts-of-two-kinds", parted=kinds[False], unparted=kinds[True])
    return True in kinds


def _common(reference: Transcripts, hypothesis: Transcripts) -> list[str]:
    return [utterance for utterance in reference if utterance in hypothesis]


def all_together(each: Mapping[str, Errors], reference: Transcripts, hypothesis: Transcripts) -> WordErrors:
    """The sums over all utterances that `errors_of_each` found in these transcripts."""
    s, d, i, words = (sum(column) for column in zip(*each.values(), strict=True))
    remarks = _remarks_on(reference, hypothesis)
    found = WordErrors(s, d, i, words, remarks, of_characters(reference, hypothesis))
    return replace(found, remarks=(Remark(f"{found.rate_name}-normalisation"), *remarks))


def _errors(utterance: str, said: str, heard: str) -> Errors:
    import jiwer  # takes its time

    if max(len(said.split()), len(heard.split())) > _MOST_WORDS:
        raise InputError("utterance-too-long", found=utterance, most=_MOST_WORDS)
    if not said:  # jiwer refuses an empty reference; everything heard is then inserted
        return Errors(0, 0, len(heard.split()), 0)
    found = jiwer.process_words(said, heard)
    return Errors(found.substitutions, found.deletions, found.insertions, len(said.split()))


def characters_of(words: str) -> str:
    """The characters as they are compared, a blank between them: those of `normalised` that can be seen."""
    return " ".join(
        one for one in normalised(words) if not one.isspace() and unicodedata.category(one) != "Cf"
    )


def _remarks_on(reference: Transcripts, hypothesis: Transcripts) -> tuple[Remark, ...]:
    """Which utterances only one of the two has."""
    remarks: list[Remark] = []
    missing = [utterance for utterance in reference if utterance not in hypothesis]
    extra = [utterance for utterance in hypothesis if utterance not in reference]
    for code, names in (("utterances-missing", missing), ("utterances-extra", extra)):
        if names:
            remarks.append(Remark(code, {"count": len(names), "names": and_more(names)}, Severity.WARNING))
    return tuple(remarks)
