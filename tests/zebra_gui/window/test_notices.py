"""Bars above everything: what was stopped, and what may be done with what was dropped."""

from tests.core.samples import project_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import made_pdf, make_report


def test_escape_says_that_intervals_were_stopped_and_offers_them(
    qtbot, shared_window, demo, settled, fewer_draws
):
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 20)
    bar, window = shared_window.stopped_bar, shared_window
    assert bar.isHidden()
    window.assess_menu.automatic_intervals_action.setChecked(True)
    window.cancelling.action.trigger()
    assert not bar.isHidden()
    assert bar.text.text() == "Intervals were stopped: no figure has one."
    settled(window.automatic_intervals.jobs)

    window.session.intervals.measure_selected()
    assert bar.isHidden()
    settled(window.jobs)
    window.session.intervals.measure_all()
    window.cancelling.action.trigger()
    settled(window.jobs)
    assert bar.text.text() == ("Intervals were stopped: 3 of 4 have none, while the others have.")
    bar.resume.click()
    settled(window.jobs)
    assert all(entry.trust for entry in window.session.entries)
    assert bar.isHidden()


def test_a_report_of_zebra_that_is_dropped_may_be_verified(qtbot, shared_window, tmp_path, settled):
    report = tmp_path / "report.pdf"
    report.write_bytes(made_pdf(make_report(gather(project_of("B1")))))
    shared_window.open_paths([report])
    settled(shared_window.jobs)
    bar = shared_window.problem_bar
    assert "is a report made by ZEBRA" in bar.text.text()
    assert not bar.verify.isHidden()
    bar.verify.click()
    settled(shared_window.jobs)
    dialog = shared_window.dialogs._verification
    assert dialog is not None
    assert bar.verify.isHidden()
    dialog.close()


def test_other_problems_offer_nothing(window, tmp_path, settled):
    (tmp_path / "a.txt").write_text("no scores here")
    window.open_paths([tmp_path / "a.txt"])
    settled(window.jobs)
    assert window.session.problems
    assert window.problem_bar.verify.isHidden()
