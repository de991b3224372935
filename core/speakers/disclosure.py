"""Disclosure speaker by speaker: who exactly is at risk.

What csl2022 leaves for the future (section 8): the figures of the ZEBRA paper for the trials of one speaker.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_trials import Side, SpeakerTrials
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.metrics.zebra import LN10, disclosed_area, worst_case_ceiling_log10_lr
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class SpeakerDisclosure:
    """What the trials of one speaker disclose, under the calibration that all speakers share."""

    speaker: str
    n_target: int
    n_nontarget: int
    d_ece_bits: float  # below 0 where the common calibration misleads the adversary about this speaker
    worst_case_log10_lr: float
    tag: str
    ceiling_log10_lr: float  # the largest worst case that so many trials could show on their own
    quantile: float  # share of the other speakers who disclose less, those alike counted half; 0 … 1


@dataclass(frozen=True, eq=False)
class SpeakerDisclosures:
    """All speakers with both target and nontarget trials, the most exposed (largest D_ECE) first.

    `left_out` names the others. `ceiling_log10_lr` is that of all trials together: no worst case is above it.
    """

    speakers: tuple[SpeakerDisclosure, ...]
    left_out: tuple[str, ...]
    side: Side
    ceiling_log10_lr: float
    tag_scale: TagScale

    def __len__(self) -> int:
        return len(self.speakers)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures."""
        facts: dict[str, object] = {"count": len(self.left_out), "names": listed(self.left_out)}
        return (Remark("speakers-without-disclosure", facts),) if self.left_out else ()

    def of(self, speaker: str) -> SpeakerDisclosure:
        """The figures of one speaker. Raises KeyError."""
        for found in self.speakers:
            if found.speaker == speaker:
                return found
        raise KeyError(speaker)

    def keeping(self, tag: str = "C") -> tuple[SpeakerDisclosure, ...]:
        """The speakers with this tag or a worse one, the most exposed first."""
        letters = [each.letter for each in self.tag_scale.tags]
        worse = letters[letters.index(tag) :]
        return tuple(found for found in self.speakers if found.tag in worse)

    def sentence(self, safeguard: str, tag: str = "C") -> str:
        """How many of the speakers keep this tag or a worse one under a safeguard, and who."""
        kept = [found.speaker for found in self.keeping(tag)]
        code = "speakers.keep-tag" if kept else "speakers.keep-tag-nobody"
        return say(
            code, count=len(kept), speakers=len(self), tag=tag, safeguard=safeguard, names=listed(kept)
        )


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """The same speakers before and under a safeguard, in the order of `after`; who is in one only."""

    pairs: tuple[tuple[SpeakerDisclosure, SpeakerDisclosure], ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


def speaker_disclosures(
    trials: SpeakerTrials,
    oracle: Oracle | None = None,
    *,
    side: Side = Side.EITHER,
    tag_scale: TagScale = PAPER_SCALE,
) -> SpeakerDisclosures:
    """D_ECE (plain PAV), worst case and tag (Laplace's rule) of every speaker's own trials.

    All speakers share the calibration `oracle`, by default that of these trials. Own trials are those in
    which the speaker takes part on the given side. O(n), without a loop over trials or speakers.
    """
    oracle = oracle or Oracle.of(trials.score, trials.is_target)
    plain = oracle.block_of(trials.score, oracle.plain)
    target = trials.sums_by_speaker(trials.is_target, side, None, plain, len(oracle.plain.llr))
    nontarget = trials.sums_by_speaker(~trials.is_target, side, None, plain, len(oracle.plain.llr))
    n_target, n_nontarget = target.sum(axis=1).astype(np.int64), nontarget.sum(axis=1).astype(np.int64)
    has = np.flatnonzero((n_target > 0) & (n_nontarget > 0))

    gain = target[has] @ _area(oracle.plain.llr) / n_target[has]
    gain += nontarget[has] @ _area(-oracle.plain.llr) / n_nontarget[has]
    d_ece = gain / LN2
    worst = _worst_cases(trials, oracle, side)[has]
    quantile = (pd.Series(d_ece).rank().to_numpy() - 1.0) / max(1, len(has) - 1)
    names = [trials.speakers[int(code)] for code in has]
    rows = [
        SpeakerDisclosure(
            names[k],
            int(n_target[code]),
            int(n_nontarget[code]),
            float(d_ece[k]),
            float(worst[k]),
            tag_scale.tag_of(float(worst[k])).letter,
            worst_case_ceiling_log10_lr(int(n_target[code]), int(n_nontarget[code])),
            float(quantile[k]),
        )
        for k, code in enumerate(has)
    ]
    rows.sort(key=lambda row: (-row.d_ece_bits, row.speaker))
    left_out = tuple(name for name in trials.speakers if name not in set(names))
    return SpeakerDisclosures(tuple(rows), left_out, side, oracle.ceiling_log10_lr, tag_scale)


def before_and_after(before: SpeakerDisclosures, after: SpeakerDisclosures) -> BeforeAfter:
    """Pair the speakers of two conditions by name."""
    first = {found.speaker: found for found in before.speakers}
    second = {found.speaker: found for found in after.speakers}
    return BeforeAfter(
        tuple((first[name], found) for name, found in second.items() if name in first),
        _missing(first, second),
        _missing(second, first),
    )


def _missing(names: Iterable[str], others: Container[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def _area(llr: FloatArray) -> FloatArray:
    """Z of each block; 0 where it is infinite, since no trial of that class is in such a block."""
    area = disclosed_area(llr)
    return np.where(np.isfinite(area), area, 0.0)


def _worst_cases(trials: SpeakerTrials, oracle: Oracle, side: Side) -> FloatArray:
    """The largest |LLR| of each speaker's trials under Laplace's rule, base 10, shape (speakers,)."""
    llr = oracle.laplace.llr
    everything = np.ones(len(trials), dtype=np.bool_)
    block: IntArray = oracle.block_of(trials.score, oracle.laplace)
    occurs = trials.sums_by_speaker(everything, side, None, block, len(llr)) > 0.0
    return np.asarray(np.where(occurs, np.abs(llr), 0.0).max(axis=1) / LN10)
