"""Where the files of a report lie: inside a project, in the place of another, or beside namesakes."""

import datetime as dt
import hashlib
import shutil
import stat
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.document.samples import KEY, SCORES
from zebra_core.document import container
from zebra_core.document.project_file import open_project, restore_inputs, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.inputs import check, kept_elsewhere, with_findings
from zebra_core.report import found_files
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.export import save_report
from zebra_core.report.outcome_page import verification_json
from zebra_core.report.verification import Verification, VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.version import versions

DATE = dt.date(2026, 11, 20)
CHANGED = SCORES.replace("2.5", "3.5")


def project_of(*places: Path) -> Project:
    project = Project("Case 7")
    for place in places:
        allowed = {str(path): ("infinite-scores",) for path in place.rglob("scores")}
        allowed |= {f"{place} › scores": ("infinite-scores",)}
        arrival = arrive([place], Answers(allowed=allowed))
        assert arrival.entries, arrival
        project = project.with_items(*arrival.entries)
    return project


def delivered(folder: Path, scores: str = SCORES, key: str = KEY) -> Path:
    folder.mkdir(parents=True)
    (folder / "scores").write_text(scores)
    (folder / "trials").write_text(key)
    return folder


def reported(project: Project, folder: Path) -> Path:
    path = folder / "evidence.json"
    path.write_bytes(as_bytes(evidence(gather(project), DATE, versions())))
    return path


def line_of(found: Verification, name: str):
    return next(one for one in found.checked if one.about == name and one.what == "SHA-256")


# Inside a project


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Two deliveries of the same names, two files of the same bytes, and an archive; all of it inside."""
    one, other = delivered(tmp_path / "in/B1"), delivered(tmp_path / "in/B2", SCORES.replace("2.5", "2.75"))
    packed = shutil.make_archive(str(tmp_path / "in/B3"), "zip", delivered(tmp_path / "packing"))
    shutil.rmtree(tmp_path / "packing")
    project = project_of(one, other, Path(packed))
    reported(project, tmp_path)
    saved = save_project(project, tmp_path / "case.zebra", with_inputs=True)
    assert saved.left_out == ()
    return saved.path


def test_a_report_is_verified_with_the_scores_inside_the_project(case: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "in")
    found = verify(tmp_path / "evidence.json", [case])
    assert found.is_verified, found.summary
    assert line_of(found, "B1/scores").found == f"{case} › scores"
    assert line_of(found, "B1/trials").status is line_of(found, "B2/trials").status
    assert not found.namesakes


def test_a_report_of_a_project_that_was_opened_again_is_verified_with_it(case: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "in")
    renamed = case.rename(tmp_path / "another name.ZEBRA")
    opened = open_project(renamed).project
    found = check(opened, [])
    kept = restore_inputs(renamed, with_findings(opened, found), tmp_path / "kept")
    assert {path.name for path in kept.values()} == {"scores", "trials", "B3.zip"}
    assert len(set(kept.values())) == 5
    before = (tmp_path / "evidence.json").read_bytes()
    after = reported(with_findings(opened, kept_elsewhere(found, kept)), tmp_path)
    assert after.read_bytes() == before
    shutil.rmtree(tmp_path / "kept")
    assert verify(after, [renamed]).is_verified


def test_projects_and_folders_are_given_together(case: Path, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "in/B3.zip", tmp_path / "rest.zip")
    shutil.rmtree(tmp_path / "in")
    (tmp_path / "folder").mkdir()
    (tmp_path / "rest.zip").rename(tmp_path / "folder/called otherwise")
    names = [name for name in zipfile.ZipFile(case).namelist() if name.startswith("inputs/")]
    without(case, max(names, key=lambda name: zipfile.ZipFile(case).getinfo(name).file_size))
    assert not verify(tmp_path / "evidence.json", [case]).is_verified
    found = verify(tmp_path / "evidence.json", [case, tmp_path / "folder"])
    assert found.is_verified, found.summary
    assert line_of(found, "B3.zip").found == str(tmp_path / "folder/called otherwise")


def without(case: Path, member: str, **instead: bytes) -> None:
    with zipfile.ZipFile(case) as packed:
        members = {name: packed.read(name) for name in packed.namelist() if name != member}
    case.write_bytes(container.pack(members | ({member: instead["content"]} if instead else {})))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_what_is_unpacked_is_for_the_user_alone_and_goes_again(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    seen = []
    whole = found_files.restore_inputs

    def looked_at(*given: object, **more: object):
        made = whole(*given, **more)
        seen.extend((tmp_path / "temporary").iterdir())
        return made

    monkeypatch.setattr(found_files, "restore_inputs", looked_at)
    with found_files.unpacked([case]) as (_, kept):
        assert [stat.S_IMODE(path.stat().st_mode) for path in seen] == [0o700]
        assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    assert not seen[0].exists()


def test_a_project_that_is_none_is_a_sentence(case: Path, tmp_path: Path) -> None:
    for content, sentence in ((b"", "is not a ZEBRA project"), (case.read_bytes()[:900], "is damaged|cut")):
        (tmp_path / "bad.zebra").write_bytes(content)
        with pytest.raises(InputError) as raised:
            verify(tmp_path / "evidence.json", [tmp_path / "bad.zebra"])
        assert raised.value.code.startswith("project-"), sentence
    with pytest.raises(InputError, match=r"none\.zebra"):
        verify(tmp_path / "evidence.json", [tmp_path / "none.zebra"])


def test_a_copy_of_other_bytes_than_its_hash_is_refused(case: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(case) as packed:
        member = min(name for name in packed.namelist() if name.startswith("inputs/"))
    without(case, member, content=b"something else")
    with pytest.raises(InputError, match="is not the file that was read"):
        verify(tmp_path / "evidence.json", [case])


def test_names_of_the_worst_kind_lead_nowhere_and_copies_have_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = project_of(delivered(tmp_path / "in"))
    (entry,) = project.entries
    bad = [
        *("/", "/..", "../../../escaped/scores", "/x/" + "y" * 255, "/a/scores", "/a/scores/scores"),
        *("/b/scores", "/c/scores"),
        # A file that is called as a folder of others, and folders that are none here, or lead too deep.
        *("/r/x", "/q/x/y", "/q/z/y", f"/{'long' * 99}/y", "/s/\ud800/y", "/" + "/".join(["deep" * 50] * 30)),
    ]
    content = b"x" * 200_000
    known = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    files = tuple(replace(entry.files[0], path=Path(path), **known) for path in bad)
    hostile = project.replacing(replace(entry, assessment=replace(entry.assessment, files=files)))
    save_project(hostile, tmp_path / "bad.zebra")
    without(tmp_path / "bad.zebra", f"inputs/{files[0].sha256}", content=content)
    with found_files.unpacked([tmp_path / "bad.zebra"]) as (_, kept):
        top = next(iter(kept)).parents[1]
        assert len(kept) == len(bad) - 1  # "/.." is "/"
        for path in kept:
            assert path.read_bytes() == content
            assert ".." not in path.parts
            assert path.resolve().is_relative_to(top.resolve().parents[1])
    assert not (tmp_path / "escaped").exists()
    monkeypatch.setattr(container, "MOST_BYTES", 3 * len(content))
    bounded = pytest.raises(InputError, match="more than 0 GB of files inside")
    with bounded, found_files.unpacked([tmp_path / "bad.zebra"]):
        pass


# In the place of another


def test_a_changed_file_is_told_where_a_copy_of_its_bytes_lies_elsewhere(tmp_path: Path) -> None:
    folder = delivered(tmp_path / "in")
    path = reported(project_of(folder), tmp_path)
    (folder / "old").mkdir()
    (folder / "scores").rename(folder / "old/scores")
    (folder / "scores").write_text(CHANGED)
    found = verify(path, [folder])
    line = line_of(found, "scores")
    assert line.status is VerificationStatus.FILE_REPLACED
    assert line.found.startswith(
        f"scores has changed ({folder / 'scores'}); the bytes of the report were found in "
        f"{folder / 'old/scores'}."
    )
    assert not found.is_verified
    assert found.summary.startswith("Not everything is verified: ")
    assert "one file has changed, whose bytes were found elsewhere" in found.summary
    figures = {one.status for one in found.checked if one is not line}
    assert figures == {VerificationStatus.VERIFIED}
    assert '"file-replaced"' in verification_json(path, found).decode()


@pytest.mark.parametrize("copy", ["old/scores", "copy of scores", "old/another name"])
def test_it_is_told_wherever_below_the_folder_it_lay(copy: str, tmp_path: Path) -> None:
    folder = delivered(tmp_path / "in/deep/down")
    path = reported(project_of(folder), tmp_path)
    (tmp_path / "in" / copy).parent.mkdir(exist_ok=True)
    (folder / "scores").rename(tmp_path / "in" / copy)
    (folder / "scores").write_text(CHANGED)
    found = verify(path, [tmp_path / "in"])
    assert line_of(found, "scores").status is VerificationStatus.FILE_REPLACED
    assert f"({folder / 'scores'})" in line_of(found, "scores").found


def test_a_changed_file_is_told_where_its_bytes_are_inside_a_project(case: Path, tmp_path: Path) -> None:
    (tmp_path / "in/B1/scores").write_text(CHANGED)
    found = verify(tmp_path / "evidence.json", [case, tmp_path / "in"])
    line = line_of(found, "B1/scores")
    assert line.status is VerificationStatus.FILE_REPLACED
    assert f"{case} › scores" in line.found
    assert line_of(found, "B2/scores").status is VerificationStatus.VERIFIED


def test_a_changed_file_is_told_where_a_whole_copy_lies_in_another_of_the_folders(tmp_path: Path) -> None:
    folder = delivered(tmp_path / "in/deep")
    path = reported(project_of(folder), tmp_path)
    shutil.copytree(folder, tmp_path / "other/copy")
    (folder / "scores").write_text(CHANGED)
    given = [tmp_path / "in", tmp_path / "other"]
    for folders in (given, given[::-1]):
        line = line_of(verify(path, folders), "scores")
        assert line.status is VerificationStatus.FILE_REPLACED
        assert f"scores has changed ({folder / 'scores'})" in line.found


def test_files_of_the_same_name_elsewhere_have_not_changed_but_are_told(tmp_path: Path) -> None:
    """A report of one safeguard is verified in the folder of all: it has a file of that name for each."""
    folder = tmp_path / "in"
    one = delivered(folder / "B1")
    delivered(folder / "B2", CHANGED)
    path = reported(project_of(one), tmp_path)
    found = verify(path, [folder])
    assert found.is_verified, found.summary
    (told,) = found.namesakes
    assert told.startswith(
        f"The bytes of scores were found in {one / 'scores'}. Another file of the same name"
    )
    assert f"{folder / 'B2/scores'}" in told
    assert found.as_json()["namesakes"] == [told]
    assert not verify(path, [one]).namesakes


def test_files_of_the_report_itself_have_taken_nobodys_place(tmp_path: Path) -> None:
    one, other = delivered(tmp_path / "in/B1"), delivered(tmp_path / "in/B2", CHANGED)
    path = reported(project_of(one, other), tmp_path)
    found = verify(path, [tmp_path / "in"])
    assert found.is_verified
    assert not found.namesakes


def test_a_changed_file_is_in_the_page_for_the_file(tmp_path: Path) -> None:
    from tests.core.samples import pdf_text
    from zebra_core.report.outcome_page import save_record

    folder = delivered(tmp_path / "in")
    report = save_report(gather(project_of(folder)), tmp_path / "report.pdf", date=DATE)
    (folder / "scores").rename(folder / "copy")
    (folder / "scores").write_text(CHANGED)
    found = verify(report, [folder])
    save_record(report, found, [folder], tmp_path / "record.pdf")
    text = " ".join(pdf_text(tmp_path / "record.pdf").split())
    assert "another file in its place" in text
    assert "the bytes of the report were found in" in text


def test_files_of_the_same_bytes_keep_their_names_where_only_one_is_left(tmp_path: Path) -> None:
    one, other = delivered(tmp_path / "in/B1"), delivered(tmp_path / "in/B2", CHANGED)
    path = reported(project_of(one, other), tmp_path)
    (other / "trials").unlink()
    found = verify(path, [tmp_path / "in"])
    assert found.is_verified, found.summary
    (other / "trials").write_text(KEY + "m1 u9 target\n")
    found = verify(path, [tmp_path / "in"])
    assert line_of(found, "B2/trials").status is VerificationStatus.FILE_REPLACED
    assert (
        f"B2/trials has changed ({other / 'trials'}); the bytes of the report were found in {one / 'trials'}."
        in (line_of(found, "B2/trials").found)
    )


def test_another_state_of_the_project_has_changed_files_inside(case: Path, tmp_path: Path) -> None:
    (tmp_path / "in/B1/scores").write_text(CHANGED)
    save_project(project_of(tmp_path / "in/B1", tmp_path / "in/B2"), case, with_inputs=True)
    found = verify(tmp_path / "evidence.json", [case])
    line = line_of(found, "B1/scores")
    assert (line.status, line.found) == (VerificationStatus.FILE_CHANGED, f"{case} › scores")


def test_folders_alone_take_no_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = delivered(tmp_path / "in")
    path = reported(project_of(folder), tmp_path)
    monkeypatch.setattr(found_files, "temporary_folder", None)
    assert verify(path, [folder]).is_verified
