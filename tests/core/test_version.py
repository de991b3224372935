"""The version and its commit: from the stamp of a bundle, from git in a checkout, or not known."""

import re

import numpy as np
import pytest
import scipy

import zebra_resources
from zebra_core import version
from zebra_core.version import versions


@pytest.fixture(autouse=True)
def asked_anew():
    version.commit.cache_clear()
    yield
    version.commit.cache_clear()


def test_a_checkout_asks_git():
    assert re.fullmatch(r"|[0-9a-f]{12}(-dirty)?", version.commit())


def test_packages_are_told_with_the_versions_they_say_themselves():
    assert versions()["numpy"] == np.__version__
    assert versions()["scipy"] == scipy.__version__


def test_a_bundle_has_a_stamp(monkeypatch):
    monkeypatch.setattr(zebra_resources, "read_text", lambda _name: '{"commit": "0123456789ab"}')

    assert version.full_version() == f"{version.VERSION} (0123456789ab)"
    assert list(versions().items())[1] == ("commit", "0123456789ab")


def test_an_installed_package_does_not_know(monkeypatch, tmp_path):
    monkeypatch.setattr(version, "_CHECKOUT", tmp_path)

    assert version.full_version() == version.VERSION
    assert "commit" not in versions()


def test_where_git_fails_the_commit_is_not_known(monkeypatch, tmp_path):
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    monkeypatch.setattr(version, "_CHECKOUT", tmp_path)

    assert version.commit() == ""
