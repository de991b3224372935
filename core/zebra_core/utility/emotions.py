"""Whether emotions are still told: what a recogniser of emotion said of recordings against their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark, Severity
from zebra_core.evidence.value_types import Whole
from zebra_core.wording.texts import listed

_MOST_NAMED = 3
Value = Annotated[str, Meta(min_length=1, max_length=200)]
Counts = tuple[tuple[Whole, Whole], ...]
"""For each value how many recordings have it, and of how many of them it was told."""


@dataclass(frozen=True)
class Emotions:
    """How often each emotion was told of the recordings that have it.

    `values` ascend, `counts` are in their order. `by_speaker` has the counts of each speaker, ascending,
    without their names; empty where the speaker of some recording is not known.
    """

    values: tuple[Value, ...]
    counts: Counts
    by_speaker: tuple[Counts, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        of_each = (self.counts, *self.by_speaker)
        if len(self.values) < 2 or any(len(counts) != len(self.values) for counts in of_each):
            raise InputError("emotions-one", found=self.values[0] if self.values else "")
        if not all(count for count, _ in self.counts):
            raise InputError("emotions-nothing")
        if any(told > count for counts in of_each for count, told in counts):
            raise InputError("emotions-nothing")

    @property
    def uar(self) -> float:
        """The unweighted average recall: the mean over emotions of the share of their recordings told.

        Ref: Schuller et al. 2009, the INTERSPEECH emotion challenge; the VoicePrivacy 2024 evaluation plan.
        """
        return sum(told / count for count, told in self.counts) / len(self.counts)

    @property
    def chance(self) -> float:
        """What any guess without listening reaches: 1 over the number of emotions."""
        return 1.0 / len(self.values)

    @property
    def recordings(self) -> int:
        """How many recordings were compared."""
        return sum(count for count, _ in self.counts)

    def as_json(self) -> dict[str, object]:
        """Plain values, from which it is made again; remarks, which are about the files, are not kept."""

        def plain(counts: Counts) -> list[list[int]]:
            return [list(each) for each in counts]

        said: dict[str, object] = {"values": list(self.values), "counts": plain(self.counts)}
        if self.by_speaker:
            said["by_speaker"] = [plain(counts) for counts in self.by_speaker]
        return said


def emotions(
    labels: Mapping[str, str], guessed: Mapping[str, str], speaker_of: Mapping[str, str] | None = None
) -> Emotions:
    """What was told of the recordings of both files; `speaker_of` says who speaks in which.

    A recording that has a label and no guess, or the other way round, is left out, and a remark counts them:
    whether it was lost or never tried cannot be known. Raises InputError where no recording is in both, where
    these have one emotion alone, or where guesses use an emotion in other letters, as Sad for sad.
    """
    common = sorted(labels.keys() & guessed.keys())
    if not common:
        raise InputError("no-common-recording", label=listed([*labels][:1]), guess=listed([*guessed][:1]))
    values = tuple(sorted({labels[one] for one in common}))
    strange = sorted({guessed[one] for one in common} - set(values))
    folded = {value.casefold(): value for value in values}
    if found := next((word for word in strange if word.casefold() in folded), None):
        raise InputError("emotions-case", found=found, known=folded[found.casefold()])
    place = {value: number for number, value in enumerate(values)}
    known = speaker_of if speaker_of is not None and speaker_of.keys() >= set(common) else None
    of_each: dict[str, list[list[int]]] = {}
    for one in common:
        who = known[one] if known is not None else ""
        counts = of_each.setdefault(who, [[0, 0] for _ in values])[place[labels[one]]]
        counts[0] += 1
        counts[1] += guessed[one] == labels[one]
    by_speaker = tuple(sorted(tuple((count, told) for count, told in each) for each in of_each.values()))
    together = tuple(
        (sum(count for count, _ in each), sum(told for _, told in each))
        for each in zip(*by_speaker, strict=True)
    )
    remarks = _remarks_on(labels, guessed, strange)
    return Emotions(values, together, by_speaker if known is not None else (), remarks)


def _remarks_on(
    labels: Mapping[str, str], guessed: Mapping[str, str], strange: list[str]
) -> tuple[Remark, ...]:
    lost, extra = [one for one in labels if one not in guessed], [one for one in guessed if one not in labels]
    said = [
        Remark(code, {"count": len(names), "names": listed(names, most=_MOST_NAMED)}, Severity.WARNING)
        for code, names in (
            ("emotions-without-guess", lost),
            ("emotions-without-label", extra),
            ("emotions-never-there", strange),
        )
        if names
    ]
    return tuple(said)
