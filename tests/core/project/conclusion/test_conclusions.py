"""The answer for each safeguard: of the strongest attack, of the most exposed person, in plain words."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import demo_assessments, small_entry
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.figures.headline import scale_figure
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.conclusion.conclusion import (
    Conclusion,
    StandingOut,
)
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.conclusion.overall import as_text, in_one_sentence, missing_in_all, on_the_whole
from zebra_core.project.items import Attacker, Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.wording.texts import say

# Three people, two recordings each. Of the six recordings four score highest with their own person; one of
# p2 is taken for p0, and one of p2 ties with p1 for the first place.
_SCORES = {
    "p0a": (9.0, 1.0, 2.0),
    "p0b": (8.0, 3.0, 1.0),
    "p1a": (2.0, 9.5, 1.0),
    "p1b": (1.0, 8.5, 2.0),
    "p2a": (7.0, 1.0, 5.0),
    "p2b": (1.0, 6.0, 6.0),
}


def by_ids(lines: list[tuple[str, str, float]]) -> Trials:
    """Trials of enrolment, test segment and score; segments begin with the name of who speaks."""
    columns = [sorted({line[k] for line in lines}) for k in (0, 1)]  # type: ignore[misc]
    codes = [np.array([names.index(line[k]) for line in lines], np.int32) for k, names in enumerate(columns)]
    return Trials(
        np.array([score for _, _, score in lines]),
        np.array([test.startswith(enrol) for enrol, test, _ in lines]),
        *(Ids(code, tuple(names)) for code, names in zip(codes, columns, strict=True)),
    )


def three_people(name: str = "B1", **labels: object) -> Entry:
    """Three people, each with an enrolment; the scores are those above."""
    trials = by_ids(
        [(f"p{k}", test, score) for test, scores in _SCORES.items() for k, score in enumerate(scores)]
    )
    return Entry(name, trials, assess(trials), Condition.PP, **labels)  # type: ignore[arg-type]


def answers(*entries: Entry, report: ReportSettings | None = None, **parts: object) -> tuple[Conclusion, ...]:
    project = Project("", entries, report=report or ReportSettings(), **parts)  # type: ignore[arg-type]
    return conclusions(project, people_figures(project))


def test_how_often_the_right_one_is_named_is_counted_by_hand() -> None:
    """Four recordings of six, and the tie by lot: 4.5 of 6, 75 of 100; guessing gets one of three."""
    (found,) = answers(three_people())
    assert found.naming is not None
    assert found.naming.rate.probability == pytest.approx(0.75)
    assert found.naming_in_words.startswith(
        "Among 3 people, of whom one is speaking, the attacker names the right one in 75 of 100 attempts"
    )
    assert (
        "; by guessing in 33; how often it would be without protection is not known." in found.naming_in_words
    )


def test_among_as_many_people_as_the_user_says_but_never_more_than_are_enrolled() -> None:
    """Among two, p2a is named unless p0 is the other one, and p2b half of the time if p1 is: 5.25 of 6."""
    (found,) = answers(three_people(), report=ReportSettings(people=2))
    assert found.naming is not None
    assert found.naming.rate.probability == pytest.approx((4 + 0.5 + 0.75) / 6)
    assert "Among 2 people" in found.naming_in_words
    (found,) = answers(three_people(), report=ReportSettings(people=50))
    assert "Among 3 people" in found.naming_in_words
    told = (
        "How often the right one is named among 50 people cannot be determined: no more than 3 are enrolled."
    )
    assert told in found.missing


def test_people_who_tie_are_counted_and_nobody_is_named_who_is_not_alone() -> None:
    """Both recordings of p0 and of p1 are named, those of p2 are not, or by lot: p2 may be named as often.

    Somebody is named in (0.05/3)^(1/2) = 13 of 100 at least; of p2 up to more than that may be.
    """
    (found,) = answers(three_people())
    assert found.person_in_words.startswith(
        "2 of 3 people are named every time among 3 people. 3 cannot be told from whoever is really named "
        "most often, in 13 to 100 of 100 attempts (each end with 95 % confidence)."
    )


def test_whom_several_attacks_name_every_time_is_told_of_none_of_them() -> None:
    """By one attack p0 and p1 are named every time, by the other p1 and p2: all three by one or another."""
    turned = {"p0a": "p1a", "p0b": "p1b", "p1a": "p2a", "p1b": "p2b", "p2a": "p0a", "p2b": "p0b"}
    turn = (1, 2, 0)
    lines = [
        (f"p{turn[k]}", turned[test], score)
        for test, scores in _SCORES.items()
        for k, score in enumerate(scores)
    ]
    other = replace(three_people(attacker="lazy-informed"), trials=by_ids(lines))
    (found,) = answers(three_people(), other)
    assert (
        "3 of 3 people are named every time, by one attack or another, among 3 people."
        in found.person_in_words
    )


def test_of_one_session_each_the_mean_is_told_and_of_single_people_no_ends() -> None:
    (found,) = answers(three_people().in_sessions(SessionRule.SPEAKER))
    assert found.naming_in_words.startswith("Among 3 people, of whom one is speaking")
    assert "6 recordings of 3 people, each heard in one session only: the mean" in found.naming_in_words
    assert found.person_in_words.startswith(
        "2 of 3 people are named every time among 3 people; how sure that is cannot be told from one session"
    )
    (found,) = answers(three_people().in_sessions({"p0a": "monday", "p0b": "monday"}))
    assert (
        "6 recordings of 3 people, made in 5 sessions, each of which counts as one" in found.naming_in_words
    )


def test_ids_that_have_more_in_common_than_the_person_are_told_until_sessions_are_stated() -> None:
    lines = [
        (f"p{k}", f"{t[:2]}-9{t[1]}-{t[2]}", v) for t, scores in _SCORES.items() for k, v in enumerate(scores)
    ]
    entry = replace(three_people(), trials=by_ids(lines))
    told = "Ids of several recordings of one person have more in common than the person."
    assert [any(told in each for each in one.missing) for one in answers(entry)] == [True]
    (found,) = answers(entry.in_sessions(SessionRule.BEFORE_LAST_HYPHEN))
    assert not any(told in each for each in found.missing)
    assert entry.in_sessions(SessionRule.FOLDER).in_sessions(None).sessions is None


def test_over_attacks_whoever_stands_out_is_one_list_and_the_same_name_elsewhere_is_somebody_else() -> None:
    several = [StandingOut("7", "libri_f", 2, 2), StandingOut("7", "libri_m", 1, 3)]
    assert [each.in_words(with_dataset=True) for each in several] == [
        "libri_f · speaker 7 (by every attack)",
        "libri_m · speaker 7 (by 1 of 3 attacks)",
    ]
    assert StandingOut("7", "libri_f", 1, 1).in_words(with_dataset=False) == "speaker 7"


def test_unprotected_speech_is_what_it_is_measured_against_and_never_an_answer() -> None:
    original = replace(three_people("unprotected", id="oo"), condition=Condition.OO)
    (found,) = answers(original, three_people())
    assert found.safeguard == "B1"
    assert "without protection in 75." in found.naming_in_words
    assert found.unprotected is original
    assert answers(original) == ()
    assert on_the_whole(Project("", (original,))) == ()


def test_the_strongest_attack_over_all_conditions_runs_and_datasets_is_the_answer() -> None:
    weak = attack(0.2, Attacker.IGNORANT.value, Condition.OP)
    strong = replace(attack(2.0, Attacker.SEMI_INFORMED.value, seed=1), dataset="libri_m", id="m", run="1")
    (found,) = answers(weak, strong)
    assert found.strongest is strong
    assert found.attacks.attacks == (weak, strong)
    assert found.attack_in_words == (
        "The strongest attack that these data bear out, of 2 that are judged here: by somebody who protects "
        "recordings of their own in the same way and has trained a recogniser on such speech, in libri_m."
    )


def test_the_attack_that_is_borne_out_to_name_most_leads_though_another_learns_more() -> None:
    """It names everybody, but its scores do not compare from recording to recording: it learns less."""
    strongest = three_people(attacker="lazy-informed")
    offsets = {"p0a": 0.0, "p0b": 9.0, "p1a": 18.0, "p1b": 27.0, "p2a": 36.0, "p2b": 45.0}
    trials = by_ids(
        [
            (f"p{k}", test, offset + (2.0 if test.startswith(f"p{k}") else 0.1 * k))
            for test, offset in offsets.items()
            for k in range(3)
        ]
    )
    other = Entry("B1", trials, assess(trials), Condition.PP, attacker="semi-informed", id="naming")
    (found,) = answers(strongest, other)
    assert found.strongest is other
    assert "names the right one in 100 of 100 attempts" in found.naming_in_words
    assert "by somebody who protects recordings of their own in the same way and has trained" in (
        found.attack_in_words
    )


def test_the_most_telling_single_comparison_is_that_of_whichever_attack_and_names_it() -> None:
    """Five recordings are found beyond doubt by an attack that learns less on average: it gives the tag."""
    strongest = attack(0.6, "ignorant", Condition.OP, seed=2)
    assert strongest.trials is not None
    score = np.random.default_rng(1).uniform(size=len(strongest.trials.score))
    score[np.flatnonzero(strongest.trials.is_target)[:5]] = 99.0
    trials = replace(strongest.trials, score=score)
    telling = replace(
        strongest,
        trials=trials,
        assessment=assess(trials),
        measured=None,
        condition=Condition.PP,
        attacker="lazy-informed",
        id="telling",
    )
    (found,) = answers(strongest, telling)
    assert (found.strongest.id, found.most_telling.id) == (strongest.id, "telling")
    assert "comparison, under PP, lazy-informed, speaks for the same person" in found.single_in_words
    assert telling.assessment.tag != strongest.assessment.tag
    assert found.as_json()["tag"] == telling.assessment.tag
    assert as_text((found,)).startswith(f"B1 [{telling.assessment.tag}]")


def test_a_share_of_what_comparisons_tell_has_both_of_its_ends() -> None:
    (found,) = answers(attack(0.6, "lazy-informed", seed=1))
    low, high = re.search(r"can tell \(between (\d+) and (\d+) %\)", found.average_in_words).groups()  # type: ignore[union-attr]
    assert found.strongest.trust is not None
    interval = found.strongest.trust.uncertainty.interval("d_ece_bits")
    assert interval is not None
    assert [int(low), int(high)] == [
        round(100.0 * bits / FULL_DISCLOSURE_BITS) for bits in (interval.low, interval.high)
    ]


def test_answers_for_all_safeguards_are_on_one_basis() -> None:
    """B0 was tried in a dataset that bears the correction, B1 in one that does not, too."""
    corrected = replace(attack(0.6, "lazy-informed", seed=1), name="B0", id="b0")
    trust = corrected.measured
    assert trust is not None
    plain = trust.uncertainty.leading_as_computed({"d_ece_bits"})
    other = replace(
        attack(0.6, "lazy-informed", seed=2), dataset="other", measured=replace(trust, uncertainty=plain)
    )
    found = conclusions(Project("", (corrected, other)))
    assert [one.attacks.is_corrected for one in found] == [False, False]
    assert {one.average_in_words.rpartition(", ")[2] for one in found} == {"as computed."}


def test_the_safeguard_that_is_asked_about_comes_first_then_those_that_give_away_least() -> None:
    by_bits = [found.safeguard for found in conclusions(demo_assessments())]
    assert by_bits == ["B1w", "B2", "B2r"]
    asked = replace(demo_assessments(), report=ReportSettings(safeguard="B2r"))
    found = conclusions(asked)
    assert [one.safeguard for one in found] == ["B2r", "B1w", "B2"]
    assert [one.is_asked_about for one in found] == [True, False, False]
    (told,) = on_the_whole(replace(demo_assessments(), report=ReportSettings(safeguard="B9")))
    assert told.startswith("The question is about B9, but no speech protected by it was assessed here.")


def test_a_rank_says_that_it_was_not_tested_and_what_would_do_so() -> None:
    first, second, third = conclusions(demo_assessments())
    untested = "; whether by more than chance was not tested."
    assert str(first.rank) == f"Of 3 ways of protecting, this one lets the attacker learn least{untested}"
    assert str(second.rank) == (
        "Of 3 ways of protecting, this is number 2, counted from the one that lets the attacker learn "
        f"least{untested}"
    )
    assert say("conclusion.not-tested") in missing_in_all((first, second, third))


def test_of_two_that_disclose_exactly_as_much_neither_is_called_least() -> None:
    first = next(each for each in demo_assessments().entries if not each.is_original)
    doubled = replace(first.trials, score=2.0 * first.trials.score)
    one, other = answers(
        first, replace(first, trials=doubled, assessment=assess(doubled), id="t", name="twin")
    )
    assert str(one.rank) == str(other.rank)
    assert str(one.rank).startswith("Of 2 ways of protecting, this is number 1, counted from the one that")


def test_safeguards_with_the_same_scores_have_no_rank_and_both_are_named_above_all_answers() -> None:
    copied, other, _ = (each for each in demo_assessments().entries if not each.is_original)
    entries = copied, replace(copied, id="copy", name="copy"), other
    assert [one.rank for one in answers(*entries)] == [None, None, None]
    [told] = on_the_whole(Project("", entries))
    assert told.startswith(f"{copied.name} and copy have the same scores, so these are not ranked")


def test_nothing_is_shown_of_a_safeguard_whose_scores_are_those_of_unprotected_speech() -> None:
    original, first, second, _ = sorted(demo_assessments().entries, key=lambda each: not each.is_original)
    forgot = replace(original, id="forgot", name="forgot", condition=Condition.OP, colour=3)
    *others, found = answers(original, forgot, first, second)
    assert [one.rank.place for one in others if one.rank] == [1, 2]
    assert (found.safeguard, found.rank, found.tag_in_words) == ("forgot", None, "")
    assert found.sentences == (
        "Nothing is shown of this safeguard: its protected scores are those of unprotected speech.",
    )
    assert in_one_sentence((*others, found), Project("", (original, forgot, first, second))).endswith(
        "nothing is shown of forgot."
    )


def test_an_attack_that_read_the_originals_is_left_out_where_another_did_not() -> None:
    original, first, *_ = sorted(demo_assessments().entries, key=lambda each: not each.is_original)
    forgot = replace(original, id="forgot", name=first.name, condition=Condition.PP, colour=3)
    [found] = answers(original, first, forgot)
    assert found.attacks.attacks == (first,)
    assert any("one attack is left out here" in each.lower() for each in found.missing)


def test_each_requirement_has_its_verdict_for_this_safeguard_alone() -> None:
    asked = Requirement("Nothing telling", "worst_case", 1.0, confidence=None)
    private = replace(attack(0.0), name="B0", id="private")
    original = replace(attack(8.0, "", Condition.OO, seed=3), name="unprotected", id="oo")
    found = answers(original, private, attack(2.0, seed=1), requirements=(asked,))
    outcomes = {one.safeguard: [each.outcome.value for each in one.verdicts] for one in found}
    assert outcomes["B1"] == ["not-met"]
    assert outcomes["B0"] != ["not-met"]
    (told, *_) = found[1].verdicts_in_words
    assert told.startswith(
        "Required: Nothing telling (the worst case, as the toolkit computes it is at most 1"
    )
    assert "): not met on these trials. " in told


def test_scores_that_run_the_wrong_way_are_answered_by_what_they_disclose_by_it() -> None:
    given = three_people()
    assert given.trials is not None
    trials = replace(given.trials, score=-given.trials.score)
    (found,) = answers(replace(given, trials=trials, assessment=assess(trials)))
    assert found.naming_in_words.startswith(
        "Read the other way round, so that lower scores mean more alike, these scores tell the attacker "
        "more: on average 77 % of what one comparison can tell (0.55 bit)."
    )
    assert found.person_in_words == found.average_in_words == ""
    assert found.single_in_words.startswith("The most telling single comparison speaks for ")


def test_of_constant_scores_nothing_is_concluded() -> None:
    given = three_people()
    assert given.trials is not None
    trials = replace(given.trials, score=np.zeros_like(given.trials.score))
    (found,) = answers(replace(given, trials=trials, assessment=assess(trials)))
    assert found.sentences == (say("ceiling.all-equal"),)
    assert as_text((found,)).startswith("B1 [0?]")


def test_what_says_nothing_has_no_rank_and_comes_last() -> None:
    """Constant scores disclose 0 bit, which would be the least; they are no evidence of any protection."""
    low, high = attack(0.2, seed=4), replace(attack(2.0, seed=1), name="B2", id="b2")
    assert low.trials is not None
    trials = replace(low.trials, score=np.zeros_like(low.trials.score))
    constant = replace(low, name="B0", id="b0", trials=trials, assessment=assess(trials), measured=None)
    found = conclusions(Project("", (constant, low, high)))
    assert [one.safeguard for one in found] == ["B1", "B2", "B0"]
    assert [one.rank and (one.rank.place, one.rank.count) for one in found] == [(1, 2), (2, 2), None]


def test_what_is_missing_is_told_with_what_would_give_it() -> None:
    (found,) = answers(replace(small_entry(), attacker=Attacker.IGNORANT.value))
    assert found.naming is None
    assert found.missing[0] == say("conclusion.ignorant-only")
    assert found.missing[1] == say("conclusion.no-unprotected")
    assert found.missing[2].startswith("How often somebody is named is not known. ")
    assert found.missing[3] == say("conclusion.no-intervals")


def test_one_side_protected_is_told_though_the_attacker_knows_of_the_protection() -> None:
    told = {
        attacker: answers(attack(1.0, attacker, Condition.OP, sure=False))[0].missing[0]
        for attacker in ("", Attacker.IGNORANT.value, Attacker.SEMI_INFORMED.value)
    }
    assert told == {
        "": say("conclusion.one-side-only"),
        Attacker.IGNORANT.value: say("conclusion.ignorant-only"),
        Attacker.SEMI_INFORMED.value: say("conclusion.one-side-only"),
    }


def test_where_strongest_attacks_are_on_different_recordings_nobody_is_sent_to_test_them() -> None:
    first, second = attack(0.6, seed=1), replace(attack(2.0, seed=2), name="B2", id="b2", dataset="other")
    found = conclusions(Project("", (first, second)))
    assert say("conclusion.not-testable") in missing_in_all(found)
    found = conclusions(Project("", (first, replace(second, dataset=first.dataset))))
    assert say("conclusion.not-tested") in missing_in_all(found)


def test_one_attack_on_all_can_be_tested_though_another_is_the_strongest_on_one_of_them() -> None:
    one, other = attack(0.6, seed=1), replace(attack(0.6, seed=2), name="B2", id="b2")
    stronger = replace(attack(2.0, "semi-informed", seed=3), name="B2", id="stronger")
    found = conclusions(Project("", (one, other, stronger)))
    assert found[-1].strongest is stronger
    assert say("conclusion.not-tested") in missing_in_all(found)


def test_who_stands_out_need_not_be_who_is_most_exposed() -> None:
    """Speaker 6064 has the highest estimate by three recordings; 87 has enough of them to tell."""
    found = answers(*demo_assessments().in_sessions(None).entries)[0]  # as if recordings were independent
    assert found.most_exposed is not None
    assert found.most_exposed[1].row.speaker == "6064"
    assert found.person_in_words.endswith(
        "One person gives away more than the others, by more than chance in a test at 5 %: speaker 87."
    )
    assert found.as_json()["standing_out"] == [
        {"speaker": "87", "dataset": found.strongest.dataset, "attacks": 1, "tried": 1}
    ]


def test_no_sentence_needs_the_glossary() -> None:
    """A works council reads these; only bits and a letter stand beside what is said in words."""
    original = replace(three_people("unprotected", id="oo"), condition=Condition.OO)
    found = answers(original, three_people(attacker="lazy-informed"), three_people("B2", id="b2"))
    told = " ".join(" ".join((one.attack_in_words, *one.sentences, *one.missing)) for one in found)
    terms = (
        "target|nontarget|LLR|LR|prior|ECE|worst case|ceiling|oracle|calibrat|EER|Cllr|linka|rank disclosure"
    )
    terms += "|singling|entropy|p-value|null|bootstrap|disclos|log10|tag\\b|SHA"
    assert re.findall(terms, told, re.IGNORECASE) == []


def test_the_same_as_text_and_as_json() -> None:
    found = answers(three_people(), three_people("B2", id="b2"))
    text = as_text(found)
    assert text.startswith("B1 [")
    assert text.count(say("conclusion.no-unprotected")) == 1  # of all: told once, below
    (first, _) = (one.as_json() for one in found)
    assert (first["safeguard"], first["attacks"], first["safeguards"]) == ("B1", 1, 1)
    assert first["rank"] is None  # both sets are too small to say anything
    assert first["named"]["naming_rate"] == pytest.approx(0.75)  # type: ignore[index]
    assert first["named"]["pi_link"] == pytest.approx(0.75)  # type: ignore[index]
    assert first["named_unprotected"] is None
    assert first["most_named"]["speaker"] == "p0"  # type: ignore[index]


def test_of_a_set_that_is_too_small_that_is_said_first_and_a_larger_one_is_the_answer() -> None:
    small = three_people()
    (found,) = answers(small)
    assert found.sentences[0] == (
        "18 comparisons, 6 of the same person and 12 of different ones: these figures say nothing. At least "
        "10 of each kind are needed."
    )
    (found,) = answers(small, attack(0.2, seed=4))
    assert found.strongest.dataset == "libri_f"
    assert say("conclusion.too-small", count=1) in found.missing


def test_listeners_who_attack_are_people_who_listened() -> None:
    (found,) = answers(three_people(attacker="listeners", recogniser="panel of 3"))
    assert found.attack_in_words == "One attack is judged here: by people who listened to the recordings."


def test_an_attack_left_out_is_counted_as_such_and_not_as_never_tried() -> None:
    (found,) = answers(three_people(), attack(0.2, seed=4))
    assert found.attack_in_words.startswith("One attack is judged here: by ")
    assert say("conclusion.too-small", count=1) in found.missing


def test_the_picture_of_the_answer_stands_on_the_basis_of_its_sentences() -> None:
    """Alone the strongest attack would be corrected; beside others of its dataset it stands as computed."""
    entry = attack(0.6, "lazy-informed", seed=1)
    assert entry.measured is not None
    assert "corrected" in scale_figure((entry,)).x.label
    plain = entry.measured.uncertainty.leading_as_computed({"d_ece_bits"})
    as_computed = replace(entry, measured=replace(entry.measured, uncertainty=plain))
    assert "as computed" in scale_figure((as_computed,)).x.label
