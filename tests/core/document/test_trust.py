"""How far figures can be trusted comes back from a project file draw by draw, or is refused."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.document.samples import (
    COARSE,
    entry_with_unknown_segments,
    measured_entry,
    repacked,
    rewritten,
)
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.scales import TagScale
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.uncertainty.linking_points import rank_draws_of
from zebra_core.uncertainty.no_disclosure import NULL_FIGURES
from zebra_core.uncertainty.one_sided import DEVIATES, ExposureBounds, LinkageBounds, PeopleBounds, one_sided
from zebra_core.uncertainty.resampling import BoundedFigure, FigureDraws, rate_draws
from zebra_core.uncertainty.trust import Trust

SCALE = TagScale(COARSE.tags)


def again(entry: Entry, path: Path) -> Entry:
    save_project(Project(items=(entry,)), path)
    return open_project(path).project.entries[0]


def trust(entry: Entry) -> Trust:
    assert entry.trust is not None
    return entry.trust


def test_intervals_convergence_band_and_null_come_back(tmp_path: Path) -> None:
    entry = measured_entry()
    before, after = trust(entry), trust(again(entry, tmp_path / "case.zebra"))
    assert after.as_json() == before.as_json()
    assert after.lines() == before.lines()
    assert after.sentences == before.sentences
    assert after.uncertainty.settings == before.uncertainty.settings
    for one, other in zip(
        after.uncertainty.convergence("eer"), before.uncertainty.convergence("eer"), strict=True
    ):
        assert one.tolist() == other.tolist()
    assert after.uncertainty.band_high.tolist() == before.uncertainty.band_high.tolist()
    assert after.null is not None
    assert before.null is not None
    assert after.null.band_low.tolist() == before.null.band_low.tolist()
    assert after.null.exchange is before.null.exchange


def test_the_bounds_of_every_person_come_back_without_a_name(tmp_path: Path) -> None:
    entry = measured_entry()
    exposure = ExposureBounds(
        np.array([3, 5]), np.array([[0.1], [0.2]]) + 0.01 * DEVIATES, np.array([0.0, 0.01])
    )
    linkage = LinkageBounds(np.array([3, 4]), np.array([1.5, 0.0]), 7, 2)
    among_three = LinkageBounds(np.array([3, 4]), np.array([2.0, 1.0]), 3, 2)
    both = (linkage, among_three)
    for people in (PeopleBounds(exposure, both, np.array([0.25])), PeopleBounds(None, (), None)):
        given = replace(entry, measured=replace(trust(entry), people=people))
        after = trust(again(given, tmp_path / f"{people.n_apart}.zebra")).people
        assert after is not None
        assert after.n_apart == people.n_apart
        assert after.bits_apart is None or after.bits_apart.tolist() == [0.25]
        if people.exposure is None:
            assert (after.exposure, after.linkage) == (None, ())
            continue
        assert after.exposure is not None
        assert after.exposure.recordings.tolist() == [3, 5]
        assert np.array_equal(after.exposure.bits, exposure.bits)
        assert after.exposure.error.tolist() == [0.0, 0.01]
        assert [one.people for one in after.linkage] == [7, 3]
        assert [one.total.tolist() for one in after.linkage] == [[1.5, 0.0], [2.0, 1.0]]
        for one in after.linkage:
            assert (one.recordings.tolist(), one.n_unknown) == ([3, 4], 2)


def test_figures_that_were_required_come_back_with_their_draws_and_bounds(tmp_path: Path) -> None:
    """The worst case of others, a rate among twenty people, bits of ranks, and what could not be measured."""
    entry = measured_entry()
    shares, left = np.linspace(0.1, 0.3, 100), np.array([0.1, np.nan, 0.2])
    why = Remark("bound-more-people", {"count": 9, "people": 50}, section="input")
    before = {
        "cross_fitted_worst_case_log10_lr": BoundedFigure(
            FigureDraws(1.5, 9.0 * shares, left, 9, lowest=0.0)
        ),
        "pi_link:20:1": BoundedFigure(rate_draws(0.2, shares, left, 9), 0.05),
        "rank_disclosure": BoundedFigure(rank_draws_of(0.5, shares, left, 9, 3.0)),
        "pi_sing:50:1": BoundedFigure(None, None, why),
    }
    measured = replace(trust(entry), bounded=before)
    after = trust(again(replace(entry, measured=measured), tmp_path / "case.zebra")).bounded
    assert list(after) == list(before)
    for key, one in before.items():
        other = after[key]
        assert (other.chance, str(other.why)) == (one.chance, str(one.why))
        if one.draws is not None:
            assert other.draws is not None
            assert one_sided(other.draws, 0.95) == one_sided(one.draws, 0.95)
            assert other.draws.corrected == one.draws.corrected
    assert trust(again(entry, tmp_path / "other.zebra")).bounded == {}


def test_remarks_come_back_and_so_does_being_stopped(tmp_path: Path) -> None:
    entry = measured_entry()
    found = trust(entry)
    stopped = replace(found.uncertainty, settings=replace(found.uncertainty.settings, replicates=500))
    entry = replace(entry, measured=replace(found, uncertainty=stopped, null=None))
    after = trust(again(entry, tmp_path / "case.zebra"))
    assert after.null is None
    assert [str(remark) for remark in after.remarks] == [str(remark) for remark in trust(entry).remarks]
    assert "rest on 30 of 500 replicates" in str(after.remarks[-1])


def test_what_was_measured_of_other_figures_is_not_saved(tmp_path: Path) -> None:
    entry = measured_entry()
    moved = replace(entry.trials, score=entry.trials.score + 0.125)
    other = replace(entry, trials=moved, assessment=assess(moved))
    assert other.trust is None
    assert again(other, tmp_path / "case.zebra").measured is None


def test_what_was_not_measurable_stays_so(tmp_path: Path) -> None:
    entry = measured_entry()
    found = trust(entry)
    fewer = {name: draws for name, draws in found.uncertainty.figures.items() if name != "linkability"}
    less = replace(found, uncertainty=replace(found.uncertainty, figures=fewer))
    after = trust(again(replace(entry, measured=less), tmp_path / "case.zebra"))
    assert list(after.uncertainty.figures) == list(fewer)


@pytest.mark.parametrize("measurable", [True, False])
def test_segments_whose_speaker_nobody_knows_are_left_out_too_and_come_back(
    tmp_path: Path, measurable: bool
) -> None:
    entry = entry_with_unknown_segments()
    found = trust(entry).uncertainty
    assert found.n_clusters < len(found.figures["eer"].left_out)
    if not measurable:
        fewer = {name: draws for name, draws in found.figures.items() if name != "linkability"}
        entry = replace(entry, measured=replace(trust(entry), uncertainty=replace(found, figures=fewer)))
    after = trust(again(entry, tmp_path / "case.zebra"))
    assert after.as_json() == trust(entry).as_json()


def test_other_scales_leave_it_as_it_is(tmp_path: Path) -> None:
    project = Project(items=(measured_entry(),)).with_scales(SCALE, None)
    save_project(project, tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").project.entries[0].trust is not None


def test_intervals_of_figures_that_are_computed_otherwise_today_are_left_out_and_that_is_told(
    tmp_path: Path,
) -> None:
    path = tmp_path / "case.zebra"
    again(measured_entry(), path)
    rewritten(path, lambda document: document["items"][0]["trust"]["figures"].update(eer=0.123))
    entry = open_project(path).project.entries[0]
    assert entry.measured is None
    assert "to compute them again" in " ".join(map(str, entry.remarks))


def npy(rows: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(rows, dtype=np.float64))
    return file.getvalue()


@pytest.mark.parametrize(
    ("member", "rows"),
    [
        pytest.param("draws", np.full((6, 30), 0.5), id="a figure too few"),
        pytest.param("draws", np.full((7, 19), 0.5), id="too few replicates"),
        pytest.param("draws", np.full((7, 31), 0.5), id="more than were asked for"),
        pytest.param("draws", np.full((7, 30), np.nan), id="nothing measured"),
        pytest.param("draws", np.full((7, 30), 7.0), id="beyond any range"),
        pytest.param("draws", np.full((7, 30), -np.inf), id="infinite"),
        pytest.param("left-out", np.full((7, 19), 0.5), id="not one for each speaker"),
        pytest.param("band", np.full((2, 200), 0.0), id="other priors"),
        pytest.param("band", np.full((2, 201), np.nan), id="no band"),
        pytest.param("band", np.full((2, 201), 1.0), id="above perfect privacy"),
        pytest.param("band", [np.full(201, 1e-4), np.full(201, 0.0)], id="upside down"),
        pytest.param("null", np.full((4, 30), np.nan), id="no sets"),
        pytest.param("null", np.full((4, 30), 2.0), id="impossible sets"),
        pytest.param("null-band", np.full((3, 201), 0.0), id="three edges"),
    ],
)
def test_arrays_that_no_draws_can_be(tmp_path: Path, member: str, rows: object) -> None:
    path = tmp_path / "case.zebra"
    again(measured_entry(), path)
    repacked(path, lambda members: members.update({f"trust/1-{member}.npy": npy(rows)}))
    with pytest.raises(InputError, match=f"trust/1-{'draws' if member == 'left-out' else member}|left-out"):
        open_project(path)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("member", 0, "member is not a whole number"),
        ("member", "../1", "member is not a whole number"),
        ("member", 7, "trust/7-draws.npy is missing"),
        ("replicates", 10**12, "replicates is not a whole number"),
        ("level", 1.0, "level is not a number"),
        ("unit", "crowd", "says crowd at"),
        ("clusters", 2, "clusters is not a whole number"),
        ("figures", {}, "figures is not an object"),
        ("figures", {"d_ece_bits": 9.0}, "is not a number within its bounds"),
        ("figures", {"magic": 0.1}, "figures is not an object"),
        ("remarks", [{}], "remarks"),
        ("null", {"exchange": "souls", "seed": 0, "drawn": [*NULL_FIGURES], "remarks": []}, "says souls at"),
        ("null", 5, "null is not an object"),
    ],
)
def test_values_of_the_wrong_kind(tmp_path: Path, name: str, value: Any, sentence: str) -> None:
    path = tmp_path / "case.zebra"
    again(measured_entry(), path)
    rewritten(path, lambda document: document["items"][0]["trust"].update({name: value}))
    with pytest.raises(InputError, match=r"case\.zebra") as raised:
        open_project(path)
    assert sentence in str(raised.value)
