"""Reports of earlier versions verify against the files that they name."""

from pathlib import Path

import zebra_resources
from zebra_core.report.checked import Status
from zebra_core.report.verify import verify

KEPT = Path(__file__).parents[2] / "data" / "kept"


def test_a_report_of_version_0_1_0_verifies_but_for_what_another_rule_computes_now():
    """Then all trials of a speaker counted for him or her, those of being taken for others, too."""
    found = verify(KEPT / "report-0.1.0.pdf", [zebra_resources.path("demo")])

    (pages,) = (one for one in found.checked if one.about == "Pages")
    assert pages.status is Status.NOT_COMPARED
    assert pages.found.startswith("The pages were made by another version of ZEBRA (0.1.0), which")
    assert not found.is_verified
    others = [one for one in found.checked if not one.what.startswith("speakers[") and one is not pages]
    assert {one.status for one in others} == {Status.VERIFIED}
    speakers = [one for one in found.checked if one.what.startswith("speakers[")]
    assert {one.status for one in speakers} == {Status.NOT_POSSIBLE}
    assert speakers[0].found.startswith("An older version computed this by another rule")
