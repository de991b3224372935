"""The first page says in one plain sentence which safeguard discloses least, and whether that is settled."""

import math
from dataclasses import replace
from functools import cache

from tests.core.samples import demo_assessments
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Attacker, Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of
from zebra_core.report.content.opening import least_disclosing
from zebra_core.report.content.values import Frame
from zebra_core.uncertainty.bootstrap import BootstrapSettings


@cache
def settled() -> Project:
    """The demo's three safeguards, of which B1w discloses least by far; B2 and B2r cannot be told apart."""
    project = Project("", demo_assessments().entries)
    found = settle(project, trials_of, BootstrapSettings(40))
    return replace(project, differences=found.settled)


def said_of(project: Project, most: int = 3) -> list[str]:
    return least_disclosing(Frame.of(gather(project), {}), most)


def test_one_that_is_settled_is_named_with_how_many_were_compared() -> None:
    (said,) = said_of(settled())
    assert said == (
        "OP, test side protected: of the 3 compared, B1w discloses least on average; this is settled."
    )


def test_where_it_is_open_all_are_named_that_may_disclose_least() -> None:
    others = Project("", demo_assessments().entries[2:])
    found = replace(others, differences=settle(others, trials_of, BootstrapSettings(40)).settled)
    assert said_of(found) == [
        "OP, test side protected: which of B2 and B2r discloses least on average is not settled."
    ]


def of_few(one: GroupDifferences) -> GroupDifferences:
    """The same as if five speakers had been compared."""
    compared = [
        replace(
            each,
            ranking=replace(
                each.ranking,
                differences=tuple(
                    replace(pair, n_clusters=5, p_value=math.nan) for pair in each.ranking.differences
                ),
            ),
        )
        for each in one.compared
    ]
    return replace(one, compared=tuple(compared))


def test_too_few_speakers_are_told_in_the_place_of_a_ranking() -> None:
    project = replace(settled(), differences=tuple(map(of_few, settled().differences)))
    (said,) = said_of(project)
    assert said.startswith(
        "OP, test side protected: which of B1w, B2 and B2r discloses least cannot be determined; a test "
        "needs at least 8 speakers and, where people listened, as many listeners and canvases; the fewest "
        "here are 5."
    )


def test_without_tests_nothing_is_said() -> None:
    assert said_of(Project("", demo_assessments().entries)) == []


def with_attacker(entry: Entry, attacker: Attacker) -> Entry:
    return replace(entry, attacker=attacker.value)


def test_the_strongest_attacker_comes_first_and_of_the_rest_their_number_is_told() -> None:
    _, *protected = demo_assessments().entries
    groups = [
        replace(with_attacker(entry, attacker), id=f"{entry.id}{attacker.value}")
        for attacker in (Attacker.IGNORANT, Attacker.SEMI_INFORMED)
        for entry in protected[:2]
    ]
    project = Project("", tuple(groups))
    found = settle(project, trials_of, BootstrapSettings(40)).settled
    first, second = said_of(replace(project, differences=found), most=1)
    assert "semi-informed: of the 2 compared, B1w discloses least" in first
    assert second == "The findings for one more group are in the comparison of safeguards."
