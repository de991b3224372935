"""What is told of people's combinations of attributes: as values, as JSON, and in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.value_types import Count, json_object, note
from zebra_core.project.attackers import groups_of_attacks, unprotected_of
from zebra_core.project.items import Condition, Entry
from zebra_core.speakers.uniqueness import Combinations
from zebra_core.wording.texts import listed, say, visible

_COMBINATIONS = {
    "unique": note(float, "share of people who share their combination with nobody"),
    "smallest": note(Count, "people in the smallest class of people alike: k of k-anonymity"),
    "below_eleven": note(Count, "people in classes of fewer than eleven"),
    "curve": note(list[float], "share unique by 1, 2, … all attributes, the mean over all subsets"),
}
TRUE_COMBINATIONS = json_object("TrueCombinations", **_COMBINATIONS)
INFERRED_COMBINATIONS = json_object(
    "InferredCombinations",
    attributes=note(list[str], "those of which there are predictions by one recogniser"),
    people=note(Count, "who have a value and predictions of each"),
    **_COMBINATIONS,
    right=note(float, "share of people whose inferred combination is their true one"),
    right_and_unique=note(float, "share of people whose inferred combination is theirs and nobody else's"),
    ties=note(Count, "people of whom several values were guessed equally often"),
)
UNIQUENESS = json_object(
    "Uniqueness",
    attributes=note(list[str], "those that are combined, as their files are called"),
    people=note(Count, "who have a value of each attribute"),
    lacking=note(Count, "people of these trials who lack one and are not counted"),
    true=TRUE_COMBINATIONS,
    inferred=note(INFERRED_COMBINATIONS | None, "from this speech; null without predictions"),
    remarks=list[str],
)


@dataclass(frozen=True)
class InferredCombinations:
    """What recognisers make of the people: combinations as inferred, and how many of them are right.

    Only `attributes` that one recogniser guessed are combined, and only people count whose values are known
    and guessed. `n_right` have their true combination inferred; of `n_right_and_unique` nobody else has the
    same combination inferred. Of `n_tied` several values of an attribute were guessed equally often.
    """

    attributes: tuple[str, ...]
    found: Combinations
    n_right: int
    n_right_and_unique: int
    n_tied: int

    @property
    def n_wrong_and_unique(self) -> int:
        """Who are unique as inferred, and wrongly so: they would be taken for somebody else."""
        return self.found.n_unique - self.n_right_and_unique


@dataclass(frozen=True)
class Uniqueness:
    """How many people of an assessment share their combination of attributes: truly, and as inferred.

    True combinations are of all `attributes`; `n_lacking` people of the trials are not counted, because they
    lack a value. `inferred` is None where nobody inferred anything; what it lacks, remarks say.
    """

    attributes: tuple[str, ...]
    n_lacking: int
    true: Combinations
    inferred: InferredCombinations | None
    remarks: tuple[Remark, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The object in `--json` and in the evidence; the keys and their order are a promise."""
        return {
            "attributes": list(self.attributes),
            "people": self.true.n_people,
            "lacking": self.n_lacking,
            "true": _as_json(self.true),
            "inferred": None if self.inferred is None else _inferred_as_json(self.inferred),
            "remarks": [str(remark) for remark in self.remarks],
        }

    def sentences(self, entry: Entry, original: Uniqueness | None = None) -> tuple[str, ...]:
        """What is said of an assessment, with what was inferred from original speech where that is known."""
        names = listed([visible(name, 60) for name in self.attributes], len(self.attributes))
        said = [say("uniqueness.true", attributes=names, **_facts(self.true))]
        if original is not None and original.inferred is not None and entry.condition is not Condition.OO:
            said.append(_inferred_in_words("uniqueness.original", original.inferred))
            said += [] if self.is_like(original) else [say("uniqueness.other-people")]
        if self.inferred is not None:
            code = "original" if entry.condition is Condition.OO else "protected"
            said.append(_inferred_in_words(f"uniqueness.{code}", self.inferred))
        return (*said, say("uniqueness.of-these"), *map(str, self.remarks))

    def is_like(self, other: Uniqueness) -> bool:
        """Whether both count as many people by the same attributes, and what was inferred, too."""
        mine, theirs = (
            (one.attributes, one.found.n_people) if one else None for one in (self.inferred, other.inferred)
        )
        return (self.attributes, self.true) == (other.attributes, other.true) and mine in (None, theirs)


@dataclass(frozen=True)
class BeforeAndAfter:
    """People of one dataset by the same attributes: truly, in original speech and under each safeguard.

    `true` holds for all of `protected`; `original`, where it is known, may count other people, which
    `Uniqueness.is_like` tells.
    """

    dataset: str
    true: Uniqueness
    original: tuple[Entry, Uniqueness] | None
    protected: tuple[tuple[Entry, Uniqueness], ...]

    @property
    def every(self) -> tuple[tuple[Entry, Uniqueness], ...]:
        """Original speech, where it is known, and all that is protected."""
        return (*([self.original] if self.original else []), *self.protected)


def before_and_after(entries: Sequence[Entry], found: Mapping[str, Uniqueness]) -> tuple[BeforeAndAfter, ...]:
    """What was found of assessments by the id of the entry, side by side, in the order of the entries.

    Of each safeguard there is the strongest attack, or the first in which something was inferred where
    nothing was in that. Where no safeguard is known, original speech stands by itself.
    """
    alike: dict[tuple[object, ...], list[Entry]] = {}
    for group in groups_of_attacks(entries):
        known = [one for one in (group.strongest, *group.attacks) if one.id in found]
        if known:
            chosen = next((one for one in known if found[one.id].inferred is not None), known[0])
            one = found[chosen.id]
            alike.setdefault((group.dataset, one.attributes, one.true), []).append(chosen)
    made = []
    for members in alike.values():
        first = found[members[0].id]
        original = original_of(members[0], entries, found)
        protected = tuple((entry, found[entry.id]) for entry in members)
        made.append(BeforeAndAfter(members[0].dataset, first, original, protected))
    there = {one.dataset for one in made}
    for dataset, unprotected in unprotected_of(entries).items():
        known = [one for one in unprotected if one.id in found]
        if known and dataset not in there:
            made.append(BeforeAndAfter(dataset, found[known[0].id], (known[0], found[known[0].id]), ()))
    return tuple(made)


def original_of(
    entry: Entry, entries: Sequence[Entry], found: Mapping[str, Uniqueness]
) -> tuple[Entry, Uniqueness] | None:
    """Original speech of the dataset of an assessment in which something was inferred; None where none is.

    Of several the first of the same people and attributes, else the first.
    """
    unprotected = unprotected_of(entries).get(entry.dataset, ())
    known = [(one, found[one.id]) for one in unprotected if one.id in found and found[one.id].inferred]
    mine = found.get(entry.id)
    like = [pair for pair in known if mine is not None and mine.is_like(pair[1])]
    return next(iter([*like, *known]), None)


def as_json(found: Uniqueness | None) -> dict[str, object] | None:
    """What was found of an assessment; None where there are no attributes."""
    return None if found is None else found.as_json()


def _as_json(found: Combinations) -> dict[str, object]:
    return {
        "unique": found.share_unique,
        "smallest": found.smallest,
        "below_eleven": found.n_in_small,
        "curve": list(found.curve),
    }


def _inferred_as_json(inferred: InferredCombinations) -> dict[str, object]:
    people = inferred.found.n_people
    return {
        "attributes": list(inferred.attributes),
        "people": people,
        **_as_json(inferred.found),
        "right": inferred.n_right / people,
        "right_and_unique": inferred.n_right_and_unique / people,
        "ties": inferred.n_tied,
    }


def _facts(found: Combinations) -> dict[str, int]:
    return {"unique": found.n_unique, "people": found.n_people, "smallest": found.smallest}


def _inferred_in_words(code: str, inferred: InferredCombinations) -> str:
    return say(code, wrong=inferred.n_wrong_and_unique, **_facts(inferred.found))
