"""Plain values against types: what is refused, and which place is named."""

import math
from enum import Enum
from types import SimpleNamespace
from typing import Literal

import numpy as np
import pytest
from msgspec import UNSET

from zebra_core.evidence.value_types import (
    Amount,
    Count,
    array_of,
    as_json,
    fault,
    json_object,
    json_schema,
    map_of,
    note,
    nullable,
    numbers,
    object_as_json,
    open_object,
    optional,
)

FILE = json_object("File", size=Count, kind=Literal["a", "b", None], seconds=optional(Amount))
WHOLE = json_object(
    "Whole",
    files=array_of(FILE),
    by_name=map_of(note(nullable(map_of(FILE)), "of each safeguard")),
    pairs=optional(list[tuple[str, str]]),
    rates=numbers("Rates", "eer"),
    rest=open_object("Rest", count=int),
)
LETTERS = Enum("LETTERS", {"A": "a"})


def whole(**changes: object) -> dict[str, object]:
    return {"files": [], "by_name": {}, "rates": {"eer": None}, "rest": {"count": 1, "more": []}, **changes}


@pytest.mark.parametrize(
    "value",
    [
        whole(),
        whole(files=[{"size": 0, "kind": None}, {"size": 10**30, "kind": "b", "seconds": 1}]),
        whole(by_name={"": None, "B1": {"a.b": {"size": 1, "kind": "a", "seconds": 0.5}}}),
        whole(pairs=[["\udc80", "b"]], rates={"eer": 1}),
    ],
)
def test_what_is_as_its_type_says_has_no_fault(value: object):
    assert fault(value, WHOLE) is None


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ([], "."),
        ({}, "files"),
        (whole(more=1), "more"),
        (whole(files={}), "files"),
        (whole(files=[{"size": 0, "kind": None}, {"kind": "a"}]), "files[1].size"),
        (whole(files=[{"size": -1, "kind": "a"}]), "files[0].size"),
        (whole(files=[{"size": True, "kind": "a"}]), "files[0].size"),
        (whole(files=[{"size": 1.0, "kind": "a"}]), "files[0].size"),
        (whole(files=[{"size": 1, "kind": "c"}]), "files[0].kind"),
        (whole(files=[{"size": 1, "kind": "a", "seconds": None}]), "files[0].seconds"),
        (whole(by_name={"x": None, "B1": {"a.b": {"size": 1, "kind": 1}}}), "by_name.B1.a.b.kind"),
        (whole(by_name={"x": None, "B1": {"a": {"size": 1, "kind": "a", "of": 1}}}), "by_name.B1.a.of"),
        (whole(by_name={"B1": 1}), "by_name.B1"),
        (whole(pairs=[["a"]]), "pairs[0]"),
        (whole(pairs=[["a", 1]]), "pairs[0][1]"),
        (whole(rates={}), "rates.eer"),
        (whole(rest={"count": "1"}), "rest.count"),
    ],
)
def test_a_fault_is_told_by_its_place(value: object, at: str):
    assert fault(value, WHOLE) == at


@pytest.mark.parametrize(
    "key", ["x - at `$.q", "x` - at `$.files[7].size", "x - at `$.files[...]", "`", "\n"]
)
def test_a_field_cannot_pass_for_a_place(key: str):
    assert fault(whole(**{key: 1}), WHOLE) is not None
    assert fault(whole(by_name={"B1": {key: {"size": 1, "kind": "a", key: 1}}}), WHOLE) is not None


def test_half_a_character_is_refused_where_only_words_may_be():
    assert fault(whole(files=[{"size": 1, "kind": "\udc80"}]), WHOLE) == "files[0].kind"
    assert fault(whole(**{"\udc80": 1}), WHOLE) == "?"


def test_it_is_made_of_what_has_its_fields():
    source = SimpleNamespace(size=3, kind="a", seconds=math.nan, more=1)
    assert object_as_json(FILE, source, size=4) == {"size": 4, "kind": "a", "seconds": None}
    assert object_as_json(FILE, source, seconds=UNSET) == {"size": 3, "kind": "a"}
    assert as_json([np.array([1.0, np.inf]), ("x",), {"y": LETTERS.A}, source], list[FILE | None]) == [
        [1.0, None],
        ["x"],
        {"y": "a"},
        {"size": 3, "kind": "a", "seconds": None},
    ]


def test_its_schema_has_bounds_and_descriptions():
    made = json_schema(WHOLE, "A whole", "Of parts.")
    assert (made["title"], made["description"]) == ("A whole", "Of parts.")
    assert made["$defs"]["File"]["properties"]["size"] == {"type": "integer", "minimum": 0}
    assert made["$defs"]["File"]["required"] == ["size", "kind"]
    assert made["$defs"]["File"]["additionalProperties"] is False
    assert "additionalProperties" not in made["$defs"]["Rest"]
    described = made["properties"]["by_name"]["additionalProperties"]
    assert described["description"] == "of each safeguard"
