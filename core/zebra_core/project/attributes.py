"""What is told of attributes of the speakers of an assessment: as values, as JSON, and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from zebra_core.intake.tables.table import FileRole
from zebra_core.project.items import Entry
from zebra_core.uncertainty.inference import AttributeFigure, Inference
from zebra_core.wording.texts import after_name, rounded, say, visible

_FEW_BITS = 0.01  # below them a third decimal tells what two would not


@dataclass(frozen=True, eq=False)
class AttributeInference:
    """What trials tell of one attribute: `similarity` by their scores, `recogniser` by the guesses of one.

    Either is None where nothing can be said, with the reason among the remarks, or where no guesses were
    given. The name of the attribute is that of its file, which may differ when this is computed again.
    """

    values: tuple[str, ...]  # of the speakers of these trials, ascending
    n_speakers: int  # who are heard or enrolled, and whose attribute is known
    similarity: AttributeFigure | None
    recogniser: Inference | None
    remarks: tuple[str, ...] = ()

    @property
    def figures(self) -> dict[str, AttributeFigure]:
        """The figures that there are, by their source (`similarity` or `recogniser`)."""
        by = self.recogniser
        every = {
            "similarity": self.similarity,
            "recall": by.unweighted_average_recall if by else None,
            "accuracy": by.accuracy if by else None,
            "information": by.mutual_information_bits if by else None,
        }
        return {code: figure for code, figure in every.items() if figure is not None}

    def as_json(self, name: str) -> dict[str, object]:
        """The object in `zebra assess --json` and in the evidence; the keys and their order are a promise."""
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
                    f"inference.similarity{_code(self.similarity)}",
                    name=visible(name, 60),
                    bits=_bits(self.similarity.value),
                    **_between(self.similarity, _bits),
                    low=_bits(self.similarity.undisclosed[0]),
                    high=_bits(self.similarity.undisclosed[1]),
                )
            )
        if self.recogniser:
            recall, told = self.recogniser.unweighted_average_recall, self.recogniser.mutual_information_bits
            said.append(
                say(
                    f"inference.recogniser{_code(recall)}",
                    name=visible(name, 60),
                    share=_of_hundred(recall.value),
                    **_between(recall, _of_hundred),
                    chance=_of_hundred(recall.chance),
                    bits=_bits(told.value),
                    computed=_bits(self.recogniser.mutual_information_as_computed_bits),
                    low=_bits(told.undisclosed[0]),
                    high=_bits(told.undisclosed[1]),
                )
            )
        return " ".join([*said, *(visible(name, 60) + after_name(str(remark)) for remark in self.remarks)])


NamedAttribute = tuple[str, AttributeInference]
"""What is told of an attribute, with what the attribute is called."""


def named(entry: Entry, found: Sequence[AttributeInference]) -> tuple[NamedAttribute, ...]:
    """What was found of an assessment, with the names of its attributes."""
    return tuple(zip(names_of_attributes(entry), found, strict=True)) if found else ()


def figure_in_words(code: str, value: float) -> str:
    """A figure of `AttributeInference.figures`: a share in per cent, or bits without their unit."""
    return f"{_of_hundred(value)} %" if code in ("recall", "accuracy") else _bits(value)


def in_a_cell(name: str, found: AttributeInference, code: str) -> str:
    """A figure with its attribute, its interval and, where that is not 0, what guessing reaches."""
    figure = found.figures[code]
    word = partial(figure_in_words, code)
    facts = {"name": visible(name, 24), "value": word(figure.value)}
    if figure.chance:
        facts["chance"] = word(figure.chance)
    kind = "cell-guessed" if figure.chance else "cell"
    if figure.interval is None:
        return say(f"inference.{kind}", **facts)
    low, high = word(figure.interval.low), word(figure.interval.high)
    return say(f"inference.{kind}-between", low=low, high=high, **facts)


def columns_as_json(attributes: Sequence[NamedAttribute]) -> dict[str, float | None]:
    """Every figure with both ends of its interval, by the name of its attribute, as columns of a table."""
    found: dict[str, float | None] = {}
    for name, one in attributes:
        for code, figure in one.figures.items():
            key = f"{name}_{code}"
            interval = figure.interval
            found |= {
                key: figure.value,
                f"{key}_low": interval.low if interval else None,
                f"{key}_high": interval.high if interval else None,
                f"{key}_chance": figure.chance,
            }
    return found


def names_of_attributes(entry: Entry) -> list[str]:
    """What the attributes of an assessment are called, in the order of `inference_of`: as their files."""
    return [file.name for file in entry.files if file.role == FileRole.ATTRIBUTES.value]


def as_json(entry: Entry, found: Sequence[AttributeInference]) -> list[dict[str, object]] | None:
    """What was found of an assessment, as its evidence has it; None where there is nothing."""
    return [each.as_json(name) for name, each in named(entry, found)] or None


def in_words(entry: Entry, found: Sequence[AttributeInference]) -> tuple[str, ...]:
    """What was found of an assessment as sentences, one for each attribute."""
    return tuple(each.in_words(name) for name, each in named(entry, found))


def _code(figure: AttributeFigure) -> str:
    """How the code of a text goes on that gives the interval, too."""
    return "" if figure.interval is None else "-between"


def _between(figure: AttributeFigure, word: Callable[[float], str]) -> dict[str, str]:
    if figure.interval is None:
        return {}
    return {"low_of_share": word(figure.interval.low), "high_of_share": word(figure.interval.high)}


def _bits(value: float) -> str:
    return rounded(value, 3 if 0.0 < value < _FEW_BITS else 2)


def _of_hundred(share: float) -> str:
    return rounded(100.0 * share, 0)
