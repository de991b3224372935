"""Which safeguard of a group discloses least, and whether that is settled, in one plain sentence."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.group_differences import GroupDifferences
from zebra_core.report.content.attackers import strongest_first
from zebra_core.report.content.files import shown
from zebra_core.report.content.frame import Frame
from zebra_core.report.pairs import group_of
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say


def least_disclosing(frame: Frame, most: int) -> list[str]:
    """A sentence for each group that was compared, the strongest attacker first; for at most so many.

    The last say how many others there are, and for how many there are too few speakers.
    """
    compared = [one for one in _in_order(frame) if one.ranks_among(list(one.assessments))]
    tested = [one for one in compared if _difference(one).is_tested]
    untested = [one for one in compared if not _difference(one).is_tested]
    sentences = [_sentence(frame, one) for one in tested[:most]]
    if len(tested) > most:
        sentences.append(say("answer.more-groups", count=len(tested) - most))
    if len(untested) == 1:
        sentences.append(_untested(frame, untested[0]))
    elif untested:
        sentences.append(say("answer.groups-untested", count=len(untested), fewest=FEWEST_SPEAKERS))
    return sentences


def _in_order(frame: Frame) -> list[GroupDifferences]:
    first = {frame.project.entry(next(iter(one.assessments))).id: one for one in frame.project.settled}
    return [first[entry.id] for entry in strongest_first([frame.project.entry(each) for each in first])]


def _difference(one: GroupDifferences) -> Difference:
    return one.compared[0].ranking.differences[0]


def _sentence(frame: Frame, one: GroupDifferences) -> str:
    ranks = one.ranks_among(list(one.assessments))
    first = [entry_id for entry_id, (best, _) in ranks.items() if best == 1]
    code = "settled" if len(first) == 1 else "open"
    group = shown(str(group_of(frame.project, one)))
    return say(f"answer.least-{code}", group=group, names=_names(frame, first), count=len(ranks))


def _untested(frame: Frame, one: GroupDifferences) -> str:
    return say(
        "answer.least-untested",
        group=shown(str(group_of(frame.project, one))),
        names=_names(frame, list(one.assessments)),
        count=_difference(one).n_clusters,
        fewest=FEWEST_SPEAKERS,
    )


def _names(frame: Frame, ids: Sequence[str]) -> str:
    entries = [frame.project.entry(entry_id) for entry_id in ids]
    return in_sentence([shown(entry.name_and_run) for entry in entries])
