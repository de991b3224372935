"""Everything that is said speaker by speaker about one set of comparisons, from one calibration.

What takes long is made when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.accumulation import Accumulation, Pooling, accumulate
from zebra_core.speakers.disclosure import SpeakerDisclosures, speaker_disclosures
from zebra_core.speakers.ranks import Ranks, rank_true_speakers
from zebra_core.speakers.zoo import Zoo, ZooScale, zoo_of
from zebra_core.speakers.zoo_chance import Difference, GroupSize, ZooTests, zoo_tests


@dataclass(frozen=True, eq=False)
class SpeakerStudy:
    """The speakers of some comparisons, under the calibration that all of these share."""

    trials: SpeakerTrials
    oracle: Oracle
    tag_scale: TagScale = PAPER_SCALE

    @classmethod
    def of(cls, trials: SpeakerTrials, tag_scale: TagScale = PAPER_SCALE) -> SpeakerStudy:
        """Study these trials. Raises InputError where one of the two classes is empty."""
        n_target = int(trials.is_target.sum())
        if not n_target or n_target == len(trials):
            raise InputError("speakers-one-class")
        return cls(trials, Oracle.of(trials.score, trials.is_target), tag_scale)

    @cached_property
    def disclosures(self) -> SpeakerDisclosures:
        """What every speaker's own trials disclose."""
        return speaker_disclosures(self.trials, self.oracle, tag_scale=self.tag_scale)

    @cached_property
    def ranks(self) -> Ranks | None:
        """At which rank speakers are found; None where no test was compared with all enrolled speakers."""
        return rank_true_speakers(self.trials)

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """The mean rank of every speaker, where ranks are known."""
        return self.ranks.mean_ranks() if self.ranks else {}

    @cached_property
    def accumulations(self) -> dict[Pooling, Accumulation]:
        """What several utterances of one speaker add up to, by both ways to pool them."""
        return {pooling: accumulate(self.trials, pooling) for pooling in Pooling}

    @cached_property
    def _zoos(self) -> dict[ZooScale, Zoo]:
        return {scale: zoo_of(self.trials, self.oracle, scale) for scale in ZooScale}

    def zoo(self, scale: ZooScale) -> Zoo:
        """Every speaker at the mean of own and of others' values."""
        return self._zoos[scale]

    @cached_property
    def _tests(self) -> dict[ZooScale, ZooTests]:
        return {}

    def tests(self, scale: ZooScale, on_progress: Progress = no_progress) -> ZooTests:
        """Whether animals are more than chance, by exchanges of recordings; made once for each scale."""
        if scale not in self._tests:
            made = zoo_tests(self.trials, self.oracle, scale, zoo=self._zoos[scale], on_progress=on_progress)
            self._tests[scale] = made
        return self._tests[scale]

    def group_sizes(self, scale: ZooScale) -> tuple[GroupSize, ...]:
        """Each corner's size of that zoo against chance."""
        return self.tests(scale).sizes

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures."""
        return self.disclosures.remarks

    def differences(self, scale: ZooScale, on_progress: Progress = no_progress) -> tuple[Difference, ...]:
        """Whether goats, lambs and wolves are more than chance."""
        return self.tests(scale, on_progress).differences
