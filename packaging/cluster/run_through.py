"""The run-through on the page for a cluster: its commands, and the files that it speaks of."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import zebra_resources
from zebra_core.project import demo

_PAGE = "manual/en/for-a-cluster.md"


def commands(engine: str = "") -> list[list[str]]:
    """The arguments of each command, in their order; counting is done by the engine, where one is named."""
    text = zebra_resources.read_text(_PAGE).split("## A run-through\n")[1].split("\n## ")[0]
    found = [shlex.split(line)[1:] for line in re.findall(r"^    (zebra .*)$", text, re.MULTILINE)]
    return [[*line, "--engine", engine] if engine and line[0] == "count" else line for line in found]


def put_files(folder: Path) -> None:
    """The demo under the names of the page."""
    of = {file.name: file.path for file in demo.FILES}
    (folder / "scores").write_bytes(of["B2"].read_bytes())
    (folder / "scores-other").write_bytes(of["B1w"].read_bytes())
    (folder / "trials").write_bytes(zebra_resources.path(demo.KEY).read_bytes())
