"""The licences of what comes along: everything named, every text there, Qt's with its notice."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import zebra_resources
from zebra_core.installation import licences
from zebra_core.installation.licences import Component, licence_text, part_of, written


def test_a_package_says_its_licence_and_brings_its_texts():
    part = part_of(distribution("numpy"))

    assert part.licence.startswith("BSD-3-Clause")
    assert any("NumPy Developers" in text for text in part.texts)


def test_qt_has_no_texts_of_its_own_so_both_are_added():
    texts = part_of(distribution("PySide6_Essentials")).texts

    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts[0]
    assert "GNU GENERAL PUBLIC LICENSE" in texts[1]


def test_from_source_all_that_is_needed_is_listed():
    text = licence_text()

    assert all(
        f"\n  {name} " in text for name in ("numpy", "scipy", "typst", "PySide6_Essentials", "kiwisolver")
    )
    assert "\n  pytest " not in text
    assert "SIL OPEN FONT LICENSE" in text


def test_what_hears_recordings_is_listed_with_its_texts():
    text = licence_text()

    named = ("CAM++ zh-en-16k: Apache-2.0", "LibriSpeech test-other: CC-BY-4.0", "onnxruntime ", "miniaudio ")
    assert all(f"\n  {name}" in text for name in named)
    assert "Copyright (c) Microsoft Corporation" in text  # its texts lie in its folder, not in its metadata
    assert any("Version 2.1, February 1999" in part for part in part_of(distribution("soundfile")).texts)
    assert "LibriVox volunteers" in text
    assert "libsndfile (https://github.com/libsndfile/libsndfile" in text


def test_the_notice_names_the_version_of_qt_and_where_its_sources_are():
    text = written([Component("PySide6_Essentials", "6.10.3", "LGPL-3.0-only"), Component("b", "1", "MIT")])

    assert text.index("Qt 6.10.3 and PySide6 6.10.3") < text.index("  b 1: MIT")
    assert "https://download.qt.io/official_releases/QtForPython/" in text


def test_every_part_under_a_lesser_gpl_is_named_with_licence_and_source():
    text = licence_text()

    for part in (
        "PySide6",
        "Qt",
        "Shiboken",
        "libsndfile",
        "mpg123",
        "LAME",
        "libsoxr",
        "libiconv",
        "libquadmath",
    ):
        assert re.search(rf"^  {part} \(\S+ [0-9.]+\): LGPL-[0-9.]+-\S+, https://\S+$", text, re.MULTILINE), (
            part
        )
    assert "Version 2.1, February 1999" in text
    assert "Version 3, 29 June 2007" in text


def test_no_package_of_the_bundle_says_that_it_has_another_part_under_a_lesser_gpl():
    locked = Path(__file__).parents[3] / "packaging" / "locked-bundle.txt"
    named = re.findall(r"^([A-Za-z0-9._-]+)==", locked.read_text(), re.MULTILINE)
    parts = [part_of(distribution(name)) for name in named if is_installed(name)]
    about = re.compile(r"\bL(?:GPL|esser General Public License)")
    found = {
        licences._normal(part.name) for part in parts if about.search("\n".join([part.licence, *part.texts]))
    }
    # Lists of licences, examples in a text, and tools of xz that are not in its files.
    only_said = {"fqdn", "license-expression", "onnxruntime", "pathspec", "pillow"}
    assert found - only_said <= {package for package, *_ in licences._LESSER}


def is_installed(name: str) -> bool:
    try:
        return bool(distribution(name))
    except PackageNotFoundError:  # for another system
        return False


def test_a_bundle_has_its_own_text(monkeypatch):
    monkeypatch.setattr(zebra_resources, "read_text", lambda name: f"<{name}>")

    assert licences.licence_text() == "<licences.txt>"
