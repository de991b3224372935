"""`zebra score`: folders of recordings become scores and keys of every attacker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say, written
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    choices_of,
    gathered,
    json_option,
    out_option,
    overwrite_option,
    read_option,
    speakers_option,
)
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.recordings.attacks import Attack
    from zebra_core.recordings.embedding_attacks import PooledFigures
    from zebra_core.recordings.embedding_scoring import EmbeddingScores
    from zebra_core.recordings.overview import ExpectedWork
    from zebra_core.recordings.pairing_rules import GivenPairs, PairingSource
    from zebra_core.recordings.request import BackgroundSpeech
    from zebra_core.recordings.scoring import ScoringResult
    from zebra_core.recordings.speakers import OnePerson


# `zebra score --embeddings`: embeddings that somebody brings along become scores of every attacker.


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
    for line in _score_embeddings_lines(scored):
        click.echo(line)
    click.echo(say("embeddings.written", folder=out, record=FILE))


def _score_embeddings_lines(scored: EmbeddingScores) -> Iterator[str]:
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
            attack=_score_embeddings_attack_in_words(one.attack),
        )
    strongest = scored.attacked[0].attack
    if figures := scored.people[strongest.kind, strongest.adapted]:
        yield say("embeddings.people-head", attack=_score_embeddings_attack_in_words(strongest))
        yield from _table(figures, facts["people"])


def _score_embeddings_attack_in_words(attack: Attack) -> str:
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


SpeakerSource = Path | SpeakerRule
TRIALS = ("challenge", "all")
ATTACKERS = ("all", "cosine", "words", "pitch")
TOGETHER = "together"
"""Once the combination of all attackers alone: in small sets it hides what the best of them finds."""


@click.command(help=say("cli.score"))
@click.option("--original", type=INPUT, metavar="DIR", help=say("cli.score-original"))
@click.option("--protected", multiple=True, metavar="NAME=DIR", help=say("cli.score-protected"))
@embedding_options
@speakers_option("cli.score-speakers")
@click.option("--speaker-column", metavar="NAME", help=say("cli.score-column"))
@click.option("--one-person", multiple=True, metavar="NAME=NAME", help=say("cli.score-one-person"))
@click.option("--pairs", multiple=True, metavar="FILE|RULE", help=say("cli.score-pairs"))
@click.option("--sex", type=INPUT, metavar="FILE", help=say("cli.score-sex"))
@click.option("--transcripts", type=INPUT, metavar="FILE", help=say("cli.score-transcripts"))
@click.option(
    "--trials",
    "trials",
    default=TRIALS[0],
    show_default=True,
    type=click.Choice(TRIALS),
    help=say("cli.score-trials"),
)
@click.option(
    "--attacker",
    default=ATTACKERS[0],
    show_default=True,
    type=click.Choice((*ATTACKERS, TOGETHER)),
    help=say("cli.score-attacker"),
)
@click.option(
    "--enrol",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1000),
    metavar="N",
    help=say("cli.score-enrol"),
)
@click.option("--channel", type=click.IntRange(min=1), metavar="N", help=say("cli.score-channel"))
@click.option("--model", type=INPUT, metavar="FILE", help=say("cli.score-model"))
@click.option("--training", type=INPUT, metavar="DIR", help=say("cli.score-training"))
@click.option(
    "--training-protected", multiple=True, metavar="NAME=DIR", help=say("cli.score-training-protected")
)
@speakers_option("cli.score-training-speakers", "--training-speakers")
@click.option("--keep-embeddings", "keep", type=PATH, metavar="DIR", help=say("cli.score-keep"))
@out_option("DIR", "cli.score-out")
@overwrite_option
@json_option("cli.json")
@one_sentence
def score(  # noqa: PLR0913, PLR0917 - one for each option of the command
    brought: EmbeddingOptions,
    original: Path | None,
    protected: Sequence[str],
    speakers: SpeakerSource | None,
    speaker_column: str | None,
    one_person: Sequence[str],
    pairs: Sequence[str],
    sex: Path | None,
    transcripts: Path | None,
    trials: str,
    attacker: str,
    enrol: int,
    channel: int | None,
    model: Path | None,
    training: Path | None,
    training_protected: Sequence[str],
    training_speakers: SpeakerSource | None,
    keep: Path | None,
    out: Path,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Hear all recordings, attack them, and write scores and keys."""
    from zebra_core.recordings.attacks import AttackerChoice
    from zebra_core.recordings.request import Request
    from zebra_core.recordings.scoring import score as make_scores
    from zebra_core.recordings.speakers import SpeakerColumn

    if brought.embeddings:
        refuse_recordings(click.get_current_context())
        run_embeddings(brought, speakers, attacker, out, overwrite=overwrite, as_json=as_json)
        return
    brought.refuse_alone()
    for option, given_to in {"--original": original, "--speakers": speakers}.items():
        if given_to is None:
            raise click.UsageError(say("cli.score-missing", option=option))
    assert original is not None  # noqa: S101 - just asked
    assert speakers is not None  # noqa: S101
    if trials == "all" and enrol > 1:
        raise click.UsageError(say("cli.score-enrol-apart"))
    safeguards = _safeguards(protected)
    given = _given_pairs(pairs, safeguards)
    who: Path | SpeakerRule | SpeakerColumn = speakers
    if speaker_column:
        if isinstance(speakers, SpeakerRule):
            raise click.UsageError(say("cli.score-column-of-rule", rule=speakers.value))
        who = SpeakerColumn(speakers, speaker_column)
    lesson = _lesson(training, training_protected, training_speakers, speakers, given)
    request = Request(
        original,
        safeguards,
        who,
        sex=sex,
        transcripts=transcripts,
        every_pair=trials == "all",
        attacker=AttackerChoice.ALL if attacker == TOGETHER else AttackerChoice(attacker),
        enrol=enrol,
        channel=channel,
        model=model,
        keep=keep,
        training=lesson,
        pairs=given,
        one_person=_together(one_person),
    )
    with progress_bar(say("cli.hearing", folder=original.name)) as progress:
        scored = make_scores(
            request, out, overwrite=overwrite, on_progress=progress, on_begin=_tell_begin, on_heard=_tell
        )
    told = {*scored.compared.sentences}
    _tell([one for one in (*scored.sentences, *_kept(scored, keep)) if one not in told])
    if as_json:
        echo_json(scored.as_json())
        return
    click.echo(_lines(scored))
    click.echo(say("recordings.scores-written", folder=out, recogniser=scored.compared.recogniser.name))


def _tell(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        click.echo(f"zebra: {sentence}", err=True)


def _tell_begin(expected: ExpectedWork) -> None:
    """What is about to take its time."""
    _tell([say("recordings.begins", count=expected.recordings, trials=expected.trials)])


def _safeguards(protected: Sequence[str]) -> dict[str, Path]:
    """By name. Raises UsageError for what is not of the form NAME=DIR, or given twice."""
    found: dict[str, Path] = {}
    for one in protected:
        name, equals, folder = one.partition("=")
        if not (name and equals and folder) or name in found:
            raise click.UsageError(say("cli.score-protected-wrong", found=one))
        found[name] = Path(folder)
    return found


def _together(pairs: Sequence[str]) -> OnePerson:
    """Names of one person. Raises UsageError for what is not of the form NAME=NAME."""
    found = [one.partition("=") for one in pairs]
    for (first, _, second), one in zip(found, pairs, strict=True):
        if not (first and second):
            raise click.UsageError(say("cli.score-one-person-wrong", found=one))
    return tuple((first, second) for first, _, second in found)


def _given_pairs(pairs: Sequence[str], safeguards: Mapping[str, Path]) -> GivenPairs:
    """The rules and tables of each safeguard: those that are given for it by name, else those for all."""
    from zebra_core.recordings.pairing_rules import rule_or_table

    of: dict[str, list[PairingSource]] = {}
    for one in pairs:
        name, colon, way = one.partition(":")
        is_named = bool(colon) and name in safeguards
        of.setdefault(name if is_named else "", []).append(rule_or_table(way if is_named else one))
    return {name: tuple(of.get(name, of.get("", ()))) for name in safeguards}


def _lesson(
    training: Path | None,
    protected: Sequence[str],
    speakers: SpeakerSource | None,
    of_compared: SpeakerSource,
    pairs: GivenPairs,
) -> BackgroundSpeech | None:
    """What back ends learn from. Raises UsageError for what is said of it without it, or lacks."""
    from zebra_core.recordings.request import BackgroundSpeech

    if training is None:
        for option, said in {"--training-protected": protected, "--training-speakers": speakers}.items():
            if said:
                raise click.UsageError(say("cli.score-training-alone", option=option))
        return None
    if speakers is None and not isinstance(of_compared, SpeakerRule):
        raise click.UsageError(say("cli.score-training-speakers-missing"))
    safeguards = _safeguards(protected)
    return BackgroundSpeech(training, safeguards, speakers or of_compared, pairs)


def _kept(scored: ScoringResult, keep: Path | None) -> tuple[str, ...]:
    """Where embeddings are, and how they go again."""
    parts = (scored.compared, scored.compared.training)
    count = sum(len(one.heard) for one in parts if one is not None)
    return () if keep is None else (say("recordings.embeddings-kept", count=count, folder=keep),)


@click.command(help=say("cli.forget"))
@click.argument("folder", metavar="DIR|FILE", type=INPUT)
@one_sentence
def forget(folder: Path) -> None:
    """Remove kept embeddings."""
    from zebra_core.recordings.embedding import forget_kept
    from zebra_core.recordings.voices import forget_voices

    count, halves = (forget_voices(folder), 0) if folder.is_file() else forget_kept(folder)
    click.echo(say("recordings.forgotten", count=count, folder=folder))
    if halves:
        click.echo(say("recordings.forgotten-halves", count=halves))


def _lines(scored: ScoringResult) -> str:
    """What was compared, and how often each attacker errs, the strongest first."""
    compared = scored.compared
    facts = {
        "speakers": len(set(compared.speaker.values())),
        "minutes": written(compared.seconds / 60, ".1f"),
    }
    lines = [say("recordings.compared", count=len(compared.ids), **facts)]
    lines += [
        say(
            "recordings.trials",
            count=len(one.pairs),
            targets=int(one.is_target.sum()),
            where=folder or "data",
        )
        for folder, one in scored.trials.items()
    ]
    lines += [
        say("recordings.heard-by", name=compared.recogniser.name, sha256=compared.recogniser.sha256[:12])
    ]
    lines += [say("recordings.eer-head")]
    lines += [
        say(
            "recordings.eer-line",
            eer=written(100 * one.eer, "5.1f"),
            safeguard=one.attack.safeguard or say("name.unprotected"),
            condition="-".join(one.attack.condition),
            attack=", ".join(_attack_in_words(one.attack)),
        )
        for one in scored.attacked
    ]
    return "\n".join([*lines, say("recordings.at-least")])


def _attack_in_words(attack: Attack) -> Iterator[str]:
    """What the attacker knows, where they know anything, and how they compare."""
    if attack.knowledge != "none":
        yield say(f"recordings.attacker-{attack.knowledge}")
    yield say(f"recordings.back-end-{attack.kind.name.lower()}")
