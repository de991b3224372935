"""What is told about files that are no longer what they were: their old results stay, and are marked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from zebra_core.evidence.files import InputFile, InputState
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.wording.texts import grouped, say, visible

OF_INPUTS = frozenset(f"input-{state.value}" for state in InputState)
"""The codes of the remarks that are made here."""

_SHORT_HASH = 12
_LONGEST_PATH = 1000  # characters


def remarks_on_inputs(files: Iterable[InputFile]) -> tuple[Remark, ...]:
    """One remark for each file that is missing or has changed; files packed in one archive share theirs."""
    remarks = {
        (file.path, file.state): _remark(file) for file in files if file.state is not InputState.AS_READ
    }
    return tuple(remarks.values())


def replaced_files(files: Iterable[InputFile]) -> dict[Path, str]:
    """A sentence for each file that has changed, while the bytes that were read were found elsewhere.

    By the places of the files that have changed.
    """
    return {
        file.instead.path: say(
            "input-change.replaced",
            file=file.instead.path.name,
            place=visible(str(file.instead.path), _LONGEST_PATH),
            found=visible(str(file.path), _LONGEST_PATH),
        )
        for file in files
        if file.state is InputState.AS_READ and file.instead and file.instead.path
    }


def _remark(file: InputFile) -> Remark:
    facts: dict[str, object] = {"file": file.path.name, "folder": str(file.path.parent)}
    if file.state is InputState.CHANGED:
        facts["what"] = what_changed(file)
    return Remark(f"input-{file.state.value}", facts, Severity.WARNING)


def what_changed(file: InputFile) -> str:
    """Size, hash and rows as they were and as they are, as far as they differ and are known."""
    now = file.instead
    if now is None:
        return say("input-change.something")
    changes = []
    if now.size != file.size:
        changes.append(say("input-change.size", before=grouped(file.size), now=grouped(now.size)))
    if now.rows is not None and now.rows != file.rows:
        changes.append(say("input-change.rows", before=grouped(file.rows), now=grouped(now.rows)))
    if now.sha256 is not None and now.sha256 != file.sha256:
        before, after = file.sha256[:_SHORT_HASH], now.sha256[:_SHORT_HASH]
        changes.append(say("input-change.sha256", before=before, now=after))
    return ", ".join(changes) or say("input-change.something")
