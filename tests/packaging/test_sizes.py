"""The table of what weighs what."""

import os

import pytest
from sizes import OTHER, Weight, as_table, component_of, weights


@pytest.mark.parametrize(
    ("place", "component"),
    [
        ("_internal/PySide6/Qt/lib/libicudata.so.73", "ICU, which Qt needs"),
        ("_internal/PySide6/Qt/lib/libQt6Core.so.6", "Qt and PySide6"),
        ("_internal/scipy.libs/libscipy_openblas-6cdc3b4a.so", "SciPy with OpenBLAS"),
        ("_internal/numpy.libs/libscipy_openblas64_.so", "NumPy with OpenBLAS"),
        ("zebra", "the program: all modules of Python"),
        ("_internal/zebra_resources/texts/en.toml", "demo data, fonts, texts, licences"),
        ("_internal/libxcb-cursor.so.0", "libraries of the system"),
        ("LICENSE", OTHER),
    ],
)
def test_a_file_belongs_to_a_component(place, component):
    assert component_of(place) == component


def test_weights_are_sums_and_links_weigh_nothing(tmp_path):
    inside = tmp_path / "_internal" / "pandas"
    inside.mkdir(parents=True)
    (inside / "a.so").write_bytes(bytes(1000))
    (inside / "b.so").write_bytes(bytes(500))
    (tmp_path / "_internal" / "pandas.so").symlink_to(inside / "a.so")
    (tmp_path / "LICENSE").write_bytes(os.urandom(3000))

    found = {weight.component: weight for weight in weights(tmp_path)}

    assert list(found) == [OTHER, "pandas"]  # what cannot be compressed is heavier
    assert found["pandas"].on_disk == 1500
    assert found["pandas"].compressed < 50
    assert found[OTHER].on_disk == 3000


def test_the_table_ends_with_the_sum():
    table = as_table([Weight("a", 2_500_000, 1_000_000), Weight("b", 500_000, 250_000)])

    assert table.splitlines()[2:] == ["| a | 2.5 | 1.0 |", "| b | 0.5 | 0.2 |", "| together | 3.0 | 1.2 |"]
