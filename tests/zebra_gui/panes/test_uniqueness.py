"""Uniqueness in the Law pane: a curve before and after, words for the rest, counted by a job once."""

import pytest

from tests.core.attribute_cases import write_before_and_after
from zebra_core.errors import Cancelled
from zebra_core.project.comparison import inference
from zebra_core.project.items import Condition
from zebra_core.project.reading.folder import project_of_folder
from zebra_gui.panes.uniqueness import PICTURE
from zebra_gui.session import work

UNTIL = {"timeout": 60_000}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unique")
    write_before_and_after(folder)
    return project_of_folder(folder).project


@pytest.fixture
def card(window, project):
    window.session.open_project(project)
    protected = next(one for one in project.entries if one.condition is Condition.PP)
    window.session.select(protected.id)
    window.workspace.show_topic("people")
    card = window.workspace.front_pane.card
    card.choose(PICTURE)
    return card


def settled(qtbot, card):
    qtbot.waitUntil(lambda: len(card.uniqueness.found(card.session.entries)) == 2, **UNTIL)
    qtbot.waitUntil(lambda: card.is_drawn and len(card.view.figure.lines) == 3, **UNTIL)


def test_true_original_and_protected_are_drawn_and_said(qtbot, card):
    settled(qtbot, card)
    assert [line.label for line in card.view.figure.lines] == [
        "true attributes",
        "inferred: unprotected OO",
        "inferred: B1 PP, lazy-informed",
    ]
    said = card.sentence.text()
    assert said.startswith("Unique by their combination of attributes (accent, age, sex): 2 of 8 people;")
    assert "As inferred from original speech: 2 of 8" in said
    assert "As inferred from protected speech: 1 of 8, 1 of them" in said
    assert not card.slider.isVisibleTo(card)
    assert not card.groups.box.isVisibleTo(card)
    card.choose("people-linkage")
    assert card.slider.isVisibleTo(card)


def test_what_is_known_is_not_counted_again(qtbot, card, monkeypatch):
    settled(qtbot, card)
    monkeypatch.setattr(inference, "trials_of", None)
    card.refresh()
    assert len(card.uniqueness.found(card.session.entries)) == 2


def test_somebody_may_stop_it(qtbot, card, monkeypatch):
    settled(qtbot, card)

    def stopped(_study, _entry, _by, _progress):
        raise Cancelled

    monkeypatch.setattr(work, "find", stopped)
    store, about = card.session.findings, ("uniqueness", card.session.selected)
    store._known.clear()
    assert store.of(*about) is None
    qtbot.waitUntil(lambda: store.failure(*about) == "Stopped.", **UNTIL)
    assert card.sentence.text() == "Stopped."


def test_why_there_is_nothing_is_said(qtbot, card, project):
    settled(qtbot, card)
    entry = card.session.selected
    sex = next(file for file in entry.files if file.name == "sex")
    before = sex.path.read_bytes()
    sex.path.write_bytes(before + b"somebody f\n")
    store, about = card.session.findings, ("uniqueness", entry)
    store._known.clear()
    try:
        card.refresh()
        qtbot.waitUntil(lambda: bool(store.failure(*about)), **UNTIL)
        assert card.sentence.text() == store.failure(*about)
    finally:
        sex.path.write_bytes(before)


def test_without_attributes_it_says_what_is_needed(demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("people")
    card = demo_window.workspace.front_pane.card
    card.choose(PICTURE)
    assert card.sentence.text().startswith("To count who shares their attributes, drop lists on the window;")
    assert not card.view.isVisibleTo(card)
