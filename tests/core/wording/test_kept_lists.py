"""What is kept in English in one line is shown in the language of the moment; French parts its colons."""

import pytest

from zebra_core.intake.tables.table import Delimiter, Dialect, LineEnd
from zebra_core.project.items import attack_as_said
from zebra_core.wording.texts import after_name, clauses, kept, list_as_said, sentence_as_said, speaking


def test_how_a_file_is_written_is_kept_in_english_whatever_is_spoken():
    dialect = Dialect(delimiter=Delimiter.COMMA, line_end=LineEnd.CRLF, decimal_comma=True, comment_lines=1)
    with speaking("de"):
        assert dialect.in_english() == "UTF-8, commas between columns, CRLF, decimal comma, one comment"
        assert str(dialect).startswith("UTF-8, Kommas zwischen Spalten, CRLF")


@pytest.mark.parametrize(
    ("in_file", "said"),
    [
        ("UTF-8, blanks between columns, LF", "UTF-8, Leerzeichen zwischen Spalten, LF"),
        (
            "not UTF-8, read as Windows-1252, one comment",
            "kein UTF-8, als Windows-1252 gelesen, ein Kommentar",
        ),
        ("1\u202f234 comments", "1\u202f234 Kommentare"),
        ("words of somebody’s own", "words of somebody’s own"),
    ],
)
def test_it_is_shown_in_the_language_of_the_moment(in_file, said):
    with speaking("de"):
        assert list_as_said(in_file, "dialect") == said
    assert list_as_said(in_file, "dialect") == in_file


@pytest.mark.parametrize(("code", "blank"), [("en", ""), ("de", ""), ("fr", "\u202f"), ("es", "")])
def test_colons_and_semicolons_stand_as_the_language_has_them(code, blank):
    with speaking(code):
        assert after_name("2") == f"{blank}: 2"
        assert clauses(["a", "b", "c"]) == f"a{blank}; b{blank}; c"


@pytest.mark.parametrize(
    ("code", "facts", "german"),
    [
        (
            "few-listeners",
            {"count": 4},
            "Intervalle beruhen auf nur 4 Hörern. Mit weniger als zwanzig sind sie grob.",
        ),
        (
            "unfinished",
            {"listener": "L01", "count": 1, "of": 1200},
            "L01 hat eine von 1\u202f200 Aufgaben nicht beantwortet.",
        ),
        ("missing", {"count": 2, "of": 5}, "2 von 5 geplanten Hörern haben nicht geantwortet."),
    ],
)
def test_a_sentence_kept_with_its_facts_is_said_in_the_language_of_the_reader(code, facts, german):
    with speaking("es"):
        sentence = kept(f"listening.{code}", **facts)
    with speaking("de"):
        assert sentence_as_said(sentence, "listening") == german
        assert sentence_as_said("Somebody’s own words.", "listening") == "Somebody’s own words."


def test_attackers_are_said_in_the_language_of_the_reader_and_anybodys_own_words_stay():
    with speaking("de"):
        assert attack_as_said("semi-informed, CAM++, centred cosine, back-end adapted") == (
            "teilinformiert, CAM++, zentrierter Kosinus, Backend angepasst"
        )
