"""Figures in words: the core's numbers, with its digits."""

from dataclasses import replace

from zebra_core.project.reading import trials_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.precision import with_interval
from zebra_core.uncertainty.trust import trust_of
from zebra_gui.panes.facts import as_text, conventional, population, worst_case


def test_the_worst_case_with_what_it_means(demo):
    fact = worst_case(demo.entries[2])

    assert fact.value == "2.39"
    assert fact.meaning == (
        "for the same speaker: odds of about 248 to 1 where both were as likely before · at most 3.99 with "
        "these data\n1.04 (B) by what other speakers bear out"
    )
    assert worst_case(demo.entries[1]).meaning.startswith(
        "for two different speakers: odds of 8.7 to 1 where both were as likely before · at most 2.19 with "
    )
    assert "at the limit of these data" in worst_case(demo.entries[0]).meaning


def test_the_population_disclosure_with_its_share(demo):
    fact = population(demo.entries[2])

    assert fact.value == "0.205 bit"
    assert fact.meaning == "28.35 % of full disclosure (0.721 bit)"


def test_the_conventional_figures(demo):
    found = {fact.name: fact.value for fact in conventional(demo.entries[2])}

    assert found["EER"] == "27.56 %"
    assert found["ROCCH-EER"] == "25.94 %"
    assert found["Cllr"] == "–"  # of raw scores
    assert found["min Cllr"] == "0.705 bit"
    assert found["Target · nontarget"] == "156 · 9\u202f672"


def test_what_cannot_be_measured_is_said_so(demo):
    entry = demo.entries[2]
    entry = replace(entry, assessment=replace(entry.assessment, linkability=None))

    assert {fact.name: fact.value for fact in conventional(entry)}["Linkability D_sys"] == "not measurable"


def test_the_text_to_be_pasted_has_everything(demo):
    text = as_text(demo.entries[2])

    assert text.startswith(
        "B2 OP\nWorst case\tC · 2.39 · odds of about 248 to 1 where both were as likely before · "
        "at most 3.99 "
        "with these data\n"
    )
    assert "\nEER\t27.56 %" in text


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
        "Linkability D_sys",
        "ROCCH-EER",
        "min Cllr",
    ]
