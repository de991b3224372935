"""The same figures and audit from memory, from DuckDB and from Spark with two workers; and its sentences.

Prints one line for each thing that was tried; status 1 where one was not so.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import zebra_core
import zebra_resources
from zebra_core.errors import InputError
from zebra_core.evidence.decisions import decisions
from zebra_core.intake.streaming.clustered import count_elsewhere, write_counts
from zebra_core.metrics.assessment import Assessment, assess
from zebra_core.project import demo

CLUSTER = "local-cluster[2,1,1024]"
FIGURES = (
    "d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "cllr_bits", "min_cllr_bits", "linkability",
    "n_target", "n_nontarget",
)  # fmt: skip
AUDIT = ("n_scores", "n_key", "agreeing_repeats", "scores_without_key", "key_without_score", "matched")


def main() -> None:
    """Try everything."""
    warnings.simplefilter("ignore")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for said, check in checks(Path(name)):
            began = time.monotonic()
            try:
                check()
            except Exception as error:  # noqa: BLE001 - told, and counted
                failed += 1
                print(f"FAILED  {said}: {type(error).__name__}: {str(error)[:400]}", flush=True)
            else:
                print(f"ok      {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(bool(failed))


def checks(folder: Path) -> list[tuple[str, Callable[[], None]]]:
    """What is tried, in words, and how."""
    scores, key = folder / "scores.txt", folder / "key.txt"
    scores.write_bytes(demo.FILES[2].path.read_bytes())
    key.write_bytes(zebra_resources.path(demo.KEY).read_bytes())
    odd, odd_key = odd_files(folder)
    return [
        ("the demo on Spark with two workers", lambda: same(scores, key, CLUSTER, folder)),
        ("ties, repeats, −0, NaN, infinities and decisions on Spark", lambda: same_odd(odd, odd_key, folder)),
        ("the same in DuckDB", lambda: same(scores, key, "duckdb", folder)),
        ("a contradicting row is a sentence", lambda: refused(contradicted(odd), odd_key, "contradict")),
        ("a broken line is a sentence", lambda: refused(broken(odd), odd_key, "cannot do this")),
        ("a table that is not there is a sentence", lambda: refused("nowhere", odd_key, "cannot do this")),
        ("a cluster that is not there is a sentence within 10 s", nobody_answers),
    ]


def odd_files(folder: Path) -> tuple[Path, Path]:
    """3000 trials with everything that an audit knows, the key in another order."""
    rng = np.random.default_rng(1)
    pairs = [(f"s{a}", f"s{b}-{k}", a == b) for a in range(20) for b in range(20) for k in range(8)]
    lines = [f"{a} {b} {rng.normal() + 2 * same:.1f}" for a, b, same in pairs]
    lines[3], lines[4], lines[5] = (
        f"{line.rsplit(' ', 1)[0]} {odd}"
        for line, odd in zip(lines[3:6], ("nan", "inf", "-0.0"), strict=True)
    )
    key = [f"{a} {b} {'target' if same else 'nontarget'}" for a, b, same in pairs]
    rng.shuffle(key)
    (folder / "odd.txt").write_text("\n".join([*lines[:-1], lines[7], lines[7], "x y 0.5"]) + "\n")
    (folder / "odd-key.txt").write_text("\n".join([*key, key[0]]) + "\n")
    return folder / "odd.txt", folder / "odd-key.txt"


def same(scores: Path, key: Path, url: str, folder: Path, allow: tuple[str, ...] = ()) -> None:
    """The same figures to the last digit, and the same audit, as from memory."""
    counts = folder / "counts.parquet"
    write_counts(count_elsewhere(url, str(scores), str(key), decisions(allow)), counts, overwrite=True)
    held = zebra_core.read_trials(scores, key, allow=allow)
    others = [one for one in allow if one != "key-lines-without-score"]
    counted = zebra_core.read_trials(counts, allow=others)
    first, second = assess(held), assess(counted)
    for name in FIGURES:
        assert figure(first, name) == figure(second, name), (name, figure(first, name), figure(second, name))
    assert held.audit is not None
    assert counted.audit is not None
    for name in AUDIT:
        assert getattr(held.audit, name) == getattr(counted.audit, name), name
    assert "counted-elsewhere" in [finding.code for finding in counted.audit.findings]


def figure(assessment: Assessment, name: str) -> object:
    """A figure by the name of its property."""
    return getattr(assessment, name)


def same_odd(scores: Path, key: Path, folder: Path) -> None:
    """With decisions."""
    same(scores, key, CLUSTER, folder, ("nan-scores", "infinite-scores", "key-lines-without-score"))


def contradicted(scores: Path) -> Path:
    """The file with a second score of a trial."""
    path = scores.with_name("contradicted.txt")
    path.write_text(scores.read_text() + "s0 s0-7 99\n")
    return path


def broken(scores: Path) -> Path:
    """The file with something that is no number."""
    path = scores.with_name("broken.txt")
    path.write_text(scores.read_text() + "s0 s0-99 many\n")
    return path


def refused(scores: Path | str, key: Path, said: str) -> None:
    """Refused with such a sentence."""
    try:
        count_elsewhere("local[2]", str(scores), str(key))
    except InputError as error:
        assert said in str(error), str(error)
    else:
        raise AssertionError("nothing was refused")


def nobody_answers() -> None:
    """Port 9 throws everything away where it is open at all."""
    began = time.monotonic()
    try:
        count_elsewhere("spark://127.0.0.1:9", "scores", "key")
    except InputError as error:
        assert "has not answered" in str(error) or "cannot do this" in str(error), str(error)
        assert time.monotonic() - began < 30, time.monotonic() - began
    else:
        raise AssertionError("somebody answered")


if __name__ == "__main__":
    main()
