"""Over how many processes the tests are shared out: as many as there are cores, where that is quicker."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONG_ONES = (
    "zebra_gui/window/test_exports.py",
    "zebra_gui/test_cli.py",
    "zebra_gui/commands/test_report.py",
    "packaging/test_installed.py",
    "zebra_gui/window/test_nobody_elses_case.py",
    "core/intake/formats/test_parquet.py",
    "zebra_gui/panes/test_compare.py",
    "zebra_gui/sheet/test_page.py",
    "core/report/test_pdf.py",
    "zebra_gui/window/test_window.py",
    "zebra_gui/recordings/test_heard.py",
    "zebra_gui/commands/test_compare.py",
    "core/intake/formats/test_forked.py",
    "zebra_gui/document/test_document.py",
    "core/report/test_verify.py",
    "zebra_gui/document/test_recovery.py",
    "core/intake/streaming/test_counted.py",
    "core/report/test_pages.py",
    "core/report/test_export.py",
    "zebra_gui/panes/test_picture.py",
    "test_no_network.py",
    "core/figures/test_matplotlib.py",
    "core/intake/streaming/test_clustered.py",
    "zebra_gui/panes/test_report.py",
    "zebra_gui/window/test_reporting.py",
    "core/report/test_tex_report.py",
    "core/intake/test_fuzzed.py",
    "faults/test_faults_in_the_window.py",
    "zebra_gui/session/test_automatic_intervals.py",
    "packaging/test_smoke_test.py",
    "core/intake/test_any_trials.py",
    "zebra_gui/commands/test_encodings.py",
    "zebra_gui/test_app.py",
    "zebra_gui/window/test_other_languages.py",
    "core/project/test_streamed.py",
    "core/figures/test_headline.py",
    "core/intake/opening/test_endless.py",
    "core/report/test_verify_differences.py",
    "zebra_gui/panes/test_listening.py",
    "core/project/test_nameless.py",
    "zebra_gui/window/test_workspace.py",
    "core/saved/test_fuzz.py",
    "zebra_gui/panes/test_people.py",
    "faults/test_closing.py",
    "core/report/test_language.py",
    "zebra_gui/panes/test_speakers.py",
    "core/intake/streaming/test_by_speakers.py",
    "faults/test_little_memory.py",
    "faults/test_kill_while_saving.py",
    "core/report/test_answer.py",
    "packaging/test_manual_pictures.py",
    "soak/test_soak.py",
    "test_other_systems.py",
    "faults/test_full_disk.py",
    "zebra_gui/window/test_focus.py",
    "core/uncertainty/test_difference.py",
    "faults/test_clock_and_locks.py",
    "core/intake/formats/test_hdf5.py",
    "core/project/verdicts/test_deciding.py",
    "zebra_gui/test_hostile_names.py",
    "core/figures/test_saving_all.py",
    "core/report/test_results_tex.py",
    "faults/test_jobs_that_fail.py",
    "zebra_gui/commands/test_similarity.py",
    "zebra_gui/session/test_streamed.py",
    "zebra_gui/panes/test_zoo.py",
    "zebra_gui/window/test_nothing_stays_english.py",
    "packaging/test_languages.py",
    "core/project/test_listening.py",
    "core/figures/test_pgfplots.py",
    "core/report/test_kept_reports.py",
    "core/project/test_certainty.py",
    "zebra_gui/panes/test_similarity.py",
    "zebra_gui/panes/test_certainty.py",
    "core/figures/test_tikz_cells.py",
    "zebra_gui/commands/test_requiring.py",
    "zebra_gui/panes/test_calibration.py",
    "core/speakers/test_of_counts.py",
    "zebra_gui/jobs/test_window_never_computes.py",
)
"""The files that take longest, the longest first, as a run of all tests has measured them (`_SECONDS`)."""

_SECONDS = ".cache/pytest/v/zebra/seconds"


def pytest_configure(config: pytest.Config) -> None:
    """Whoever shares the tests out looks how long each file takes."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Clock(), "clock of the files")


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None where nothing is gained, or where somebody watches what is printed; else pytest-xdist decides."""
    is_watched = config.option.capture == "no" or config.option.trace
    return 0 if is_watched or not are_worth_workers(config.args) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files come first, so that no worker has one left when the others have nothing more to do."""
    if hasattr(config, "workerinput"):
        sort_files(items)


def sort_files(items: list[pytest.Item]) -> None:
    """The long ones, then the others by how many tests they have; the tests of a file stay as they are."""
    places = {TESTS / name: place for place, name in enumerate(LONG_ONES)}
    count = Counter(item.path for item in items)
    items.sort(key=lambda item: (places.get(item.path, len(places)), -count[item.path], item.path))


def are_worth_workers(arguments: Sequence[str]) -> bool:
    """Whether pytest's arguments are about several files of tests: to start workers takes seconds.

    Single tests are few, and what does not exist is told by pytest itself, but not by its workers.
    """
    paths = [Path(argument) for argument in arguments]
    if not all(path.exists() for path in paths):  # as no single test does: tests/test_pins.py::test_...
        return False
    files = {
        file.resolve() for path in paths for file in (path.rglob("test_*.py") if path.is_dir() else [path])
    }
    return len(files) > 1


class Clock:
    """How long each file took, and when each worker had nothing more to do: what LONG_ONES is kept by."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.files: Counter[str] = Counter()
        self.ended: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A step of a test is done; workers, and they alone, say who they are."""
        if worker := getattr(report, "worker_id", None):
            self.files[report.nodeid.partition("::")[0].removeprefix("tests/")] += report.duration
            self.ended[worker] = time.monotonic() - self._began

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say who had to wait for whom; how long each file took is kept beside what failed."""
        cache = terminalreporter.config.cache
        if not self.ended or cache is None:
            return
        cache.set("zebra/seconds", {name: round(took, 1) for name, took in self.files.most_common()})
        ends = ", ".join(f"{worker} after {seconds:.0f} s" for worker, seconds in sorted(self.ended.items()))
        terminalreporter.write_line(f"Nothing more to do: {ends}. Seconds of each file: {_SECONDS}")
