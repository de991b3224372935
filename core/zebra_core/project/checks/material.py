"""Checks of what there is: enough speakers and target trials, both sexes, all conditions, printed figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zebra_core.project.attackers import groups_of_attacks
from zebra_core.project.checks.outcome import CheckedCase, CheckOutcome, called
from zebra_core.project.items import Condition, dataset_as_said
from zebra_core.project.project import Project
from zebra_core.project.reading.published import compare_published
from zebra_core.uncertainty.resampling import FEW_CLUSTERS
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import visible

FEWEST_SPEAKERS = FEW_CLUSTERS
"""With fewer no interval was measured to hold."""
FEWEST_TARGETS = 100
"""With fewer a single target trial moves an error rate by more than one in a hundred."""

_SEXES = {"f": "f", "female": "f", "m": "m", "male": "m"}
_BOTH = frozenset({"all", "mixed"})
_PART = re.compile(r"[_.\-/ ]+")


def enough_was_compared(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: are there speakers and target trials enough for its intervals to hold?"""
    for entry in project.entries:
        speakers, targets = entry.n_speakers, entry.assessment.n_target
        words = {"name": called(entry), "count": targets, "speakers": speakers or 0}
        words |= {"fewest": FEWEST_TARGETS, "fewest_speakers": FEWEST_SPEAKERS}
        figures = {"speakers": speakers, "n_target": targets}
        margin = min(targets / FEWEST_TARGETS, (speakers or FEWEST_SPEAKERS) / FEWEST_SPEAKERS)
        if targets < FEWEST_TARGETS or (speakers is not None and speakers < FEWEST_SPEAKERS):
            code = "enough-too-few" if speakers is not None else "enough-too-few-trials"
            yield CheckedCase(CheckOutcome.FAILED, code, (entry.id,), words, figures, margin)
        elif speakers is None:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "enough-unknown", (entry.id,), words, figures, margin)
        else:
            yield CheckedCase(CheckOutcome.PASSED, "enough-there", (entry.id,), words, figures, margin)


def all_is_there(project: Project) -> Iterator[CheckedCase]:
    """For each safeguard in a dataset the conditions, for each dataset the sexes."""
    for group in groups_of_attacks(project.entries):
        ids = tuple(entry.id for entry in (*group.attacks, *group.power_checks))
        stated = {entry.condition for entry in (*group.attacks, *group.power_checks)}
        lacking = [condition.value for condition in Condition if condition not in stated]
        name = f"{group.safeguard} {group.run}".strip()
        words = {"name": visible(name), "lacking": in_sentence(lacking)}
        words["dataset"] = visible(dataset_as_said(group.dataset))
        of = "-of" if group.dataset else ""
        if None in stated:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, f"complete-not-stated{of}", ids, words)
        elif lacking:
            yield CheckedCase(
                CheckOutcome.FAILED, f"complete-lacking{of}", ids, words, {"lacking": len(lacking)}
            )
        else:
            yield CheckedCase(CheckOutcome.PASSED, f"complete-conditions{of}", ids, words, margin=1.0)
    yield from _sexes(project)


def _sexes(project: Project) -> Iterator[CheckedCase]:
    """Datasets that differ in nothing but a part of their names that says the sex belong together."""
    together: dict[str, set[str]] = {}
    members: dict[str, list[str]] = {}
    for entry in project.entries:
        stem, sexes = sex_of(entry.dataset)
        sexes = sexes or _mapped(project, entry.dataset)
        together.setdefault(stem, set()).update(sexes)
        members.setdefault(stem, []).append(entry.id)
    for stem, sexes in together.items():
        words, ids = {"dataset": visible(stem)}, tuple(members[stem])
        figures = {"sexes": len(sexes)}
        of = "-of" if stem else ""
        if not sexes:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, f"complete-sex-unknown{of}", ids, words, figures)
        elif len(sexes) == 1:
            code = "complete-only-female" if "f" in sexes else "complete-only-male"
            yield CheckedCase(CheckOutcome.FAILED, f"{code}{of}", ids, words, figures)
        else:
            yield CheckedCase(CheckOutcome.PASSED, f"complete-sexes{of}", ids, words, figures)


def sex_of(dataset: str) -> tuple[str, set[str]]:
    """The name of a dataset without the parts that say the sex, and what these say: libri_f is libri, f."""
    parts = _PART.split(dataset)
    said: set[str] = set()
    kept = []
    for part in parts:
        if sex := _SEXES.get(part.lower()):
            said.add(sex)
        elif part.lower() in _BOTH:
            said |= {"f", "m"}
        else:
            kept.append(part)
    return "_".join(kept), said


def _mapped(project: Project, dataset: str) -> set[str]:
    """The sexes that maps of the dataset's speakers have."""
    maps = [item.similarity.sex for item in project.similarities if item.dataset == dataset]
    return {_SEXES.get(sex.lower(), sex) for one in maps for sex in one.values()}


def printed_figures_agree(project: Project) -> Iterator[CheckedCase]:
    """For every figure that a result file prints of an assessment here: is it what comes out?"""
    compared = [one for one in compare_published(project, project.published) if one.agrees is not None]
    differing = [one for one in compared if not one.agrees]
    for one in differing:
        yield CheckedCase(CheckOutcome.FAILED, "printed-differs", (one.entry_id or "",), {"told": str(one)})
    if compared and not differing:
        ids = tuple(dict.fromkeys(one.entry_id for one in compared if one.entry_id))
        figures = {"figures": len(compared)}
        yield CheckedCase(CheckOutcome.PASSED, "printed-agree", ids, {"count": len(compared)}, figures)
