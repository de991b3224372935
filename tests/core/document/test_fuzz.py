"""Whatever is done to a project file, there comes a project or a sentence of it, and nothing else."""

import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.document.samples import repacked, rewritten
from zebra_core.document import items
from zebra_core.document.project_file import open_project
from zebra_core.errors import ZebraError
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.assessment import Assessment, Settings, assess_counts
from zebra_core.project.project import Project


@pytest.fixture(scope="module")
def assessed() -> Callable[..., Assessment]:
    """`assess_counts`, which computes the figures of the same counts in the same settings once.

    Most of what is spoilt lies elsewhere, and figures depend on nothing else; they are values, which no test
    can change. Counts or settings that were spoilt are assessed as ever.
    """
    known: dict[tuple[str, Settings], Assessment] = {}

    def assess_once(counts: ScoreCounts, settings: Settings, **given: Any) -> Assessment:
        if given["cross_fitted"] is None:
            return assess_counts(counts, settings, **given)
        key = counts.digest, settings
        if key not in known:
            known[key] = assess_counts(counts, settings, **given)
        return replace(known[key], **given)

    return assess_once


@pytest.fixture(autouse=True)
def assessed_once(monkeypatch: pytest.MonkeyPatch, assessed: Callable[..., Assessment]) -> None:
    monkeypatch.setattr(items, "assess_counts", assessed)


def mutated(content: bytes, rng: random.Random) -> bytes:
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        at = rng.randrange(len(made))
        how = rng.randrange(4)
        if how == 0:
            made[at] = rng.randrange(256)
        elif how == 1:
            made[at] ^= 1 << rng.randrange(8)
        elif how == 2:
            del made[at : at + rng.randrange(1, 20)]
        else:
            made[at:at] = rng.randbytes(rng.randrange(1, 20))
        if not made:
            break
    return bytes(made)


def opens_or_tells(path: Path) -> bool:
    """Whether it opened; anything but a project or a sentence fails the test."""
    try:
        opened = open_project(path)
    except ZebraError as error:
        assert str(error)  # noqa: PT017 - most inputs are refused, some open: both are right
        return False
    assert isinstance(opened.project, Project)
    for item in opened.project.items:
        assert item.full_name is not None
    for entry in opened.project.entries:
        assert all(map(str, entry.assessment.remarks))
    for matrices in opened.project.similarities:
        assert all(map(str, matrices.similarity.remarks))
    return True


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_in_the_file_give_a_project_or_a_sentence(case: Path, good: bytes, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    opened = 0
    for _ in range(150):
        case.write_bytes(mutated(good, rng))
        opened += opens_or_tells(case)
    assert opened < 150


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_inside_the_members_do_too(case: Path, good: bytes, seed: int) -> None:
    """Packed anew, so that no checksum keeps them out."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    opened = 0
    for _ in range(100):
        case.write_bytes(good)

        def spoil(members: dict[str, bytes]) -> None:
            name = rng.choice([*members, "project.json", "project.json"])
            members[name] = mutated(members[name], rng)

        opened += opens_or_tells(repacked(case, spoil, zipfile.ZIP_STORED))
    assert opened < 100


ODD = (None, True, -1, 0, 10**30, 1e308, "", "x", [], {}, [[]], {"a": None}, "\ud800", "\u202e", 2**31)


@pytest.mark.parametrize("seed", range(6))
def test_odd_values_anywhere_do_too(case: Path, good: bytes, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    opened = 0
    for _ in range(100):
        case.write_bytes(good)
        rewritten(case, lambda document: spoil_somewhere(document, rng))
        opened += opens_or_tells(case)
    assert opened < 100


def spoil_somewhere(document: dict[str, Any], rng: random.Random) -> None:
    at: Any = document
    while True:
        keys = list(at) if isinstance(at, dict) else range(len(at))
        key = rng.choice(list(keys))
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.9:
            at = at[key]
            continue
        at[key] = rng.choice(ODD)
        return
