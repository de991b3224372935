"""What the system lacks is named with one command for whoever may install it, or installed."""

import io
import shutil
import sys

import pytest
import system_packages
from system_packages import RUN, VENV


@pytest.fixture
def system(monkeypatch):
    """A system that has these programs, and everything but these packages."""

    def made(*programs, without=(), venv=True):
        lacking = {what for package, what in RUN.items() if package in without}
        monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name in programs else None)
        monkeypatch.setattr(system_packages, "is_there", lambda what: what not in lacking)
        monkeypatch.setattr(system_packages, "_makes_environments", lambda: venv)
        monkeypatch.setattr(system_packages.os, "geteuid", lambda: 1000, raising=False)

    return made


def test_where_nothing_is_missing_nothing_is_said(system, capsys):
    system("apt-get")
    assert system_packages.main("install", ["run"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_user_without_rights_is_told_one_command(system, capsys):
    system("apt-get", without=["libegl1", "libgl1"], venv=False)
    assert system_packages.main("install", ["run"]) == 1
    assert capsys.readouterr().err == (
        "ZEBRA needs system packages that are missing here. An administrator can install them with:\n\n"
        f"    apt-get install --yes --no-install-recommends libegl1 libgl1 {VENV}\n\n"
    )


def test_where_only_the_window_lacks_something_the_setup_goes_on_and_names_it_at_the_end(system, capsys):
    system("apt-get", without=["libegl1"])
    assert system_packages.main("install", ["run"]) == 0
    assert capsys.readouterr().err == ""
    assert system_packages.main("name", ["run"]) == 0
    assert "ZEBRA is set up, but windows, tests or bundles need system packages" in capsys.readouterr().err


def test_other_package_managers_are_asked_for_what_is_inside(system):
    system("dnf")
    assert system_packages.command(["libegl1", "poppler-utils", "texlive-pictures"]) == [
        "dnf", "install", "libEGL.so.1()(64bit)", "/usr/bin/pdftotext", "tex(pgfplots.sty)",
    ]  # fmt: skip


def test_where_no_package_manager_is_known_the_packages_of_debian_are_named(system, capsys):
    system(without=["libegl1"])
    system_packages.main("name", ["run"])
    assert capsys.readouterr().err == (
        "ZEBRA is set up, but windows, tests or bundles need what is in these packages of Debian: libegl1\n"
    )


def test_sudo_keeps_the_proxy_and_asks_nobody_who_is_not_there(system, monkeypatch):
    system("apt-get", "sudo", without=["libegl1"])
    ran = []

    def run(command):
        ran.append(command)
        return system_packages.subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr(system_packages, "_run", run)
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    monkeypatch.delenv("https_proxy", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert system_packages.install(["libegl1"])
    sudo = [
        "sudo",
        "--non-interactive",
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "http_proxy=http://proxy:3128",
    ]
    assert [command[:5] for command in ran] == [sudo, sudo]
    assert ran[1][-3:] == ["--yes", "--no-install-recommends", "libegl1"]


def test_what_a_screen_reader_needs_is_asked_of_other_package_managers_by_what_is_inside(system):
    system("zypper")
    assert system_packages.command(["gir1.2-atspi-2.0", "at-spi2-core", "dbus"])[2:] == [
        "typelib(Atspi) = 2.0", "/usr/libexec/at-spi-bus-launcher", "/usr/bin/dbus-daemon",
    ]  # fmt: skip
