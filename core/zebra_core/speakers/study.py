"""Everything that is said speaker by speaker about one set of comparisons, from one calibration.

What takes long is made when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_names import Sessions
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.rounding import rounding_facts
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.accumulation import Accumulation, Pooling, accumulate
from zebra_core.speakers.disclosure import SpeakerDisclosures, disclosures_of_counts, speaker_disclosures
from zebra_core.speakers.most_exposed import MostExposed
from zebra_core.speakers.ranks import Ranks, rank_true_speakers, ranks_of_counts
from zebra_core.speakers.zoo import Zoo, ZooScale, zoo_of
from zebra_core.speakers.zoo_chance import GroupSize, SpeakerDifference, ZooTests, tests_of_counts, zoo_tests


@dataclass(frozen=True, eq=False)
class SpeakerStudy:
    """The speakers of some comparisons, under the calibration that all of these share.

    Of counts nothing is known of what several utterances add up to, nor whether speakers differ by more than
    their recordings; ranks only where an engine ranked each recording. Where `sessions` are known, speakers
    differ by more than their sessions, each of which is one recording in `disclosures`.
    """

    trials: SpeakerTrials | SpeakerCounts
    oracle: Oracle
    tag_scale: TagScale = PAPER_SCALE
    sessions: Sessions | None = None

    @classmethod
    def of(
        cls,
        trials: SpeakerTrials | SpeakerCounts,
        tag_scale: TagScale = PAPER_SCALE,
        sessions: Sessions | None = None,
    ) -> SpeakerStudy:
        """Study these trials. Raises InputError where one of the two classes is empty."""
        if trials.is_target.all() or not trials.is_target.any():
            raise InputError("speakers-one-class")
        return cls(trials, Oracle.of_speakers(trials), tag_scale, sessions)

    @property
    def single(self) -> SpeakerTrials | None:
        """The single trials; None where these are only counted."""
        return None if isinstance(self.trials, SpeakerCounts) else self.trials

    @cached_property
    def disclosures(self) -> SpeakerDisclosures:
        """What every speaker's own trials disclose."""
        if isinstance(self.trials, SpeakerCounts):
            return disclosures_of_counts(self.trials, self.oracle, tag_scale=self.tag_scale)
        trials = self.trials if self.sessions is None else self.trials.in_sessions(self.sessions)
        return speaker_disclosures(trials, self.oracle, tag_scale=self.tag_scale)

    @cached_property
    def most_exposed(self) -> MostExposed | None:
        """Who is most exposed, and how much; None of nobody."""
        return MostExposed.of([self.disclosures])

    @cached_property
    def ranks(self) -> Ranks | None:
        """At which rank speakers are found; None where no test was compared with all enrolled speakers."""
        if isinstance(self.trials, SpeakerCounts):
            return ranks_of_counts(self.trials)
        return rank_true_speakers(self.trials)

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """The mean rank of every speaker, where ranks are known."""
        return self.ranks.mean_ranks() if self.ranks else {}

    @cached_property
    def accumulations(self) -> dict[Pooling, Accumulation]:
        """What several utterances of one speaker add up to, by both ways to pool them; of counts nothing."""
        return {pooling: accumulate(self.single, pooling) for pooling in Pooling} if self.single else {}

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
        if isinstance(self.trials, SpeakerCounts):
            return tests_of_counts(self._zoos[scale])
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
        remarks = self.disclosures.remarks
        if not isinstance(self.trials, SpeakerCounts) or not self.trials.width:
            return remarks
        return (*remarks, Remark("speakers-rounded", rounding_facts(self.trials.counted)))

    def differences(
        self, scale: ZooScale, on_progress: Progress = no_progress
    ) -> tuple[SpeakerDifference, ...]:
        """Whether goats, lambs and wolves are more than chance."""
        return self.tests(scale, on_progress).differences
