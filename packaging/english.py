"""Every text that can be translated: of the core out of resources, of the window out of its code."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ROOT / "resources" / "zebra_resources" / "texts"
WINDOW = "window."
_LINE = re.compile(r"^(?:\[(?P<section>.+)\]|(?P<name>[\w.-]+) = |# ?(?P<comment>.*)|(?P<blank>))")


class Text(NamedTuple):
    """An English text: where it is said, its form for one if it has one, what a translator should know."""

    context: str
    english: str
    one: str | None = None
    comment: str = ""
    file: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """As a catalogue has it."""
        return self.english if self.one is None else (self.one, self.english)

    @property
    def key(self) -> tuple[str, str]:
        """What a catalogue finds it by."""
        return self.context, self.english if self.one is None else self.one


def core_texts(source: str | None = None) -> Iterator[Text]:
    """Every text of the core, in the order of the file, with the comment above it or above its section.

    Raises ValueError for a form for one beside a text without numbers: the two are called alike by mistake,
    and no translation of the one would ever be said.
    """
    source = (TEXTS / "en.toml").read_text(encoding="utf-8") if source is None else source
    comments = _comments(source)
    for section, texts in tomllib.loads(source).items():
        for name, english in texts.items():
            code, one = f"{section}.{name}", texts.get(f"{name}-one")
            if one is not None and "{" not in english:
                raise ValueError(f"{code} is said of no number: {code}-one needs another name")
            if english and not (name.endswith("-one") and name.removesuffix("-one") in texts):
                yield Text(code, english, one, " ".join(filter(None, (comments[section], comments[code]))))


def window_texts(folder: Path = ROOT / "zebra_gui") -> Iterator[Text]:
    """Every text of the window, file by file, each context and text once."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(folder.rglob("*.py")):
        for text in texts_in(path.read_text(encoding="utf-8"), path.relative_to(folder.parent).as_posix()):
            if text.key not in seen:
                seen.add(text.key)
                yield text


def texts_in(source: str, file: str) -> Iterator[Text]:
    """The texts in a file of the window. Raises ValueError where one could be seen only by running it."""
    found = _Finder(file)
    found.visit(ast.parse(source))
    yield from found.texts


class _Finder(ast.NodeVisitor):
    """self.tr("text"), translate("Class", "text"), for_count("Class", "1 file", "{count} files", n)."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.texts: list[Text] = []
        self._classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The class is the context of what its methods say."""
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        """A call that says something."""
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "tr" and isinstance(node.func, ast.Attribute):
            if ast.unparse(node.func.value) != "self" or not self._classes:
                raise ValueError(f"{self._at(node)}: tr() of something else than self; take translate()")
            self._add(self._classes[-1], *self._literals(node, node.args[:1]))
        elif name == "translate" and ast.unparse(node.func) in ("translate", "QCoreApplication.translate"):
            self._add(*self._literals(node, node.args[:2]))
        elif name == "for_count":
            context, one, several = self._literals(node, node.args[:3])
            self._add(context, several, one)

    def _add(self, context: str, english: str, one: str | None = None) -> None:
        self.texts.append(Text(WINDOW + context, english, one, file=self.file))

    def _literals(self, node: ast.Call, arguments: Sequence[ast.expr]) -> list[str]:
        values = [each.value for each in arguments if isinstance(each, ast.Constant)]
        if len(values) != len(arguments) or not all(isinstance(each, str) for each in values):
            raise ValueError(f"{self._at(node)}: {ast.unparse(node)} is not of plain texts")
        return [str(each) for each in values]

    def _at(self, node: ast.Call) -> str:
        return f"{self.file}:{node.lineno}"


def _comments(source: str) -> dict[str, str]:
    """What the lines that begin with # say, by the section or the text that follows them."""
    found: dict[str, str] = defaultdict(str)
    section, said = "", []
    for line in source.splitlines():
        match = _LINE.match(line)
        if match is None or match["blank"] is not None:
            said = []
        elif match["comment"] is not None:
            said.append(match["comment"])
        else:
            section = match["section"] or section
            found[section if match["section"] else f"{section}.{match['name']}"] = " ".join(said)
            said = []
    return found
