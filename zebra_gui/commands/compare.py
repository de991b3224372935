"""`zebra compare`: everything of a project or a folder side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import listed, named, say, visible
from zebra_gui.commands.options import (
    INPUT,
    PATH,
    Draws,
    LabelFiles,
    attack_options,
    attributes_option,
    by_option,
    drawing_options,
    group_lines,
    groups_of,
    held_against_earlier,
    json_option,
    labels_in,
    opened,
    overwrite_option,
    pictures_option,
    question_options,
    since_options,
    speakers_option,
    tex_options,
    unpack_option,
)
from zebra_gui.commands.requiring import (
    RequirementFiles,
    end_by,
    judged,
    require_options,
    requiring,
    verdict_lines,
    with_what_it_takes,
)
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.project.attackers import AttackWords
    from zebra_core.project.by_group import EntryFindings
    from zebra_core.project.comparison.comparison import Comparison
    from zebra_core.project.comparison.studies import StudyQuestion
    from zebra_core.project.conclusion.overall import ProjectAnswer
    from zebra_core.project.project import Project
    from zebra_core.project.since import Changes
    from zebra_core.project.verdicts.verdict import Verdict
    from zebra_core.report.results_tex import TexTables
    from zebra_core.uncertainty.bootstrap import BootstrapSettings


@click.command(help=say("cli.compare"))
@click.argument("what", metavar="PROJECT|FOLDER", type=INPUT)
@click.option("-o", "out", type=PATH, metavar="DIR", help=say("cli.compare-out"))
@pictures_option("cli.compare-kinds", first=("png",))
@tex_options
@overwrite_option
@drawing_options("cli.compare-bootstrap")
@click.option("--people", "with_people", is_flag=True, help=say("cli.compare-people"))
@speakers_option("cli.compare-speakers")
@attributes_option("cli.compare-attributes")
@by_option
@attack_options
@question_options
@require_options
@since_options
@unpack_option
@json_option("cli.json")
@one_sentence
def compare(  # noqa: PLR0913, PLR0917 - one for each option of the command
    what: Path,
    out: Path | None,
    kinds: Sequence[str],
    tex: TexTables,
    overwrite: bool,
    draws: Draws,
    with_people: bool,
    speakers: Path | SpeakerRule | None,
    attributes: Sequence[Path],
    by: Sequence[str],
    attack: AttackWords,
    question: Callable[[Project], Project],
    required: RequirementFiles,
    since: Path | None,
    is_same_people: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Compare everything, print the figures, and save tables and pictures."""
    from zebra_core.document.project import context_as_json
    from zebra_core.paper import rows_as_json
    from zebra_core.project.comparison.studies import StudyQuestion
    from zebra_core.project.conclusion.overall import own_settings

    given = labels_in(attributes)
    labelled = LabelFiles(attributes if required.require is not None else (), ())
    with opened(what, speakers=speakers, unpack=unpack) as (found, left_out):
        project = requiring(question(attack.said_in(labelled.joined(found))), required)
        open_questions: tuple[str, ...] = ()
        if draws.settings or since:
            project, open_questions = _settled(
                project, draws.or_usual, must_compare=draws.settings is not None
            )
        project = with_what_it_takes(project, required, draws)
        project = held_against_earlier(project, since, is_same_people=is_same_people)
    verdicts = judged(project, required, overwrite=overwrite)
    changed = _changed(project) if since else None
    answer = _answer(project)
    comparison = _comparison(project)
    asked = StudyQuestion(given=given, people=project.report.people)
    wanted = ["people"] if with_people else []
    wanted += ["inference", "uniqueness"] if with_people or attributes or as_json else []
    for study in wanted:
        comparison = _with(comparison, study, asked)
    if by:
        entries = [row.entry for row in comparison.rows]
        comparison = _joined(comparison, "by_group", groups_of(entries, by, given, draws))
    _tell(comparison)
    _tell_contradicted(project)
    if as_json:
        places = {row.entry.id: n for n, row in enumerate(comparison.rows)}
        pairs = [one.as_json(places) for one in project.settled]
        settled = {} if draws.settings is None else {"settled": pairs}
        found_since = {"since": changed.as_json()} if changed else {}
        judgement = {} if required.require is None else {"verdicts": [each.as_json() for each in verdicts]}
        told = {"answer": answer.sentence, "answers": [each.as_json() for each in answer.conclusions]}
        rows = rows_as_json(comparison, project.report.people)
        context = context_as_json(project.report)
        echo_json({**told, "rows": rows, **settled, **judgement, **found_since, "context": context})
        for sentence in own_settings(project):
            click.echo(f"zebra: {sentence}", err=True)
    else:
        _print(answer, comparison, project, verdicts)
        if changed:
            from zebra_core.report.content.comparing import lines

            click.echo(f"\n{lines(changed)}")
    if out is not None:
        _save(comparison, out, kinds, tex, overwrite=overwrite)
    for sentence in (*left_out, *open_questions):
        click.echo(f"zebra: {sentence}", err=True)
    if left_out or (open_questions and required.require is None):  # what is open is open in a verdict, too
        sys.exit(INPUT_AT_FAULT)
    end_by(verdicts)


def _changed(project: Project) -> Changes | None:
    from zebra_core.project.since import changes
    from zebra_core.project.verdicts.deciding import verdicts

    return changes(project, verdicts(project))


def _answer(project: Project) -> ProjectAnswer:
    from zebra_core.project.conclusion.conclusions import conclusions
    from zebra_core.project.conclusion.naming import people_figures
    from zebra_core.project.conclusion.overall import ProjectAnswer

    with progress_bar(say("cli.answering")) as progress:
        return ProjectAnswer.of(conclusions(project, people_figures(project, progress)), project)


def _print(
    answer: ProjectAnswer,
    comparison: Comparison,
    project: Project,
    verdicts: Sequence[Verdict],
) -> None:
    """The answers, the tables, the pairs where there are any, and the verdicts where some were asked for."""
    from zebra_core.project.conclusion.overall import on_the_whole
    from zebra_core.report.pairs import pairs_text
    from zebra_core.report.tables import results_text

    for sentence in on_the_whole(project):
        click.echo(sentence)
    click.echo(f"{answer}\n")
    click.echo(results_text(comparison))
    if project.settled:
        click.echo(f"\n{pairs_text(project)}")
    if comparison.has("by_group"):
        grouped = {row.entry.id: row.by_group for row in comparison.rows}
        click.echo(f"\n{group_lines([row.entry for row in comparison.rows], grouped)}")
    for sentence in _uniqueness_lines(comparison):
        click.echo(f"\n{sentence}")
    if verdicts:
        click.echo(f"\n{verdict_lines(verdicts)}")


def _uniqueness_lines(comparison: Comparison) -> list[str]:
    """How many people share their combination of attributes, for each row of which that is known."""
    from zebra_core.project.uniqueness import original_of

    entries = [row.entry for row in comparison.rows]
    found = {row.entry.id: row.uniqueness for row in comparison.rows if row.uniqueness is not None}
    said: dict[str, list[str]] = {}
    for row in comparison.rows:
        if row.uniqueness is not None:
            original = original_of(row.entry, entries, found)
            words = " ".join(row.uniqueness.sentences(row.entry, original[1] if original else None))
            said.setdefault(words, []).append(f"{row.system}, {row.group}")
    return [named(listed(names), words) for words, names in said.items()]


def _with(comparison: Comparison, study: str, asked: StudyQuestion) -> Comparison:
    """The comparison with what a study finds of each assessment; prints why nothing is known of some."""
    from zebra_core.project.comparison.studies import studied

    words = "cli.comparing-people" if study == "people" else "cli.comparing-attributes"
    with progress_bar(say(words)) as progress:
        found = studied(study, [row.entry for row in comparison.rows], asked, progress)
    return _joined(comparison, study, found)


def _joined(comparison: Comparison, study: str, found: EntryFindings[Any]) -> Comparison:
    made = comparison.with_found(study, found)
    about: dict[str, list[str]] = {}
    for row in made.rows:
        attributes = row.inference if study == "inference" else ()
        told = [named(name, str(remark)) for name, each in attributes for remark in each.remarks]
        for sentence in (*told, *map(str, filter(None, [found.missing.get(row.entry.id)]))):
            about.setdefault(sentence, []).append(f"{row.system}, {row.group}")
    _tell_about(about, len(made.rows))
    return made


def _settled(
    project: Project, settings: BootstrapSettings, *, must_compare: bool
) -> tuple[Project, tuple[str, ...]]:
    """The project with intervals for all, and tested differences; a sentence for what could not be had."""
    from zebra_core.project.comparison.difference_tests import with_certainty

    with progress_bar(say("cli.settling")) as progress:
        return with_certainty(project, settings, progress, must_compare=must_compare)


def _tell(comparison: Comparison) -> None:
    """Every remark once, with the names of those it is about unless it is about all of them."""
    from zebra_core.project.comparison.comparison import remarks_on_attacks

    on_attacks = remarks_on_attacks([row.entry for row in comparison.rows])
    about: dict[str, list[str]] = {}
    for row in comparison.rows:
        for remark in (*row.entry.remarks, *on_attacks.get(row.entry.id, ())):
            about.setdefault(str(remark), []).append(f"{row.system}, {row.group}")
    _tell_about(about, len(comparison.rows))


def _tell_contradicted(project: Project) -> None:
    """Every figure that a result file prints, and that comes to another one here."""
    from zebra_core.project.reading.published import compare_published

    for figure in compare_published(project, project.published):
        if figure.agrees is False:
            click.echo(say("cli.about", name=visible(figure.name), sentence=figure), err=True)


def _tell_about(about: Mapping[str, Sequence[str]], n_rows: int) -> None:
    for sentence, names in about.items():
        if len(names) == n_rows:
            click.echo(f"zebra: {sentence}", err=True)
        else:
            click.echo(say("cli.about", name=listed(names), sentence=sentence), err=True)


def _comparison(project: Project) -> Comparison:
    from zebra_core.project.comparison.comparison import compare as side_by_side, learnt_on_other_runs

    with progress_bar(say("cli.learning")) as progress:
        learnt = learnt_on_other_runs(project.entries, progress)
    return side_by_side(project, c_ece_bits=learnt)


def _save(
    comparison: Comparison, folder: Path, kinds: Sequence[str], tex: TexTables, *, overwrite: bool
) -> None:
    from zebra_core.report.comparison_files import save_comparison

    with progress_bar(say("cli.drawing")) as progress:
        kinds = tuple(dict.fromkeys(kinds))
        written = save_comparison(
            comparison, folder, kinds=kinds, tex=tex, overwrite=overwrite, on_progress=progress
        )
    for path in written:
        click.echo(say("cli.saved", file=path), err=True)
