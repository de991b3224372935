"""Over how many processes the tests are shared out: as many as there are cores, where that is quicker."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONG_ONES = (
    "zebra_gui/window/test_exports.py",
    "zebra_gui/commands/test_report.py",
    "zebra_gui/test_cli.py",
    "zebra_gui/window/test_window.py",
    "zebra_gui/window/test_nobody_elses_case.py",
    "zebra_gui/document/test_recovery.py",
    "test_no_network.py",
    "core/report/test_verify.py",
    "zebra_gui/commands/test_compare.py",
    "zebra_gui/window/test_reporting.py",
    "zebra_gui/panes/test_compare.py",
    "core/report/test_pages.py",
    "zebra_gui/test_injection.py",
    "zebra_gui/sheet/test_page.py",
    "zebra_gui/session/test_automatic_intervals.py",
    "packaging/test_installed.py",
    "zebra_gui/document/test_document.py",
    "core/report/test_export.py",
    "zebra_gui/panes/test_picture.py",
    "zebra_gui/panes/test_listening.py",
    "core/report/test_pdf.py",
    "zebra_gui/panes/test_people.py",
    "core/intake/formats/test_parquet.py",
    "zebra_gui/panes/test_report.py",
    "zebra_gui/manual/test_window.py",
    "zebra_gui/window/test_narrow_window.py",
    "zebra_gui/window/test_recordings.py",
    "zebra_gui/commands/test_encodings.py",
    "faults/test_faults_in_the_window.py",
    "core/report/test_answer.py",
    "core/figures/test_matplotlib.py",
    "core/installation/test_selftest.py",
    "core/installation/test_dossier.py",
    "core/report/test_tex_report.py",
    "zebra_gui/window/test_item_actions.py",
    "core/report/test_verify_differences.py",
    "zebra_gui/window/test_focus.py",
    "zebra_gui/window/test_workspace.py",
    "core/intake/test_fuzzed.py",
    "zebra_gui/panes/test_speakers.py",
    "core/report/test_language.py",
    "zebra_gui/window/test_notices.py",
    "zebra_gui/window/test_other_languages.py",
    "zebra_gui/dialogs/test_page.py",
    "faults/test_closing.py",
    "faults/test_clock_and_locks.py",
    "faults/test_full_disk.py",
    "zebra_gui/panes/test_zoo.py",
    "zebra_gui/test_app.py",
    "core/intake/formats/test_hdf5.py",
    "core/figures/test_reduce.py",
    "zebra_gui/window/test_sharing.py",
    "faults/test_ended_from_outside.py",
    "core/intake/formats/test_forked.py",
    "core/intake/test_any_trials.py",
    "core/report/test_results_tex.py",
    "core/report/test_kept_reports.py",
    "zebra_gui/window/test_signing.py",
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
