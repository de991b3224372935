"""`zebra score --embeddings`: embeddings that somebody brings along become scores of every attacker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say, written
from zebra_gui.commands.opening import choices_of
from zebra_gui.commands.options import INPUT, gathered, read_option, speakers_option
from zebra_gui.commands.terminal import echo_json, progress_bar

if TYPE_CHECKING:
    from zebra_core.recordings.attacks import Attack
    from zebra_core.recordings.embedding_attacks import PooledFigures
    from zebra_core.recordings.embedding_scoring import EmbeddingScores

_ALL, _COSINE = "all", "cosine"
CONDITIONS = ("oo", "oa", "aa")
TRAINED_ON = ("original", "protected")
_OF_BOTH = frozenset({"brought", "speakers", "attacker", "out", "overwrite", "as_json"})


@dataclass(frozen=True)
class EmbeddingOptions:
    """What is given of embeddings."""

    embeddings: Sequence[Path]
    key: Path | None
    enrol_embeddings: Sequence[Path]
    enrolments: Path | None
    others: Sequence[Path]
    others_speakers: Path | SpeakerRule | None
    safeguard: str
    condition: str | None
    dataset: str
    trained_on: str | None
    readings: Sequence[str]

    def refuse_alone(self) -> None:
        """Raise UsageError where something is said of embeddings, and there are none."""
        said = {
            "-k": self.key,
            "--enrol-embeddings": self.enrol_embeddings,
            "--enrolments": self.enrolments,
            "--others": self.others,
            "--others-speakers": self.others_speakers,
            "--safeguard": self.safeguard,
            "--condition": self.condition,
            "--dataset": self.dataset,
            "--trained-on": self.trained_on,
            "--read": self.readings,
        }
        if (option := next((name for name, value in said.items() if value), None)) is not None:
            raise click.UsageError(say("cli.score-embeddings-alone", option=option))


embedding_options = gathered(
    "brought",
    EmbeddingOptions,
    click.option("--embeddings", multiple=True, type=INPUT, metavar="FILE", help=say("cli.score-embeddings")),
    click.option("-k", "--key", type=INPUT, metavar="KEY", help=say("cli.score-key")),
    click.option(
        "--enrol-embeddings",
        multiple=True,
        type=INPUT,
        metavar="FILE",
        help=say("cli.score-enrol-embeddings"),
    ),
    click.option("--enrolments", type=INPUT, metavar="FILE", help=say("cli.score-enrolments")),
    click.option("--others", multiple=True, type=INPUT, metavar="FILE", help=say("cli.score-others")),
    speakers_option("cli.score-others-speakers", "--others-speakers"),
    click.option("--safeguard", default="", metavar="NAME", help=say("cli.score-safeguard")),
    click.option("--condition", type=click.Choice(CONDITIONS), help=say("cli.score-condition")),
    click.option("--dataset", default="", metavar="NAME", help=say("cli.score-dataset")),
    click.option("--trained-on", type=click.Choice(TRAINED_ON), help=say("cli.score-trained-on")),
    read_option,
)
"""Of embeddings that are brought along."""


def refuse_recordings(context: click.Context) -> None:
    """Raise UsageError where an option of recordings is given beside embeddings."""
    for option in context.command.params:
        name, of_ours = option.name or "", EmbeddingOptions.__dataclass_fields__
        if name in _OF_BOTH or name in of_ours:
            continue
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(say("cli.score-of-recordings", option=option.opts[-1]))


def run_embeddings(
    given: EmbeddingOptions,
    speakers: Path | SpeakerRule | None,
    attacker: str,
    out: Path,
    *,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Read embeddings, attack them, and write scores and keys."""
    from zebra_core.intake.embeddings_record import FILE
    from zebra_core.recordings.embedding_scoring import EmbeddingRequest, score_embeddings

    if given.key is None:
        raise click.UsageError(say("cli.score-missing", option="-k"))
    if attacker not in (_ALL, _COSINE):
        raise click.UsageError(say("cli.score-attacker-of-recordings", attacker=attacker))
    if given.others_speakers and not given.others:
        raise click.UsageError(say("cli.score-others-alone"))
    request = EmbeddingRequest(
        given.embeddings,
        given.key,
        enrol=given.enrol_embeddings,
        others=given.others,
        speakers=speakers,
        others_speakers=given.others_speakers,
        enrolments=given.enrolments,
        safeguard=given.safeguard,
        condition=given.condition or "",
        dataset=given.dataset,
        trained_on=given.trained_on or "",
        every_attacker=attacker == _ALL,
        choices=choices_of(given.readings),
    )
    with progress_bar(say("cli.comparing", file=given.embeddings[0].name)) as progress:
        scored = score_embeddings(request, out, overwrite=overwrite, on_progress=progress)
    for sentence in scored.sentences:
        click.echo(f"zebra: {sentence}", err=True)
    if as_json:
        echo_json(scored.as_json())
        return
    for line in _lines(scored):
        click.echo(line)
    click.echo(say("embeddings.written", folder=out, record=FILE))


def _lines(scored: EmbeddingScores) -> Iterator[str]:
    """What was compared, how often each attacker errs, and how well people are linked by the strongest."""
    trials, names = scored.trials, scored.names
    facts = {"models": len(trials.models), "people": len(set(trials.person_of_model.tolist()))}
    yield say("embeddings.compared", count=len(trials.tests), others=scored.n_others, **facts)
    where = f"data/{names.trials}"
    yield say("recordings.trials", count=len(trials.pairs), targets=int(trials.is_target.sum()), where=where)
    yield say("recordings.eer-head")
    for one in scored.attacked:
        yield say(
            "recordings.eer-line",
            eer=written(100 * one.eer, "5.1f"),
            safeguard=one.attack.safeguard or say("name.unprotected"),
            condition="-".join(names.condition),
            attack=_attack_in_words(one.attack),
        )
    strongest = scored.attacked[0].attack
    if figures := scored.people[strongest.kind, strongest.adapted]:
        yield say("embeddings.people-head", attack=_attack_in_words(strongest))
        yield from _table(figures, facts["people"])


def _attack_in_words(attack: Attack) -> str:
    """How it compares, and whether that was learnt from protected speech."""
    said = say(f"recordings.back-end-{attack.kind.name.lower()}")
    return say("embeddings.adapted", back_end=said) if attack.adapted else said


def _table(figures: Sequence[PooledFigures], of_key: int) -> list[str]:
    """A line for each way to pool and each number of recordings: among the people of the key, and all."""
    heads = ("pooled", "recordings", "people", "linkage", "guessing", "singling-out")
    rows = [tuple(say(f"embeddings.{head}") for head in heads)]
    for each in figures:
        singled = {one.people: one.probability for one in each.singling_out}
        for one in each.linkage:
            if one.people not in {of_key, each.linkage[-1].people}:
                continue
            rows.append(
                (
                    say(f"embeddings.by-{each.pooled_by}"),
                    str(one.recordings),
                    str(one.people),
                    _percent(one.probability),
                    _percent(one.chance),
                    _percent(singled[one.people]) if one.people in singled else "–",
                )
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _percent(share: float) -> str:
    return f"{written(100.0 * share, '.2f')} %"
