"""What speech is still good for: word error rates, and what listeners say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from zebra_core.errors import InputError
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors
from zebra_core.wording.numbers import typed_number
from zebra_core.wording.texts import written

MOST_WER = 100.0  # a share: more errors than that for each word is a slip of the keyboard


@dataclass(frozen=True)
class Utility:
    """What is known of the utility of some speech; None where nothing is."""

    wer: float | None = None  # (substitutions + deletions + insertions) / words, a share that may exceed 1
    words: WordErrors | None = None  # where the rate comes from; None for one that was typed in
    # of characters, the rate is no word error rate, and `wer` is None
    listening: Mapping[RatingQuestion, Ratings] = field(default_factory=dict)
    printed_in: str = ""  # the result file and line that print the rate, which was not computed here

    def __post_init__(self) -> None:
        if self.wer is not None and not 0.0 <= self.wer <= MOST_WER:  # NaN is in no range
            raise InputError("wer-out-of-range", found=written(100.0 * self.wer, "g"))

    @classmethod
    def typed(cls, wer: float | None, before: Utility | None = None) -> Utility:
        """Utility with a word error rate that the user gives, in the place of a counted one."""
        return replace(before or cls(), wer=wer, words=None, printed_in="")

    def counted(self, words: WordErrors) -> Utility:
        """This utility with the word errors of transcripts."""
        return replace(self, wer=None if words.of_characters else words.rate, words=words, printed_in="")

    def heard(self, question: RatingQuestion, ratings: Ratings) -> Utility:
        """This utility with the ratings of one more question."""
        return replace(self, listening={**self.listening, question: ratings})

    @property
    def is_typed(self) -> bool:
        """Whether its word error rate was typed in, not counted."""
        return self.wer is not None and self.words is None and not self.printed_in

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known."""
        return self.wer is None and self.words is None and not self.listening

    @property
    def cer(self) -> float | None:
        """Errors for each character, where the script has no words to be counted."""
        return self.words.rate if self.words and self.words.of_characters else None

    def as_json(self) -> dict[str, object]:
        """Plain values, from which it is made again."""
        return {
            **({"printed_in": self.printed_in} if self.printed_in else {}),
            "wer": self.wer,
            "words": self.words.as_json() if self.words else None,
            "listening": {question.value: ratings.as_json() for question, ratings in self.listening.items()},
        }


def typed_wer(text: str) -> float | None:
    """A word error rate typed in per cent, "4.2" or "4,2 %", as a share; None for nothing.

    Raises InputError.
    """
    plain = text.strip().removesuffix("%").strip()
    if not plain or plain in ("-", "–"):
        return None
    percent = typed_number(plain)
    if percent is None:
        raise InputError("wer-not-a-number", found=text)
    if not 0.0 <= percent / 100.0 <= MOST_WER:
        raise InputError("wer-out-of-range", found=plain)
    return percent / 100.0
