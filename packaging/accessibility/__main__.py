"""Walks through every pane and dialog as a screen reader does, and tells what is wrong, in one table.

python -m accessibility [--where-possible] [--faults N]. Status 1: something is not as it should be. So
it is without the packages it needs, unless it was asked for where possible: then the reason is told, no more.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "packaging"))

import system_packages

from accessibility.judging import Judged, every, judge
from accessibility.screen import Screen

DIALOGS = (
    *("shortcuts", "about", "licences", "check", "scales", "verification", "sign", "pictures", "fault"),
    *("save", "files", "protect"),
)
MENUS = ("File", "Edit", "View", "Assess", "Export", "Help")
MOST_STOPS = 80
HEADING = ("", "controls", "plots", "tables", "Tab stops", "texts", "least contrast light", "dark", "faults")


class Walk:
    """The table, line by line."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.faults: list[str] = []
        self._lines: dict[str, dict] = {}

    def look(self, name: str, theme: str, *, inside: str = "", stops: bool = False) -> None:
        """Judge what is shown now: the active window, or a pane or a menu of the main one."""
        found = judge(list(every(self._screen.ask(f"walk {inside}"))), self._screen.pixels())
        line = self._lines.setdefault(name, {"faults": 0, "stops": ""})
        line[theme] = found
        faults = list(found.faults)
        if stops:
            visited, trouble = self._go_round()
            line["stops"] = str(visited)
            faults += trouble
        line["faults"] += len(faults)
        self.faults += [f"{name}, {theme}: {fault}" for fault in faults]

    def _go_round(self) -> tuple[int, list[str]]:
        """Press Tab until it comes back to where it began; how many stops, and what is wrong with them."""
        seen: list[str] = []
        trouble: list[str] = []
        for _ in range(MOST_STOPS):
            now = self._screen.ask("press Tab")
            if now is None:
                trouble.append(f"Tab leads nowhere after {seen[-1:]}")
                break
            key = f"{now['role']} “{now['name'][:50]}” {now.get('place')}"
            if seen and key == seen[0]:
                break
            if key in seen:
                trouble.append(f"Tab goes round without what came first: {key}")
                break
            place = now.get("place") or [0, 0, 0, 0]
            if min(place[2:]) <= 0 or place[0] < 0 or place[1] < 0:
                trouble.append(f"the focus is out of sight: {key}")
            seen.append(key)
        else:
            trouble.append("Tab never comes back")
        return len(seen), trouble

    def table(self) -> str:
        """The walk, a line for each pane and dialog."""
        rows = [HEADING]
        for name, line in self._lines.items():
            light = line.get("light") or Judged()
            dark = line.get("dark")
            rows.append(
                (
                    name, str(light.controls), str(light.plots), str(light.tables), line["stops"],
                    str(light.texts), f"{light.least:.2f}" if light.texts else "",
                    f"{dark.least:.2f}" if dark and dark.texts else "", str(line["faults"]),
                )
            )  # fmt: skip
        widths = [max(len(row[k]) for row in rows) for k in range(len(HEADING))]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        )


def walk(screen: Screen) -> Walk:
    """Everything there is, light and dark."""
    made = Walk(screen)
    for theme in ("dark", "light"):
        screen.show(f"theme {theme}")
        screen.show("start")
        made.look("start page", theme, stops=theme == "light")
        screen.show("bars")
        made.look("bars of problems and waiting files", theme, stops=theme == "light")
        screen.show("sheet")
        made.look("sheet of questions", theme, stops=theme == "light")
        screen.show("dismiss")
        screen.show("recordings")
        made.look("sheet of recordings", theme, stops=theme == "light")
        screen.show("dismiss")
    screen.show("demo")
    topics = screen.show("topics").split()
    for theme in ("light", "dark"):
        screen.show(f"theme {theme}")
        for topic in topics:
            title = screen.show(f"pane {topic}")
            made.look(title, theme, inside=title, stops=theme == "light")
        screen.show("requirement")
        made.look("form of a requirement", theme, inside=screen.show("pane people"), stops=theme == "light")
        screen.show("no_requirement")
        made.look("window with the first pane", theme)
        for name in DIALOGS:
            screen.show(f"dialog {name}")
            made.look(f"dialog: {name}", theme, stops=theme == "light")
            screen.show("close")
        for name in MENUS:
            screen.show(f"menu {name}")
            made.look(f"menu: {name}", theme, inside=name)
            screen.show("close")
    return made


def main() -> int:
    """Walk, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--where-possible", action="store_true")
    parser.add_argument("--faults", type=int, default=60, help="how many faults are told at most")
    asked = parser.parse_args()
    if packages := system_packages.missing(["run", "accessibility"]):
        print(f"The walk with a screen reader's eyes is left out: {', '.join(packages)} cannot be had here.")
        return 0 if asked.where_possible else 1
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="zebra-accessibility-") as folder:
        try:
            screen = Screen(Path(folder))
        except RuntimeError as error:
            print(f"The walk with a screen reader's eyes is left out: {error}.")
            return 0 if asked.where_possible else 1
        try:
            made = walk(screen)
        finally:
            screen.close()
    print(made.table())
    print(f"\n{len(made.faults)} faults, in {time.monotonic() - start:.0f} s")
    for fault in made.faults[: asked.faults]:
        print(f"    {fault}")
    return 1 if made.faults else 0


if __name__ == "__main__":
    sys.exit(main())
