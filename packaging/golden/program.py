"""What a user gets from the program, compared with what is kept of it in tests/data/golden, told in words.

make golden                           all of it; ends with 1 if anything differs
make golden ARGS="demo museum"        some cases
make golden ARGS=--accept             keep what is made now; the commit says why
make golden ARGS=--twice              make everything twice: are the bytes the same?
make golden ARGS="demo --into DIR"    leave what was made in DIR, to look at it
"""

import argparse
import datetime as dt
import filecmp
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from golden.cases import CASES
from golden.comparing import Difference, differences
from golden.kept import GOLDEN, Masks, kept_forms
from golden.running import Case, stand_alone

INDEX = "index.txt"
FIRST = 5  # differences that are shown of a file


@dataclass(frozen=True)
class Made:
    """What came of a case: its texts by name, with the list of all files, and what went wrong."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    of_processors: float = 0.0
    fault: str = ""


def make(job: tuple[str, Path]) -> Made:
    """Make a case in a folder of its own; runs in a process of its own."""
    name, folder = job
    begun, days = time.monotonic(), _today()
    folder.mkdir()
    stand_alone(folder.parent / f"home-{name}")
    case = Case(folder)
    try:
        CASES[name].make(case)
        texts = _texts(name, folder, days)
    except Exception:  # noqa: BLE001 - whatever it is, it is told with the others
        return Made(name, fault=traceback.format_exc())
    return Made(name, texts, time.monotonic() - begun, sum(os.times()[:4]))


def _texts(name: str, folder: Path, days: set[dt.date]) -> dict[str, str]:
    """All that is kept of what was made, with the list of it."""
    masks = Masks(folder, tuple(days | _today()), folder / "in")
    texts = {INDEX: ""}
    for file in _files(folder):
        relative = file.relative_to(folder).as_posix()
        for form, what, text in kept_forms(file, relative, masks):
            if any(fnmatch(form, pattern) for pattern in CASES[name].leaves_out):
                continue
            twin = next((name for name in texts if text and texts[name] == text), "")
            texts[INDEX] += f"{form}: {what}{f', the same as {twin}' if twin else ''}\n"
            if text and not twin:
                texts[form] = text
    return texts


def _today() -> set[dt.date]:
    """Here, and in UTC, in which signatures and counts are dated."""
    now = dt.datetime.now(dt.UTC)
    return {now.date(), now.astimezone().date()}


def _files(folder: Path) -> list[Path]:
    return sorted(file for top in ("said", "out") for file in (folder / top).rglob("*") if file.is_file())


def compare(made: Made, seen: set[tuple[str | None, str | None]]) -> tuple[list[str], int]:
    """What differs from what is kept, in lines, and how many places differ; `seen` was told before."""
    if made.fault:
        return [f"{made.name} could not be made:", *made.fault.splitlines()], 1
    kept, lines, count = _kept(made.name), [], 0
    for name in dict.fromkeys((*kept, *made.texts)):
        found = _found(made.name, name, kept.get(name), made.texts.get(name))
        if not found:
            continue
        count += len(found)
        new = [one for one in found if (one.before, one.after) not in seen]
        seen |= {(one.before, one.after) for one in new}
        lines.append(f"{made.name}/{name}")
        lines += [f"   {one}" for one in new[:FIRST]]
        if len(new) > FIRST:
            lines.append(f"   … and {len(new) - FIRST} more places")
        if len(found) > len(new):
            lines.append(f"   {len(found) - len(new)} places differ as others above")
    return lines, count


def _found(case: str, name: str, before: str | None, after: str | None) -> list[Difference]:
    if before is None:
        return [Difference("this file", None, f"{len(after or '')} characters")]
    if after is None:
        return [Difference("this file", f"{len(before)} characters", None)]
    return [*differences(name, before, after, CASES[case].tolerance)]


def _kept(case: str) -> dict[str, str]:
    folder = GOLDEN / case
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode() for file in files}


def accept(made: Made) -> None:
    """Keep what was made; a file that is the same within the tolerance stays as it is."""
    folder = GOLDEN / made.name
    for name in _kept(made.name).keys() - made.texts.keys():
        (folder / name).unlink()
    for name, text in made.texts.items():
        file = folder / name
        if file.exists() and not _found(made.name, name, file.read_bytes().decode(), text):
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def not_twice_the_same(one: Path, other: Path, before: Made, after: Made) -> list[str]:
    """Files of a case whose bytes differ between two runs.

    Of those that say what time it is, or name things by ids that are drawn, what is kept may not differ.
    """
    tops = [top / after.name for top in (one, other)]
    files = [{file.relative_to(top) for file in _files(top)} for top in tops]
    unlike = [
        path
        for path in sorted(files[0] & files[1])
        if not filecmp.cmp(tops[0] / path, tops[1] / path, shallow=False)
        and not _differs_as_it_must(path.as_posix(), before, after)
    ]
    return [f"{after.name}/{path}" for path in (*sorted(files[0] ^ files[1]), *unlike)]


def _differs_as_it_must(path: str, before: Made, after: Made) -> bool:
    texts = [
        {name: text for name, text in of.texts.items() if name.startswith(path)} for of in (before, after)
    ]
    return texts[0] == texts[1] and any("<time>" in text or "<id " in text for text in texts[0].values())


def main() -> int:
    """Make, compare, say what differs."""
    parser = argparse.ArgumentParser(
        prog="make golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; default: all")
    parser.add_argument("--accept", action="store_true", help="keep what is made now")
    parser.add_argument("--twice", action="store_true", help="compare the bytes of two runs")
    parser.add_argument("--into", type=Path, metavar="DIR", help="leave what is made in this folder")
    asked = parser.parse_args()
    names = asked.cases or [*CASES]
    if unknown := [name for name in names if name not in CASES]:
        parser.error(f"there is no case {unknown[0]}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="zebra-golden-", ignore_cleanup_errors=True) as temporary:
        top, before = Path(temporary, "run"), Path(temporary, "before")
        unlike: list[str] = []
        found = _all_made(names, top)
        if asked.twice:
            top.rename(before)  # both in one place: some files say where they are
            again = _all_made(names, top)
            unlike = [
                line for name in names for line in not_twice_the_same(before, top, found[name], again[name])
            ]
        if asked.into:
            shutil.copytree(top, asked.into, dirs_exist_ok=True)
    if asked.twice:
        print(
            "\n".join(f"not the same bytes twice: {line}" for line in unlike)
            or "The bytes are the same twice."
        )
        return int(bool(unlike))
    count, seen = 0, set[tuple[str | None, str | None]]()
    for name in names:
        if asked.accept and not found[name].fault:
            accept(found[name])
            continue
        lines, differing = compare(found[name], seen)
        count += differing
        print("\n".join(lines), end="\n" if lines else "")
    files, size = _size(names)
    seconds = time.monotonic() - begun
    verdict = f"{count} places differ" if count else "kept" if asked.accept else "nothing differs"
    print(f"{len(names)} cases, {files} files, {size / 1e6:.1f} MB, {seconds:.0f} s: {verdict}.")
    return int(count > 0)


def _all_made(names: list[str], top: Path) -> dict[str, Made]:
    """Two cases at a time, each in a process of its own, which finds the libraries loaded."""
    import zebra_core

    for name in zebra_core.__all__:
        getattr(zebra_core, name)
    top.mkdir()
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        found = {}
        for made in pool.imap_unordered(make, [(name, top / name) for name in names], chunksize=1):
            found[made.name] = made
            seconds = f"{made.seconds:.0f} s, {made.of_processors:.0f} s of processors"
            print(f"{made.name}: {seconds}", file=sys.stderr, flush=True)
    return found


def _size(names: list[str]) -> tuple[int, int]:
    texts = [text for name in names for text in _kept(name).values()]
    return len(texts), sum(len(text.encode()) for text in texts)
