"""`zebra score`: folders of recordings become scores and keys of every attacker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say, written
from zebra_gui.commands.options import INPUT, PATH, json_option, out_option, overwrite_option, speakers_option
from zebra_gui.commands.score_embeddings import (
    EmbeddingOptions,
    embedding_options,
    refuse_recordings,
    run_embeddings,
)
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.recordings.attacks import Attack
    from zebra_core.recordings.pairing_rules import GivenPairs, PairingSource
    from zebra_core.recordings.request import BackgroundSpeech
    from zebra_core.recordings.scoring import ScoringResult
    from zebra_core.recordings.speakers import OnePerson
    from zebra_core.recordings.workload import ExpectedWork


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
