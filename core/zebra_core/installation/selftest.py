"""Known-answer tests: whether this installation computes and writes what it should, on one page to be kept.

What is expected lies in zebra_resources/selftest.json: the demo's figures with their tolerance, the hashes
of what depends on nothing else, and a case that anyone can work out with pencil and paper.
"""

from __future__ import annotations

import datetime as dt
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import zebra_resources
from zebra_core.errors import ZebraError
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.figures.matplotlib_ import PictureFormat, render
from zebra_core.figures.series import ece_figure
from zebra_core.files.access import temporary_folder
from zebra_core.metrics.assessment import Assessment, assess
from zebra_core.project.comparison.inference import Labels, inferred
from zebra_core.project.comparison.studies import studied
from zebra_core.project.demo import FILES, KEY, demo_project
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.report_settings import LEAST_DPI
from zebra_core.report.export import report_set
from zebra_core.report.outcome_page import OutcomeLine, OutcomePage, made_with, outcome_pdf
from zebra_core.report.pdf import forget_drawn
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.trust import assessment_as_json
from zebra_core.version import versions
from zebra_core.wording.texts import ENGLISH, moment, say, speaking

EXPECTED = "selftest.json"
DATE = dt.date(2026, 1, 1)  # of the exports made here, which must not depend on the day
HASHED = ("results.md", "results.tex")  # rounded texts: the same on every processor
_FIGURES_NOT_COMPARED = ("label", "profile", "remarks")
_BEGINNINGS = {".pdf": b"%PDF-", ".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".json": b"{"}


@dataclass(frozen=True)
class KnownAnswer:
    """One question with a known answer."""

    name: str
    expected: str
    found: str
    passed: bool


@dataclass(frozen=True)
class SelftestOutcome:
    """All checks, and where, when and with what they were made."""

    checks: tuple[KnownAnswer, ...]
    when: dt.datetime
    machine: str
    versions: Mapping[str, str]
    answers_sha256: str  # of the file with what is expected

    @property
    def passed(self) -> bool:
        """Whether all checks were passed, and there were some."""
        return bool(self.checks) and all(check.passed for check in self.checks)

    def as_json(self) -> dict[str, object]:
        """The outcome as `zebra selftest --json` prints it."""
        return {
            "passed": self.passed,
            "when": self.when.isoformat(timespec="seconds"),
            "machine": self.machine,
            "versions": dict(self.versions),
            "answers_sha256": self.answers_sha256,
            "checks": [asdict(check) for check in self.checks],
        }


def selftest(
    on_progress: Progress = no_progress,
    expected: Mapping[str, Any] | None = None,
    *,
    on_checked: Callable[[Sequence[KnownAnswer]], object] = len,
) -> SelftestOutcome:
    """Make all checks, in some seconds. `expected` replaces the answers that come along.

    `on_checked` is told everything that has been checked so far, again and again.
    """
    answers = zebra_resources.read_bytes(EXPECTED)
    known = expected if expected is not None else json.loads(answers)
    checks = [*_inputs(known["inputs"]), *_by_hand(known["by_hand"]), *_inferred(known["inference"])]
    on_checked(tuple(checks))
    project = _english_demo(part_of(on_progress, 0.0, 0.3))
    checks += [*_demo(project, known), *_people(project, known), _pictured(project)]
    on_checked(tuple(checks))
    checks += _exports(project, known["exports"], part_of(on_progress, 0.3, 1.0))
    return SelftestOutcome(
        tuple(checks),
        dt.datetime.now(dt.UTC),
        platform.platform(),
        versions(),
        sha256(answers).hexdigest(),
    )


def _english_demo(on_progress: Progress = no_progress) -> Project:
    """The demo, whose report is in English whoever asks: answers are compared byte by byte.

    Its pictures are coarse: what is asked is whether they are made, and the same again.
    """
    with speaking(ENGLISH):
        project = demo_project(on_progress)
    return replace(project, report=replace(project.report, dpi=LEAST_DPI))


def answers_now() -> dict[str, Any]:
    """What this installation answers, in the form of the expected answers, without what is worked by hand."""
    project = _english_demo()
    with temporary_folder() as name:
        report_set(gather(project), Path(name), date=DATE)
        exports = {file: sha256(Path(name, file).read_bytes()).hexdigest() for file in HASHED}
    return {
        "inputs": {file: sha256(zebra_resources.read_bytes(file)).hexdigest() for file in _demo_files()},
        "figures": {entry.name: _figures(entry.assessment) for entry in project.entries},
        "people": _people_found(project),
        "exports": exports,
    }


def page(outcome: SelftestOutcome) -> str:
    """The page, as plain text: the verdict, a line a check, and room for who made it."""
    lines = lines_of(outcome.checks)
    head = say(
        "selftest.head",
        when=moment(outcome.when),
        machine=outcome.machine,
        versions=", ".join(f"{name} {version}" for name, version in outcome.versions.items()),
        answers=outcome.answers_sha256,
    )
    return "\n\n".join([head, _verdict(outcome), "\n".join(lines), say("selftest.signature")]) + "\n"


def lines_of(checks: Sequence[KnownAnswer]) -> list[str]:
    """The checks as lines of plain text."""
    width = max((len(check.name) for check in checks), default=0)
    return [
        f"{_in_words(check)}  {check.name:{width}}  "
        + (
            check.found
            if check.passed
            else say("selftest.differs", expected=check.expected, found=check.found)
        )
        for check in checks
    ]


def page_pdf(outcome: SelftestOutcome) -> bytes:
    """The page of the self-test as a PDF for the file; what failed comes first."""
    ordered = sorted(outcome.checks, key=lambda check: check.passed)
    return outcome_pdf(
        OutcomePage(
            say("outcome.check"),
            [*made_with(outcome.when), (say("outcome.answers"), f"SHA-256 {outcome.answers_sha256}")],
            _verdict(outcome),
            outcome.passed,
            [say(f"outcome.{head}") for head in ("outcome", "what", "expected", "found")],
            (2, 6, 5, 5),
            [OutcomeLine((_in_words(one), one.name, one.expected, one.found), one.passed) for one in ordered],
            outcome.when,
        )
    )


def _in_words(check: KnownAnswer) -> str:
    return say("selftest.passed" if check.passed else "selftest.failed")


def _verdict(outcome: SelftestOutcome) -> str:
    failed, count = sum(not check.passed for check in outcome.checks), len(outcome.checks)
    if outcome.passed:
        return say("selftest.all-passed", count=count)
    return say("selftest.some-failed", failed=failed, count=count)


def _inputs(known: Mapping[str, str]) -> Iterator[KnownAnswer]:
    """Check that the demo data are untouched."""
    for name, expected in known.items():
        found = sha256(zebra_resources.read_bytes(name)).hexdigest()
        short = "/".join(Path(name).parts[2:4])
        yield KnownAnswer(say("selftest.file", file=short), expected, found, found == expected)


def _by_hand(known: Mapping[str, Any]) -> Iterator[KnownAnswer]:
    """Check the figures of a case small enough to be worked out by hand."""
    found = assess(Trials.from_scores(target=known["target"], nontarget=known["nontarget"]))
    yield from _compared(say("selftest.by-hand"), found, known["figures"], known["tolerance"])


def _inferred(known: Mapping[str, Any]) -> Iterator[KnownAnswer]:
    """Check what is told of an attribute of four people, small enough to be worked out by hand."""
    enrolled, heard, scores = zip(*known["trials"], strict=True)
    speaker_of = known["speaker_of"]
    is_own = np.array([speaker_of[test] == name for name, test in zip(enrolled, heard, strict=True)])
    trials = Trials(np.array(scores), is_own, _ids(enrolled), _ids(heard))
    attribute, guessed = Labels(known["attribute"]), Labels(known["guessed"])
    [attribute_found] = inferred(trials, [attribute], [guessed], speaker_of)
    found = {code: figure.value for code, figure in attribute_found.figures.items()}
    found |= {f"{code}_by_guessing": figure.chance for code, figure in attribute_found.figures.items()}
    assert attribute_found.recogniser is not None  # noqa: S101 - for the type checker: guesses were given
    found["information_as_computed"] = attribute_found.recogniser.mutual_information_as_computed_bits
    yield from _compared_values(say("selftest.inference"), found, known["figures"], known["tolerance"])


def _ids(names: Sequence[str]) -> Ids:
    distinct, codes = np.unique(names, return_inverse=True)
    return Ids(codes.astype(np.int32), tuple(distinct.tolist()))


def _demo(project: Project, known: Mapping[str, Any]) -> Iterator[KnownAnswer]:
    for entry in project.entries:
        expected = known["figures"][entry.name]
        yield from _compared(entry.name, entry.assessment, expected, known["tolerance"])


def _people(project: Project, known: Mapping[str, Any]) -> Iterator[KnownAnswer]:
    """Check how well people of the demo are linked and singled out among all who are enrolled."""
    found = _people_found(project)
    for name, expected in known["people"].items():
        yield from _compared_values(name, found[name], expected, known["tolerance"])


def _pictured(project: Project) -> KnownAnswer:
    """Check that a picture is the same whichever settings of matplotlib there are on this machine."""
    import matplotlib as mpl

    picture = ece_figure(project.entries, project.entries[0].id)
    as_it_is = sha256(render(picture, PictureFormat.SVG)).hexdigest()
    with mpl.rc_context(
        {"axes.facecolor": "yellow", "xtick.direction": "in", "path.sketch": (1.0, 9.0, 2.0)}
    ):
        otherwise = sha256(render(picture, PictureFormat.SVG)).hexdigest()
    return KnownAnswer(say("selftest.settings"), as_it_is, otherwise, as_it_is == otherwise)


def _people_found(project: Project) -> dict[str, dict[str, Any]]:
    names = {entry.id: entry.name for entry in project.entries}
    return {
        names[entry_id]: {
            "people": found.n_enrolled,
            "linkage_probability": found.linkage_of(1)[-1].probability,
            "singling_out_probability": found.singling_out_of(1)[-1].probability,
            "rank_disclosure_mean_bits": found.ranks.mean_bits,
        }
        for entry_id, found in studied("people", project.entries).items()
    }


def _compared(
    name: str, found: Assessment, expected: Mapping[str, Any], tolerance: float
) -> Iterator[KnownAnswer]:
    return _compared_values(name, _figures(found), expected, tolerance)


def _compared_values(
    name: str, figures: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float
) -> Iterator[KnownAnswer]:
    """One check a figure: numbers within the tolerance, relative or below 1 absolute; others exactly."""
    for figure, known in expected.items():
        value = figures[figure]
        yield KnownAnswer(f"{name}, {figure}", str(known), str(value), _is_close(value, known, tolerance))


def _is_close(value: Any, known: Any, tolerance: float) -> bool:
    if isinstance(known, Mapping) and isinstance(value, Mapping):
        return known.keys() == value.keys() and all(_is_close(value[k], known[k], tolerance) for k in known)
    if isinstance(known, float) and isinstance(value, float):
        return abs(value - known) <= tolerance * max(1.0, abs(known))
    return bool(value == known)


def _exports(project: Project, known: Mapping[str, str], on_progress: Progress) -> list[KnownAnswer]:
    """Everything is exported twice: all files are there, are what they say, and depend on nothing else."""
    with temporary_folder() as name:
        folders = [Path(name, "first"), Path(name, "again")]
        try:
            material, written = gather(project), []
            for folder, share in zip(folders, (0.0, 0.5), strict=True):
                forget_drawn()  # or the pictures of the first report would be those of the second
                part = part_of(on_progress, share, share + 0.5)
                written.append(report_set(material, folder, date=DATE, on_progress=part))
        except ZebraError as error:
            return [KnownAnswer(say("selftest.export"), say("selftest.written"), str(error), passed=False)]
        first = {path.relative_to(folders[0]).as_posix(): path.read_bytes() for path in written[0]}
        again = {path.relative_to(folders[1]).as_posix(): path.read_bytes() for path in written[1]}
    checks = [_made(file, content, again.get(file)) for file, content in first.items()]
    for file, expected in known.items():
        found = sha256(first.get(file, b"")).hexdigest()
        checks.append(KnownAnswer(say("selftest.hash", file=file), expected, found, found == expected))
    return checks


def _made(file: str, content: bytes, again: bytes | None) -> KnownAnswer:
    begins = _BEGINNINGS.get(Path(file).suffix, b"")
    sound = bool(content) and content.startswith(begins) and content == again
    expected = say("selftest.made-twice", size=len(content))
    return KnownAnswer(
        say("selftest.file", file=file), expected, expected if sound else say("selftest.unsound"), sound
    )


def _figures(found: Assessment) -> dict[str, Any]:
    values = assessment_as_json("", found)
    return {name: value for name, value in values.items() if name not in _FIGURES_NOT_COMPARED}


def _demo_files() -> Sequence[str]:
    return (KEY, *(file.resource for file in FILES))
