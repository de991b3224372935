"""Files of segment scores in a drop: which of them make the similarity matrices of one safeguard.

A score file is one of segments against segments where a speaker map knows segments on both of its sides and
no key lists its pairs, or it lies where those for matrices do. Without a map it is one where its name says a
setting, both sides list the same segments, and there is no key; then the user says how to tell who speaks.
Names say the rest (`segment_names`); what they leave open is asked, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import (
    ACROSS_RUNS,
    LEFT_OUT,
    Alternative,
    Choices,
    FoundFile,
    Plan,
    PlannedSimilarity,
    Question,
    Topic,
    setting_id,
    speakers_id,
)
from zebra_core.intake.sorting import naming
from zebra_core.intake.tables.table import FileRole
from zebra_core.wording.texts import say

# What the names of files and folders say about segment scores: the setting, the run, the safeguard.
#
# A name is cut into words at `_`, `-`, blanks and dots; capitals do not matter.
#
# - `oo`, `op`, `pp` are settings, and so are `oa`, `aa` of the VoicePrivacy evaluations, with a hyphen or
#   not;
# - `run0`, `run_0` is a run; `p0p1` is the setting PP with run 0 on the first side and run 1 on the second;
# - `scores`, `similarity`, `matrix` and the like say nothing;
# - what remains of the file's name is the safeguard; where nothing remains, it is the folder.
#
# A folder that says nothing but a setting or a run (`B2r/run0/op/scores`) counts as a part of the file's
# name.
#
# What is called after a setting below `matrices/SET` is there for matrices, whatever keys list its pairs.


MATRICES = "matrices"
"""The folder of sets whose scores are there for matrices: `matrices/SET/[SAFEGUARD/[RUN/]]scores_op.txt`."""
_MOST_FOLDERS = 4  # from there on
_SEGMENT_NAMES_SETTINGS = {"oo": "oo", "op": "op", "oa": "op", "pp": "pp", "aa": "pp"}
_SAYS_NOTHING = frozenset(
    {"score", "scores", "similarity", "similarities", "matrix", "matrices", "segment", "segments", "pairs"}
)
_ENDINGS = re.compile(r"(\.(gz|bz2|xz|txt|csv|tsv|lst|scores?|npy|npz|h5|hdf5))+$", re.IGNORECASE)
_HYPHENED = re.compile(
    r"(?<![A-Za-z0-9])([oO])-([oOpPaA])(?![A-Za-z0-9])|(?<![A-Za-z0-9])([aApP])-([aApP])(?![A-Za-z0-9])"
)
_RUN_APART = re.compile(r"(?<![A-Za-z0-9])(run)[-_ ]([0-9]+)(?![A-Za-z0-9])", re.IGNORECASE)
_RUN = re.compile(r"run([0-9]+)")
_ACROSS_RUNS = re.compile(r"p([0-9]+)p([0-9]+)")
_BETWEEN_WORDS = re.compile(r"[_\-\s.]+")


@dataclass(frozen=True)
class SegmentName:
    """What one name says. `settings` has more than one where it contradicts itself."""

    settings: frozenset[str] = frozenset()  # of "oo", "op", "pp"
    run: str = ""
    across_runs: bool = False
    rest: str = ""  # what remains, as it is written

    @property
    def says_only_where(self) -> bool:
        """Whether it names a setting or a run, and nothing else."""
        return bool(self.settings or self.run) and not self.rest

    def within(self, folder: SegmentName) -> SegmentName:
        """This name with what the folder around it adds."""
        return SegmentName(
            self.settings | folder.settings,
            self.run or folder.run,
            self.across_runs or (folder.across_runs and not self.run),
            self.rest or folder.rest,
        )


@dataclass(frozen=True)
class SegmentPlace:
    """Where a file of segment scores belongs, as far as names say it."""

    setting: str | None  # None: no name says it, or they contradict each other
    run: str
    across_runs: bool
    safeguard: str
    folder: tuple[str, ...]  # in which the files of the safeguard lie


def said_by(name: str) -> SegmentName:
    """What a name without its ending says."""
    together = _HYPHENED.sub(lambda found: found[0].replace("-", ""), name)
    together = _RUN_APART.sub(r"\1\2", together)
    settings: set[str] = set()
    rest: list[str] = []
    run, across_runs = "", False
    for word in filter(None, _BETWEEN_WORDS.split(together)):
        low = word.lower()
        if low in _SEGMENT_NAMES_SETTINGS:
            settings.add(_SEGMENT_NAMES_SETTINGS[low])
        elif across := _ACROSS_RUNS.fullmatch(low):
            settings.add("pp")
            run, across_runs = f"{across[1]}\N{EN DASH}{across[2]}", True
        elif one := _RUN.fullmatch(low):
            run = one[1]
        elif low not in _SAYS_NOTHING:
            rest.append(word)
    return SegmentName(frozenset(settings), run, across_runs, "_".join(rest))


def is_for_matrices(source: Source) -> bool:
    """Whether a file lies where scores for similarity matrices do, and is called after its setting."""
    *folders, _file = source.folders
    return MATRICES in folders[-_MOST_FOLDERS:] and segment_place(source).setting is not None


def segment_place(source: Source) -> SegmentPlace:
    """Where a file of segment scores belongs, by its own name and by those of its folders."""
    *folders, file = source.folders
    said = said_by(_ENDINGS.sub("", file))
    while folders and (around := said_by(folders[-1])).says_only_where:
        said = said.within(around)
        folders.pop()
    if not said.rest and folders:
        around = said_by(folders[-1])
        if around.settings or around.run:  # B2_op/scores, B2r_run1/op: the safeguard and where it belongs
            said = said.within(around)
            folders.pop()
    [setting] = said.settings if len(said.settings) == 1 else [None]
    safeguard = said.rest or (folders[-1] if folders else file)
    return SegmentPlace(setting, said.run, said.across_runs, safeguard, tuple(folders))


_SETTINGS = ("oo", "op", "pp")
_CHOICES = {**{setting: setting for setting in _SETTINGS}, ACROSS_RUNS: "pp"}
_GENDERS = "spk2gender"
_DATA_FOLDER = "data"  # of Kaldi: data/libri_f/utt2spk is the map of the dataset libri_f

SpokenBy = FoundFile | SpeakerRule


@dataclass(frozen=True)
class SegmentPlan:
    """What the segment scores of a drop come to. `files` are all of them, used or not."""

    files: tuple[FoundFile, ...] = ()
    similarities: tuple[PlannedSimilarity, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True)
class _Segments:
    """A file of segment scores on its way."""

    file: FoundFile
    place: SegmentPlace
    setting: str
    speakers: SpokenBy

    @property
    def who(self) -> str:
        """What tells one way to know the speakers from another."""
        return self.speakers.value if isinstance(self.speakers, SpeakerRule) else self.speakers.source.place


def plan_segments(
    files: Sequence[FoundFile], choices: Choices, has_key: Callable[[FoundFile], bool]
) -> SegmentPlan:
    """Sort out the segment scores among files with one reading each.

    `has_key` tells whether a key of the drop lists the pairs of a file: then it is assessed by that key.
    """
    sorter = _SegmentSorter(choices)
    speakers = [file for file in files if file.role is FileRole.SPEAKERS]
    genders = [file for file in speakers if file.reading.format == _GENDERS]
    maps = [file for file in speakers if file.reading.format != _GENDERS]
    scores = [file for file in files if file.role is FileRole.SCORES and file.pairs]
    mapped = []
    for file in scores:
        found = map_for(file, maps)
        if found and _knows_both(found, file) and (is_for_matrices(file.source) or not has_key(file)):
            mapped.append(file)
            sorter.add(file, found)
    alone: list[FoundFile] = []
    if not maps and not any(file.role is FileRole.KEY for file in files):
        alone = [file for file in scores if _looks_like_segments(file)]
        sorter.add_by_rule(alone)
    planned = tuple(replace(one, sex=_sex_for(one, genders)) for one in sorter.grouped())
    return SegmentPlan((*mapped, *alone), planned, tuple(sorter.questions))


def as_chosen(files: Sequence[FoundFile], choices: Choices) -> PlannedSimilarity | None:
    """What files make whose settings are chosen, whatever they are called; None where one is not."""
    chosen = {
        choices.get(setting_id(file.source), ""): file for file in files if file.role is FileRole.SCORES
    }
    if not chosen or not set(chosen) <= set(_CHOICES):
        return None
    settings = {_CHOICES[choice]: file for choice, file in chosen.items()}
    known = [file for file in files if file.role is FileRole.SPEAKERS]
    maps = [file for file in known if file.reading.format != _GENDERS]
    rules = {choices.get(speakers_id(file.source)) for file in settings.values()} - {None}
    speakers = maps[0] if maps else next((rule for rule in SpeakerRule if rule.value in rules), None)
    if speakers is None:
        return None
    sex = next((file for file in known if file.reading.format == _GENDERS), None)
    oo, op, pp = (settings.get(setting) for setting in _SETTINGS)
    return PlannedSimilarity("", oo, op, pp, speakers, sex=sex, across_runs=ACROSS_RUNS in chosen)


def segment_question(made: Plan, file: FoundFile, choices: Choices) -> Question | None:
    """What is or may be asked about a file of segment scores; None for any other file."""
    topics = (Topic.SETTING, Topic.SPEAKERS)
    asked = [one for one in made.questions if one.topic in topics and one.source == file.source]
    if asked:
        return asked[0]
    if speakers_id(file.source) in choices:
        return who_speaks(file)
    is_used = any(file in planned.settings.values() for planned in made.similarities)
    return _which_setting(file) if is_used or setting_id(file.source) in choices else None


def chosen_setting(made: Plan, file: FoundFile) -> str | None:
    """The setting that a file was taken for; None where it takes part in no matrices."""
    for planned in made.similarities:
        for setting, used in planned.settings.items():
            if used.source == file.source:
                return ACROSS_RUNS if planned.across_runs and setting == "pp" else setting
    return None


def map_for(scores: FoundFile, maps: Sequence[FoundFile]) -> FoundFile | None:
    """The speaker map that knows the most of the ids; of equals the nearest."""
    known = {file.source: len(file.ids & scores.ids) for file in maps}
    most = max(known.values(), default=0)
    if not most:
        return None
    [source, *_] = naming.nearest(scores.source, [s for s, count in known.items() if count == most])
    return next(file for file in maps if file.source == source)


@dataclass
class _SegmentSorter:
    choices: Choices
    segments: list[_Segments] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def add_by_rule(self, files: Sequence[FoundFile]) -> None:
        """Files without a map: the user says how speakers are read off the ids, once for all of them."""
        chosen = [self.choices[id_] for file in files if (id_ := speakers_id(file.source)) in self.choices]
        if files and not chosen:
            self.questions.append(who_speaks(files[0]))
        elif files and chosen[0] != LEFT_OUT:
            for file in files:
                self.add(file, SpeakerRule(chosen[0]))

    def add(self, file: FoundFile, speakers: SpokenBy) -> None:
        """A file whose segments have speakers; where nobody knows its setting, it is asked."""
        place = segment_place(file.source)
        choice = self.choices.get(setting_id(file.source))
        if choice == LEFT_OUT:
            return
        if choice in _CHOICES:
            place = replace(
                place, across_runs=choice == ACROSS_RUNS or (choice == "pp" and place.across_runs)
            )
        setting = _CHOICES.get(choice or "", place.setting)
        if setting is None:
            self.questions.append(_which_setting(file))
            return
        self.segments.append(_Segments(file, place, setting, speakers))

    def grouped(self) -> list[PlannedSimilarity]:
        """The files of each safeguard and run together, each with the original scores that belong to it."""
        self._ask_where_two_are_one()
        originals = [one for one in self.segments if one.setting == "oo"]
        protected = [one for one in self.segments if one.setting != "oo"]
        groups: dict[object, list[_Segments]] = {}
        for one in protected:
            key = one.place.folder, one.place.safeguard, one.place.run, one.who
            groups.setdefault(key, []).append(one)
        planned, used = [], set()
        for members in groups.values():
            original = _original_for(members[0], [one for one in originals if one.who == members[0].who])
            if original:
                used.add(original.file.source)
            planned.append(_planned(members[0], [*members, *([original] if original else [])]))
        alone = [one for one in originals if one.file.source not in used]
        return [*planned, *(_planned(one, [one]) for one in alone)]

    def _ask_where_two_are_one(self) -> None:
        """Two files of one setting of one run: which is it? Neither is used until somebody says."""
        same: dict[object, list[_Segments]] = {}
        for one in self.segments:
            key = one.place.folder, one.place.safeguard, one.place.run, one.setting
            same.setdefault(key, []).append(one)
        for several in same.values():
            if len(several) > 1:
                self.questions += [_which_setting(one.file) for one in several]
                self.segments = [one for one in self.segments if one not in several]


def _planned(first: _Segments, members: Sequence[_Segments]) -> PlannedSimilarity:
    found = {one.setting: one.file for one in members}
    return PlannedSimilarity(
        first.place.safeguard,
        found.get("oo"),
        found.get("op"),
        found.get("pp"),
        first.speakers,
        dataset=_dataset_of(first),
        run=first.place.run,
        across_runs=any(one.setting == "pp" and one.place.across_runs for one in members),
    )


def _original_for(one: _Segments, originals: Sequence[_Segments]) -> _Segments | None:
    """The OO file of the own folder, else of the nearest folder above, else the only one there is.

    What compares original with original knows no safeguard, so that several may share it. Copies of one
    file count as one; where several differ none is taken.
    """
    folder = one.place.folder
    for length in range(len(folder), 0, -1):
        here = [found for found in originals if found.place.folder == folder[:length]]
        own = [found for found in here if found.place.safeguard == one.place.safeguard]
        if chosen := _only(own) or _only(here):
            return chosen
    return _only(originals)


def _only(found: Sequence[_Segments]) -> _Segments | None:
    return found[0] if len({one.file.sha256 for one in found}) == 1 else None


def _dataset_of(one: _Segments) -> str:
    """The folder of the speaker map, where it is a data folder of Kaldi or lies above the safeguard's."""
    if isinstance(one.speakers, SpeakerRule):
        return ""
    folder = one.speakers.source.folders[:-1]
    above = one.place.folder[: len(folder)] == folder and len(one.place.folder) > len(folder)
    of_kaldi = len(folder) > 1 and folder[-2] == _DATA_FOLDER
    return folder[-1] if folder and (above or of_kaldi) else ""


def _sex_for(planned: PlannedSimilarity, genders: Sequence[FoundFile]) -> FoundFile | None:
    """The list of genders that lies nearest to the speaker map."""
    if not genders or isinstance(planned.speakers, SpeakerRule):
        return None
    [source, *_] = naming.nearest(planned.speakers.source, [file.source for file in genders])
    return next(file for file in genders if file.source == source)


def _knows_both(speakers: FoundFile, scores: FoundFile) -> bool:
    """Whether a map knows at least half of the sampled segments on each side; the rest will be told."""
    sides = [{pair[side] for pair in scores.pairs} for side in (0, 1)]
    return all(2 * len(names & speakers.ids) >= len(names) for names in sides)


def _looks_like_segments(file: FoundFile) -> bool:
    """Whether names say a setting, and some ids occur on both sides."""
    first, second = ({pair[side] for pair in file.pairs} for side in (0, 1))
    return segment_place(file.source).setting is not None and bool(first & second)


def _which_setting(file: FoundFile) -> Question:
    words = [(choice, say(f"question.setting-{choice}")) for choice in (*_CHOICES, LEFT_OUT)]
    return Question(Topic.SETTING, file.source, _alternatives(words))


def who_speaks(file: FoundFile) -> Question:
    """Who speaks in the segments of this file?"""
    example = min(file.ids)
    words = [
        (rule.value, say(f"question.speakers-{rule.value}", id=example, speaker=rule.speaker_of(example)))
        for rule in SpeakerRule
    ]
    none = LEFT_OUT, say(f"question.speakers-{LEFT_OUT}")
    return Question(Topic.SPEAKERS, file.source, _alternatives([*words, none]))


def _alternatives(words: Iterable[tuple[str, str]]) -> tuple[Alternative, ...]:
    return tuple(Alternative(choice, text) for choice, text in words)
