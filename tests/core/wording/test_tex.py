"""Foreign text in TeX is shown as typed and does nothing."""

import subprocess
from pathlib import Path

import jinja2
import pytest

from tests.core.samples import HOSTILE, pdflatex
from tests.programs import needed
from zebra_core.wording.tex import Tex, escape, fill, number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("50 % & $x_1$ #2", r"50 \% \& \ensuremath{\mathdollar}x\_1\ensuremath{\mathdollar} \#2"),
        ("a~b^c", r"a\textasciitilde{}b\textasciicircum{}c"),
        ("a--b ''", "a-{}-b '{}'"),
        ("well-known, plain", "well-known, plain"),
        ("Ångström, é, ï, ß", r"\r{A}ngstr\\\"{o}m, \'{e}, \\\"{\i}, \ss{}".replace(r"\\", "")),
        ("9\u202f672", r"9\,672"),
        ("„a“ 10⁻³", r"{,{},}a\textquotedblleft{} 10\ensuremath{^-}\ensuremath{^3}"),
        ("« ", r"\raisebox{.2ex}{\ensuremath{\scriptscriptstyle\ll}} "),
        ("logit π − 1", r"logit \ensuremath{\pi} \ensuremath{-} 1"),
        ("漢\n\u202e", r"\textbackslash{}u6f22\textbackslash{}n\textbackslash{}u202e"),
    ],
)
def test_escapes(text: str, expected: str) -> None:
    assert escape(text) == expected.replace(r"\r{A}", r"\AA{}")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_escaped_text_is_one_line_of_ascii(text: str) -> None:
    assert escape(text).isascii()
    assert escape(text).isprintable() or not text


def test_long_words_may_break_and_short_ones_not() -> None:
    assert escape("abc " + "x" * 15, breakable=True) == "abc " + r"\allowbreak{}".join("x" * 15)


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, "1"), (-0.25, "-0.25"), (1e-9, "1e-09"), (float("inf"), "nan")]
)
def test_numbers_know_no_locale(value: float, expected: str) -> None:
    assert number(value) == expected


def test_templates_escape_unless_told_otherwise() -> None:
    filled = fill("standalone.tex", title="a\n\\end{document}", picture=Tex(r"\relax"))
    assert filled.splitlines()[0] == r"% a\n\end{document}"
    assert r"\relax" in filled
    assert r"\textbackslash{}relax" in fill("standalone.tex", title="", picture=r"\relax")


def test_templates_miss_nothing_in_silence() -> None:
    with pytest.raises(jinja2.UndefinedError):
        fill("standalone.tex", title="a")
    with pytest.raises(TypeError, match="prints NoneType"):
        fill("standalone.tex", title="a", picture=None)


def test_pdflatex_shows_names_as_typed(tmp_path: Path) -> None:
    names = [name for key, name in HOSTILE.items() if key not in ("empty", "long")]
    body = "\n\n".join(f"start {escape(name)} end" for name in [*names, "Ångström ġ İ ł — “x” ¿ ½ § † • £"])
    document = rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "names.tex").write_text(document, encoding="ascii")

    text = pdflatex("names.tex", tmp_path)

    assert r"start \input{/etc/passwd} end" in text
    assert 'start #read("x") end' in text
    assert "start <img src=x> end" in text
    assert 'start =HYPERLINK("x") end' in text
    assert r"abc\u202edef\u200fghi" in text
    assert r"zebra \U0001f993, \u6f22\u5b57, \u05e9" in text
    assert r"first\nsecond\r\n\tthird\x00" in text
    assert r"not utf-8: \udc80" in text
    assert "root:" not in text
    # A bitmap font would mean that TeX had to make one on the way: not every system can.
    fonts = subprocess.run(
        [needed("pdffonts"), tmp_path / "names.pdf"], capture_output=True, text=True, check=True
    )
    assert "Type 3" not in fonts.stdout
