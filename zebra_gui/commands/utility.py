"""`zebra utility`: word errors, emotions and ratings of listeners, with intervals over speakers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import say, written
from zebra_gui.commands.options import INPUT, Draws, drawing_options, json_option, speakers_option
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.project.reading.utility_study import EmotionStudy, RatingStudy, WordStudy
    from zebra_core.uncertainty.intervals import Interval


QUESTIONS = ("similarity", "intelligibility", "naturalness")


@click.command(help=say("cli.utility"))
@click.option("--reference", type=INPUT, metavar="TEXT", help=say("cli.utility-reference"))
@click.option("--hypothesis", type=INPUT, metavar="TEXT", help=say("cli.utility-hypothesis"))
@click.option("--ratings", type=INPUT, metavar="FILE", help=say("cli.utility-ratings"))
@click.option("--clean", type=INPUT, metavar="FILE", help=say("cli.utility-ratings-clean"))
@click.option("--scale", type=click.Choice(["5", "10"]), help=say("cli.utility-scale"))
@click.option("--question", type=click.Choice(QUESTIONS), help=say("cli.utility-question"))
@click.option("--emotions", "labels", type=INPUT, metavar="LABELS", help=say("cli.utility-emotions"))
@click.option("--predictions", type=INPUT, metavar="FILE", help=say("cli.utility-predictions"))
@speakers_option("cli.utility-speakers")
@drawing_options("cli.utility-bootstrap", default=1000, least=20)
@json_option("cli.json")
@one_sentence
def utility(  # noqa: PLR0913, PLR0917 - one for each option of the command
    reference: Path | None,
    hypothesis: Path | None,
    ratings: Path | None,
    clean: Path | None,
    scale: str | None,
    question: str | None,
    labels: Path | None,
    predictions: Path | None,
    speakers: Path | SpeakerRule | None,
    draws: Draws,
    as_json: bool,
) -> None:
    """Count, read, draw, and print."""
    from zebra_core.project.reading.utility_study import (
        SpeakerSource,
        speakers_beside,
        study_emotions,
        study_ratings,
        study_words,
    )
    from zebra_core.utility.listening import RatingQuestion

    _refuse_halves((reference, hypothesis), (ratings, question), (labels, predictions))
    if clean and (not ratings or question == QUESTIONS[0]):
        raise click.UsageError(say("cli.utility-clean-alone"))
    first = reference or labels
    beside = speakers_beside(first) if first else None
    who = SpeakerSource(speakers or beside)
    settings = draws.or_usual
    words = rated = told = None
    if reference and hypothesis:
        with progress_bar(say("cli.counting-words", file=hypothesis.name)) as progress:
            words = study_words(reference, hypothesis, who, settings, progress)
    if ratings and question:
        highest = int(scale) if scale else None
        rated = study_ratings(ratings, RatingQuestion(question), who, settings, clean=clean, highest=highest)
    if labels and predictions:
        told = study_emotions(labels, predictions, who, settings)
    results = _remarks_on_utility(words, rated, told)
    for remark in results:
        click.echo(f"zebra: {remark}", err=True)
    if as_json:
        drawn = {"level": settings.level, **draws._asdict()}
        found = {
            **(words.as_json() if words else {"wer": None, "cer": None}),
            "ratings": rated and rated.as_json(),
        }
        echo_json({**found, **drawn, "remarks": results, "emotions": told and told.as_json()})
        return
    lines = [*(_words(words) if words else ()), *(_rated(rated) if rated else ())]
    for line in (*lines, *(_emotions(told) if told else ())):
        click.echo(line)
    known = [
        study.spread.speakers
        for study in (words, rated, told)
        if study and any(study.spread.intervals.values())
    ]
    if known:
        facts = {"level": round(100 * settings.level), "replicates": settings.replicates}
        click.echo(say("cli.utility-drawn", count=known[0] or 0, **facts))


def _refuse_halves(
    words: tuple[Path | None, Path | None],
    ratings: tuple[Path | None, str | None],
    emotions: tuple[Path | None, Path | None],
) -> None:
    """Raise UsageError where something is missing."""
    if (words[0] is None) != (words[1] is None):
        raise click.UsageError(say("cli.utility-both"))
    if (emotions[0] is None) != (emotions[1] is None):
        raise click.UsageError(say("cli.utility-emotions-both"))
    if words[0] is None and ratings[0] is None and emotions[0] is None:
        raise click.UsageError(say("cli.utility-nothing"))
    if (ratings[0] is None) != (ratings[1] is None):
        raise click.UsageError(say("cli.utility-question-needed"))


def _remarks_on_utility(
    words: WordStudy | None, rated: RatingStudy | None, told: EmotionStudy | None
) -> list[str]:
    """Each remark once."""
    remarks = [*(words.errors.remarks if words else ()), *(rated.ratings.remarks if rated else ())]
    remarks += told.emotions.remarks if told else ()
    for study in (words, rated, told):
        remarks += study.spread.remarks if study else ()
    return list(dict.fromkeys(map(str, remarks)))


def _emotions(study: EmotionStudy) -> list[str]:
    found = study.emotions
    facts = {"count": found.recordings, "emotions": len(found.values), "chance": _percent(found.chance)}
    return [
        _line("uar", study.spread.of("uar"), found.uar, _percent),
        say("cli.utility-emotions-of", **facts),
    ]


def _words(study: WordStudy) -> list[str]:
    found = study.errors
    facts = {
        "substitutions": found.substitutions,
        "deletions": found.deletions,
        "insertions": found.insertions,
    }
    counts = "utility-counts-characters" if found.of_characters else "utility-counts"
    return [
        _line(found.rate_name, study.spread.of(found.rate_name), found.rate, _percent),
        say(f"cli.{counts}", count=study.utterances, words=found.reference_words, **facts),
    ]


def _rated(study: RatingStudy) -> list[str]:
    ratings, spread = study.ratings, study.spread
    upper, lower = ("target", "nontarget") if study.question.value == "similarity" else ("clean", "protected")
    of_upper = {"name": say(f"cli.utility-{upper}"), "count": sum(ratings.upper)}
    of_lower = {"name": say(f"cli.utility-{lower}"), "count": sum(ratings.lower)}
    return [
        say(f"cli.utility-{study.question.value}", highest=ratings.highest),
        _line("mean", spread.of("upper_mean"), ratings.upper_mean, _mean, **of_upper),
        _line("mean", spread.of("lower_mean"), ratings.lower_mean, _mean, **of_lower),
        _line("eer", spread.of("eer"), ratings.eer, _percent),
    ]


def _line(
    code: str, interval: Interval | None, value: float, shown: Callable[[float], str], **facts: object
) -> str:
    """A figure, with its interval where it has one."""
    if interval is None:
        return say(f"cli.utility-{code}", value=shown(value), **facts)
    ends = {"low": shown(interval.low), "high": shown(interval.high)}
    return say(f"cli.utility-{code}-between", value=shown(value), **ends, **facts)


def _percent(rate: float) -> str:
    return f"{written(100 * rate, '.2f')} %"


def _mean(rating: float) -> str:
    return written(rating, ".2f")
