"""What a report says, as plain values: text that is fit to be shown, not yet in any format."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from zebra_core.evidence.audit import InputFile, distinguishing_names
from zebra_core.figures.figure import Figure, tag_colour
from zebra_core.metrics.assessment import Assessment, reading_in_words
from zebra_core.metrics.registry import METRICS, NOTHING, Metric
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.items import (
    Entry,
    Item,
    distinct_names,
    is_corrected,
    says_nothing_in_words,
    tag_in_words,
    tag_is_open,
)
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Logo, Paper, ReportSettings, Section
from zebra_core.project.satellites import Study
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.content.attackers import on_the_attacker, strongest_of_groups
from zebra_core.report.document import Badge, Block, ReportPicture, SectionContent
from zebra_core.uncertainty.no_disclosure import ceiling_of
from zebra_core.uncertainty.shown import (
    as_computed,
    as_printed,
    corrected,
    leading,
    leading_bits,
    share_of_full,
    strength_decimals,
    with_ends,
)
from zebra_core.uncertainty.trust import AssessmentTrust, Trust
from zebra_core.wording.texts import (
    MOST_NAMES,
    grouped,
    knows,
    list_as_said,
    listed,
    log10_lr,
    odds_alone,
    say,
    shortened,
    strength,
    visible,
)


@dataclass(frozen=True)
class ExaminedFile:
    """A file that figures rest on; `number` is how the results refer to it."""

    number: str
    file: str  # its name, with the folders that tell it from the others
    role: str
    rows: str
    size: str  # bytes
    sha256: str
    dialect: str  # how it is written, in words; empty where not known


@dataclass(frozen=True)
class Result:
    """One assessment: a row of the results, and the sentence that says what was found."""

    name: str
    condition: str
    trials: str  # target / nontarget
    files: str  # their numbers; empty where the scores came from no file
    figures: Mapping[
        str, tuple[str, str]
    ]  # those of the report's tables, by code, and what stands below each
    corrected: tuple[str, str]  # D_ECE without the optimism of small sets, and its interval
    tag: str
    colour: str  # of the tag
    finding: str
    may_be_chance: bool  # no disclosure at all would show such a tag too often
    is_open: bool  # the set is too small, or could not have shown a worse tag

    @property
    def badge(self) -> Badge:
        """Its tag as a badge."""
        return Badge(self.tag, self.colour, may_be_chance=self.may_be_chance, is_open=self.is_open)

    @property
    def from_files(self) -> str:
        """From which files, by their numbers; empty where the scores came from none."""
        return say("report.from-files", files=self.files) if self.files else ""


@dataclass(frozen=True)
class ReportContent:
    """Everything a report says, in its order. Foreign text in it is visible: one line, nothing hidden.

    Formats escape what has a meaning to them, and nothing else.
    """

    title: str
    kind: str  # what it is, which stands above the title
    front: tuple[tuple[str, str], ...]  # what the title block states: label and value, or as much as fits
    cut: tuple[tuple[str, str], ...]  # what it states of which there was too much, as a whole
    answer: tuple[Block, ...]  # what stands on the first page, before everything else
    author: str  # empty: not stated
    missing: tuple[str, ...]  # what must be stated before this is more than a draft
    date: dt.date
    report_id: str
    evidence_sha256: str  # empty where no evidence goes along
    program: str  # name and version
    logo: Logo | None
    sections: tuple[SectionContent, ...]
    signers: tuple[str, ...]
    paper: Paper
    language: str
    dpi: int
    results: tuple[Result, ...]
    figure: Figure  # the ECE profiles of all assessments
    places: Mapping[str, str] = field(default_factory=dict)  # what comments can be pinned to, and its words

    @property
    def is_draft(self) -> bool:
        """Whether it carries DRAFT on every page."""
        return bool(self.missing)

    @property
    def pictures(self) -> tuple[ReportPicture, ...]:
        """All figures, in the order of the report."""
        first = [block for block in self.answer if isinstance(block, ReportPicture)]
        return (*first, *(picture for section in self.sections for picture in section.pictures))


def shown(text: str) -> str:
    """Foreign text as a report shows it: whole, on one line, nothing invisible."""
    return visible(text, sys.maxsize)


def shown_list(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names as `listed` lists them, each as `shown` shows it."""
    return listed(names, most, sys.maxsize)


def distinct_files(items: Sequence[Item], studies: Sequence[Study] = ()) -> list[InputFile]:
    """Every file that the items rest on, once, in the order of the items; then those of studies."""
    of_each = [*(item.files for item in items), *(one.files for one in studies)]
    return list(dict.fromkeys(file for files in of_each for file in files))


def examined_files(files: Sequence[InputFile]) -> tuple[ExaminedFile, ...]:
    """The files as the report lists them."""
    names = _brief(distinguishing_names([file.path for file in files]))
    return tuple(
        ExaminedFile(
            number=str(number),
            file=shown(f"{name} › {file.member}" if file.member else name),
            role=_role(file.role),
            rows=grouped(file.rows),
            size=grouped(file.size),
            sha256=file.sha256,
            dialect=shown(list_as_said(file.dialect, "dialect")),
        )
        for number, (file, name) in enumerate(zip(files, names, strict=True), start=1)
    )


def _role(role: str) -> str:
    code = f"file-role.{role}"
    return say(code) if knows(code) else shown(role)


def _brief(names: Sequence[str]) -> Sequence[str]:
    """The names with the folders in the middle left out, as long as that leaves them distinct."""
    brief = [f"{way[0]}/…/{way[-1]}" if len(way := name.split("/")) > 2 else name for name in names]
    return brief if len(set(brief)) == len(set(names)) else names


# What every section of a report draws on.


MOST_TOGETHER = 10
"""More assessments of one dataset are divided by condition; more in one picture could not be told apart."""


@dataclass(frozen=True, eq=False)
class EntryGroup:
    """Entries that stand in one table and in one picture; an empty heading where there is one group only."""

    heading: str
    entries: tuple[Entry, ...]


def groups_of(entries: Sequence[Entry]) -> tuple[EntryGroup, ...]:
    """The entries by dataset and, where they are many, by condition; in the order of the project."""
    several = len({entry.dataset for entry in entries}) > 1
    groups: list[EntryGroup] = []
    for dataset in dict.fromkeys(entry.own_dataset for entry in entries):
        members = [entry for entry in entries if entry.own_dataset == dataset]
        name = (shown(dataset) or say("results.no-dataset")) if several else shown(dataset)
        if len(members) <= MOST_TOGETHER:
            groups.append(EntryGroup(name, tuple(members)))
            continue
        for condition in dict.fromkeys(entry.condition for entry in members):
            alike = tuple(entry for entry in members if entry.condition is condition)
            said = say("results.condition", condition=condition.value) if condition else ""
            groups.append(EntryGroup(_joined(name, said or say("results.no-condition")), alike))
    if len(groups) == 1 and not several:
        return (EntryGroup("", groups[0].entries),)
    return tuple(groups)


def parts(entries: Sequence[Entry]) -> list[Sequence[Entry]]:
    """The entries as many at a time as one picture holds, in parts of about one size."""
    count = -(-len(entries) // MOST_TOGETHER)
    size = -(-len(entries) // count)
    return [entries[start : start + size] for start in range(0, len(entries), size)]


def _joined(*texts: str) -> str:
    return " · ".join(filter(None, texts))


LONGEST_NAME = 60  # characters, in tables; the findings and the data have all of it


@dataclass(frozen=True, eq=False)
class Frame:
    """The project with its material, names and files, as the sections refer to them.

    `project` is what the pages are of, what is ticked: files and names are those of all, as in the evidence,
    and requirements are judged over all.
    """

    material: StudiedProject
    project: Project
    settings: ReportSettings
    versions: Mapping[str, str]
    files: Sequence[InputFile]
    names: Mapping[str, str]  # distinct ones, by the id of the item
    groups: tuple[EntryGroup, ...]

    @classmethod
    def of(cls, material: StudiedProject, versions: Mapping[str, str]) -> Frame:
        """The frame of a project."""
        project, items = material.project.ticked, material.project.items
        names = dict(zip((item.id for item in items), map(shown, distinct_names(items)), strict=True))
        return cls(
            material,
            project,
            project.report,
            versions,
            distinct_files(items, project.studies),
            names,
            groups_of(project.entries),
        )

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessments that the pages are of."""
        return self.project.entries

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What came of the requirements."""
        return verdicts(self.material.project)

    @property
    def has_appendix(self) -> bool:
        """Whether there is an appendix, which then has the details of the other sections."""
        return Section.APPENDIX not in self.settings.left_out

    def leading(self, entries: Sequence[Entry]) -> list[Entry]:
        """Of many assessments the strongest attacker of each safeguard and dataset, in the order given."""
        if len(entries) <= MOST_TOGETHER:
            return list(entries)
        strongest = {entry.id for entry in strongest_of_groups(self.entries)}
        return [entry for entry in entries if entry.id in strongest]

    def result(self, entry: Entry, group: EntryGroup | None = None) -> Result:
        """The result of an entry; below a group's heading its name need not say the dataset."""
        within = group is not None and bool(group.heading)
        return result_of(entry, _bare_name(entry) if within else self.short_name(entry), self.files)

    def short_name(self, entry: Entry) -> str:
        """The name of an entry without condition and attacker, which stand beside it."""
        if len(self.project.datasets) < 2 or not entry.dataset:
            return _bare_name(entry)
        return shown(say("name.of-dataset", name=_bare_name(entry), dataset=entry.own_dataset))

    def row_name(self, entry: Entry, group: EntryGroup | None = None) -> str:
        """What stands in a row of a table: name, condition and attacker, shortened where it is very long."""
        result = self.result(entry, group)
        return f"{shortened(result.name, LONGEST_NAME)} {result.condition}"


def _bare_name(entry: Entry) -> str:
    return shown(entry.name_and_run)


WORTH_NAMING = 0.1  # log10 LR: odds of 1.26 to 1


def result_of(entry: Entry, name: str, files: Sequence[InputFile]) -> Result:
    """The result of one entry under its distinct name; `files` are all files of the report, in its order."""
    found = entry.assessment
    return Result(
        name=shown(name),
        condition=_condition(entry),
        trials=f"{grouped(found.n_target)} / {grouped(found.n_nontarget)}",
        files=", ".join(str(files.index(file) + 1) for file in found.files),
        figures={metric.code: _figure(metric, entry) for metric in METRICS if metric.table},
        corrected=_corrected(entry),
        tag=tag_in_words(entry),
        colour=tag_colour(found.settings.tag_scale, found.reading_tag),
        finding=" ".join(filter(None, _findings(entry))),
        may_be_chance=bool(entry.trust and entry.trust.tag_may_be_chance),
        is_open=tag_is_open(entry),
    )


def _corrected(entry: Entry) -> tuple[str, str]:
    """D_ECE without the optimism of small sets; below it its interval and, where it leads, its share."""
    found, trust = entry.assessment, entry.trust
    bits, ends = corrected(found, trust)
    share = share_of_full(leading_bits(found, trust), found, trust) if is_corrected([entry]) else ""
    return bits, "; ".join(filter(None, (ends, share.replace(" ", "\u00a0"))))


def _figure(metric: Metric, entry: Entry) -> tuple[str, str]:
    """A figure, and what stands below it: what its words say, or its interval."""
    found = entry.assessment
    if metric.key == "d_ece_bits":
        share = share_of_full(found.d_ece_bits, found)
        return as_printed(metric.key, found), "" if is_corrected([entry]) else share
    if metric.of(found) is None and (why := metric.why_missing(found)):
        return NOTHING, why
    below = metric.text(f"table.{metric.code}-below", found) if metric.of(found) is not None else ""
    return (
        (as_computed(metric.key, found, entry.trust), below)
        if below
        else with_ends(metric.key, found, entry.trust)
    )


def _condition(entry: Entry) -> str:
    """Which side was protected, and what the attacker knows where it was said."""
    condition = entry.condition.value if entry.condition else say("report.condition-unknown")
    attack = entry.attack_in_words
    return f"{condition}, {shown(attack)}" if attack else condition


def _findings(entry: Entry) -> tuple[str, ...]:
    """What was found, whether the data could have shown more, and how sure that is where somebody asked."""
    found, trust = entry.assessment, entry.trust
    if reading_in_words(found):
        return (finding(found, trust),)
    ceiling = ceiling_of(found)
    limit = f"{ceiling.badge()}." if ceiling.is_reached else ""
    first = finding(found, trust)
    return (says_nothing_in_words(entry), first, limit, _computed(trust) if trust else "")


def standing(entry: Entry) -> tuple[str, ...]:
    """What must be known of an assessment beside its own figures, in sentences that hold of others, too."""
    trust = entry.trust
    if trust is None:
        return (on_the_attacker(entry),)
    if reading_in_words(entry.assessment):
        return (say("report.finding-as-given-asked"), on_the_attacker(entry))
    few = [remark for remark in trust.remarks if remark.code == "uncertainty-few-speakers"]
    return (
        say("report.uncorrected-means" if trust.uncorrected else "report.corrected-means"),
        *(say("report.few-speakers", count=trust.uncertainty.n_fewest) for _ in few),
        on_the_attacker(entry),
    )


def _computed(trust: AssessmentTrust) -> str:
    """D_ECE as it was computed, and how much of it and of the tag no disclosure would show."""
    code = "uncorrected" if trust.uncorrected else "as-computed"
    value = trust.uncorrected or trust.computed
    null, share = trust.null, trust.null_tag_share
    if null is None or share is None:
        return say(f"report.{code}", value=value)
    return say(
        f"report.{code}-by-chance",
        value=value,
        all=null.replicates,
        count=null.n_as_disclosing("d_ece_bits"),
        tagged=round(share * null.replicates),
        tag=trust.figures.settings.tag_scale.shown(trust.figures.tag),
    )


def finding(found: Assessment, trust: Trust | None = None) -> str:
    """What was found, in sentences: first what another reading discloses, where that is more.

    D_ECE is the figure that stands beside its interval, where there is one.
    """
    if found.all_scores_equal:
        return say("report.finding-nothing", ceiling=log10_lr(found.worst_case_ceiling_log10_lr))
    bits_gained, reading = leading_bits(found, trust), reading_in_words(found)
    share = share_of_full(bits_gained, found, trust)
    if trust and not reading:
        gained = say("report.finding-interval", value=trust.with_interval("d_ece_bits"), share=share)
    else:
        code = "report.finding-as-given" if reading else "report.finding"
        gained = say(code, d_ece=leading(found, trust), share=share)
    return " ".join(filter(None, (reading, gained, strongest(found, trust))))


def strongest(found: Assessment, trust: Trust | None = None) -> str:
    """The strongest evidence of a single comparison with its direction, and the ceiling of that side."""
    worst = found.strongest_log10_lr
    if found.worst_case_log10_lr < WORTH_NAMING:
        return say("report.strongest-little", ceiling=log10_lr(found.strongest_ceiling_log10_lr))
    return say(
        "report.strongest-for" if worst >= 0.0 else "report.strongest-against",
        worst_case=strength(worst, strength_decimals(found, trust)),
        odds=odds_alone(found.worst_case_log10_lr),
        ceiling=log10_lr(found.strongest_ceiling_log10_lr),
    )
