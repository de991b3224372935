"""How sure figures are, in the report."""

import datetime as dt
from dataclasses import replace

from core.loading import trials_of
from core.project import Project
from core.provenance import versions
from core.report.content import report_content
from core.report.document import Picture
from core.uncertainty.bootstrap import BootstrapSettings
from core.uncertainty.settling import settle
from core.uncertainty.trust import trust_of
from tests.core.samples import demo


def test_the_finding_says_how_sure_it_is_where_somebody_asked() -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    project = Project("", (replace(entry, measured=trust),))
    words = str(report_content(project, dt.date(2026, 11, 21), versions()))
    assert "D_ECE with its 95 % interval over 63 speakers: 0." in words
    assert "None of 20 sets without any disclosure showed 0.205 bit or more." in words


def test_the_comparison_says_which_ranks_are_settled_and_how_sure_every_pair_is() -> None:
    project = demo()
    found = settle(project, trials_of, BootstrapSettings(replicates=99, seed=4)).settled
    words = str(report_content(replace(project, differences=found), dt.date(2026, 11, 21), versions()))
    assert "B1w 1, settled; B2 2–3, not settled; B2r 2–3, not settled" in words
    assert "Are the differences real? OP, test side protected" in words
    assert "95 % intervals from 99 draws" in words
    assert "(seed 4)" in words
    plain = str(report_content(project, dt.date(2026, 11, 21), versions()))
    assert "Are the differences real?" not in plain


def test_profiles_have_bands_where_somebody_asked() -> None:
    entry = demo().entries[2]
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20))
    for measured, areas in ((trust, 2), (None, 0)):
        project = Project("", (replace(entry, measured=measured),))
        content = report_content(project, dt.date(2026, 11, 21), versions())
        blocks = [block for section in content.sections for block in section.blocks]
        [profile] = [one for one in blocks if isinstance(one, Picture) and one.stem == "ece-1-1"]
        assert len(profile.figure.areas) == areas
