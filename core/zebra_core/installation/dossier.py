"""The validation dossier: what was demanded of this installation, and what came of it, to be filed.

After ISO/IEC 17025:2017, 7.11, ISO 21043-3 and -5, and ENFSI's guideline. The values of the release lie in
zebra_resources/validation.json; packaging/known_answers.py renews those that are simulated.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import zebra_resources
from zebra_core.evidence.trials import Trials
from zebra_core.files.access import new_folders, require_free, write_files
from zebra_core.installation import examined, laws, licences
from zebra_core.installation.examined import (
    DossierSection,
    ExaminedRequirement,
    differing,
    listed as listed_by_release,
    resource_hashes,
)
from zebra_core.installation.selftest import KnownAnswer, selftest
from zebra_core.installation.simulations.crossed import SimulationCase, drawn, sharing_noise, truth
from zebra_core.installation.simulations.measured import bootstrapped
from zebra_core.installation.simulations.repeated import (
    known_counts,
    minutes_of_release,
    repeated,
    sets_in_all,
)
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator, normal
from zebra_core.report.outcome_page import OutcomeLine, OutcomePage, OutcomeSection, made_with, outcome_pdf
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.difference import ranking
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.version import full_version
from zebra_core.wording.texts import say, written

VALUES, AUDIT = "validation.json", "audit.json"
NOT_COVERED = ("fitness", "recordings", "full", "program", "scipy", "window", "large", "people", "truth")
"""What this dossier says nothing about, a paragraph each; "full" unless all was simulated again."""

_LIBRARIES = (
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "typst",
    "duckdb",
    "pyside6-essentials",
    "onnxruntime",
)
_TIMED = 100_000
_SHORT = 0.02  # of the work of the dossier in full
_INSTALLATION_TEST = "tests/core/installation/test_selftest.py"


@dataclass(frozen=True)
class Dossier:
    """All sections, and when they were made."""

    parts: tuple[DossierSection, ...]
    when: dt.datetime
    seconds: float
    resources: dict[str, str]  # path below the resources to SHA-256
    known_answers: tuple[KnownAnswer, ...]
    in_full: bool = False  # whether the release's simulations were repeated

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What the dossier says nothing about, a sentence or two each."""
        left = ("simulated" if what == "full" and self.in_full else what for what in NOT_COVERED)
        return tuple(say(f"dossier.not-{what}") for what in left)

    @property
    def lines(self) -> list[ExaminedRequirement]:
        """The lines of all sections."""
        return [line for part in self.parts for line in part.lines]

    @property
    def passed(self) -> bool:
        """Whether no line failed, and no section is empty."""
        return bool(self.parts) and all(part.passed for part in self.parts)

    @property
    def verdict(self) -> str:
        """How many lines passed, or failed, in a sentence."""
        judged = [line for line in self.lines if line.passed is not None]
        failed = sum(not line.passed for line in judged)
        if self.passed:
            return say("dossier.all-passed", count=len(judged), seconds=round(self.seconds))
        return say("dossier.some-failed", failed=failed, all=len(judged))

    def as_json(self) -> dict[str, object]:
        """The dossier as JSON, with what the pages have no room for."""
        return {
            "record": "zebra-validation",
            "version": 1,
            "passed": self.passed,
            "verdict": self.verdict,
            "when": self.when.isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 1),
            "machine": platform.platform(),
            "parts": [part.as_json() for part in self.parts],
            "in_full": self.in_full,
            "not_covered": list(self.not_covered),
            "known_answers": [
                {"name": one.name, "expected": one.expected, "found": one.found, "passed": one.passed}
                for one in self.known_answers
            ],
            "resources": self.resources,
        }


def validate(
    on_progress: Progress = no_progress,
    values: Mapping[str, Any] | None = None,
    *,
    in_full: bool = False,
) -> Dossier:
    """Make all checks, in less than a minute on two cores; `in_full` repeats the release's simulations, too.

    `values` replaces those of the release. Raises Cancelled where `on_progress` does; nothing is written.
    """
    began = time.monotonic()
    known = json.loads(zebra_resources.read_text(VALUES)) if values is None else values
    short = part_of(on_progress, 0.0, _SHORT if in_full else 1.0)
    resources = resource_hashes()
    checks = selftest(part_of(short, 0.0, 0.4)).checks
    parts = [
        DossierSection("installation", tuple(_installation(resources))),
        DossierSection("answers", tuple(_grouped(checks))),
        DossierSection("laws", tuple(laws.tried(on_progress=part_of(short, 0.4, 0.6)))),
        DossierSection(
            "agreement",
            (
                *examined.with_reference(known["reference"]),
                *examined.with_papers(known["published"]),
                examined.with_legal_eval(),
            ),
        ),
        DossierSection("simulated", tuple(compared(known["simulated"], part_of(short, 0.6, 0.95)))),
        DossierSection("broken", tuple(examined.refused())),
        DossierSection("performance", (_timed(),)),
    ]
    if in_full:
        again = repeated(known_counts(), on_progress=part_of(on_progress, _SHORT, 1.0))
        parts.append(DossierSection("repeated", tuple(again)))
    on_progress(1.0)
    seconds = time.monotonic() - began
    return Dossier(tuple(parts), dt.datetime.now(dt.UTC), seconds, resources, checks, in_full)


def how_long() -> str:
    """A sentence on how long the dossier in full takes."""
    return say("dossier.how-long", sets=sets_in_all(), minutes=minutes_of_release())


def _installation(resources: dict[str, str]) -> Iterator[ExaminedRequirement]:
    def stated(name: str, result: str) -> ExaminedRequirement:
        return ExaminedRequirement(
            say(f"dossier.{name}"),
            say("dossier.no-criterion"),
            result,
            None,
            say("dossier.installation-source"),
            _INSTALLATION_TEST,
        )

    yield stated("program", full_version())
    yield stated("python", f"{platform.python_implementation()} {platform.python_version()}")
    yield stated("machine", platform.platform())
    yield stated("libraries", ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES))
    yield stated("lesser", "; ".join(licences.lesser_parts(licences.installed_here())))
    yield _audited()
    listed = "".join(f"{digest}  {name}\n" for name, digest in resources.items())
    digest = sha256(listed.encode()).hexdigest()
    yield stated("resources", say("dossier.resources-result", count=len(resources), digest=digest))
    yield _as_listed(listed_by_release())


def _audited() -> ExaminedRequirement:
    """What packaging/audit.py found: whether known advisories are about the versions that are pinned."""
    try:
        known = json.loads(zebra_resources.read_text(AUDIT))
    except FileNotFoundError:
        known = {"found": None}
    found = known["found"]
    if found is None:
        result = say("dossier.audited-none")
    elif found:
        result = say("dossier.audited-found", count=len(found), first=found[0])
    else:
        facts = {name: known[name] for name in ("pins", "advisories", "newest", "file_sha256")}
        result = say("dossier.audited-result", **facts)
    return ExaminedRequirement(
        say("dossier.audited"),
        say("dossier.audited-criterion"),
        result,
        None if found is None else not found,
        say("dossier.installation-source"),
        "tests/packaging/test_audit.py",
    )


def _as_listed(release: Mapping[str, str]) -> ExaminedRequirement:
    """Whether the program's files are those of the release, where the release brought a list of them."""
    wrong = differing(release)
    if not release:
        result = say("dossier.listed-none")
    elif wrong:
        result = say("dossier.listed-differ", count=len(wrong), all=len(release), first=wrong[0])
    else:
        result = say("dossier.listed-result", count=len(release))
    return ExaminedRequirement(
        say("dossier.listed"),
        say("dossier.listed-criterion"),
        result,
        not wrong if release else None,
        say("dossier.installation-source"),
        "tests/core/installation/test_examined.py",
    )


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return say("dossier.version-unknown")


def _grouped(checks: Sequence[KnownAnswer]) -> Iterator[ExaminedRequirement]:
    """A line for what is asked of the same thing; each known answer that is not found has its own.

    Files have one line together. Figures are called after what they are of, with a comma.
    """
    groups: dict[str, list[KnownAnswer]] = {}
    for check in checks:
        name, comma, _ = check.name.partition(", ")
        requirement = say("dossier.answer", name=name) if comma else say("dossier.answer-files")
        groups.setdefault(requirement, []).append(check)
    for requirement, group in groups.items():
        failed = [check for check in group if not check.passed]
        sentence = say("dossier.answers-result", found=len(group) - len(failed), all=len(group))
        yield _answer(requirement, sentence, not failed)
        for check in failed:
            sentence = say("selftest.differs", expected=check.expected, found=check.found)
            yield _answer(say("dossier.answer", name=check.name), sentence, False)


def _answer(requirement: str, result: str, passed: bool) -> ExaminedRequirement:
    criterion, source = say("dossier.answers-criterion"), say("dossier.answers-source")
    return ExaminedRequirement(requirement, criterion, result, passed, source, _INSTALLATION_TEST)


def _timed() -> ExaminedRequirement:
    """How long an assessment takes here, the best of three."""
    rng = generator(laws.SEED, Purpose.MADE_UP)
    is_target = np.arange(_TIMED) < _TIMED // 10
    trials = Trials(normal(_TIMED, rng) + is_target, is_target)
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        assess(trials)
        seconds.append(time.perf_counter() - began)
    return ExaminedRequirement(
        say("dossier.time", count=_TIMED),
        say("dossier.no-criterion"),
        say("dossier.time-result", seconds=written(min(seconds), ".2f")),
        None,
        say("dossier.installation-source"),
        "packaging/benchmarks/bench_assess.py",
    )


# The validation dossier as it is filed: pages (PDF/A-3a) with places for names, and the same as JSON.


PDF, JSON = "validation.pdf", "validation.json"


def save(made: Dossier, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the PDF and the JSON into the folder. Raises OutputError."""
    record = record_of(made)
    files = {folder / PDF: dossier_pdf(made), folder / JSON: record}
    return write_files(files, overwrite=overwrite)


@contextmanager
def room_in(folder: Path, *, overwrite: bool = False) -> Iterator[None]:
    """The folder, with nothing in the way, before anything is computed; a new one goes again if that fails.

    Raises OutputError.
    """
    with new_folders(folder):
        for name in (PDF, JSON):
            require_free(folder / name, overwrite=overwrite)
        yield


def record_of(made: Dossier) -> bytes:
    """The JSON as it is written, and attached to the PDF."""
    text = json.dumps(made.as_json(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def dossier_pdf(made: Dossier) -> bytes:
    """The pages (PDF/A-3a), with the JSON attached."""
    heads = [
        say(f"dossier.head-{head}") for head in ("requirement", "criterion", "result", "outcome", "trace")
    ]
    sections = [
        OutcomeSection(
            part.heading,
            (part.about,),
            heads,
            (5, 4, 6, 2, 5),
            [
                OutcomeLine(
                    (line.requirement, line.criterion, line.result, line.outcome, _trace(line)),
                    line.passed is not False,
                )
                for line in part.lines
            ],
        )
        for part in made.parts
    ]
    missing = OutcomeSection(
        say("dossier.not-heading"),
        (say("dossier.not-about"), *made.not_covered),
        (),
        (),
        (),
    )
    return outcome_pdf(
        OutcomePage(
            say("dossier.title"),
            [*made_with(made.when), (say("dossier.after"), say("dossier.standards"))],
            made.verdict,
            made.passed,
            (),
            (),
            (),
            made.when,
            record_of(made),
            record_name=JSON,
            sections=(*sections, missing),
            signing=[say(f"dossier.{who}") for who in ("carried-out", "checked", "approved")],
        )
    )


def _trace(line: ExaminedRequirement) -> str:
    return say("dossier.trace", source=line.source, test=line.test)


# Intervals, chance and differences of small simulated sets: whether they are those of the release.
#
# Scores have crossed effects of enrolment, speaker, pair and segment, as in the simulations that the manual
# tells of. These here are few: they show that the procedures are the same ones, not how good they are.


RELATIVE = 1e-9
SEED = 27
_DRAWS, _DEALS = 100, 99
_COVERED_SETS, _COVERED_SEPARATION = 20, 1.5
_TEST = "tests/core/installation/simulations/test_measured.py"


CASES = (SimulationCase(12, 3, 0.3), SimulationCase(12, 3, 1.5), SimulationCase(20, 3, 4.0))


def _name(case: SimulationCase) -> str:
    """How the release's values of it are listed."""
    return f"{case.speakers} x {case.segments}, {written(case.separation, 'g')}"


def intervals_found(case: SimulationCase) -> dict[str, float]:
    """Figures and the ends of their intervals, of one set."""
    trials = drawn(case, generator(SEED, Purpose.MADE_UP))
    assessment = assess(trials)
    measured = bootstrap(trials, assessment, BootstrapSettings(_DRAWS, seed=SEED))
    found: dict[str, float] = {}
    for name in ("d_ece_bits", "min_cllr_bits", "eer"):
        interval = measured.intervals[name]
        found |= {
            name: getattr(assessment, name),
            f"{name}, low": interval.low,
            f"{name}, high": interval.high,
        }
    return found


def chance_found(case: SimulationCase) -> dict[str, float]:
    """What no disclosure would show of one set."""
    trials = drawn(case, generator(SEED, Purpose.MADE_UP))
    chance = without_disclosure(trials, assess(trials), replicates=_DEALS, seed=SEED)
    return {
        "p_value": chance.p_value("d_ece_bits"),
        "median": chance.median("d_ece_bits"),
        "one in twenty": chance.one_in_twenty("d_ece_bits"),
    }


def difference_found(case: SimulationCase) -> dict[str, float]:
    """The tested difference of two safeguards that share half of their noise."""
    made = sharing_noise([case, case], generator(SEED, Purpose.MADE_UP))
    measured = bootstrapped(made, BootstrapSettings(_DRAWS, seed=SEED))
    (found,) = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in measured]).differences
    return {
        "difference": found.value,
        "low": found.interval.low,
        "high": found.interval.high,
        "p_value": found.p_value,
    }


def coverage_found(on_progress: Progress = no_progress) -> dict[str, float]:
    """In how many of some sets the 95 % interval of the EER holds the truth, which is known."""
    case = SimulationCase(12, 3, _COVERED_SEPARATION)
    true, rng, held = truth(case)["eer"], generator(SEED, Purpose.MADE_UP), 0
    for seed in range(_COVERED_SETS):
        on_progress(seed / _COVERED_SETS)
        trials = drawn(case, rng)
        held += (
            true in bootstrap(trials, assess(trials), BootstrapSettings(_DRAWS, seed=seed)).intervals["eer"]
        )
    return {"sets": float(_COVERED_SETS), "held": float(held)}


def answers_now(on_progress: Progress = no_progress) -> dict[str, dict[str, float]]:
    """What this installation finds, in the form in which the release's values are kept."""
    found: dict[str, dict[str, float]] = {}
    made: Mapping[str, Callable[[SimulationCase], dict[str, float]]] = {
        "intervals": intervals_found,
        "chance": chance_found,
        "difference": difference_found,
    }
    for number, case in enumerate(CASES):
        on_progress(number / len(CASES) / 2)
        found |= {f"{what} {_name(case)}": make(case) for what, make in made.items()}
    found["coverage"] = coverage_found(lambda share: on_progress(0.5 + share / 2))
    return found


def compared(
    release: Mapping[str, Mapping[str, float]], on_progress: Progress = no_progress
) -> list[ExaminedRequirement]:
    """Each set against the release's values."""
    found = answers_now(on_progress)
    lines = []
    for name, expected in release.items():
        what, _, size = name.partition(" ")
        values = found.get(name, {})
        apart = float(
            np.max([_relative(values.get(figure, math.nan), value) for figure, value in expected.items()])
        )
        lines.append(
            ExaminedRequirement(
                say(f"dossier.simulated-{what}", size=size),
                say("dossier.simulated-criterion", tolerance=written(RELATIVE, "g")),
                say(f"dossier.simulated-{what}-result", found=written(apart, ".2g"), **_as_facts(values)),
                apart <= RELATIVE,
                say(f"dossier.simulated-{what}-source"),
                _TEST,
            )
        )
    return lines


def _as_facts(values: Mapping[str, float]) -> dict[str, int]:
    """What the sentence on coverage says in numbers."""
    return {name: int(values[name]) for name in ("sets", "held") if name in values}


def _relative(found: float, expected: float) -> float:
    return abs(found - expected) / max(abs(expected), 1e-3)
