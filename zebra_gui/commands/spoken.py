"""Transcripts in place of scores: the options of `zebra assess` for what is compared by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.wording.texts import say
from zebra_gui.commands.options import INPUT, gathered, speakers_option

_SIDES = 2


@dataclass(frozen=True)
class SpokenWords:
    """Transcripts that are assessed in place of scores, and who speaks in them."""

    transcripts: Sequence[Path] = ()
    speakers: Path | SpeakerRule | None = None

    @property
    def known(self) -> Speakers | None:
        """Who speaks. Raises InputError for a file that does not say it."""
        from zebra_core.intake.similarity_files import read_speaker_map

        return read_speaker_map(self.speakers) if isinstance(self.speakers, Path) else self.speakers

    def refuse_unless_fitting(self, scores: Path | None, key: Path | None) -> Path:
        """The file that is assessed. Raises UsageError where options do not go together."""
        if (scores is None) == (not self.transcripts):
            raise click.UsageError(say("cli.scores-or-transcripts"))
        if scores is not None:
            return scores
        if len(self.transcripts) > _SIDES or key is None or self.speakers is None:
            raise click.UsageError(say("cli.transcripts-need"))
        return self.transcripts[-1]


words_options = gathered(
    "words",
    SpokenWords,
    click.option(
        "--transcripts",
        "transcripts",
        multiple=True,
        type=INPUT,
        metavar="FILE",
        help=say("cli.assess-transcripts"),
    ),
    speakers_option("cli.assess-speakers"),
)
"""What is said, and who says it."""
