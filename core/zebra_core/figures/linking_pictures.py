"""Pictures of linking, singling out and ranks for files: of each group, beside unprotected speech."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from zebra_core.figures.all_pictures import AvailablePicture, groups_of
from zebra_core.figures.linking import PeopleCurve, people_figure, ranks_figure
from zebra_core.project.items import Entry
from zebra_core.uncertainty.reidentification import Reidentification


def pictures_of_people(
    entries: Sequence[Entry], found: Mapping[str, Reidentification]
) -> Iterator[AvailablePicture]:
    """Both curves and the distribution of ranks for each group of which anything is known.

    A curve for every number of pooled recordings that all of the group have. `found` is by the id.
    """
    for name, together in groups_of(entries):
        known = [entry for entry in together if entry.id in found]
        lengths = {length for entry in known for length in found[entry.id].lengths}
        for length in sorted(lengths):
            pooled = [entry for entry in known if length in found[entry.id].lengths]
            end = f"-{length}" if length > 1 else ""
            for curve in PeopleCurve:
                drawn = [entry for entry in pooled if curve.points(found[entry.id], length)]
                if drawn:
                    draw = partial(people_figure, drawn, found, curve, length)
                    yield AvailablePicture(f"{curve.value.upper()}{end}-{name}", drawn, draw)
        if known:
            yield AvailablePicture(f"RANKS-{name}", known, partial(ranks_figure, known, found))
