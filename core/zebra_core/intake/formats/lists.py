"""Lists without a header: Kaldi scores and trials, combined, two columns, VoxCeleb, one score a line.

Those of ASVspoof 2019 and 2021 and of SASV, whose spoof trials are set aside and counted, and those of bob,
where a trial is target when the two speakers are one, have functions of their own.
"""

from __future__ import annotations

from dataclasses import replace

from zebra_core.intake.formats.headed import SIDES, with_words
from zebra_core.intake.formats.reading import JOINED_BY, ColumnMeaning, ColumnSample, Reading, TextSample
from zebra_core.intake.tables import table
from zebra_core.intake.tables.columns import Text
from zebra_core.intake.tables.table import FileRole

E, T, S, L = ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.SCORE, ColumnMeaning.LABEL
P, X = ColumnMeaning.PAIR, ColumnMeaning.OTHER

SCORES = Reading("kaldi-scores", FileRole.SCORES, (E, T, S))
KEY = Reading("kaldi-key", FileRole.KEY, (E, T, L))
SCORE_FIRST = Reading("score-first", FileRole.SCORES, (S, E, T))
LABEL_FIRST = Reading("label-first", FileRole.KEY, (L, E, T))
COMBINED = Reading("combined", FileRole.BOTH, (E, T, S, L))
LABEL_THEN_SCORE = Reading("label-then-score", FileRole.BOTH, (E, T, L, S))
LABEL_FIRST_SCORE_LAST = Reading("label-first-score-last", FileRole.BOTH, (L, E, T, S))
TWO_SCORE_FIRST = Reading("two-columns-score-first", FileRole.BOTH, (S, L))
TWO_LABEL_FIRST = Reading("two-columns-label-first", FileRole.BOTH, (L, S))
ALIZE = Reading("alize", FileRole.SCORES, (X, E, X, T, S))
ALIZE_TIMES = replace(ALIZE, parts=(X, E, X, T, X, X, S))
NORMED = Reading("wespeaker-normed", FileRole.BOTH, (E, T, S, L, X, X, X, X))
PAIRS = Reading("espnet-scores", FileRole.BOTH, (P, S, L))
PAIRS_SCORES = Reading("espnet-scores-alone", FileRole.SCORES, (P, S))
PAIRS_KEY = Reading("espnet-key", FileRole.KEY, (P, L))
SCORES_ALONE = Reading("scores-alone", FileRole.SCORES, (S,))
LABELS_ALONE = Reading("labels-alone", FileRole.KEY, (L,))
TARGETS = Reading("target-scores", FileRole.TARGET_SCORES, (S,))
NONTARGETS = Reading("nontarget-scores", FileRole.NONTARGET_SCORES, (S,))
SCORES_2019 = Reading("asvspoof-scores", FileRole.BOTH, (X, L, S))
KEY_2019 = Reading(
    "asvspoof-2019-key",
    FileRole.KEY,
    (E, T, X, L),
)
METADATA_2021 = Reading(
    "asvspoof-2021-metadata",
    FileRole.KEY,
    (
        E,
        T,
        X,
        X,
        X,
        L,
        X,
        X,
    ),
)

_BONAFIDE = "bonafide"
BOB_4 = Reading(
    "bob-4",
    FileRole.BOTH,
    (ColumnMeaning.CLAIMED, ColumnMeaning.REAL, T, S),
)
BOB_5 = Reading(
    "bob-5",
    FileRole.BOTH,
    (ColumnMeaning.CLAIMED, E, ColumnMeaning.REAL, T, S),
)
WITH_SIDE = Reading(
    "nist-with-side",
    FileRole.SCORES,
    (E, T, ColumnMeaning.SIDE, S),
)

KEY_WITH_SIDE = Reading("nist-key-with-side", FileRole.KEY, (E, T, ColumnMeaning.SIDE, L))
SASV = Reading("sasv-scores", FileRole.BOTH, (E, T, X, L, S))


def recognise(look: TextSample) -> list[Reading]:
    """The readings that these columns allow, the likeliest first."""
    if found := _joined(look):
        return found
    by_width = {1: _one, 2: _two, 3: _three, 4: _four, 5: _alize, 7: _alize, 8: _normed}
    return by_width[look.width](look) if look.width in by_width else []


def _joined(look: TextSample) -> list[Reading]:
    """Lists of ESPnet, whose first column has both ids in one."""
    first, *rest = look.columns
    if 2 * sum(JOINED_BY in cell for cell in first.cells) <= len(first.cells):
        return []
    if len(rest) == 2 and rest[0].is_number and rest[1].is_label:
        return [PAIRS]
    if len(rest) == 1:
        return [PAIRS_KEY] if rest[0].is_label else [PAIRS_SCORES] if rest[0].is_number else []
    return []


def _one(look: TextSample) -> list[Reading]:
    """Labels, to go with scores line by line, or scores; nobody would call nothing but 0 and 1 scores."""
    if look.columns[0].is_label:
        return [LABELS_ALONE]
    if asked := _with_unknown_words(look.text, LABELS_ALONE, look.columns[0]):
        return asked
    return [SCORES_ALONE, TARGETS, NONTARGETS] if look.columns[0].is_number else []


def _alize(look: TextSample) -> list[Reading]:
    """Sex and decision of ALIZE before the score, perhaps with where the segment begins and ends."""
    sex, _, decision, *_, score = look.columns
    is_alize = {*sex.words} <= {"M", "F"} and {*decision.words} <= {"0", "1"} and score.is_number
    return [ALIZE if look.width == len(ALIZE.parts) else ALIZE_TIMES] if is_alize else []


def _normed(look: TextSample) -> list[Reading]:
    """A list of WeSpeaker, with means and deviations of both cohorts behind the label."""
    _, _, score, label, *rest = look.columns
    is_normed = (
        score.is_real and label.is_label and not label.is_number and all(one.is_number for one in rest)
    )
    return [NORMED] if is_normed else []


def _two(look: TextSample) -> list[Reading]:
    first, second = look.columns
    found = [TWO_SCORE_FIRST] if first.is_number and second.is_label else []
    # A column with a real number among its cells is no column of labels.
    found += [TWO_LABEL_FIRST] if first.is_label and second.is_number else []
    if found:
        return found
    if first.is_real and not second.is_number:
        return _with_unknown_words(look.text, TWO_SCORE_FIRST, second)
    if second.is_real and not first.is_number:
        return _with_unknown_words(look.text, TWO_LABEL_FIRST, first)
    return []


def _three(look: TextSample) -> list[Reading]:
    first, second, third = look.columns
    found: list[Reading] = []
    if third.is_label:
        found.append(KEY)
    if third.is_number:
        found.append(SCORES)
    if not third.is_real and not third.is_label and not second.is_real:
        # Ids may be whole numbers; where all three columns are, it is for the user to say what they mean.
        found += [LABEL_FIRST] if first.is_label else []
        found += [SCORE_FIRST] if first.is_real or first.is_number_label else []
    return found or _with_unknown_words(look.text, KEY, third)


def _four(look: TextSample) -> list[Reading]:
    first, _, third, fourth = look.columns
    found = [COMBINED] if third.is_number and fourth.is_label else []
    # Labels that are 0 and 1 may be scores, too.
    found += [LABEL_THEN_SCORE] if third.is_label and fourth.is_number else []
    found += [KEY_WITH_SIDE] if {*third.words} <= SIDES and _is_label_word(fourth) else []
    if found:
        return found
    if first.is_label and fourth.is_number:
        return [LABEL_FIRST_SCORE_LAST]
    if third.is_real:
        return _with_unknown_words(look.text, COMBINED, fourth)
    return []


def _with_unknown_words(text: Text, reading: Reading, column: ColumnSample) -> list[Reading]:
    """A reading for each of two words of which neither is known, as the word for target; else none."""
    return [one for one in with_words(reading, text, column) if one.target_word is not None]


def recognise_asvspoof(look: TextSample) -> list[Reading]:
    """Recognise files by the words of these challenges: bonafide, and spoof where a key says target."""
    columns = look.columns
    if (
        look.width == 3
        and columns[2].is_number
        and _is_label_word(columns[1])
        and _is_source(columns[0], columns[1])
    ):
        return [SCORES_2019]
    if look.width == 4 and _is_label_word(columns[3]) and _is_source(columns[2], columns[3]):
        return [KEY_2019]
    if look.width == 5 and columns[4].is_number and _is_label_word(columns[3]):
        return [SASV] if _is_source(columns[2], columns[3]) else []
    if look.width == 8 and _is_label_word(columns[5]) and _is_source(columns[4], columns[5]):
        return [METADATA_2021]
    return []


def _is_label_word(column: ColumnSample) -> bool:
    return column.is_label and not column.is_number


def _is_source(source: ColumnSample, label: ColumnSample) -> bool:
    """Whether a column says where the speech came from: bona fide, or the name of an attack."""
    return _BONAFIDE in source.words or all(table.is_spoof(word) for word in label.words)


def recognise_bob(look: TextSample) -> list[Reading]:
    """Four columns may also be a NIST list with the side of the telephone call in the third."""
    *ids, score = look.columns or (None,)
    if score is None or not score.is_number or any(column.is_real for column in ids):
        return []
    if look.width == 4 and not look.columns[2].is_label:
        same = any(claimed == real for claimed, real, *_ in look.rows)
        side = set(look.columns[2].words) <= SIDES
        return [BOB_4] if same and not side else [WITH_SIDE] if side and not same else [BOB_4, WITH_SIDE]
    return [BOB_5] if look.width == 5 else []
