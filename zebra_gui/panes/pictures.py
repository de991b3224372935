"""The pictures that panes can show: which figure of the core, what can be chosen in it, how it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from zebra_core.figures import readout, uncertainty
from zebra_core.figures.ape import ape_figure, nber_figure
from zebra_core.figures.calibration import calibration_figure, over_estimation_figure
from zebra_core.figures.distributions import (
    OneSpeaker,
    ShownScores,
    det_figure,
    histogram_figure,
    pav_figure,
    roc_figure,
    tippett_figure,
)
from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Figure
from zebra_core.figures.headline import ladder_figure, scale_figure
from zebra_core.figures.series import ece_figure, nece_figure
from zebra_core.figures.uncertainty import with_bands
from zebra_core.project.comparison.comparison import of_one_group
from zebra_core.project.items import Entry
from zebra_core.wording.texts import say
from zebra_gui.plots.figure import ReadOut
from zebra_gui.plots.points import PointReadOut

MOST_AT_ONCE = 12
"""More curves than these cannot be told apart by colour and dash; then one group is shown at first."""


@dataclass(frozen=True)
class View:
    """What the user wants to see of a picture."""

    default: bool = True  # the curve of deciding by the prior alone: perfect privacy
    minimum: bool = True
    actual: bool = False
    bands: bool = True  # where there are any
    shown: ShownScores | None = None
    only_selected: bool = False
    only_group: bool | None = None  # None: where there are more than can be told apart
    at_prior: bool = False  # of a picture for one prior: at that of the slider, not at that of the data

    def narrows_to_group(self, count: int) -> bool:
        """Whether of so many entries only those in the group of the selected one are shown."""
        return count > MOST_AT_ONCE if self.only_group is None else self.only_group


@dataclass(frozen=True)
class Subject:
    """What is drawn: the entries, which is selected, the prior to be marked and the speaker, if any."""

    entries: tuple[Entry, ...]
    selected: Entry | None
    prior_log_odds: float | None
    speaker: OneSpeaker | None = None

    def narrowed(self, view: View) -> Subject:
        """Only the selected entry, or those of its group, where the user wants no others."""
        if self.selected is None:
            return self
        if view.only_selected:
            return replace(self, entries=(self.selected,))
        if view.narrows_to_group(len(self.entries)):
            return replace(self, entries=of_one_group(self.entries, self.selected))
        return self

    @property
    def selected_id(self) -> str | None:
        """The id of the selected entry."""
        return self.selected.id if self.selected else None


Draw = Callable[[Subject, View], Figure]


@dataclass(frozen=True)
class PictureKind:
    """One kind of picture. `name` is that of its words and, in capitals, of its files."""

    name: str
    read_out: ReadOut
    draw: Draw | None = None  # None: it takes more than a Subject, which its card knows
    parts: tuple[str, ...] = ()  # the fields of View that show and hide curves
    shown: tuple[ShownScores, ...] = ()  # which values it can show
    first: View = View()
    is_of_selected: bool = False  # whatever else there is to be shown
    is_quick: bool = False  # drawn at once; the others are drawn by a job
    read_mark: PointReadOut | None = None  # of a picture whose marks are read in the place of its lines
    marks_are_on_lines: bool = False  # or beside them: both are read
    marks_speaker: bool = False  # it shows where the comparisons of the speaker are

    @property
    def title(self) -> str:
        """What its button says."""
        return say(f"picture.{self.name}")

    def file_stem(self, label: str) -> str:
        """What a file of it is called: ZEBRA-<label> for ECE profiles, as the reference toolkit has it."""
        return zebra_stem(label if self.name == "ece" else f"{self.name.upper()}-{label}".rstrip("-"))


Over = Callable[..., Figure]
_CURVES = ("default", "minimum", "actual")


def _with_parts(figure: Over, *parts: str) -> Draw:
    def draw(subject: Subject, view: View) -> Figure:
        chosen = {part: getattr(view, part) for part in parts}
        return _drawn(figure, subject, **chosen)

    return draw


def _with_values(figure: Over) -> Draw:
    return lambda subject, view: _drawn(figure, subject, shown=view.shown)


def _histograms(subject: Subject, view: View) -> Figure:
    return _drawn(histogram_figure, subject, shown=view.shown, speaker=subject.speaker)


def _calibration(subject: Subject, view: View) -> Figure:
    if not view.at_prior:
        subject = replace(subject, prior_log_odds=None)
    return _drawn(calibration_figure, subject, shown=view.shown)


def _over_estimation(subject: Subject, _view: View) -> Figure:
    """Over-estimation, whose intervals are drawn here once: its picture is made by a job."""
    from zebra_core.project.gathering.gathering import over_estimation_of

    stated = [entry for entry in subject.entries if entry.assessment.has_llrs]
    found = {entry.id: over_estimation_of(entry) for entry in stated}
    return over_estimation_figure(subject.entries, found, subject.selected_id)


def _drawn(figure: Over, subject: Subject, **options: object) -> Figure:
    return figure(subject.entries, subject.selected_id, prior_log_odds=subject.prior_log_odds, **options)


def _ece(figure: Over, *, normalised: bool) -> Draw:
    """An ECE figure with a band for every entry of which it was asked how sure it is."""
    drawn = _with_parts(figure, *_CURVES)

    def draw(subject: Subject, view: View) -> Figure:
        plain = drawn(subject, view)
        if not (view.minimum and view.bands):
            return plain
        return with_bands(plain, subject.entries, subject.selected_id, normalised=normalised)

    return draw


_LLRS = (ShownScores.ORACLE_LLRS, ShownScores.SCORES_AS_LLRS)


def _whiskers(figure: str) -> Draw:
    return lambda subject, _view: uncertainty.dots_of(subject.entries, figure, subject.selected_id)


def _headline(figure: Callable[..., Figure], name: str) -> PictureKind:
    return PictureKind(
        name,
        readout.whisker_read_out,
        lambda subject, _view: figure(subject.entries, subject.selected_id),
        first=View(only_selected=True),
        is_quick=True,
        read_mark=readout.mark_read_out,
    )


SCALE = _headline(scale_figure, "scale")
LADDER = _headline(ladder_figure, "ladder")
_ONE_GROUP = View(only_group=True)  # that of the table below
POPULATION = PictureKind(
    "sure-population",
    readout.whisker_read_out,
    _whiskers("d_ece_bits"),
    first=_ONE_GROUP,
    is_quick=True,
)
INDIVIDUAL = PictureKind(
    "sure-individual",
    readout.whisker_read_out,
    _whiskers("worst_case_log10_lr"),
    first=_ONE_GROUP,
    is_quick=True,
)
CONVERGENCE = PictureKind(
    "convergence",
    readout.convergence_read_out,
    lambda subject, _view: uncertainty.convergence_of(subject.selected, "d_ece_bits"),
    is_of_selected=True,
)
NULL = PictureKind(
    "null",
    readout.null_read_out,
    lambda subject, _view: uncertainty.null_of(subject.selected, "d_ece_bits"),
    is_of_selected=True,
)
ECE = PictureKind(
    "ece",
    readout.ece_read_out,
    _ece(ece_figure, normalised=False),
    (*_CURVES, "bands"),
    is_quick=True,
)
NECE = PictureKind(
    "nece",
    readout.share_read_out,
    _ece(nece_figure, normalised=True),
    (*_CURVES, "bands"),
    is_quick=True,
)
APE = PictureKind(
    "ape",
    readout.ape_read_out,
    _with_parts(ape_figure, "actual"),
    ("actual",),
)
NBER = PictureKind(
    "nber",
    readout.share_read_out,
    _with_parts(nber_figure, "actual"),
    ("actual",),
)
DET = PictureKind("det", readout.det_read_out, _with_parts(det_figure))
ROC = PictureKind(
    "roc",
    readout.roc_read_out,
    _with_parts(roc_figure),
    read_mark=readout.mark_read_out,
    marks_are_on_lines=True,
)
TIPPETT = PictureKind(
    "tippett",
    readout.tippett_read_out,
    _with_values(tippett_figure),
    shown=_LLRS,
    first=View(shown=ShownScores.ORACLE_LLRS),
)
HISTOGRAMS = PictureKind(
    "histograms",
    readout.histogram_read_out,
    _histograms,
    shown=(ShownScores.SCORES, *_LLRS),
    first=View(shown=ShownScores.SCORES, only_selected=True),
    marks_speaker=True,
)
PAV = PictureKind("pav", readout.pav_read_out, _with_parts(pav_figure))
CALIBRATION = PictureKind(
    "calibration",
    readout.calibration_read_out,
    _calibration,
    ("at_prior",),
    shown=_LLRS[::-1],
    first=View(shown=ShownScores.SCORES_AS_LLRS, only_selected=True),
)
OVER_ESTIMATION = PictureKind(
    "over-estimation",
    readout.over_estimation_read_out,
    _over_estimation,
    first=View(only_selected=True),
)
