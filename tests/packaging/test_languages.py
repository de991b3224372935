"""Translations: every English text is found, what is old, missing or wrong is told, the rest compiled."""

import gettext
import io
import re
from functools import partial

import languages
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from catalogues import as_mo, as_po, codes, compiled, forms_of, progress, read, updated
from click.testing import CliRunner
from complaints import Term, What, complaints_about, terms
from english import Text, core_texts, texts_in, window_texts

from zebra_core.wording.texts import say, speaking, translated

SECTION = """
# Said on paper.
[input]
# {file} is a name.
empty = "{file:q} is empty."
rows = "{count:n} rows in {file:q}."
rows-one = "One row in {file:q}."

alone-one = "Only one."
nothing = ""
"""

CLASS = """
class Pane(Base):
    def say(self):
        label(self.tr("Open {name}…") if x else self.tr("&Close"))
        return for_count("Pane", "1 file", "{count} files", n)

translate("Other", "Open")
"""


def core(*texts: tuple[str, str]) -> list[Text]:
    return [Text(context, english) for context, english in texts]


def written_and_read(catalog: Catalog) -> Catalog:
    return read_po(io.BytesIO(as_po(catalog)), locale="de")


def test_texts_of_the_core_have_their_code_their_form_for_one_and_what_is_said_above_them() -> None:
    assert list(core_texts(SECTION)) == [
        Text("input.empty", "{file:q} is empty.", None, "Said on paper. {file} is a name."),
        Text("input.rows", "{count:n} rows in {file:q}.", "One row in {file:q}.", "Said on paper."),
        Text("input.alone-one", "Only one.", None, "Said on paper."),
    ]


def test_a_form_for_one_beside_a_text_without_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"check\.attackers is said of no number"):
        list(core_texts('[check]\nattackers = "Knows more"\nattackers-one = "There is but one"\n'))


def test_texts_of_the_window_have_the_class_that_says_them() -> None:
    assert list(texts_in(CLASS, "panes/pane.py")) == [
        Text("window.Pane", "Open {name}…", file="panes/pane.py"),
        Text("window.Pane", "&Close", file="panes/pane.py"),
        Text("window.Pane", "{count} files", "1 file", file="panes/pane.py"),
        Text("window.Other", "Open", file="panes/pane.py"),
    ]


@pytest.mark.parametrize(
    "code", ['owner.tr("a")', "class A:\n    def f(self):\n        self.tr(text)", 'translate(c, "a")']
)
def test_a_text_that_nobody_could_find_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match=r"^a\.py:"):
        list(texts_in(code, "a.py"))


def test_a_changed_english_sentence_makes_its_translation_old_and_keeps_it() -> None:
    before = updated("de", Catalog(), core(("input.empty", "It is empty.")))
    before.get("It is empty.", "input.empty").string = "Sie ist leer."
    now = written_and_read(updated("de", before, core(("input.empty", "The file is empty."))))
    message = now.get("The file is empty.", "input.empty")
    assert (message.string, message.fuzzy) == ("Sie ist leer.", True)
    assert message.auto_comments == ["Translated when the English was: It is empty."]
    assert [one.what for one in complaints_about(now, ())] == [What.OLD]
    assert progress(now) == (0, 1)
    again = updated("de", now, core(("input.empty", "This file is empty.")))
    assert again.get("This file is empty.", "input.empty").auto_comments == message.auto_comments


def test_a_text_of_the_window_is_known_again_by_what_stayed_of_it() -> None:
    before = updated("de", Catalog(), core(("window.A", "Open the report…"), ("window.B", "Save the file…")))
    for message in before:
        message.string = message.id and "…"
    now = updated("de", before, core(("window.A", "Open a report…"), ("window.B", "Undo")))
    assert now.get("Open a report…", "window.A").fuzzy
    assert not now.get("Undo", "window.B").string


def test_a_text_that_is_gone_leaves_its_catalogue() -> None:
    before = updated("de", Catalog(), core(("input.a", "A."), ("input.b", "B.")))
    assert [message.id for message in updated("de", before, core(("input.b", "B."))) if message.id] == ["B."]


def test_what_is_translated_is_compiled_and_nothing_else() -> None:
    texts = [
        Text("a.whole", "{count} files", "1 file"),
        Text("a.half", "{count} rows", "1 row"),
        *core(("a.b", "B")),
    ]
    catalog = updated("de", Catalog(), texts)
    catalog.get("1 file", "a.whole").string = ("1 Datei", "{count} Dateien")
    catalog.get("1 row", "a.half").string = ("1 Zeile", "")
    catalog.get("B", "a.b").string, catalog.get("B", "a.b").flags = "Alt", {"fuzzy"}
    read_back = gettext.GNUTranslations(io.BytesIO(as_mo(catalog)))
    assert [read_back.npgettext("a.whole", "1 file", "{count} files", n) for n in (1, 2)] == [
        "1 Datei",
        "{count} Dateien",
    ]
    assert read_back.npgettext("a.half", "1 row", "{count} rows", 1) == "1 row"
    assert read_back.pgettext("a.b", "B") == "B"
    assert read_back.pgettext("catalogue.translated", "of") == "1 3"


@pytest.mark.parametrize(
    ("english", "german", "wrong"),
    [
        ("{file:q} is empty.", "{file:q} ist leer.", []),
        ("{file:q} is empty.", "", [What.MISSING]),
        ("{file:q} is empty.", "{datei:q} ist leer.", [What.PLACEHOLDERS]),
        ("{file:q} is empty.", "{file} ist leer.", [What.PLACEHOLDERS]),
        ("{file:q} is empty.", "{file:q ist leer.", [What.PLACEHOLDERS]),
        ("{a} and {b}", "{b} und {a}", []),
        ("<b>A</b> file", "Eine <b>Datei</b>", []),
        ("<b>A</b> file", "Eine Datei", [What.MARKUP]),
        ("An end ", "Ein Ende", [What.SPACE]),
        ("An end.", "Ein Ende.Ein Ende.\nEin Ende.", [What.BLANK]),
        ("At 5\u202f%", "Bei 5\u00a0%", [What.BLANK]),
        ("Two\nlines", "Zwei\nZeilen", []),
        ("The speaker", "Der Redner", [What.TERM, What.OTHER_TERM]),
        ("The speaker", "Eine Sprecherin", []),
        ("The speaker", "Diese Person", [What.OTHER_TERM]),
        ("The speakers’ names, --speaker, SPEAKER", "Die Namen", [What.OTHER_TERM]),
        ("--speaker, a SPEAKER, speakerphone, {speaker}", "Das Telefon: {speaker}", []),
    ],
)
def test_what_is_wrong_with_a_translation_is_told(english: str, german: str, wrong: list[What]) -> None:
    catalog = updated("de", Catalog(), core(("a.b", english)))
    catalog.get(english, "a.b").string = german
    speaker = Term("speaker", {"de": ("Sprecher",)}, {"de": ("Redner",)})
    assert [one.what for one in complaints_about(catalog, (speaker,))] == wrong


@pytest.mark.parametrize(
    ("english", "german", "is_wrong"),
    [("&Open", "Ö&ffnen", False), ("&Open", "Öffnen", True), ("A && B", "A && B", False)],
)
def test_the_letter_for_the_keyboard_stays_where_there_is_one(
    english: str, german: str, is_wrong: bool
) -> None:
    catalog = updated("de", Catalog(), core(("window.A", english)))
    catalog.get(english, "window.A").string = german
    assert [one.what for one in complaints_about(catalog, ())] == [What.MNEMONIC] * is_wrong


@pytest.mark.parametrize(("context", "wrong"), [("a.b", [What.OTHER_TERM]), ("fault.program", [])])
def test_a_word_that_is_no_term_in_a_text_need_not_be_one_in_its_translation(
    context: str, wrong: list[What]
) -> None:
    catalog = updated("de", Catalog(), core((context, "Please report it.")))
    catalog.get("Please report it.", context).string = "Bitte melden Sie ihn."
    term = Term("report", {"de": ("Bericht",)}, {}, ("fault.program",))
    assert [one.what for one in complaints_about(catalog, (term,))] == wrong


def test_a_form_for_some_number_that_lacks_is_told() -> None:
    catalog = updated("pl", Catalog(), [Text("a.b", "{count} files", "1 file")])
    catalog.get("1 file", "a.b").string = ("1 plik", "{count} pliki", "")
    told = list(complaints_about(catalog, ()))
    assert [(one.what, one.why) for one in told] == [(What.FORMS, "2")]


def test_terms_are_read_from_the_tables_of_their_page() -> None:
    heads, row = "| en | de | not de | source |", "| report | Bericht; Berichts | Report | usage |"
    page = f"{heads}\n| --- | --- | --- | --- |\n{row}\n"
    assert terms(page) == (Term("report", {"de": ("Bericht", "Berichts")}, {"de": ("Report",)}),)
    senses = f"{page}\n| no term | texts |\n| --- | --- |\n| report | a.b; fault.program |\n"
    assert [term.elsewhere for term in terms(senses)] == [("a.b", "fault.program")]
    assert {"speaker", "likelihood ratio", "pseudonymisation"} <= {term.english for term in terms()}


def test_a_sentence_that_is_taken_out_of_a_catalogue_is_missed_and_the_check_fails(monkeypatch) -> None:
    texts = core(("input.a", "A."), ("input.b", "B."))
    german = updated("de", Catalog(), texts)
    for message in german:
        message.string = message.id and "Ä."
    monkeypatch.setattr(languages, "core_texts", lambda: texts)
    monkeypatch.setattr(languages, "window_texts", list)
    monkeypatch.setattr(languages, "codes", lambda: ["de"])
    monkeypatch.setattr(languages, "read", lambda _code: german)
    check = partial(CliRunner().invoke, languages.main, ["--check", "--list"])
    assert (check().exit_code, check().stdout) == (0, "de: 2 of 2 texts are translated\n\n")
    german.get("B.", "input.b").string = ""
    assert check().exit_code == 1
    assert "input.b: not translated: 'B.'" in check().stdout


@pytest.mark.parametrize("code", codes())
def test_what_the_program_reads_is_compiled_of_what_people_translate(code: str) -> None:
    assert compiled(code).read_bytes() == as_mo(read(code)), "run: make languages"


@pytest.mark.parametrize("code", codes())
def test_no_translation_is_wrong(code: str) -> None:
    wrong = [one for one in complaints_about(read(code), terms()) if one.what not in {What.MISSING, What.OLD}]
    assert list(map(str, wrong)) == []


def test_no_french_line_begins_with_a_mark_and_no_number_leaves_its_per_cent() -> None:
    said = [(code, each) for code in codes() for message in read(code) for each in forms_of(message)]
    parted = [each for code, each in said if code == "fr" and re.search(r"\S [:;?!»](?!\w)|« ", each)]
    assert parted == []
    assert [each for _code, each in said if re.search(r"[\d}] %", each)] == []


@pytest.mark.parametrize("code", codes())
def test_the_narrow_guide_has_room_for_each_word_or_is_told_where_to_break_it(code: str) -> None:
    texts = (
        each
        for message in read(code)
        if (message.context or "").startswith("guide.")
        for each in forms_of(message)
    )
    words = {word for text in texts for word in re.findall(r"[^\W\d_]+", text)}  # a soft hyphen parts them
    assert [word for word in words if len(word) > 20] == []


def test_every_text_of_core_and_window_is_found() -> None:
    texts = [*core_texts(), *window_texts()]
    assert len({text.key for text in texts}) == len(texts) > 3500


def test_a_translation_that_cannot_be_said_is_not_compiled_so_english_is_said() -> None:
    catalog = updated("it", Catalog(), core(("a.b", "{count} files"), ("a.c", "{name} is empty.")))
    catalog.get("{count} files", "a.b").string = "{conto} file"
    catalog.get("{name} is empty.", "a.c").string = "{name} è vuoto."
    read_back = gettext.GNUTranslations(io.BytesIO(as_mo(catalog)))
    assert read_back.pgettext("a.b", "{count} files") == "{count} files"
    assert read_back.pgettext("a.c", "{name} is empty.") == "{name} è vuoto."
    assert progress(catalog) == (1, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--new", "italian"], "italian is not the code of a language; codes are as it or pt_BR"),
        (["--only", "it"], 'there is no it.po; ARGS="--new it" begins it'),
    ],
)
def test_a_code_that_is_none_and_a_language_that_nobody_began_are_refused_in_a_sentence(
    arguments: list[str], sentence: str
) -> None:
    done = CliRunner().invoke(languages.main, arguments)
    assert (done.exit_code, sentence in done.output) == (2, True)


def test_one_of_a_hundred_is_no_odds_in_german():
    """“1 zu 100” are odds; a prior of 1 in 100 is “1 von 100”."""
    with speaking("de"):
        assert say("word.one-in", count=100) == "1 von 100"
        assert "„1 von 100“" in say("prior.sentence", one_in=100, posterior="1 von 2")
        assert translated("window.PriorBar", "1 in {count}") == "1 von {count}"
        assert say("odds.exact", odds="100").startswith("Chancen von 100 zu 1")
