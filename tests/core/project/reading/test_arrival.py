"""What a drop comes to: ready assessments, questions, offers; every answer makes another arrival."""

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers, Decision
from zebra_core.intake.planned import NO_KEY
from zebra_core.intake.sorting.plan import key_question
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive, leaves_something_open, plan_with, waits_for_more_files
from zebra_core.project.reading.reading import read_again, try_planned

KEY = "e1 t1 target\ne1 t2 target\ne1 t3 nontarget\ne1 t4 nontarget\n"
SCORES = "e1 t1 2.5\ne1 t2 0.5\ne1 t3 1.5\ne1 t4 -1.5\n"
UNKNOWN_WORDS = "2.5 gleich\n0.25 gleich\n-1.5 anders\n1.25 anders\n"


def names(arrival):
    return [entry.name for entry in arrival.entries]


def test_a_clear_drop_is_ready_and_asks_nothing(put):
    found = arrive([put("one", SCORES), put("two", SCORES), put("key", KEY)])

    assert names(found) == ["one", "two"]
    assert not leaves_something_open(found.plan)
    assert not found.has_offers
    assert found.failures == ()


def test_one_failed_audit_does_not_lose_the_others(put):
    found = arrive([put("one", SCORES), put("cut", SCORES[:20]), put("key", KEY)])
    assert names(found) == ["one"]
    assert found.has_offers

    rest = found.only_failed()
    assert [one.planned.name for one in rest.tried] == ["cut"]
    assert [file.source.name for file in rest.plan.files] == ["cut", "key"]
    place = rest.plan.assessments[0].scores.source.place
    allowed = rest.answers.deciding([place], Decision.KEY_LINES_WITHOUT_SCORE, holds=True)
    again = arrive(rest.paths, allowed, earlier=rest, done=rest.already_there)
    assert again.failures == () or "no nontarget" in str(again.failures[0])
    assert [one.planned.name for one in again.tried] == ["cut"]


def test_what_was_tried_with_the_same_answers_is_not_tried_again(put, monkeypatch):
    first = arrive([put("one", SCORES), put("key", KEY), put("words", UNKNOWN_WORDS)])
    tried = []
    monkeypatch.setattr(
        "zebra_core.project.reading.arrival.try_planned",
        lambda planned, *rest, **more: tried.append(planned.name) or try_planned(planned, *rest, **more),
    )
    [question] = first.plan.questions
    answers = first.answers.choosing(question.id, question.alternatives[0].choice)
    second = arrive(first.paths, answers, earlier=first)

    assert tried == ["words"]
    assert names(second) == ["one", "words"]
    assert second.entries[0] is first.entries[0]


def test_a_settled_reading_can_still_be_corrected(put):
    found = arrive([put("words", UNKNOWN_WORDS)])
    [question] = found.plan.questions
    answers = found.answers.choosing(question.id, question.alternatives[1].choice)
    answered = arrive(found.paths, answers)

    [file] = answered.plan.files
    assert [reading.choice for reading in file.readings] == [question.alternatives[1].choice]
    assert file.alternatives == question.alternatives


def test_the_key_can_be_chosen_or_refused_where_nobody_asked(put):
    scores, key = put("one", SCORES), put("key", KEY)
    found = arrive([scores, key])
    question = key_question(found.plan, found.plan.files[0])
    assert [one.words for one in question.alternatives] == ["key", "none of these"]
    assert key_question(found.plan, found.plan.files[1]) is None

    refused = arrive(found.paths, found.answers.choosing(question.id, NO_KEY))
    assert refused.tried == ()
    assert waits_for_more_files(refused.plan)


def test_rows_are_known_of_files_that_no_assessment_uses(put):
    found = arrive([put("words", UNKNOWN_WORDS), put("one", SCORES), put("key", KEY)])

    assert {source.name: rows for source, rows in found.rows.items()} == {"words": 4, "one": 4, "key": 4}


def test_answers_that_no_longer_fit_are_forgotten(put):
    path = put("words", UNKNOWN_WORDS)
    made = plan_with([path], Answers({f"reading:{path}": "kaldi-scores"}))

    assert len(made.questions) == 1
    assert made.problems == ()
    assert leaves_something_open(made)


def test_datasets_tell_assessments_of_one_safeguard_apart(put):
    paths = [put(f"data/{group}_trials/trials", KEY.replace("e1", group)) for group in ("f", "m")]
    paths += [
        put(f"exp/B2/ASV-{group}_enrolls-{group}_trials_anon/scores", SCORES.replace("e1", group))
        for group in ("f", "m")
    ]
    found = arrive(paths)

    assert [entry.full_name for entry in found.entries] == ["B2 OP, ignorant"] * 2
    assert [entry.dataset for entry in found.entries] == ["f", "m"]


def test_assessments_that_would_be_called_the_same_are_told_apart(put):
    pair = "results-1/ASV-f_enrolls-f_trials/scores"
    paths = [put(f"exp/{team}/a/{pair}", SCORES.replace("0.5", score)) for team, score in ("x1", "y2")]
    found = arrive([*paths, put("key", KEY)])
    assert [entry.full_name for entry in found.entries] == ["unprotected, x OO", "unprotected, y OO"]

    found = arrive([put("one/scores", SCORES), put("two/one/scores", SCORES), put("key", KEY)])
    assert names(found) == ["one, one/scores", "one, two/one/scores"]


def test_what_the_folders_say_is_a_part_of_the_audit_and_a_baseline_left_out_a_remark(put):
    pair = "ASV-f_enrolls-f_trials/scores"
    paths = [put(f"exp/{system}/{pair}", SCORES) for system in ("B1", "B2")]
    [entry] = arrive([*paths, put("data/f_trials/trials", KEY)]).entries

    assert [finding.code for finding in entry.audit.findings] == ["by-folders", "baseline-repeated"]
    assert [remark.code for remark in entry.assessment.remarks_on_files] == ["baseline-repeated"]
    again = read_again(entry, [Decision.LOWER_IS_MORE_ALIKE])
    assert [finding.code for finding in again.audit.findings][-2:] == ["by-folders", "baseline-repeated"]
    assert str(again.audit.findings[-1]) == (
        f"B1/{pair}: another system comes with the same scores of unprotected speech, byte for byte, so "
        f"they are shown once. Left out: B2/{pair}."
    )


def test_protected_speech_is_looked_at_first_and_else_whatever_there_is(put):
    key = put("data/f_trials/trials", KEY)
    baseline = put("exp/B1/ASV-f_enrolls-f_trials/scores", SCORES)
    protected = put("exp/B1/ASV-f_enrolls-f_trials_B1/scores", SCORES)
    assert arrive([baseline, protected, key]).first.full_name.startswith("B1 OP")
    assert arrive([baseline, key]).first.full_name == "unprotected OO"


def test_answers_are_remembered_in_the_project(put):
    path = put("words", UNKNOWN_WORDS)
    first = arrive([path])
    [question] = first.plan.questions
    answers = first.answers.choosing(question.id, question.alternatives[0].choice)
    project = Project().remembering(answers)

    assert names(arrive([path], project.answers)) == ["words"]


def test_a_decision_reads_the_files_anew_and_can_be_taken_back(put):
    lower = SCORES.replace("2.5", "-9.5").replace("0.5", "-8.5")
    [entry] = arrive([put("one", lower), put("key", KEY)]).entries
    turned = read_again(entry, [Decision.LOWER_IS_MORE_ALIKE])

    assert turned.id == entry.id
    assert turned.audit.decisions == (Decision.LOWER_IS_MORE_ALIKE,)
    assert turned.assessment.d_ece_bits > entry.assessment.d_ece_bits
    back = read_again(turned, [])
    assert back.assessment.d_ece_bits == entry.assessment.d_ece_bits


def test_files_that_changed_are_not_assessed_for_what_they_were(put):
    [entry] = arrive([put("one", SCORES), put("key", KEY)]).entries
    put("one", SCORES.replace("2.5", "2.6"))
    with pytest.raises(InputError, match="one has changed since it was assessed"):
        read_again(entry, [Decision.LOWER_IS_MORE_ALIKE])

    put("one", "hello\n")
    with pytest.raises(InputError, match="one, line 1"):
        read_again(entry, [Decision.LOWER_IS_MORE_ALIKE])

    put("one", "e1 t1 target\n")
    with pytest.raises(InputError, match="cannot be read as kaldi-scores"):
        read_again(entry, [])
