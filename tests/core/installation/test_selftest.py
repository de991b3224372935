"""The known-answer tests: they pass here, and notice every answer that differs."""

import copy
import itertools
import json
import shutil

import pytest

import zebra_resources
from tests.core.samples import project_of
from tests.known_answers import exported_once
from zebra_core.errors import OutputError
from zebra_core.figures import matplotlib_
from zebra_core.figures.series import ece_figure
from zebra_core.installation import selftest
from zebra_core.installation.selftest import page
from zebra_core.report import pdf
from zebra_core.report.document import ReportPicture


@pytest.fixture(scope="module")
def expected():
    return json.loads(zebra_resources.read_text("selftest.json"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The outcome of the real thing, which computes all and exports it; its project and its exports."""
    projects, compute = [], selftest.demo_project

    def compute_and_keep(*arguments):
        projects.append(compute(*arguments))
        return projects[-1]

    with exported_once(tmp_path_factory) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(selftest, "demo_project", compute_and_keep)
        outcome = selftest.selftest()
    return outcome, projects[0], folder


@pytest.fixture
def outcome(made):
    return made[0]


@pytest.fixture
def ready(made, monkeypatch):
    """From here on the project and its exports are those that were made once; all else is done as ever."""
    _, project, exports = made

    def copied(_project, folder, **_options):
        shutil.copytree(exports, folder, dirs_exist_ok=True)
        return [path for path in folder.rglob("*") if path.is_file()]

    monkeypatch.setattr(selftest, "demo_project", lambda *_on_progress: project)
    monkeypatch.setattr(selftest, "report_set", copied)


def failing(expected):
    return [check.name for check in selftest.selftest(expected=expected).checks if not check.passed]


def test_this_installation_passes(outcome):
    assert [check for check in outcome.checks if not check.passed] == []
    assert outcome.passed


def test_the_answers_are_those_of_the_reference_toolkit(expected):
    assert expected["figures"]["B2"]["d_ece_bits"] == pytest.approx(0.2045252364, abs=1e-9)
    assert expected["figures"]["B2"]["tag"] == "C"
    assert expected["by_hand"]["figures"]["worst_case_log10_lr"] == pytest.approx(0.4771212547)


def test_a_figure_that_differs_fails(ready, expected):
    changed = copy.deepcopy(expected)
    changed["figures"]["B1w"]["d_ece_bits"] += 1e-8
    changed["figures"]["B2"]["tag"] = "D"

    assert failing(changed) == ["B1w, d_ece_bits", "B2, tag"]


def test_a_figure_within_the_tolerance_passes(ready, expected):
    changed = copy.deepcopy(expected)
    changed["figures"]["B1w"]["d_ece_bits"] += 1e-12

    assert failing(changed) == []


def test_a_changed_input_or_export_fails(ready, expected):
    changed = copy.deepcopy(expected)
    key = next(iter(changed["inputs"]))
    changed["inputs"][key] = "0" * 64
    changed["exports"]["results.md"] = "0" * 64

    assert failing(changed) == ["file libri_test_trials_f/trials", "SHA-256 of results.md"]


def test_exports_that_cannot_be_written_fail_and_say_why(ready, expected, monkeypatch):
    def refuse(*_arguments, **_options):
        raise OutputError("disk-full", file="report.pdf", folder="/full")

    monkeypatch.setattr(selftest, "report_set", refuse)
    found = selftest.selftest(expected=expected)

    assert not found.passed
    assert "the disk of /full is full" in next(c.found for c in found.checks if c.name == "exports")


def test_exports_that_differ_when_made_again_fail(ready, expected, monkeypatch):
    made, real = [], selftest.report_set

    def restless(project, folder, **options):
        written = real(project, folder, **options)
        made.append(folder)
        (folder / "results.csv").write_text(f"{len(made)}")
        return written

    monkeypatch.setattr(selftest, "report_set", restless)

    assert failing(expected) == ["file results.csv"]


def test_a_picture_of_the_report_that_is_drawn_otherwise_the_next_time_fails(
    ready, expected, monkeypatch, request
):
    """What a report draws is remembered for the next, but not from the one export to the other."""
    request.addfinalizer(pdf.forget_drawn)  # no other test is to find what is drawn here
    real, strokes = selftest.report_set, itertools.count()
    picture = ReportPicture("ece", ece_figure(list(project_of("a").entries)), "A caption.")

    def drawing(material, folder, **options):
        written = real(material, folder, **options)
        (folder / "report.pdf").write_bytes(b"%PDF-" + pdf.drawn(picture))
        return written

    monkeypatch.setattr(matplotlib_, "render", lambda *_figure, **_size: b"%d" % next(strokes))
    monkeypatch.setattr(selftest, "report_set", drawing)

    assert failing(expected) == ["file report.pdf"]


def test_the_page_says_with_what_it_was_made_and_gives_the_verdict(ready, outcome, expected):
    text = page(outcome)

    assert f"With zebra {outcome.versions['zebra']}, " in text
    assert outcome.answers_sha256 in text
    assert "Signature: ____" in text
    assert f"\n\nAll {len(outcome.checks)} checks: PASSED\n\n" in text
    changed = copy.deepcopy(expected)
    changed["figures"]["B2"]["tag"] = "D"
    bad = page(selftest.selftest(expected=changed))
    assert "FAILED  B2, tag" in bad
    assert "expected D, found C" in bad
    assert f"1 of {len(outcome.checks)} checks: FAILED." in bad


def test_the_stored_answers_are_what_is_answered_now(ready, expected):
    """Texts, counts and hashes to the letter; figures but for the last bits, in which processors differ.

    NumPy adds and takes logarithms with the widest registers there are: two machines of one kind answered
    0.037177524730971516 and …53.
    """
    assert_same(
        selftest.answers_now(), {name: expected[name] for name in ("inputs", "figures", "people", "exports")}
    )


def assert_same(found, wanted, place=""):
    """The same keys and values; numbers with a fraction within some units in the last place."""
    assert type(found) is type(wanted), place
    if isinstance(wanted, dict):
        assert list(found) == list(wanted), place
        for name in wanted:
            assert_same(found[name], wanted[name], f"{place}/{name}")
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-13, abs=1e-15), place
    else:
        assert found == wanted, place


def test_settings_of_matplotlib_that_drew_pictures_would_be_noticed(ready, expected, monkeypatch):
    """As they did when only some of ours were laid upon those of a file matplotlibrc."""
    own = ("font.family", "text.parse_math", "pdf.fonttype", "svg.fonttype", "svg.hashsalt")
    few = {name: matplotlib_._SETTINGS[name] for name in own}
    assert failing(expected) == []
    monkeypatch.setattr(matplotlib_, "_SETTINGS", few)
    assert failing(expected) == ["a picture under other settings of matplotlib"]
