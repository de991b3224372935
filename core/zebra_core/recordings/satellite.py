"""What projects, their files, reports and verifying ask where scores were made from recordings."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.evidence.audit import InputFile
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.satellites import Provenance, record_file
from zebra_core.recordings.pseudonymised import names_in, under_codes
from zebra_core.recordings.section import (
    attack_of,
    from_recordings,
    limits_of_recordings,
    read_record,
    real_voices,
    scores_again,
)
from zebra_core.recordings.verification import checked_recordings
from zebra_core.recordings.voices import voices_as_member, voices_of


def _evidence(material: StudiedProject, files: Sequence[InputFile]) -> list[dict[str, object]]:
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


PROVENANCE = Provenance(
    read=read_record,
    attack_of=attack_of,
    names_in=names_in,
    under_codes=under_codes,
    voices_as_member=voices_as_member,
    voices_of=voices_of,
    alarms=real_voices,
    section=from_recordings,
    limits=limits_of_recordings,
    appendix=scores_again,
    evidence=_evidence,
    checked=checked_recordings,
)
