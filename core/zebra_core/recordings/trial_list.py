"""Which recordings are compared: every pair, or enrolment and test recordings apart as in the challenge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError

MOST_TRIALS = 5_000_000
CONDITIONS = "oo", "oa", "aa"
"""Original with original, original with protected, protected with protected: as the challenge calls them."""


@dataclass(frozen=True, eq=False)
class TrialList:
    """Who is compared with whom. Recordings are numbered in the order of their ids.

    `models` has the recordings of each enrolment, `pairs` (n, 2) the number of a model and of a recording.
    """

    ids: tuple[str, ...]
    speaker: tuple[str, ...]  # of each recording
    enrol_ids: tuple[str, ...]
    models: tuple[tuple[int, ...], ...]
    pairs: NDArray[np.int64]
    is_target: NDArray[np.bool_]
    same_sex: bool  # whether nontarget trials are of one sex alone
    left_out: tuple[str, ...] = ()  # speakers with too few recordings

    @property
    def people(self) -> NDArray[np.int64]:
        """Who speaks in each recording, by number."""
        return np.unique(np.array(self.speaker), return_inverse=True)[1].astype(np.int64)

    @property
    def enrolled(self) -> NDArray[np.int64]:
        """Who speaks in each model."""
        return self.people[[members[0] for members in self.models]]

    @property
    def segments(self) -> tuple[str, ...]:
        """The ids of the recordings on the test side."""
        return tuple(self.ids[n] for n in np.unique(self.pairs[:, 1]))


@dataclass(frozen=True)
class TrialCount:
    """How many trials a list will have."""

    trials: int
    targets: int


def count_trials(
    speaker: Mapping[str, str],
    sex: Mapping[str, str],
    conditions: Sequence[str],
    *,
    every_pair: bool,
    enrol: int,
) -> dict[str, TrialCount]:
    """How many there will be of each condition: oo, oa, aa. Raises InputError where none can be made."""
    if every_pair:
        return {one: count_every_pair(speaker, across=one == "oa") for one in conditions}
    return dict.fromkeys(conditions, count_apart(speaker, enrol, sex))


def count_every_pair(speaker: Mapping[str, str], *, across: bool) -> TrialCount:
    """What `every_pair` will come to. Raises InputError as it does."""
    sizes = Counter(speaker.values())
    times = 2 if across else 1
    found = TrialCount(times * comb(len(speaker), 2), times * sum(comb(size, 2) for size in sizes.values()))
    return _refused(found, len(sizes))


def count_apart(speaker: Mapping[str, str], enrol: int, sex: Mapping[str, str]) -> TrialCount:
    """What `apart` will come to. Raises InputError as it does."""
    sizes = Counter(speaker.values())
    tests = {who: size - enrol for who, size in sizes.items() if size > enrol}
    known = all(sex.get(who) for who in tests)
    of_sex: dict[str, list[int]] = defaultdict(list)
    for who, count in tests.items():
        of_sex[sex[who] if known else ""].append(count)
    found = TrialCount(sum(len(counts) * sum(counts) for counts in of_sex.values()), sum(tests.values()))
    if len(tests) * found.targets > MOST_TRIALS:
        raise InputError("trials-too-many-apart", count=len(tests) * found.targets, most=MOST_TRIALS)
    _refuse_large_enrolment(len(tests), len(sizes), enrol)
    return _refused(found, len(tests))


def _refuse_large_enrolment(enough: int, speakers: int, enrol: int) -> None:
    """Where there would be two speakers, had they more recordings, or were fewer enrolled."""
    if enough < 2 <= speakers:
        raise InputError("trials-enrolment", count=enough, enrol=enrol)


def _refused(found: TrialCount, speakers: int) -> TrialCount:
    if found.trials > MOST_TRIALS:
        raise InputError("trials-too-many", count=found.trials, most=MOST_TRIALS)
    if speakers < 2:
        raise InputError("trials-one-speaker", count=speakers)
    if not found.targets:
        raise InputError("trials-no-target")
    if found.targets == found.trials:
        raise InputError("trials-no-nontarget")
    return found


def every_pair(speaker: Mapping[str, str], *, across: bool) -> TrialList:
    """Each recording with each other, counted once.

    Where both sides are the same speech, the recording whose id comes first is the enrolment. `across`,
    original against protected, a pair of recordings has two trials: each is the original one once. Never is a
    recording compared with its own protected version. Raises InputError where there are more than
    `MOST_TRIALS`, or no target or no nontarget trial.
    """
    ids = tuple(sorted(speaker))
    count = len(ids) * (len(ids) - 1) // (1 if across else 2)
    if count > MOST_TRIALS:
        raise InputError("trials-too-many", count=count, most=MOST_TRIALS)
    upper = np.stack(np.triu_indices(len(ids), 1), axis=1).astype(np.int64)
    pairs = np.concatenate([upper, upper[:, ::-1]]) if across else upper
    who = tuple(speaker[name] for name in ids)
    models = tuple((n,) for n in range(len(ids)))
    is_target = _same(who, pairs[:, 0], pairs[:, 1])
    return _checked(TrialList(ids, who, ids, models, pairs, is_target, same_sex=False))


def apart(speaker: Mapping[str, str], enrol: int, sex: Mapping[str, str]) -> TrialList:
    """Models of the first `enrol` recordings of each speaker, by id, against the other recordings of all.

    Speakers with no more recordings than that are left out. Where the sex of all is known, nontarget trials
    are of one sex. Raises InputError as `every_pair` does.
    """
    of_each: dict[str, list[str]] = defaultdict(list)
    for name in sorted(speaker):
        of_each[speaker[name]].append(name)
    enough = {who: names for who, names in of_each.items() if len(names) > enrol}
    ids = tuple(sorted(name for names in enough.values() for name in names))
    place = {name: number for number, name in enumerate(ids)}
    who = tuple(speaker[name] for name in ids)
    enrol_ids = tuple(sorted(enough))
    models = tuple(tuple(place[name] for name in enough[one][:enrol]) for one in enrol_ids)
    tests = [place[name] for one in enrol_ids for name in enough[one][enrol:]]
    if len(models) * len(tests) > MOST_TRIALS:
        raise InputError("trials-too-many-apart", count=len(models) * len(tests), most=MOST_TRIALS)
    pairs = np.array(
        [(model, test) for model in range(len(models)) for test in sorted(tests)], dtype=np.int64
    )
    pairs = pairs.reshape(-1, 2)
    model_speaker = np.array(enrol_ids, dtype=object)
    test_speaker = np.array(who, dtype=object)
    is_target = model_speaker[pairs[:, 0]] == test_speaker[pairs[:, 1]]
    same_sex = bool(enough) and all(sex.get(one) for one in enough)
    if same_sex:
        sexes = {one: sex[one] for one in enough}
        left = np.array([sexes[one] for one in enrol_ids])[pairs[:, 0]]
        right = np.array([sexes[one] for one in who])[pairs[:, 1]]
        pairs, is_target = pairs[left == right], is_target[left == right]
    _refuse_large_enrolment(len(enough), len(of_each), enrol)
    left_out = tuple(sorted(set(of_each) - set(enough)))
    return _checked(
        TrialList(ids, who, enrol_ids, models, pairs, is_target.astype(np.bool_), same_sex, left_out)
    )


def _same(who: Sequence[str], left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
    number = np.unique(np.array(who), return_inverse=True)[1] if who else np.empty(0, np.int64)
    found: NDArray[np.bool_] = number[left] == number[right]
    return found


def _checked(found: TrialList) -> TrialList:
    if len(set(found.speaker)) < 2:
        raise InputError("trials-one-speaker", count=len(set(found.speaker)))
    if not found.is_target.any():
        raise InputError("trials-no-target")
    if found.is_target.all():
        raise InputError("trials-no-nontarget")
    return found
