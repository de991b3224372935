"""The keys of a drop: each read once, however many score files it belongs to, and looked up in."""

from __future__ import annotations

from threading import Lock

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.decisions import ID_MAPPINGS
from zebra_core.intake.contents import Contents
from zebra_core.intake.matching import mapping, matching
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, Pair
from zebra_core.intake.tables.table import Table
from zebra_core.runtime.cache import LastUsed
from zebra_core.runtime.progress import Progress, no_progress

_MOST_BYTES = 256 << 20  # of the files behind the tables that are kept


class KeyTables:
    """The keys of a drop, read when first needed and kept, those used last and within bounds; for threads.

    One that cannot be read is not tried again for the next score file.

    `contents` are its files that were told apart and not yet read, keys among them.
    """

    def __init__(self) -> None:
        self.contents = Contents()
        self._tables = LastUsed[Table](_MOST_BYTES)
        self._broken: dict[tuple[Source, str, str], InputError] = {}
        self._locks: dict[Source, Lock] = {}
        self._lock = Lock()

    def table(self, key: FoundFile, on_progress: Progress = no_progress) -> Table:
        """The table of a key. Raises InputError."""
        name = (key.source, key.reading.choice, key.sha256)
        with self._lock:
            reading = self._locks.setdefault(key.source, Lock())
        with reading:  # whoever comes second waits for the first instead of reading as well
            if (known := self._tables.find(name)) is not None:
                return known
            with self._lock:
                if (refusal := self._broken.get(name)) is not None:
                    raise refusal
            try:
                read = self.contents.table(key, on_progress)
            except InputError as error:
                with self._lock:
                    self._broken[name] = error
                raise
            self._tables.keep(name, read, len(read.file.content))
            return read

    def read_ahead(self, key: FoundFile, on_progress: Progress = no_progress) -> None:
        """Read a key that will be looked into, as long as there is room to keep it."""
        if key.size <= self._tables.has_room_for:
            self._sides(key, on_progress)

    def share(self, key: FoundFile, pairs: frozenset[Pair], on_progress: Progress = no_progress) -> bool:
        """Whether a key lists at least half of these pairs; of one read in pieces, any id."""
        if key.in_pieces:
            return any(a in key.ids or b in key.ids for a, b in pairs)
        sides = self._sides(key, on_progress)
        return sides is not None and 2 * matching.count_shared(sides, pairs) >= max(1, len(pairs))

    def resemble(self, key: FoundFile, pairs: frozenset[Pair], on_progress: Progress = no_progress) -> bool:
        """Whether at least half of these pairs are of ids that the key has, however they are spelt."""
        sides = self._sides(key, on_progress)
        if not sides:
            return False
        way = mapping.IdMapping(frozenset(ID_MAPPINGS))
        enrol, test = ({way(name) for name in ids.names} for ids in sides)
        return 2 * sum(way(a) in enrol and way(b) in test for a, b in pairs) >= max(1, len(pairs))

    def _sides(self, key: FoundFile, on_progress: Progress) -> matching.Sides | None:
        on_progress(0.0)
        try:
            return self.table(key).sides
        except (ZebraError, MemoryError):  # told when the assessment is made
            return None
