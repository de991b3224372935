"""`zebra utility`: word errors of transcripts and ratings of listeners, with intervals over speakers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.wording.texts import say, written
from zebra_gui.commands.options import PATH, drawing_options, json_option
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.project.reading.utility_study import RatingStudy, WordStudy
    from zebra_core.uncertainty.intervals import Interval


QUESTIONS = ("similarity", "intelligibility", "naturalness")


@click.command(help=say("cli.utility"))
@click.option("--reference", type=PATH, metavar="TEXT", help=say("cli.utility-reference"))
@click.option("--hypothesis", type=PATH, metavar="TEXT", help=say("cli.utility-hypothesis"))
@click.option("--ratings", type=PATH, metavar="FILE", help=say("cli.utility-ratings"))
@click.option("--clean", type=PATH, metavar="FILE", help=say("cli.utility-ratings-clean"))
@click.option("--scale", type=click.Choice(["5", "10"]), help=say("cli.utility-scale"))
@click.option("--question", type=click.Choice(QUESTIONS), help=say("cli.utility-question"))
@click.option("--speakers", metavar="FILE|RULE", help=say("cli.utility-speakers"))
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
    speakers: str | None,
    replicates: int,
    seed: int,
    as_json: bool,
) -> None:
    """Count, read, draw, and print."""
    from zebra_core.project.reading.utility_study import (
        SpeakerSource,
        speakers_beside,
        study_ratings,
        study_words,
    )
    from zebra_core.recordings.speakers import rule_or_file
    from zebra_core.uncertainty.bootstrap import BootstrapSettings
    from zebra_core.utility.listening import RatingQuestion

    _refuse_halves(reference, hypothesis, ratings, question)
    if clean and (not ratings or question == QUESTIONS[0]):
        raise click.UsageError(say("cli.utility-clean-alone"))
    beside = speakers_beside(reference) if reference else None
    who = SpeakerSource(rule_or_file(speakers) if speakers else beside)
    settings = BootstrapSettings(replicates, seed=seed)
    words = rated = None
    if reference and hypothesis:
        with progress_bar(say("cli.counting-words", file=hypothesis.name)) as progress:
            words = study_words(reference, hypothesis, who, settings, progress)
    if ratings and question:
        highest = int(scale) if scale else None
        rated = study_ratings(ratings, RatingQuestion(question), who, settings, clean=clean, highest=highest)
    results = _remarks_on_utility(words, rated)
    for remark in results:
        click.echo(f"zebra: {remark}", err=True)
    if as_json:
        drawn = {"level": settings.level, "replicates": replicates, "seed": seed}
        found = {
            **(words.as_json() if words else {"wer": None, "cer": None}),
            "ratings": rated and rated.as_json(),
        }
        echo_json({**found, **drawn, "remarks": results})
        return
    for line in [*(_words(words) if words else ()), *(_rated(rated) if rated else ())]:
        click.echo(line)
    known = [
        study.spread.speakers for study in (words, rated) if study and any(study.spread.intervals.values())
    ]
    if known:
        facts = {"level": round(100 * settings.level), "replicates": replicates}
        click.echo(say("cli.utility-drawn", count=known[0] or 0, **facts))


def _refuse_halves(
    reference: Path | None, hypothesis: Path | None, ratings: Path | None, question: str | None
) -> None:
    """Raise UsageError where something is missing."""
    if (reference is None) != (hypothesis is None):
        raise click.UsageError(say("cli.utility-both"))
    if reference is None and ratings is None:
        raise click.UsageError(say("cli.utility-nothing"))
    if (ratings is None) != (question is None):
        raise click.UsageError(say("cli.utility-question-needed"))


def _remarks_on_utility(words: WordStudy | None, rated: RatingStudy | None) -> list[str]:
    """Each remark once."""
    remarks = [*(words.errors.remarks if words else ()), *(rated.ratings.remarks if rated else ())]
    for study in (words, rated):
        remarks += study.spread.remarks if study else ()
    return list(dict.fromkeys(map(str, remarks)))


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
