"""Which files the figures rest on, and what is called of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from zebra_core.evidence.files import InputFile, distinguishing_names
from zebra_core.project.items import Item
from zebra_core.project.satellites import Study
from zebra_core.report.content.values import ExaminedFile
from zebra_core.wording.names import MOST_NAMES, listed
from zebra_core.wording.texts import grouped, knows, list_as_said, say, visible


def shown(text: str) -> str:
    """Foreign text as a report shows it: whole, on one line, nothing invisible."""
    return visible(text, sys.maxsize)


def shown_list(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names as `listed` lists them, each as `shown` shows it."""
    return listed(names, most, sys.maxsize)


def distinct_files(items: Sequence[Item], studies: Sequence[Study] = ()) -> list[InputFile]:
    """Every file that the items rest on, once, in the order of the items; then those of studies."""
    of_each = [*(item.files for item in items), *(one.files for one in studies)]
    return list(dict.fromkeys(file for files in of_each for file in files))


def examined_files(files: Sequence[InputFile]) -> tuple[ExaminedFile, ...]:
    """The files as the report lists them."""
    names = _brief(distinguishing_names([file.path for file in files]))
    return tuple(
        ExaminedFile(
            number=str(number),
            file=shown(f"{name} › {file.member}" if file.member else name),
            role=_role(file.role),
            rows=grouped(file.rows),
            size=grouped(file.size),
            sha256=file.sha256,
            dialect=shown(list_as_said(file.dialect, "dialect")),
        )
        for number, (file, name) in enumerate(zip(files, names, strict=True), start=1)
    )


def _role(role: str) -> str:
    code = f"file-role.{role}"
    return say(code) if knows(code) else shown(role)


def _brief(names: Sequence[str]) -> Sequence[str]:
    """The names with the folders in the middle left out, as long as that leaves them distinct."""
    brief = [f"{parts[0]}/…/{parts[-1]}" if len(parts := name.split("/")) > 2 else name for name in names]
    return brief if len(set(brief)) == len(set(names)) else names
