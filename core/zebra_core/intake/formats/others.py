"""What is dropped beside scores and is of no trials: emotions, ratings, transcripts, other JSON."""

from __future__ import annotations

from zebra_core.errors import InputError
from zebra_core.intake.formats.reading import TextSample
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import column_name
from zebra_core.intake.transcript_files import is_transcript

CODES = ("recording-attributes", "ratings-dropped", "transcript-dropped", "json-dropped")
_EMOTIONS, _HEARD, _RATED = (
    frozenset(words.split())
    for words in (
        """ang hap neu sad exc fru sur fea dis oth angry happy neutral calm excited frustrated surprised
        surprise fear fearful disgust disgusted""",
        "clean original orig unprotected protected anonymized anonymised anon",
        "mos mospred utmos ovrl p808mos rating",
    )
)


def refuse_look_alikes(look: TextSample) -> None:
    """Raise InputError for two columns that would be taken for a map of speakers and surely are none."""
    if look.width != 2 or look.is_ragged:
        return
    words = {word.lower() for word in look.columns[1].words}
    file = look.text.file.name
    if len(words) > 1 and words <= _EMOTIONS:
        raise InputError("recording-attributes", file=file, found=look.columns[1].cells[0])
    if words <= _HEARD and look.columns[0].is_number:
        raise InputError("ratings-dropped", file=file)


def named(file: OpenedFile, look: TextSample) -> InputError | None:
    """The sentence for what no family of formats knows; None where it is nothing of these either."""
    head = {column_name(cell) for cell in look.text.first_line().cells}
    lasts = look.columns[-1].cells
    are_heard = 2 * sum(cell.lower() in _HEARD for cell in lasts) >= len(lasts)
    if head & _RATED or (are_heard and look.width > 1 and look.columns[-2].is_number):
        return InputError("ratings-dropped", file=file.name)
    if is_transcript(file):
        return InputError("transcript-dropped", file=file.name)
    if look.text.content.lstrip()[:1] in (b"{", b"["):
        return InputError("json-dropped", file=file.name)
    return None
