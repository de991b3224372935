"""What speech is still good for: word errors, whether emotions are told, and what listeners say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from zebra_core.errors import InputError
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.ratio import Sums, average_recall_draws, ratio_draws
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS, FigureDraws
from zebra_core.utility.emotions import Counts, Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors
from zebra_core.wording.texts import typed_number, written

MOST_WER = 100.0  # a share: more errors than that for each word is a slip of the keyboard


@dataclass(frozen=True)
class Utility:
    """What is known of the utility of some speech; None where nothing is."""

    wer: float | None = None  # (substitutions + deletions + insertions) / words, a share that may exceed 1
    words: WordErrors | None = None  # where the rate comes from; None for one that was typed in
    # of characters, the rate is no word error rate, and `wer` is None
    listening: Mapping[RatingQuestion, Ratings] = field(default_factory=dict)
    printed_in: str = ""  # the result file and line that print the rate, which was not computed here
    emotions: Emotions | None = None  # what a recogniser of emotion told of its recordings

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

    def with_emotions(self, emotions: Emotions) -> Utility:
        """This utility with what a recogniser of emotion told of the recordings."""
        return replace(self, emotions=emotions)

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
        known = self.wer is not None or self.words is not None or self.emotions is not None
        return not known and not self.listening

    @property
    def cer(self) -> float | None:
        """Errors for each character, where the script has no words to be counted."""
        return self.words.rate if self.words and self.words.of_characters else None

    @property
    def uar(self) -> float | None:
        """The unweighted average recall of emotions."""
        return self.emotions.uar if self.emotions else None

    def draws(self, code: str, settings: BootstrapSettings) -> FigureDraws | None:
        """A rate ("wer", "cer", "uar") with draws of the speakers; None where fewer than three are known."""
        if code == "uar" and self.emotions:
            return _recall_of(self.emotions.by_speaker, settings)
        if self.words and code == self.words.rate_name:
            return _rate_of(self.words.by_speaker, settings)
        return None

    def as_json(self) -> dict[str, object]:
        """Plain values, from which it is made again."""
        return {
            **({"printed_in": self.printed_in} if self.printed_in else {}),
            "wer": self.wer,
            "words": self.words.as_json() if self.words else None,
            "listening": {question.value: ratings.as_json() for question, ratings in self.listening.items()},
            **({"emotions": self.emotions.as_json()} if self.emotions else {}),
        }


@lru_cache(maxsize=64)  # a comparison asks again whenever it is drawn
def _rate_of(by_speaker: Sums, settings: BootstrapSettings) -> FigureDraws | None:
    """A rate of errors with draws of the speakers; None of fewer than three."""
    if len(by_speaker) < FEWEST_CLUSTERS:
        return None
    return ratio_draws(by_speaker, settings, 0.0, MOST_WER, is_rate=True)


@lru_cache(maxsize=64)
def _recall_of(by_speaker: tuple[Counts, ...], settings: BootstrapSettings) -> FigureDraws | None:
    """The unweighted average recall with draws of the speakers; None of fewer than three."""
    return average_recall_draws(by_speaker, settings) if len(by_speaker) >= FEWEST_CLUSTERS else None


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
