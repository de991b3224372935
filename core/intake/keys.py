"""The keys of a drop: read when first needed, once, to find out which scores they belong to."""

from __future__ import annotations

from core.errors import ZebraError
from core.intake import mapping, matching
from core.intake.decisions import ID_MAPPINGS
from core.intake.opening import Source, open_source
from core.intake.planned import FoundFile, Pair
from core.intake.recognising import recognise
from core.intake.tables import SpeakerMap, Table
from core.progress import Progress, no_progress, part_of


def read_found(file: FoundFile, on_progress: Progress = no_progress) -> Table | SpeakerMap:
    """Read a file of a drop by its likeliest reading. Raises InputError."""
    found = recognise(open_source(file.source, part_of(on_progress, 0.0, 0.3)))
    return found.read(part_of(on_progress, 0.3, 1.0), file.reading)


def table_of(file: FoundFile, on_progress: Progress = no_progress) -> Table:
    """The same for what is read as a table."""
    found = read_found(file, on_progress)
    assert isinstance(found, Table)  # noqa: S101 - its role says so
    return found


class KeyTables:
    """The keys of a drop, read when first needed, to look pairs up in."""

    def __init__(self, on_progress: Progress) -> None:
        self._tables: dict[Source, Table | None] = {}
        self._on_progress = on_progress

    def share(self, key: FoundFile, pairs: frozenset[Pair]) -> bool:
        """Whether a key lists at least half of these pairs."""
        sides = self._sides(key)
        return sides is not None and 2 * matching.count_shared(sides, pairs) >= max(1, len(pairs))

    def resemble(self, key: FoundFile, pairs: frozenset[Pair]) -> bool:
        """Whether at least half of these pairs are of ids that the key has, however they are spelt."""
        sides = self._sides(key)
        if not sides:
            return False
        way = mapping.IdMapping(frozenset(ID_MAPPINGS))
        enrol, test = ({way(name) for name in ids.names} for ids in sides)
        return 2 * sum(way(a) in enrol and way(b) in test for a, b in pairs) >= max(1, len(pairs))

    def _sides(self, key: FoundFile) -> matching.Sides | None:
        if key.source not in self._tables:
            self._tables[key.source] = self._read(key)
        table = self._tables[key.source]
        return table.sides if table else None

    def _read(self, key: FoundFile) -> Table | None:
        self._on_progress(0.0)
        try:
            return table_of(key)
        except ZebraError:  # told when the assessment is made
            return None
