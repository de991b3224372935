"""A file too large for memory, dropped on the window: figures are there; what needs trials says why not."""

import pytest

from core import memory
from core.intake.counted import STREAMED


@pytest.fixture
def little_memory(monkeypatch):
    """As if so little were free that the demo's files are large."""
    monkeypatch.setattr(memory, "LEAST", 0)
    monkeypatch.setattr(memory, "free_bytes", lambda: 1 << 20)


@pytest.fixture
def streamed(window, settled, drop, scores, key, little_memory):
    assert drop(window, scores["B2"], key)
    settled(window.jobs)
    return window


def test_a_streamed_drop_shows_its_figures_and_says_that_trials_were_counted(streamed) -> None:
    [entry] = streamed.session.entries
    assert entry.trials is None
    assert entry.assessment.d_ece_bits == pytest.approx(0.204525236416, abs=1e-10)
    assert STREAMED in [remark.code for remark in entry.assessment.remarks_on_files]


def test_every_pane_may_be_looked_at(qtbot, streamed, settled) -> None:
    for dock in streamed.workspace.pane_docks:
        dock.raise_()
        qtbot.wait(1)
        settled(streamed.jobs)
    assert streamed.session.entries[0].trials is None
