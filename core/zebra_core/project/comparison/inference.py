"""Reading the attributes that came with an assessment, and what its scores and guesses tell of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import InputFile, Remark, and_more
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.intake.formats.attributes import pairs_of
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.tables.columns import read_text
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.attributes import (
    AttributeInference,
    names_of_attributes,
)
from zebra_core.project.by_group import attribute_name, means_attribute
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import speakers_of_entry, spoken_by, trials_of
from zebra_core.project.uniqueness import InferredCombinations, Uniqueness
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.inference import AttributePairs, Guesses
from zebra_core.speakers.uniqueness import (
    MOST_ATTRIBUTES,
    Combinations,
    InferredValues,
    class_sizes,
    codes_of,
    most_guessed,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import inference, similarity_inference
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS
from zebra_core.wording.texts import listed, say

_MOST_NAMED = 5  # values of which there are few speakers


@dataclass(frozen=True, eq=False)
class Labels:
    """A file of two columns as it was read: the value of each id."""

    of: Mapping[str, str]


NamedLabels = tuple[str, Labels]
"""An attribute: the name of its file, and the value of each person."""


def inference_of(
    entry: Entry,
    settings: BootstrapSettings | None = None,
    *,
    given: Sequence[NamedLabels] = (),
    trials: Trials | None = None,
    on_progress: Progress = no_progress,
) -> tuple[AttributeInference, ...]:
    """What is told of each attribute that is given or, without any, among the files of an assessment.

    Raises InputError where a file has changed, or where trials name neither enrolments nor recordings.
    """
    attributes = [labels for _, labels in attributes_of(entry, given)]
    if not attributes:
        return ()
    said = labels_of(entry, FileRole.PREDICTIONS)
    read = trials_of(entry, part_of(on_progress, 0.0, 0.3)) if trials is None else trials
    rest = part_of(on_progress, 0.3, 1.0)
    return inferred(read, attributes, said, speakers_of_entry(entry), settings, rest)


def labels_of(entry: Entry, role: FileRole) -> list[Labels]:
    """The attributes, or the predictions, among the files of an assessment. Raises InputError as above."""
    return [_read(entry, file) for file in entry.files if file.role == role.value]


def inferred(
    trials: Trials,
    attributes: Sequence[Labels],
    said: Sequence[Labels],
    utt2spk: Mapping[str, str] | None = None,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> tuple[AttributeInference, ...]:
    """What trials and labels in memory tell of each attribute, in the order of the attributes.

    Guesses belong to the attribute most of whose words they use. Raises InputError as above.
    """
    named = with_people(trials, utt2spk)
    spoken = spoken_by(named, utt2spk)
    found = []
    for number, labels in enumerate(attributes):
        on_progress(number / len(attributes))
        guesses = said_of(labels, attributes, said)
        found.append(_attribute_inference(named, labels, guesses, spoken, settings))
    on_progress(1.0)
    return tuple(found)


def attributes_of(entry: Entry, given: Sequence[NamedLabels] = ()) -> list[NamedLabels]:
    """The attributes that are given or, without any, those among the files of an assessment.

    Raises InputError where a file has changed.
    """
    if given:
        return list(given)
    return list(zip(names_of_attributes(entry), labels_of(entry, FileRole.ATTRIBUTES), strict=True))


def attribute_called(
    attribute: str, known: Sequence[NamedLabels], entries: Sequence[Entry] = ()
) -> NamedLabels:
    """The attribute of this name. Raises InputError where there is none, with the names that there are.

    Or with the value that everybody in one of these entries has by a list beside its files.
    """
    for name, labels in known:
        if means_attribute(attribute, name):
            return name, labels
    for entry in entries:
        _refuse_one_value(entry, attribute)
    if not known:
        raise InputError("by-group-no-attributes", found=attribute)
    names = [attribute_name(name) for name, _ in known]
    raise InputError("by-group-unknown", found=attribute, known=listed(names))


def _refuse_one_value(entry: Entry, attribute: str) -> None:
    """Raise InputError where a list beside the files says the same of everybody: it was left for that."""
    try:
        folders = {file.path.parent for file in entry.files}
        lists = [path for one in folders for path in one.iterdir() if means_attribute(attribute, path.name)]
        people = with_people(trials_of(entry), speakers_of_entry(entry)).speakers if lists else ()
        named = [(path.name, read_labels(path).of) for path in sorted(lists)]
    except (InputError, OSError):  # nothing can be said of what cannot be read
        return
    for name, of in named:
        values = {of[person] for person in people if person in of}
        if len(values) == 1:
            facts = {"attribute": attribute, "value": values.pop(), "file": name}
            raise InputError("by-group-one-value", **facts)


def guesses_of(entry: Entry, attribute: str, trials: Trials) -> Guesses:
    """What a recogniser said of an attribute, which is called as its file is.

    Raises InputError where there is no attribute or no recogniser of this name, or several recognisers.
    """
    attributes, said = attributes_of(entry), labels_of(entry, FileRole.PREDICTIONS)
    _, labels = attribute_called(attribute, attributes, [entry])
    if len(values := set(labels.of.values())) == 1:
        raise InputError("inference-one-value", found=values.pop())
    guesses = said_of(labels, [one for _, one in attributes], said)
    if len(guesses) != 1:
        raise InputError("attribute-guesses", found=attribute, several=len(guesses))
    known = speakers_of_entry(entry)
    return Guesses.of(guesses[0].of, labels.of, spoken_by(with_people(trials, known), known))


def said_of(labels: Labels, attributes: Sequence[Labels], said: Sequence[Labels]) -> list[Labels]:
    """Those predictions that are of this one of the attributes: most of whose words they use."""
    return [one for one in said if attributes[_of_which(one, attributes)] is labels]


def read_labels(path: Path) -> Labels:
    """Labels in a file of two columns. Raises InputError, which names file and line."""
    opened = open_source(Source(path))
    return Labels(pairs_of(read_text(opened))[0])


def _read(entry: Entry, file: InputFile) -> Labels:
    may = unpacking_answer(file.path, entry.choices) == YES
    opened = open_source(Source(file.path, file.member, may))
    if opened.sha256 != file.sha256:
        raise InputError("changed", file=opened.name)
    return Labels(pairs_of(read_text(opened))[0])


def _of_which(said: Labels, attributes: Sequence[Labels]) -> int:
    words = [set(map(str.casefold, labels.of.values())) for labels in (said, *attributes)]
    return max(range(len(attributes)), key=lambda k: (len(words[0] & words[k + 1]), -k))


def otherwise_in_case(said: Labels, labels: Labels) -> list[str]:
    """A sentence where guesses use a word of the attribute in other letters, as F for f."""
    known = {word.casefold(): word for word in labels.of.values()}
    others = sorted(set(said.of.values()) - set(known.values()))
    found = next((word for word in others if word.casefold() in known), None)
    return [say("inference.case", found=found, known=known[found.casefold()])] if found else []


def _attribute_inference(
    named: SpeakerTrials,
    labels: Labels,
    guesses: Sequence[Labels],
    spoken: Mapping[str, str],
    settings: BootstrapSettings | None,
) -> AttributeInference:
    there = [labels.of[name] for name in named.speakers if name in labels.of]
    if not there:
        return AttributeInference((), 0, None, None, (_of_others(named, labels),))
    remarks: list[str] = []
    similarity = recogniser = None
    try:
        pairs = AttributePairs.of(named, labels.of)
        similarity = similarity_inference(pairs, settings)
    except InputError as error:
        remarks.append(str(error))
    if len(guesses) > 1:
        remarks.append(say("inference.several", count=len(guesses)))
    elif guesses and (otherwise := otherwise_in_case(guesses[0], labels)):
        remarks += otherwise
    elif guesses:
        try:
            recogniser = inference(Guesses.of(guesses[0].of, labels.of, spoken), settings)
        except InputError as error:
            remarks.append(str(error))
    remarks += [*_on_strangers(named, labels), *_on_few(there)]
    return AttributeInference(tuple(sorted(set(there))), len(there), similarity, recogniser, tuple(remarks))


def _of_others(named: SpeakerTrials, labels: Labels) -> str:
    """A sentence that the file is about none of these speakers, with an example of each."""
    example, speaker = min(labels.of), min(named.speakers)
    return say("inference.of-others", count=len(labels.of), example=example, speaker=speaker)


def _on_strangers(named: SpeakerTrials, labels: Labels) -> list[str]:
    """How many enrolled speakers have no attribute, where there are any."""
    enrolled = [named.speakers[int(code)] for code in np.unique(named.enrolled)]
    lacking = [name for name in enrolled if name not in labels.of]
    facts = {"count": len(lacking), "people": len(enrolled)}
    return [say("inference.lacking", example=min(lacking), **facts)] if lacking else []


def _on_few(there: Sequence[str]) -> list[str]:
    """Which values too few speakers have for an interval."""
    few = sorted(value for value, count in Counter(there).items() if count < FEWEST_CLUSTERS)
    return [say("inference.few", count=len(few), names=listed(few, _MOST_NAMED))] if few else []


# How many people of an assessment share their combination of attributes, by the files that came along.


def uniqueness_of(
    entry: Entry,
    given: Sequence[NamedLabels] = (),
    *,
    trials: Trials | None = None,
    on_progress: Progress = no_progress,
) -> Uniqueness | None:
    """How many of the people in its trials share their combination; None where there is no attribute.

    Attributes are those that are given or, without any, those among the files of the assessment, as are
    predictions. Raises InputError where a file has changed, where trials do not say who is who, or where
    nobody has a value of every attribute.
    """
    attributes = attributes_of(entry, given)
    if not attributes:
        return None
    read = trials_of(entry, part_of(on_progress, 0.0, 0.7)) if trials is None else trials
    said = labels_of(entry, FileRole.PREDICTIONS)
    found = uniqueness(read, attributes, said, speakers_of_entry(entry))
    on_progress(1.0)
    return found


def uniqueness(
    trials: Trials,
    attributes: Sequence[NamedLabels],
    said: Sequence[Labels] = (),
    utt2spk: Mapping[str, str] | None = None,
) -> Uniqueness:
    """The same of trials and labels in memory; raises as `uniqueness_of`.

    True combinations are of all attributes; inferred ones of those of which there are predictions by one
    recogniser, and of the people who have predictions of all of them.
    """
    named = with_people(trials, utt2spk)
    spoken = spoken_by(named, utt2spk)
    people = [who for who in named.speakers if all(who in labels.of for _, labels in attributes)]
    names = tuple(attribute_name(name) for name, _ in attributes)
    if not people:
        raise InputError("uniqueness-nobody", attributes=listed(names))
    n_lacking = len(named.speakers) - len(people)
    remarks: list[Remark] = []
    if n_lacking:
        remarks.append(_remark("lacking", count=n_lacking, people=len(named.speakers)))
    if len(attributes) > MOST_ATTRIBUTES:
        remarks.append(_remark("many", most=MOST_ATTRIBUTES))
    true = Combinations.of(codes_of([labels.of for _, labels in attributes], people))
    by_place = _by_one_recogniser(attributes, said)
    if not by_place:
        return Uniqueness(names, n_lacking, true, None, tuple(remarks))
    others = [name for place, name in enumerate(names) if place not in by_place]
    if others:
        remarks.append(_remark("not-inferred", attributes=and_more(others)))
    inferred = [most_guessed(guesses.of, spoken) for guesses in by_place.values()]
    guessed = [who for who in people if all(who in each.of for each in inferred)]
    if not guessed:
        return Uniqueness(names, n_lacking, true, None, (*remarks, _remark("nobody-guessed")))
    if len(guessed) < len(people):
        n_without = len(people) - len(guessed)
        remarks.append(_remark("without-predictions", count=n_without, people=len(people)))
    labels = [attributes[place][1] for place in by_place]
    made = _compared(tuple(names[place] for place in by_place), labels, inferred, guessed)
    if made.n_tied:
        remarks.append(_remark("ties", count=made.n_tied))
    return Uniqueness(names, n_lacking, true, made, tuple(remarks))


def _by_one_recogniser(attributes: Sequence[NamedLabels], said: Sequence[Labels]) -> dict[int, Labels]:
    """The predictions of each attribute, by its place, where one recogniser alone uses its very words."""
    every = [labels for _, labels in attributes]
    found = {}
    for place, labels in enumerate(every):
        guesses = said_of(labels, every, said)
        if len(guesses) == 1 and not otherwise_in_case(guesses[0], labels):
            found[place] = guesses[0]
    return found


def _compared(
    names: tuple[str, ...], true: Sequence[Labels], inferred: Sequence[InferredValues], people: Sequence[str]
) -> InferredCombinations:
    """What was inferred of these people, against what is true of them."""
    codes = codes_of([each.of for each in inferred], people)
    right = np.array(
        [
            all(labels.of[who] == each.of[who] for labels, each in zip(true, inferred, strict=True))
            for who in people
        ]
    )
    n_tied = sum(any(who in each.tied for each in inferred) for who in people)
    unique = class_sizes(codes) == 1
    return InferredCombinations(
        names, Combinations.of(codes), int(right.sum()), int(np.count_nonzero(right & unique)), n_tied
    )


def _remark(code: str, **facts: object) -> Remark:
    return Remark(code, facts, section="uniqueness")
