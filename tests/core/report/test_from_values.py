"""A report is made of what was gathered before: of its input files nothing is needed any more."""

import datetime as dt
import shutil
from dataclasses import replace
from pathlib import Path

import zebra_resources
from zebra_core.project import demo
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files
from zebra_core.report.export import make_report

DATE = dt.date(2026, 11, 22)


def test_the_input_files_may_be_gone_when_a_report_is_made(tmp_path):
    folder = tmp_path / "given"
    folder.mkdir()
    given = (demo.FILES[2].path, zebra_resources.path(demo.KEY))
    scores, key = (Path(shutil.copy(path, folder)) for path in given)
    entry = replace(assess_files(scores, key), trials=None)  # let go, as those of an opened project are
    project = Project(items=(entry,))
    material = gather(project)
    before = make_report(material, date=DATE)
    shutil.rmtree(folder)

    after = make_report(material, date=DATE)
    assert after.evidence == before.evidence
    assert after.tables == before.tables
    assert set(material.speakers) == {entry.id}
    assert set(gather(project).speakers.missing) == {entry.id}
