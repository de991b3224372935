"""Reports of earlier versions verify against the files that they name."""

from pathlib import Path

import zebra_resources
from zebra_core.report.verify import Status, verify

KEPT = Path(__file__).parents[2] / "data" / "kept"


def test_a_report_of_version_0_1_0_verifies():
    found = verify(KEPT / "report-0.1.0.pdf", [zebra_resources.path("demo")])

    assert {one.status for one in found.checked} == {Status.VERIFIED}
    assert found.is_verified
