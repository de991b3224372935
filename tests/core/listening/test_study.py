"""A listening test in a project: assessments of listeners, decisions, saved, and verified from the files."""

import datetime as dt
import json
from dataclasses import replace

import numpy as np
import pytest

from tests.core.listening.cases import answered, knowing, made, recordings
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.figures.all_pictures import pictures_of
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_core.listening.satellite import SATELLITE
from zebra_core.listening.study import (
    entries_of,
    hear_again,
    hear_answers,
    hear_dropped,
    is_alone,
    with_heard,
)
from zebra_core.project.attackers import attack_groups
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of, weighable_of
from zebra_core.project.sharing.pseudonymised import Places, without_names
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.version import versions

FULL = 1.0 / (2.0 * np.log(2.0))
WANTED = (QuestionDesign(ItemTask.SAME, 24, anchors=4, repeats=3), QuestionDesign(ItemTask.NATURALNESS, 10))


class Level:
    """Instead of the network: the level of a recording, of which the safeguard leaves a half."""

    def embedding(self, samples, name=""):
        return np.array([np.abs(samples).max(), 0.0], dtype=np.float32)


def blunt(item):
    """Who says the same of everything."""
    return ItemAnswer(confidence=2) if item.question is ItemTask.SAME else ItemAnswer(rating=5)


@pytest.fixture(scope="module", autouse=True)
def recogniser():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zebra_core.listening.evaluation.shipped", Level)
        yield


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")), *WANTED)


@pytest.fixture(scope="module")
def answers(test):
    """Two who know the speakers, and one who hears nothing."""
    knows = knowing(test.plan.speaker)
    return [answered(test, code, rule) for code, rule in (("L01", knows), ("L02", knows), ("L03", blunt))]


@pytest.fixture(scope="module")
def heard(test, answers):
    return hear_answers(test.files[0], answers, settings=BootstrapSettings(20))


@pytest.fixture(scope="module")
def project(heard):
    return with_heard(Project(title="Ears"), heard, alone=True)


def who(one):
    """Whose assessment it is: a recogniser's, a panel's, or of one listener."""
    return one.recogniser or one.attacker


def entry(project, attacker, name="mask"):
    [one] = [one for one in project.entries if (who(one), one.name) == (attacker, name)]
    return one


def test_panels_each_listener_and_the_recogniser_are_assessments_of_the_same_pairs(project):
    assert [(e.name, e.condition.value, e.attack) for e in project.entries if e.is_ticked] == [
        ("unprotected", "OO", "listeners, panel of 3, confidence"),
        ("mask", "OP", "listeners, panel of 3, confidence"),
        ("unprotected", "OO", "CAM++ (3D-Speaker), cosine"),
        ("mask", "OP", "ignorant, CAM++ (3D-Speaker), cosine"),
    ]
    assert {e.attack for e in project.entries if not e.is_ticked} == {
        f"listener L0{n}, confidence" for n in (1, 2, 3)
    }
    panel, machine = entry(project, "panel of 3"), entry(project, "CAM++ (3D-Speaker)")
    assert panel.trials.enrol.names == machine.trials.enrol.names
    assert panel.trials.is_target.tolist() == machine.trials.is_target.tolist()
    # Who knows the speakers puts every target above every nontarget; the third adds 2/3 to all of a pair.
    assert panel.assessment.d_ece_bits == pytest.approx(FULL)
    assert entry(project, "listener L03").assessment.d_ece_bits == 0.0


def test_the_strongest_attacker_of_a_group_may_be_a_human(project):
    groups = {(one.safeguard, one.dataset): one for one in attack_groups(project)}
    group = groups["mask", "Same speaker"]
    assert len(group.attacks) == 5
    assert group.strongest.attacker == "listeners"
    assert group.bits > group.bits_of(entry(project, "CAM++ (3D-Speaker)"))


def test_draws_are_of_the_speakers_that_the_plan_knows(project):
    """Target trials alone would not join the recordings of one speaker: each is in few of them."""
    panel = entry(project, "panel of 3")
    heard = weighable_of(panel)
    assert heard.speakers == ("anna", "bert", "carl", "dora", "emil")
    assert heard.listeners == ("L01", "L02", "L03")
    assert sorted(heard.score) == sorted(panel.trials.score)
    assert int(heard.counts().n_trials.sum()) == len(panel.trials)
    assert "3 listeners judged these trials." in " ".join(map(str, panel.remarks))


@pytest.mark.parametrize(
    ("attacker", "said"),
    [
        ("panel of 3", "5 speakers and 3 listeners were drawn for the intervals, each as a whole."),
        (
            "listener L01",
            "5 speakers were drawn for the intervals, each as a whole. There is only one listener",
        ),
        ("CAM++ (3D-Speaker)", ""),
    ],
)
def test_beside_intervals_it_is_said_who_was_drawn(project, attacker, said, tmp_path):
    asked = entry(project, attacker)
    trust = trust_of(weighable_of(asked), asked.assessment, BootstrapSettings(20), deals=20)
    drawn = [str(one) for one in trust.remarks if "drawn for the intervals" in str(one)]
    assert [one[: len(said)] for one in drawn] == [said] * bool(said)
    assert "D_ECE with its 95 % interval over 5 speakers" in trust.sentences[0]
    measured = project.with_trust({asked.id: trust})
    save_project(measured, tmp_path / "p.zebra")
    found = open_project(tmp_path / "p.zebra").project.entry(asked.id).trust
    assert found.uncertainty.intervals == trust.uncertainty.intervals
    assert found.uncertainty.n_fewest == (3 if said.startswith("5 speakers and") else 5)


def test_intervals_of_a_panel_are_those_of_its_test(project, heard):
    panel = entry(project, "panel of 3")
    trust = trust_of(weighable_of(panel), panel.assessment, BootstrapSettings(20), deals=0)
    [known] = [
        one
        for one in heard.study.values["panels"]
        if one["safeguard"] == "mask" and one["question"] == "same"
    ]
    interval = trust.uncertainty.intervals["d_ece_bits"]
    assert (interval.low, interval.high) == (
        known["figures"]["d_ece_bits"]["low"],
        known["figures"]["d_ece_bits"]["high"],
    )


def test_trials_are_read_again_from_the_listeners_files_and_a_changed_one_is_refused(project, answers):
    let_go = replace(entry(project, "panel of 3"), trials=None)
    assert trials_of(let_go).score.tolist() == entry(project, "panel of 3").trials.score.tolist()
    alone = replace(entry(project, "listener L02"), trials=None)
    before = answers[1].read_bytes()
    try:
        answers[1].write_bytes(before + b" ")
        with pytest.raises(InputError, match=r"L02\.zebra-answers"):
            trials_of(alone)
    finally:
        answers[1].write_bytes(before)


def test_leaving_out_who_missed_the_anchors_is_a_decision_that_stays(project, heard):
    assert heard.study.failing == ("L03",)
    noted = replace(entry(project, "panel of 3"), notes="mine")
    again = with_heard(project.replacing(noted), hear_again(heard.study, ["L03"]))
    assert [one.left_out for one in again.studies] == [("L03",)]
    assert {who(e) for e in again.entries} == {
        "panel of 2",
        "listener L01",
        "listener L02",
        "CAM++ (3D-Speaker)",
    }
    kept = entry(again, "panel of 2")
    assert (kept.notes, len(kept.files)) == ("mine", 3)
    values = again.studies[0].values
    assert [one["is_left_out"] for one in values["listeners"]] == [False, False, True]
    assert values["panels"][1]["listeners"] == 2
    with pytest.raises(InputError, match="Nobody’s answers can be used"):
        hear_again(heard.study, ["L01", "L02", "L03"])


def test_listeners_alone_are_assessed_where_somebody_says_so_and_that_stays(heard, project):
    def alone(made):
        return sorted(e.attacker for e in made.entries if is_alone(e))

    panels = with_heard(Project(), heard)
    assert {who(e) for e in panels.entries} == {"panel of 3", "CAM++ (3D-Speaker)"}
    assert alone(with_heard(panels, heard)) == []
    each = with_heard(panels, heard, alone=True)
    assert alone(each) == alone(project) == sorted(2 * [f"listener L0{n}" for n in (1, 2, 3)])
    assert alone(with_heard(each, heard)) == alone(each)
    assert alone(with_heard(each, heard, alone=False)) == []


def test_a_project_with_a_test_is_saved_and_opened_and_goes_with_its_last_assessment(project, tmp_path):
    save_project(project, tmp_path / "p.zebra")
    found = open_project(tmp_path / "p.zebra").project
    assert found.studies[0].values == project.studies[0].values
    assert found.studies[0].files == project.studies[0].files
    assert [e.assessment.d_ece_bits for e in found.entries] == [
        e.assessment.d_ece_bits for e in project.entries
    ]
    ids = [e.id for e in entries_of(found, found.studies[0])]
    assert found.without(ids[1:]).studies == found.studies
    assert found.without(ids).studies == ()


def test_a_nameless_copy_has_the_assessments_and_says_that_the_test_is_left_out(project, tmp_path):
    copy = without_names(project, Places.beside(tmp_path / "shared.zebra"))
    _coded, told, *rest = copy.sentences
    assert sum("biometric" in one for one in rest) == 1
    assert told.startswith("Results of listening tests were left out, apart from their assessments, whose")
    assert copy.project.studies == ()
    assert [e.assessment.d_ece_bits for e in copy.project.entries] == [
        e.assessment.d_ece_bits for e in project.entries
    ]


def test_its_pictures_are_among_all_pictures_with_what_they_are_of(project):
    pictures = {one.label: one for one in pictures_of(project)}
    assert pictures["EARS"].made().title == "Listeners and recogniser"
    assert [pictures[name].made().caption for name in ("EARS", "RATED-NATURALNESS")] == ["Ears", "Ears"]
    assert "RATED-INTELLIGIBILITY" not in pictures


def test_values_that_no_test_has_are_refused(heard):
    values = json.loads(json.dumps(heard.study.values))
    SATELLITE.refuse_unlike(heard.study.files, values, "p.zebra")
    for spoil in (
        lambda v: v.pop("consent_sha256"),
        lambda v: v["panels"][0]["figures"].update(more=1),
        lambda v: v["listeners"][0].update(is_left_out="no"),
    ):
        spoilt = json.loads(json.dumps(values))
        spoil(spoilt)
        with pytest.raises(InputError, match=r"p\.zebra.* is damaged"):
            SATELLITE.refuse_unlike(heard.study.files, spoilt, "p.zebra")


def test_everything_is_verified_again_from_the_listeners_files(project, test, answers, tmp_path):
    values = evidence(gather(project), dt.date(2026, 1, 1), versions())
    assert [one["code"] for one in values["listening"][0]["values"]["listeners"]] == ["L01", "L02", "L03"]
    report = tmp_path / "evidence.json"
    report.write_bytes(as_bytes(values))
    folder = test.files[0].parent
    found = verify(report, [folder])
    assert found.is_verified, found.summary
    of_test = {one.what for one in found.checked if one.about == "listening test Ears"}
    assert {"consent_sha256", "seed", "listeners: L03", "panels: same mask", "machine: same mask"} <= of_test

    spoilt = json.loads(report.read_bytes())
    spoilt["listening"][0]["values"]["panels"][0]["figures"]["d_ece_bits"]["shown"] += 0.01
    report.write_bytes(json.dumps(spoilt).encode())
    wrong = [one.what for one in verify(report, [folder]).checked if one.status.name == "DIFFERS"]
    assert wrong == ["panels: same", "everything in it, made again"]


def test_answers_need_a_plan_and_find_that_of_a_test_that_is_known(
    test, answers, heard, tmp_path, monkeypatch
):
    # Those of a test that nobody has heard before: few draws show whose answers are taken.
    monkeypatch.setattr("zebra_core.listening.evaluation.BootstrapSettings", lambda: BootstrapSettings(20))
    with pytest.raises(InputError, match=r"need the plan of their test, listening-plan\.json"):
        hear_dropped(answers, [])
    assert hear_dropped(answers[:1], [heard.study]).study.test == heard.study.test
    other = made(recordings(tmp_path), *WANTED, listeners=2)
    strange = answered(other, "L02", knowing(other.plan.speaker), name="strange")
    with_strange = hear_dropped([test.files[0], *answers, strange], [])
    assert len(with_strange.faults) == 1
    assert "strange.zebra-answers" in with_strange.faults[0]
    assert "does not belong to this plan" in with_strange.faults[0]
    with pytest.raises(InputError, match="several plans"):
        hear_dropped([test.files[0], other.files[0], *answers], [])


def test_without_the_recordings_no_recogniser_hears_them_and_that_is_said(test, answers, tmp_path):
    plan = tmp_path / "listening-plan.json"
    plan.write_bytes(test.files[0].read_bytes())
    found = hear_answers(plan, answers, settings=BootstrapSettings(20))
    assert found.study.values["machine"] == []
    assert "No recogniser heard the same pairs. The recordings of the test are gone" in " ".join(
        found.study.values["told"]
    )
