"""Everything that is said speaker by speaker about one set of comparisons, from one calibration.

The comparisons are those of an assessment, or of one setting of similarity matrices. What takes long is made
when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.tables.table import Role, SpeakerMap
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.reading import evidence_of, trials_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
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


def study_of(
    item: Item,
    setting: str | None = None,
    *,
    tag_scale: TagScale = PAPER_SCALE,
    on_progress: Progress = no_progress,
) -> SpeakerStudy:
    """Study an assessment, or one setting ("oo", "op" or "pp") of similarity matrices.

    Trials that are not in memory are read again from their files; disclosures, zoo and ranks are made. Raises
    InputError as `loading.trials_of` and `SpeakerTrials.of_trials` do.
    """
    if isinstance(item, SimilarityEntry):
        if setting not in item.similarity.matrices:
            raise InputError("no-such-setting", name=item.full_name, setting=(setting or "").upper())
        evidence = evidence_of(item, part_of(on_progress, 0.0, 0.7))
        trials = evidence.trials(setting, item.similarity.speakers)
    else:
        assert isinstance(item, Entry)  # noqa: S101 - there are no other items
        read = trials_of(item, part_of(on_progress, 0.0, 0.7))
        trials = SpeakerTrials.of_trials(read, _speakers_of(item))
    study = SpeakerStudy.of(trials, tag_scale)
    on_progress(0.8)
    _ = study.disclosures
    on_progress(0.85)
    study.tests(ZooScale.LLR, part_of(on_progress, 0.85, 0.9))
    study.tests(ZooScale.SCORE, part_of(on_progress, 0.9, 0.95))
    _ = study.mean_ranks
    on_progress(1.0)
    return study


def _speakers_of(entry: Entry) -> dict[str, str] | None:
    """The map of speakers among the files of an assessment. Raises InputError where it has changed."""
    for file in entry.files:
        if file.role == Role.SPEAKERS.value:
            may = unpacking_answer(file.path, entry.choices) == YES
            opened = open_source(Source(file.path, file.member, may))
            if opened.sha256 != file.sha256:
                raise InputError("changed", file=file.name)
            found = recognise(opened).read()
            if isinstance(found, SpeakerMap) and not found.is_gender:
                return dict(found.of)
    return None
