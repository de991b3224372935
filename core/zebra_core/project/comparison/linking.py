"""Linking and singling out in an assessment of the project, whose trials may have to be read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import Trials
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import counts_of, is_counted, speakers_of_entry, trials_of
from zebra_core.project.satellites import record_file
from zebra_core.runtime.progress import LastUsed, Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.reidentification import (
    Reidentification,
    StatedLinkage,
    linkage_among,
    linkage_among_counted,
    of_counts,
    reidentification,
)
from zebra_core.wording.texts import of_hundred, say, written

_known = LastUsed[Reidentification]()
_among = LastUsed[StatedLinkage]()


def reidentification_of(
    entry: Entry,
    settings: BootstrapSettings | None = None,
    *,
    trials: Trials | SpeakerCounts | None = None,
    people: int | None = None,
    deals: int = 0,
    dense: bool = False,
    quick: bool = False,
    on_progress: Progress = no_progress,
) -> Reidentification:
    """Both probabilities of an assessment; its trials are read again where they were let go.

    `people` are so many as somebody states to be in question; linking among these is told beside the rest.

    What the same scores of the same people came to is known as long as the program runs, whichever file they
    are read of. Those that were only counted are counted again, unless their counts with ranks are given, and
    have no intervals. See `uncertainty.reidentification`. Raises InputError as `reading.trials_of`,
    `with_people` and `Candidates.of` do.
    """
    if is_counted(entry) and trials is None:
        trials = counts_of(entry, on_progress, with_ranks=True)
    if isinstance(trials, SpeakerCounts):
        counted = of_counts(trials, dense=dense)
        if entry.sessions is not None:
            told = (*counted.remarks, Remark("reidentification-sessions-counted"))
            counted = replace(counted, remarks=told)
        return replace(counted, among=linkage_among_counted(counted, people)) if people else counted
    read = trials_of(entry, part_of(on_progress, 0.0, 0.2)) if trials is None else trials
    found = candidates_of(entry, read)
    digest = found.digest
    asked = digest, found.people, found.not_enrolled, found.n_listed, settings, deals, dense, quick
    rest = part_of(on_progress, 0.2, 1.0)
    compute = partial(
        reidentification, found, settings, deals=deals, dense=dense, quick=quick, on_progress=rest
    )
    known = _known.of(asked, compute)
    if people:
        stated = partial(linkage_among, found, people, settings, deals=deals)
        among = _among.of((digest, found.people, settings, deals, people), stated)
        known = replace(known, among=among)
    rest(1.0)
    return _of_own_list(known) if record_file(entry) else known


def _of_own_list(found: Reidentification) -> Reidentification:
    """The same for scores that ZEBRA made of recordings: the list of who was compared is not the user's."""
    own = {"reidentification-part": "reidentification-part-own"}
    remarks = tuple(replace(remark, code=own.get(remark.code, remark.code)) for remark in found.remarks)
    return replace(found, remarks=remarks)


def candidates_of(entry: Entry, trials: Trials) -> Candidates:
    """The recordings of an assessment against everybody who is enrolled, from its trials.

    Raises InputError as `with_people` and `Candidates.of` do.
    """
    named = with_people(trials, speakers_of_entry(entry))
    return Candidates.of(named, is_one_kind=entry.is_one_kind, sessions=entry.sessions)


def sentence(found: Reidentification, people: int, recordings: int = 1, *, is_singling_out: bool) -> str:
    """One of the two probabilities among so many people, in plain words, with what chance reaches.

    For π_link that is guessing, and where sets without disclosure lie; where no sets were dealt, it is
    guessing alone. π_link
    is exact for every number of enrolled people, and is a share of recordings: where the mean over people is
    another, as in the answer, that is told, too. π_sing is that of the nearest number below which was looked
    at.
    """
    if is_singling_out:
        points = [one for one in found.singling_out_of(recordings) if one.people <= people]
        if not points:
            return say("people.no-singling")
        point = points[-1]
        facts = {"people": point.people, "chance": of_hundred(point.chance)}
        return _said("singling-out", point.probability, point.interval, facts)
    pools = next(each for each in found.heard if each.recordings == recordings)
    linked = pools.linkage(found.n_enrolled, people)
    dealt = next((one for one in found.linkage_of(recordings) if one.people == people), None)
    guessed = {"people": people, "chance": of_hundred(pools.chance(found.n_enrolled, people))}
    if dealt is None or dealt.undisclosed is None:
        said = _said("linkage-guessed", linked, None, guessed)
    else:
        low, high = (written(100.0 * end, ".0f") for end in dealt.undisclosed)
        said = _said("linkage", linked, dealt.interval, {**guessed, "low": low, "high": high})
    share = of_hundred(pools.naming(found.n_enrolled, people))
    of_people = say("people.of-people", share=share) if share != of_hundred(linked) else ""
    return " ".join(filter(None, (said, of_people)))


def _said(what: str, share: float, interval: Interval | None, facts: Mapping[str, object]) -> str:
    facts = {**facts, "share": of_hundred(share)}
    if interval is None:
        return say(f"people.{what}", **facts)
    low, high = written(100.0 * interval.low, ".0f"), written(100.0 * interval.high, ".0f")
    return say(f"people.{what}-between", **facts, low_of_share=low, high_of_share=high)
