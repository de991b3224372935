"""The schema of the evidence has every figure, and goes along as readable text."""

import json

from zebra_core.metrics.registry import METRICS
from zebra_core.report.evidence_schema import evidence_schema, schema_as_bytes


def test_every_figure_is_described_and_required():
    assessment = evidence_schema()["properties"]["assessments"]["items"]
    figures = {metric.key for metric in METRICS}
    assert figures <= assessment["properties"].keys()
    assert figures <= set(assessment["required"])


def test_it_is_written_as_readable_text():
    assert schema_as_bytes().startswith(b'{\n "$schema"')
    assert json.loads(schema_as_bytes()) == evidence_schema()
