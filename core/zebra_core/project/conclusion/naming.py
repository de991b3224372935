"""Looking at the people of a project: how often the right one is named, and who gives away most."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.trials import Trials
from zebra_core.project.comparison.linking import candidates_of
from zebra_core.project.conclusion.conclusion import NamingRate, PeopleFigures
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import disclosures_of, is_counted, is_counted_here, trials_of
from zebra_core.project.report_settings import USUAL_PEOPLE
from zebra_core.runtime.progress import LastUsed, Progress, no_progress, part_of
from zebra_core.speakers.design import share_more_than_a_speaker
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.linking_points import linkage_draws
from zebra_core.uncertainty.reidentification import PoolRanks, Reidentification

_known = LastUsed[NamingRate](256)


def people_figures(project: Project, on_progress: Progress = no_progress) -> PeopleFigures:
    """Look at the people of every entry, to name them among as many as the project's report says.

    Trials that were let go are read again; those that were only counted are not counted again for this. What
    the same scores of the same people came to is known as long as the program runs. `on_progress` may raise
    Cancelled.
    """
    naming: dict[str, NamingRate] = {}
    disclosures: dict[str, SpeakerDisclosures] = {}
    missing: dict[str, ZebraError] = {}
    for number, entry in enumerate(project.entries):
        part = part_of(on_progress, number / len(project.entries), (number + 1) / len(project.entries))
        part(0.0)
        try:
            if is_counted(entry):
                code = "people-counted" if is_counted_here(entry) else "people-counted-elsewhere"
                raise InputError(code, name=entry.full_name)
            read = trials_of(entry, part)
            for one in replace(entry, trials=read).readings:
                of_one = trials_of(one)
                disclosures[one.id] = disclosures_of(one, of_one, project.tag_scale)
                naming[one.id] = naming_of(one, project.report.people, of_one)
        except ZebraError as error:
            missing[entry.id] = error
    on_progress(1.0)
    return PeopleFigures(naming, disclosures, missing)


def naming_of(entry: Entry, people: int | None, trials: Trials) -> NamingRate:
    """How often the right one is named, drawn again as the figures of the entry are, or 1000 times.

    Raises InputError as `comparison.linking.candidates_of` does.
    """
    found = candidates_of(entry, trials)
    settings = entry.trust.uncertainty.settings if entry.trust else BootstrapSettings()
    among = _among(people, found.n_people)

    def compute() -> NamingRate:
        ways = [found.pooled(), found.best_of_as_many()]
        tables = [each.complete for each in ways if each is not None]
        drawn = [linkage_draws(each, [among], settings, of_people=True)[0] for each in tables]
        ranks = [PoolRanks.with_guessing(each) for each in tables]
        return NamingRate(among, found.people, tuple(ranks), tuple(drawn), settings.level, people)

    made = _known.of((found.digest, found.people, people, settings), compute)
    is_open = entry.sessions is None and share_more_than_a_speaker(found.speaker_of_test)
    return replace(made, may_share_sessions=is_open)


def naming_of_counted(found: Reidentification, people: int | None) -> NamingRate:
    """How often the right one is named where trials were only counted: without an interval."""
    among, ranks = _among(people, found.n_enrolled), found.heard[:1]
    return NamingRate(among, found.people, ranks, (None,), BootstrapSettings().level, people)


def _among(people: int | None, n_enrolled: int) -> int:
    return min(people or USUAL_PEOPLE, n_enrolled)
