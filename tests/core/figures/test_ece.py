"""ECE and NECE: which curves are shown."""

from collections.abc import Callable

import pytest

from tests.core.samples import demo
from zebra_core.figures.ece import ece_figure, nece_figure
from zebra_core.figures.figure import Figure


@pytest.mark.parametrize("figure", [ece_figure, nece_figure])
def test_curves_can_be_left_out(figure: Callable[..., Figure]) -> None:
    entries = demo().entries
    choices = ({}, {"default": False}, {"minimum": False})
    assert [len(figure(entries, **shown).lines) for shown in choices] == [5, 4, 1]
    alone = figure(entries, default=False, minimum=False, actual=True)
    assert all("scores as LLRs" in (line.label or "") for line in alone.lines)
    assert "(0.678, 3.88, C)" not in alone.alt_text
    assert figure(entries, default=False, minimum=False).lines == ()
