"""What a user says in a project, as far as it can be shared without names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from zebra_core.project.codes import HiddenNames
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.wording.texts import say


def words_without(
    project: Project, hidden: HiddenNames, labels: Iterable[str] = ()
) -> tuple[Project, tuple[str, ...]]:
    """A project without items that says what this one says, but for texts with a name in them.

    A title that is the name of a folder is left behind as well.

    Notes, answers about files, what result files print, word error rates and ratings are left behind in any
    case: they are about files. A sentence tells of each kind of thing that was left behind, and one that
    names of one character may be in what is kept, these labels of items included.
    """
    report, left = _report(project.report, hidden)
    required = tuple(one for one in project.requirements if not hidden.is_in(_text_of(one)))
    folders = {part for item in project.items for file in item.files for part in file.path.parts}
    title = "" if hidden.is_in(project.title) or project.title in folders else project.title
    left += ["title"] if title != project.title else []
    left += ["requirements"] if len(required) < len(project.requirements) else []
    left += ["notes"] if project.notes or any(item.notes for item in project.items) else []
    left += ["published"] if project.published else []
    left += ["utilities"] if project.utilities else []
    made = Project(
        title,
        tag_scale=project.tag_scale,
        verbal_scale=project.verbal_scale,
        report=report,
        requirements=required,
    )
    kept = [title, *labels, *_texts_of(report), *(_text_of(one) for one in required)]
    left += ["short-names"] if any(map(hidden.may_be_in, kept)) else []
    return made, tuple(say(f"nameless.{what}") for what in left)


def _report(said: ReportSettings, hidden: HiddenNames) -> tuple[ReportSettings, list[str]]:
    texts = {field.name: "" for field in fields(said) if _is_named(getattr(said, field.name), hidden)}
    notes = {section: text for section, text in said.notes.items() if not hidden.is_in(text)}
    signers = tuple(name for name in said.signers if not hidden.is_in(name))
    logo = None if said.logo and hidden.is_in(said.logo.texts) else said.logo
    made: Any = replace(said, **texts, notes=notes, signers=signers, logo=logo)  # type: ignore[arg-type]
    lacks = texts or len(notes) < len(said.notes) or len(signers) < len(said.signers)
    return made, [*(["report"] if lacks else []), *(["logo"] if logo != said.logo else [])]


def _is_named(value: object, hidden: HiddenNames) -> bool:
    return isinstance(value, str) and hidden.is_in(value)


def _texts_of(report: ReportSettings) -> Iterator[str]:
    values = (getattr(report, field.name) for field in fields(report))
    yield from (value for value in values if isinstance(value, str))
    yield from (*report.notes.values(), *report.signers)


def _text_of(one: Requirement) -> str:
    """Everything that a requirement says, its scope included."""
    return "\n".join(str(value) for value in vars(one).values())
