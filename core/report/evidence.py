"""evidence.json: everything a report rests on, unrounded, for those who recompute it (schema version 1)."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping, Sequence

from core.assessment import Assessment, Settings
from core.ece import EceProfile
from core.errors import OutputError
from core.intake.audit import Audit
from core.project import Entry, Project
from core.remarks import Remark
from core.report.content import distinct_files, distinguishing_names
from core.trials import FloatArray

SCHEMA = "zebra-evidence"
SCHEMA_VERSION = 1

Json = dict[str, object]


def assessment_as_json(label: str, assessment: Assessment) -> Json:
    """One assessment as `zebra assess --json` prints it; the keys and their order are a promise.

    Numbers are unrounded; null stands for what is not measurable or not finite. Remarks are sentences.
    """
    return {
        "label": label,
        **figures_as_json(assessment),
        "profile": _profile(assessment.profile),
        "remarks": [str(remark) for remark in assessment.remarks],
    }


def evidence(project: Project, date: dt.date, versions: Mapping[str, str]) -> Json:
    """The whole evidence of a project; the same project, date and versions give the same.

    Its parts: `schema` {name, version}; `title`; `date` (ISO 8601); `versions` {name: version}; `inputs`
    [{name, role, size, sha256, rows}], size in bytes; `assessments` [{name, condition, inputs (places in
    `inputs`, from 0), settings, the figures of `zebra assess`, profile, remarks [{code, severity, facts,
    text}], audit (counts, decisions [name], findings [{code, severity, text, examples, lifted_by}]; null for
    scores that came from no file)}]. Raises OutputError when there is nothing to report.
    """
    if not project.entries:
        raise OutputError("nothing-to-report")
    files = distinct_files(project.entries)
    names = distinguishing_names([file.path for file in files])
    return {
        "schema": {"name": SCHEMA, "version": SCHEMA_VERSION},
        "title": project.title,
        "date": date.isoformat(),
        "versions": dict(versions),
        "inputs": [
            {"name": name, "role": file.role, "size": file.size, "sha256": file.sha256, "rows": file.rows}
            for file, name in zip(files, names, strict=True)
        ],
        "assessments": [
            _assessment(entry, [files.index(file) for file in entry.assessment.files])
            for entry in project.entries
        ],
    }


def as_bytes(values: Json) -> bytes:
    """JSON as it is written to a file: indented, in the order of the keys, UTF-8."""
    # A lone surrogate, from a file name that is no UTF-8, cannot be written as itself.
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _assessment(entry: Entry, inputs: Sequence[int]) -> Json:
    found = entry.assessment
    return {
        "name": entry.name,
        "condition": entry.condition.value if entry.condition else None,
        "inputs": list(inputs),
        "settings": _settings(found.settings),
        **figures_as_json(found),
        "profile": _profile(found.profile),
        "trust": entry.trust.as_json() if entry.trust else None,
        "remarks": [
            _remark(remark) for remark in (*found.remarks, *(entry.trust.remarks if entry.trust else ()))
        ],
        "audit": _audit(entry.audit) if entry.audit else None,
    }


def _audit(audit: Audit) -> Json:
    return {
        name: _number(value) if isinstance(value, float) else value for name, value in audit.as_json().items()
    }


def figures_as_json(found: Assessment) -> Json:
    """The figures of an assessment under the keys of `zebra assess --json`, without profile and remarks."""
    return {
        "n_target": found.n_target,
        "n_nontarget": found.n_nontarget,
        "d_ece_bits": _number(found.d_ece_bits),
        "worst_case_log10_lr": _number(found.worst_case_log10_lr),
        "worst_case_ceiling_log10_lr": _number(found.worst_case_ceiling_log10_lr),
        "tag": found.tag,
        "eer": _number(found.eer),
        "rocch_eer": _number(found.rocch_eer),
        "cllr_bits": _number(found.cllr_bits),
        "min_cllr_bits": _number(found.min_cllr_bits),
        "linkability": _number(found.linkability),
    }


def _profile(profile: EceProfile) -> Json:
    return {
        "prior_log_odds": _numbers(profile.prior_log_odds),
        "default_bits": _numbers(profile.default_bits),
        "min_bits": _numbers(profile.min_bits),
        "actual_bits": _numbers(profile.actual_bits),
    }


def _settings(settings: Settings) -> Json:
    return {
        "tag_scale": settings.tag_scale.as_json(),
        "verbal_scale": settings.verbal_scale.as_json() if settings.verbal_scale else None,
        "prior_log_odds_limit": settings.prior_log_odds_limit,
        "prior_points": settings.prior_points,
        "score_meaning": settings.score_meaning.value,
    }


def _remark(remark: Remark) -> Json:
    return {
        "code": remark.code,
        "severity": remark.severity.value,
        "facts": {name: _fact(value) for name, value in remark.facts.items()},
        "text": str(remark),
    }


def _fact(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _numbers(values: FloatArray) -> list[float | None]:
    return [_number(value) for value in values.tolist()]
