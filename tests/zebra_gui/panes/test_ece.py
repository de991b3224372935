"""The ECE pane draws what the session holds, when it can be seen."""

import pytest

from zebra_gui.panes.pane import EcePane


@pytest.fixture
def pane(qtbot, demo_session):
    pane = EcePane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(700, 500)
    return pane


def labels(pane):
    return [item.text for item in pane.figure_cards()[0].view.legend.items]


def test_it_draws_every_entry(pane):
    pane.show()

    assert labels(pane) == [
        "perfect privacy (0, 0, 0)",
        "unprotected OO (0.678, 3.88, C)",
        "B1w OP (0.037, 0.94, A)",
        "B2 OP (0.205, 2.39, C)",
        "B2r OP (0.214, 2.39, C)",
    ]


def test_nothing_is_drawn_out_of_sight_and_all_of_it_once_seen(pane, demo_session):
    demo_session.edits.rename([demo_session.selected.id], "mine")
    assert labels(pane) == []

    pane.show()
    assert "mine OP (0.205, 2.39, C)" in labels(pane)

    pane.hide()
    demo_session.edits.rename([demo_session.selected.id], "other")
    assert "mine OP (0.205, 2.39, C)" in labels(pane)
    pane.show()
    assert "other OP (0.205, 2.39, C)" in labels(pane)


def test_what_was_closed_is_gone_from_the_pane(pane, demo_session):
    pane.show()
    assert len(labels(pane)) == 5
    demo_session.close()
    assert labels(pane) == []
