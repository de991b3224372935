"""Which pages of the manual are translated, and of which English: what `make languages` says of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from english import ROOT

from zebra_gui.manual.book import in_short

MANUAL = ROOT / "resources" / "zebra_resources" / "manual"
RECORD = Path(__file__).with_suffix(".json")
"""The hash of the English page that each page was translated from, by language and name."""

_LENGTH = 16  # of a hash: enough to tell one state of a page from another


def pages(code: str) -> list[str]:
    """The pages that are there in this language, by their names."""
    folder = MANUAL / code
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md"))


def outdated(code: str) -> Iterator[str]:
    """The pages whose English has changed since, or that nobody has said to be translated from it."""
    known = _record().get(code, {})
    yield from (name for name in pages(code) if known.get(name) != _hash(name))


def renew(code: str, name: str) -> None:
    """Write down that a page says what the English one says today."""
    record = _record()
    there = {one: made_of for one, made_of in record.get(code, {}).items() if one in pages(code)}
    record[code] = {**there, name: _hash(name)}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _record() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    return found


def _hash(name: str) -> str:
    english = in_short((MANUAL / "en" / f"{name}.md").read_text(encoding="utf-8"))
    return hashlib.sha256(english.encode()).hexdigest()[:_LENGTH]
