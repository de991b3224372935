"""The schema of the evidence: complete, and for reports of older versions what they brought along."""

import datetime as dt
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.core.samples import demo_material
from zebra_core.files.schema import fault
from zebra_core.metrics.registry import METRICS
from zebra_core.report.evidence import SCHEMA_VERSION, SCHEMA_VERSIONS, as_bytes, evidence
from zebra_core.report.evidence_schema import evidence_schema, schema_as_bytes

KEPT = Path(__file__).parents[2] / "data" / "kept" / "report-0.1.0.pdf"


def of_assessments(schema):
    return schema["properties"]["assessments"]["items"]


@pytest.mark.parametrize("version", SCHEMA_VERSIONS)
def test_every_figure_is_required_from_the_version_that_has_it_first(version):
    assessment = of_assessments(evidence_schema(version))
    expected = {metric.key for metric in METRICS if metric.since <= version}
    figures = {metric.key for metric in METRICS}
    assert figures & set(assessment["required"]) == figures & assessment["properties"].keys() == expected


def test_what_it_says_of_the_figures_of_version_0_1_0_is_what_they_brought_along():
    [kept] = [one.content for one in PdfReader(KEPT).attachment_list if one.name == "evidence.schema.json"]
    before, now = of_assessments(json.loads(kept)), of_assessments(evidence_schema(2))
    assert set(now["required"]) == set(before["required"])
    keys = [metric.key for metric in METRICS if metric.since == 2]
    assert {key: now["properties"][key] for key in keys} == {key: before["properties"][key] for key in keys}


def test_evidence_that_states_another_version_than_its_figures_is_broken():
    made = json.loads(as_bytes(evidence(demo_material(), dt.date(2026, 7, 4), {"zebra": "1"})))
    assert fault(made, evidence_schema()) is None
    assert fault(made, evidence_schema(2)) == "schema.version"


def test_it_is_written_as_readable_text():
    assert schema_as_bytes().startswith(b'{\n "$schema"')
    assert json.loads(schema_as_bytes()) == evidence_schema(SCHEMA_VERSION)
