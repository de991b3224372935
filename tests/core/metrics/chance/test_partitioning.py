"""Dealing into folds; and that nothing else in the core draws."""

import ast
from pathlib import Path

import numpy as np

import zebra_core
from zebra_core.metrics.chance.partitioning import counts_into_folds, into_folds, some_of
from zebra_core.metrics.chance.seeds import Purpose, generator

CORE = Path(zebra_core.__file__).parent
CHANCE = CORE / "metrics" / "chance"
MAKES = {"default_rng", "SeedSequence", "RandomState", "Generator"}
DRAWS = {"permutation", "permuted", "shuffle", "integers", "random", "choice", "multinomial", "normal"}
DRAWS |= {"uniform", "binomial", "poisson", "standard_normal", "exponential"}


def calls(source: str) -> set[str]:
    """What a module calls as an attribute: `np.random.default_rng(…)` is `default_rng`."""
    return {
        node.func.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }


def imports(source: str) -> set[str]:
    """The modules of everybody's Python that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_nothing_but_chance_draws() -> None:
    drawing = {}
    for file in CORE.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        found = calls(source) & (MAKES | DRAWS) | imports(source) & {"random", "numpy.random"}
        if found and CHANCE not in file.parents:
            drawing[file.relative_to(CORE).as_posix()] = found
    assert drawing == {}
    assert calls((CHANCE / "seeds.py").read_text(encoding="utf-8")) & MAKES


def test_folds_differ_by_one_at_most_and_are_a_permutation_of_the_seed() -> None:
    dealt = into_folds(22, 5, generator(3, Purpose.FOLDS))
    assert sorted(np.bincount(dealt)) == [4, 4, 4, 5, 5]
    assert (dealt == np.random.default_rng(3).permutation(22) % 5).all()


def test_counts_are_dealt_out_whole() -> None:
    counts = np.array([7, 0, 1000])
    dealt = counts_into_folds(counts, 5, generator(0, Purpose.FOLDS))
    assert (dealt.sum(axis=1) == counts).all()
    assert dealt[2].min() > 150


def test_of_some_units_at_most_so_many_are_taken_each_once() -> None:
    units = np.array([3, 5, 8, 13])
    assert set(some_of(units, 9, generator(0, Purpose.POOLS))) == set(units.tolist())
    assert len(set(some_of(units, 2, generator(0, Purpose.POOLS)).tolist())) == 2


def test_dealing_out_places_is_dealing_out_what_stands_there() -> None:
    units = np.array([4, 4, 9, 1, 7, 0], dtype=np.int32)
    one, other = generator(5, Purpose.NO_DISCLOSURE), generator(5, Purpose.NO_DISCLOSURE)
    assert (some_of(units, 6, one) == other.permutation(units)).all()
