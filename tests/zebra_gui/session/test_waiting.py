"""After an error in one file of a pair the window asks for that file, not for the one that was in order."""

import pytest


@pytest.mark.parametrize("order", ["together", "scores first", "key first"])
def test_after_an_error_in_the_scores_the_window_asks_for_scores(
    window, settled, drop, bad_scores, key, order
):
    parts = {
        "together": [[bad_scores, key]],
        "scores first": [[bad_scores], [key]],
        "key first": [[key], [bad_scores]],
    }
    for part in parts[order]:
        drop(window, *part)
        settled(window.jobs)

    assert "zero" in window.problem_bar.text.text()
    assert window.start_page.invitation.text() == "Now drop the score files"
    assert window.waiting_bar.text.text().startswith("A key waiting for its scores")


def test_the_right_scores_are_then_all_that_is_needed(window, settled, drop, bad_scores, key, scores):
    for part in ([bad_scores], [key], [scores["B2"]]):
        drop(window, *part)
        settled(window.jobs)
    assert len(window.session.entries) == 1
    assert not window.waiting_bar.isVisible()
