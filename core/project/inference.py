"""What is told of attributes of the speakers of an assessment: by its scores, and by guesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.intake.attribute_files import pairs_of
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.tables.columns import read_text
from zebra_core.intake.tables.table import Role
from zebra_core.project.items import Entry
from zebra_core.project.reading import trials_of
from zebra_core.project.speaker_study import speakers_of_entry
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.inference import AttributePairs, Guesses
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import Inference, Told, inference, similarity_inference
from zebra_core.wording.digits import rounded
from zebra_core.wording.texts import say, visible


@dataclass(frozen=True, eq=False)
class Labels:
    """A file of two columns as it was read: the value of each id."""

    of: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class OfAttribute:
    """What is told of one attribute: `similarity` by the scores alone, `recogniser` by what one guessed.

    None where nothing can be said, for a reason among the remarks, or where no guesses were brought along.
    Its name is that of its file, which may lie under another one when this is computed again.
    """

    values: tuple[str, ...]  # of the speakers of these trials, ascending
    n_speakers: int  # who are heard or enrolled, and whose attribute is known
    similarity: Told | None
    recogniser: Inference | None
    remarks: tuple[str, ...] = ()

    def as_json(self, name: str) -> dict[str, object]:
        """As `zebra assess --json` and the evidence have it; the keys and their order are a promise."""
        return {
            "attribute": name,
            "values": list(self.values),
            "speakers": self.n_speakers,
            "similarity_bits": self.similarity.as_json() if self.similarity else None,
            "recogniser": self.recogniser.as_json() if self.recogniser else None,
            "remarks": list(self.remarks),
        }

    def in_words(self, name: str) -> str:
        """A sentence or two: what is told, and what would be told without any listening."""
        said = []
        if self.similarity:
            said.append(
                say(
                    "inference.similarity",
                    name=visible(name, 60),
                    bits=_bits(self.similarity.value),
                    between=_between(self.similarity, _bits),
                    low=_bits(self.similarity.undisclosed[0]),
                    high=_bits(self.similarity.undisclosed[1]),
                )
            )
        if self.recogniser:
            recall = self.recogniser.unweighted_average_recall
            said.append(
                say(
                    "inference.recogniser",
                    name=visible(name, 60),
                    share=_of_hundred(recall.value),
                    between=_between(recall, _of_hundred),
                    chance=_of_hundred(recall.chance),
                    bits=_bits(self.recogniser.mutual_information_bits.value),
                )
            )
        return " ".join([*said, *(f"{visible(name, 60)}: {remark}" for remark in self.remarks)])


def inference_of(
    entry: Entry,
    settings: BootstrapSettings | None = None,
    *,
    trials: Trials | None = None,
    on_progress: Progress = no_progress,
) -> tuple[OfAttribute, ...]:
    """What is told of each attribute that is among the files of an assessment; none where there is none.

    Raises InputError where a file has changed, or where trials name neither enrolments nor recordings.
    """
    attributes, said = (
        [_read(entry, file.path, file.member, file.sha256) for file in entry.files if file.role == role.value]
        for role in (Role.ATTRIBUTES, Role.PREDICTIONS)
    )
    if not attributes:
        return ()
    read = trials_of(entry, part_of(on_progress, 0.0, 0.3)) if trials is None else trials
    rest = part_of(on_progress, 0.3, 1.0)
    return inferred(read, attributes, said, speakers_of_entry(entry), settings, rest)


def inferred(
    trials: Trials,
    attributes: Sequence[Labels],
    said: Sequence[Labels],
    utt2spk: Mapping[str, str] | None = None,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> tuple[OfAttribute, ...]:
    """The same of trials and labels in memory: one for each attribute, in their order.

    Guesses belong to the attribute most of whose words they use. Raises InputError as above.
    """
    named = with_people(trials, utt2spk)
    spoken = _spoken(named, utt2spk)
    found = []
    for number, labels in enumerate(attributes):
        on_progress(number / len(attributes))
        guesses = [one for one in said if attributes[_of_which(one, attributes)] is labels]
        found.append(_told(named, labels, guesses, spoken, settings))
    on_progress(1.0)
    return tuple(found)


def names_of_attributes(entry: Entry) -> list[str]:
    """What the attributes of an assessment are called, in the order of `inference_of`: as their files."""
    return [file.name for file in entry.files if file.role == Role.ATTRIBUTES.value]


def as_json(entry: Entry, found: Sequence[OfAttribute]) -> list[dict[str, object]] | None:
    """What was found of an assessment, as its evidence has it; None where there is nothing."""
    if not found:
        return None
    named = zip(found, names_of_attributes(entry), strict=True)
    return [each.as_json(name) for each, name in named]


def in_words(entry: Entry, found: Sequence[OfAttribute]) -> tuple[str, ...]:
    """The same in sentences, one for each attribute."""
    named = zip(found, names_of_attributes(entry), strict=True)
    return tuple(each.in_words(name) for each, name in named)


def read_labels(path: Path) -> Labels:
    """Labels in a file of two columns. Raises InputError, which names file and line."""
    opened = open_source(Source(path))
    return Labels(pairs_of(read_text(opened))[0])


def _read(entry: Entry, path: Path, member: str, sha256: str) -> Labels:
    may = unpacking_answer(path, entry.choices) == YES
    opened = open_source(Source(path, member, may))
    if opened.sha256 != sha256:
        raise InputError("changed", file=opened.name)
    return Labels(pairs_of(read_text(opened))[0])


def _spoken(named: SpeakerTrials, utt2spk: Mapping[str, str] | None) -> dict[str, str]:
    """Who speaks in each recording, as far as the map or the trials say."""
    known = dict(utt2spk or {})
    for code, name in enumerate(named.test.names):
        who = named.speaker_of_test[code]
        if who != NOBODY_KNOWN:
            known.setdefault(name, named.speakers[int(who)])
    return known


def _of_which(said: Labels, attributes: Sequence[Labels]) -> int:
    words = set(said.of.values())
    return max(range(len(attributes)), key=lambda k: (len(words & set(attributes[k].of.values())), -k))


def _told(
    named: SpeakerTrials,
    labels: Labels,
    guesses: Sequence[Labels],
    spoken: Mapping[str, str],
    settings: BootstrapSettings | None,
) -> OfAttribute:
    remarks: list[str] = []
    similarity = recogniser = None
    try:
        pairs = AttributePairs.of(named, labels.of)
        similarity = similarity_inference(pairs, settings)
    except InputError as error:
        remarks.append(str(error))
    if len(guesses) > 1:
        remarks.append(say("inference.several", count=len(guesses)))
    elif guesses:
        try:
            recogniser = inference(Guesses.of(guesses[0].of, labels.of, spoken), settings)
        except InputError as error:
            remarks.append(str(error))
    there = [labels.of[name] for name in named.speakers if name in labels.of]
    return OfAttribute(tuple(sorted(set(there))), len(there), similarity, recogniser, tuple(remarks))


def _between(told: Told, word: Callable[[float], str]) -> str:
    if told.interval is None:
        return ""
    return say("people.between", low=word(told.interval.low), high=word(told.interval.high))


def _bits(value: float) -> str:
    return rounded(value, 2)


def _of_hundred(share: float) -> str:
    return rounded(100.0 * share, 0)
