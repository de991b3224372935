"""What an earlier version computed by another rule, in an opened project: told, and computed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zebra_core.errors import Cancelled
from zebra_core.evidence.remarks import Remark
from zebra_core.project.items import Entry, distinct_names
from zebra_core.project.measuring import DEALS, measure
from zebra_core.project.project import Project
from zebra_core.project.settling import ReadTrials, ReadVoices, settle
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Method
from zebra_core.uncertainty.trust import Trust
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say, visible

AGAIN = "intervals-computed-again"
"""The remark of intervals that took the place of older ones: it is kept with them."""


@dataclass(frozen=True)
class UpToDate:
    """The project with figures by today's rules, and a sentence for each that could not be computed again."""

    project: Project
    faults: tuple[str, ...]


def of_an_older_rule(project: Project) -> tuple[Entry, ...]:
    """The assessments whose intervals follow the rule of an earlier version."""
    return tuple(entry for entry in project.entries if entry.trust and entry.trust.is_of_an_older_rule)


def older_in_words(project: Project, *, had_older_tests: bool) -> tuple[str, ...]:
    """A sentence for intervals that are shown as they were, one for tests of differences that were let go.

    `had_older_tests`: whether there were such; it is told until differences have been tested anew.
    """
    sentences = []
    if entries := of_an_older_rule(project):
        names = in_sentence([visible(name) for name in distinct_names(entries)])
        sentences.append(say("project.older-intervals", names=names))
    if had_older_tests and not project.settled:
        sentences.append(say("project.older-differences"))
    return tuple(sentences)


def brought_up_to_date(
    project: Project,
    read_trials: ReadTrials,
    on_progress: Progress = no_progress,
    *,
    read_voices: ReadVoices | None = None,
    tests: bool = False,
) -> UpToDate:
    """Older intervals computed again, with as many draws and the same seed; with `tests`, differences, too.

    A remark beside them keeps that they were. Raises Cancelled where somebody stops it: half of it helps
    nobody.
    """
    found: dict[str, Trust] = {}
    faults: list[str] = []
    older = of_an_older_rule(project)
    work = len(older) + int(tests)
    for number, entry in enumerate(older):
        part = part_of(on_progress, number / work, (number + 1) / work)
        made = measure([entry], read_trials, _settings(entry), part, deals=_deals(entry))
        if any(not trust.uncertainty.is_complete for trust in made.trust.values()):
            raise Cancelled
        faults += made.faults
        found |= {entry_id: _again(trust) for entry_id, trust in _of_trials(made.trust).items()}
    now = project.with_trust(found)
    if tests:
        part = part_of(on_progress, len(older) / work, 1.0)
        settled = settle(now, read_trials, on_progress=part, read_voices=read_voices)
        faults += settled.faults
        now = replace(now, differences=settled.settled) if settled.settled else now
    return UpToDate(now, tuple(faults))


def _of_trials(found: Mapping[str, object]) -> dict[str, Trust]:
    return {entry_id: trust for entry_id, trust in found.items() if isinstance(trust, Trust)}


def _settings(entry: Entry) -> BootstrapSettings:
    assert entry.trust is not None  # noqa: S101 - only such entries are older
    return replace(entry.trust.uncertainty.settings, method=Method.SCALED)


def _deals(entry: Entry) -> int:
    return entry.trust.null.replicates if entry.trust and entry.trust.null else DEALS


def _again(trust: Trust) -> Trust:
    found = trust.uncertainty
    return replace(trust, uncertainty=replace(found, remarks=(*found.remarks, Remark(AGAIN))))
