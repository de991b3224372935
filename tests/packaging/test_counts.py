"""How large the program is, by its own script."""

from counts import Counts, as_table, by_room, counts_of

SOURCE = '''"""A module."""

import math
from zebra_core.errors import InputError, ZebraError


class Value:
    """A value."""

    bits: float = 0.0

    def twice(self) -> float:
        """Twice."""
        if self.bits:
            return 2 * self.bits
        return math.nan


class Plain:
    LIMIT = 3
'''


def test_statements_are_counted_without_docstrings():
    # 2 imports, 2 classes, a field, a method, an if, 2 returns, an assignment
    assert counts_of(SOURCE) == Counts(
        files=1, lines=20, statements=10, imports=2, own_imports=1, field_classes=1
    )


def test_the_core_and_the_window_are_counted_apart_and_together():
    found = by_room([("core/a.py", SOURCE), ("core/b.py", "x = 1\n"), ("zebra_gui/c.py", "y = 1\nz = 2\n")])

    assert [found[room].statements for room in ("core", "zebra_gui", "both")] == [11, 2, 13]
    assert found["both"].files == 3


def test_the_table_names_every_count():
    table = as_table([("core", Counts(502, 84086, 44377))])

    assert (
        table.splitlines()[0] == "|  | files | lines | statements | imports | own imports | field classes |"
    )
    assert "| core | 502 | 84 086 | 44 377 | 0 | 0 | 0 |" in table
