"""All pictures of a project: none is missing, every file says of what it is, stopping leaves nothing."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.core.samples import HOSTILE, demo, demo_assessments, project_of, small_entry
from zebra_core.errors import Cancelled, OutputError
from zebra_core.figures.all_pictures import pictures_of
from zebra_core.figures.saving_all import (
    SpeakerComparisons,
    all_spoken,
    learnt_on_other_run,
    learnt_on_other_speakers,
    pictures_of_speakers,
    save_all_pictures,
)
from zebra_core.project.comparison.difference_tests import measure
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of
from zebra_core.runtime.progress import no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings


@cache
def certain_demo() -> Project:
    b2 = demo().entries[2]
    return demo().with_trust(measure([b2], trials_of, BootstrapSettings(replicates=20)).trust)


def test_every_pane_of_the_window_has_its_pictures() -> None:
    labels = [picture.label for picture in pictures_of(certain_demo())]
    of_all = {
        *("ECE", "NECE", "SCALE", "LADDER", "APE", "NBER", "DET", "ROC", "TIPPETT", "TIPPETT-SCORES", "PAV"),
        *("CALIBRATION", "SURE-POPULATION", "SURE-INDIVIDUAL"),
    }
    assert {f"{kind}-OP" for kind in of_all} <= set(labels)
    assert {f"{kind}-B2 OP" for kind in ("HISTOGRAMS", "CONVERGENCE", "NULL")} <= set(labels)
    assert {"COMPARE-condition-OP", "COMPARE-system-B2", "COMPARE-all", "COMPARE-dots"} <= set(labels)
    assert {"COMPARE-multiples", "COMPARE-distinctiveness"} <= set(labels)
    assert {"SIMILARITY-B2", "MATRICES-OO", "MATRICES-OP", "MATRICES-PP"} <= set(labels)
    assert len(labels) == len(set(labels))
    matrices = next(picture for picture in pictures_of(certain_demo()) if picture.label == "MATRICES-OP")
    assert matrices.made().caption == "dataset not stated · OP"


def test_speakers_have_theirs() -> None:
    spoken = all_spoken(demo_assessments())
    assert [one.is_unprotected for one in spoken] == [True, False, False, False]
    before, b2 = spoken[0], spoken[2]
    studies = {one: one.study(demo().tag_scale, no_progress) for one in (before, b2)}
    pictures = list(pictures_of_speakers(b2, studies[b2], (before, studies[before].disclosures)))
    assert [picture.label for picture in pictures] == [
        f"{kind}-B2 OP"
        for kind in (
            *("SPEAKERS", "BEFORE-AFTER", "ZOO-LLR", "ZOO-SCORE", "CMC"),
            *("ACCUMULATION", "ACCUMULATION-WORST"),
        )
    ]
    assert (
        pictures[0].made().caption
        == "B2 · dataset not stated · OP, test side protected · attacker not stated"
    )
    matrices = next(SpeakerComparisons(item, "op") for item in demo().similarities)
    assert matrices.label == "B1w-MATRICES-OP"


def test_calibration_is_learnt_on_the_other_run_and_on_other_speakers() -> None:
    b2 = demo_assessments().entries[2]
    again = replace(demo().entries[3], name=b2.name, run="run1", id="again")
    pictures = list(learnt_on_other_run([replace(b2, run="run0"), again, demo().entries[1]]))
    assert [picture.label for picture in pictures] == ["LEARNT-B2 run0 OP", "LEARNT-B2 run1 OP"]
    assert pictures[0].items[0].run == "run1"  # trained there
    assert any("[" in (line.label or "") for line in pictures[0].made().legend)  # C_ECE and Cllr
    folds = learnt_on_other_speakers(b2, no_progress)
    assert folds.label == "FOLDS-B2 OP"
    assert folds.made().caption.startswith("B2 · dataset not stated · OP")


def test_every_file_has_a_plain_name_and_a_caption(tmp_path: Path) -> None:
    entry = small_entry(HOSTILE["specials"])
    named = [
        replace(
            entry,
            dataset="evil $x_1 & 50% #1",
            condition=condition,
            attacker="knows, a lot",
            id=str(condition),
        )
        for condition in (Condition.OO, Condition.OP)
    ]
    project = Project(items=tuple(named))
    saved = save_all_pictures(project, tmp_path, ["svg"])
    names = [path.name for path in saved.paths]
    assert len(names) == len(set(names)) == len(pictures_of(project))
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+\.svg", name) for name in names)
    for picture in pictures_of(project):
        assert "evil $x_1 & 50% #1" in picture.made().caption


def test_what_there_are_no_pictures_of_is_told_with_the_reason(tmp_path: Path) -> None:
    saved = save_all_pictures(project_of("B1"), tmp_path / "new", ["png"])
    of_speakers, of_people, of_calibration = saved.left_out
    assert of_people.startswith("There are no pictures of linking and singling out of B1 OP: ")
    assert of_speakers.startswith("There are no pictures of the speakers of B1 OP: ")
    assert of_calibration.startswith(
        "There are no pictures of calibration learnt on other speakers of B1 OP: "
    )
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in saved.paths)


def test_stopping_leaves_nothing(tmp_path: Path) -> None:
    seen = []

    def stop_late(share: float) -> None:
        seen.append(share)
        if share > 0.6:
            raise Cancelled

    with pytest.raises(Cancelled):
        save_all_pictures(project_of("B1"), tmp_path / "new", ["png"], on_progress=stop_late)
    assert seen == sorted(seen)
    assert list(tmp_path.iterdir()) == []


def test_without_a_format_there_is_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No format was chosen"):
        save_all_pictures(project_of("B1"), tmp_path, [])
