"""Names that need no key: one class name has one meaning, and words are those that CONTRIBUTING decrees."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [file for part in ("core", "zebra_gui") for file in sorted((ROOT / part).rglob("*.py"))]
ENGLISH = [
    ROOT / "resources" / "zebra_resources" / "texts" / "en.toml",
    *sorted((ROOT / "resources" / "zebra_resources" / "manual" / "en").rglob("*.md")),
    *sorted(ROOT.glob("*.md")),
]
# What ends like a participle and is a thing: exceptions keep their ending, and the field's nouns theirs.
THINGS = frozenset(
    {"Cancelled", "Ceiling", "Encoding", "Finding", "Heading", "Lettering", "Pairing", "Pooling"}
)
THINGS |= frozenset({"Ranking", "Reading", "Recording"})
PARTICLES = frozenset(
    {"Few", "Again", "Beside", "Instead", "Told", "Heard", "Found", "Made", "Given", "Drawn"}
)
PARTICLES |= frozenset({"Seen", "Said", "Who", "Here", "Apart", "Better", "Other", "Others", "Known", "Left"})


@cache
def definitions() -> list[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """Every class and function, with its file: parsed once."""
    return [
        (str(file.relative_to(ROOT)), node)
        for file in SOURCES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]


def classes() -> dict[str, list[str]]:
    """In which files there is a class of a name."""
    found = defaultdict(list)
    for file, node in definitions():
        if isinstance(node, ast.ClassDef):
            found[node.name].append(file)
    return found


def test_a_class_name_has_one_meaning():
    assert len(classes()) > 700
    assert {name: files for name, files in classes().items() if len(files) > 1} == {}


def test_no_class_is_called_by_a_bare_participle_or_particle():
    bare = {name for name in classes() if is_bare(name.lstrip("_"))}
    assert bare == set()


def is_bare(name: str) -> bool:
    return name in PARTICLES or (bool(re.fullmatch(r"[A-Z][a-z]+(ed|ing)", name)) and name not in THINGS)


def test_bare_names_would_be_found():
    assert all(map(is_bare, ("Told", "Few", "Settled", "Measuring")))
    assert not any(map(is_bare, ("SettledGroups", "Ranking", "Interval")))


def test_no_function_is_called_told():
    told = [
        f"{file}:{node.lineno}"
        for file, node in definitions()
        if isinstance(node, ast.FunctionDef) and node.name in {"told", "_told"}
    ]
    assert told == []


def test_whoever_attacks_is_an_attacker_and_people_are_they():
    """The rule itself, in CONTRIBUTING, names the words that it rules out."""
    ruled_out = re.compile(r"adversar|\b(?:he|she|his|hers?|him|himself|herself)\b", re.IGNORECASE)
    said = {
        f"{file.relative_to(ROOT)}:{number}": line.strip()
        for file in (*SOURCES, *ENGLISH)
        if file.name != "CONTRIBUTING.md"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if ruled_out.search(line)
    }
    assert said == {}
