"""Fuzz by meaning: right files changed as in the field, one and two ways at a time, and what is said of them.

A changed file has to come to the figure of the right one, or to a question, a refusal or a remark about
what was done to it (mutations.py says which these are). Another figure without such a word is silent. One
of each kind is kept, in tests/data/meaning as a rule, where the tests find it. What no reader can see is
counted apart. A refusal for another reason, or a question none of whose answers is right, is astray.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fuzz.mutations import ADDED, LEFT_OUT, MUTATIONS
from fuzz.right_files import ID_STYLES, LAYOUTS, SCORE_STYLES, Sheet, right
from fuzz.state import IN_MEMORY
from zebra_core import assess, read_trials
from zebra_core.errors import InputError
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import open_all
from zebra_core.intake.planned import reading_id

KEPT = Path(__file__).parents[2] / "tests" / "data" / "meaning"
OUTCOMES = ("same", "question", "refusal", "remark", "unseen", "astray", "SILENT")
Files = tuple[bytes, ...]
Verdict = tuple[str, str]
"""One of the outcomes, and what was said."""
_NAMES = ("scores", "key")
_CLOSE = 1e-9  # bits
_SAID = {"speakers": "whole-id"}  # of square matrices
_MOST_CHOICES = 3


@dataclass(frozen=True)
class Truth:
    """What a changed file is judged by.

    `d_ece_bits` and `remarks` are those of the right file, `codes` count as words about what was done to
    it, and `is_unseen` says that no reader can see it.
    """

    d_ece_bits: float
    remarks: frozenset[str]
    codes: frozenset[str]
    is_unseen: bool = False


@dataclass(frozen=True)
class Case:
    """Changed files, and the right ones: with what no reader can see, where something else was done, too."""

    layout: str
    mutations: tuple[str, ...]
    files: Files
    right: Files
    is_unseen: bool

    @property
    def name(self) -> str:
        """What was done to what."""
        return f"{' + '.join(self.mutations)}: {self.layout}"

    def truth(self) -> Truth | None:
        """What it is judged by; None where the right files alone are refused or asked about."""
        try:
            return Truth(*_figure(self.right), codes_of(self.mutations), self.is_unseen)
        except InputError:
            return None


def codes_of(mutations: Iterable[str]) -> frozenset[str]:
    """The codes that count as words about any of these mutations."""
    return frozenset(code for name in mutations for code in MUTATIONS[name].codes.split())


@lru_cache(1)
def _singles(seed: int) -> list[tuple[str, str]]:
    """Every mutation of every layout, in an order of its own for each seed."""
    every = list(itertools.product(MUTATIONS, LAYOUTS))
    random.Random(seed).shuffle(every)  # noqa: S311 - to be repeated, not to be secret
    return every


def case(seed: int, number: int) -> Case | None:
    """The case of a number, always the same, or None where it makes no sense; odd ones have two mutations."""
    rng, singles = random.Random(f"{seed} {number}"), _singles(seed)  # noqa: S311
    name, layout = singles[number // 2 % len(singles)]
    names = [name, *rng.sample([*MUTATIONS], number % 2)]
    good = right(layout, rng.choice([*ID_STYLES]), rng.choice([*SCORE_STYLES]))
    places = [(0,), (1,), (0, 1)][2 * (good[0].of is not None) : 2 * len(good) - 1]
    on = {name: rng.choice(places) for name in names}

    def changed(by: list[str]) -> tuple[Sheet, ...]:
        """The files with these changes; none where one of them makes no sense or changes nothing."""
        sheets = [*good]
        for one, place in ((name, place) for name in by for place in on[name]):
            new = MUTATIONS[one].change(sheets[place], random.Random(f"{seed} {number} {one}"))  # noqa: S311
            if new is None or new == sheets[place]:
                return ()
            sheets[place] = new
        return tuple(sheets)

    def unseen(sheets: tuple[Sheet, ...]) -> list[str]:
        return [one for one in on if MUTATIONS[one].is_unseen(sheets, in_all=len(on[one]) == len(good))]

    at_first = unseen(good)
    ordered = sorted(on, key=lambda one: (one not in at_first, one.endswith("sorted alone")))
    made = changed(ordered)
    if not made or (ADDED & {*on} and LEFT_OUT & {*on}):
        return None
    is_unseen = len(at_first) == len(on) or at_first != unseen(made)
    sheets = made, good if is_unseen else changed(at_first)
    try:
        files, true = (tuple(sheet.content() for sheet in each) for each in sheets)
    except ValueError:
        return None
    return Case(layout, tuple(ordered), files, true, is_unseen) if files != true else None


@contextmanager
def _written(files: Files) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        paths = [Path(folder, name) for name, _ in zip(_NAMES, files, strict=False)]
        for path, content in zip(paths, files, strict=True):
            path.write_bytes(content)
        yield paths


@lru_cache(4096)
def _figure(files: Files) -> tuple[float, frozenset[str]]:
    with _written(files) as paths:
        return _assessed(paths, _SAID)


def _assessed(paths: list[Path], choices: Mapping[str, str]) -> tuple[float, frozenset[str]]:
    """D_ECE in bits, and the remarks, each behind its code. Raises InputError."""
    found = assess(read_trials(*paths, choices=choices))
    return found.d_ece_bits, frozenset(f"{remark.code} {remark}" for remark in found.remarks)


def verdict(files: Files, truth: Truth) -> Verdict:
    """What comes of changed files."""
    with _written(files) as paths:
        return _verdict(paths, _SAID, truth)


def _verdict(paths: list[Path], choices: Mapping[str, str], truth: Truth) -> Verdict:
    try:
        found, remarks = _assessed(paths, choices)
    except InputError as error:
        if error.code in ("ambiguous", "ambiguous-columns") and len(choices) < _MOST_CHOICES:
            return _best_answer(paths, choices, truth, str(error.facts["file"]))
        return "refusal" if error.code in truth.codes else "astray", f"{error.code}: {error}"
    if abs(found - truth.d_ece_bits) <= _CLOSE:
        return "same", ""
    new = {remark.partition(" ")[0] for remark in remarks - truth.remarks}
    if told := new & truth.codes:
        return "remark", " ".join(sorted(told))
    said = f"{found:.4f} for {truth.d_ece_bits:.4f}; {' '.join(sorted(new)) or 'no word'}"
    return "unseen" if truth.is_unseen else "SILENT", said


def _best_answer(paths: list[Path], choices: Mapping[str, str], truth: Truth, name: str) -> Verdict:
    """The verdict on a question about a file: whoever is asked gives the right answer, if there is one."""
    opened = [file for path in paths for file in open_all(path) if file.name == name]
    offered = [(file, reading.choice) for file in opened for reading in recognise(file).readings]
    answers = [{**choices, reading_id(file.source): choice} for file, choice in offered]
    found = [_verdict(paths, answer, truth) for answer in answers]
    outcome, said = min(found, key=lambda one: OUTCOMES.index(one[0]), default=("astray", "no answer"))
    asked = f"asked {' or '.join(choice for _, choice in offered)}; {said}"
    return "question" if OUTCOMES.index(outcome) < OUTCOMES.index("unseen") else outcome, asked


def keep(tried: Case, truth: Truth, folder: Path) -> None:
    """Keep the files of a case, with what they are judged by."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in zip(_NAMES, tried.files, strict=False):
        (folder / name).write_bytes(content)
    about = {"layout": tried.layout, "mutations": tried.mutations}
    about |= {"d_ece_bits": truth.d_ece_bits, "remarks": sorted(truth.remarks)}
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def kept(folder: Path) -> tuple[Files, Truth]:
    """The files of a case that was kept, and what they are judged by."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    files = tuple((folder / name).read_bytes() for name in _NAMES if (folder / name).exists())
    return files, Truth(about["d_ece_bits"], frozenset(about["remarks"]), codes_of(about["mutations"]))


def tried_cases(seed: int, count: int, seconds: float) -> Iterator[tuple[Case, Truth, Verdict]]:
    """So many cases with what came of them, or as many as there is time for."""
    ends = time.monotonic() + seconds
    for number in itertools.count():
        if not count or time.monotonic() > ends:
            return
        if (tried := case(seed, number)) and (truth := tried.truth()):
            count -= 1
            yield tried, truth, verdict(tried.files, truth)


def main(arguments: list[str]) -> int:
    """Try cases, print what came of each mutation, and keep one of each kind that is silent."""
    parser = argparse.ArgumentParser(prog="python -m fuzz meaning", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="so many files (default: 20 000)")
    parser.add_argument("--seconds", type=float, default=86_400, help="but not longer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=KEPT, help="the folder for those that are silent")
    parser.add_argument("--log", type=Path, default=Path("/dev/null"), help="a file with a line for each")
    given = parser.parse_args(arguments)
    table: dict[str, Counter[str]] = {}
    with given.log.open("w", encoding="utf-8") as log:
        for tried, truth, (outcome, said) in tried_cases(given.seed, given.count, given.seconds):
            name = tried.mutations[0] if len(tried.mutations) == 1 else "two at a time"
            table.setdefault(name, Counter())[outcome] += 1
            print(outcome, tried.name, said, sep="\t", file=log, flush=True)
            if outcome == "SILENT":
                print(f"{tried.name}: {said}", file=sys.stderr, flush=True)
                plain = "".join(letter if letter.isalnum() else "-" for letter in tried.name)
                keep(tried, truth, given.keep / plain.strip("-"))
    table["all"] = sum(table.values(), Counter())
    print(f"{'mutation':44}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES))
    for name, of in table.items():
        print(f"{name:44}" + "".join(f"{of[outcome] or '':>10}" for outcome in OUTCOMES))
    return int(table["all"]["SILENT"] > 0)
