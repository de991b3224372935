"""TeX: foreign text made harmless and visible in it, and our templates, which do so by themselves."""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache

import jinja2

import zebra_resources
from zebra_core.wording.texts import visible


class Tex(str):
    """Text that is TeX already: templates put it in as it is."""

    __slots__ = ()


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\ensuremath{\mathdollar}",  # \$ asks for a font that a small TeX has as a bitmap only
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\ttfamily\char34}",  # the roman fonts of the oldest encoding have a curly one in its place
    "`": r"\`{}",  # as it is it would open a quotation
    # A bracket may close an optional argument.
    "[": "{[}",
    "]": "{]}",
}

_MATHS = {
    "±": r"\pm", "×": r"\times", "÷": r"\div", "·": r"\cdot", "−": "-", "∞": r"\infty", "√": r"\surd",
    "≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "≠": r"\neq", "→": r"\rightarrow", "←": r"\leftarrow",
    "°": r"^\circ", "²": "^2", "³": "^3", "¹": "^1", "¬": r"\neg", "µ": r"\mu", "∫": r"\int", "Σ": r"\Sigma",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon", "ζ": r"\zeta",
    "η": r"\eta", "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu",
    "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "ς": r"\varsigma", "τ": r"\tau",
    "υ": r"\upsilon", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma",
    "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Φ": r"\Phi",
    "Ψ": r"\Psi", "Ω": r"\Omega", "§": r"\mathsection", "¶": r"\mathparagraph", "†": r"\dagger",
    "‡": r"\ddagger", "•": r"\bullet", "⁻": "^-",
}  # fmt: skip

_LETTERS = {
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "å": r"\aa{}", "Å": r"\AA{}", "ı": r"\i{}", "¡": r"\textexclamdown{}",
    "¿": r"\textquestiondown{}", "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\ldots{}",
    "‘": r"\textquoteleft{}", "’": r"\textquoteright{}", "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "„": "{,,}", "‚": "{,}",
    "«": r"\raisebox{.2ex}{\ensuremath{\scriptscriptstyle\ll}}",
    "»": r"\raisebox{.2ex}{\ensuremath{\scriptscriptstyle\gg}}",
    "\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,",
}  # fmt: skip

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c", "\u0323": "d",
}  # fmt: skip

_LONGEST_WORD = 14
_JOINING = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")


def escape(text: str, *, breakable: bool = False) -> Tex:
    r"""The text as TeX that shows it as typed and does nothing else; pure ASCII, whatever the encoding.

    Everything that pdflatex's default fonts have is shown as itself; control and format characters and
    scripts beyond them are spelt out, as \u4e2d. `breakable` lets words of more than 14 characters break
    anywhere, for narrow columns.
    """
    escaped = []
    for word in text.split(" "):
        characters = [_escaped(character) for character in unicodedata.normalize("NFC", word)]
        between = r"\allowbreak{}" if breakable and _length(characters) > _LONGEST_WORD else ""
        # TeX joins two hyphens to a dash, two apostrophes or commas to a quotation mark.
        escaped.append(_JOINING.sub("{}", between.join(characters)))
    return Tex(" ".join(escaped))


def number(value: float) -> Tex:
    """A number for TeX to compute with: six digits, a point whatever the locale, nan where undefined."""
    return Tex(f"{value:.6g}" if math.isfinite(value) else "nan")


def fill(template: str, **values: object) -> str:
    """Fill in zebra_resources/templates/<template>.

    Every value that a template prints is escaped unless it is Tex; numbers go through `number`. Other
    objects and unknown names raise TypeError and jinja2.UndefinedError: those are our mistakes.
    """
    return _environment().get_template(template).render(**values)


def _escaped(character: str) -> str:
    for table in (_SPECIAL, _LETTERS):
        if character in table:
            return table[character]
    if character in _MATHS:
        return rf"\ensuremath{{{_MATHS[character]}}}"
    if " " < character <= "~":
        return character
    base, *marks = list(unicodedata.normalize("NFD", character))
    if base.isascii() and base.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS:
        below = _ACCENTS[marks[0]] in "cd"
        letter = rf"\{base}" if base in "ij" and not below else base
        return rf"\{_ACCENTS[marks[0]]}{{{letter}}}"
    spelt_out = character.encode("unicode_escape").decode("ascii")
    return spelt_out.replace("\\", _SPECIAL["\\"])


def _length(characters: Sequence[str]) -> int:
    """How many characters are seen of these: those that are spelt out are longer than one."""
    backslash = _SPECIAL["\\"]
    return sum(
        1 + len(character.removeprefix(backslash)) * character.startswith(backslash)
        for character in characters
    )


def _printed(value: object) -> Tex:
    """What jinja2 does with every value before it is printed."""
    if isinstance(value, Tex):
        return value
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, float | int) and not isinstance(value, bool):
        return number(value)
    if isinstance(value, jinja2.Undefined):
        str(value)  # raises, and says which name
    raise TypeError(f"a template prints {type(value).__name__}; expected text or a number")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(  # noqa: S701 - its escapes are for HTML; finalize makes ours
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        finalize=_printed,
        loader=jinja2.FunctionLoader(lambda name: zebra_resources.read_text(f"templates/{name}")),
    )
    environment.filters["breakable"] = lambda text: escape(text, breakable=True)
    environment.filters["comment"] = _comment
    environment.filters["pdf_string"] = _pdf_string
    return environment


def _comment(text: str) -> Tex:
    """The text for a comment, where nothing but the end of the line means anything to TeX."""
    return Tex(visible(text, sys.maxsize).encode("ascii", "backslashreplace").decode("ascii"))


def _pdf_string(text: str) -> Tex:
    """The text as a string of PDF, in hexadecimal: TeX sees nothing but digits."""
    return Tex(f"<FEFF{visible(text, sys.maxsize).encode('utf-16-be').hex().upper()}>")
