"""Transcripts of a drop that are compared by their words: with a key, where there are no scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.fusion import fold_of_each
from zebra_core.attackers.words import Texts, word_scores
from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import Finding, InputFile, Severity
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers, speaker_in
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.formats.others import ENROLLED, TESTED
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.matching import matching
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
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.spoken import normalised
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


# Scores of the trials of a key by the words of transcripts, and what is to be told of them.


SAME_TEXT_TELLS = 0.01
"""By so much the share of targets with the same text exceeds that of nontargets where it is a warning."""
_NOT_THERE = -1


@dataclass(frozen=True, eq=False)
class WordMaterial:
    """What both sides of a key say, by transcripts that may be the same, and who speaks.

    `models` says for recordings of the enrolled which model of the key they make, where `speakers` does not.
    """

    enrolled: SpeakerMap
    tested: SpeakerMap
    speakers: Speakers
    models: SpeakerMap | None = None

    def scored(self, key: Table, on_progress: Progress = no_progress) -> tuple[Table, list[Finding]]:
        """The scores of all trials of a key whose words are known, each pair once, and findings.

        A model is the texts of its recordings without those that the key tests. Raises InputError where the
        key has no ids, nobody's words are known, or it is not known who speaks.
        """
        if key.sides is None:
            raise InputError("words-key-without-ids", file=key.name)
        assert key.is_target is not None  # noqa: S101 - by its role
        sides = _Sides.of(self, *key.sides)
        rows = sides.rows_of(*key.sides)
        if not len(rows):
            facts = {"key": key.name, "found": sides.without_words(*key.sides), "file": self.tested.file.name}
            raise InputError("words-of-nobody", **facts, other=next(iter(self.tested.of)))
        is_target = key.is_target[rows]
        pairs = np.stack([ids.codes[rows] for ids in key.sides], axis=1).astype(np.int64)
        scores = sides.scores(pairs, is_target, on_progress)
        enrol, test = (Ids(np.ascontiguousarray(ids.codes[rows]), ids.names) for ids in key.sides)
        table = Table(
            self.tested.file,
            self.tested.format,
            self.tested.role,
            enrol=enrol,
            test=test,
            score=scores,
            computed_from=self._records(),
        )
        return table, [*self._findings(), *sides.findings(pairs, is_target, key.name)]

    def speaker_of(self, recording: str) -> str | None:
        """Who speaks in a recording, as far as is known."""
        found = speaker_in(self.speakers, recording)
        return found if found is not None or self.models is None else self.models.of.get(recording)

    @cached_property
    def recordings_of_models(self) -> Mapping[str, list[str]]:
        """The recordings of each model, and of each speaker, in the transcript of the enrolled."""
        found: dict[str, list[str]] = {}
        for recording in self.enrolled.of:
            of_model = self.models.of.get(recording) if self.models else None
            for name in dict.fromkeys((of_model, self.speaker_of(recording))):
                if name is not None:
                    found.setdefault(name, []).append(recording)
        return found

    def _records(self) -> tuple[InputFile, ...]:
        files = (self.tested, self.enrolled, *((self.models,) if self.models else ()))
        return tuple(record for file in dict.fromkeys(files) for record in file.records())

    def _findings(self) -> list[Finding]:
        files = (self.tested, self.enrolled, *((self.models,) if self.models else ()))
        return [finding for file in dict.fromkeys(files) for finding in file.findings()]


@dataclass(frozen=True, eq=False)
class _Sides:
    """What each id of the key says: the recordings behind it, none where its words are not known."""

    material: WordMaterial
    enrolled: tuple[tuple[str, ...], ...]
    tested: tuple[tuple[str, ...], ...]
    speakers: Mapping[str, str]  # of all recordings

    @classmethod
    def of(cls, material: WordMaterial, enrol: Ids, test: Ids) -> _Sides:
        enrolled, tested = material.enrolled.of, set(test.names)

        def recordings(name: str) -> tuple[str, ...]:
            if name in enrolled:
                return (name,)
            return tuple(one for one in material.recordings_of_models.get(name, ()) if one not in tested)

        of_tests = tuple((name,) if name in material.tested.of else () for name in test.names)
        used = {*enrolled, *(name for names in of_tests for name in names)}
        known = {name: material.speaker_of(name) for name in sorted(used)}
        unknown = [name for name, who in known.items() if who is None]
        if unknown:
            in_file = material.enrolled if unknown[0] in enrolled else material.tested
            facts = {"file": in_file.file.name, "found": unknown[0], "count": len(unknown)}
            raise InputError("words-without-speaker", **facts)
        speakers = {name: who for name, who in known.items() if who is not None}
        return cls(material, tuple(map(recordings, enrol.names)), of_tests, speakers)

    def rows_of(self, enrol: Ids, test: Ids) -> IntArray:
        """The rows of the key whose words are known on both sides, the first of each pair."""
        has = [np.array([bool(one) for one in side], np.bool_) for side in (self.enrolled, self.tested)]
        known = np.flatnonzero(has[0][enrol.codes] & has[1][test.codes])
        _, first = np.unique(matching.pairs(enrol, test)[known], return_index=True)
        return np.sort(known[first])

    def without_words(self, enrol: Ids, test: Ids) -> str:
        """The first id of the key whose words are not known."""
        sides = ((test.names, self.tested), (enrol.names, self.enrolled))
        return next(name for names, known in sides for name, one in zip(names, known, strict=True) if not one)

    def scores(self, pairs: IntArray, is_target: BoolArray, on_progress: Progress) -> FloatArray:
        """The scores of pairs of codes, learnt from the transcript of the enrolled."""
        said, heard = self.material.enrolled.of, self.material.tested.of
        enrolled = [" ".join(said[one] for one in names) for names in self.enrolled]
        tested = [" ".join(heard[one] for one in names) for names in self.tested]
        who = [self._people(self.enrolled), self._people(self.tested)]
        same = {  # whoever is enrolled as a model that is called otherwise
            who[0][left]: who[1][right] for left, right in pairs[is_target]
        }
        who[0] = [same.get(name, name) for name in who[0]]
        learnt = [same.get(self.speakers[one], self.speakers[one]) for one in said]
        everybody = sorted({*who[0], *who[1], *learnt})
        fold = dict(zip(everybody, fold_of_each(everybody), strict=True))
        sides = [
            Texts(texts, np.array([fold[name] for name in names], dtype=np.int64))
            for texts, names in ((enrolled, who[0]), (tested, who[1]), ([*said.values()], learnt))
        ]
        return word_scores(sides[0], sides[1], pairs, sides[2], on_progress)

    def _people(self, side: tuple[tuple[str, ...], ...]) -> list[str]:
        return [self.speakers[names[0]] if names else "" for names in side]

    def findings(self, pairs: IntArray, is_target: BoolArray, key: str) -> list[Finding]:
        """Of what models are made, from whom was learnt, who says nothing, and which trials share a text."""
        said, name = self.material.enrolled.of, self.material.enrolled.file.name
        learnt = {"file": name, "count": len(said), "speakers": len({self.speakers[one] for one in said})}
        found = [Finding("words-learnt", Severity.NOTE, learnt)]
        sizes = [len(self.enrolled[code]) for code in np.unique(pairs[:, 0])]
        if max(sizes) > 1:
            facts = {"key": key, "count": len(sizes), "least": min(sizes), "most": max(sizes)}
            code = "words-models-alike" if min(sizes) == max(sizes) else "words-models"
            found.append(Finding(code, Severity.NOTE, facts))
        same, silent = self._same_texts(pairs)
        if silent.any():
            facts = {"file": self.material.tested.file.name, "count": int(silent.sum())}
            found.append(Finding("words-silent", Severity.WARNING, facts))
        shares = [float(same[some].mean()) if some.any() else 0.0 for some in (is_target, ~is_target)]
        tells = shares[0] - shares[1] >= SAME_TEXT_TELLS
        facts = {
            side: f"{100.0 * share:.2f} %" for side, share in zip(("targets", "others"), shares, strict=True)
        }
        code, severity = (
            ("words-same-text-tells", Severity.WARNING) if tells else ("words-same-text", Severity.NOTE)
        )
        return [*found, Finding(code, severity, facts)]

    def _same_texts(self, pairs: IntArray) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether the text of a test is that of a recording enrolled; and whether either has no words."""
        said, heard = self.material.enrolled.of, self.material.tested.of
        codes: dict[str, int] = {"": _NOT_THERE}
        normal = {text: normalised(text) for text in {*said.values(), *heard.values()}}

        def code(text: str) -> int:
            return codes.setdefault(normal[text], len(codes))

        tested = np.array([code(heard[one[0]]) if one else _NOT_THERE for one in self.tested])
        enrolled = [[code(said[one]) for one in names] for names in self.enrolled]
        is_silent = np.array([all(one == _NOT_THERE for one in texts) for texts in enrolled])
        width = len(codes)
        there = np.array(
            [row * width + one for row, texts in enumerate(enrolled) for one in texts if one != _NOT_THERE],
            dtype=np.int64,
        )
        left, right = pairs[:, 0], tested[pairs[:, 1]]
        same = (right != _NOT_THERE) & np.isin(left * width + right, there)
        return same, is_silent[left] | (right == _NOT_THERE)
