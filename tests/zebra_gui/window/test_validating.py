"""Validating from the window: a folder is asked for, a job makes the dossier, a remark opens it."""

import datetime as dt

import pytest
from PySide6.QtGui import QDesktopServices

from zebra_core.installation import dossier
from zebra_core.installation.dossier import Dossier
from zebra_core.installation.examined import DossierSection, ExaminedRequirement


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def validate(window, settled, monkeypatch, tmp_path, answers):
    """Chooses a folder, where a dossier of one line comes about."""
    line = ExaminedRequirement("It holds.", "It holds.", "Found.", True, "Source", "tests")
    made = Dossier((DossierSection("laws", (line,)),), dt.datetime(2026, 1, 1, tzinfo=dt.UTC), 2.0, {}, ())
    monkeypatch.setattr(dossier, "validate", lambda _progress: made)
    answers["dossier"] = tmp_path
    yield lambda: (window.help_menu.validate_action.trigger(), settled(window.jobs))
    window.validated_bar.button.click()
    window.session.dismiss_problems()


def test_what_came_of_it_is_said_in_a_remark_that_opens_the_dossier(window, validate, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    validate()
    assert window.validated_bar.text.text() == (
        f"The one line that has a criterion: PASSED, in 2 s.\nThe dossier is validation.pdf in {tmp_path}."
    )
    window.validated_bar.open.click()
    assert opened == [str(tmp_path / "validation.pdf")]
    assert (tmp_path / "validation.json").exists()

    window.validated_bar.button.click()
    assert window.validated_bar.isHidden()


def test_where_nothing_opens_it_its_place_is_said(window, validate, tmp_path, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    validate()
    window.validated_bar.open.click()
    assert window.validated_bar.text.text() == (
        f"No program here opens PDF files. The dossier is {tmp_path / 'validation.pdf'}."
    )


def test_a_dossier_that_is_there_is_not_overwritten(window, validate, tmp_path):
    (tmp_path / "validation.pdf").write_text("mine")
    validate()
    assert "already exists" in window.session.problems[0]
    assert (tmp_path / "validation.pdf").read_text() == "mine"


def test_without_a_folder_nothing_happens(window, validate, answers):
    answers["dossier"] = None
    validate()
    assert window.validated_bar.isHidden()
