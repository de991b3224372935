"""A folder of score files as a project, without anybody to ask: what needs an answer is left out and told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import Answers, Remark
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import refuse_missing, size_of
from zebra_core.intake.planned import Problem, unasked
from zebra_core.intake.recordings_file import FILE
from zebra_core.project.arranging import grouped
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import Arrival, arrive
from zebra_core.project.reading.published import with_printed_word_errors
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import named, say, visible

_MOST_TOLD = 8  # reasons why there is nothing to assess


@dataclass(frozen=True, eq=False)
class FolderProject:
    """What was made of a folder, and what could not be."""

    project: Project
    faults: tuple[str, ...]  # sentences: files that could not be read, or that only the user can place
    remarks: tuple[Remark, ...]


def project_of_folder(
    folder: str | Path,
    on_progress: Progress = no_progress,
    *,
    speakers: str | Path | SpeakerRule | None = None,
    any_ratio: bool = False,
    answers: Answers | None = None,
) -> FolderProject:
    """Assess everything in a folder.

    Of scores that were made from recordings the strongest attacker of each speech comes first.

    Parameters
    ----------
    `folder`
        Where the files are, also in folders of it.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.
    `speakers`
        Who speaks, where the folder does not say it: the path of a map (utt2spk), or a rule.
    `any_ratio`
        Whether what packs better than files of scores do is unpacked, too.
    `answers`
        What was said about its files before.

    Returns
    -------
    FolderProject
        The project, and what could not be read.

    Raises
    ------
    InputError
        Where nothing in the folder can be assessed.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import project_of_folder
    >>> found = project_of_folder(zebra_resources.path("demo"))
    >>> found.faults
    ()
    >>> for entry in found.project.entries:
    ...     print(entry.name, entry.condition.value, entry.assessment.tag)
    B1w OP A
    B2 OP C
    B2r OP C
    unprotected OO C
    """
    folder = Path(folder)
    refuse_missing(folder)
    rule = {"speakers": speakers.value} if isinstance(speakers, SpeakerRule) else {}
    also = [] if speakers is None or rule else [Path(str(speakers))]
    given = (answers or Answers()).and_then(Answers(unasked(rule, any_ratio=any_ratio)))
    arrival = arrive([folder, *also], given, on_progress=on_progress)
    if size_of(folder / FILE) is not None:  # made from recordings, by every attacker
        arrival = arrival.with_strongest_first()
    if not arrival.entries:
        raise _of_nothing(folder, arrival)
    project = Project(folder.absolute().name).publishing(arrival.plan.published)
    for entry in arrival.entries:
        project = project.with_items(replace(entry, colour=project.colour_for(entry)))
    project = with_printed_word_errors(project.with_words(arrival.words.of).with_emotions(arrival.words.told))
    unused = len(arrival.plan.unused)
    left_out = (Remark("files-unused", {"count": unused}),) if unused else ()
    remarks = (*left_out, *arrival.words.remarks)
    if not project.entries:
        raise _of_nothing(folder, arrival)
    return FolderProject(grouped(project), _faults(arrival, folder), remarks)


def _of_nothing(folder: Path, arrival: Arrival) -> ZebraError:
    """Why: the only reason there is, or all of them in a sentence."""
    name, faults = folder.name or str(folder), _faults(arrival, folder)
    faults = faults or tuple(_where(problem, folder) for problem in arrival.plan.ignored)
    if not faults:
        return InputError("nothing-to-compare", folder=name)
    if len(faults) == 1 and (errors := [*(one.error for one in arrival.plan.problems), *arrival.failures]):
        return errors[0]
    rest = len(faults) - _MOST_TOLD
    more = (say("comparison.more-faults", count=rest),) if rest > 0 else ()
    return InputError("nothing-but-faults", folder=name, faults=" ".join((*faults[:_MOST_TOLD], *more)))


def _faults(arrival: Arrival, folder: Path) -> tuple[str, ...]:
    asked = [say("comparison.needs-answer", question=str(question)) for question in arrival.plan.questions]
    problems = [_where(problem, folder) for problem in arrival.plan.problems]
    return tuple(dict.fromkeys((*problems, *map(str, arrival.failures), *asked)))


def _where(problem: Problem, folder: Path) -> str:
    """What is wrong with a file, after the folder that it lies in: files of many folders have one name."""
    path, said = problem.source.path, str(problem.error)
    inside = path.relative_to(folder).parent if path.is_relative_to(folder) else path.parent
    return said if inside == Path() else named(visible(str(inside)), said)
