"""Transcripts of a drop that are compared by their words: with a key, where there are no scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from zebra_core.errors import ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.formats.transcripts import ENROLLED, TESTED
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import (
    LEFT_OUT,
    NO_KEY,
    Choices,
    FoundFile,
    PlannedAssessment,
    Question,
    key_id,
    speakers_id,
)
from zebra_core.intake.sorting import naming
from zebra_core.intake.sorting.recognised import alternatives_of, found_file
from zebra_core.intake.sorting.segment_plan import map_for, who_speaks
from zebra_core.intake.tables.table import FileRole
from zebra_core.wording.texts import in_english

CANDIDATES = frozenset({"transcript-dropped", "not-recognised", "two-words"})
"""Why a file was refused that may be a transcript all the same."""
_OF_SCORES = frozenset({FileRole.SCORES, FileRole.BOTH, FileRole.TARGET_SCORES, FileRole.NONTARGET_SCORES})
_BOTH_SIDES = 2


def needs_words(files: Sequence[FoundFile]) -> bool:
    """Whether there is a key among these files, and nothing that could be its scores."""
    roles = [{reading.role for reading in file.readings} for file in files]
    return {FileRole.KEY} in roles and not any(
        of_file & _OF_SCORES and FileRole.KEY not in of_file for of_file in roles
    )


def transcripts_among(sources: Iterable[Source], files: Sequence[FoundFile]) -> list[FoundFile]:
    """Those of these files that are transcripts with ids that the keys or speaker maps have.

    Of two that both have what the keys test nobody but the user knows which is of the enrolled.
    """
    found = [one for source in sources if (one := _as_transcript(source, files)) is not None]
    tested = [one for one in found if _is_tested(one, files)]
    if len(tested) != _BOTH_SIDES:
        return found
    return [_of_either_side(one) if one in tested else one for one in found]


def _as_transcript(source: Source, files: Sequence[FoundFile]) -> FoundFile | None:
    try:
        file = found_file(recognise(open_source(source)).chosen(TESTED.choice))
    except ZebraError:
        return None  # told as it was before
    file = replace(file, alternatives=alternatives_of(file))
    known = {id_ for one in files for id_ in one.ids}
    return file if file.ids & known else None


def _of_either_side(file: FoundFile) -> FoundFile:
    both = replace(file, readings=(TESTED, ENROLLED), previews=((), ()))
    return replace(both, alternatives=alternatives_of(both))


def _is_tested(file: FoundFile, keys: Sequence[FoundFile]) -> bool:
    return any(pair[1] in file.ids for key in keys if key.role is FileRole.KEY for pair in key.pairs)


def planned_by_words(
    clear: Sequence[FoundFile],
    choices: Choices,
    which_key: Callable[[FoundFile, Sequence[FoundFile]], Question],
) -> tuple[list[PlannedAssessment], list[Question]]:
    """The assessment by words of files with one reading each, or what has to be asked before."""
    words = [file for file in clear if file.role is FileRole.TRANSCRIPT]
    keys = [file for file in clear if file.role is FileRole.KEY]
    tested = [one for one in words if one.reading == TESTED and _is_tested(one, keys)]
    if len(tested) != 1 or not keys:
        return [], []
    [scores] = tested
    chosen = choices.get(key_id(scores.source))
    if chosen == NO_KEY:
        return [], []
    fitting = [key for key in keys if chosen in (None, key.source.place) and _is_tested(scores, [key])]
    if len(fitting) != 1:
        return [], [which_key(scores, fitting)] if fitting else []
    maps = [one for one in clear if one.role is FileRole.SPEAKERS and one.reading.format != "spk2gender"]
    others = [one for one in words if one is not scores]
    return _planned(scores, fitting[0], others[0] if len(others) == 1 else None, maps, choices)


def _planned(
    scores: FoundFile,
    key: FoundFile,
    enrolled: FoundFile | None,
    maps: Sequence[FoundFile],
    choices: Choices,
) -> tuple[list[PlannedAssessment], list[Question]]:
    speakers, rule = map_for(scores, maps), choices.get(speakers_id(scores.source))
    if speakers is None and rule is None:
        return [], [who_speaks(scores)]
    if speakers is None and rule == LEFT_OUT:
        return [], []
    models = [one for one in maps if one is not speakers and one.ids & (enrolled or scores).ids]
    if enrolled and enrolled.reading != ENROLLED:
        enrolled = replace(enrolled, readings=(ENROLLED,), previews=((),))
    planned = PlannedAssessment(
        naming.name_of(scores.source),
        scores,
        key,
        speakers=speakers,
        enrolled=enrolled,
        models=models[0] if models else None,
        rule=None if speakers else SpeakerRule(rule),
    )
    return [planned], []


def named_as_words(planned: PlannedAssessment) -> PlannedAssessment:
    """An assessment with the recogniser and the back end of those who attack by words.

    Where originals are enrolled and others tested, these are protected, and nothing was learnt of that.
    """
    if not planned.is_by_words:
        return planned
    is_op = planned.enrolled is not None and _is_of_originals(planned.enrolled, planned.scores)
    return replace(
        planned,
        recogniser=in_english("attack.words"),
        back_end=in_english("attack.ngrams"),
        condition=planned.condition or ("OP" if is_op else None),
        attacker=planned.attacker or ("ignorant" if is_op else ""),
    )


def _is_of_originals(enrolled: FoundFile, tested: FoundFile) -> bool:
    """Whether both transcripts are of the same recordings: then the words of the tested were recognised."""
    return bool(enrolled.ids & tested.ids)
