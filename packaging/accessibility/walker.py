"""Reads what a program tells assistive technology (AT-SPI), and presses keys: JSON for each line asked.

    walk        the active window of the program, with all that can be seen in it
    walk NAME   the pane or the menu of that name in the main window
    press KEY   presses a key, say Tab; tells what has the focus afterwards

Run by the system's Python, which has the bindings, and by nothing of ours. On a session bus of its own.
"""

import json
import sys
import time
import warnings

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

warnings.simplefilter(
    "ignore", DeprecationWarning
)  # the names that stand in their place are newer than Debian 12

STATES = ("FOCUSABLE", "FOCUSED", "SHOWING", "VISIBLE", "SENSITIVE", "EDITABLE")
KEYS = {"Tab": 0xFF09, "F6": 0xFFC3, "Escape": 0xFF1B}
PARTS = ("panel", "menu", "menu item")  # docks come before menus of the same name
MOST_CHILDREN = 400  # of one part: a table of thousands of cells is told by its first
PATIENCE = 30.0  # seconds
focused = []


def on_focus(event):
    if event.detail1:
        focused.append(event.source)


def application():
    """The program, as soon as it is on the bus."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            found = desktop.get_child_at_index(number)
            if found is not None and found.get_child_count():
                return found
        listen(0.1)
    raise SystemExit("the program is not on the accessibility bus")


def listen(seconds):
    """Let events in for so long."""
    context = GLib.MainContext.default()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not context.iteration(False):
            time.sleep(0.002)


def told(node):
    """What is told of one part."""
    states = node.get_state_set()
    made = {
        "role": node.get_role_name(),
        "name": node.get_name() or "",
        "description": node.get_description() or "",
        "states": [name for name in STATES if states.contains(getattr(Atspi.StateType, name))],
    }
    if (component := node.get_component_iface()) is not None:
        place = component.get_extents(Atspi.CoordType.SCREEN)
        made["place"] = [place.x, place.y, place.width, place.height]
    if (table := node.get_table_iface()) is not None:
        made["columns"] = table.get_n_columns()
        made["rows"] = table.get_n_rows()
        headers = (table.get_column_header(column) for column in range(made["columns"]))
        made["headers"] = [header.get_name() or "" if header else "" for header in headers]
    if (text := node.get_text_iface()) is not None:
        made["text"] = text.get_text(0, min(text.get_character_count(), 4000))
    return made


def below(node, depth=6):
    """A part and all in it, down to docks."""
    yield node
    if depth:
        for number in range(node.get_child_count()):
            if (child := node.get_child_at_index(number)) is not None:
                yield from below(child, depth - 1)


def walk(node):
    """A part with all that is visible in it."""
    made = told(node)
    if "columns" in made:  # its cells are as many as the data; the headers are told
        return made | {"children": []}
    children = (node.get_child_at_index(n) for n in range(min(node.get_child_count(), MOST_CHILDREN)))
    made["children"] = [
        walk(child)
        for child in children
        if child is not None and child.get_state_set().contains(Atspi.StateType.VISIBLE)
    ]
    return made


def answer(line, program):
    """What one line asks for."""
    what, _, which = line.strip().partition(" ")
    if what == "walk":
        windows = [program.get_child_at_index(n) for n in range(program.get_child_count())]
        if not which:
            active = [one for one in windows if one.get_state_set().contains(Atspi.StateType.ACTIVE)]
            return walk(active[-1] if active else windows[-1])
        called = [one for one in below(windows[0]) if one.get_name() == which]
        return walk(next(one for role in PARTS for one in called if one.get_role_name() == role))
    focused.clear()
    Atspi.generate_keyboard_event(KEYS[which], None, Atspi.KeySynthType.SYM)
    end = time.monotonic() + 1.0
    while not focused and time.monotonic() < end:
        listen(0.01)
    listen(0.02)
    return told(focused[-1]) if focused else None


def main():
    """Answer until nobody asks any more."""
    program = application()
    listener = Atspi.EventListener.new(on_focus)
    listener.register("object:state-changed:focused")
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(line, program)), flush=True)


main()
