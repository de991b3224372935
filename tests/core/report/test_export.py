"""The report set: all of it or nothing."""

import datetime as dt
import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from tests.core.samples import demo, demo_material, project_of
from zebra_core.errors import Cancelled, OutputError
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.report import export
from zebra_core.report.export import report_set, save_report
from zebra_core.report.pdf import forget_drawn

DATE = dt.date(2026, 11, 20)
STEM = "ZEBRA-Demo-LibriSpeech-female-speakers"
SIMILARITY = ["similarity-2", "similarity-1"]  # the most telling one, then the others in the appendix
FIGURES = [
    *(
        "answer",
        "headline-scale",
        "headline-ladder",
        "ece-1-1",
        SIMILARITY[0],
        "linkage",
        "one-by-one",
        SIMILARITY[1],
    ),
    *(f"{kind}-{number}" for number in (1, 2, 3) for kind in ("zoo", "speakers")),
]
NAMES = [
    "report.pdf",
    "report.md",
    "tex/report.tex",
    *(
        f"tex/{stem}{part}"
        for stem in FIGURES
        for part in ((".tex", "-cells.png") if stem in SIMILARITY else (".tex",))
    ),
    *(f"figures/{stem}.png" for stem in FIGURES),
    f"{STEM}.png",
    f"{STEM}.pdf",
    f"{STEM}.svg",
    f"{STEM}.tex",
    f"{STEM}-standalone.tex",
    "results.csv",
    "results.md",
    "results.tex",
    "references.bib",
    "evidence.json",
    "evidence.schema.json",
    "SHA256SUMS",
]


COARSE = ReportSettings(dpi=72)


def one() -> StudiedProject:
    """A small project, whose pictures are drawn soon."""
    return gather(replace(project_of("a"), report=COARSE))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_set_of_the_demo_is_complete_and_the_same_every_time(tmp_path: Path) -> None:
    told: list[float] = []
    project = replace(demo(), report=COARSE)
    written = report_set(demo_material(project), tmp_path / "new" / "a", date=DATE, on_progress=told.append)
    assert [path.relative_to(tmp_path / "new" / "a").as_posix() for path in written] == NAMES
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] == pytest.approx(0.95)  # once it is written nobody can stop it
    forget_drawn()
    report_set(gather(project), tmp_path / "b", date=DATE)
    assert contents(tmp_path / "new" / "a") == contents(tmp_path / "b")
    with pikepdf.open(tmp_path / "b" / "report.pdf") as pdf:
        attached = pdf.attachments["evidence.json"].get_file().read_bytes()
    assert attached == (tmp_path / "b" / "evidence.json").read_bytes()


def test_one_name_taken_and_nothing_is_made_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.md").write_bytes(b"mine")
    with monkeypatch.context() as patch:
        patch.setattr(export, "make_report", None)  # whoever called it would end with another error
        with pytest.raises(OutputError, match=r"results\.md already exists"):
            report_set(one(), tmp_path, date=DATE)
    assert contents(tmp_path) == {"results.md": b"mine"}
    report_set(one(), tmp_path, date=DATE, overwrite=True)
    assert contents(tmp_path)["results.md"].startswith(b"| System")


def test_the_manifest_has_the_hash_of_every_other_file(tmp_path: Path) -> None:
    report_set(one(), tmp_path, date=DATE)
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(contents(tmp_path)) - 1


def test_the_projects_date_and_resolution_are_those_of_the_report(tmp_path: Path) -> None:
    settings = ReportSettings(date=dt.date(2025, 1, 2), dpi=72)
    report_set(gather(replace(project_of("a"), report=settings)), tmp_path)
    assert b'"date": "2025-01-02"' in contents(tmp_path)["evidence.json"]
    width = int.from_bytes(contents(tmp_path)["figures/ece-1-1.png"][16:20], "big")
    assert width == round(7.2 * 72)


def no_room(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def in_use(*_: object) -> None:
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


@pytest.mark.parametrize(
    ("system_call", "fails", "code"),
    [("fsync", no_room, "disk-full"), ("link", in_use, "in-use")],
)
def test_what_fails_in_the_middle_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system_call: str, fails: object, code: str
) -> None:
    monkeypatch.setattr(os, system_call, fails)
    with pytest.raises(OutputError) as raised:
        report_set(one(), tmp_path, date=DATE)
    assert raised.value.code == code
    assert str(raised.value).count(". ") == 1  # what it is, and how to mend it
    assert contents(tmp_path) == {}


def test_an_old_report_survives_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OutputError, match="is full"):
        save_report(gather(project_of("a")), path, overwrite=True, date=DATE)
    assert contents(tmp_path) == {"report.pdf": b"old"}


def test_stopped_before_the_end_nothing_is_written(tmp_path: Path) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        report_set(one(), tmp_path / "a", on_progress=stop)
    assert not (tmp_path / "a").exists()


def test_one_pdf(tmp_path: Path) -> None:
    path = save_report(gather(project_of("a")), tmp_path / "my report.PDF", date=DATE, author="me")
    assert path.read_bytes().startswith(b"%PDF")
    first = path.read_bytes()
    forget_drawn()
    with pytest.raises(OutputError, match="already exists"):
        save_report(gather(project_of("a")), path, date=DATE)
    save_report(gather(project_of("a")), path, date=DATE, author="me", overwrite=True)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("project", "name", "code"),
    [
        (project_of("a"), "report.doc", "report-format"),
        (Project("empty"), "report.pdf", "nothing-to-report"),
        (project_of("a"), "nowhere/report.pdf", "no-folder"),
    ],
)
def test_what_cannot_be_saved_is_told(tmp_path: Path, project: Project, name: str, code: str) -> None:
    with pytest.raises(OutputError) as raised:
        save_report(gather(project), tmp_path / name)
    assert raised.value.code == code
    assert str(raised.value)


def test_drawing_and_typesetting_are_loaded_when_first_used() -> None:
    probe = (
        "import sys, core, zebra_core.project.demo\n"
        "import zebra_core.report.export, zebra_core.figures.export\n"
        "sys.exit(bool({'matplotlib', 'typst', 'jinja2'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
