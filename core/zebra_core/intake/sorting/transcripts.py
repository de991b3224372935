"""Transcripts that came along: files called `text`, in Kaldi's way, which are no lists of trials.

Under another name a word for each recording may also be who speaks in it: the other files tell, or the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, Problem
from zebra_core.intake.tables.table import FileRole

NAME = "text"
_NOT_OF_TRIALS = frozenset(
    {FileRole.SPEAKERS, FileRole.ATTRIBUTES, FileRole.PREDICTIONS, FileRole.TRANSCRIPT}
)


def set_apart(
    files: Sequence[FoundFile], problems: Sequence[Problem], given: Sequence[Path]
) -> tuple[list[FoundFile], list[Problem], tuple[Source, ...]]:
    """Files and problems without the transcripts, and these; a file that was itself given is none unasked.

    Lines of words may look like a map or like nothing; what is surely of trials is no transcript.
    """

    def may_be(source: Source) -> bool:
        came_along = source.path not in given or bool(source.member)
        return came_along and source.folders[-1] == NAME

    taken = {
        *(
            file.source
            for file in files
            if file.role is FileRole.TRANSCRIPT
            or (may_be(file.source) and {reading.role for reading in file.readings} <= _NOT_OF_TRIALS)
        ),
        *(one.source for one in problems if may_be(one.source) and one.error.code == "not-recognised"),
    }
    return (
        [file for file in files if file.source not in taken],
        [one for one in problems if one.source not in taken],
        tuple(sorted(taken)),
    )


def speakers_or_words(file: FoundFile, lists: Sequence[FoundFile]) -> FoundFile:
    """The file; as a speaker map where it may be a transcript, but surely is none or not of these lists."""
    if [reading.role for reading in file.readings] != [FileRole.SPEAKERS, FileRole.TRANSCRIPT]:
        return file
    enrolled = {pair[0] for one in lists for pair in one.pairs}
    name = file.source.folders[-1].lower()
    is_map = "spk" in name or "speaker" in name or enrolled.intersection(file.values.values())
    if is_map or not any(file.ids & one.ids for one in lists):
        return replace(file, readings=file.readings[:1], previews=file.previews[:1])
    return file
