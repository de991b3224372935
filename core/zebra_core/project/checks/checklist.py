"""The check list of a project: is this assessment to be trusted?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from zebra_core.project.checks.knowledge import knowing_more_finds_no_less
from zebra_core.project.checks.material import all_is_there, enough_was_compared, printed_figures_agree
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckLine
from zebra_core.project.checks.power import pseudo_speakers_differ, recogniser_works
from zebra_core.project.checks.readings import scores_run_the_right_way, tag_is_beyond_chance
from zebra_core.project.project import Project

_CHECKS: Mapping[Check, Callable[[Project], Iterator[CheckedCase]]] = {
    Check.RECOGNISER: recogniser_works,
    Check.ATTACKERS: knowing_more_finds_no_less,
    Check.ENOUGH: enough_was_compared,
    Check.DIRECTION: scores_run_the_right_way,
    Check.COMPLETE: all_is_there,
    Check.PRINTED: printed_figures_agree,
    Check.TAG: tag_is_beyond_chance,
    Check.PSEUDO_SPEAKERS: pseudo_speakers_differ,
}

REFUSING = (Check.RECOGNISER, Check.ATTACKERS, Check.DIRECTION)
"""Where one of these failed, figures are too favourable: nothing may be called protected by them."""


def checklist(project: Project, printed: CheckLine | None = None) -> tuple[CheckLine, ...]:
    """Every check, in the order of `Check`; a pure function of the project, without reading a file.

    `printed` takes the place of the line on printed figures. Figures are compared with their intervals as far
    as these are known: asked again, more can be told.
    """
    known = {printed.check: printed} if printed else {}
    return tuple(known.get(check) or CheckLine(check, tuple(of(project))) for check, of in _CHECKS.items())
