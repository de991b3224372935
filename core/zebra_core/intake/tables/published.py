"""Result files of evaluations: what others printed about the scores beside them, figure by figure.

The 2020 and 2022 recipes write `results.txt`, summaries, and `EER`, `Cllr`, `zebra`, `linkability_log` beside
the scores; those from 2024 on tables (`result_for_rank…`, `results_orig.txt`, CSV) and `EER`, a bare number
between 0 and 1. The reference toolkit writes `results.csv`, SpeechBrain `wer`, spkanon_eval `eer.txt`,
SA-toolkit `metric.json`. Rates of words and of emotions are read as well, to be told: nothing here computes
them again.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from msgspec import Meta

from zebra_core.evidence.value_types import MOST_ROWS, Whole
from zebra_core.files import strict_json
from zebra_core.intake.opening.opening import OpenedFile, Source, lines_of

_LARGEST = 1 << 20  # bytes; no such file comes near
_MOST_FIGURES = 20_000
_LONGEST_LINE = 1000  # characters


# One is in all of them, but a bare number.
_MARKS = (b"EER", b"Cllr", b"linkability:", b"Population:", b"WER", b"UAR", b'"eer_lower"')
# So is one of these, for which a list of trials is searched much faster.
_SIGNS = (b":", b",")
_HEADINGS = b" results ----"
_OF_SPEECHBRAIN = b"%WER "
_OF_SPKANON = b"dataset n_pairs threshold eer\n"


class FigureDefinition(Enum):
    """Which figure, by the definition of the program that prints it."""

    KALDI_EER = "kaldi-eer"  # percent
    SPEECHBRAIN_EER = "speechbrain-eer"  # percent
    SPEECHBRAIN_EER_SHARE = "speechbrain-eer-share"
    ROCCH_EER = "rocch-eer"  # percent
    CLLR = "cllr"
    MIN_CLLR = "min-cllr"
    LINKABILITY = "linkability"
    POPULATION = "population"  # D_ECE in bits
    INDIVIDUAL = "individual"  # worst case, log10 LR
    TAG = "tag"
    # Told, and not compared: of what is not here, or by definitions that are not.
    WER = "wer"  # percent
    UAR = "uar"  # of emotions, percent
    SPKANON_EER = "spkanon-eer"
    FEERCI_EER = "feerci-eer"  # percent


@dataclass(frozen=True)
class PrintedFigure:
    """One figure as it was printed, and of what; an empty text or None is not said."""

    kind: FigureDefinition
    text: str
    line: Whole
    pair: str = ""  # `ASV-ENROLS-TRIALS`, the folder of the scores
    trials: str = ""  # the set, as its key is called; of WER and UAR what keys of women and men begin with
    condition: str | None = None
    safeguard: str = ""
    is_retrained: bool | None = None  # whether the recogniser was trained on protected speech


@dataclass(frozen=True)
class PublishedResults:
    """A result file: what it prints, and how many lines nobody here understands."""

    source: Source
    sha256: str
    figures: Annotated[tuple[PrintedFigure, ...], Meta(max_length=MOST_ROWS)]
    unread_lines: Annotated[tuple[Whole, ...], Meta(max_length=MOST_ROWS)] = ()


_NUMBER = r"(\d{1,9}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?)"
_PAIR = re.compile(r"(ASV[\w^]*-\S+-\S+)(?:\s+(.*))?")
_PRINTED: tuple[tuple[re.Pattern[str], tuple[FigureDefinition, ...]], ...] = (
    (re.compile(rf"EER: {_NUMBER}\s?%"), (FigureDefinition.KALDI_EER,)),
    (re.compile(rf"ROCCH-EER: {_NUMBER}\s?%"), (FigureDefinition.ROCCH_EER,)),
    (
        re.compile(rf"Cllr \(min/act\): {_NUMBER}/{_NUMBER}"),
        (FigureDefinition.MIN_CLLR, FigureDefinition.CLLR),
    ),
    (re.compile(rf"linkability: {_NUMBER}"), (FigureDefinition.LINKABILITY,)),
    (re.compile(rf"Population: {_NUMBER} bit"), (FigureDefinition.POPULATION,)),
    (re.compile(rf"Individual: {_NUMBER} \(([0A-F])\)"), (FigureDefinition.INDIVIDUAL, FigureDefinition.TAG)),
)
_OF_OTHERS = re.compile(  # what these files print about words, pitch and voices, or as headings
    r"(?:ASR-\S+.*|%WER .*|minDCF\(.*|.*Pitch_correlation.*|De-Identification .*|.*Gain of voice .*"
    r"|(?:Weighted a|A)verage .*|\w+_(?:dev|test)_trials\w*)"
)
_HEADING = re.compile(r"---- (?:Time: \S+|(\w+(?:\^anon)?) results) ----")
_ROW = ("dataset", "split", "gender", "enrollment", "trial", "EER")
_TOOLKIT = {
    "ROCCH-EER [%]": FigureDefinition.ROCCH_EER,
    "ZEBRA Population [bit]": FigureDefinition.POPULATION,
    "ZEBRA Individual": FigureDefinition.INDIVIDUAL,
    "ZEBRA Category": FigureDefinition.TAG,
    "Cllr": FigureDefinition.CLLR,
    "min Cllr": FigureDefinition.MIN_CLLR,
}
_CONDITIONS = {("original", "original"): "OO", ("original", "anon"): "OP", ("anon", "anon"): "PP"}
_SPEECH = {"original": "OO", "anon": "PP"}
_TASKS = {"o-o": "OO", "o-a": "OP", "a-a": "PP"}


def published_in(file: OpenedFile) -> PublishedResults | None:
    """What a result file prints; None for any other file. Never raises."""
    if file.content.startswith(_OF_SPEECHBRAIN):
        return _of_speechbrain(file)
    if len(file.content) > _LARGEST or not (file.source.folders[-1] == "EER" or _has_marks(file.content)):
        return None
    try:
        lines = lines_of(file.content.decode("utf-8"))
    except UnicodeDecodeError:
        return None
    if any(len(line) > _LONGEST_LINE for line in lines):
        return None
    for read in (_bare_number, _of_others, _tables, _blocks, _comma_separated):
        found, unread = read(file, lines)
        if found and len(found) <= _MOST_FIGURES and len(unread) <= len(found):
            return PublishedResults(file.source, file.sha256, tuple(found), tuple(unread))
    return None


def _has_marks(content: bytes) -> bool:
    if content.startswith(_OF_SPKANON):
        return True
    signs = any(sign in content for sign in _SIGNS) or _HEADINGS in content
    return signs and any(mark in content for mark in _MARKS)


Found = tuple[list[PrintedFigure], list[int]]


def _bare_number(file: OpenedFile, lines: Sequence[str]) -> Found:
    """A lone number says nothing by itself, so here, and only here, the name of the file decides."""
    if len(lines) != 1 or file.source.folders[-1] != "EER" or not re.fullmatch(_NUMBER, lines[0].strip()):
        return [], []
    return [PrintedFigure(FigureDefinition.SPEECHBRAIN_EER_SHARE, lines[0].strip(), 1)], []


def _blocks(_file: OpenedFile, lines: Sequence[str]) -> Found:
    """`results.txt` and the files it is collected from; in summaries a figure follows its pair at once."""
    found: list[PrintedFigure] = []
    unread: list[int] = []
    pair = ""
    for number, line in enumerate(map(str.strip, lines), start=1):
        text = line
        if heading := _PAIR.fullmatch(line):
            pair, text = heading[1], (heading[2] or "").strip()
        if not text:
            continue
        values = _values(text)
        found += [PrintedFigure(kind, value, number, pair) for kind, value in values]
        if not values and _OF_OTHERS.fullmatch(text):
            pair = "" if text.startswith("ASR-") else pair
        elif not values:
            unread.append(number)
    return found, unread


def _values(text: str) -> list[tuple[FigureDefinition, str]]:
    for pattern, kinds in _PRINTED:
        if match := pattern.fullmatch(text):
            return list(zip(kinds, match.groups(), strict=True))
    return []


def _tables(_file: OpenedFile, lines: Sequence[str]) -> Found:
    """Tables under headings. What enrolment and trials were is read in the rows, never in a heading."""
    found: list[PrintedFigure] = []
    unread: list[int] = []
    section = ""
    columns: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=1):
        cells = tuple(line.split())
        if heading := _HEADING.fullmatch(line.strip()):
            section, columns = heading[1] or "", ()
        elif not cells or not section.startswith(("ASV", "ASR", "SER")) or {*cells} == {"mean"}:
            continue
        elif not columns:
            columns = cells
        else:
            row = dict(zip(columns, cells[-len(columns) :], strict=False))
            is_row = len(cells) - len(columns) in (0, 1)
            if not section.startswith("ASV"):
                found += _utility_row(row, number) if is_row else []
                continue
            printed = _row(row, number, _is_retrained(section)) if is_row else None
            found += [printed] if printed else []
            unread += [] if printed else [number]
    return found, unread


def _is_retrained(section: str) -> bool | None:
    if section.endswith("^anon"):
        return True
    return False if section == "ASV_eval" else None


def _comma_separated(_file: OpenedFile, lines: Sequence[str]) -> Found:
    found: list[PrintedFigure] = []
    unread: list[int] = []
    if not lines or "," not in lines[0]:
        return found, unread
    for number, row in _csv_rows(lines):
        one = _row(row, number, None)
        printed = [one] if one else _utility_row(row, number) or _toolkit_row(row, number)
        found += printed
        unread += [] if printed else [number]
    return found, unread


def _csv_rows(lines: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(lines)
    try:
        names = next(reader, [])
        for row in reader:
            if row and {*filter(None, row)} != {"mean"}:  # pandas writes names of columns in two lines
                yield reader.line_num, dict(zip(names, row, strict=False))
    except csv.Error:
        return


def _row(row: dict[str, str], line: int, is_retrained: bool | None) -> PrintedFigure | None:
    if not set(_ROW) <= row.keys() or not re.fullmatch(_NUMBER, row["EER"]):
        return None
    condition = _CONDITIONS.get((row["enrollment"], row["trial"]))
    if condition is None:
        return None
    trials = f"{row['dataset']}_{row['split']}_trials_{row['gender']}"
    return PrintedFigure(
        FigureDefinition.SPEECHBRAIN_EER,
        row["EER"],
        line,
        trials=trials,
        condition=condition,
        is_retrained=is_retrained,
    )


def _utility_row(row: dict[str, str], line: int) -> list[PrintedFigure]:
    """A rate of words or of emotions, of original or of protected speech."""
    for kind, speech in ((FigureDefinition.WER, "asr"), (FigureDefinition.UAR, "ser")):
        text, condition = row.get(kind.name, ""), _SPEECH.get(row.get(speech, ""))
        if condition and {"dataset", "split"} <= row.keys() and re.fullmatch(_NUMBER, text):
            trials = f"{row['dataset']}_{row['split']}_trials"
            return [PrintedFigure(kind, text, line, trials=trials, condition=condition)]
    return []


def _of_speechbrain(file: OpenedFile) -> PublishedResults | None:
    """The word error rate in the first line of `SET_asr[SUFFIX]/wer`; alignments follow, of any length."""
    first = file.first_line[:_LONGEST_LINE].decode("utf-8", errors="replace")
    match = re.match(rf"%WER {_NUMBER} \[ \d+ / \d+", first)
    folder = re.fullmatch(r"(.+?)_asr(.*)", file.source.folders[-2]) if len(file.source.folders) > 1 else None
    if match is None or folder is None:
        return None
    condition = "PP" if folder[2] else "OO"
    figure = PrintedFigure(
        FigureDefinition.WER, match[1], 1, trials=f"{folder[1]}_trials", condition=condition
    )
    return PublishedResults(file.source, file.sha256, (figure,))


def _of_others(file: OpenedFile, lines: Sequence[str]) -> Found:
    """spkanon_eval's `eer.txt`, a set a line; SA-toolkit's `metric.json`."""
    if file.content.startswith(_OF_SPKANON):
        rows = [(number, line.split()) for number, line in enumerate(lines[1:], start=2)]
        known = [(number, row) for number, row in rows if len(row) == 4 and re.fullmatch(_NUMBER, row[3])]
        found = [PrintedFigure(FigureDefinition.SPKANON_EER, row[3], line, row[0]) for line, row in known]
        return found, [number for number, row in rows if row and (number, row) not in known]
    if not file.content.startswith(b"{"):
        return [], []
    said = strict_json.parse_or_none(file.content)
    kinds = {"eer": FigureDefinition.FEERCI_EER, "min_cllr": FigureDefinition.MIN_CLLR}
    if not isinstance(said, dict) or not {"eer_lower", *kinds} <= said.keys():
        return [], []
    texts = {name: json.dumps(said[name]) for name in kinds}
    return [
        PrintedFigure(kind, texts[name], 1)
        for name, kind in kinds.items()
        if re.fullmatch(_NUMBER, texts[name])
    ], []


def _toolkit_row(row: dict[str, str], line: int) -> list[PrintedFigure]:
    """The toolkit's `results.csv`, which is about the test sets."""
    condition = _TASKS.get(row.get("Task", ""))
    if condition is None or not {"System", "Gender", "Dataset"} <= row.keys():
        return []
    name, common, _ = row["Dataset"].partition("_common")
    trials = f"{name}_test_trials_{row['Gender']}{common}"
    return [
        PrintedFigure(kind, row[column], line, "", trials, condition, row["System"])
        for column, kind in _TOOLKIT.items()
        if re.fullmatch("[0A-F]" if kind is FigureDefinition.TAG else _NUMBER, row.get(column, ""))
    ]
