"""What a figure draws, as numbers."""

import csv
import io

import numpy as np

from tests.core.samples import demo
from zebra_core.figures.distributions import det_figure
from zebra_core.figures.export import as_csv
from zebra_core.figures.figure import Area, Axis, Cells, CellsFigure, ColourScale, Figure, NamedPoints, Raster
from zebra_core.figures.series import ece_figure

SCALE = ColourScale("similarity", 0.0, 1.0)


def rows_of(figure):
    return list(csv.reader(io.StringIO(as_csv(figure))))


def test_a_curve_is_in_it_with_every_digit():
    entry = demo().entries[2]
    figure = ece_figure([entry])
    head, *rows = rows_of(figure)
    assert head == ["series", figure.x.label, figure.y.label, "base", "name"]
    for line in figure.lines:
        points = list(zip(line.x.tolist(), line.y.tolist(), strict=True))
        written = [(float(row[1]), float(row[2])) for row in rows if row[0] == (line.label or "")]
        assert set(points) <= set(written)


def test_rates_stand_for_their_probits():
    rows = rows_of(det_figure(demo().entries[:3]))[1:]
    rates = [float(row[1]) for row in rows]
    assert 0.0 <= min(rates) < max(rates) <= 1.0


def test_areas_points_and_colours_are_there_and_no_name_is_a_formula():
    axis = Axis("=1+1", 0.0, 1.0)
    area = Area(np.array([0.0]), np.array([0.5]), 0, base=np.array([0.25]))
    point = NamedPoints(np.array([0.125]), np.array([1.0]), 0, "people", names=("@ann",))
    raster = Raster(np.array([[0.75]], dtype=np.float32), SCALE, (0.0, 1.0), (0.0, 1.0))
    assert rows_of(Figure("", axis, axis, (), "", (point,), (area,), raster=raster)) == [
        ["series", "'=1+1", "'=1+1", "base", "name", "value"],
        ["", "0.0", "0.5", "0.25", ""],
        ["people", "0.125", "1.0", "", "'@ann"],
        ["", "0.5", "0.5", "", "", "0.75"],
    ]


def test_a_cell_without_a_value_is_empty():
    cells = Cells("OO", ("a",), ("a", "b"), "", "", np.array([[1.0, np.nan]]), np.array([[3, 0]]))
    assert rows_of(CellsFigure("", ((cells,),), SCALE, "")) == [
        ["panel", "row", "column", "value", "trials"],
        ["OO", "a", "a", "1.0", "3"],
        ["OO", "a", "b", "", "0"],
    ]
