"""What a paper takes: safeguards side by side, from arrays as from a folder; answer, table and picture."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zebra_core.document.project import context_as_json
from zebra_core.errors import InputError
from zebra_core.evidence.trials import CountedTrials, Trials
from zebra_core.figures.all_pictures import AvailablePicture, pictures_of
from zebra_core.figures.export import figure_files
from zebra_core.figures.series import ece_of_one
from zebra_core.metrics.assessment import Assessment, Settings, assess
from zebra_core.metrics.registry import METRICS
from zebra_core.project.comparison.columns import COMPARED
from zebra_core.project.comparison.comparison import Comparison, compare as side_by_side, learnt_on_other_runs
from zebra_core.project.comparison.difference_tests import with_certainty
from zebra_core.project.comparison.row import kept_as_json
from zebra_core.project.comparison.studies import StudyQuestion, studied
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.conclusion.overall import ProjectAnswer
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import RecordedWhen, read_requirements, refuse_idle
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.measuring import with_bounds
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.pairs import pairs_text
from zebra_core.report.results_tex import CHOICES, TexTables, results_tex
from zebra_core.report.tables import badge, results_html, results_text
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import assessment_as_json
from zebra_core.wording.texts import in_english, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DPI_IN_NOTEBOOKS = 90


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide(Comparison):
    r"""A comparison with its answer, and what a paper takes of it. Made by `compare`.

    Attributes
    ----------
    `rows`
        Group after group, as in `Comparison`.
    `project`
        What was compared, with its intervals and tested differences.
    `remarks`
        What could not be had, in sentences; empty where nothing lacks.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, Trials, compare
    >>> enrol, test = np.divmod(np.arange(400), 20)  # 20 speakers, each against each
    >>> same, noise = enrol == test, np.random.default_rng(0).normal(size=400)
    >>> ids = {"enrol": [f"e{n}" for n in enrol], "test": [f"t{n}" for n in test]}
    >>> weak, strong = (
    ...     Trials.from_arrays(
    ...         score=noise + by * same, is_target=same, **ids) for by in (3.0, 0.5
    ...     )
    ... )
    >>> draws = BootstrapSettings(100)
    >>> found = compare({"weak": weak, "strong": strong}, condition="PP", draws=draws)
    >>> found
    <SideBySide: weak C, strong A>
    >>> [(row.system, row.rank, row.ranks) for row in found.rows]
    [('weak', 2, (2, 2)), ('strong', 1, (1, 1))]
    >>> columns = ["safeguard", "d_ece_bits", "d_ece_bits_low", "d_ece_bits_high"]
    >>> found.to_frame()[columns].round(2)
      safeguard  d_ece_bits  d_ece_bits_low  d_ece_bits_high
    0      weak        0.63            0.49             0.66
    1    strong        0.10            0.01             0.13
    >>> print(found.to_latex(columns=["d_ece_bits", "eer"]).splitlines()[0])
    % Needs: \usepackage{booktabs}; fits a column of text from 240pt on, also in two columns.
    """

    project: Project = field(default_factory=Project)
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<SideBySide: {', '.join(f'{row.system} {row.assessment.tag}' for row in self.rows)}>"

    def __str__(self) -> str:
        """The answer, the table, the pairs where there are any, and what could not be had."""
        pairs = pairs_text(self.project) if self.project.settled else ""
        parts = str(self.answer), results_text(self), pairs, "\n".join(self.remarks)
        return "\n\n".join(filter(None, parts))

    def _repr_html_(self) -> str:
        """For notebooks: the answer's sentence, and the table."""
        return "".join(f"<p>{line}</p>" for line in self.remarks) + results_html(self, self.answer.sentence)

    @cached_property
    def answer(self) -> ProjectAnswer:
        """What is concluded of each safeguard, and of all of them in a `sentence`; `str()` is all of it."""
        return answer_of(self.project)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Whether each requirement is met; empty where nothing is required."""
        return verdicts(self.project) if self.project.requirements else ()

    @cached_property
    def pictures(self) -> list[AvailablePicture]:
        """Those of `pictures_of`."""
        return pictures_of(self.project)

    def picture(self, label: str = "ECE") -> AvailablePicture:
        """The first picture of this label or kind: "ECE", "DET", "PAV" and so on.

        Raises InputError where there is none, with those that there are.
        """
        for one in self.pictures:
            if label == one.label or one.label.startswith(f"{label}-"):
                return one
        known = dict.fromkeys(one.label.partition("-")[0] for one in self.pictures)
        raise InputError("no-such-picture", found=label, known=", ".join(known))

    def plot(self, picture: str = "ECE", *, ax: Axes | None = None) -> Axes:
        """Draw a picture onto axes, or onto new ones; fonts and sizes stay those of their owner.

        `picture` as `picture()` takes it, `ax` with nothing on them yet. Returns the axes.
        """
        from zebra_core.figures.matplotlib_ import draw_figure

        return draw_figure(self.picture(picture), ax)

    def to_pgfplots(self, picture: str = "ECE") -> str:
        """A picture in TeX, with its data inside, for a document that loads pgfplots.

        Raises InputError where it needs a file beside it: `save_figure` writes both.
        """
        files = figure_files(self.picture(picture).made(), "picture", "tex")
        if len(files) > 2:
            raise InputError("picture-needs-file", name=self.picture(picture).label)
        return files["picture.tex"].decode()

    def to_latex(self, columns: Sequence[str] = (), *, digits: int | None = None, long: bool = False) -> str:
        r"""Tables for a document that loads booktabs, as `zebra compare` writes them.

        `columns` are keys of `zebra compare --columns`; none: those that matter most. `digits` is how many
        decimals figures have, by default as many as they bear; `long` makes a longtable.
        """
        if unknown := [key for key in columns if key not in CHOICES]:
            raise InputError("no-such-column", found=unknown[0], known=", ".join(CHOICES))
        tables = TexTables(tuple(CHOICES[key] for key in columns), digits, long)
        return results_tex(self, tables, is_file=False)

    def to_dict(self) -> dict[str, Any]:
        """What `zebra compare --json` prints, as plain values."""
        places = {row.entry.id: n for n, row in enumerate(self.rows)}
        return {
            "answer": self.answer.sentence,
            "answers": [each.as_json() for each in self.answer.conclusions],
            "rows": rows_as_json(self, self.project.report.people),
            "settled": [one.as_json(places) for one in self.project.settled],
            "verdicts": [each.as_json() for each in self.verdicts],
            "context": context_as_json(self.project.report),
        }


def compare(  # noqa: PLR0913 - what is stated of arrays, and what is asked
    what: Project | Mapping[str, Trials | CountedTrials],
    *,
    unprotected: Trials | CountedTrials | None = None,
    condition: Condition | str | None = None,
    attacker: str = "",
    dataset: str = "",
    settings: Settings | None = None,
    draws: BootstrapSettings | None = None,
    by_trial: bool = False,
    requirements: str | Path | None = None,
) -> SideBySide:
    """Put safeguards side by side, from arrays or from a project, as a folder is compared.

    Of arrays with ids there are intervals over speakers, and tests of each with each. Without ids there are
    none, nor what needs people, which `remarks` say.

    Parameters
    ----------
    `what`
        The trials of each safeguard by its name, or a project, of which nothing is assessed anew.
    `unprotected`
        The same trials of unprotected speech, which the others are measured against.
    `condition`
        Which sides were protected: "OP" (the test segments) or "PP" (both); "OO" of unprotected speech. Only
        what is stated is ranked, and measured against unprotected speech.
    `attacker`, `dataset`
        What the attacker knows, such as "semi-informed", and of which data the trials are.
    `settings`
        Of the assessments, as `assess` takes them.
    `draws`
        How often to draw speakers; of arrays as many as usual, of a project none where nobody says.
    `by_trial`
        Whether single trials are drawn of arrays without ids. Such intervals are too narrow.
    `requirements`
        A file of requirements, which `verdicts` judges.

    Returns
    -------
    SideBySide
        A row for each assessment.

    Raises
    ------
    InputError
        Where there is nothing to compare; for unprotected speech without a condition; for another condition.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import compare, project_of_folder
    >>> found = compare(project_of_folder(zebra_resources.path("demo")).project)
    >>> found.answer.sentence.split(":")[0]
    'Which of 3 safeguards protects best has not been tested'
    """
    if isinstance(what, Project):
        if unprotected or condition or attacker or dataset or settings or by_trial:
            raise InputError("compare-stated")
        project = what
    else:
        stated = _condition(condition, unprotected)
        project = _project_of(what, unprotected, stated, attacker, dataset, settings)
        draws = draws or BootstrapSettings()
    remarks: tuple[str, ...] = ()
    if requirements is not None:
        project = required_by(project, Path(requirements))
    if isinstance(what, Mapping) and not by_trial and not _have_ids(project):
        remarks, draws = (say("compare.no-ids"),), None
    if draws is not None:
        project, remarks = with_certainty(project, draws, must_compare=len(project.entries) > 1)
        if requirements is not None:
            project, lacking = with_bounds(project, project.requirements, draws)
            remarks = (*remarks, *lacking)
    made = side_by_side(project, c_ece_bits=learnt_on_other_runs(project.entries))
    return SideBySide(made.rows, project, remarks)


def answer_of(project: Project) -> ProjectAnswer:
    """What is concluded of a project, with what is found of its people."""
    return ProjectAnswer.of(conclusions(project, people_figures(project)), project)


def required_by(project: Project, file: Path) -> Project:
    """The project with the requirements of a file. Raises InputError with file and line.

    One that the project has already keeps its record; of others none shows when they were set.
    """
    asked = read_requirements(file, project.tag_scale, project.report.people)
    refuse_idle(file, asked, project.items)
    known = {each.name for each in project.requirements}
    try:
        required = project.requiring(*asked).requirements
    except InputError as error:
        raise InputError("requirements-in", file=file.name, reason=str(error)) from error
    new = (
        each if each.name in known else replace(each, recorded=RecordedWhen.NOT_SHOWN) for each in required
    )
    return replace(project, requirements=tuple(new))


def assessment_html(found: Assessment) -> str:
    """The badge, the figures of the report's tables, and the ECE profile, as a notebook shows them."""
    from zebra_core.figures.matplotlib_ import render

    figure = ece_of_one(found, "")
    picture = b64encode(render(figure, "png", dpi=_DPI_IN_NOTEBOOKS)).decode("ascii")
    rows = (
        f"<tr><th>{escape(say(f'table.{each.code}'))}</th><td>{escape(each.shown(found))}</td></tr>"
        for each in METRICS
        if each.table
    )
    image = f'<img alt="{escape(figure.alt_text)}" src="data:image/png;base64,{picture}">'
    return f"<p>{escape(badge(found))}</p><table>{''.join(rows)}</table>{image}"


def rows_as_json(comparison: Comparison, among: int | None = None) -> list[dict[str, object]]:
    """What --json prints of each row: what it is of, the keys of `zebra assess`, what is compared.

    `among` is how many people are stated to be in question.
    """
    people: Mapping[str, Any] = {row.entry.id: row.people for row in comparison.rows if row.people}
    if not comparison.has("people"):
        entries = [row.entry for row in comparison.rows]
        people = studied("people", entries, StudyQuestion(people=among, quick=True))
    return [
        {
            "system": row.entry.name,
            "run": row.entry.run,
            "dataset": row.group.dataset,
            "condition": row.group.condition.value if row.group.condition else None,
            **row.entry.attacked_by,
            **assessment_as_json(row.entry.full_name, row.assessment, row.entry.trust),
            **kept_as_json(row, COMPARED),
            "reidentification": people[row.entry.id].as_json() if row.entry.id in people else None,
            "inference": [each.as_json(name) for name, each in row.inference] or None,
            **({"by_group": [each.as_json() for each in row.by_group]} if comparison.has("by_group") else {}),
            **(row.certainty_as_json() if comparison.has_certainty else {}),
            "uniqueness": row.uniqueness.as_json() if row.uniqueness else None,
        }
        for row in comparison.rows
    ]


def _condition(
    condition: Condition | str | None, unprotected: Trials | CountedTrials | None
) -> Condition | None:
    """The condition that is stated. Raises InputError for another, and where one must be stated."""
    known = [one.value for one in Condition]
    if condition is None and unprotected is None:
        return None
    if isinstance(condition, str):
        condition = Condition(condition) if condition in known else None
    if condition is None or (unprotected is not None and condition is Condition.OO):
        raise InputError("compare-condition")
    return condition


def _project_of(
    arrays: Mapping[str, Trials | CountedTrials],
    unprotected: Trials | CountedTrials | None,
    condition: Condition | None,
    attacker: str,
    dataset: str,
    settings: Settings | None,
) -> Project:
    """A project of these trials, in their order, as a folder makes one of its files."""
    given = [(name, trials, condition) for name, trials in arrays.items()]
    if unprotected is not None:
        given.insert(0, (in_english("name.unprotected"), unprotected, Condition.OO))
    if not given:
        raise InputError("compare-nothing")
    project = Project()
    for name, trials, stated in given:
        if isinstance(trials, CountedTrials):
            raise InputError("only-counted")
        if not isinstance(trials, Trials):
            raise InputError("compare-not-trials", name=str(name), found=type(trials).__name__)
        known = "" if stated is Condition.OO else attacker
        entry = Entry(str(name), trials, assess(trials, settings), stated, dataset=dataset, attacker=known)
        project = project.with_items(replace(entry, colour=project.colour_for(entry)))
    return project


def _have_ids(project: Project) -> bool:
    trials = [entry.trials for entry in project.entries]
    return all(each is not None and each.enrol is not None and each.test is not None for each in trials)
