"""A project with something in every part of it, and how to spoil its file."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.core.similarity_cases import random_rows, scores, segments
from tests.core.speaker_model import trials_of
from zebra_core.evidence.audit import Answers, Decision, InputFile, Remark, Severity
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.tables.published import FigureDefinition, PrintedFigure, PublishedResults
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess
from zebra_core.metrics.scales import ENFSI_LIKE_SCALE, Tag, TagScale
from zebra_core.metrics.similarity import voice_similarity
from zebra_core.project.items import Condition, Entry, SimilarityEntry, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

SCORES = "m1 u1 2.5\nm1 u2 0.5\nm2 u1 -1.25\nm2 u2 1e-300\nm1 u3 inf\nm2 u3 0.5\n"
KEY = "m1 u1 target\nm1 u2 nontarget\nm2 u1 nontarget\nm2 u2 target\nm1 u3 target\nm2 u3 nontarget\n"
FEW = BootstrapSettings(replicates=30, seed=7, level=0.9)
COARSE = TagScale((Tag("0", 0.0), Tag("low", 0.0, "little"), Tag("high", 0.5)))


def write_case(folder: Path) -> tuple[Path, Path]:
    """Scores and key of an assessment, on disk."""
    (folder / "exp").mkdir(parents=True, exist_ok=True)
    for name, text in (("exp/scores", SCORES), ("trials", KEY)):
        (folder / name).write_text(text)
    return folder / "exp/scores", folder / "trials"


def rich_project(folder: Path) -> Project:
    """Assessments with decisions and findings, matrices, scales, answers, and foreign texts."""
    path, key = write_case(folder)
    entry = assess_files(path, key, name="B1 \u202e<b>", condition=Condition.OP, allow=["infinite-scores"])
    again = assess_files(
        path, key, settings=Settings(score_meaning=ScoreMeaning.LOG10_LR), allow=["infinite-scores"]
    )
    spoken = segments(4, 3)
    kinds = (("oo", False), ("op", True))
    rows = {kind: scores(random_rows(spoken, 1, ordered=ordered)) for kind, ordered in kinds}
    voices = voice_similarity(**rows, speakers=spoken)
    map_file = InputFile(key, "speakers", key.stat().st_size, "0" * 64, 4)
    remark = Remark("self-comparisons", {"setting": "OO", "count": 2}, Severity.WARNING)
    project = Project(
        "Case 7 \U0001f993",
        (),
        Answers(
            {f"reading:{path}": "kaldi-scores", f"key:{path}": str(key)},
            {str(path): (Decision.INFINITE_SCORES.value,)},
        ),
        COARSE,
        ENFSI_LIKE_SCALE,
        "first line\nsecond",
        ReportSettings(author="A. Reviewer", date=dt.date(2026, 11, 21), notes={Section.DATA: "all of it"}),
        (
            PublishedResults(
                Source(path, "EER"),
                "0" * 64,
                (PrintedFigure(FigureDefinition.TAG, "C", 3, condition="OP"),),
                (2,),
            ),
        ),
        {SpeechKey("libri_f", "B1"): Utility.typed(0.042)},
    )
    choices = {f"reading:{path}": "kaldi-scores", f"key:{path}": str(key)}
    return project.with_items(
        replace(
            entry, choices=choices, dataset="libri_f", run="2", notes="\udc80", attacker="my own", colour=3
        ),
        SimilarityEntry(
            "B1",
            replace(voices, files=(map_file,), remarks_on_files=(remark,), sex={"s0": "f"}),
            is_ticked=False,
            allowed=frozenset({Decision.NAN_SCORES}),
        ),
        replace(again, name="", colour=None),
        measured_entry(),
    )


@cache
def measured_entry() -> Entry:
    """An assessment of which it was asked how sure it is: nothing changes it, so that tests share it."""
    trials = trials_of(np.random.default_rng(0), 20, 0.7)
    known = assess(trials)
    return Entry("B9", trials=trials, assessment=known, measured=trust_of(trials, known, FEW))


def entry_with_unknown_segments() -> Entry:
    """The same with test segments that no target trial compares, so that nobody knows whose they are."""
    drawn = trials_of(np.random.default_rng(0), 20, 0.7)
    assert drawn.enrol is not None
    assert drawn.test is not None
    kept = ~drawn.is_target | (drawn.test.codes % 2 == 0)
    names = tuple(f"u{number}" for number in range(len(drawn.test.names)))
    test = Ids(drawn.test.codes[kept], names)
    enrol = Ids(drawn.enrol.codes[kept], drawn.enrol.names)
    trials = Trials(drawn.score[kept], drawn.is_target[kept], enrol, test)
    known = assess(trials)
    return Entry("B9", trials=trials, assessment=known, measured=trust_of(trials, known, FEW))


def repacked(
    path: Path, change: Callable[[dict[str, bytes]], object], method: int = zipfile.ZIP_DEFLATED
) -> Path:
    """Spoil a project file: what is changed in the members is written in the place of the old."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    path.write_bytes(file.getvalue())
    return path


def rewritten(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """Spoil project.json alone."""

    def rewrite(members: dict[str, bytes]) -> None:
        document = json.loads(members["project.json"])
        change(document)
        members["project.json"] = json.dumps(document).encode()

    return repacked(path, rewrite)
