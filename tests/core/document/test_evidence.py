"""The schema of the evidence has every figure, and goes along as readable text."""

import json

from zebra_core.document.evidence import evidence_type, schema, schema_as_bytes
from zebra_core.evidence.value_types import json_schema
from zebra_core.metrics.registry import METRICS


def test_every_figure_is_described_and_required():
    assessment = json_schema(evidence_type())["$defs"]["Assessment"]
    figures = {metric.key for metric in METRICS if metric.stands_alone}
    assert figures <= assessment["properties"].keys()
    assert figures <= set(assessment["required"])
    assert "hits_at" in assessment["properties"].keys() - set(
        assessment["required"]
    )  # earlier reports lack it


def test_the_schema_that_ships_is_that_of_the_type():
    assert json.loads(schema_as_bytes()) == schema(), "run packaging/known_answers.py --schema"


def test_it_is_written_as_readable_text():
    written = schema_as_bytes()
    assert written.startswith(b'{\n "$schema"')
    made = json.loads(written)
    assert made["title"] == "The evidence of a ZEBRA report"
    assert made["$defs"]["Input"]["properties"]["sha256"] == {
        "description": "of the file as it lies on disk",
        "type": "string",
        "pattern": "^[0-9a-f]{64}$",
    }
    assert {"Record", "ListeningOutcome"} <= made["$defs"].keys()
