"""How many people of an assessment share their combination of attributes, by the files that came along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark, and_more
from zebra_core.evidence.trials import Trials
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.by_group import attribute_name
from zebra_core.project.comparison.inference import (
    Labels,
    NamedLabels,
    attributes_of,
    labels_of,
    otherwise_in_case,
    said_of,
)
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import trials_of
from zebra_core.project.reading.speaker_study import speakers_of_entry, spoken_by
from zebra_core.project.uniqueness import InferredCombinations, Uniqueness
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.uniqueness import (
    MOST_ATTRIBUTES,
    Combinations,
    InferredValues,
    class_sizes,
    codes_of,
    most_guessed,
)
from zebra_core.wording.names import listed


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
