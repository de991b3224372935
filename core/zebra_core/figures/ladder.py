"""The ladder of tags: where a |log10 LR| stands among steps of one width, a step for each tag."""

from __future__ import annotations

from dataclasses import dataclass

from zebra_core.metrics.scales import TagScale
from zebra_core.wording.texts import written

_ROOM_AT_END = 1.05


@dataclass(frozen=True)
class Ladder:
    """The tags of a scale from left to right, step k between the places k and k + 1.

    The first step is for exactly no evidence, the last has no bound above: it ends a little beyond the
    highest value shown, or where it is as long as the step before it. Within a step places follow the value.
    """

    letters_in_order: tuple[str, ...]
    bounds: tuple[float, ...]  # where steps end and begin, from the second step on, with the end of the last

    @classmethod
    def of(cls, scale: TagScale, highest: float) -> Ladder:
        """The ladder of a scale that has room for values up to `highest`."""
        bounds = [tag.from_log10_lr for tag in scale.tags[1:]]
        before = bounds[-1] - bounds[-2] if len(bounds) > 1 else 1.0
        end = max(bounds[-1] + before, _ROOM_AT_END * highest)
        return cls(tuple(tag.letter for tag in scale.tags), (*bounds, end))

    @property
    def end(self) -> float:
        """Where the last step ends."""
        return float(len(self.letters_in_order))

    @property
    def letters(self) -> tuple[tuple[float, str], ...]:
        """Every tag with the middle of its step."""
        return tuple((number + 0.5, letter) for number, letter in enumerate(self.letters_in_order))

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """The bounds of the tags where their steps begin; the last step has no end."""
        return tuple((number, written(bound, "g")) for number, bound in enumerate(self.bounds[:-1], start=1))

    def place(self, log10_lr: float) -> float:
        """Where a |log10 LR| stands; 0 is where the first and the second step meet."""
        for number, (low, high) in enumerate(zip(self.bounds, self.bounds[1:], strict=False), start=1):
            if log10_lr < high:
                return number + (log10_lr - low) / (high - low)
        return self.end

    def place_of_worst_case(self, log10_lr: float, tag: str) -> float:
        """Where a worst case stands: that of the first tag in the middle of its step."""
        first, *_ = self.letters_in_order
        return 0.5 if tag == first else self.place(log10_lr)

    def step(self, tag: str) -> tuple[float, float]:
        """Where the step of a tag begins and ends."""
        number = self.letters_in_order.index(tag)
        return float(number), number + 1.0
