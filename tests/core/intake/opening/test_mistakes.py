"""What is dropped by mistake gets a sentence that says what it is, and what to give instead."""

import pytest

from tests.core.samples import project_of
from zebra_core.errors import InputError
from zebra_core.intake.opening.opening import decode, open_file
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import made_pdf, make_report


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"%PDF-1.7\n1 0 obj", "f is a PDF, and scores cannot be read from it."),
        (b"\x89PNG\r\n\x1a\n", "f is a picture."),
        (b"\xff\xd8\xff\xe0JFIF", "f is a picture."),
        (b"RIFF\x24\x08\0\0WAVEfmt ", "f is a recording."),
        (b"RIFF\x24\x08\0\0WEBPVP8 ", "f is a picture."),
        (b"fLaC\0\0\0\x22", "f is a recording."),
        (b"OggS\0\x02", "f is a recording."),
        (b"ID3\x04\0", "f is a recording."),
        (b"FORM\0\0\0\0AIFFCOMM", "f is a recording."),
        *(
            (
                head,
                "f is a film, or a recording in a format that ZEBRA does not read, such as AAC (m4a), AMR or",
            )
            for head in (
                b"\0\0\0\x18ftypmp42",
                b"\0\0\0\x1cftypM4A ",
                b"\xff\xf1\x60\x40",
                b"#!AMR\n",
                b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
                b"\x1aE\xdf\xa3",
                b"NIST_1A\n",
            )
        ),
    ],
)
def test_by_its_first_bytes_whatever_its_name(tmp_path, content, sentence):
    path = tmp_path / "f"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        decode(open_file(path))
    assert str(raised.value).startswith(sentence)


def test_a_report_of_ours_is_known_and_how_it_is_checked(tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(made_pdf(make_report(gather(project_of("B1w")))))
    (problem,) = plan([path]).problems
    assert str(problem.error) == (
        "report.pdf is a report made by ZEBRA. To check it, choose File > Verify a report, "
        "or run: zebra verify."
    )


def test_beside_scores_in_a_folder_they_are_no_matter(tmp_path):
    (tmp_path / "figure.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "speech.wav").write_bytes(b"RIFF\x24\x08\0\0WAVEfmt ")
    (tmp_path / "list").write_text("a b 1.0 target\na c 0.5 nontarget\n")
    made = plan([tmp_path])
    assert not made.problems
    assert len(made.assessments) == 1


LINES = "".join(f"e t{n} {n}.5 {('target', 'nontarget')[n % 2]}\n" for n in range(30))


@pytest.mark.parametrize("ending", ["crdownload", "download", "opdownload", "part", "partial", "tmp", "!ut"])
def test_a_download_that_is_not_finished_is_left_out_of_a_folder_and_named(tmp_path, ending):
    (tmp_path / "scores.csv").write_text(LINES, encoding="utf-8")
    unfinished = tmp_path / f"scores.csv.{ending}"
    unfinished.write_text(LINES[:200], encoding="utf-8")
    made = plan([tmp_path])
    assert [one.scores.source.path.name for one in made.assessments] == ["scores.csv"]
    [problem] = made.problems
    assert str(problem.error) == (
        f"scores.csv.{ending} was left out: its name ends in .{ending}, as that of a download that is not "
        "finished. Download the file again; if it is complete, take the ending off its name."
    )
    with pytest.raises(InputError) as raised:
        open_file(unfinished)
    assert raised.value.code == "unfinished-download"


def test_a_folder_that_is_downloaded_into_is_not_looked_into(tmp_path):
    (tmp_path / "scores.csv.download").mkdir()
    (tmp_path / "scores.csv.download" / "scores.csv").write_text(LINES, encoding="utf-8")
    made = plan([tmp_path])
    assert not made.assessments
    [problem] = made.problems
    assert (problem.error.code, problem.source.path.name) == ("unfinished-download", "scores.csv.download")
