"""What stands in which menu: recordings have one of their own, and reports are verified from File."""

from itertools import groupby

import pytest


def parts(menu):
    """The entries between separators."""
    grouped = groupby(menu.actions(), key=lambda action: action.isSeparator())
    return [[action.text().replace("&", "") for action in part] for is_line, part in grouped if not is_line]


def test_recordings_have_a_menu_of_their_own(window):
    assert parts(window.recordings_menu) == [
        ["Assess recordings…", "Demo from recordings"],
        ["Controls…"],
        ["New listening test…", "Take a listening test…"],
        ["Keep voices inside the file"],
    ]


def test_file_is_about_files_in_parts_of_at_most_five(window):
    found = parts(window.file_menu)
    assert [part[0] for part in found] == [
        "Open…",
        "Save",
        "Keep the scores inside the file",
        "Verify a report…",
        "Close",
    ]
    assert max(map(len, found)) <= 5


def test_what_checks_the_installation_does_not_share_its_words(window):
    assert parts(window.help_menu) == [
        ["Manual", "Calibration in six cases", "Keyboard shortcuts"],
        ["Check this installation…", "Make the validation dossier…"],
        ["Cite ZEBRA…", "About ZEBRA"],
    ]


def test_recordings_are_assessed_from_the_menu(window, answers, settled):
    import zebra_resources

    answers["recordings to assess"] = zebra_resources.path("recordings")
    window.recordings.open.trigger()
    settled(window.jobs)
    assert window.recordings.is_shown


@pytest.mark.parametrize("words", ["score", "recordings"])
def test_the_title_of_the_dialog_for_a_folder_names_what_may_be_in_it(window, words):
    assert words in window.dialogs._folders()["files to open"]


def test_the_menu_of_the_tree_is_in_parts_and_has_nothing_twice(demo_window):
    tree = demo_window.workspace.evidence.tree
    grouped = groupby(tree.actions(), key=lambda action: action.isSeparator())
    found = [[action.text().replace("&", "") for action in part] for is_line, part in grouped if not is_line]
    assert [part[0] for part in found] == [
        "Rename",
        "Take in",
        "Condition",
        "Notes",
        "Read changed files again",
    ]
    inside = [a.text() for action in tree.actions() if action.menu() for a in action.menu().actions()]
    entries = [text for part in found for text in part]
    assert len(entries) == len(set(entries))
    assert {"&Show", "&Only these"}.isdisjoint(inside)


def test_another_language_is_promised_where_one_looks_after_a_choice(window):
    menu = window.view_menu.languages
    menu.aboutToShow.emit()
    try:
        next(action for action in menu.actions() if action.text() == "Deutsch").trigger()
        assert window.statusBar().currentMessage() == "ZEBRA speaks Deutsch when it is next started."
    finally:
        menu.actions()[0].trigger()
    assert "the language of the system" in window.statusBar().currentMessage()
