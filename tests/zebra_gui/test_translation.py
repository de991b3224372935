"""Every text can be translated: what is inside tr() is a literal, which is what the extractor finds."""

import ast
from pathlib import Path

import pytest

import zebra_gui

MODULES = sorted(Path(zebra_gui.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_literals_are_translated(path):
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    texts = [call.args for call in calls if _name(call) in ("tr", "translate")]

    assert all(isinstance(arg, ast.Constant) and isinstance(arg.value, str) for args in texts for arg in args)


def _name(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
