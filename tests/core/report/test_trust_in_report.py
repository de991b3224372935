"""How sure figures are, in the report."""

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

from tests.core.report.test_least import of_few
from tests.core.samples import demo, demo_material
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.items import SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.reading import evidence_of, trials_of
from zebra_core.project.report_settings import Section
from zebra_core.report.content import report_content
from zebra_core.report.content.values import ReportContent
from zebra_core.report.document import Block, FindingLine, ReportPicture, TableBlock
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of, voices_trust_of
from zebra_core.version import versions

SIMILARITY = Path(__file__).parents[2] / "data" / "similarity"


def test_the_finding_says_how_sure_it_is_where_somebody_asked() -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    project = Project("", (replace(entry, measured=trust),))
    words = str(report_content(demo_material(project), dt.date(2026, 11, 21), versions()))
    assert re.search(r"gains 0\.18 \S.* bit on average", words)
    assert "As computed it is 0.205 bit; of 20 sets without any disclosure 0 show as much" in words
    assert words.count("is corrected for what adapting to a small set adds for the attacker") == 1
    assert "Showing tag D at all would take 9" in words


def test_a_tag_that_may_be_chance_is_marked_and_that_is_told() -> None:
    entry = demo().entries[1]
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=99))
    assert trust.null is not None
    share = "of 99 sets without any disclosure 0 show as much, and 99 reach tag A or a worse one."
    for measured, is_marked in ((trust, True), (None, False)):
        project = Project("", (replace(entry, measured=measured),))
        content = report_content(demo_material(project), dt.date(2026, 11, 21), versions())
        blocks = [block for section in content.sections for block in section.blocks]
        _card, finding = [block for block in blocks if isinstance(block, FindingLine)]
        assert finding.badge.may_be_chance is is_marked
        assert (share in finding.text) is is_marked


def test_the_comparison_says_which_ranks_are_settled_and_how_sure_every_pair_is() -> None:
    project = demo()
    found = settle(project, trials_of, BootstrapSettings(replicates=99, seed=4)).settled
    words = str(
        report_content(demo_material(replace(project, differences=found)), dt.date(2026, 11, 21), versions())
    )
    assert "B1w 1, settled; B2 2–3, not settled; B2r 2–3, not settled" in words
    assert "Are the differences real? OP, test side protected" in words
    assert "from 99 draws of the speakers" in words
    assert "corrected for the 12 tests that are made together" in words
    assert "(seed 4)" in words
    plain = str(report_content(demo_material(project), dt.date(2026, 11, 21), versions()))
    assert "Are the differences real?" not in plain


def test_profiles_have_bands_where_somebody_asked() -> None:
    entry = demo().entries[2]
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20))
    for measured, areas in ((trust, 2), (None, 0)):
        project = Project("", (replace(entry, measured=measured),))
        content = report_content(demo_material(project), dt.date(2026, 11, 21), versions())
        blocks = [block for section in content.sections for block in section.blocks]
        [profile] = [one for one in blocks if isinstance(one, ReportPicture) and one.stem == "ece-1-1"]
        assert len(profile.figure.areas) == areas


def test_similarity_tables_have_intervals_and_chance_where_somebody_asked() -> None:
    entry = next(one for one in arrive([SIMILARITY]).entries if (one.name, one.dataset) == ("B2", "other_f"))
    assert isinstance(entry, SimilarityEntry)
    trials = evidence_of(entry).all_trials(entry.similarity.speakers)
    trust = voices_trust_of(entry.similarity, trials, BootstrapSettings(replicates=30))
    measured, plain = (report_tables(replace(entry, measured=found)) for found in (trust, None))
    assert plain[:5] == ["1.0", "0.5", "0.8", "54 %", "−0.9 dB"]
    assert plain[5] == f"{100 * entry.similarity.d_ece_op_oo:.0f} %"
    assert plain[7] == f"{entry.similarity.g_d_ece_db:.1f} dB".replace("-", "−")
    assert all("±" in text or "…" in text for text in measured)
    words = str(report_of(replace(entry, measured=trust)))
    assert f"chance {trust.chance('op')}" in words
    assert "95 % intervals over 5 speakers, 30 replicates, seed 0. In none of 30 sets without" in words
    assert "Intervals rest on only 5 speakers" in words
    assert "Intervals of these figures have not been computed" in str(report_of(entry))
    assert compared(replace(entry, measured=trust)) == measured[3:5]
    assert compared(entry) == plain[3:5]


def compared(entry: SimilarityEntry) -> list[str]:
    """DeID and G_VD of the matrices, as Compare and results.md have them."""
    protected = replace(demo().entries[2], dataset=entry.dataset)
    [row] = compare(Project("", (protected, entry))).rows
    return [column(code).shown(row) for code in ("de_id", "g_vd")]


def report_of(entry: SimilarityEntry) -> ReportContent:
    project = Project("", (demo().entries[2], entry))
    return report_content(demo_material(project), dt.date(2026, 11, 21), versions())


def report_tables(entry: SimilarityEntry) -> list[str]:
    """The figures of the two tables of similarities."""
    blocks = [block for section in report_of(entry).sections for block in section.blocks]
    heads = ("D_diag OO", "D_ECE(OP/OO)")
    tables = [one for one in blocks if isinstance(one, TableBlock) and one.columns[1].head in heads]
    assert len(tables) == 2
    return [cell.text for table in tables for cell in table.rows[0][1:]]


def test_of_too_few_speakers_no_table_of_differences_is_shown() -> None:
    project = demo()
    found = settle(project, trials_of, BootstrapSettings(replicates=40)).settled
    blocks = differences(replace(project, differences=tuple(map(of_few, found))))
    assert not [one for one in blocks if isinstance(one, TableBlock) and one.columns[0].head == "Figure"]
    words = str(blocks)
    assert "Which differences cannot be tested" in words
    assert (
        "With 5 speakers nothing is tested, because a test needs at least 8: OP, test side protected."
    ) in words
    assert "Ranks by population disclosure" not in words


def differences(project: Project) -> tuple[Block, ...]:
    content = report_content(demo_material(project), dt.date(2026, 11, 21), versions())
    return next(one.blocks for one in content.sections if one.section is Section.COMPARISON)


def test_what_holds_of_several_assessments_is_said_once_with_their_names() -> None:
    entries = [
        replace(
            entry, measured=trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=40))
        )
        for entry in demo().entries[2:]
    ]
    content = report_content(demo_material(Project("", tuple(entries))), dt.date(2026, 11, 21), versions())
    words = str(next(one.blocks for one in content.sections if one.section is Section.RESULTS))
    words += str(next(one.blocks for one in content.sections if one.section is Section.APPENDIX))
    assert words.count("An attacker who adapts to a small set looks better than they are.") == 1
    assert words.count("Showing tag D at all would take 9") == 1
    assert "Of assessments with 156 target and 9\\u202f672 nontarget trials: Showing" in words
    assert words.count("In simulations of such disclosure, such intervals contained") == 1
    assert "text='B2 OP, B2r OP', bold=True" in words
    assert "text='0 of 40'" in words  # sets without disclosure that show as much as B2 does
