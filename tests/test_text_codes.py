"""Every text has a reader, and every code that is said has a text."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from zebra_core.wording.texts import _section, _unread_sections, knows

ROOT = Path(__file__).parents[1]
SECTIONS = {
    "say": "",
    "InputError": "input.",
    "OutputError": "output.",
    "Remark": "remark.",
    "Finding": "finding.",
}
GIVEN_BY_NAME = {"say", "InputError", "OutputError"}


def sources() -> Iterator[Path]:
    for folder in ("core", "zebra_gui", "packaging"):
        yield from (
            path
            for path in sorted((ROOT / folder).rglob("*.py"))
            if "names" not in path.relative_to(ROOT).parts
        )


class Written(NamedTuple):
    """What stands in the program that may be, or may name, the code of a text."""

    literals: frozenset[str]  # every string, and every word of the templates
    patterns: tuple[re.Pattern[str], ...]  # every f-string that says anything, as what it may become
    said: frozenset[str]  # the codes that are said outright
    lacking: frozenset[str]  # what those are not given that their sentences have a place for


@cache
def written() -> Written:
    """Of all files, each parsed once; no tree is kept, for who looks for garbage would look through it."""
    literals, made, said, lacking = words_of_templates(), set[str](), set[str](), set[str]()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    literals.add(text)
                # Some are called after a field of a dataclass or a member of an enumeration.
                case ast.AnnAssign(target=ast.Name(id=name)):
                    literals.add(name.lower())
                case ast.Assign(targets=targets):
                    literals |= {one.id.lower() for one in targets if isinstance(one, ast.Name)}
                case ast.JoinedStr(values=parts):
                    made.add(
                        "".join(
                            re.escape(str(one.value)) if isinstance(one, ast.Constant) else "(.+)"
                            for one in parts
                        )
                    )
                case ast.BinOp(right=ast.Constant(value=str(text))):
                    made.add(f"(.+){re.escape(text)}")
                case ast.Call(args=[ast.Constant() as code, *_]):
                    for found in code_said(node, code):
                        said.add(found)
                        lacking |= {
                            f"{path.name}: {found} lacks {fact}" for fact in facts_lacking(node, found)
                        }
    patterns = (re.compile(one) for one in sorted(made) if re.sub(r"\(\.\+\)", "", one).strip(" .:,"))
    return Written(frozenset(literals), tuple(patterns), frozenset(said), frozenset(lacking))


def words_of_templates() -> set[str]:
    found = set[str]()
    for path in (ROOT / "resources" / "zebra_resources").rglob("*"):
        if path.suffix in {".tex", ".typ", ".json", ".toml"} and "texts" not in path.parts:
            found |= set(re.findall(r"[\w.-]+", path.read_text(encoding="utf-8")))
    return found


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def code_said(call: ast.Call, first: ast.Constant) -> Iterator[str]:
    """The code, with its section, of a call that says one."""
    name = called(call)
    if name in SECTIONS:
        given = [one.value.value for one in call.keywords if one.arg == "section"]  # type: ignore[attr-defined]
        yield (f"{given[0]}." if given else SECTIONS[name]) + first.value


def facts_lacking(call: ast.Call, code: str) -> set[str]:
    """The facts that the sentence has a place for and that are not given; those handed on may be anything."""
    given = {one.arg for one in call.keywords}
    if called(call) not in GIVEN_BY_NAME or None in given:
        return set()
    section, _, name = code.partition(".")
    texts = [_section(section).get(form, "") for form in (name, f"{name}-one")]
    return {fact for text in texts for _, fact, _, _ in string.Formatter().parse(text) if fact} - given


def is_written(word: str, depth: int = 2) -> bool:
    """Whether a string stands in the program, as it is or put together of strings that do."""
    literals = written().literals
    if word in literals or word.replace("-", "_") in literals or word.isdigit():
        return True
    return depth > 0 and any(
        all(is_written(part, depth - 1) for part in found.groups())
        for pattern in written().patterns
        if (found := pattern.fullmatch(word))
    )


def has_reader(code: str) -> bool:
    return is_written(code) or (code.endswith("-one") and is_written(code.removesuffix("-one")))


def test_no_code_says_the_form_for_one_of_another_text_for_that_is_english_in_every_language() -> None:
    forms = [
        code
        for section in _unread_sections()
        for name in _section(section)
        if (code := f"{section}.{name}").endswith("-one") and knows(code.removesuffix("-one"))
    ]
    said = [pattern for pattern in written().patterns if re.match(r"\w+\\\..*-one$", pattern.pattern)]
    assert "listening.missing-one" in forms
    assert [form for form in forms if {form, form.partition(".")[2]} & written().literals] == []
    assert [form for form in forms if any(pattern.fullmatch(form) for pattern in said)] == []


def test_every_text_has_a_reader() -> None:
    read_by_its_words = (
        "click"  # compared with what click says in tests/zebra_gui/language/test_click_words.py
    )
    sections = [section for section in _unread_sections() if section != read_by_its_words]
    codes = [f"{section}.{name}" for section in sections for name in _section(section)]
    assert [code for code in codes if not has_reader(code)] == []


def test_every_code_that_is_said_has_a_text() -> None:
    said = written().said
    assert len(said) > 1000
    assert [code for code in sorted(said) if not (knows(code) or knows(f"{code}-one"))] == []


def test_every_code_that_is_said_has_the_facts_of_its_sentence() -> None:
    """Otherwise what should be told would end as a fault of the program."""
    assert sorted(written().lacking) == []


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        ('InputError("score-not-a-number", file=name)', {"line", "found"}),
        ('InputError("score-not-a-number", file=name, line=1, found="x")', set()),
        ('InputError("score-not-a-number", **facts)', set()),
        ('say("listening.missing")', {"count", "of"}),
    ],
)
def test_a_code_with_the_facts_of_another_is_found(said: str, lacking: set[str]) -> None:
    call = ast.parse(said, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.args[0], ast.Constant)
    [code] = code_said(call, call.args[0])
    assert facts_lacking(call, code) == lacking
