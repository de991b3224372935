"""`zebra validate`: its sentence, its files, its exit status."""

import datetime as dt

import pytest
from click.testing import CliRunner

from zebra_core.errors import Cancelled
from zebra_core.installation import dossier
from zebra_core.installation.dossier import Dossier
from zebra_core.installation.examined import DossierSection, ExaminedRequirement
from zebra_gui.cli import main


@pytest.mark.parametrize(("passed", "status"), [(True, 0), (False, 1)])
def test_the_status_says_whether_all_passed(monkeypatch, tmp_path, passed, status):
    line = ExaminedRequirement("It holds.", "It holds.", "Found.", passed, "Source", "tests")
    made = Dossier((DossierSection("laws", (line,)),), dt.datetime(2026, 1, 1, tzinfo=dt.UTC), 1.0, {}, ())
    monkeypatch.setattr(dossier, "validate", lambda _progress, **_how: made)
    done = CliRunner().invoke(main, ["validate", "-o", str(tmp_path / "new")])

    assert done.exit_code == status
    assert ("FAILED  It holds. Found.\n" in done.stdout) is not passed
    assert (tmp_path / "new/validation.pdf").read_bytes().startswith(b"%PDF-")


def test_nothing_is_computed_where_a_file_stands_in_the_way(monkeypatch, tmp_path):
    (tmp_path / "validation.pdf").write_text("mine")
    monkeypatch.setattr(dossier, "validate", lambda _progress, **_how: pytest.fail("computed"))
    done = CliRunner().invoke(main, ["validate", "-o", str(tmp_path)])

    assert (done.exit_code, "already exists" in done.stderr) == (1, True)


def test_in_full_it_says_beforehand_how_long_it_takes_and_leaves_nothing_when_it_is_stopped(
    monkeypatch, tmp_path
):
    def stopped(_progress, in_full):
        assert in_full
        raise Cancelled

    monkeypatch.setattr(dossier, "validate", stopped)
    done = CliRunner().invoke(main, ["validate", "-o", str(tmp_path / "new"), "--full"])

    assert done.exit_code == 130
    assert "sets are simulated again" in done.stderr
    assert list(tmp_path.iterdir()) == []
