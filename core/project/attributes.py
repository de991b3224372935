"""What is told of attributes of the speakers of an assessment: as values, as JSON, and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zebra_core.intake.tables.table import Role
from zebra_core.project.items import Entry
from zebra_core.uncertainty.inference import Inference, Told
from zebra_core.wording.digits import rounded
from zebra_core.wording.texts import say, visible


@dataclass(frozen=True, eq=False)
class OfAttribute:
    """What is told of one attribute: `similarity` by the scores alone, `recogniser` by what one guessed.

    None where nothing can be said, for a reason among the remarks, or where no guesses were brought along.
    Its name is that of its file, which may lie under another one when this is computed again.
    """

    values: tuple[str, ...]  # of the speakers of these trials, ascending
    n_speakers: int  # who are heard or enrolled, and whose attribute is known
    similarity: Told | None
    recogniser: Inference | None
    remarks: tuple[str, ...] = ()

    def as_json(self, name: str) -> dict[str, object]:
        """As `zebra assess --json` and the evidence have it; the keys and their order are a promise."""
        return {
            "attribute": name,
            "values": list(self.values),
            "speakers": self.n_speakers,
            "similarity_bits": self.similarity.as_json() if self.similarity else None,
            "recogniser": self.recogniser.as_json() if self.recogniser else None,
            "remarks": list(self.remarks),
        }

    def in_words(self, name: str) -> str:
        """A sentence or two: what is told, and what would be told without any listening."""
        said = []
        if self.similarity:
            said.append(
                say(
                    "inference.similarity",
                    name=visible(name, 60),
                    bits=_bits(self.similarity.value),
                    between=_between(self.similarity, _bits),
                    low=_bits(self.similarity.undisclosed[0]),
                    high=_bits(self.similarity.undisclosed[1]),
                )
            )
        if self.recogniser:
            recall = self.recogniser.unweighted_average_recall
            said.append(
                say(
                    "inference.recogniser",
                    name=visible(name, 60),
                    share=_of_hundred(recall.value),
                    between=_between(recall, _of_hundred),
                    chance=_of_hundred(recall.chance),
                    bits=_bits(self.recogniser.mutual_information_bits.value),
                )
            )
        return " ".join([*said, *(f"{visible(name, 60)}: {remark}" for remark in self.remarks)])


def names_of_attributes(entry: Entry) -> list[str]:
    """What the attributes of an assessment are called, in the order of `inference_of`: as their files."""
    return [file.name for file in entry.files if file.role == Role.ATTRIBUTES.value]


def as_json(entry: Entry, found: Sequence[OfAttribute]) -> list[dict[str, object]] | None:
    """What was found of an assessment, as its evidence has it; None where there is nothing."""
    if not found:
        return None
    named = zip(found, names_of_attributes(entry), strict=True)
    return [each.as_json(name) for each, name in named]


def in_words(entry: Entry, found: Sequence[OfAttribute]) -> tuple[str, ...]:
    """The same in sentences, one for each attribute."""
    named = zip(found, names_of_attributes(entry), strict=True)
    return tuple(each.in_words(name) for each, name in named)


def _between(told: Told, word: Callable[[float], str]) -> str:
    if told.interval is None:
        return ""
    return say("people.between", low=word(told.interval.low), high=word(told.interval.high))


def _bits(value: float) -> str:
    return rounded(value, 2)


def _of_hundred(share: float) -> str:
    return rounded(100.0 * share, 0)
