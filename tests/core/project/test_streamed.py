"""An assessment of counted trials: saved, opened again, reported and verified like any other."""

import datetime as dt
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import zebra_resources
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers, InputState
from zebra_core.intake.streaming.counting import STREAMED
from zebra_core.project import demo
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.inputs import check, with_findings
from zebra_core.project.reading.reading import assess_files, read_again, trials_of, weighable_of
from zebra_core.report.export import save_report
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

DATE = dt.date(2026, 11, 20)
FIGURES = ("d_ece_bits", "worst_case_log10_lr", "tag", "eer", "rocch_eer", "cllr_bits", "min_cllr_bits")


def copied(folder: Path) -> tuple[Path, Path]:
    """Scores and key of the demo in this folder."""
    for source, name in ((demo.FILES[2].path, "scores"), (zebra_resources.path(demo.KEY), "key")):
        shutil.copy(source, folder / name)
    return folder / "scores", folder / "key"


def dropped(files: tuple[Path, Path]) -> Entry:
    [found] = arrive(files, Answers({"streaming": "yes"})).entries
    assert isinstance(found, Entry)
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One copy for the whole module: nobody changes it."""
    return copied(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def entry(files: tuple[Path, Path]) -> Entry:
    """Dropped once for the whole module: it is made of values, which nothing can change."""
    return dropped(files)


def codes(entry: Entry) -> list[str]:
    return [remark.code for remark in entry.assessment.remarks_on_files]


def test_a_drop_that_is_streamed_comes_to_the_same_figures_without_trials(files, entry) -> None:
    held = assess_files(*files).assessment
    assert entry.trials is None
    assert STREAMED in codes(entry)
    for name in FIGURES:
        assert getattr(entry.assessment, name) == getattr(held, name), name
    assert entry.assessment.files == held.files


def test_it_is_saved_and_opened_again_with_all_that_is_told_of_it(tmp_path, entry) -> None:
    save_project(Project("case", (entry,)), tmp_path / "case.zebra")
    [found] = open_project(tmp_path / "case.zebra").project.entries
    assert codes(found) == codes(entry)
    assert [str(one) for one in found.assessment.remarks] == [str(one) for one in entry.assessment.remarks]
    assert found.audit == entry.audit
    for name in FIGURES:
        assert getattr(found.assessment, name) == getattr(entry.assessment, name), name
    with pytest.raises(InputError, match="known only as counts"):
        trials_of(found)


def test_how_it_was_read_is_remembered_and_a_changed_file_is_noticed(tmp_path) -> None:
    files = copied(tmp_path)
    entry = dropped(files)
    save_project(Project("case", (entry,)), tmp_path / "case.zebra")
    opened = open_project(tmp_path / "case.zebra").project
    again = read_again(opened.entries[0], ())
    assert again.trials is None
    assert again.assessment.d_ece_bits == entry.assessment.d_ece_bits
    lines = files[0].read_text().splitlines()
    files[0].write_text("\n".join([*lines[:-1], lines[-1].rpartition(" ")[0] + " 9.5"]) + "\n")
    with pytest.raises(InputError, match="scores"):
        read_again(opened.entries[0], ())
    [checked] = with_findings(opened, check(opened, [tmp_path])).entries
    assert [file.state for file in checked.files] == [InputState.CHANGED, InputState.AS_READ]


def test_its_report_says_so_and_is_verified(tmp_path, files, entry) -> None:
    report = save_report(gather(Project("case", (entry,))), tmp_path / "report.pdf", date=DATE)
    with pikepdf.open(report) as pdf:
        evidence = json.loads(pdf.attachments["evidence.json"].get_file().read_bytes())
    [recorded] = evidence["assessments"]
    assert STREAMED in [one["code"] for one in recorded["remarks"]]
    found = verify(report, [files[0].parent])
    assert found.is_verified, [
        str(one) for one in found.checked if one.status is not VerificationStatus.VERIFIED
    ]
    assert {"d_ece_bits", "profile.min_bits"} <= {one.what for one in found.checked}


def test_intervals_of_counts_are_reported_and_verified(tmp_path, files, entry) -> None:
    settings = BootstrapSettings(20)
    trust = trust_of(weighable_of(entry), entry.assessment, settings, deals=20)
    measured = replace(entry, measured=trust)
    report = save_report(gather(Project("case", (measured,))), tmp_path / "report.pdf", date=DATE)
    found = verify(report, [files[0].parent])
    assert found.is_verified, [
        str(one) for one in found.checked if one.status is not VerificationStatus.VERIFIED
    ]
    assert any("interval" in one.what for one in found.checked), {one.what for one in found.checked}


def test_counts_in_parquet_are_reported_and_verified(tmp_path) -> None:
    rng = np.random.default_rng(4)
    columns = {
        "score": np.arange(400) / 8,
        "targets": rng.integers(0, 9, 400),
        "nontargets": rng.integers(0, 90, 400),
    }
    pq.write_table(pa.table(columns), tmp_path / "counts.parquet")
    [entry] = arrive([tmp_path / "counts.parquet"]).entries
    assert (entry.assessment.n_target, entry.assessment.n_nontarget) == tuple(
        int(columns[name].sum()) for name in ("targets", "nontargets")
    )
    report = save_report(gather(Project("case", (entry,))), tmp_path / "report.pdf", date=DATE)
    assert verify(report, [tmp_path]).is_verified
    altered = dict(columns, score=columns["score"] * 2)
    pq.write_table(pa.table(altered), tmp_path / "counts.parquet")
    assert not verify(report, [tmp_path]).is_verified
