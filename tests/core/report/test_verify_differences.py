"""Paired differences are in the evidence and drawn again from their seed; altered numbers are told."""

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zebra_resources
from tests.core.samples import demo, demo_material
from zebra_core.document.evidence import evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of, voice_trials_of
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verification import Verification, VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.version import versions

Json = dict[str, Any]
EVERYTHING = "everything in it, made again"
FIGURES = ["d_ece_bits", "eer", "min_cllr_bits", "d_ece_strongest_bits", "de_id", "g_vd_db"]


@cache
def compared() -> Project:
    """The demo with its three safeguards compared; two of them have matrices."""
    settings = BootstrapSettings(replicates=20, seed=7)
    found = settle(demo(), trials_of, settings, read_voices=voice_trials_of)
    assert found.faults == ()
    return replace(demo(), differences=found.settled)


@cache
def recorded() -> bytes:
    """The evidence of it."""
    return evidence_of(compared())


def evidence_of(project: Project) -> bytes:
    return as_bytes(evidence(demo_material(project), dt.date(2026, 11, 20), versions()))


def made() -> Json:
    """The evidence, read anew: to be changed."""
    return dict(json.loads(recorded()))


def checked(values: Json, folder: Path) -> Verification:
    (folder / "evidence.json").write_bytes(as_bytes(values))
    return verify(folder / "evidence.json", [zebra_resources.path("demo")])


def altered(found: Verification) -> list[tuple[str, str]]:
    return [(one.about, one.what) for one in found.checked if one.status is not VerificationStatus.VERIFIED]


def test_the_evidence_has_every_pair_with_what_it_rests_on() -> None:
    [one] = made()["differences"]
    assert (one["entries"], one["matrices"]) == ([1, 2, 3], [0, 1, None])
    assert (one["level"], one["seed"], one["replicates"]) == (0.95, 7, 20)
    assert list(one["figures"]) == FIGURES
    [settled] = compared().settled
    first = settled.compared[0].ranking.differences[0]
    ends = first.interval
    told = one["figures"]["d_ece_bits"]["differences"][0]
    assert (told["value"], told["low"], told["high"]) == (first.value, ends.low, ends.high)
    assert (told["p"], told["p_family"]) == (first.p_value, first.p_adjusted)
    assert (told["settled"], one["figures"]["d_ece_bits"]["family"]) == (first.is_settled, 12)
    assert one["figures"]["de_id"]["of"] == [1, 2]
    assert json.loads(evidence_of(demo()))["differences"] == []


def test_evidence_with_differences_follows_its_schema() -> None:
    assert fault(made(), evidence_type()) is None


def test_all_pairs_are_drawn_again_and_an_altered_p_is_told(tmp_path: Path) -> None:
    values = made()
    found = checked(values, tmp_path)
    assert found.is_verified, altered(found)
    names = {one.what for one in found.checked if one.about.startswith("Differences")}
    assert {"d_ece_bits B1w − B2", "eer B2 − B2r", "de_id B1w − B2", "g_vd_db"} <= names
    assert len(names) == 4 * 4 + 2 * 2
    values["differences"][0]["figures"]["eer"]["differences"][1]["p_family"] /= 2.0
    values["differences"][0]["figures"]["de_id"]["differences"][0]["low"] -= 0.01
    wrong = altered(checked(values, tmp_path))
    assert [what for _, what in wrong] == ["eer B1w − B2r", "de_id B1w − B2", EVERYTHING]
    assert wrong[0][0] == "Differences OP"


def test_a_pair_that_is_left_out_or_made_up_is_told(tmp_path: Path) -> None:
    values = made()
    figures = values["differences"][0]["figures"]
    figures["eer"]["differences"].pop()
    figures["magic"] = figures["eer"]
    wrong = {what for _, what in altered(checked(values, tmp_path))}
    assert wrong == {"eer B2 − B2r", "magic", "magic B1w − B2", "magic B1w − B2r", EVERYTHING}


def test_without_a_file_none_of_the_group_is_verified(tmp_path: Path) -> None:
    values = made()
    b2 = values["inputs"][values["assessments"][2]["inputs"][0]]
    b2["sha256"] = "0" * 64
    found = checked(values, tmp_path)
    of_pairs = {one.status for one in found.checked if one.about.startswith("Differences")}
    assert of_pairs <= {VerificationStatus.FILE_MISSING, VerificationStatus.FILE_CHANGED}
    assert len(of_pairs) == 1


def test_draws_that_nobody_waits_for_are_refused(tmp_path: Path) -> None:
    values = made()
    values["differences"][0]["replicates"] = 10**9
    found = checked(values, tmp_path)
    assert VerificationStatus.NOT_POSSIBLE in {
        one.status for one in found.checked if one.about.startswith("Diff")
    }


def change(*path: str | int, to: object) -> Callable[[Json], None]:
    def apply(one: Json) -> None:
        at: Any = one
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to

    return apply


@pytest.mark.parametrize(
    "broken",
    [
        change("entries", to=[1, 2, 9]),
        change("entries", to=[1, 1, 2]),
        change("entries", to=[1, 2]),
        change("matrices", to=[0, 9, None]),
        change("figures", "eer", "of", to=[0, 1, 2]),
        change("figures", "eer", "of", to=[1, 1, 2]),
        change("figures", "eer", "values", to=[0.1]),
        change("figures", "eer", "differences", 0, "second", to=3),
    ],
)
def test_pairs_of_what_is_not_there_are_refused(tmp_path: Path, broken: Callable[[Json], None]) -> None:
    values = made()
    broken(values["differences"][0])
    with pytest.raises(InputError, match=r"differences\[0\]"):
        checked(values, tmp_path)
