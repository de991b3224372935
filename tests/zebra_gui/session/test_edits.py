"""Whatever is done with items can be undone and done again, and the selection comes back with it."""

from dataclasses import replace

import pytest

from zebra_core.intake.planned import Plan
from zebra_core.project.items import Condition
from zebra_core.project.reading.arrival import CountedWords


@pytest.fixture
def ids(demo_session):
    return [item.id for item in demo_session.items]


OPERATIONS = {
    "rename": lambda edits, ids: edits.rename(ids[1:3], "mine"),
    "rename dataset": lambda edits, _ids: edits.rename_dataset("", "libri_f"),
    "rename project": lambda edits, _ids: edits.rename_project("Case 7"),
    "shift": lambda edits, ids: edits.shift(ids[1:2], -1),
    "place": lambda edits, ids: edits.place(ids[1:3], "libri_m"),
    "duplicate": lambda edits, ids: edits.duplicate(ids[1:3]),
    "remove": lambda edits, ids: edits.remove(ids[1:3]),
    "colour": lambda edits, ids: edits.colour(ids[1:2], 5),
    "untick": lambda edits, ids: edits.tick(ids[1:3], False),
    "only these": lambda edits, ids: edits.tick_only(ids[1:2]),
    "condition": lambda edits, ids: edits.set_condition(ids[1:3], Condition.PP),
    "attacker": lambda edits, ids: edits.set_attack(ids[1:3], "attacker", "semi-informed"),
    "recogniser": lambda edits, ids: edits.set_attack(ids[1:3], "recogniser", "ECAPA"),
    "back end": lambda edits, ids: edits.set_attack(ids[1:3], "back_end", "PLDA"),
    "run": lambda edits, ids: edits.set_run(ids[1:3], "run 2"),
    "notes": lambda edits, ids: edits.note(ids[1], "look again"),
    "notes on all": lambda edits, _ids: edits.note(None, "Exhibit 3"),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_every_operation_is_undone_and_done_again(demo_session, demo, ids, operation):
    demo_session.select_items(ids[1:3], ids[2])
    operation(demo_session.edits, ids)
    changed, selected = demo_session.project, (demo_session.selected_id, demo_session.selected_ids)
    assert changed is not demo
    assert demo_session.undo_stack.undoText()
    assert set(demo_session.selected_ids) <= {item.id for item in changed.items}

    demo_session.select(ids[0])
    demo_session.undo_stack.undo()
    assert demo_session.project is demo
    assert (demo_session.selected_id, demo_session.selected_ids) == (ids[2], tuple(ids[1:3]))

    demo_session.undo_stack.redo()
    assert demo_session.project is changed
    assert (demo_session.selected_id, demo_session.selected_ids) == selected


@pytest.mark.parametrize(
    "nothing",
    [
        lambda edits, ids: edits.rename(ids[:1], "unprotected"),
        lambda edits, ids: edits.rename(ids, "  "),
        lambda edits, _ids: edits.rename_dataset("nowhere", "x"),
        lambda edits, ids: edits.shift(ids[:1], -1),
        lambda edits, _ids: edits.shift_dataset("", 1),
        lambda edits, ids: edits.place(ids, ""),
        lambda edits, ids: edits.tick(ids, True),
        lambda edits, ids: edits.set_condition(ids[1:], Condition.OP),
        lambda edits, ids: edits.set_attack(ids, "attacker", " "),
        lambda edits, ids: edits.set_attack(ids, "recogniser", " "),
        lambda edits, ids: edits.set_attack(ids, "back_end", " "),
        lambda edits, _ids: edits.remove(["nobody"]),
        lambda edits, ids: edits.note(ids[0], ""),
    ],
)
def test_what_changes_nothing_is_no_change(demo_session, demo, ids, nothing):
    before = demo_session.undo_stack.count()
    nothing(demo_session.edits, ids)

    assert demo_session.project is demo
    assert demo_session.undo_stack.count() == before


def test_ids_stay_the_same_and_copies_are_selected(demo_session, ids):
    demo_session.edits.duplicate(ids[2:3])

    assert [item.name for item in demo_session.items] == ["unprotected", "B1w", "B2", "B2 (copy)", "B2r"]
    assert [item.id for item in demo_session.items if item.id in ids] == ids
    assert demo_session.selected.name == "B2 (copy)"


@pytest.mark.parametrize(
    ("gone", "then"),
    [((0,), "B1w"), ((1, 2), "B2r"), ((2, 3), "B1w"), ((0, 1, 2, 3), None)],
)
def test_removing_selects_what_is_next(demo_session, ids, gone, then):
    demo_session.edits.remove([ids[place] for place in gone])

    assert (demo_session.selected.name if demo_session.selected else None) == then


def test_typing_notes_is_one_change(demo_session, demo, ids):
    for typed in ("l", "lo", "look"):
        demo_session.edits.note(ids[0], typed)
    demo_session.edits.note(ids[1], "other")
    demo_session.undo_stack.undo()
    assert demo_session.items[0].notes == "look"

    demo_session.undo_stack.undo()
    assert demo_session.project is demo


def test_the_texts_of_changes_say_how_many(demo_session, ids):
    demo_session.edits.remove(ids[:2])
    assert demo_session.undo_stack.undoText() == "remove 2 items"
    demo_session.edits.shift(ids[2:3], 1)
    assert demo_session.undo_stack.undoText() == "move"


def test_pictures_show_what_is_ticked_and_what_is_selected(demo_session, ids):
    demo_session.edits.tick_only(ids[1:2])
    demo_session.select(ids[3])
    assert [entry.name for entry in demo_session.shown_entries] == ["B1w", "B2r"]

    demo_session.select(None)
    assert [entry.name for entry in demo_session.shown_entries] == ["B1w"]


def test_what_is_selected_is_told_in_the_order_of_the_project(demo_session, demo, ids):
    demo_session.select_items((ids[3], ids[0], "gone"), ids[3])

    assert demo_session.selected_ids == (ids[0], ids[3])
    assert demo_session.selected is demo.entries[3]


def test_a_project_that_is_gone_takes_no_edits(demo_session, ids):
    demo_session.close()
    for operation in OPERATIONS.values():
        operation(demo_session.edits, ids)

    assert demo_session.project is None


def test_files_that_come_later_join_their_dataset(demo_session, demo, ids):
    """New items stand with those of their dataset, here with those of none."""
    demo_session.edits.place(ids[2:], "libri_f")
    new = replace(demo.entries[1], id="new")
    parts = {"answers": demo.answers, "entries": [new], "first": new, "plan": Plan(), "words": CountedWords()}
    arrival = type("Arrival", (), {**parts, "there_with_words": lambda _project: {}})
    demo_session.take_in(arrival)

    assert [item.id for item in demo_session.items] == [*ids[:2], "new", *ids[2:]]
    demo_session.edits.shift_dataset("libri_f", -1)
    assert [item.id for item in demo_session.items] == [*ids[2:], *ids[:2], "new"]
