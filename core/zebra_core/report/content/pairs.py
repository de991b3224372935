"""Which copies were taken for those of which originals, and what has no partner, as a record says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from zebra_core.recordings.doubtful_copies import Version, doubts
from zebra_core.recordings.pairing_rules import SAME_NAME
from zebra_core.report.content.files import shown, shown_list
from zebra_core.report.document import Block, Bullets, Cell, Run, TableBlock, TableColumn, paragraph
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say

_MOST_ROWS = 200
MOST_NAMES = 40
"""Of a list."""
_DIGITS = 16  # of a hash
_EXAMPLES = 3
UNUSED = ("not-sound", "unread", "closed")
"""Why a file is not even a recording that could be paired."""
_WITHOUT_PARTNER = ("missing", "ambiguous", "extra", "named_otherwise")


def rules_of_pairs(values: Mapping[str, Any]) -> Iterator[str]:
    """How the copies of each safeguard were paired with originals, in sentences."""
    safeguards, known = _safeguards(values), values.get("pairs_by", {})
    by_name = [name for name in safeguards if _is_plain(known.get(name, {}))]
    if by_name:
        yield say("scored.copies", names=in_sentence([shown(one) for one in by_name]))
    yield from (_rule(name, known[name]) for name in safeguards if name not in by_name)


def pairs_of(values: Mapping[str, Any]) -> Iterator[Block]:
    """The pairs whose names differ, and what has no partner."""
    rows, safeguards = values["recordings"], _safeguards(values)
    differing = [
        row for row in rows if any(_differ(row["original"], one) for one in row["protected"].values())
    ]
    if differing and not values["is_coded"]:
        columns = tuple(
            TableColumn(head, is_text=True, share=1.0)
            for head in (say("scored.original"), *(shown(name) for name in safeguards))
        )
        cells = (
            (row["original"], *(row["protected"][name] for name in safeguards))
            for row in islice(differing, _MOST_ROWS)
        )
        table = tuple(tuple(Cell(shown(one["file"])) for one in files) for files in cells)
        yield TableBlock(columns, table, say("scored.pairs-caption"))
        if (more := len(differing) - _MOST_ROWS) > 0:
            yield paragraph(say("scored.pairs-more", count=more))
    if told := [*_without_partner(values), *_unused(values), *_doubts(values)]:
        yield Bullets(tuple((Run(text),) for text in told))


def _safeguards(values: Mapping[str, Any]) -> list[str]:
    """Those that every recording has a copy under."""
    first, *others = (row["protected"] for row in values["recordings"])
    return [name for name in first if all(name in copies for copies in others)]


def _is_plain(by: Mapping[str, Any]) -> bool:
    """Whether copies are called like originals; before there were rules they always were."""
    return not by or by["rule"] == str(SAME_NAME)


def _rule(safeguard: str, by: Mapping[str, Any]) -> str:
    name = shown(safeguard)
    if by["rule"]:
        return say("scored.pairs-rule", safeguard=name, rule=shown(by["rule"]))
    if not by["file"]:
        return say("scored.pairs-unstated", safeguard=name)
    return say(
        "scored.pairs-table", safeguard=name, file=shown(by["file"]), sha256=(by["sha256"] or "")[:_DIGITS]
    )


def _differ(original: Mapping[str, Any], copy: Mapping[str, Any]) -> bool:
    """Whether two files are named differently, whatever their folders and endings."""
    return PurePosixPath(original["file"]).stem != PurePosixPath(copy["file"]).stem


def _without_partner(values: Mapping[str, Any]) -> Iterator[str]:
    for safeguard, by in values.get("pairs_by", {}).items():
        for kind in _WITHOUT_PARTNER:
            if names := by[kind]:
                facts = {"count": len(names), "names": shown_list(names, MOST_NAMES)}
                yield say(f"scored.pairs-{kind.replace('_', '-')}", safeguard=shown(safeguard), **facts)


def _unused(values: Mapping[str, Any]) -> Iterator[str]:
    """Files that are called like sound, sound that is not read, and folders that cannot be opened."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in values.get("left_out_files", []):
        if one["why"] in UNUSED:
            found.setdefault((one["why"], one["safeguard"]), []).append(one["file"])
    for (why, safeguard), names in found.items():
        folder = shown(safeguard) if safeguard else say("scored.originals")
        yield say(f"scored.{why}", count=len(names), folder=folder, names=shown_list(names, MOST_NAMES))


def _doubts(values: Mapping[str, Any]) -> Iterator[str]:
    """What the hashes and lengths of the record say against copies."""
    rows = {row["id"]: row for row in values["recordings"]}
    originals = {name: _version(row["original"]) for name, row in rows.items()}
    protected = {
        safeguard: {name: _version(row["protected"][safeguard]) for name, row in rows.items()}
        for safeguard in _safeguards(values)
    }
    for code, safeguard, names in doubts(originals, protected):
        some = [rows[name] for name in names[:_EXAMPLES]]
        examples = [f"{row['original']['file']} ↔ {row['protected'][safeguard]['file']}" for row in some]
        facts = {"safeguard": shown(safeguard), "examples": shown_list(examples)}
        yield say(f"recordings.{code}", count=len(names), names=shown_list(names, MOST_NAMES), **facts)


def _version(file: Mapping[str, Any]) -> Version:
    return file["sha256"], file["seconds"]
