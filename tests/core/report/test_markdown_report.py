"""The report as Markdown: no HTML in it, and names of the worst kind are shown as typed."""

import datetime as dt
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from tests.core.samples import HOSTILE, demo_material, project_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report import markdown
from zebra_core.report.export import make_report
from zebra_core.report.markdown import report_markdown

DATE = dt.date(2026, 11, 20)


def test_the_demo() -> None:
    text = report_markdown(make_report(demo_material(), date=DATE).content, "figures")
    assert text.startswith("# Demo: LibriSpeech, female speakers\n")
    assert "## 2 Findings" in text
    assert "![Figure 4](figures/ece-1-1.png)" in text
    assert "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e" in text
    assert "**[C] B2** OP: With these data an attacker gains 0.20 bit" in text
    assert "`D_ECE = ∫ from 0 to 1" in text


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_of_the_users_is_markup(name: str) -> None:
    settings = ReportSettings(case=name, signers=(name, "x"), notes={Section.DATA: f"**{name}"})
    project = replace(project_of(name, title=f"t {name}"), report=settings)
    content = make_report(gather(project), date=DATE).content
    parsed = MarkdownIt("commonmark").enable("table").parse(report_markdown(content, "figures"))
    inline = [child for token in parsed for child in token.children or ()]
    assert not [token for token in (*parsed, *inline) if "html" in token.type]
    assert {t.attrGet("src") for t in inline if t.type == "image"} == {
        f"figures/{stem}.png" for stem in ("headline-scale", "headline-ladder", "ece-1-1")
    }
    assert not [t for t in inline if t.type == "link_open" and "example" not in str(t.attrGet("href"))]
    shown = "".join(
        token.content for token in inline if token.type in ("text", "text_special", "code_inline")
    )
    typed = re.sub(r"\s+", "", content.results[0].name)
    assert typed in re.sub(r"\s+", "", shown)


TYPED = (
    *(
        "*",
        "a *b* c",
        "* a",
        "_a_b_",
        "a_b",
        "[a](b)",
        "[a]: b",
        "![a](b)",
        "a]",
        "\\",
        "\\*",
        "<b>",
        "a < b",
    ),
    *("&lt;", "# a", "a #", "a ##", "> a", "- a", "-5", "1. a", "1.5", "+ a", "~~a~~", "`a`", "---", "==="),
    *("A: b", "[ ] a", "2 * 3 * 4", "**", "**a", "a**", "__a__", "a\\"),
)


@pytest.mark.parametrize("text", TYPED)
def test_what_is_escaped_is_read_as_typed(text: str) -> None:
    """By another reader of Markdown: in a paragraph, in a list, in a heading, in bold."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    plain = markdown._plain(text)
    for line in (plain, f"- {plain}", f"## {plain}", f"**{plain}**", f"- **{plain}:** x"):
        inline = [child for token in parser.parse(line) for child in token.children or ()]
        kinds = {token.type for token in inline} - {"text", "text_special", "strong_open", "strong_close"}
        shown = "".join(token.content for token in inline)
        assert text in shown, line
        assert not kinds, line


def test_nothing_is_escaped_that_need_not_be() -> None:
    text = report_markdown(make_report(demo_material(), date=DATE).content, "figures")
    escaped = set(re.findall(r"\\(.)", text))
    assert escaped <= set("*|[")
    assert "\\u202f" not in text
    assert "9\u202f828" in text
