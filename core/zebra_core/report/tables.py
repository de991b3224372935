"""The results as tables.

CSV is for computing: the columns of the reference toolkit first, as it rounds them, then ours unrounded under
the keys of `zebra compare --json`. Markdown and TeX are for reading, with the digits that figures bear; tabs
are for pasting into a spreadsheet.
"""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from zebra_core.document.parts import Json
from zebra_core.metrics.assessment import Assessment, by_reading, reading_in_words
from zebra_core.metrics.registry import METRICS
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.attributes import columns_as_json
from zebra_core.project.by_group import columns_as_json as columns_of_groups
from zebra_core.project.comparison.columns import COLUMNS, COMPARED, challenge_names, challenge_system, column
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import (
    BY_GROUP_COLUMN,
    INFERENCE_COLUMNS,
    NOTHING,
    PEOPLE_COLUMNS,
    ComparisonColumn,
    ComparisonGroup,
    ComparisonRow,
    kept_as_json,
)
from zebra_core.project.items import attack_as_said, dataset_as_said
from zebra_core.report.pairs import Pair, heads as pair_heads
from zebra_core.report.results_tex import TexTables, results_tex
from zebra_core.uncertainty.shown import as_computed, rounded
from zebra_core.uncertainty.trust import figures_as_json
from zebra_core.wording.texts import (
    harmless_cell,
    log10_lr,
    odds_in_words,
    say,
    shortened,
    visible,
    zebra_number,
)

RELATIVE_TOLERANCE = 1e-12
"""So much may the order of additions on another machine change; a report shows three digits."""
CSV_TABLE = "results.csv"
TABLES = (CSV_TABLE, "results.md", "results.tex")
"""What the tables are called as files."""

_IN_THE_TERMINAL = (
    "name",
    "rank",
    "d_ece_corrected",
    "d_ece",
    "share",
    "worst_case",
    "tag",
    "ceiling",
    "rocch_eer",
    "min_cllr",
    "linkability",
    "trials",
)
LONGEST_TEX_NAME = 40  # characters: a tabular does not break lines

# What GitHub's Markdown gives a meaning where it stands, and nothing else: readers of the source see
# each of these. Brackets make links only by what follows them; a bare address would become a link.
_MARKDOWN = re.compile(
    r"""
    \\                           # before a letter it begins TeX for some readers
    | [`|~$]
    | \*(?!\ |$) | (?<=[^\ ])\*   # but one with a blank on both sides
    | (?<![^\W_])_ | _(?![^\W_])  # but within a word
    | \](?=[({\[]) | ^\[(?=[^\]]*\]:)
    | <(?=[A-Za-z/!?])
    | &(?=(?:\#\d+|\#x[0-9a-f]+|[a-z][a-z0-9]*);)
    | (?<=\w)@(?=\w) | ^@(?=\w) | (?<=\s)@(?=\w)
    | :(?=//) | :(?=[\w+-]+:)
    | (?<=www)\.
    | (?<=\ )\#(?=\#*\ *$)         # which would close a heading
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class ColumnHead:
    """The head of a column, and whether it holds text (set left) or numbers (set right)."""

    head: str
    is_text: bool

    @property
    def alignment(self) -> str:
        """The letter of a TeX tabular."""
        return "l" if self.is_text else "r"


Cell = Callable[[ComparisonRow], str]

_TOOLKIT: tuple[tuple[ColumnHead, Cell], ...] = (
    (ColumnHead("System", is_text=True), challenge_system),
    (ColumnHead("Gender", is_text=True), lambda row: challenge_names(row.group).gender),
    (ColumnHead("Dataset", is_text=True), lambda row: challenge_names(row.group).dataset),
    (ColumnHead("Task", is_text=True), lambda row: challenge_names(row.group).task),
    (ColumnHead("ROCCH-EER [%]", is_text=False), lambda row: f"{100.0 * row.assessment.rocch_eer:.2f}"),
    (
        ColumnHead("ZEBRA Population [bit]", is_text=False),
        lambda row: zebra_number(row.assessment.d_ece_bits),
    ),
    (
        ColumnHead("ZEBRA Individual", is_text=False),
        lambda row: zebra_number(row.assessment.worst_case_log10_lr),
    ),
    (ColumnHead("ZEBRA Category", is_text=True), lambda row: row.assessment.tag),
    (ColumnHead("Cllr", is_text=False), lambda row: f"{row.assessment.cllr_bits:.2f}"),
    (ColumnHead("min Cllr", is_text=False), lambda row: f"{row.assessment.min_cllr_bits:.2f}"),
)
"""The columns of the toolkit's results.csv, named and rounded as there."""


def table_files(comparison: Comparison, tex: TexTables | None = None) -> dict[str, bytes]:
    """The tables as files, name to content."""
    contents = (
        results_csv(comparison).encode("utf-8", "backslashreplace"),
        results_markdown(comparison).encode("utf-8"),
        results_tex(comparison, tex).encode("ascii"),
    )
    return dict(zip(TABLES, contents, strict=True))


def results_csv(comparison: Comparison) -> str:
    """One assessment a row; a figure that is not measurable is an empty cell.

    Where it was asked how sure they are, <figure>_low and _high, rank_low and rank_high stand at the end;
    behind them what is told of attributes, under the name of each, and D_ECE of each group of people.

    Text that a spreadsheet would run as a formula is preceded by an apostrophe.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    by_row = [
        {**columns_as_json(row.inference), **columns_of_groups(row.by_group)} for row in comparison.rows
    ]
    inferred = dict.fromkeys(key for row in by_row for key in row)
    for number, row in enumerate(comparison.rows):
        ours = {
            **{name: harmless_cell(text) for name, text in row.entry.attacked_by.items()},
            **_figures(row),
            **kept_as_json(row, COMPARED),
            **(kept_as_json(row, PEOPLE_COLUMNS) if comparison.has("people") else {}),
            **(row.certainty_as_json() if comparison.has_certainty else {}),
            **{harmless_cell(visible(key, _LONGEST)): by_row[number].get(key) for key in inferred},
        }
        if number == 0:
            writer.writerow([*(head.head for head, _ in _TOOLKIT), *ours])
        theirs = [harmless_cell(cell(row)) if head.is_text else cell(row) for head, cell in _TOOLKIT]
        writer.writerow([*theirs, *ours.values()])
    return stream.getvalue()


def is_same_csv(one: bytes, other: bytes) -> bool:
    """Whether two of these tables differ in nothing but the last digits of numbers."""
    if one == other:
        return True
    try:
        rows = [list(csv.reader(io.StringIO(each.decode(), newline=""))) for each in (one, other)]
        written = io.StringIO()
        csv.writer(written, lineterminator="\n").writerows(rows[0])
        return written.getvalue().encode() == one and all(
            len(ours) == len(theirs) and all(map(_is_same_cell, ours, theirs))
            for ours, theirs in zip(*rows, strict=True)
        )
    except (ValueError, csv.Error):
        return False


def _is_same_cell(one: str, other: str) -> bool:
    if one == other:
        return True
    numbers = float(one), float(other)
    return (repr(numbers[0]), repr(numbers[1])) == (one, other) and math.isclose(
        *numbers, rel_tol=RELATIVE_TOLERANCE, abs_tol=RELATIVE_TOLERANCE
    )


def _figures(row: ComparisonRow) -> Json:
    """The figures by key, each of those that JSON has in an object in a column of its own."""
    found = figures_as_json(row.assessment, row.entry.trust)
    del found["hits_at"]
    flat: Json = {}
    for key, value in found.items():
        parts = {f"{key}_{part}": one for part, one in value.items()} if isinstance(value, dict) else None
        flat |= parts or {key: value}
    return flat | {each.key: each.as_json(row.assessment) for each in METRICS if each.key not in found}


def results_markdown(comparison: Comparison) -> str:
    """All rows as a table in GitHub's Markdown."""
    heads, rows = _for_reading(comparison.rows)
    return markdown_table(heads, rows)


def results_text(comparison: Comparison) -> str:
    """The figures of a comparison that matter most, for a terminal.

    Parameters
    ----------
    `comparison`
        Made by `compare`.

    Returns
    -------
    str
        Group by group, in aligned lines.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import compare, project_of_folder, results_text
    >>> comparison = compare(project_of_folder(zebra_resources.path("demo")).project)
    >>> for line in results_text(comparison).splitlines()[4:]:
    ...     print(line[:60])
    libri_f · OP, test side protected · ignorant
    Safeguard             Rank  D_ECE as computed (bit)  of full
    B1w          1, not tested                    0.037      5 %
    B2           2, not tested                    0.205     28 %
    B2r          3, not tested                    0.214     30 %
    """
    chosen = _that_matter(comparison)
    heads = [one.head for one in chosen]
    cells = {id(row): shown_cells(chosen, row) for row in comparison.rows}
    widths = [max(map(len, lines)) for lines in zip(heads, *cells.values(), strict=True)]

    def line(texts: Sequence[str]) -> str:
        placed = (
            text.ljust(width) if one.is_text else text.rjust(width)
            for one, text, width in zip(chosen, texts, widths, strict=True)
        )
        return "  ".join(placed).rstrip()

    blocks = [
        "\n".join([str(group), line(heads), *(line(cells[id(row)]) for row in comparison.of(group))])
        for group in comparison.groups
    ]
    return "\n\n".join(blocks)


def results_html(comparison: Comparison, sentence: str) -> str:
    """The same figures for a notebook, below a sentence; group by group."""
    chosen = _that_matter(comparison)
    tables = (
        f"<p>{html.escape(str(group))}</p>"
        + html_table(heads_of(chosen), [shown_cells(chosen, row) for row in comparison.of(group)])
        for group in comparison.groups
    )
    return f"<p>{html.escape(sentence)}</p>" + "".join(tables)


def _that_matter(comparison: Comparison) -> list[ComparisonColumn]:
    has_intervals = any(row.entry.trust is not None for row in comparison.rows)
    codes = [code for code in _IN_THE_TERMINAL if has_intervals or code != "d_ece_corrected"]
    return [*(column(code) for code in codes), *_asked_for(comparison.rows)]


def shown_cells(columns: Sequence[ComparisonColumn], row: ComparisonRow) -> tuple[str, ...]:
    """The cells of a row as the window shows them."""
    return tuple(column.shown(row) for column in columns)


def heads_of(columns: Sequence[ComparisonColumn]) -> tuple[ColumnHead, ...]:
    """The heads of these columns."""
    return tuple(ColumnHead(column.head, column.is_text) for column in columns)


def tab_separated(heads: Sequence[ColumnHead], rows: Iterable[Sequence[str]]) -> str:
    """Lines of cells parted by tabs, for the clipboard; nothing in them is a formula."""
    lines = [[head.head for head in heads]]
    lines += [[_unless_number(cell) for cell in row] for row in rows]
    return "\n".join("\t".join(line) for line in lines) + "\n"


def markdown_table(heads: Sequence[ColumnHead], rows: Iterable[Sequence[str]]) -> str:
    """A table in GitHub's Markdown; cells, which have one line each, are escaped."""
    lines = [
        _markdown_row([head.head for head in heads]),
        _markdown_row(["---" if head.is_text else "---:" for head in heads], escaped=False),
        *(_markdown_row(row) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def html_table(heads: Sequence[ColumnHead], rows: Iterable[Sequence[str]]) -> str:
    """A table in HTML, as word processors take it from the clipboard; cells are escaped."""

    def line(kind: str, cells: Sequence[str]) -> str:
        placed = (
            f'<{kind} align="{"left" if head.is_text else "right"}">{html.escape(cell)}</{kind}>'
            for head, cell in zip(heads, cells, strict=True)
        )
        return f"<tr>{''.join(placed)}</tr>"

    body = "\n".join(line("td", row) for row in rows)
    head = line("th", [head.head for head in heads])
    look = 'border="1" cellspacing="0" cellpadding="4"'  # which letters keep
    return f"<table {look}>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"


def pairs_table(
    group: ComparisonGroup, pairs: Sequence[Pair]
) -> tuple[tuple[ColumnHead, ...], list[tuple[str, ...]]]:
    """Heads and rows for elsewhere: there no heading says what the group is of, so each row does."""
    of_group = tuple(
        ColumnHead(say(f"column.{code}"), is_text=True) for code in ("dataset", "condition", "attacker")
    )
    condition = group.condition.value if group.condition else NOTHING
    dataset, attacker = dataset_as_said(group.dataset), attack_as_said(group.attacker)
    group_cells = (visible(dataset, 200) or NOTHING, condition, visible(attacker, 200) or NOTHING)
    named = tuple(ColumnHead(text, is_text=True) for text in pair_heads())
    return (*of_group, *named), [(*group_cells, *pair.cells) for pair in pairs]


def tex_table(heads: Sequence[ColumnHead], groups: Sequence[Sequence[Sequence[str]]]) -> str:
    """A booktabs tabular; cells are escaped, and those of text shortened in the middle."""
    from zebra_core.wording.tex import fill  # and with it jinja2, which takes its time

    shown = [
        [
            [
                shortened(cell, LONGEST_TEX_NAME) if head.is_text else cell
                for head, cell in zip(heads, row, strict=True)
            ]
            for row in rows
        ]
        for rows in groups
        if rows
    ]
    return fill("tabular.tex", columns=heads, groups=shown)


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as typed."""
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), text)


_LONGEST = 400
_IDENTIFYING = 4  # of the toolkit's columns: system, gender, dataset, task
_PARTS = {"knowledge", "recogniser", "back_end"}  # of the attacker, who stands there as a whole
_FOR_READING = tuple(one for one in COLUMNS if one.code not in {"name", "dataset", "condition", *_PARTS})
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?")


def _for_reading(rows: Sequence[ComparisonRow]) -> tuple[list[ColumnHead], list[tuple[str, ...]]]:
    """What tells the toolkit's rows apart, then our columns: figures have the digits that they bear."""
    without = set() if any(row.entry.trust is not None for row in rows) else {"d_ece_corrected"}
    without |= set() if any(row.utility.cer is not None for row in rows) else {"cer"}
    ours = [column for column in _FOR_READING if column.code not in without]
    ours += _asked_for(rows)
    toolkit = _TOOLKIT[:_IDENTIFYING]
    named = (ColumnHead(say(f"column.{head.head.lower()}"), head.is_text) for head, _ in toolkit)
    heads = [*named, *heads_of(ours)]
    return heads, [
        (*(visible(cell(row), _LONGEST) for _, cell in toolkit), *shown_cells(ours, row)) for row in rows
    ]


def _asked_for(rows: Sequence[ComparisonRow]) -> list[ComparisonColumn]:
    """What takes its time, where it is known of any row."""
    people = PEOPLE_COLUMNS if any(row.people is not None for row in rows) else ()
    codes = {code for row in rows for _, found in row.inference for code in found.figures}
    inferred = (one for one in INFERENCE_COLUMNS if one.code.removeprefix("attribute_") in codes)
    return [*people, *inferred, *([BY_GROUP_COLUMN] if any(row.by_group for row in rows) else [])]


def _unless_number(cell: str) -> str:
    return cell if _NUMBER.fullmatch(cell) else harmless_cell(cell)


def _markdown_row(row: Sequence[str], *, escaped: bool = True) -> str:
    return f"| {' | '.join(escape_markdown(cell) if escaped else cell for cell in row)} |"


# Results in a few lines of plain text: the badge, the toolkit's three lines, similarity matrices.


def badge(assessment: Assessment) -> str:
    """The whole badge in one line: letter, number, odds in words, and the ceiling of that side.

    Where another reading discloses more, that is told as well.
    """
    line = say(
        "badge.line",
        tag=assessment.settings.tag_scale.shown(assessment.tag),
        worst_case=as_computed("worst_case_log10_lr", assessment),
        odds=odds_in_words(assessment.worst_case_log10_lr),
        ceiling=log10_lr(abs(assessment.strongest_ceiling_log10_lr)),
    )
    return by_reading(assessment, "badge-reversed", "badge-unordered", line=line) or line


def zebra_lines(label: str, assessment: Assessment) -> str:
    """The reference toolkit's three lines, its digits too; a fourth where another reading discloses more."""
    population = zebra_number(assessment.d_ece_bits)
    individual = zebra_number(assessment.worst_case_log10_lr)
    lines = f"{label}\nPopulation: {population} bit\nIndividual: {individual} ({assessment.tag})"
    return "\n".join(filter(None, (lines, reading_in_words(assessment))))


def similarity_lines(label: str, voices: VoiceSimilarity) -> str:
    """What the similarity matrices come to, as a short table; settings that were not given are left out."""
    shown = list(voices.matrices)
    words = partial(_of_speakers, voices)
    rows = [
        (say("similarity.speakers", count=len(voices.speakers)), [setting.upper() for setting in shown]),
        (say("similarity.d-diag"), [words("d_diag", voices.d_diag(setting)) for setting in shown]),
        (
            say("similarity.d-ece"),
            [words("d_ece_bits", voices.matrices[setting].d_ece_bits) for setting in shown],
        ),
        (
            say("similarity.min-cllr"),
            [words("min_cllr_bits", voices.matrices[setting].min_cllr_bits) for setting in shown],
        ),
    ]
    head = max(len(name) for name, _ in rows)
    width = max(len(cell) for _, cells in rows for cell in cells)
    lines = [
        label,
        *("  ".join([name.ljust(head), *(cell.rjust(width) for cell in cells)]) for name, cells in rows),
    ]
    if voices.op is not None and voices.oo is not None:
        lines.append(say("similarity.de-id", value=words("de_id", voices.de_id)))
    if voices.pp is not None and voices.oo is not None:
        lines.append(say("similarity.g-vd", value=words("g_vd_db", voices.g_vd_db)))
    return "\n".join(lines)


def _of_speakers(voices: VoiceSimilarity, figure: str, value: float | None) -> str:
    return rounded(figure, value, len(voices.speakers))
