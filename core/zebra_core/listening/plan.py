"""The experimenter's plan: what each item of each listener is. It stays with whoever makes the test."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.access import read_bounded
from zebra_core.listening.items import Fields, ItemPurpose, ItemTask, ListeningItem, Stimulus
from zebra_core.listening.package import HeardItem
from zebra_core.version import VERSION

NAME = "listening-plan.json"
FORMAT = 1
_MOST_BYTES = 256 << 20
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class ListenerPlan:
    """What one listener hears, in order; `package_sha256` is that of the file the listener gets."""

    code: str
    items: tuple[ListeningItem, ...]
    package_sha256: str = ""


@dataclass(frozen=True)
class ListeningPlan:
    """A whole test."""

    id: str
    title: str
    seed: int
    safeguards: tuple[str, ...]  # the conditions, UNPROTECTED among them where it is judged as well
    enrol_protected: bool
    introduction_sha256: str
    consent_sha256: str
    speaker: Mapping[str, str]  # of each recording
    recordings: Mapping[str, Mapping[str, str]]  # the SHA-256 of the files, by recording and safeguard
    listeners: tuple[ListenerPlan, ...]

    def of(self, code: str) -> ListenerPlan | None:
        """The plan of a listener, or None."""
        return next((one for one in self.listeners if one.code == code), None)


def id_of(plan: ListeningPlan) -> str:
    """What tells one test from another: a hash of all that the plan says but for the hashes of packages.

    These have the id inside, and are bound by the answers.
    """
    content = {
        **_as_json(plan),
        "listeners": [[one.code, *map(_item_as_json, one.items)] for one in plan.listeners],
    }
    written = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return sha256(written.encode()).hexdigest()[:32]


def plan_as_json(plan: ListeningPlan) -> bytes:
    """What `read_plan` reads."""
    content = {
        "format": FORMAT,
        "zebra": VERSION,
        "test": plan.id,
        **_as_json(plan),
        "listeners": [
            {
                "code": one.code,
                "package_sha256": one.package_sha256,
                "items": [_item_as_json(item) for item in one.items],
            }
            for one in plan.listeners
        ],
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def read_plan(path: Path) -> ListeningPlan:
    """A plan as it was written. Raises InputError for a file that is none, or whose id is not `id_of` it."""
    too_large = InputError("listening-too-large", file=path.name, most=1)
    found = Fields.of(path.name, read_bounded(path, _MOST_BYTES, too_large))
    if found.whole("format", 1, 1 << 20) != FORMAT:
        raise InputError("listening-newer", file=path.name)
    recordings = found.objects("recordings")
    names = [row.text("id") for row in recordings]
    listeners = tuple(_listener(row, set(names)) for row in found.objects("listeners"))
    if len(set(names)) < len(names):
        found.refuse("recordings")
    if not listeners or len({one.code for one in listeners}) < len(listeners):
        found.refuse("listeners")
    plan = ListeningPlan(
        found.text("test"),
        found.text("title", may_be_empty=True),
        found.whole("seed", 0, 1 << 62),
        tuple(_may_be_empty(found, row) for row in found.rows("safeguards")),
        found.yes("enrol_protected"),
        _hash(found, "introduction_sha256"),
        _hash(found, "consent_sha256"),
        {row.text("id"): row.text("speaker") for row in recordings},
        {row.text("id"): _hashes(row) for row in recordings},
        listeners,
    )
    if plan.id != id_of(plan):
        raise InputError("listening-plan-altered", file=path.name)
    return plan


def as_heard(item: ListeningItem, names: Mapping[Stimulus, str]) -> HeardItem:
    """An item as its listener knows it."""
    return HeardItem(item.id, item.question, tuple(names[one] for one in item.stimuli))


def names_of(items: Sequence[ListeningItem]) -> dict[Stimulus, str]:
    """The names of recordings in a listener's file, in the order in which they are first heard."""
    heard = dict.fromkeys(one for item in items for one in item.stimuli)
    return {one: f"s{number:04}" for number, one in enumerate(heard, start=1)}


def _as_json(plan: ListeningPlan) -> dict[str, object]:
    """What is the same for all listeners."""
    return {
        "title": plan.title,
        "seed": plan.seed,
        "safeguards": list(plan.safeguards),
        "enrol_protected": plan.enrol_protected,
        "introduction_sha256": plan.introduction_sha256,
        "consent_sha256": plan.consent_sha256,
        "recordings": [
            {"id": name, "speaker": plan.speaker[name], "sha256": dict(of)}
            for name, of in plan.recordings.items()
        ],
    }


def _listener(row: Fields, names: set[str]) -> ListenerPlan:
    items = tuple(_item(one, names) for one in row.objects("items"))
    if len({item.id for item in items}) < len(items):
        row.refuse("items")
    return ListenerPlan(row.text("code"), items, row.text("package_sha256"))


def _item_as_json(item: ListeningItem) -> dict[str, object]:
    return {
        "id": item.id,
        "question": item.question.value,
        "kind": item.kind.value,
        "safeguard": item.safeguard,
        "recordings": [[one.recording, one.safeguard] for one in item.stimuli],
        "canvas": item.canvas,
        "of": item.of,
    }


def _item(row: Fields, names: set[str]) -> ListeningItem:
    asked, kind = row.text("question"), row.text("kind")
    if asked not in {one.value for one in ItemTask}:
        row.refuse("question")
    if kind not in {one.value for one in ItemPurpose}:
        row.refuse("kind")
    stimuli = []
    for pair in row.rows("recordings"):
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or not all(isinstance(name, str) for name in pair)
            or pair[0] not in names
        ):
            row.refuse("recordings")
        stimuli.append(Stimulus(pair[0], pair[1]))
    if not ItemTask(asked).takes(len(stimuli)):
        row.refuse("recordings")
    canvas = None if row.found.get("canvas") is None else row.whole("canvas", 0, 10_000)
    of = row.text("of", may_be_empty=True)
    safeguard = row.text("safeguard", may_be_empty=True)
    return ListeningItem(
        row.text("id"), ItemTask(asked), ItemPurpose(kind), tuple(stimuli), safeguard, canvas, of
    )


def _hash(found: Fields, name: str) -> str:
    value = found.text(name)
    if not _SHA256.fullmatch(value):
        found.refuse(name)
    return value


def _hashes(row: Fields) -> dict[str, str]:
    found = row.object("sha256")
    return {name: found.text(name) for name in found.found}


def _may_be_empty(found: Fields, row: object) -> str:
    if not isinstance(row, str):
        found.refuse("safeguards")
    return row
