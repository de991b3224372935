"""Menu entries and installers say their words in every language that the program speaks."""

import plistlib
import re
from configparser import ConfigParser
from pathlib import Path

import mac_words
import pytest

import zebra_resources

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en", *(path.stem for path in (ROOT / "resources" / "zebra_resources" / "texts").glob("*.po"))}
INSTALLER = (ROOT / "packaging" / "windows" / "zebra.iss").read_text(encoding="utf-8-sig")
NAMES = {"Project": ".zebra", "ListeningTest": ".zebra-listening"}


def section(name):
    return re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", INSTALLER, re.MULTILINE | re.DOTALL)[1]


def entry():
    read = ConfigParser(interpolation=None, delimiters=("=",))
    read.optionxform = str
    read.read_string(zebra_resources.read_text("desktop/zebra.desktop"))
    return read


def test_the_program_speaks_four_languages():
    assert {"en", "de", "fr", "es"} == LANGUAGES


@pytest.mark.parametrize("part", entry().sections())
def test_the_menu_says_every_word_in_every_language(part):
    said = entry()[part]
    # The name of the program is the same everywhere.
    words = {"Name", "GenericName", "Comment", "Keywords"} & set(said) - (
        {"Name"} if said["Name"] == "ZEBRA" else set()
    )
    assert words
    for word in words:
        assert {f"{word}[{code}]" for code in LANGUAGES - {"en"}} <= set(said)


def test_desktops_and_the_finder_name_files_in_every_language():
    for said in mac_words.names_of_files().values():
        assert set(said) == LANGUAGES
        assert len(set(said.values())) == len(LANGUAGES)
    assert set(mac_words.languages()) == LANGUAGES


def test_the_finder_is_told_what_is_opened_and_how_it_is_called(tmp_path):
    entries = mac_words.write(tmp_path)
    types = plistlib.loads(plistlib.dumps(mac_words.document_types()))

    assert [one["CFBundleTypeExtensions"] for one in types] == [["zebra"], ["zebra-listening"]]
    assert {place.split(".")[0] for place, _, _ in entries} == LANGUAGES
    assert (tmp_path / "de.lproj" / "InfoPlist.strings").read_text(encoding="utf-8") == (
        '"ZEBRA project" = "ZEBRA-Projekt";\n"ZEBRA listening test" = "ZEBRA-Hörtest";\n'
    )


def test_the_installer_for_windows_speaks_every_language():
    assert set(re.findall(r'^Name: "(\w+)"; MessagesFile', section("Languages"), re.MULTILINE)) == LANGUAGES
    said = dict(line.split("=", 1) for line in section("CustomMessages").split("\n") if line)
    words = {name.split(".")[1] for name in said}

    assert set(said) == {f"{code}.{word}" for code in LANGUAGES for word in words}
    assert set(re.findall(r"\{cm:(\w+)\}", INSTALLER)) == words
    for name, ending in NAMES.items():
        assert {code: said[f"{code}.{name}"] for code in LANGUAGES} == mac_words.names_of_files()[ending]


@pytest.mark.parametrize("part", ["Tasks", "Run"])
def test_nothing_is_said_in_one_language_alone(part):
    assert all(said.startswith("{cm:") for said in re.findall(r'Description: "(.*?)"', section(part)))


def test_the_installer_is_known_as_unicode():
    assert (ROOT / "packaging" / "windows" / "zebra.iss").read_bytes().startswith(b"\xef\xbb\xbf")
