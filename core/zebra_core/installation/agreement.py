"""Agreement with others: reference figures, what the paper prints, the package of the legal framework."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, metadata
from pathlib import PurePosixPath
from typing import Any

import numpy as np

import zebra_resources
from zebra_core.evidence.trials import Trials
from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.intake.drop import read_trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.resampling import normal
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.speakers.candidates import PoolScores
from zebra_core.speakers.linkage import linkability_probability
from zebra_core.wording.texts import say, written

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
