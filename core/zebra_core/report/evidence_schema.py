"""The JSON Schema of the evidence: what stands in the resources, with the figures of the registry put in."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import zebra_resources
from zebra_core.intake.recordings_file import record_schema
from zebra_core.metrics.metric import Metric
from zebra_core.metrics.registry import METRICS
from zebra_core.project.listening import listening_schema
from zebra_core.wording.languages import ENGLISH, speaking
from zebra_core.wording.texts import knows, say

_RESOURCE = "schema/evidence.schema.json"


@cache
def evidence_schema() -> dict[str, Any]:
    """What evidence follows, with every figure. Nobody changes it."""
    schema: dict[str, Any] = json.loads(zebra_resources.read_text(_RESOURCE))
    assessment = schema["properties"]["assessments"]["items"]
    of_figures = {metric.key: _property(metric) for metric in METRICS}
    assessment["properties"] |= of_figures
    assessment["required"] += of_figures
    schema["properties"]["recordings"]["items"]["properties"]["record"] = record_schema()
    schema["properties"]["listening"]["items"]["properties"]["values"] = listening_schema()
    return schema


def schema_as_bytes() -> bytes:
    """The schema as it goes along with a report."""
    return (json.dumps(evidence_schema(), indent=1, ensure_ascii=False) + "\n").encode()


def _property(metric: Metric) -> dict[str, object]:
    code = f"evidence.{metric.code}"
    with speaking(ENGLISH):  # it is for machines, and for whoever writes programs
        return {**metric.format.schema, **({"description": say(code)} if knows(code) else {})}
