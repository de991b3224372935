"""Options for what is inferred of attributes of speakers, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from zebra_core.errors import ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say
from zebra_gui.commands.options import INPUT, Draws, Option, gathered
from zebra_gui.commands.terminal import progress_bar

if TYPE_CHECKING:
    from zebra_core.evidence.speaker_names import Speakers
    from zebra_core.project.comparison.inference import Labels
    from zebra_core.project.items import Entry
    from zebra_core.project.project import Project


class LabelFiles(NamedTuple):
    """The files that were given: attributes of speakers, and predictions of them."""

    attributes: Sequence[Path]
    predictions: Sequence[Path]

    def refuse_alone(self) -> None:
        """Raises UsageError where there is nothing that predictions could be of."""
        if not self.attributes and self.predictions:
            raise click.UsageError(say("cli.attributes-first"))

    def joined(self, project: Project) -> Project:
        """The project with these attributes and predictions among the files of its assessments."""
        from zebra_core.project.reading.late_attributes import join

        given = [*self.attributes, *self.predictions]
        return join(project.entries, given).into(project) if given else project


class AttributeResults(NamedTuple):
    """What is told of attributes, as JSON and in sentences; nothing where none were given."""

    as_json: list[dict[str, object]] | None
    sentences: Sequence[str] = ()
    uniqueness: dict[str, object] | None = None  # how many people share their combination
    remarks: Sequence[str] = ()  # why it is not measured, where it is not


def attributes_option(words: str) -> Option:
    """`--attributes`, with the code of the text that says what for."""
    return click.option("--attributes", multiple=True, metavar="FILE", type=INPUT, help=say(words))


def labels_in(paths: Sequence[Path]) -> list[tuple[str, Labels]]:
    """The attributes in these files, by their names. Raises InputError, which names file and line."""
    from zebra_core.project.comparison.inference import read_labels

    if not paths:
        return []
    return [(path.name, read_labels(path)) for path in paths]


label_options = gathered(
    "labelled",
    LabelFiles,
    attributes_option("cli.attributes"),
    click.option("--predictions", multiple=True, metavar="FILE", type=INPUT, help=say("cli.predictions")),
)


def infer(entry: Entry, given: LabelFiles, who: Speakers | None, draws: Draws) -> AttributeResults:
    """What scores and predictions tell of the attributes. Raises InputError for files of something else."""
    from zebra_core.project.comparison.inference import inferred, read_labels
    from zebra_core.project.comparison.uniqueness import uniqueness
    from zebra_core.project.reading.reading import trials_of

    if not given.attributes:
        return AttributeResults(None, remarks=[say("cli.not-inferred")])
    attributes, said = labels_in(given.attributes), [read_labels(path) for path in given.predictions]
    labels = [one for _, one in attributes]
    try:
        with progress_bar(say("cli.inferring", file=given.attributes[0].name)) as progress:
            trials = trials_of(entry)
            if isinstance(who, SpeakerRule):
                who = {
                    name: who.speaker_of(name)
                    for ids in filter(None, (trials.enrol, trials.test))
                    for name in ids.names
                }
            found = inferred(trials, labels, said, who, draws.settings, progress)
    except ZebraError as error:  # of these trials nothing can be said; the other figures stay
        click.echo(f"zebra: {error}", err=True)
        return AttributeResults(None, remarks=[str(error)])
    named = [(name, each) for (name, _), each in zip(attributes, found, strict=True)]
    sentences, remarks = [one.in_words(name) for name, one in named], []
    unique = None
    try:
        unique = uniqueness(trials, attributes, said, who)
        sentences.append(" ".join(unique.sentences(entry)))
    except ZebraError as error:
        click.echo(f"zebra: {error}", err=True)
        remarks.append(str(error))
    return AttributeResults(
        [one.as_json(name) for name, one in named], sentences, unique.as_json() if unique else None, remarks
    )
