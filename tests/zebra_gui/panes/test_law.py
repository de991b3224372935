"""The re-identification pane: curves of the group, one number of people in plain words, speakers followed."""

import pytest

from tests.core.attribute_cases import write_drop
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.comparison.linking import reidentification_of, sentence
from zebra_core.project.reading.reading import try_planned
from zebra_core.speakers.candidates import linkability_probability
from zebra_core.wording.texts import say
from zebra_gui.panes.guide import sections
from zebra_gui.panes.law import PICTURES, LawPane


@pytest.fixture
def card(qtbot, demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("people")
    pane = demo_window.workspace.front_pane
    assert isinstance(pane, LawPane)
    findings, entries = demo_window.session.findings, demo_window.session.entries
    qtbot.waitUntil(lambda: all(findings.of("people", entry) for entry in entries), timeout=60_000)
    qtbot.waitUntil(lambda: pane.card.is_drawn, timeout=60_000)
    return pane.card


def test_all_safeguards_of_the_group_are_drawn_with_chance_and_the_number_of_people(qtbot, card):
    labels = [line.label for line in card.view.figure.lines if line.label]
    assert labels == ["unprotected OO", "B1w OP", "B2 OP", "B2r OP", "chance"]
    assert "Among 20 people" in card.sentence.text()
    assert (card.people.minimum(), card.people.maximum()) == (2, 63)
    card.slider.setValue(5)
    assert card.people.value() == 5
    assert "Among 5 people" in card.sentence.text()
    card.people.setValue(500)
    assert "Among 63 people" in card.sentence.text()


def test_recordings_are_pooled_as_asked(qtbot, card):
    assert [card.recordings.itemText(k) for k in range(card.recordings.count())] == [
        "single recordings",
        "3 recordings pooled",
    ]


def test_a_click_follows_a_speaker(qtbot, card, demo_window):
    card.choose("people-one-by-one")
    qtbot.waitUntil(lambda: card.is_drawn and bool(card.view.figure.points), timeout=60_000)
    [dots] = card.view.figure.points
    assert len(dots.names) == 63
    card.view.picked.emit(dots.names[7])
    assert demo_window.session.speaker == dots.names[7]
    card.choose("people-linkage")
    qtbot.waitUntil(
        lambda: card.is_drawn and dots.names[7] in {line.label for line in card.view.figure.lines},
        timeout=60_000,
    )
    demo_window.session.select_speaker(None)


def test_the_sentence_is_that_of_the_number_of_people(demo):
    found = reidentification_of(demo.entries[2])
    linked = linkability_probability(found.heard[0].n_higher, 63, 29)
    assert sentence(found, 29, is_singling_out=False) == (
        "Among 29 people, of whom one is the speaker, the attacker names the right one in "
        f"{100 * linked:.0f} of 100 attempts; by guessing in 3. Each recording counts alike here; if each "
        "person does, as in the answer, it is 29 of 100."
    )
    assert sentence(found, 63, is_singling_out=True) == (
        "Among 63 people the attacker gets exactly one, whoever it is, in 25 of 100 attempts; "
        "without listening at all in 37, and less than that is no protection."
    )


@pytest.mark.parametrize("topic", PICTURES)
def test_the_guide_explains_each_picture(topic, demo):
    _sentence, shows, reads = sections(topic, demo.entries[2])[:3]
    assert shows.text == say(f"guide.{topic}-shows")
    assert reads.text == say(f"guide.{topic}-read")


def test_what_is_told_of_attributes_is_looked_for_where_any_came_along(qtbot, demo_window, tmp_path):
    write_drop(tmp_path)
    [planned] = plan([tmp_path]).assessments
    entry, findings = try_planned(planned).entry, demo_window.session.findings
    qtbot.waitUntil(lambda: bool(findings.of("inference", entry)), timeout=60_000)
    accent, sex = (each.in_words(name) for name, each in findings.known("inference", entry))
    assert accent.startswith("accent: scores disclose whether two different speakers share it")
    assert "sex: a recogniser gets it right in 94 of 100 recordings" in sex
    assert findings.of("inference", demo_window.session.entries[2]) is None


def test_the_table_against_the_opinion_is_among_as_many_as_are_chosen(qtbot, card):
    """Of single people only with the condition on which it depends."""
    card.people.setValue(20)
    qtbot.waitUntil(lambda: "Most exposed" in card.risks.grid.as_text(), timeout=60_000)
    rows = [line.split("\t") for line in card.risks.grid.as_text().splitlines()]
    assert [row[0] for row in rows] == [
        "Asked", "Singling out (π_sing)", "Linking (π_link)", "Inference",
        "Most linked: 8 of 63 people, every time", "Worst tenth: 7 people", "Most exposed: one of 63 people",
    ]  # fmt: skip
    assert rows[2][1:4] == ["20 people", "33 of 100 (25 … 40)", "5 of 100"]
    assert rows[3][2] == "not measured"
    assert "it is not a property of the person" in card.risks.means.text()
    card.choose("people-one-by-one")
    assert "the 7 whose recordings are linked most" in card.sentence.text()
    card.choose("people-by-group")
    assert not card.risks.isVisible()
    card.choose("people-linkage")
