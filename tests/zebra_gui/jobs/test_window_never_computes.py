"""The window stays calm: nothing that goes over trials runs in the thread that answers the user."""

import sys
import threading
from functools import cache

import numpy as np
import pytest

from zebra_gui.jobs import jobs

N_TRIALS = 5000
GOES_OVER_TRIALS = (
    "zebra_core.evidence.counting",
    "zebra_core.evidence.trials",
    "zebra_core.metrics.distributions",
    "zebra_core.metrics.ece",
    "zebra_core.metrics.error_rates",
    "zebra_core.intake.matching.auditing",
    "zebra_core.intake.tables.columns",
    "zebra_core.intake.opening.opening",
    "zebra_core.intake.tables.table",
    "zebra_core.intake.formats",
    "zebra_core.intake.matching.matching",
    "zebra_core.intake.sorting.plan",
    "zebra_core.intake.formats.recognising",
    "zebra_core.intake.sorting.sorter",
    "zebra_core.metrics.oracle",
    "zebra_core.speakers.rank_disclosure",
    "zebra_core.evidence.speaker_trials",
    "zebra_core.uncertainty.bootstrap",
    "zebra_core.uncertainty.no_disclosure",
    "zebra_core.uncertainty.resampling",
    "zebra_core.uncertainty.weighted",
    "zebra_core.metrics.zebra",
    "pandas",
    "scipy",
)
"""Modules whose functions do."""
READ_WHAT_WAS_FOUND = {
    "zebra_core.intake.opening.opening": ("Source",),
    "zebra_core.metrics.error_rates": (
        "_bounded",
        "bayes_thresholds",
        "normalised_dcf",
        "oracle_decision_errors",
    ),
    "zebra_core.metrics.zebra": ("ceilings_log10_lr",),
    "zebra_core.uncertainty.no_disclosure": ("Ceiling", "ceiling_of", "trials_needed"),
    "zebra_core.uncertainty.resampling": ("FigureDraws",),
}
"""What stands beside them, and takes counts, blocks or draws: the functions and the classes."""
SURELY_CALLED = (
    "zebra_core.evidence.trials",
    "zebra_core.metrics.ece",
    "zebra_core.intake.tables.columns",
    "zebra_core.metrics.oracle",
    "zebra_core.speakers.rank_disclosure",
)
"""Some of them that the others prove to be watched."""


class Watch:
    """Which functions of these modules are called: in the thread of the window, and in any other."""

    def __init__(self):
        self.in_window, self.elsewhere = set(), set()

    def __call__(self, frame, event, _argument):
        module = frame.f_globals.get("__name__", "")
        name = frame.f_code.co_qualname.partition(".")[0]
        if event == "call" and is_watched(module) and name not in READ_WHAT_WAS_FOUND.get(module, ()):
            is_window = threading.current_thread() is threading.main_thread()
            called = self.in_window if is_window else self.elsewhere
            if not frame.f_code.co_name.startswith("__"):  # of values, which only hold what is there
                called.add((module, frame.f_code.co_qualname))


@cache
def is_watched(module):
    """Asked with every call of any function."""
    return any(is_of(module, one) for one in GOES_OVER_TRIALS)


def is_of(module, package):
    return module == package or module.startswith(f"{package}.")


@pytest.fixture
def watch(monkeypatch):
    watch = Watch()
    run = jobs._run
    # Threads of Qt do not begin where those of Python do.
    monkeypatch.setattr(jobs, "_run", lambda *given: (sys.setprofile(watch), run(*given))[1])
    before = sys.getprofile()
    threading.setprofile(watch)
    sys.setprofile(watch)
    yield watch
    sys.setprofile(before)
    threading.setprofile(None)


@pytest.fixture
def files(tmp_path):
    """Twenty speakers, with scores and their key."""
    score = np.random.default_rng(0).normal(size=N_TRIALS)
    lines = [f"s{k % 20} u{k}" for k in range(N_TRIALS)]
    words = ["target" if k % 3 == 0 else "nontarget" for k in range(N_TRIALS)]
    (tmp_path / "scores").write_text("".join(f"{a} {s:.6f}\n" for a, s in zip(lines, score, strict=True)))
    (tmp_path / "key").write_text("".join(f"{a} {word}\n" for a, word in zip(lines, words, strict=True)))
    return [tmp_path / "scores", tmp_path / "key"]


def test_reading_assessing_and_drawing_leave_the_thread_of_the_window_alone(qtbot, window, files, watch):
    idle = 0

    def is_done():
        """For some turns of the event loop: a pane asks for its picture when it is painted."""
        nonlocal idle
        idle = 0 if window.jobs.waiting or window.session.drawing.is_busy else idle + 1
        return bool(window.session.entries) and idle > 5

    window.open_paths(files)
    qtbot.waitUntil(is_done, timeout=60_000)
    for topic in window.workspace.topics:
        window.workspace.show_topic(topic)
        idle = 0
        qtbot.waitUntil(is_done, timeout=60_000)

    found = window.session.entries[0].assessment
    assert found.n_target + found.n_nontarget == N_TRIALS
    assert watch.in_window == set()
    for module in SURELY_CALLED:
        assert any(is_of(found, module) for found, _function in watch.elsewhere), module
