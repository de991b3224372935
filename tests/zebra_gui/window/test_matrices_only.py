"""A project of matrices only: what is open is selected, and what was selected is so again."""

from dataclasses import replace

import pytest

from zebra_core.document.project_file import save_project
from zebra_core.project.demo import demo_project


@pytest.fixture(scope="module")
def matrices():
    made = demo_project()
    return made.without(entry.id for entry in made.entries)


@pytest.fixture
def file(tmp_path, matrices):
    save_project(replace(matrices, title="voices"), tmp_path / "voices.zebra")
    return tmp_path / "voices.zebra"


def test_the_first_is_selected_on_opening_so_that_it_can_be_asked_about_and_removed(window, file, settled):
    window.open_paths([file])
    settled(window.jobs)
    assert window.session.selected_item.name == "B1w"
    assert window.assess_menu.trust_action.isEnabled()
    assert window.edit_menu.remove_action.isEnabled()


def test_a_case_of_matrices_opens_where_they_are_shown(window, qtbot, matrices):
    window.session.open_project(replace(matrices, title="voices"))
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.front_pane.topic == "similarity"


def test_a_selected_matrix_is_kept_by_the_saved_view(window, file, settled):
    window.open_paths([file])
    settled(window.jobs)
    window.session.select(window.session.items[1].id)
    window.documents.save()
    settled(window.jobs)
    window.documents.close()
    window.open_paths([file])
    settled(window.jobs)
    assert window.session.selected_item.name == "B2"
