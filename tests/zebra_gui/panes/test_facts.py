"""Figures in words: the core's numbers, with its digits."""

from dataclasses import replace

from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import with_interval
from zebra_core.uncertainty.trust import trust_of
from zebra_gui.panes.facts import as_text, conventional, population, worst_case


def test_the_worst_case_with_what_it_means(demo):
    fact = worst_case(demo.entries[2])

    assert fact.value == "2.4"
    assert fact.meaning == "for the same speaker: odds of about 250 to 1 where both were as likely before"
    assert fact.more.startswith(
        "These data can show 3.99 at most in this direction, −2.19 in the other.\n"
        "0.9 (A) by what other speakers bear out\nShowing tag D at all would take "
    )
    assert worst_case(demo.entries[1]).meaning == (
        "for two different speakers: odds of 8.7 to 1 where both were as likely before"
    )
    assert worst_case(demo.entries[1]).more.startswith("These data can show −2.19 at most in this direction")
    assert worst_case(demo.entries[0]).meaning.endswith("C, at the limit of these data")


def test_no_evidence_is_for_neither(demo):
    trials = Trials.from_scores([1.0, 1.0], [1.0])

    assert worst_case(replace(demo.entries[2], trials=trials, assessment=assess(trials))).meaning == (
        "no better than a coin"
    )


def test_the_population_disclosure_once_with_its_share_behind_more(demo):
    fact = population(demo.entries[2])

    assert (fact.value, fact.meaning) == ("0.20 bit", "as computed")
    assert fact.more == "28 % of full disclosure (0.721 bit)"


def test_an_attacker_who_knows_nothing_is_called_the_most_favourable_case(demo):
    ignorant, informed = (replace(demo.entries[2], attacker=one) for one in ("ignorant", "semi-informed"))

    assert "most favourable case" in population(ignorant).meaning
    assert population(informed).meaning == "as computed"


def test_where_intervals_are_known_the_figure_stands_with_its_own(demo):
    entry = demo.entries[2]
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20), deals=0)
    fact, found = population(replace(entry, measured=trust)), trust.uncertainty

    assert fact.value == with_interval("d_ece_bits", found.shown("d_ece_bits"), found.interval("d_ece_bits"))
    assert fact.value not in ("0.20 bit", "")
    assert fact.meaning == "corrected for small sets"
    assert "0.205" in fact.more


def test_while_intervals_are_computed_the_figure_says_so_instead_of_changing_its_meaning_silently(demo):
    entry = demo.entries[2]
    told = "as computed; intervals are being computed"
    assert population(entry, is_measuring=True).meaning == told
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20), deals=0)
    known = replace(entry, measured=trust)
    others = [one for one in demo.entries if one.id != entry.id]
    assert population(Project("", (known, *others)).entry(entry.id), is_measuring=True).meaning == told
    assert population(known, is_measuring=True).meaning == "corrected for small sets"


def test_the_conventional_figures(demo):
    found = {fact.name: fact.value for fact in conventional(demo.entries[2])}

    assert found["EER"] == "28 %"
    assert found["ROCCH-EER"] == "26 %"
    assert found["Cllr"] == "–"  # of raw scores
    assert found["min Cllr"] == "0.71 bit"
    assert found["Target · nontarget"] == "156 · 9\u202f672"


def test_what_cannot_be_measured_is_said_so(demo):
    entry = demo.entries[2]
    entry = replace(entry, assessment=replace(entry.assessment, linkability=None))

    assert {fact.name: fact.value for fact in conventional(entry)}[
        "Linkability D_sys (Gomez-Barrero)"
    ] == "not measurable"


def test_the_text_to_be_pasted_has_everything(demo):
    text = as_text(demo.entries[2])

    assert text.startswith(
        "B2 OP\nWorst case\tC · 2.4 · odds of about 250 to 1 where both were as likely before · "
        "at most 3.99 "
        "with these data\n"
    )
    assert "\nEER\t28 %" in text


def test_conventional_figures_tell_their_intervals_where_these_are_known(demo):
    entry = demo.entries[2]
    plain = conventional(entry)[0].meaning
    trust = trust_of(trials_of(entry), entry.assessment, BootstrapSettings(replicates=20), deals=0)
    sure = conventional(replace(entry, measured=trust))
    assert plain == "Equal error rate: both kinds of error equally often"
    value = with_interval("eer", entry.assessment.eer, trust.uncertainty.interval("eer"))
    assert sure[0].meaning == f"{plain}\nWith its 95 % interval: {value}"
    assert "±" in value or "…" in value
    assert [fact.name for fact in sure if "interval" in fact.meaning] == [
        "EER",
        "Linkability D_sys (Gomez-Barrero)",
        "ROCCH-EER",
        "min Cllr",
    ]
