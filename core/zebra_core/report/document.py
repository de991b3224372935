"""The parts that a report is made of, as plain values: each format sets them in its own way, and no others.

Foreign text in them is visible: one line, nothing hidden. Formats escape what has a meaning to them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from zebra_core.figures.figure import CellsFigure, Figure
from zebra_core.project.report_settings import Section
from zebra_core.wording.texts import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


# The formulas of the method, each once: for Typst, for TeX, and in words for those who cannot see it.


@dataclass(frozen=True)
class Formula:
    """One formula. The sources are ours, never a user's; `words` is also what plain formats show."""

    name: str
    typst: str
    tex: str
    words: str


ECE = Formula(
    "ece",
    'upright("ECE")(pi) = pi / N_T sum_(i in T) log_2 (1 + e^(-(lambda_i + theta))) '
    "+ (1 - pi) / N_N sum_(j in N) log_2 (1 + e^(lambda_j + theta)), quad theta = ln pi / (1 - pi)",
    r"\mathrm{ECE}(\pi) = \frac{\pi}{N_T}\sum_{i\in T}\log_2\bigl(1+e^{-(\lambda_i+\theta)}\bigr)"
    r" + \frac{1-\pi}{N_N}\sum_{j\in N}\log_2\bigl(1+e^{\lambda_j+\theta}\bigr),"
    r"\quad \theta = \ln\frac{\pi}{1-\pi}",
    "ECE(π) = π/N_T · Σ_T log2(1 + exp(−(λ + θ))) + (1 − π)/N_N · Σ_N log2(1 + exp(λ + θ)), "
    "θ = ln(π/(1 − π))",
)
D_ECE = Formula(
    "d-ece",
    'D_upright("ECE") = integral_0^1 (H(pi) - upright("ECE")_min (pi)) dif pi, quad '
    "H(pi) = -pi log_2 pi - (1 - pi) log_2 (1 - pi)",
    r"D_{\mathrm{ECE}} = \int_0^1 \bigl(H(\pi)-\mathrm{ECE}_{\min}(\pi)\bigr)\,d\pi,\quad"
    r" H(\pi) = -\pi\log_2\pi-(1-\pi)\log_2(1-\pi)",
    "D_ECE = ∫ from 0 to 1 of (H(π) − min ECE(π)) dπ, H(π) = −π log2 π − (1 − π) log2(1 − π)",
)
WORST_CASE = Formula(
    "worst-case",
    "w = 1 / (ln 10) max_k abs(lambda_k)",
    r"w = \frac{1}{\ln 10}\,\max_k\,\vert\lambda_k\vert",
    "w = max |λ| / ln 10",
)
CEILING = Formula(
    "ceiling",
    "w_max = log_10 max{((N_T + 1) N_N) / N_T, ((N_N + 1) N_T) / N_N}",
    r"w_{\max} = \log_{10}\max\Bigl\{\frac{(N_T+1)\,N_N}{N_T},\,\frac{(N_N+1)\,N_T}{N_N}\Bigr\}",
    "w_max = log10 of the greater of (N_T + 1)·N_N/N_T and (N_N + 1)·N_T/N_N",
)
CLLR = Formula(
    "cllr",
    'C_upright("llr") = 1/2 (1 / N_T sum_(i in T) log_2 (1 + e^(-lambda_i)) '
    "+ 1 / N_N sum_(j in N) log_2 (1 + e^(lambda_j)))",
    r"C_{\mathrm{llr}} = \frac12\Bigl(\frac{1}{N_T}\sum_{i\in T}\log_2\bigl(1+e^{-\lambda_i}\bigr)"
    r"+\frac{1}{N_N}\sum_{j\in N}\log_2\bigl(1+e^{\lambda_j}\bigr)\Bigr)",
    "Cllr = 1/2 · (mean over T of log2(1 + exp(−λ)) + mean over N of log2(1 + exp(λ)))",
)
DEV_PAV = Formula(
    "dev-pav",
    'upright("devPAV") = 1 / (x_2 - x_1) integral_(x_1)^(x_2) abs(y(x) - x) dif x',
    r"\mathrm{devPAV} = \frac{1}{x_2-x_1}\int_{x_1}^{x_2}\vert y(x)-x\vert\,dx",
    "devPAV = 1/(x₂ − x₁) · ∫ from x₁ to x₂ of |y(x) − x| dx",
)
EER = Formula(
    "eer",
    'upright("EER") = P_upright("miss")(t) = P_upright("fa")(t)',
    r"\mathrm{EER} = P_{\mathrm{miss}}(t) = P_{\mathrm{fa}}(t)",
    "EER = P_miss(t) = P_fa(t)",
)
HITS = Formula(
    "hits",
    'H(f) = max_(t: P_upright("fa")(t) <= f) (1 - P_upright("miss")(t)), quad '
    "f in {0.01, thin 0.001, thin 0.0001}",
    r"H(f) = \max_{t:\,P_{\mathrm{fa}}(t)\le f}\bigl(1-P_{\mathrm{miss}}(t)\bigr),\quad"
    r" f\in\{0.01,\,0.001,\,0.0001\}",
    "H(f) = the largest 1 − P_miss(t) of all t with P_fa(t) ≤ f, f = 0.01, 0.001, 0.0001",
)
LINKABILITY = Formula(
    "linkability",
    'D_upright("sys") = integral p(s | T) max(0, 2 (Lambda(s)) / (1 + Lambda(s)) - 1) dif s, quad '
    "Lambda(s) = p(s | T) / p(s | N)",
    r"D_{\mathrm{sys}} = \int p(s\mid T)\,\max\Bigl(0,\,2\,\frac{\Lambda(s)}{1+\Lambda(s)}-1\Bigr)\,ds,"
    r"\quad \Lambda(s) = \frac{p(s\mid T)}{p(s\mid N)}",
    "D_sys = ∫ p(s|T) · max(0, 2Λ(s)/(1 + Λ(s)) − 1) ds, Λ(s) = p(s|T)/p(s|N)",
)
WRONG_DECISIONS = Formula(
    "wrong-decisions",
    'P_upright("miss") = 1 / N_T sum_(i in T) [lambda_i < -theta], quad '
    'P_upright("fa") = 1 / N_N sum_(j in N) [lambda_j >= -theta]',
    r"P_{\mathrm{miss}} = \frac{1}{N_T}\sum_{i\in T}[\lambda_i<-\theta],\quad"
    r" P_{\mathrm{fa}} = \frac{1}{N_N}\sum_{j\in N}[\lambda_j\ge-\theta]",
    "P_miss = share of T with λ < −θ, P_fa = share of N with λ ≥ −θ",
)
DOMINANCE = Formula(
    "dominance",
    'D_upright("diag") = abs(1 / n sum_i M_(i i) - 1 / (n (n - 1)) sum_(i != j) M_(i j))',
    r"D_{\mathrm{diag}} = \Bigl\vert \frac1n\sum_i M_{ii}-\frac{1}{n(n-1)}\sum_{i\neq j}M_{ij}\Bigr\vert",
    "D_diag = |mean of the diagonal − mean of the other cells|",
)
DE_ID = Formula(
    "de-id",
    'upright("DeID") = 1 - D_upright("diag")^upright("OP") / D_upright("diag")^upright("OO"), quad '
    'G_upright("VD") = 10 log_10 D_upright("diag")^upright("PP") / D_upright("diag")^upright("OO")',
    r"\mathrm{DeID} = 1-\frac{D_{\mathrm{diag}}^{\mathrm{OP}}}{D_{\mathrm{diag}}^{\mathrm{OO}}},\quad"
    r" G_{\mathrm{VD}} = 10\log_{10}\frac{D_{\mathrm{diag}}^{\mathrm{PP}}}{D_{\mathrm{diag}}^{\mathrm{OO}}}",
    "DeID = 1 − D_diag(OP)/D_diag(OO), G_VD = 10·log10(D_diag(PP)/D_diag(OO))",
)

OF_SCORES: Mapping[str, Formula | None] = {
    "ece": ECE,
    "d-ece": D_ECE,
    "reading": None,
    "worst-case": WORST_CASE,
    "ceiling": CEILING,
    "cllr": CLLR,
    "eer": EER,
    "hits": HITS,
    "linkability": LINKABILITY,
    "wrong-decisions": WRONG_DECISIONS,
}
OF_STATED_LLRS: Mapping[str, Formula | None] = {"dev-pav": DEV_PAV}
OF_SIMILARITY: Mapping[str, Formula | None] = {"dominance": DOMINANCE, "de-id": DE_ID}
"""The paragraphs of the report's method in their order, with their formulas; words are `method.<name>`."""

FORMULAS = tuple(filter(None, (*OF_SCORES.values(), *OF_STATED_LLRS.values(), *OF_SIMILARITY.values())))


PICTURE_WIDTH = 7.2
"""Inches of a sheet as wide as the page."""

HALF_WIDTH = 3.5
"""Inches of a sheet in one of two columns, whose letters are then as large as on the others."""


@dataclass(frozen=True)
class Run:
    """Some words in one style; `language` says theirs where it is not that of the report."""

    text: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    language: str = ""


@dataclass(frozen=True)
class Paragraph:
    """Words; `quiet` ones stand back, as captions and explanations do."""

    runs: tuple[Run, ...]
    quiet: bool = False

    @property
    def text(self) -> str:
        """The words without their style."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Bullets:
    """A list, with numbers or without."""

    items: tuple[tuple[Run, ...], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True)
class Badge:
    """A tag, its colour as #RRGGBB (it carries white letters), and what it stands for.

    Where the format can draw it, one that may be chance has a dashed frame, and an open one, of a set that is
    too small or could not have shown a worse tag, is hatched; a sentence beside it says so.
    """

    tag: str
    colour: str
    meaning: str = ""
    may_be_chance: bool = False
    is_open: bool = False


@dataclass(frozen=True)
class FindingLine:
    """What was found for one assessment, in a sentence; `more` stands quietly below, a line each."""

    badge: Badge
    name: str
    condition: str
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One field of a table; `note` stands quietly below."""

    text: str = ""
    note: str = ""
    badge: Badge | None = None
    mono: bool = False


@dataclass(frozen=True)
class TableColumn:
    """A column: what stands above it, whether it holds words (set left) or numbers (set right).

    `share` is its part of the room that is left by those without one, which are as wide as they need.
    """

    head: str
    is_text: bool = False
    share: float = 0.0


@dataclass(frozen=True)
class TableBlock:
    """Rows under a head that is repeated on every page."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class ReportPicture:
    """A figure with its caption; `topic` is that of the pane which shows it, `entry_id` whose it is."""

    stem: str  # of its file: letters, digits and hyphens
    figure: Figure | CellsFigure
    caption: str
    topic: str = ""
    entry_id: str = ""
    height: float = 2.9  # inches of the axes
    width: float = PICTURE_WIDTH  # inches of the sheet


@dataclass(frozen=True)
class ExplainedFigure:
    """One figure explained: its name, its formula, a paragraph."""

    name: str
    formula: Formula | None
    text: str


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TagLegend:
    """Tags and what they stand for, in a row."""

    badges: tuple[Badge, ...]


@dataclass(frozen=True)
class TwoColumns:
    """Two columns, the left one read first; a format without columns has one after the other."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]


Block = (
    Paragraph
    | Bullets
    | Heading
    | FindingLine
    | TableBlock
    | ReportPicture
    | ExplainedFigure
    | Terms
    | TagLegend
    | TwoColumns
)  # what a section is made of


def in_order(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks in the order in which they are read, those of columns one by one."""
    for block in blocks:
        if isinstance(block, TwoColumns):
            yield from in_order((*block.left, *block.right))
        else:
            yield block


@dataclass(frozen=True)
class SectionContent:
    """A section with its heading and the blocks below it."""

    section: Section
    blocks: tuple[Block, ...]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return self.section.heading

    @property
    def pictures(self) -> Iterator[ReportPicture]:
        """The figures in the section, in their order."""
        return (block for block in in_order(self.blocks) if isinstance(block, ReportPicture))


def paragraph(text: str, *, quiet: bool = False) -> Paragraph:
    """A paragraph in one style."""
    return Paragraph((Run(text),), quiet)


# The user's own words: a small part of Markdown, made into plain values; anything else stays as typed.


# Every command loads this module: the parser is loaded where somebody has written something.


def prose(markdown: str) -> tuple[Block, ...]:
    """Paragraphs and lists with emphasis, strong emphasis and code; links become their words and address.

    HTML, pictures, headings, tables and whatever else Markdown knows are no markup here: they are shown as
    they were typed. Nothing invisible is left in the text.
    """
    return tuple(_blocks(_parser().parse(markdown))) if markdown.strip() else ()


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # From nothing upwards, so that a new rule of the parser cannot come in by itself.
    parser = MarkdownIt("zero", {"html": False, "maxNesting": 12})
    return parser.enable(["list", "emphasis", "backticks", "escape", "link", "newline"])


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    """Nested lists become flat ones: their items follow each other."""
    items: list[tuple[Run, ...]] = []
    depth, numbered = 0, False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            numbered = numbered if depth else token.type.startswith("ordered")
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            if not depth:
                yield Bullets(tuple(items), numbered)
                items = []
        elif token.type == "inline":
            runs = _merged(_runs(token.children or ()))
            if depth and runs:
                items.append(runs)
            elif runs:
                yield Paragraph(runs)


def _runs(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = 0
    address = ""
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif token.type == "link_open":
            address = str(token.attrGet("href") or "")
        elif token.type == "link_close":
            yield Run(f" ({_shown(address)})")
        elif token.type in ("softbreak", "hardbreak"):
            yield Run(" ")
        else:
            yield Run(_shown(token.content), bold > 0, italic > 0, token.type == "code_inline")


def _merged(runs: Iterator[Run]) -> tuple[Run, ...]:
    """Neighbours of one style as one; without empty ones."""
    merged: list[Run] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and (last.bold, last.italic, last.mono) == (run.bold, run.italic, run.mono):
            merged[-1] = Run(last.text + run.text, run.bold, run.italic, run.mono)
        elif run.text:
            merged.append(run)
    return tuple(merged)


def _shown(text: str) -> str:
    return visible(text, sys.maxsize)
