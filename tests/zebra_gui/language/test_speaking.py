"""Which language the program speaks: what was typed, then ZEBRA_LANGUAGE, then the system's."""

import os
import subprocess
import sys

import pytest

import zebra_resources
from zebra_core.wording import texts
from zebra_core.wording.texts import current, say, use
from zebra_gui.language import speaking, translating
from zebra_gui.language.speaking import best_of, of_the_system, speak, without_language
from zebra_gui.settings import settings

START = "from zebra_gui.program import main\nmain()"


@pytest.fixture(autouse=True)
def back_to_english(monkeypatch):
    monkeypatch.setenv("ZEBRA_LANGUAGE", "en")
    yield
    use("en")


@pytest.mark.parametrize(
    ("typed", "rest", "code"),
    [
        (["--language", "de", "assess", "-s", "a"], ["assess", "-s", "a"], "de"),
        (["--language=fr"], [], "fr"),
        (["report", "--language", "de"], ["report", "--language", "de"], None),
        ([], [], None),
        (["--language"], ["--language"], None),
    ],
)
def test_a_language_before_the_command_is_taken_off(typed, rest, code):
    assert without_language(typed) == (rest, code)


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({"LANG": "de_DE.UTF-8"}, ["de_DE.UTF-8"]),
        ({"LC_ALL": "fr_FR", "LANG": "de_DE"}, ["fr_FR"]),
        ({"LANGUAGE": "es:fr", "LANG": "de_DE"}, ["es", "fr", "de_DE"]),
        ({"LANGUAGE": "es", "LANG": "C"}, ["en"]),
        ({"LC_ALL": "", "LC_MESSAGES": "es_ES", "LANG": "de_DE"}, ["es_ES"]),
    ],
)
def test_the_systems_languages_are_those_that_posix_names(variables, wanted):
    assert of_the_system(variables) == wanted


def test_the_first_language_that_there_is_and_is_ready_is_taken(monkeypatch):
    monkeypatch.setattr(speaking, "is_ready", lambda code: code != "es")
    wanted = (["it_IT", "fr_CH"], ["es", "fr"], ["es"], ["it"], [])
    assert [best_of(each) for each in wanted] == ["fr", "fr", "en", "en", "en"]


def test_what_was_typed_comes_before_the_variable_and_holds_for_programs_started_from_here(monkeypatch):
    monkeypatch.setenv("ZEBRA_LANGUAGE", "fr")
    speak()
    assert current() == "fr"
    speak("de-AT")
    assert (current(), os.environ["ZEBRA_LANGUAGE"]) == ("de", "de")


def test_without_either_the_system_is_followed(monkeypatch):
    monkeypatch.delenv("ZEBRA_LANGUAGE")
    monkeypatch.setattr(speaking, "of_the_system", lambda _variables: ["de_AT.UTF-8"])
    speak()
    assert current() == "de"
    assert not speaking.is_asked_for()


def test_the_window_speaks_as_chosen_in_it_unless_it_was_started_in_another_language(monkeypatch):
    translating.choose_language("fr")
    try:
        monkeypatch.setenv("ZEBRA_LANGUAGE", "de")
        speak()
        translating.speak_as_chosen()
        assert current() == "de"
        monkeypatch.delenv("ZEBRA_LANGUAGE")
        translating.speak_as_chosen()
        assert current() == "fr"
        settings().setValue("language", "xx")  # of a version that had more
        assert translating.chosen_language() == ""
    finally:
        settings().remove("language")


@pytest.mark.parametrize(("wanted", "read"), [("en", []), ("de", ["texts/de.mo"])])
def test_only_the_catalogue_of_the_language_in_use_is_read(monkeypatch, wanted, read):
    found, whole = [], zebra_resources.read_bytes
    monkeypatch.setattr(zebra_resources, "read_bytes", lambda name: found.append(name) or whole(name))
    monkeypatch.delenv("ZEBRA_LANGUAGE")
    monkeypatch.setattr(speaking, "of_the_system", lambda _variables: [wanted])
    texts._catalogue.cache_clear()
    speak()
    say("cli.program")
    assert found == read


def test_an_unknown_language_is_refused_in_a_sentence():
    done = subprocess.run(
        [sys.executable, "-c", START, "--language", "xx", "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "zebra: There is no language “xx”. "
        "Give one of en, de, es and fr with --language or in ZEBRA_LANGUAGE.\n"
    )
