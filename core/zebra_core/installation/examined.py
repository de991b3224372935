"""What one line of the validation dossier says, and the sections that lines stand in."""

from __future__ import annotations

import gzip
import json
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

import zebra_resources
from zebra_core.document.project_file import open_project
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.files.access import temporary_folder
from zebra_core.intake.drop import read_trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator, normal
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.speakers.candidates import PoolScores, linkability_probability
from zebra_core.version import STAMP
from zebra_core.wording.texts import say, written


@dataclass(frozen=True)
class ExaminedRequirement:
    """One requirement, by which criterion, with which result; `passed` is None where it is only stated."""

    requirement: str
    criterion: str
    result: str
    passed: bool | None
    source: str  # paper, equation or standard
    test: str  # of the program's own tests, below its source

    @property
    def outcome(self) -> str:
        """Passed, failed or stated, in words."""
        if self.passed is None:
            return say("dossier.stated")
        return say("dossier.passed" if self.passed else "dossier.failed")


@dataclass(frozen=True)
class DossierSection:
    """A section of the dossier: what it is about, after which clause, and its lines."""

    name: str
    lines: tuple[ExaminedRequirement, ...]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return say(f"dossier.{self.name}-heading")

    @property
    def about(self) -> str:
        """What was done, and which clauses ask for it."""
        return say(f"dossier.{self.name}-about")

    @property
    def passed(self) -> bool:
        """Whether none of its lines failed, and it has some."""
        return bool(self.lines) and all(line.passed is not False for line in self.lines)

    def as_json(self) -> dict[str, object]:
        """The section as it stands in the JSON."""
        lines: Sequence[ExaminedRequirement] = self.lines
        return {
            "section": self.name,
            "heading": self.heading,
            "about": self.about,
            "passed": self.passed,
            "lines": [asdict(line) for line in lines],
        }


# Files that are broken, each refused with a sentence: a sample of what a laboratory may be given.


_KEY = b"a a1 target\na b1 nontarget\nb a1 nontarget\nb b1 target\n"
_SCORES = b"a a1 2.5\na b1 -1.0\nb a1 0.5\nb b1 1.5\n"
_INTAKE, _SAVED = "tests/core/intake", "tests/core/document"


@dataclass(frozen=True)
class BrokenInput:
    """What is wrong, scores and key, and the code of the sentence that must come."""

    name: str
    code: str
    scores: bytes = _SCORES
    key: bytes = _KEY


BROKEN = (
    BrokenInput("empty", "empty", scores=b""),
    BrokenInput("word", "score-not-a-number", scores=_SCORES.replace(b"0.5", b"high")),
    BrokenInput("infinite", "infinite-scores", scores=_SCORES.replace(b"0.5", b"inf")),
    BrokenInput("overflow", "score-too-large", scores=_SCORES.replace(b"0.5", b"1e999")),
    BrokenInput("columns", "columns", scores=_SCORES.replace(b" 0.5", b"")),
    BrokenInput("nul", "binary", scores=_SCORES.replace(b"b a1", b"b\0 a1")),
    BrokenInput("missing", "trial-without-score", scores=_SCORES.replace(b"b b1 1.5\n", b"")),
    BrokenInput("twice", "repeats-contradict", scores=_SCORES + b"a a1 0.0\n"),
    BrokenInput("contradiction", "repeats-contradict", key=_KEY + b"a a1 nontarget\n"),
    BrokenInput("label", "label-unknown", key=_KEY.replace(b"b b1 target", b"b b1 perhaps")),
    BrokenInput("one-class", "no-nontargets", key=_KEY.replace(b"nontarget", b"target")),
    BrokenInput("cut", "packing-broken", scores=gzip.compress(_SCORES * 50, mtime=0)[:-12]),
    BrokenInput("bomb", "unpacks-too-much", scores=gzip.compress(b"a a1 0.5\n" * 100_000, mtime=0) * 90),
    BrokenInput("picture", "mistake-picture", scores=b"\x89PNG\r\n\x1a\n" + bytes(64)),
    BrokenInput(
        "pickle", "mistake-pickle", scores=b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07scores.\x94."
    ),
)
PROJECT_CODE = "project-not-one"


def refused() -> list[ExaminedRequirement]:
    """Each file, and whether it was refused with the sentence that tells what is wrong with it."""
    lines = []
    with temporary_folder() as name:
        folder = Path(name)
        for broken in BROKEN:
            scores, key = folder / f"{broken.name}-scores", folder / f"{broken.name}-key"
            scores.write_bytes(broken.scores)
            key.write_bytes(broken.key)
            try:
                read_trials(scores, key)
            except InputError as error:
                lines.append(_line(broken.name, broken.code, error, _INTAKE))
            else:
                lines.append(_line(broken.name, broken.code, None, _INTAKE))
        lines.append(_project(folder))
    return lines


def _project(folder: Path) -> ExaminedRequirement:
    """A saved project that is none."""
    path = folder / "broken.zebra"
    path.write_bytes(b"not a project")
    try:
        open_project(path)
    except InputError as error:
        return _line("project", PROJECT_CODE, error, _SAVED)
    return _line("project", PROJECT_CODE, None, _SAVED)


def _line(name: str, code: str, error: InputError | None, test: str) -> ExaminedRequirement:
    found = say("dossier.read") if error is None else f"{error.code}: {error}"
    return ExaminedRequirement(
        say(f"dossier.broken-{name}"),
        say("dossier.broken-criterion", code=code),
        found,
        error is not None and error.code == code,
        say("dossier.broken-source"),
        test,
    )


# Agreement with others: reference figures, what the paper prints, the package of the legal framework.


LEGAL_EVAL = "voice-anonymization-legal-eval"
_TOLERANCE = 1e-10
_LEGAL_TOLERANCE = 1e-12
_PEOPLE, _OF_EACH = 30, 4
_REFERENCE_TEST = "tests/core/metrics/test_reference.py"
_LEGAL_TEST = "tests/core/speakers/test_legal_eval.py"


def with_reference(expected: Mapping[str, Mapping[str, Any]]) -> list[ExaminedRequirement]:
    """Every figure of the known ones, file by file: numbers within 1e-10, tags and counts exactly."""
    lines = []
    for name, figures in expected.items():
        found = assess(read_trials(zebra_resources.path(name), zebra_resources.path(figures["key"])))
        wanted = {figure: value for figure, value in figures.items() if figure != "key"}
        values = {figure: getattr(found, figure) for figure in wanted}
        differing = [figure for figure, value in wanted.items() if not _is_same(values[figure], value)]
        lines.append(
            ExaminedRequirement(
                say("dossier.reference", name="/".join(PurePosixPath(name).parts[2:4])),
                say("dossier.reference-criterion", tolerance=written(_TOLERANCE, "g")),
                _agreement_in_words(values, wanted, differing),
                not differing,
                say("dossier.reference-source"),
                _REFERENCE_TEST,
            )
        )
    return lines


def with_papers(expected: Mapping[str, Any]) -> list[ExaminedRequirement]:
    """What the ZEBRA paper prints and what needs none of its data: its categories, and full disclosure."""
    wrong = [value for value, letter in expected["tags"] if PAPER_SCALE.tag_of(value).letter != letter]
    tags = say("dossier.papers-tags-result")
    if wrong:
        tags = say("dossier.papers-tags-differ", value=written(wrong[0], "g"))
    perfect = assess(Trials.from_scores(target=np.arange(10.0, 20.0), nontarget=np.arange(10.0)))
    full = written(perfect.d_ece_bits, ".3f")
    return [
        ExaminedRequirement(
            say("dossier.papers-tags"),
            say("dossier.papers-tags-criterion", count=len(expected["tags"])),
            tags,
            not wrong,
            say("dossier.papers-tags-source"),
            "tests/core/metrics/test_scales.py",
        ),
        ExaminedRequirement(
            say("dossier.papers-full"),
            say("dossier.papers-full-criterion", bits=expected["full_disclosure_bits"]),
            say("dossier.papers-full-result", bits=full),
            full == expected["full_disclosure_bits"],
            say("dossier.papers-full-source"),
            "tests/core/metrics/test_zebra.py",
        ),
    ]


def with_legal_eval() -> ExaminedRequirement:
    """Linking 30 people of a seeded set as the package of the framework's authors does, where it is there."""
    requirement, source = say("dossier.legal"), say("dossier.legal-source")
    criterion = say("dossier.legal-criterion", tolerance=written(_LEGAL_TOLERANCE, "g"))
    try:
        version = metadata.version(LEGAL_EVAL)
        metrics, files = import_module("legal_eval.metrics"), import_module("legal_eval.io")
    except ImportError:  # metadata that is not there is one, too
        sentence = say("dossier.not-installed", package=LEGAL_EVAL)
        return ExaminedRequirement(requirement, criterion, sentence, None, source, _LEGAL_TEST)
    rng = generator(0, Purpose.MADE_UP)
    own = np.repeat(np.arange(_PEOPLE), _OF_EACH)
    score = np.round(normal((_PEOPLE, len(own)), rng) + (own == np.arange(_PEOPLE)[:, np.newaxis]), 2)
    names = [f"s{k}" for k in range(_PEOPLE)]
    theirs = files.ScoreMatrix(score, names, [names[k] for k in own], {})
    higher = PoolScores(score, own).higher.sum(axis=0)  # a tie is the attacker's, as theirs is
    apart = [
        abs(
            linkability_probability(higher, len(score), people)
            - metrics.linkability(theirs, people, estimator="exact")[0]
        )
        for people in range(1, _PEOPLE + 1)
    ]
    found = float(np.max(apart))
    sentence = say("dossier.legal-result", version=version, found=written(found, ".2g"))
    return ExaminedRequirement(
        requirement, criterion, sentence, found <= _LEGAL_TOLERANCE, source, _LEGAL_TEST
    )


def _is_same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        return bool(abs(found - expected) <= _TOLERANCE)
    return bool(found == expected)


def _agreement_in_words(values: Mapping[str, Any], wanted: Mapping[str, Any], differing: list[str]) -> str:
    if not differing:
        return say("dossier.reference-result", count=len(wanted), d_ece=written(values["d_ece_bits"], ".6f"))
    first = differing[0]
    return say(
        "dossier.reference-differs",
        count=len(differing),
        figure=first,
        found=str(values[first]),
        expected=str(wanted[first]),
    )


# The program's files against the release's own list: that of a bundle's stamp, or of the wheel's record.


PACKAGE = "zebra-privacy"
_OURS = ("zebra_core", "zebra_gui", "zebra_resources")


def resource_hashes() -> dict[str, str]:
    """The SHA-256 of every file among the resources, by its path, but of code and the stamp of a build.

    So they are the same wherever the same release runs, from Python or as a program of its own.
    """
    top = zebra_resources.path(".")
    files = {path.relative_to(top).as_posix(): path for path in sorted(top.rglob("*")) if path.is_file()}
    return {
        name: sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if path.suffix not in (".py", ".pyc") and name != STAMP
    }


def listed() -> dict[str, str]:
    """The SHA-256 that the release gives each of its files, by path; empty where it brought no list.

    A bundle lists its resources in its stamp; a wheel lists all files in its record. A checkout lists none.
    """
    try:
        return dict(json.loads(zebra_resources.read_text(STAMP)).get("resources", {}))
    except FileNotFoundError:
        return {name: digest for name, (digest, _path) in _recorded().items()}


def differing(release: Mapping[str, str]) -> list[str]:
    """Which of the listed files are not what the list says, or not there."""
    recorded = _recorded()
    here = resource_hashes()
    found = {name: _digest(recorded[name][1]) if name in recorded else here.get(name, "") for name in release}
    return [name for name, digest in release.items() if found[name] != digest]


def _recorded() -> dict[str, tuple[str, Path]]:
    """The digest and the place of each file of the program that the installed package's record names."""
    try:
        files: Iterable[metadata.PackagePath] = metadata.files(PACKAGE) or ()
    except metadata.PackageNotFoundError:
        return {}
    return {
        file.as_posix(): (_as_hex(file.hash.value), Path(str(file.locate())))
        for file in files
        if file.parts[0] in _OURS and file.hash is not None
    }


def _as_hex(digest: str) -> str:
    """A digest as records have it, Base64 without its end, as hexadecimal digits."""
    return urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
