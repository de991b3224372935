"""What the experimenter asks for, in a TOML file: recordings, questions, numbers and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from zebra_core.errors import InputError
from zebra_core.files.toml_file import TomlFile, read_toml
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_core.recordings.pairing_rules import PairingSource, PairingTable, rule_or_table
from zebra_core.recordings.speakers import SpeakerSource, rule_or_file
from zebra_core.wording.names import alternatives

LONGEST_TEXT = 20_000
_TEXTS = ("title", "introduction", "consent")
_TOP = (
    *_TEXTS,
    "original",
    "protected",
    "speakers",
    "pairs",
    "sex",
    "channel",
    "listeners",
    "seed",
    "unprotected",
    *(asked.value for asked in ItemTask),
)
_OF_EACH = ("items", "anchors", "repeats", "low", "high")
_KEYS = {
    ItemTask.SAME: (*_OF_EACH, "same_share", "enrolment"),
    ItemTask.PLACEMENT: (*_OF_EACH, "speakers", "recordings"),
    ItemTask.INTELLIGIBILITY: _OF_EACH,
    ItemTask.NATURALNESS: _OF_EACH,
}


@dataclass(frozen=True)
class ListeningRequest:
    """A test as it was asked for. Paths are those in the file, from where the file is."""

    title: str
    introduction: str
    consent: str
    original: Path
    protected: Mapping[str, Path]
    speakers: SpeakerSource
    listeners: int
    seed: int
    wanted: tuple[QuestionDesign, ...]
    scales: Mapping[ItemTask, tuple[str, str]]  # what 1 and 10 mean; empty where the program says it
    sex: Path | None = None
    channel: int | None = None
    unprotected: bool = True  # whether unprotected speech is judged as well, beside the anchors
    pairs: tuple[PairingSource, ...] = ()  # how copies belong to originals, where their names differ


def read_request(path: Path) -> ListeningRequest:
    """Read the file. Raises InputError with file and line."""
    file = _File(path, read_toml(path, no_toml="case-not-toml", too_large="case-too-large"))
    values = file.toml.values
    for name in values:
        if name not in _TOP:
            file.refuse(name, "listening-key", known=", ".join(_TOP))
    texts = {name: file.text(values, name, "") for name in _TEXTS}
    protected = file.table(values, "protected")
    for name in ("original", "speakers", "introduction", "consent"):
        if name not in values:
            file.refuse(name, "listening-missing")
    wanted, scales = [], {}
    for asked in ItemTask:
        if asked.value in values:
            table = file.table(values, asked.value)
            wanted.append(_wanted(file, asked, table))
            words = file.text(table, "low", ""), file.text(table, "high", "")
            if all(words):
                scales[asked] = words
    if not wanted:
        file.refuse(
            ItemTask.SAME.value,
            "listening-no-question",
            known=alternatives([each.value for each in ItemTask]),
        )
    speakers = rule_or_file(file.text(values, "speakers"))
    return ListeningRequest(
        texts["title"],
        texts["introduction"],
        texts["consent"],
        path.parent / file.text(values, "original"),
        {str(name): path.parent / file.text(protected, name) for name in protected},
        path.parent / speakers if isinstance(speakers, Path) else speakers,
        file.whole(values, "listeners", 12),
        file.whole(values, "seed", 0),
        tuple(wanted),
        scales,
        path.parent / file.text(values, "sex") if "sex" in values else None,
        file.whole(values, "channel", 1) if "channel" in values else None,
        file.yes(values, "unprotected"),
        (_pairs(path.parent, file.text(values, "pairs")),) if "pairs" in values else (),
    )


def _pairs(folder: Path, text: str) -> PairingSource:
    source = rule_or_table(text)
    return PairingTable(folder / source.path) if isinstance(source, PairingTable) else source


def _wanted(file: _File, asked: ItemTask, table: Mapping[str, Any]) -> QuestionDesign:
    for name in table:
        if name not in _KEYS[asked]:
            file.refuse(name, "listening-key", known=", ".join(_KEYS[asked]))
    if "items" not in table:
        file.refuse(asked.value, "listening-missing", found=f"{asked.value}.items")
    usual = QuestionDesign(asked, 0)
    side = file.text(table, "enrolment", "original")
    if side not in ("original", "protected"):
        file.refuse("enrolment", "listening-enrolment", value=side)
    return QuestionDesign(
        asked,
        file.whole(table, "items"),
        file.whole(table, "anchors", 0),
        file.whole(table, "repeats", 0),
        file.share(table, "same_share", usual.same_share),
        side == "protected",
        file.whole(table, "speakers", usual.speakers),
        file.whole(table, "recordings", usual.recordings),
    )


@dataclass(frozen=True)
class _File:
    """The file, whose values are asked for one by one."""

    path: Path
    toml: TomlFile

    def text(self, table: Mapping[str, Any], name: str, usual: str | None = None) -> str:
        value = table.get(name, usual)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(name, "listening-no-text", most=LONGEST_TEXT)
        return value

    def whole(self, table: Mapping[str, Any], name: str, usual: int | None = None) -> int:
        value = table.get(name, usual)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
            self.refuse(name, "listening-no-number")
        return value

    def share(self, table: Mapping[str, Any], name: str, usual: float) -> float:
        value = table.get(name, usual)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
            self.refuse(name, "listening-no-share")
        return float(value)

    def yes(self, table: Mapping[str, Any], name: str) -> bool:
        value = table.get(name, True)
        if not isinstance(value, bool):
            self.refuse(name, "listening-no-truth")
        return value

    def table(self, table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = table.get(name, {})
        if not isinstance(value, dict):
            self.refuse(name, "listening-no-table")
        return value

    def refuse(self, name: str, code: str, **facts: object) -> NoReturn:
        line = self.toml.lines.of_key(name)
        raise InputError(code, **{"file": self.path.name, "line": line, "found": name, **facts})
