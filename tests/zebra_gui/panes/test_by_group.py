"""Groups of people in the Law pane: an attribute is chosen, each group has a dot, words say the rest."""

import pytest

from tests.core.group_cases import write_safeguard
from zebra_core.errors import Cancelled
from zebra_core.project.comparison import grouping
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_gui.panes.law import PICTURE
from zebra_gui.session import work

UNTIL = {"timeout": 60_000}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Two safeguards, with the sex and the region of their people."""
    folder = tmp_path_factory.mktemp("groups")
    write_safeguard(folder, "B1", (3.0, 0.1, 0.5))
    write_safeguard(folder, "B2", (0.3, 0.3, 0.3))
    lists = folder / "data/libri_test_trials_mixed"
    people = [line.split()[0] for line in (lists / "sex").read_text().splitlines()]
    (lists / "region").write_text("".join(f"{who} {'ns'[n % 2]}\n" for n, who in enumerate(people)))
    return project_of_folder(folder).project


@pytest.fixture
def card(window, project, monkeypatch):
    monkeypatch.setattr(work, "BootstrapSettings", lambda: BootstrapSettings(60))
    window.session.open_project(project)
    window.session.select(project.entries[0].id)
    window.workspace.show_topic("people")
    card = window.workspace.front_pane.card
    card.choose(PICTURE)
    return card


def choose(card, attribute):
    box = card.groups.box
    box.setCurrentIndex(box.findData(attribute))
    box.activated.emit(box.currentIndex())


def test_an_attribute_is_chosen_and_each_group_has_a_dot(qtbot, card):
    assert [card.groups.box.itemData(k) for k in range(card.groups.box.count())] == ["region", "sex"]
    assert card.groups.box.isVisibleTo(card)
    assert not card.slider.isVisibleTo(card)
    choose(card, "sex")
    qtbot.waitUntil(lambda: card.is_drawn and "by group (sex)" in card.heading.text(), **UNTIL)
    qtbot.waitUntil(lambda: card.is_drawn and len(card.view.figure.points) == 4, **UNTIL)
    said = card.sentence.text()
    assert said.startswith("B1 protects “female” less than “male” (sex) under this attack: 0.")
    assert "female: 10 people; D_ECE 0." in said
    assert "other (2)" in said
    number = 0
    name = card.view.figure.points[0].names[number]
    assert name == "B1 PP, lazy-informed; female (10)"
    assert card._read_out(card.view.figure.points[0], number).startswith(f"{name}: 0.")


def test_a_dot_is_of_many_so_that_nobody_is_selected(qtbot, card):
    choose(card, "sex")
    qtbot.waitUntil(lambda: card.is_drawn and bool(card.view.figure.points), **UNTIL)
    card.view.picked.emit(card.view.figure.points[0].names[0])
    assert card.session.speaker is None


def test_other_pictures_have_their_choices_back(card):
    card.choose("people-linkage")
    assert not card.groups.box.isVisibleTo(card)
    assert card.slider.isVisibleTo(card)


def test_what_is_known_is_not_looked_for_again(qtbot, card, monkeypatch):
    choose(card, "sex")
    qtbot.waitUntil(lambda: len(card.groups.found(card.session.entries)) == 2, **UNTIL)
    monkeypatch.setattr(grouping, "trials_of", None)
    choose(card, "sex")
    assert len(card.groups.found(card.session.entries)) == 2


def test_somebody_may_stop_it(qtbot, card, monkeypatch):
    def stopped(_study, _entry, _attribute, _progress):
        raise Cancelled

    monkeypatch.setattr(work, "find", stopped)
    store, about = card.session.findings, ("by_group", card.session.entries[1], "region")
    store._known.clear()
    assert store.of(*about) is None
    qtbot.waitUntil(lambda: store.failure(*about) == "Stopped.", **UNTIL)


def test_without_an_attribute_it_says_what_is_needed(qtbot, demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("people")
    card = demo_window.workspace.front_pane.card
    card.choose(PICTURE)
    assert card.sentence.text().startswith("To compare groups of people, drop a list on the window")
    assert not card.groups.box.isEnabled()
    assert not card.view.isVisibleTo(card)


def test_why_there_is_nothing_is_said(qtbot, card, project):
    entry = project.entries[0]
    sex = next(file for file in entry.files if file.name == "sex")
    before = sex.path.read_bytes()
    sex.path.write_bytes(before + b"somebody female\n")
    store, about = card.session.findings, ("by_group", entry, "sex")
    store._known.clear()
    try:
        choose(card, "sex")
        qtbot.waitUntil(lambda: bool(store.failure(*about)), **UNTIL)
        assert "sex" in store.failure(*about)
        assert card.sentence.text() == store.failure(*about)
    finally:
        sex.path.write_bytes(before)
