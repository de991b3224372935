"""What the tests of figures and reports share: small entries, names of the worst kind, and pdflatex."""

import datetime as dt
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.programs import needed
from zebra_core.evidence.trials import Trials
from zebra_core.figures.figure import Figure, Line
from zebra_core.metrics.assessment import assess
from zebra_core.project.by_group import EntryFindings
from zebra_core.project.demo import demo_project
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Access

HOSTILE = {
    "TeX": r"\input{/etc/passwd}",
    "Typst": '#read("x")',
    "HTML": "<img src=x>",
    "formula": '=HYPERLINK("x")',
    "right to left": "abc\u202edef\u200fghi",
    "long": "a_very_long_name-" * 18,
    "emoji": "zebra \U0001f993, 漢字, שלום",
    "specials": r"100 % of $x_1^2$ & #1 ~ {a} | b < c > `d` [e] -- '' ,, ^^41 \\",
    "newline": "first\nsecond\r\n\tthird\0",
    "Markdown": "# a\n- [b](http://c) **d** | e",
    "isolates": "a\u2067b\u2069\u061cc",
    "surrogate": "not utf-8: \udc80",
    "empty": "",
}


def small_trials() -> Trials:
    """Two classes that overlap a little."""
    return Trials.from_scores(target=[1.0, 2.0, 3.0, 0.2], nontarget=[-3.0, -2.0, -1.0, 0.5, 0.0])


@cache
def small_entry(name: str = "B1", colour: int | None = 0) -> Entry:
    return Entry(name, small_trials(), assess(small_trials()), Condition.OP, colour=colour)


def project_of(*names: str, title: str = "A project") -> Project:
    return Project(title, tuple(small_entry(name, number) for number, name in enumerate(names)))


@cache
def demo() -> Project:
    return demo_project()


@cache
def demo_assessments() -> Project:
    """The demo without its similarity matrices."""
    return demo().without([item.id for item in demo().similarities])


def pdflatex(document: str, folder: Path) -> str:
    """Compile a document in this folder, which must not fail; returns the text of its PDF."""
    done = subprocess.run(
        [needed("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", document],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "LaTeX Warning" not in done.stdout.replace("LaTeX Warning: Label(s) may have changed", "")
    return pdf_text(folder / Path(document).with_suffix(".pdf").name, "-layout")


def pdflatex_together(documents: Mapping[str, str], folder: Path) -> Callable[[str], str]:
    """Documents of a picture each, set as the pages of one; what gives the text of each by its name.

    TeX takes most of its time to begin. Where it stops at one of them, each is set by itself when it is asked
    for, so that only the test of that one fails.
    """
    parts = [document.partition("\\begin{document}") for document in documents.values()]
    heads = [head.splitlines() for head, _, _ in parts]
    common = [line for line in heads[0] if all(line in head for head in heads)]
    pages_to_be = []
    for head, (_, _, body) in zip(heads, parts, strict=True):
        own = [line for line in head if line not in common]  # its title
        pages_to_be += [*own, body.removesuffix("\n").removesuffix("\\end{document}"), "\\clearpage"]
    whole = [*common, "\\begin{document}", *pages_to_be, "\\end{document}", ""]
    (folder / "all.tex").write_text("\n".join(whole), encoding="ascii")
    try:
        pages = dict(zip(documents, pdflatex("all.tex", folder).split("\f")[:-1], strict=True))
    except (AssertionError, ValueError):
        pages = {}

    def text_of(name: str) -> str:
        if name in pages:
            return pages[name]
        (folder / "one.tex").write_text(documents[name], encoding="ascii")
        return pdflatex("one.tex", folder)

    return text_of


def pdf_text(pdf: Path, *options: str) -> str:
    """The text in the order of reading, or as it stands on the page with the option -layout."""
    return subprocess.run(
        [needed("pdftotext"), *options, str(pdf), "-"], capture_output=True, text=True, check=True
    ).stdout


CONTEXT: dict[str, Any] = {
    "recipients": "One hospital",
    "access": Access.CONTROLLED,
    "other_knowledge": "Old recordings",
    "motive": "Curiosity",
    "means": "A day",
    "domain": "The ward",
    "people": 20,
    "retention": "Two years",
    "hears_originals": "Nobody else",
    "review_on": dt.date(2027, 1, 31),
}
"""The context of a release, as fields of the settings of a report."""


@cache
def _demo_material() -> StudiedProject:
    return gather(demo())


def demo_material(project: Project | None = None) -> StudiedProject:
    """What a report of the demo is made of, gathered once; or of a project of some of its assessments."""
    made = _demo_material()
    project = project or demo()
    return replace(
        made,
        project=project,
        speakers=EntryFindings({one.id: made.speakers[one.id] for one in project.entries}),
    )


@cache
def million() -> Entry:
    rng = np.random.default_rng(17)
    is_target = rng.random(1_000_000) < 0.05
    trials = Trials(rng.normal(-3.0, 2.5, 1_000_000) + 6.0 * is_target, is_target)
    return Entry("a million", trials, assess(trials), Condition.PP)


def labelled(figure: Figure) -> list[Line]:
    return [line for line in figure.lines if line.label is not None]


def goes_through(line: Line, *vertices: tuple[float, float]) -> bool:
    """Whether the line has these vertices, and no others."""
    found = np.stack([line.x, line.y], axis=1)
    return found.shape == (len(vertices), 2) and np.allclose(found, vertices, rtol=0.0, atol=1e-12)
