"""Everything that is said speaker by speaker about one set of comparisons, from one calibration.

What takes long is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_names import Sessions
from zebra_core.evidence.speaker_trials import SpeakerCounts, SpeakerTrials, speakers_of
from zebra_core.evidence.trials import BoolArray, FloatArray, ScoreCounts, Trials
from zebra_core.evidence.value_types import NumberOrNone, Positive, json_object, note
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.chance.partitioning import into_folds
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.ece import ece_bits, pav
from zebra_core.metrics.error_rates import cllr_bits, rounding_facts
from zebra_core.metrics.learnt_calibration import IsotonicCalibration, JudgedLlrs, LinearCalibration, judge
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.accumulation import Accumulation, Pooling, accumulate
from zebra_core.speakers.disclosure import (
    FEWEST_SEGMENTS,
    SpeakerDisclosure,
    SpeakerDisclosures,
    disclosures_of_counts,
    speaker_disclosures,
)
from zebra_core.speakers.rank_disclosure import Ranks, rank_true_speakers, ranks_of_counts
from zebra_core.speakers.zoo import (
    GroupSize,
    SpeakerDifference,
    Zoo,
    ZooScale,
    ZooTests,
    tests_of_counts,
    zoo_of,
    zoo_tests,
)
from zebra_core.wording.texts import say, visible, written


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


# The most exposed person, whoever that is: over all people, and over all attacks that were tried on them.


_END = 0.975  # of either end: both hold at 95 %

MOST_EXPOSED = json_object(
    "MostExposed",
    speaker=note(str, "whose estimate is highest; others may be exposed as much, see alike"),
    bits=float,
    low=note(
        NumberOrNone, "of the most exposed, whoever that is, at 95 %; null where nothing is known of it"
    ),
    high=NumberOrNone,
    named=note(bool, "whether this speaker stands out from the others"),
    alike=note(
        Positive | None, "how many people cannot be told from the most exposed; 1 where it is this one"
    ),
)


@dataclass(frozen=True)
class MostExposed:
    """Who has the highest estimate, `row`, by the attack of this `number`, and how exposed the highest is.

    Between `low_bits` and `high_bits` lies with 95 % confidence what new recordings of the most exposed
    person would disclose to the attack that learns most of them, whoever that is. The lower end is the
    highest lower bound of anybody, corrected for attacks; for people it need not be, since estimates are
    shrunk as far as the highest of so many lies too high. The upper end is the highest upper bound
    (`Exposures.outer`). Both are moved by what other people would make of the calibration. `alike` counts the
    people whose upper bound reaches the highest lower one under the same calibration: one of them is the most
    exposed. NaN and None where nothing is known of the scatter within people.
    """

    row: SpeakerDisclosure
    number: int
    low_bits: float
    high_bits: float
    alike: int | None
    people: int

    @classmethod
    def of(
        cls,
        attacks: Sequence[SpeakerDisclosures],
        among: Collection[str] | None = None,
        *,
        datasets: Sequence[str] = (),
    ) -> MostExposed | None:
        """Over one attack or more, of people `among` these where given; None of nobody.

        With `datasets` of the attacks the same name in two of them is not the same person.
        Who has fewer than three recordings has no lower bound of their own.
        """
        each = [
            (number, place, row)
            for number, found in enumerate(attacks)
            for place, row in enumerate(found.speakers)
            if among is None or row.speaker in among
        ]
        if not each:
            return None
        number, _, highest = max(each, key=lambda one: one[2].estimate_bits)
        of = datasets or [""] * len(attacks)
        people = len({(of[k], row.speaker) for k, _, row in each})
        once = float(scipy.special.ndtri(_END))
        corrected = -float(scipy.special.ndtri(Family(len(attacks), _END).level_of_each))
        of_each = [(found.exposures, found.codes) for found in attacks]
        upper = [one.outer(once) for one, _ in of_each]
        lower = [one.at(corrected) for one, _ in of_each]
        ends = [
            [one.recalibrated(deviate, end[k])[codes] for k, (one, codes) in enumerate(of_each)]
            for deviate, end in ((corrected, lower), (once, upper))
        ]
        known = [one for one in each if not np.isnan(ends[1][one[0]][one[1]])]
        sure = [(k, place) for k, place, row in known if row.n_segments >= FEWEST_SEGMENTS]
        if not sure:
            return cls(highest, number, np.nan, np.nan, None, people)
        low = float(max(ends[0][k][place] for k, place in sure))
        high = float(max(ends[1][k][place] for k, place, _ in known))
        reached = max(lower[k][of_each[k][1][place]] for k, place in sure)
        alike = {(of[k], row.speaker) for k, place, row in known if upper[k][of_each[k][1][place]] >= reached}
        return cls(highest, number, low, max(high, highest.estimate_bits), len(alike), people)

    def __str__(self) -> str:
        facts: dict[str, object] = {"count": self.people, "bits": written(self.row.estimate_bits, ".2f")}
        facts |= {"speaker": visible(self.row.speaker), "alike": self.alike}
        facts |= {"low": written(self.low_bits, ".2f"), "high": written(self.high_bits, ".2f")}
        code = "highest" if not self.has_interval else "highest-alone" if self.is_alone else "highest-alike"
        return say(f"speakers.{code}", **facts)

    @property
    def has_interval(self) -> bool:
        """Whether anything is known of how exposed the highest is."""
        return self.alike is not None

    @property
    def is_alone(self) -> bool:
        """Whether nobody but the highest may be the most exposed."""
        return self.alike == 1

    def as_json(self) -> dict[str, object]:
        """What `zebra assess --json`, answers and evidence say of the most exposed; a promise."""
        return {
            "speaker": self.row.speaker,
            "bits": self.row.estimate_bits,
            "low": self.low_bits if self.has_interval else None,
            "high": self.high_bits if self.has_interval else None,
            "named": self.row.stands_out,
            "alike": self.alike,
        }


# The attacker's calibration within one run, learnt on some speakers and judged on others.


FOLDS = 5


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Both calibrations, and the oracle's figures on the same trials: the gap is the oracle's optimism."""

    prior_log_odds: FloatArray
    linear: JudgedLlrs
    isotonic: JudgedLlrs
    d_ece_bits: float  # oracle, on the trials that were judged
    min_cllr_bits: float
    min_bits: FloatArray  # and its ECE at the priors, shape (p,)
    n_speakers: int
    n_judged: int
    n_left_out: int  # trials whose two speakers fall in different folds
    n_folds: int
    seed: int


def cross_validate(
    trials: Trials,
    prior_log_odds: FloatArray,
    utt2spk: Mapping[str, str] | None = None,
    *,
    n_folds: int = FOLDS,
    seed: int = 0,
    prior: float = 0.5,
    on_progress: Progress = no_progress,
) -> CrossValidation:
    """Judge each fold of speakers by calibrations learnt on trials in which none of them takes part.

    Speakers are dealt into `n_folds` folds at random (`seed`), or fewer, of at least two each. A trial is
    judged when both its speakers are in one fold, else left out and counted; calibrations are learnt on
    all trials between speakers of the other folds. Who is whose speaker: see `speakers_of`. Raises
    InputError without ids, with fewer than four speakers, or where a fold leaves a class without trials.
    """
    trials = in_order(trials)
    if trials.enrol is None or trials.test is None:
        raise InputError("folds-without-ids")
    enrol, test = speakers_of(trials.enrol, trials.test, trials.is_target, utt2spk or {})
    n_dealt = int(max(enrol.max(), test.max())) + 1
    n_speakers = n_dealt - n_unknown(trials, utt2spk or {})
    n_folds = min(n_folds, n_dealt // 2)  # one speaker alone makes no nontarget trial
    if n_folds < 2:
        raise InputError("folds-few-speakers", count=n_speakers)
    dealt = into_folds(n_dealt, n_folds, generator(seed, Purpose.FOLDS))
    enrol_fold, test_fold = dealt[enrol], dealt[test]

    judged = enrol_fold == test_fold
    linear, isotonic = np.zeros(len(trials)), np.zeros(len(trials))
    for fold in range(n_folds):
        on_progress(fold / n_folds)
        here = judged & (enrol_fold == fold)
        if not here.any():
            continue
        train = _counted(trials, (enrol_fold != fold) & (test_fold != fold))
        linear[here] = LinearCalibration.fit(train, prior).llr(trials.score[here])
        isotonic[here] = IsotonicCalibration.fit(train).llr(trials.score[here])

    plain = pav(_counted(trials, judged))
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    is_target = trials.is_target[judged]
    return CrossValidation(
        prior_log_odds=prior_log_odds,
        linear=_judge(linear[judged], is_target, prior_log_odds),
        isotonic=_judge(isotonic[judged], is_target, prior_log_odds),
        d_ece_bits=d_ece_bits(*oracle),
        min_cllr_bits=cllr_bits(*oracle),
        min_bits=ece_bits(prior_log_odds, *oracle),
        n_speakers=n_speakers,
        n_judged=int(judged.sum()),
        n_left_out=int((~judged).sum()),
        n_folds=n_folds,
        seed=seed,
    )


def n_unknown(trials: Trials, utt2spk: Mapping[str, str]) -> int:
    """How many test segments nobody knows the speakers of: each is held apart by itself, but is no speaker.

    They are in no target trial, not in the map, and nobody's enrolment.
    """
    if trials.enrol is None or trials.test is None:
        return 0
    known = {trials.test.names[code] for code in np.unique(trials.test.codes[trials.is_target])}
    known.update(trials.enrol.names)
    return sum(name not in known and name not in utt2spk for name in trials.test.names)


def _counted(trials: Trials, chosen: BoolArray) -> ScoreCounts:
    is_target = trials.is_target[chosen]
    if not is_target.any() or is_target.all():
        raise InputError("folds-one-class")
    return ScoreCounts.of(trials.score[chosen], is_target)


def _judge(llr: FloatArray, is_target: BoolArray, prior_log_odds: FloatArray) -> JudgedLlrs:
    counts = ScoreCounts.of(llr, is_target)
    return judge(counts.score, counts, prior_log_odds)
