"""Transcripts in place of scores: the options of `zebra assess` for what is compared by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.wording.texts import say
from zebra_gui.commands.options import PATH, gathered

_SIDES = 2


@dataclass(frozen=True)
class SpokenWords:
    """Transcripts that are assessed in place of scores, and who speaks in them."""

    transcripts: Sequence[Path] = ()
    speakers: Path | SpeakerRule | None = None

    def __str__(self) -> str:
        """Who speaks: the name of a rule, or the path of a map."""
        return self.speakers.value if isinstance(self.speakers, SpeakerRule) else str(self.speakers)

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


def _given(transcripts: Sequence[Path], speakers: Path | None) -> SpokenWords:
    """As the options say; the name of a rule is the rule."""
    rules = {rule.value: rule for rule in SpeakerRule}
    return SpokenWords(transcripts, speakers and rules.get(str(speakers), speakers))


words_options = gathered(
    "words",
    _given,
    click.option(
        "--transcripts",
        "transcripts",
        multiple=True,
        type=PATH,
        metavar="FILE",
        help=say("cli.assess-transcripts"),
    ),
    click.option("--speakers", metavar="FILE|RULE", type=PATH, help=say("cli.assess-speakers")),
)
"""What is said, and who says it."""
