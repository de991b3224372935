"""The pages for programmers, in the site and the PDF: the package from its docstrings, notebooks, how to add.

The window has none of them: the bundle has no docstrings, and nobody programs in it.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import notebooks

import zebra_core
from zebra_core import types
from zebra_core.wording.texts import ENGLISH
from zebra_gui.manual.book import ManualPage

CONTRIBUTING = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Trials and files": (
        "read_trials",
        "Trials",
        "CountedTrials",
        "SpeakerTrials",
        "SegmentScores",
        "SpeakerRule",
        "SessionRule",
        "Remark",
    ),
    "Figures": ("assess", "Assessment", "Settings", "ScoreMeaning"),
    "Figures of two arrays": (
        "d_ece_bits",
        "worst_case_log10_lr",
        "eer",
        "rocch_eer",
        "cllr_bits",
        "min_cllr_bits",
        "min_dcf",
        "actual_dcf",
        "pav_llr",
        "linkability_d_sys",
        "det_curve",
        "ece_curve",
        "linkage_probability",
        "dev_pav",
        "invariance_bounds",
    ),
    "How sure": (
        "bootstrap",
        "BootstrapSettings",
        "Uncertainty",
        "without_disclosure",
        "NoDisclosure",
        "bootstrap_paired",
        "ranking",
    ),
    "Speakers": (
        "speaker_disclosures",
        "SpeakerDisclosures",
        "zoo_of",
        "Zoo",
        "rank_true_speakers",
        "Ranks",
        "accumulate",
        "Accumulation",
    ),
    "Voice similarity": (
        "read_similarity",
        "voice_similarity",
        "VoiceSimilarity",
        "similarity_matrix",
        "SimilarityMatrix",
        "voices_bootstrap",
    ),
    "Projects, tables and pictures": (
        "project_of_folder",
        "Project",
        "open_project",
        "save_project",
        "compare",
        "Comparison",
        "SideBySide",
        "bibtex",
        "results_text",
        "pictures_of",
        "save_figure",
        "draw_figure",
        "plot_ece",
        "plot_similarity",
        "plot_zoo",
    ),
    "Errors": ("ZebraError", "InputError", "OutputError", "Cancelled"),
}
"""Every public name, below what it is about."""

_INTRODUCTION = """Every public name of `zebra_core`, as `help` tells of it. What stands in brackets after an
array is its shape. An error that the user can correct is a `ZebraError`, whose text is one sentence."""

_SOURCE = re.compile(r"^    (?P<name>\w+)(?:: | = )[^#\n]*# (?P<comment>.+)$", re.MULTILINE)
_TOLD_OF = re.compile(r"^(`.+`)\n    ", re.MULTILINE)
_EXAMPLES = "Examples\n--------"
_STEP = re.compile(r" (?=\d\. )")
_LONGEST = 40  # characters of a default
_WIDTH = 90  # characters of a line of code


def programmers_pages() -> tuple[ManualPage, ...]:
    """The pages in their order, to stand below *From Python*."""
    made = (
        ("package", "The Python package", _package()),
        *((name, notebooks.title(name), notebooks.as_markdown(name)) for name in notebooks.NAMES),
        ("how-to-add", "How to add …", _how_to_add()),
    )
    return tuple(ManualPage(f"python/{name}", title, 1, text, ENGLISH) for name, title, text in made)


def _package() -> str:
    parts = ["# The Python package", _INTRODUCTION]
    for group, names in GROUPS.items():
        parts += [f"## {group}", *(_entry(name, getattr(zebra_core, name)) for name in names)]
    parts += ["## What they consist of"]
    classes = [name for name in types.__all__ if inspect.isclass(getattr(types, name))]
    parts += [_entry(name, getattr(types, name), types.__name__) for name in classes]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, what: object, module: str = "") -> str:
    where = f"`{module}.{name}`" if module else ""
    signature = "" if inspect.isclass(what) else _code(_signature(name, what))
    told, _, examples = (inspect.getdoc(what) or "").partition(f"\n\n{_EXAMPLES}\n")
    of = _members(what, told) if inspect.isclass(what) else ()
    told = _as_markdown(told, _types(what))
    shown = _as_markdown(f"{_EXAMPLES}\n{examples}", {}) if examples else ""
    return "\n\n".join(filter(None, (f"### {name}", where, signature, told, *of, shown)))


def _signature(name: str, what: object) -> str:
    """How it is called, a parameter a line where one line has no room."""
    signature = inspect.signature(what)  # type: ignore[arg-type]  # callables only
    parameters, is_keyword = [], False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            parameters.append("*")
            is_keyword = True
        given = "" if one.default is one.empty else f" = {_default(one.default)}"
        parameters.append(f"{one.name}: {one.annotation}{given}")
    back = f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(parameters)}){back}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in parameters), f"){back}"])


def _default(value: object) -> str:
    if callable(value):
        return str(value.__name__)  # type: ignore[attr-defined]  # functions only
    text = str(value) if isinstance(value, enum.Enum) else repr(value)
    return text if len(text) <= _LONGEST else f"{type(value).__name__}(…)"


def _types(what: object) -> dict[str, str]:
    """The types of the fields of a dataclass, as they are written."""
    if not dataclasses.is_dataclass(what):
        return {}
    return {field.name: str(field.type) for field in dataclasses.fields(what)}


def _members(of: type, told: str) -> Iterator[str]:
    """A list of the fields or values that `told` does not tell of, and one of properties and methods."""
    comments = {found["name"]: found["comment"] for found in _SOURCE.finditer(inspect.getsource(of))}
    listed = {name: f"{name}: {kind}" for name, kind in _types(of).items()}
    if issubclass(of, enum.Enum):
        listed = {one.name: one.name for one in of if one.name in comments}
    is_told = set(re.findall(r"\w+", " ".join(_TOLD_OF.findall(told))))
    yield "\n".join(
        f"- `{shown}`" + (f": {comments[name]}" if name in comments else "")
        for name, shown in listed.items()
        if name not in is_told
    )
    public = [
        f"- `{name}{_called(member)}`: {_first_sentence(text)}"
        for name, member in vars(of).items()
        if not name.startswith("_") and _is_told_of(member) and (text := inspect.getdoc(member))
    ]
    yield "\n".join(["*Properties and methods*\n", *public] if public else [])


def _is_told_of(member: object) -> bool:
    return (
        isinstance(member, property | classmethod)
        or inspect.isfunction(member)
        or hasattr(member, "attrname")
    )


def _called(member: object) -> str:
    if not isinstance(member, classmethod) and not inspect.isfunction(member):
        return ""
    function = member.__func__ if isinstance(member, classmethod) else member
    names = list(inspect.signature(function).parameters)[1:]
    return f"({', '.join(names)})"


def _first_sentence(told: str) -> str:
    return " ".join(told.split("\n\n", maxsplit=1)[0].split())


def _as_markdown(docstring: str, types: Mapping[str, str]) -> str:
    """A docstring is Markdown but for examples, which are code, and its sections."""
    return "\n\n".join(_paragraph(text, types) for text in docstring.split("\n\n"))


def _paragraph(text: str, types: Mapping[str, str]) -> str:
    if section := re.match(r"(\w+)\n-+\n", text):
        rest = text[section.end() :]
        told = _code(rest) if rest.startswith(">>>") else "\n".join(_listed(rest, types))
        return f"*{section[1]}*\n\n{told}"
    return _code(text) if text.startswith(">>>") else text


def _listed(section: str, types: Mapping[str, str]) -> Iterator[str]:
    """What a section names, a line of names and below it, indented, what these are, as a list."""
    for entry in re.split(r"\n(?! )", section):
        names, told = entry.split("\n", maxsplit=1)
        each = [name.strip("`") for name in names.split(", ")]
        shown = ", ".join(f"`{name}: {types[name]}`" if name in types else f"`{name}`" for name in each)
        yield f"- {shown}: {_first_sentence(told)}"


def _code(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _how_to_add() -> str:
    """The section of CONTRIBUTING: a heading for what can be added, and a list of its steps."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    section = text.split("\n## How to add …\n")[1].split("\n## ")[0]
    begun = "ARCHITECTURE, which comes with the source, is a map of the code."
    return "\n\n".join(["# How to add …", begun, *map(_steps, section.strip().split("\n\n"))]) + "\n"


def _steps(paragraph: str) -> str:
    """A paragraph such as "**a metric.** 1. … 2. …" with a line for each step."""
    what, steps = " ".join(paragraph.split()).removeprefix("**").split(".** ", maxsplit=1)
    return f"## {what.capitalize()}\n\n" + _STEP.sub("\n", steps)
