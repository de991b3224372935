"""The notebooks that come along: run in one process, and their outputs renewed.

notebooks.py    run each notebook of zebra_resources/manual/notebooks, and write what its cells show into it
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import zebra_resources

NAMES = ("arrays", "paper", "folder", "own-metric")

Cell = dict[str, Any]


def notebook(name: str) -> dict[str, Any]:
    """One of them, as Jupyter keeps it."""
    found: dict[str, Any] = json.loads(zebra_resources.read_text(f"manual/notebooks/{name}.ipynb"))
    return found


def title(name: str) -> str:
    """What its first cell is headed with."""
    return str(source(notebook(name)["cells"][0]).splitlines()[0].removeprefix("# "))


def source(cell: Cell) -> str:
    """What stands in a cell."""
    return "".join(cell["source"])


def shown(cell: Cell) -> str:
    """What stands below a cell."""
    return "".join(
        "".join(one.get("text", one.get("data", {}).get("text/plain", ""))) for one in cell["outputs"]
    )


def run(found: dict[str, Any]) -> Iterator[tuple[Cell, str]]:
    """Each cell of code with what it shows: what it prints, and the value of its last line."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in found["cells"]:
        if cell["cell_type"] == "code":
            yield cell, _run(source(cell), names)


def _run(code: str, names: dict[str, Any]) -> str:
    parsed = ast.parse(code)
    last = parsed.body.pop() if parsed.body and isinstance(parsed.body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(parsed, "<cell>", "exec"), names)  # noqa: S102 - the notebooks are ours
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def as_markdown(name: str) -> str:
    """A notebook as a page of the manual."""
    parts = []
    for cell in notebook(name)["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(source(cell))
        else:
            parts.append(f"```python\n{source(cell)}\n```")
            if output := shown(cell):
                parts += ["It shows:", f"```text\n{output.rstrip()}\n```"]
    told = f'This is the notebook `{name}.ipynb`, in the folder `zebra_resources.path("manual/notebooks")`.'
    return "\n\n".join([parts[0], told, *parts[1:]]) + "\n"


def main() -> None:
    """Run all of them, and keep what they show."""
    for name in NAMES:
        found = notebook(name)
        for number, (cell, output) in enumerate(run(found), start=1):
            cell["execution_count"] = number
            text = output.splitlines(keepends=True)
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        path = zebra_resources.path(f"manual/notebooks/{name}.ipynb")
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
