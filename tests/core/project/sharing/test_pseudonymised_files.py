"""No name of a file is left in what is shared, whatever is called after it; a name that is left is found."""

import datetime as dt
import gzip
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.project.sharing.test_pseudonymised import PEOPLE
from tests.core.samples import pdf_text
from zebra_core.document.project_file import save_project
from zebra_core.errors import OutputError
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.sharing.pseudonymised import Places, PseudonymisedProject, refuse_names, without_names
from zebra_core.project.sharing.pseudonymised_files import HiddenNames
from zebra_core.report.export import report_set, save_report

OWN = "Anna-Mueller"


def put(folder: Path, name: str, content: str) -> None:
    """A file as it is called: plain, packed, or as the only member of an archive."""
    path, packed = folder / name, content.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    if name.endswith(".gz"):
        packed = gzip.compress(packed, mtime=0)
    if name.endswith(".zip"):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{OWN}.txt", content)
        packed = made.getvalue()
    path.write_bytes(packed)


def shared_of(tmp_path: Path, called: str) -> PseudonymisedProject:
    rows = [(who, f"{one}-{k}", who == one) for one in PEOPLE for k in range(4) for who in PEOPLE]
    gap = "," if called.endswith(".csv") else " "
    said = [f"{a}{gap}{b}{gap}{(2.0 if same else 0.0) + k % 7}" for k, (a, b, same) in enumerate(rows)]
    put(tmp_path / "in", called, "\n".join([*(["enrol,test,score"] if gap == "," else []), *said]) + "\n")
    labels = "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in rows)
    put((tmp_path / "in" / called).parent, "trials", labels)
    project = Project("", arrive([tmp_path / "in"]).entries)
    return without_names(project, Places(tmp_path / "out" / "scores", tmp_path / "codes.json"))


@pytest.mark.parametrize(
    "called", [f"{OWN}.txt", f"{OWN}.txt.gz", f"{OWN}.csv", f"{OWN}.scores.txt", "bag.zip", f"{OWN}/scores"]
)
def test_what_an_assessment_is_called_after_is_hidden(tmp_path: Path, called: str) -> None:
    made = shared_of(tmp_path, called)
    out = tmp_path / "out"
    save_project(
        made.project, out / "case.zebra", with_inputs=True, without_folders=True, look=made.refuse_names
    )
    report_set(gather(made.project), out / "set", date=dt.date(2026, 1, 2), look=made.refuse_names)
    back = json.loads(made.key_file.read_text())["names"]
    (entry,) = made.project.entries
    assert OWN in back[entry.name]
    with zipfile.ZipFile(out / "case.zebra") as packed:
        members = [packed.read(name) for name in packed.namelist()]
    everything = [*members, *(path.read_bytes() for path in out.rglob("*") if path.is_file())]
    everything += [
        pdf_text(out / "set" / "report.pdf").encode(),
        "\n".join(map(str, out.rglob("*"))).encode(),
    ]
    assert not [one for one in everything if b"mueller" in one.lower()]


def test_what_stays_of_labels_is_told(tmp_path: Path) -> None:
    rows = [(who, f"{one}-{k}", who == one) for one in PEOPLE for k in range(4) for who in PEOPLE]
    top = tmp_path / "in" / "exp" / "Veil" / "ASV-set_test_enrolls-set_test_trials_anon"
    put(top, "scores", "".join(f"{a} {b} {k}\n" for k, (a, b, _) in enumerate(rows)))
    put(top, "trials", "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in rows))
    project = Project("", arrive([tmp_path / "in"]).entries)
    made = without_names(project, Places(tmp_path / "out", tmp_path / "codes.json"))
    assert [entry.name for entry in made.project.entries] == ["Veil"]  # by the usual folders, a safeguard
    assert any("Veil" in told for told in made.sentences)


def test_a_name_that_got_through_ends_the_making_with_a_sentence_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    made = shared_of(tmp_path, "scores")
    leaking = replace(made.project, report=ReportSettings(question="Is it Chrysanthe who speaks?"))
    material, report, copy = gather(leaking), tmp_path / "report.pdf", tmp_path / "case.zebra"
    with pytest.raises(OutputError, match=r"report\.pdf.*chrysanthe"):
        save_report(material, report, look=made.refuse_names)
    with pytest.raises(OutputError, match="chrysanthe"):
        report_set(material, tmp_path / "set", look=made.refuse_names)
    with pytest.raises(OutputError, match="chrysanthe"):
        save_project(leaking, copy, look=made.refuse_names)
    with pytest.raises(OutputError, match="ekkehard"):
        save_report(gather(made.project), tmp_path / "of-Ekkehard.pdf", look=made.refuse_names)
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out", "codes.json"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_words_of_ours_numbers_and_short_names_make_no_report_fail(tmp_path: Path, language: str) -> None:
    made = shared_of(tmp_path, "scores")
    names = ["speakers", "report", "1688", "0000", "B2", "F1", "Tf", "stream", "Sprecher", "2026-01-02"]
    hidden = replace(made, hidden=HiddenNames(names))
    project = replace(made.project, report=replace(made.project.report, language=language))
    material = gather(project)
    for summary in (False, True):
        path = tmp_path / f"{summary}.pdf"
        save_report(material, path, date=dt.date(2026, 1, 2), is_summary=summary, look=hidden.refuse_names)
        assert path.exists()


def test_names_are_found_in_every_kind_of_file_and_as_tex_and_json_write_them() -> None:
    hidden = HiddenNames(["Anna_Mueller", "Dorothéa", "s-0123", "Ann"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.json", '{"of": "Doroth\\u00e9a"}')
    for name, content in {
        "a.tex": rb"of Anna\_Mueller.",
        "a.md": rb"**Anna\_Mueller**",
        "a.json": b'"Doroth\\u00e9a"',
        "a.csv": b"1,S-0123,2",
        "a.zebra": packed.getvalue(),
        "figures/s-0123.png": b"",
        "results_Anna_Mueller_2.csv": b"",
    }.items():
        with pytest.raises(OutputError, match="name"):
            refuse_names({name: content}, hidden)
    refuse_names({"a.txt": b"Ann as-01234 Annabell Mueller"}, hidden)
