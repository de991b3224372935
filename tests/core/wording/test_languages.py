"""Another language: the same codes, other sentences; what it lacks is said in English."""

import gettext
import io
import threading

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.pseudo import lengthened, pseudo_language
from zebra_core.wording import texts
from zebra_core.wording.texts import current, is_ready, language_for, say, speaking, texts_of, use


def compiled(code, of):
    """A catalogue of a few texts, as the program reads it: {(context, english or forms): translation}."""
    catalog = Catalog(locale=code)
    for (context, english), said in of.items():
        catalog.add(english, said, context=context)
    file = io.BytesIO()
    write_mo(file, catalog)
    return gettext.GNUTranslations(io.BytesIO(file.getvalue()))


FINDINGS = texts._section("finding")
OUTSIDE = (
    "finding.scores-outside-key",
    (FINDINGS["scores-outside-key-one"], FINDINGS["scores-outside-key"]),
)
CATALOGUES = {
    "de": {
        ("input.empty", "{file:q} is empty. Give a file with one trial per line."): "{file:q} ist leer.",
        OUTSIDE: ("Ein Score in {file:q}", "{count:n} Scores in {file:q}"),
    },
    "fr": {OUTSIDE: ("{count:n} score de {file:q}", "{count:n} scores de {file:q}")},
    "pl": {OUTSIDE: ("{count:n} wynik", "{count:n} wyniki", "{count:n} wyników")},
}


@pytest.fixture(autouse=True)
def catalogues(monkeypatch):
    found = {code: compiled(code, of) for code, of in CATALOGUES.items()}
    found["en"] = gettext.NullTranslations()
    monkeypatch.setattr(texts, "_catalogue", found.__getitem__)
    monkeypatch.setattr(texts, "_there", lambda: ("en", "de", "fr", "pl", "pt_BR"))
    yield
    use("en")


def test_a_sentence_is_said_in_the_language_of_the_moment():
    assert say("input.empty", file="key.txt") == "key.txt is empty. Give a file with one trial per line."
    with speaking("de"):
        assert say("input.empty", file="key.txt") == "key.txt ist leer."
        assert texts_of("input")["empty"] == "{file:q} ist leer."
    assert say("input.empty", file="key.txt").startswith("key.txt is empty")


def test_what_a_catalogue_lacks_is_said_in_english():
    with speaking("de"):
        assert (
            say("input.missing", file="a", folder="b")
            == "a was not found in b. Check the name and the folder."
        )


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("de", {0: "0 Scores in s", 1: "Ein Score in s", 2: "2 Scores in s"}),
        ("fr", {0: "0 score de s", 1: "1 score de s", 2: "2 scores de s", 1234: "1\u202f234 scores de s"}),
        ("pl", {1: "1 wynik", 2: "2 wyniki", 5: "5 wyników", 22: "22 wyniki"}),
    ],
)
def test_each_language_has_its_forms_for_numbers(code, forms):
    with speaking(code):
        assert {n: say("finding.scores-outside-key", count=n, file="s") for n in forms} == forms


def test_one_language_within_another_and_back():
    use("fr")
    with speaking("de"):
        with speaking("en"):
            assert current() == "en"
        assert current() == "de"
    assert current() == "fr"


def test_a_block_speaks_for_its_own_thread_and_use_for_all_of_them():
    heard = []
    use("fr")
    with speaking("de"):
        other = threading.Thread(target=lambda: heard.append(current()))
        other.start()
        other.join()
    assert heard == ["fr"]


def test_a_language_that_is_not_there_is_our_mistake():
    with pytest.raises(LookupError, match="no language 'it'; there are en, de, fr, pl, pt_BR"):
        use("it")
    with pytest.raises(LookupError), speaking("DE"):
        pass
    assert current() == "en"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("de", "de"),
        ("de_AT.UTF-8", "de"),
        ("de-CH", "de"),
        ("fr_CA@euro", "fr"),
        ("pt-br", "pt_BR"),
        ("pt_PT", None),
        ("C.UTF-8", "en"),
        ("en_GB", "en"),
        ("it_IT", None),
    ],
)
def test_which_language_serves_somebody(wanted, found):
    assert language_for(wanted) == found


def test_what_is_kept_in_files_is_english_and_shown_in_the_language_of_the_moment():
    with pseudo_language() as code, speaking(code):
        kept = texts.in_english("tag.0")
        assert kept == "even odds: nothing is disclosed"
        assert texts.as_said(kept, "tag") == lengthened(kept)
        assert texts.as_kept(lengthened(kept), "tag") == kept
        assert texts.as_kept("words of somebody’s own", "tag") == "words of somebody’s own"
        assert texts.as_said("words of somebody’s own", "tag") == "words of somebody’s own"


@pytest.mark.parametrize(("done", "ready"), [("89 100", False), ("90 100", True), ("100 100", True)])
def test_a_language_is_ready_with_nine_texts_in_ten(monkeypatch, done, ready):
    catalogue = compiled("de", {("catalogue.translated", "of"): done})
    monkeypatch.setattr(texts, "_catalogue", lambda _code: catalogue)
    assert is_ready("de") is ready


def test_english_is_ready():
    assert is_ready("en")


def test_a_language_that_was_only_begun_is_called_by_its_code(monkeypatch):
    monkeypatch.setattr(texts, "_there", lambda: ("en", "it"))
    monkeypatch.setattr(texts, "_catalogue", lambda _code: gettext.NullTranslations())
    assert [texts.own_name(code) for code in ("en", "it")] == ["English", "it"]
