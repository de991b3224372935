"""What a report says, as plain values: text that is fit to be shown, not yet in any format."""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.assessment import Settings
from core.errors import OutputError
from core.figures.ece import ece_figure
from core.figures.figure import Figure
from core.figures.palette import tag_colour
from core.project import Entry, Project
from core.scales import PAPER_SCALE, TagScale
from core.texts import grouped, say, visible
from core.trials import InputFile
from core.wording import bits, disclosure, log10_lr, odds_in_words, percent, share
from core.zebra import FULL_DISCLOSURE_BITS


@dataclass(frozen=True)
class ExaminedFile:
    """A file that figures rest on; `number` is how the results refer to it."""

    number: str
    file: str  # its name, with the folders that tell it from the others
    role: str
    rows: str
    size: str  # bytes
    sha256: str


@dataclass(frozen=True)
class Badge:
    """A tag, its colour as #RRGGBB (it carries white letters), and what it stands for."""

    tag: str
    colour: str
    meaning: str


@dataclass(frozen=True)
class Result:
    """One assessment: a row of the results, and the sentence that says what was found."""

    name: str
    condition: str
    trials: str  # target / nontarget
    files: str  # their numbers; empty where the scores came from no file
    d_ece: str
    share: str
    worst_case: str
    tag: str
    odds: str
    ceiling: str
    eer: str
    rocch_eer: str
    cllr: str
    min_cllr: str
    linkability: str
    colour: str  # of the tag
    finding: str

    @property
    def counts(self) -> str:
        """How many trials, and from which files."""
        return say("report.counts", trials=self.trials, files=self.files) if self.files else self.trials


@dataclass(frozen=True)
class Told:
    """A remark, and whom it is about."""

    about: str
    text: str


@dataclass(frozen=True)
class ReportContent:
    """Everything a report says, in its order. Foreign text in it is visible: one line, nothing hidden.

    Formats escape what has a meaning to them, and nothing else.
    """

    title: str
    author: str  # empty: not stated
    date: dt.date
    program: str  # name and version
    results: tuple[Result, ...]
    figure: Figure
    meaning: tuple[str, ...]  # paragraphs
    scale: tuple[Badge, ...]
    files: tuple[ExaminedFile, ...]
    remarks: tuple[Told, ...]
    recompute: str
    versions: str


def report_content(
    project: Project, date: dt.date, versions: Mapping[str, str], *, author: str = ""
) -> ReportContent:
    """Say in words and figures what the project found.

    `versions` is name to version, as `provenance.versions` returns it, with the program as "zebra". Raises
    OutputError when there is nothing to report.
    """
    if not project.entries:
        raise OutputError("nothing-to-report")
    settings = project.entries[0].assessment.settings
    files = distinct_files(project.entries)
    names = _brief(distinguishing_names([file.path for file in files]))
    return ReportContent(
        title=report_title(project),
        author=shown(author),
        date=date,
        program=say("report.version", name="ZEBRA", version=versions["zebra"]),
        results=tuple(_result(entry, files) for entry in project.entries),
        figure=ece_figure(project.entries),
        meaning=(
            say("report.meaning-population", full=disclosure(FULL_DISCLOSURE_BITS)),
            say("report.meaning-worst-case"),
            say("report.meaning-conventional"),
            say("report.meaning-limits"),
            *_scales_in_words(settings),
        ),
        scale=_scale(settings.tag_scale),
        files=tuple(
            ExaminedFile(
                number=str(number),
                file=shown(name),
                role=say(f"file-role.{file.role}"),
                rows=grouped(file.rows),
                size=grouped(file.size),
                sha256=file.sha256,
            )
            for number, (file, name) in enumerate(zip(files, names, strict=True), start=1)
        ),
        remarks=_remarks(project.entries),
        recompute=say("report.recompute-how", file=EVIDENCE_FILE),
        versions=_versions(versions),
    )


EVIDENCE_FILE = "evidence.json"


def report_title(project: Project) -> str:
    """The title of the project, or one that says what it is."""
    return shown(project.title) or say("report.untitled")


def shown(text: str) -> str:
    """Foreign text as a report shows it: whole, on one line, nothing invisible."""
    return visible(text, sys.maxsize)


def distinct_files(entries: Sequence[Entry]) -> list[InputFile]:
    """Every file that the entries rest on, once, in the order of the entries."""
    return list(dict.fromkeys(file for entry in entries for file in entry.assessment.files))


def distinguishing_names(paths: Sequence[PurePath]) -> list[str]:
    """For each path its file name, with as many folders before it as tell it from its namesakes.

    Folders above those are nobody's business, and differ from machine to machine.
    """
    depth = {}
    for name in {path.name for path in paths}:
        namesakes = {path.parts for path in paths if path.name == name}
        longest = max(len(parts) for parts in namesakes)
        depth[name] = next(
            n for n in range(1, longest + 1) if len({p[-n:] for p in namesakes}) == len(namesakes)
        )
    return ["/".join(part.strip("/\\") for part in path.parts[-depth[path.name] :]) for path in paths]


def _brief(names: Sequence[str]) -> Sequence[str]:
    """The names with the folders in the middle left out, as long as that leaves them distinct."""
    brief = [f"{parts[0]}/…/{parts[-1]}" if len(parts := name.split("/")) > 2 else name for name in names]
    return brief if len(set(brief)) == len(brief) else names


def _result(entry: Entry, files: Sequence[InputFile]) -> Result:
    found = entry.assessment
    return Result(
        name=shown(entry.name),
        condition=entry.condition.value if entry.condition else say("report.condition-unknown"),
        trials=f"{grouped(found.n_target)} / {grouped(found.n_nontarget)}",
        files=", ".join(str(files.index(file) + 1) for file in found.files),
        d_ece=disclosure(found.d_ece_bits),
        share=share(found.share_of_full_disclosure),
        worst_case=log10_lr(found.worst_case_log10_lr),
        tag=found.tag,
        odds=odds_in_words(found.worst_case_log10_lr),
        ceiling=log10_lr(found.worst_case_ceiling_log10_lr),
        eer=percent(found.eer),
        rocch_eer=percent(found.rocch_eer),
        cllr=bits(found.cllr_bits),
        min_cllr=bits(found.min_cllr_bits),
        linkability=bits(found.linkability),
        colour=tag_colour(found.settings.tag_scale, found.tag),
        finding=_finding(entry),
    )


def _finding(entry: Entry) -> str:
    found = entry.assessment
    ceiling = log10_lr(found.worst_case_ceiling_log10_lr)
    if found.worst_case_log10_lr == 0.0:
        return say("report.finding-nothing", ceiling=ceiling)
    return say(
        "report.finding",
        d_ece=disclosure(found.d_ece_bits),
        share=share(found.share_of_full_disclosure),
        worst_case=log10_lr(found.worst_case_log10_lr),
        odds=odds_in_words(found.worst_case_log10_lr),
        ceiling=ceiling,
    )


def _scale(scale: TagScale) -> tuple[Badge, ...]:
    """What each tag stands for, in the order of the scale."""
    zero, *tags = scale.tags
    badges = [Badge(zero.letter, tag_colour(scale, zero.letter), say("report.scale-zero"))]
    ends = [*(tag.from_log10_lr for tag in tags[1:]), math.inf]
    for tag, high in zip(tags, ends, strict=True):
        low = tag.from_log10_lr
        if low <= 0.0:
            meaning = say("report.scale-below", bound=f"{high:g}")
        elif math.isinf(high):
            meaning = say("report.scale-above", bound=f"{low:g}")
        else:
            meaning = say("report.scale-between", low=f"{low:g}", high=f"{high:g}")
        badges.append(Badge(tag.letter, tag_colour(scale, tag.letter), meaning))
    return tuple(badges)


def _scales_in_words(settings: Settings) -> list[str]:
    """What the tags of a scale of the project's own mean, and the verbal scale shown beside the tags."""
    told = []
    if settings.tag_scale != PAPER_SCALE:
        tags = [f"{tag.letter}, {tag.words}" for tag in settings.tag_scale.tags if tag.words]
        told += [say("report.scale-words", tags="; ".join(tags))] if tags else []
    if (verbal := settings.verbal_scale) is not None:
        levels = [f"{level.words} ({level.from_log10_lr:.3g})" for level in verbal.levels]
        told.append(say("report.verbal-scale", name=verbal.name, levels="; ".join(levels)))
    return [shown(paragraph) for paragraph in told]


def _remarks(entries: Sequence[Entry]) -> tuple[Told, ...]:
    """Each remark once, with the names of the assessments that it is about."""
    about: dict[str, list[str]] = {}
    for entry in entries:
        for remark in entry.assessment.remarks:
            about.setdefault(shown(str(remark)), []).append(shown(entry.full_name))
    everyone = len(entries)
    return tuple(
        Told(say("report.remark-for-all") if len(names) == everyone else ", ".join(names), text)
        for text, names in about.items()
    )


def _versions(versions: Mapping[str, str]) -> str:
    parts = (say("report.version", name=name, version=version) for name, version in versions.items())
    return say("report.versions", versions=", ".join(parts))
