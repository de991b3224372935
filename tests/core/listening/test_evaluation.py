"""A whole test acted out by listeners who answer by a rule: figures by hand, and what is left out."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.listening.cases import answered, knowing, made, recordings
from zebra_core.errors import InputError, OutputError
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.evaluation import evaluate, with_machine
from zebra_core.listening.items import ItemPurpose, ItemTask
from zebra_core.listening.outcome import write_outcome
from zebra_core.listening.scores import gather_answers
from zebra_core.listening.section import _consistency, reliability_table
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.utility.listening import RatingQuestion, read_ratings
from zebra_core.wording.texts import sentence_as_said

SETTINGS = BootstrapSettings(50)


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")))


@pytest.fixture(scope="module")
def files(test):
    """Four listeners: two know the speakers, one is half as sure, the fourth says the same of everything."""
    knows = knowing(test.plan.speaker)

    def blunt(item):
        if item.question is ItemTask.SAME:
            return ItemAnswer(confidence=2)
        return ItemAnswer(rating=5) if item.question.is_rating else ItemAnswer(positions=((0.5, 0.5),) * 6)

    rules = {"L01": knows, "L02": knows, "L03": knowing(test.plan.speaker, 2), "L04": blunt}
    return {code: answered(test, code, rule) for code, rule in rules.items()}


@pytest.fixture(scope="module")
def found(test, files):
    return evaluate(test.plan, list(files.values()), settings=SETTINGS)


def panel(found, asked, safeguard):
    [one] = [one for one in found.panels if (one.panel.question, one.panel.safeguard) == (asked, safeguard)]
    return one


def test_the_score_of_a_pair_is_the_mean_confidence_with_its_sign(test, found):
    speaker, listeners = test.plan.speaker, {one.code: one for one in test.plan.listeners}
    of = panel(found, ItemTask.SAME, "mask").panel
    sure = {"L01": 3, "L02": 3, "L03": 1}  # half of 6, 6 and 2, for protected speech
    assert len(of.pairs) == 12
    for pair, score in zip(of.pairs, of.score, strict=True):
        sign = 1 if speaker[pair[0]] == speaker[pair[1]] else -1
        who = [
            code
            for code, one in listeners.items()
            for item in one.items
            if item.kind is ItemPurpose.TRIAL
            and item.safeguard == "mask"
            and tuple(each.recording for each in item.stimuli) == pair
        ]
        assert len(who) == 2
        assert score == np.mean([2 if code == "L04" else sign * sure[code] for code in who])


def test_anchors_and_repeats_never_enter(test, files, found):
    strange = []
    for code in ("L01", "L02", "L03", "L04"):
        rule = knowing(test.plan.speaker, 2 if code == "L03" else 6)
        if code == "L04":
            strange.append(files[code])
            continue

        def otherwise(item, rule=rule):
            answer = rule(item)
            if item.kind is ItemPurpose.TRIAL:
                return answer
            if item.question is ItemTask.SAME:
                return replace(answer, confidence=-(answer.confidence or 0))
            return (
                ItemAnswer(rating=1) if item.question.is_rating else ItemAnswer(positions=((0.1, 0.9),) * 6)
            )

        strange.append(answered(test, code, otherwise, name=f"other-{code}"))
    again = evaluate(test.plan, strange, settings=SETTINGS)
    for one, other in zip(found.panels, again.panels, strict=True):
        assert one.panel.score.tolist() == other.panel.score.tolist()
    assert found.ratings[0].as_json() == again.ratings[0].as_json()
    assert again.failing == ["L01", "L02", "L03", "L04"]


def test_distances_are_negated_and_standardised_on_each_canvas(test, found):
    of = panel(found, ItemTask.PLACEMENT, "").panel
    assert len(of.pairs) == 2 * 15
    for column in of.said.T:
        scores = column[~np.isnan(column)]
        assert scores.mean() == pytest.approx(0.0, abs=1e-12)
        assert scores.std() == pytest.approx(1.0)
    # Both recordings of a speaker lie 0.1 apart; those of others at least 0.4.
    assert of.score[of.is_target].min() > of.score[~of.is_target].max()
    assert panel(found, ItemTask.PLACEMENT, "").figures["rocch_eer"].value == 0.0


def test_a_canvas_without_spread_is_left_out_and_told(found):
    assert (
        sum("in one place. This canvas says nothing and was left out" in one for one in found.sentences) == 2
    )
    assert all("L04" not in panel(found, ItemTask.PLACEMENT, name).panel.listeners for name in ("", "mask"))


def test_ratings_have_means_and_differences_paired_by_recording(test, found):
    [rating] = found.ratings
    means = {one.safeguard: one.mean for one in rating.means}
    # Three of four listeners say 9 and 4, one says 5 of all; each recording is heard by two under either.
    blunt = {
        item.stimuli[0] for item in test.plan.listeners[3].items if item.question is ItemTask.NATURALNESS
    }
    assert means == {"": pytest.approx(8.0), "mask": pytest.approx(4.25)}
    assert len(blunt) == 12  # ten trials, of which two are repeated, and two anchors
    [difference] = rating.differences
    assert (difference.safeguard, difference.against) == ("", "mask")
    assert difference.mean == pytest.approx(8.0 - 4.25)
    assert rating.ratings["mask"].upper == (0, 0, 0, 0, 5, 0, 0, 0, 15, 0)


def test_who_fails_the_anchors_is_shown_kept_and_left_out_by_a_decision(test, files, found):
    assert found.failing == ["L04"]
    assert found.sentences[-1].startswith("L04 judged too few of the anchors correctly")
    assert found.reliability["L04"][ItemTask.SAME].as_json() == {
        "anchors": 4, "anchors_passed": 2, "fails_anchors": True, "repeats": 3, "consistency": 1.0,
    }  # fmt: skip
    without = evaluate(test.plan, list(files.values()), ["L04"], SETTINGS)
    assert [one.code for one in without.used] == ["L01", "L02", "L03"]
    assert [one["is_left_out"] for one in without.as_json()["listeners"]] == [False, False, False, True]
    assert panel(without, ItemTask.SAME, "mask").figures["rocch_eer"].value == 0.0
    with pytest.raises(InputError, match="no answers of a listener L09 to leave out"):
        evaluate(test.plan, list(files.values()), ["L09"], SETTINGS)


def test_files_that_cannot_be_used_are_told_and_nothing_else_is_lost(test, files, tmp_path):
    altered = tmp_path / "altered.zebra-answers"
    altered.write_text(files["L03"].read_text().replace('"same": true', '"same": false', 1))
    other = made(recordings(tmp_path), listeners=2)
    strange = answered(other, "L02", knowing(other.plan.speaker), name="strange")
    twice = answered(test, "L02", knowing(test.plan.speaker, 4), name="twice")
    given = [files["L01"], files["L02"], twice, altered, strange, files["L01"], tmp_path / "gone"]
    found = evaluate(test.plan, given, settings=SETTINGS)

    assert [one.code for one in found.used] == ["L01"]
    assert [sentence.split()[0] for sentence in found.gathered.faults] == [
        "altered.zebra-answers,",
        "strange.zebra-answers",
        "gone",
        "There",
    ]
    assert "the answers were altered after they were given" in found.gathered.faults[0]
    assert "different answers of the listener L02: " in found.gathered.faults[3]
    assert "does not belong to this plan: its answers are to another test" in found.gathered.faults[1]
    assert found.sentences[0] == "3 of 4 planned listeners have not answered."
    with pytest.raises(InputError, match="Nobody’s answers can be used"):
        evaluate(test.plan, [altered], settings=SETTINGS)


def test_an_unfinished_session_counts_as_far_as_it_goes(test, tmp_path):
    path = answered(test, "L01", knowing(test.plan.speaker), count=10, name="ten")
    found = evaluate(test.plan, [path], settings=SETTINGS)
    assert "L01 has not answered 27 of 37 items." in found.sentences


def test_the_outcome_opens_as_assessments_of_listeners(found, test, tmp_path):
    out = tmp_path / "out"
    write_outcome(found, out)
    project = project_of_folder(out / "panel").project
    assert sorted((e.name, e.dataset, e.condition.value, e.attack) for e in project.entries) == [
        ("mask", "canvases", "PP", "listeners, panel, placement"),
        ("mask", "pairs", "OP", "listeners, panel, confidence"),
        ("unprotected", "canvases", "OO", "panel, placement"),
        ("unprotected", "pairs", "OO", "panel, confidence"),
    ]
    one = next(e for e in project.entries if (e.name, e.dataset) == ("mask", "pairs"))
    figures = panel(found, ItemTask.SAME, "mask").figures
    assert one.assessment.d_ece_bits == pytest.approx(figures["d_ece_bits"].value)
    assert one.assessment.rocch_eer == pytest.approx(figures["rocch_eer"].value)
    alone = project_of_folder(out / "L01" / "mask").project.entries
    assert {e.recogniser for e in alone} == {"L01"}

    told = (out / "listening.txt").read_text().splitlines()
    assert told[:2] == ["Listening test: Ears", f"Test {test.plan.id}"]
    assert "4 listeners were evaluated, of 4 for whom the test was made." in told
    assert f"SHA-256 of the consent text: {test.plan.consent_sha256}" in told
    assert "Same speaker, for each listener: items 12, anchors (unprotected speech) 4, repeats 3." in told
    assert "L04, Same speaker: 2 of 4 anchors judged correctly." in told
    assert sum(line.startswith("Same speaker, mask: the panel reaches a D_ECE of ") for line in told) == 1
    saved = json.loads((out / "listening.json").read_text())
    assert [one["code"] for one in saved["listeners"]] == ["L01", "L02", "L03", "L04"]
    assert saved["consent_sha256"] == test.plan.consent_sha256
    ratings = read_ratings(out / "ratings" / "naturalness-mask.txt", RatingQuestion.NATURALNESS)
    assert ratings == found.ratings[0].ratings["mask"]
    with pytest.raises(OutputError):
        write_outcome(found, out)


def test_intervals_hold_the_figure_without_its_optimism(found):
    for one in found.panels:
        for figure in one.figures.values():
            assert figure.interval.low <= figure.shown <= figure.interval.high


def test_a_recogniser_hears_the_very_same_pairs(test, found, tmp_path, monkeypatch):
    """Instead of the network: the level of the recording, of which the safeguard leaves a half."""

    class Level:
        def embedding(self, samples, name=""):
            return np.array([np.abs(samples).max(), 0.0], dtype=np.float32)

    monkeypatch.setattr("zebra_core.listening.evaluation.shipped", Level)
    machine = with_machine(found, test.files[0].parent)
    levels = {(one.panel.question, one.panel.safeguard): one.panel.score.mean() for one in machine.machine}
    assert [one.panel.pairs for one in machine.machine] == [one.panel.pairs for one in found.panels]
    assert levels == {
        (ItemTask.PLACEMENT, ""): pytest.approx(0.25, rel=0.1),
        (ItemTask.PLACEMENT, "mask"): pytest.approx(0.0625, rel=0.1),
        (ItemTask.SAME, ""): pytest.approx(0.25, rel=0.1),
        (ItemTask.SAME, "mask"): pytest.approx(0.125, rel=0.1),
    }
    write_outcome(machine, tmp_path / "out")
    heard = project_of_folder(tmp_path / "out" / "machine").project.entries
    assert {(e.dataset, e.attacker) for e in heard if e.name == "mask"} == {
        ("pairs", "ignorant"),
        ("canvases", "lazy-informed"),
    }
    with pytest.raises(
        InputError, match=r"The recordings of the test are gone: L01\.zebra-listening was not found"
    ):
        with_machine(found, tmp_path)


def test_answers_to_what_was_played_elsewhere_are_told_and_counted(test, tmp_path):
    knows = knowing(test.plan.speaker)
    places = iter(range(100))

    def answer_to(item):
        return replace(knows(item), elsewhere=next(places) < 3)

    path = answered(test, "L02", answer_to, name="elsewhere")
    [one] = gather_answers(test.plan, [path]).listeners
    assert sum(answer.elsewhere for _item, answer in one.answered) == 3
    told = [sentence_as_said(each, "listening") for each in evaluate(test.plan, [path]).sentences]
    of = len(one.plan.items)
    assert (
        f"L02 gave 3 of {of} answers to recordings that were played elsewhere than in ZEBRA, "
        "which knows nothing of how often or how loud."
    ) in told


def test_a_share_a_distance_and_a_correlation_are_not_shown_as_like_figures(found):
    rows = [[cell.text for cell in row] for row in reliability_table(found.as_json()).rows]
    said = {row[1]: row[5] for row in rows if row[0] == "L01"}
    assert re.fullmatch(r"\d+ % alike", said["Same speaker"])
    assert re.fullmatch(r"correlation −?\d\.\d\d", said["Placement"])
    assert _consistency("naturalness", 0.5) == "0.5 steps apart"
