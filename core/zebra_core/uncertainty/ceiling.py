"""How much of the scale these data can reach at all, and how many trials it would take to reach more."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.scales import ON_A_BOUND, Tag
from zebra_core.wording.numbers import log10_lr
from zebra_core.wording.texts import say

_NEAR = math.log10(2.0)  # half of the LR that could be seen


@dataclass(frozen=True)
class TrialsNeeded:
    """The trials that could show a tag: so many nontargets with the targets there are, or the other way.

    Either alone is enough.
    """

    tag: Tag
    n_nontarget: int
    n_target: int


@dataclass(frozen=True)
class Ceiling:
    """The strongest evidence that perfect separation of so many trials shows on the side of the worst case.

    `log10_lr` is its magnitude; evidence for one speaker and for two has not the same ceiling.
    """

    log10_lr: float
    tag: Tag
    is_reached: bool  # near the ceiling of its side, and with its tag: a worse one could not have been seen
    needed: tuple[TrialsNeeded, ...]  # for the tags above it, in their order

    def badge(self) -> str:
        """The tag, and whether the data end there: "C, at the limit of these data"."""
        code = "ceiling.reached" if self.is_reached else "ceiling.not-reached"
        return say(code, tag=self.tag.letter, ceiling=log10_lr(self.log10_lr))

    def sentence(self) -> str:
        """How many trials the next tags would take; empty where there is none."""
        codes = ("ceiling.needed", *("ceiling.needed-next" for _ in self.needed[1:]))
        return " ".join(
            say(code, tag=each.tag.letter, nontarget=each.n_nontarget, target=each.n_target)
            for code, each in zip(codes, self.needed, strict=False)
        )


def ceiling_of(assessment: Assessment) -> Ceiling:
    """The ceiling of an assessment on its own scale of tags."""
    scale = assessment.settings.tag_scale
    highest = abs(assessment.strongest_ceiling_log10_lr)
    tag = scale.tag_of(highest)
    is_near = assessment.worst_case_log10_lr >= highest - _NEAR
    most = scale.tag_of(assessment.worst_case_ceiling_log10_lr)  # on either side
    above = scale.tags[scale.tags.index(most) + 1 :]
    shown, *needed = (replace(each, letter=scale.shown(each.letter)) for each in (tag, *above))
    return Ceiling(
        highest,
        shown,
        is_near and assessment.tag == tag.letter,
        tuple(trials_needed(each, assessment.n_target, assessment.n_nontarget) for each in needed),
    )


def trials_needed(tag: Tag, n_target: int, n_nontarget: int) -> TrialsNeeded:
    """How many trials of either class a tag would take, with those of the other class as they are.

    By Laplace's rule T targets all above N nontargets have the LR (T + 1)/T · N, and T/N · (N + 1) stands
    against it: so N = ⌈10^l · T/(T + 1)⌉ nontargets reach the bound l, and T = ⌈10^l · N/(N + 1)⌉ targets do.
    Ref: the ZEBRA paper, footnote 6.
    """
    bound = 10.0 ** (tag.from_log10_lr - ON_A_BOUND)
    return TrialsNeeded(
        tag,
        math.ceil(bound * n_target / (n_target + 1)),
        math.ceil(bound * n_nontarget / (n_nontarget + 1)),
    )
