"""What evidence says of recordings: the record of how scores were made from them, whole."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.evidence.files import InputFile
from zebra_core.project.material import StudiedProject
from zebra_core.project.scoring_records import record_file


def recordings_as_json(material: StudiedProject, files: Sequence[InputFile]) -> list[dict[str, object]]:
    """`input`, the place of the record among the files, `assessments`, the places of its own, and `record`.

    The record has the recogniser, the attackers, and of each recording its SHA-256.
    """
    found: dict[int, dict[str, object]] = {}
    for place, entry in enumerate(material.project.entries):
        record, file = material.records.get(entry.id), record_file(entry)
        if record is None or file is None:
            continue
        one = found.setdefault(files.index(file), {"assessments": [], "record": record.values})
        assert isinstance(one["assessments"], list)  # noqa: S101 - made here
        one["assessments"].append(place)
    return [{"input": place, **one} for place, one in found.items()]
