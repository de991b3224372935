"""Which files of two columns in a drop say attributes of speakers, or what a recogniser said of recordings.

A line of two words may be a segment and its speaker, a speaker and their accent, or a recording and
what a recogniser heard in it. The ids of the lists that came along tell them apart: attributes are of
speakers and of no recording; predictions are of recordings and use the words of an attribute.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from zebra_core.intake.formats.attributes import ATTRIBUTES, PREDICTIONS
from zebra_core.intake.formats.manifests import SEX
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.formats.speakers import GENDER, SEGMENT_FIRST
from zebra_core.intake.planned import FoundFile, PlannedAssessment
from zebra_core.intake.tables.table import FileRole


def told_apart(files: Sequence[FoundFile]) -> list[FoundFile]:
    """The files, with those of two columns read as what they are; a list of genders stays one."""
    lists = [file for file in files if len(file.readings) == 1 and file.pairs]
    enrolled, heard = (frozenset(pair[side] for file in lists for pair in file.pairs) for side in (0, 1))
    if not lists:
        return list(files)
    maps = _maps(files, enrolled, heard)
    speakers = enrolled.union(*(one.values.values() for one in maps)) - heard
    made = [
        _read_as(file, ATTRIBUTES)
        if file.readings == (SEGMENT_FIRST,) and _is_of_speakers(file, speakers, heard)
        else file
        for file in files
    ]
    words = {word for file in made if _says_attributes(file, speakers) for word in _words(file)}
    return [
        _read_as(file, PREDICTIONS)
        if file.readings in ((SEGMENT_FIRST,), (GENDER,), (ATTRIBUTES,))
        and file.ids & heard
        and not file.ids & speakers
        and words & _words(file)
        else file
        for file in made
    ]


def with_attributes(
    planned: Sequence[PlannedAssessment], files: Sequence[FoundFile], given: Container[Path] = ()
) -> list[PlannedAssessment]:
    """Assessments with the attributes of their speakers, and with what was predicted of their recordings.

    An attribute that all speakers share says nothing and is left, unless its file itself was given.
    Predictions belong to the only assessment of their recordings, or to those whose scores lie in their
    folder. What is read piece by piece has none.
    """
    known = [file for file in files if file.reading in (ATTRIBUTES, GENDER, SEX)]
    said = [file for file in files if file.role is FileRole.PREDICTIONS]
    found = []
    for one in planned:
        of_these = [(file, _n_values(one, file)) for file in known if not one.in_pieces]
        mine = _each_once([file for file, n in of_these if n > (file.source.path not in given)])
        fitting = [file for file in said if mine and _belongs(file, one, planned)]
        found.append(replace(one, attributes=tuple(mine), predictions=tuple(_one_for_each(mine, fitting))))
    return found


def _maps(files: Sequence[FoundFile], enrolled: frozenset[str], heard: frozenset[str]) -> list[FoundFile]:
    """The files that say who speaks in the recordings.

    Where one surely does, or recordings are called after who is enrolled, another that uses the words of an
    attribute does not: it says what a recogniser heard.
    """
    pairs = [one for one in files if one.readings[:1] == (SEGMENT_FIRST,)]
    maps = [one for one in pairs if one.ids & heard]
    sure = [one for one in maps if _is_map(one) or enrolled.intersection(one.values.values())]
    if not sure and not all(any(name.startswith(one) for one in enrolled) for name in heard):
        return maps
    people = enrolled.union(*(one.values.values() for one in sure))
    of_people = [one for one in pairs if one.ids & people and not one.ids & heard]
    words = {word for one in of_people for word in one.values.values()}
    return [one for one in maps if one in sure or not words.intersection(one.values.values())]


def _is_map(file: FoundFile) -> bool:
    """Whether each id begins with its word, as that of a segment with its speaker's."""
    return all(one.startswith(word) for one, word in file.values.items())


def _words(file: FoundFile) -> set[str]:
    """What it says, in small letters: where F and f meet, they are the same attribute, and that is told."""
    return set(map(str.casefold, file.values.values()))


def _read_as(file: FoundFile, reading: Reading) -> FoundFile:
    return replace(file, readings=(reading,), previews=((),))


def _is_of_speakers(file: FoundFile, speakers: frozenset[str], heard: frozenset[str]) -> bool:
    """Whether it knows speakers and no recording, and says of many what it says of others.

    A map of enrolled models says who they are of: by a word that their ids begin with, or that none shares.
    """
    if file.ids & heard or not file.ids & speakers:
        return False
    words = set(file.values.values())
    return not _is_map(file) and 2 * len(words) <= len(file.values) and not words & speakers


def _says_attributes(file: FoundFile, speakers: frozenset[str]) -> bool:
    return file.readings in ((ATTRIBUTES,), (GENDER,), (SEX,)) and bool(file.ids & speakers)


def _n_values(one: PlannedAssessment, file: FoundFile) -> int:
    """How many values of the attribute the speakers of these trials have.

    They are those of the map of speakers, and those in the lines that were looked at, which in a sorted list
    may all be of one value.
    """
    who = one.speakers.values if one.speakers else {}
    people = {who.get(name, name) for pair in one.scores.pairs for name in pair} | set(who.values())
    return len({file.values[name] for name in people if name in file.values})


def _each_once(files: Sequence[FoundFile]) -> list[FoundFile]:
    """Copies of one file are one."""
    return list({tuple(sorted(file.values.items())): file for file in reversed(files)}.values())[::-1]


def _belongs(said: FoundFile, one: PlannedAssessment, planned: Sequence[PlannedAssessment]) -> bool:
    of_these = [each for each in planned if said.ids & {pair[1] for pair in each.scores.pairs}]
    if len(of_these) == 1:
        return of_these[0] is one
    return one in of_these and said.source.folders[:-1] == one.scores.source.folders[:-1]


def _one_for_each(attributes: Sequence[FoundFile], said: Sequence[FoundFile]) -> list[FoundFile]:
    """The predictions of each attribute, by their words; where there are several of one, none is chosen."""
    chosen = []
    for attribute in attributes:
        fitting = [file for file in said if _words(attribute) & _words(file)]
        chosen += fitting if len(fitting) == 1 else []
    return list({file.source: file for file in chosen}.values())
