"""How sure figures are, in the report."""

import datetime as dt
from dataclasses import replace

from core.project import Project
from core.provenance import versions
from core.report.content import report_content
from core.trust import trust_of
from core.uncertainty import BootstrapSettings
from tests.core.samples import demo


def test_the_finding_says_how_sure_it_is_where_somebody_asked() -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    project = Project("", (replace(entry, measured=trust),))
    words = str(report_content(project, dt.date(2026, 11, 21), versions()))
    assert "D_ECE with its 95 % interval over 63 speakers: 0." in words
    assert "None of 20 sets without any disclosure showed 0.205 bit or more." in words
