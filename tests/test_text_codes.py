"""Every text has a reader, and every code that is said has a text."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from zebra_core.wording.texts import _section, _unread_sections, knows

ROOT = Path(__file__).parents[1]
SECTIONS = {
    "say": "",
    "InputError": "input.",
    "OutputError": "output.",
    "Remark": "remark.",
    "Finding": "finding.",
}


def sources() -> Iterator[Path]:
    for folder in ("core", "zebra_gui", "packaging"):
        yield from (
            path
            for path in sorted((ROOT / folder).rglob("*.py"))
            if "names" not in path.relative_to(ROOT).parts
        )


@cache
def parsed() -> tuple[ast.AST, ...]:
    return tuple(node for path in sources() for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def literals() -> frozenset[str]:
    """Every string in the program, and every word of its templates."""
    found = {
        node.value for node in parsed() if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for path in (ROOT / "resources").rglob("*"):
        if path.suffix in {".tex", ".typ", ".json", ".toml"} and "texts" not in path.parts:
            found |= set(re.findall(r"[\w.-]+", path.read_text(encoding="utf-8")))
    # Some are called after a field of a dataclass or a member of an enumeration.
    names = (node.target for node in parsed() if isinstance(node, ast.AnnAssign))
    members = (target for node in parsed() if isinstance(node, ast.Assign) for target in node.targets)
    found |= {one.id.lower() for one in (*names, *members) if isinstance(one, ast.Name)}
    return frozenset(found)


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """Every f-string that says anything, as what it may become."""
    made = {
        "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.+)" for part in node.values
        )
        for node in parsed()
        if isinstance(node, ast.JoinedStr)
    }
    made |= {
        f"(.+){re.escape(node.right.value)}"
        for node in parsed()
        if isinstance(node, ast.BinOp)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, str)
    }
    return tuple(re.compile(one) for one in sorted(made) if re.sub(r"\(\.\+\)", "", one).strip(" .:,"))


def is_written(word: str, depth: int = 2) -> bool:
    """Whether a string stands in the program, as it is or put together of strings that do."""
    if word in literals() or word.replace("-", "_") in literals() or word.isdigit():
        return True
    return depth > 0 and any(
        all(is_written(part, depth - 1) for part in found.groups())
        for pattern in patterns()
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
    said = [pattern for pattern in patterns() if re.match(r"\w+\\\..*-one$", pattern.pattern)]
    assert "listening.missing-one" in forms
    assert [form for form in forms if {form, form.partition(".")[2]} & literals()] == []
    assert [form for form in forms if any(pattern.fullmatch(form) for pattern in said)] == []


def test_every_text_has_a_reader() -> None:
    read_by_its_words = (
        "click"  # compared with what click says in tests/zebra_gui/language/test_click_words.py
    )
    sections = [section for section in _unread_sections() if section != read_by_its_words]
    codes = [f"{section}.{name}" for section in sections for name in _section(section)]
    assert [code for code in codes if not has_reader(code)] == []


def test_every_code_that_is_said_has_a_text() -> None:
    lacking = []
    for node in parsed():
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        code = node.args[0]
        if name in SECTIONS and isinstance(code, ast.Constant):
            given = [one.value.value for one in node.keywords if one.arg == "section"]  # type: ignore[attr-defined]
            full = (f"{given[0]}." if given else SECTIONS[name]) + code.value
            lacking += [] if knows(full) or knows(f"{full}-one") else [full]
    assert lacking == []
