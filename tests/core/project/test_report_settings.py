"""What is said about a report: checked once, changed by making another one, and kept as plain values."""

import datetime as dt
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tests.core.samples import CONTEXT
from zebra_core.document.parts import SavedValue
from zebra_core.document.project import context_as_json, report_as_json, report_of
from zebra_core.errors import InputError
from zebra_core.project.report_settings import MOST_BYTES, Logo, Paper, ReportSettings, Section, read_logo


def again(saved: object) -> ReportSettings:
    return report_of(SavedValue(saved, "report", "a.zebra"))


def png(width: int = 4, height: int = 4) -> bytes:
    stream = io.BytesIO()
    Image.new("1", (width, height)).save(stream, "PNG")
    return stream.getvalue()


PNG = png()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z" fill="#123"/></svg>'


def test_nothing_is_lost_when_saved() -> None:
    settings = ReportSettings(
        case="7",
        requester="a",
        author="b",
        organisation="c",
        report_id="d",
        date=dt.date(2026, 1, 2),
        question="*e*",
        propositions="f",
        relevance="g",
        notes={Section.DATA: "h"},
        order=tuple(reversed(Section)),
        left_out=frozenset({Section.GLOSSARY, Section.DATA}),
        paper=Paper.LETTER,
        dpi=300,
        signers=("i", "j"),
        logo=Logo(PNG),
        safeguard="k",
        **CONTEXT,
    )
    assert again(json.loads(json.dumps(report_as_json(settings)))) == settings
    assert again(report_as_json(ReportSettings())) == ReportSettings()


def test_what_was_saved_before_a_context_could_be_stated_is_read() -> None:
    saved = report_as_json(ReportSettings(author="a"))
    assert not saved.keys() & CONTEXT.keys()
    assert again(saved) == ReportSettings(author="a")
    assert again(saved).unstated == tuple(CONTEXT)


def test_of_the_context_blank_texts_are_not_stated() -> None:
    told = ReportSettings(**{**CONTEXT, "means": " \n", "access": None})
    assert told.unstated == ("access", "means")
    assert context_as_json(told) == {
        "recipients": "One hospital",
        "access": None,
        "other_knowledge": "Old recordings",
        "motive": "Curiosity",
        "means": None,
        "domain": "The ward",
        "people": 20,
        "retention": "Two years",
        "hears_originals": "Nobody else",
        "review_on": "2027-01-31",
    }
    assert ReportSettings(**CONTEXT).unstated == ()


def test_a_field_of_the_context_is_no_chapter() -> None:
    with pytest.raises(InputError, match="2\u202f000 characters"):
        ReportSettings(motive="x" * 2001)


@pytest.mark.parametrize(
    "change",
    [
        {"access": "open"},
        {"review_on": "soon"},
        {"people": 1},
        {"people": 10_000_001},
        {"motive": 3},
        {"motive": "x" * 2001},
        {"case": 1},
        {"notes": {"nothing": "x"}},
        {"notes": {"data": 1}},
        {"order": ["data"]},
        {"order": "data"},
        {"date": "soon"},
        {"paper": "a0"},
        {"dpi": True},
        {"dpi": 10**9},
        {"language": "../x"},
        {"signers": [1]},
        {"logo": "!"},
        {"left_out": None},
    ],
    ids=str,
)
def test_what_was_not_saved_by_us_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InputError):
        again({**report_as_json(ReportSettings()), **change})


def test_a_text_too_long_that_was_saved_is_refused_as_one_that_is_typed() -> None:
    with pytest.raises(InputError, match="A text of the report is longer than 20\u202f000 characters"):
        again({**report_as_json(ReportSettings()), "case": "x" * 20_001})


@pytest.mark.parametrize("saved", [None, [], {}, "x", 7])
def test_anything_else_is_refused(saved: object) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        again(saved)


def test_moving_holds_at_the_ends() -> None:
    settings = ReportSettings()
    assert settings.moving(Section.QUESTION, -1) == settings
    assert settings.moving(Section.QUESTION, 99).order[-1] is Section.QUESTION
    assert settings.moving(Section.DATA, 0).order[:2] == (Section.DATA, Section.QUESTION)


def test_ticking_and_unticking_gives_the_same_again() -> None:
    settings = ReportSettings()
    without = settings.ticking(Section.DATA, ticked=False)
    assert Section.DATA not in without.sections
    assert without.ticking(Section.DATA, ticked=True) == settings


def test_an_empty_note_is_none() -> None:
    settings = ReportSettings().noting(Section.DATA, "x")
    assert settings.noting(Section.DATA, "") == ReportSettings()


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="longer than"):
        ReportSettings(question="x" * 20_001)


@pytest.mark.parametrize("content", [PNG, SVG])
def test_logos(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "logo").write_bytes(content)
    logo = read_logo(tmp_path / "logo")
    assert Logo.from_json(logo.as_json()) == logo
    assert logo.extension == ("png" if content == PNG else "svg")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "logo-not-readable"),
        (b"GIF89a", "logo-not-readable"),
        (PNG[:40], "logo-not-readable"),
        (png(8000, 8000), "logo-too-large"),
        (b" " * (MOST_BYTES + 1), "logo-too-large"),
        (b"<html/>", "logo-not-readable"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "logo-not-plain"),
        (SVG.replace(b"<path", b"<script/><path"), "logo-not-plain"),
        (SVG.replace(b"<path", b'<image href="file:///etc/passwd"/><path'), "logo-not-plain"),
        (SVG.replace(b"#123", b"url(http://example.org/x)"), "logo-not-plain"),
        (SVG.replace(b"fill", b'onload="x()" fill'), "logo-not-plain"),
        (SVG.replace(b"<path", b"<style>@import 'x'</style><path"), "logo-not-plain"),
    ],
)
def test_what_is_no_plain_small_picture_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(InputError) as raised:
        Logo(content)
    assert raised.value.code == code
    assert str(raised.value)


def test_a_logo_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.png was not found"):
        read_logo(tmp_path / "none.png")


def test_an_order_that_lacks_a_section_is_refused() -> None:
    saved = report_as_json(ReportSettings(order=tuple(reversed(Section))))
    assert again(saved).order == tuple(reversed(Section))
    with pytest.raises(InputError, match="must name each section once"):
        again({**saved, "order": [name for name in saved["order"] if name != "data"]})
