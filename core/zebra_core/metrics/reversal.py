"""What the same scores disclose where lower means more alike."""

from __future__ import annotations

from dataclasses import dataclass

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.metrics.calibration import laplace, pav
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import d_ece_bits, strongest_log10_lrs, worst_case_log10_lr


@dataclass(frozen=True)
class ReversedFigures:
    """The ZEBRA figures of the scores with their signs changed, on the scale of tags of the assessment."""

    d_ece_bits: float
    worst_case_log10_lr: float
    tag: str

    @classmethod
    def of(cls, counts: ScoreCounts, scale: TagScale) -> ReversedFigures:
        """Oracle calibration of the reversed scores; O(m) in distinct scores."""
        plain = pav(reversed_counts(counts))
        worst = worst_case_log10_lr(laplace(plain))
        tag = scale.tag_of_scores(worst, are_equal=len(counts.score) == 1)
        return cls(d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share), worst, tag.letter)


def reversed_counts(counts: ScoreCounts) -> ScoreCounts:
    """The counts of the scores with their signs changed."""
    return ScoreCounts(-counts.score[::-1], counts.n_target[::-1], counts.n_nontarget[::-1])


def strongest_reversed_log10_lr(counts: ScoreCounts) -> float:
    """The worst case of the reversed scores, base 10, signed; where both are as strong, for one speaker."""
    against, for_ = strongest_log10_lrs(laplace(pav(reversed_counts(counts))))
    return for_ if for_ >= -against else against
