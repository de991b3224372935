"""What is a matter of judgement: the user's own decisions, each with a name that is stored and typed."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from zebra_core.errors import InputError
from zebra_core.wording.texts import say


class Decision(Enum):
    """Something that is done only when the user says so; the value is its name for `--allow`."""

    KEY_LINES_WITHOUT_SCORE = "key-lines-without-score"
    INFINITE_SCORES = "infinite-scores"
    NAN_SCORES = "nan-scores"
    LOWER_IS_MORE_ALIKE = "lower-is-more-alike"
    LIKELIHOOD_RATIOS = "likelihood-ratios"
    IGNORE_CASE = "ignore-case"
    IGNORE_LEADING_ZEROS = "ignore-leading-zeros"
    IGNORE_DIRECTORIES = "ignore-directories"
    IGNORE_SUFFIXES = "ignore-suffixes"
    IGNORE_SIDES = "ignore-sides"
    IGNORE_QUOTES = "ignore-quotes"
    IGNORE_COMPOSITION = "ignore-composition"
    IGNORE_ENCODING = "ignore-encoding"
    SWAPPED_COLUMNS = "swapped-columns"
    SELF_COMPARISONS = "self-comparisons"
    STAND_IN_SCORES = "stand-in-scores"

    def __str__(self) -> str:
        """What it does, in words."""
        return say(f"decision.{self.value}")


ID_MAPPINGS = (
    Decision.IGNORE_CASE,
    Decision.IGNORE_LEADING_ZEROS,
    Decision.IGNORE_DIRECTORIES,
    Decision.IGNORE_SUFFIXES,
    Decision.IGNORE_SIDES,
    Decision.IGNORE_QUOTES,
    Decision.IGNORE_COMPOSITION,
    Decision.IGNORE_ENCODING,
)


ALSO = {"reversed": Decision.LOWER_IS_MORE_ALIKE.value}
"""Other names that are understood: what remarks on the reading of scores call it."""


def decisions(allow: Iterable[str | Decision]) -> frozenset[Decision]:
    """The decisions of these names. Raises InputError for a name that is none."""
    found = set()
    for name in allow:
        try:
            found.add(Decision(ALSO.get(name, name) if isinstance(name, str) else name))
        except ValueError as error:
            known = ", ".join(decision.value for decision in Decision)
            raise InputError("no-such-decision", found=name, known=known) from error
    return frozenset(found)
