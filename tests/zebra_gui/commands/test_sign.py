"""`zebra sign` and `zebra certificate`: pass phrases from a file or a prompt, and what is told then."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import zebra_resources
from tests.core.samples import demo, demo_material
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report.export import save_report
from zebra_gui.cli import main

BRIEF = ReportSettings(left_out=frozenset(Section) - {Section.QUESTION})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short report of one assessment, two keys and a file with the pass phrase of the first."""
    folder = tmp_path_factory.mktemp("sign")
    project = replace(demo(), items=demo().entries[:1], report=BRIEF)
    save_report(demo_material(project), folder / "report.pdf", date=dt.date(2026, 11, 20))
    (folder / "word").write_text("geheim\n")
    made = run("certificate", "Ada", "--passphrase-file", folder / "word", "-o", folder / "ada.p12")
    assert (made.exit_code, made.stdout.split()) == (0, [str(folder / "ada.p12"), str(folder / "ada.pem")])
    return folder


def run(*arguments: object, typed: str = ""):
    return CliRunner().invoke(main, [str(one) for one in arguments], input=typed)


def test_a_signed_copy_is_written_and_told_by_verify(folder: Path) -> None:
    done = run(
        *(
            "sign",
            folder / "report.pdf",
            "--certificate",
            folder / "ada.p12",
            "--reason",
            "Mine",
        ),
        *("--passphrase-file", folder / "word", "-o", folder / "signed.pdf"),
    )
    assert (done.exit_code, done.stdout) == (0, f"{folder / 'signed.pdf'}\n")
    assert "Signed by Ada, Self-made with ZEBRA for trials (self-made certificate)." in done.stderr
    told = run("verify", folder / "signed.pdf", "--data", zebra_resources.path("demo"))
    assert told.exit_code == 0, told.output
    assert (
        "Signature 1: intact, by “Ada, Self-made with ZEBRA for trials”, as its certificate claims."
        in told.stdout
    )
    assert "Whether the certificate can be trusted was not checked" in told.stdout
    assert "files and pages are those of the evidence." in told.stdout
    trusted = run(
        *("verify", folder / "signed.pdf", "--data", zebra_resources.path("demo"), "--json"),
        *("--trust", folder / "ada.pem"),
    )
    (one,) = json.loads(trusted.stdout)["signatures"]
    assert (one["sound"], one["trusted_by"]) == (True, "Ada, Self-made with ZEBRA for trials")


def test_the_pass_phrase_is_asked_for_and_never_shown(folder: Path) -> None:
    arguments = ("sign", folder / "report.pdf", "--certificate", folder / "ada.p12", "-o", folder / "b.pdf")
    wrong = run(*arguments, typed="Geheim\n")
    assert wrong.exit_code != 0
    assert "The pass phrase does not open ada.p12. Type it again." in wrong.stderr
    assert "Geheim" not in wrong.output
    assert not (folder / "b.pdf").exists()
    assert run(*arguments, typed="geheim\n").exit_code == 0


def test_no_option_takes_a_pass_phrase(folder: Path) -> None:
    assert "--passphrase " not in run("sign", "--help").output
    assert run("sign", folder / "report.pdf", "--passphrase", "geheim").exit_code == 2


def test_where_no_blank_paper_is_left_no_further_signature_is_visible(folder: Path) -> None:
    """However many there is room for, the page is full at last."""
    report, key = folder / "report.pdf", folder / "ada.p12"
    for number in range(5):
        done = run(
            *("sign", report, "--certificate", key, "--visible"),
            *("--passphrase-file", folder / "word", "-o", folder / f"seen-{number}.pdf"),
        )
        if done.exit_code:
            break
        report = folder / f"seen-{number}.pdf"
    assert f"{report.name} has no blank paper left for a visible signature. Sign it invisibly." in done.stderr


def test_the_report_is_not_replaced(folder: Path) -> None:
    done = run(
        *("sign", folder / "report.pdf", "--certificate", folder / "ada.p12", "--overwrite"),
        *("--passphrase-file", folder / "word", "-o", folder / "report.pdf"),
    )
    assert done.exit_code != 0
    assert "report.pdf would be replaced by its signed copy." in done.stderr
