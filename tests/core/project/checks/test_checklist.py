"""The check list: each line passed, failed, or such as cannot be told, with its figures."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import demo_assessments, small_entry
from tests.core.speaker_model import trials_of
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckLine, CheckOutcome, worst_of
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

PASSED, FAILED, CANNOT_TELL = CheckOutcome
IGNORANT = attack(0.4, "ignorant", Condition.OP)
LAZY = attack(0.9, "lazy-informed", seed=1)
NOISE = attack(0.0, "lazy-informed", seed=4)
ORIGINAL = replace(attack(6.0, "", Condition.OO, seed=3, n=34), name="unprotected")


def line(check: Check, *entries: Entry) -> CheckLine:
    return next(one for one in checklist(Project("", entries)) if one.check is check)


def corrected(entry: Entry) -> float:
    assert entry.trust is not None
    return entry.trust.uncertainty.d_ece_corrected_bits


def text(found: CheckLine) -> str:
    return " ".join(found.sentences())


def test_the_worst_case_decides_and_of_nothing_nothing_can_be_told() -> None:
    assert worst_of([PASSED, FAILED, CANNOT_TELL]) is FAILED
    assert worst_of([PASSED, CANNOT_TELL]) is CANNOT_TELL
    assert worst_of([PASSED]) is PASSED
    assert worst_of([]) is CANNOT_TELL


def test_every_check_of_an_empty_project_cannot_be_told_and_says_why() -> None:
    found = checklist(Project())
    assert [one.check for one in found] == list(Check)
    assert {one.outcome for one in found} == {CANNOT_TELL}
    assert all(len(one.sentences()) == 1 for one in found)


def test_a_recogniser_that_separates_unprotected_speech_works_and_one_that_hears_noise_does_not() -> None:
    assert line(Check.RECOGNISER, ORIGINAL, LAZY).outcome is PASSED
    deaf = replace(attack(0.0, "", Condition.OO, seed=5), name="unprotected")
    found = line(Check.RECOGNISER, deaf, LAZY)
    assert found.outcome is FAILED
    assert "less than 0.361 bit, half of the possible maximum" in text(found)
    assert {case.outcome for case in found.cases if LAZY.id in case.entry_ids} == {FAILED}


def test_a_recogniser_cannot_be_judged_without_unprotected_speech_scored_by_it() -> None:
    assert line(Check.RECOGNISER, LAZY).outcome is CANNOT_TELL
    named = replace(LAZY, recogniser="ECAPA")
    assert line(Check.RECOGNISER, replace(ORIGINAL, recogniser="x-vector"), named).outcome is CANNOT_TELL
    assert line(Check.RECOGNISER, replace(ORIGINAL, recogniser="ECAPA"), named).outcome is PASSED
    assert line(Check.RECOGNISER, ORIGINAL, named).outcome is PASSED  # nobody said which it was


def test_a_badly_trained_attacker_is_found_out() -> None:
    """Lazy-informed scores that are noise find less than the ignorant attacker, who knows less."""
    found = line(Check.ATTACKERS, ORIGINAL, IGNORANT, NOISE)
    assert found.outcome is FAILED
    assert "this attack was badly trained or is broken" in text(found)
    (case,) = found.cases
    assert case.entry_ids == (IGNORANT.id, NOISE.id)
    assert case.figures["p_adjusted"] <= 0.05  # type: ignore[operator]
    assert line(Check.ATTACKERS, ORIGINAL, IGNORANT, LAZY).outcome is PASSED


def test_a_semi_informed_attacker_whose_back_ends_have_other_names_is_found_out() -> None:
    """The best back end of each is compared: 1.5 between voices with 0.3, not 0.2 with 0.0."""
    ignorant = [
        replace(attack(between, "ignorant", Condition.OP, seed=seed), back_end=back_end)
        for between, seed, back_end in ((0.2, 0, "centred cosine"), (1.5, 1, "cosine"))
    ]
    semi = [
        replace(attack(between, "semi-informed", Condition.OP, seed=seed), back_end=f"{back_end}, adapted")
        for between, seed, back_end in ((0.3, 2, "cosine, whitened"), (0.0, 4, "centred cosine"))
    ]
    found = line(Check.ATTACKERS, ORIGINAL, *ignorant, *semi)
    (case,) = found.cases
    assert (found.outcome, case.entry_ids) == (FAILED, (ignorant[1].id, semi[0].id))

    with_cosine = replace(ignorant[1], id="cosine", attacker="semi-informed")  # which anybody has
    assert line(Check.ATTACKERS, ORIGINAL, *ignorant, *semi, with_cosine).outcome is PASSED


def test_whoever_leaves_enrolments_as_they_are_is_not_held_against_one_who_protects_them() -> None:
    """Protecting them finds more in itself; the other way round there is no excuse."""
    lazy, semi = attack(1.5, "lazy-informed"), attack(0.0, "semi-informed", Condition.OP, seed=4)
    assert line(Check.ATTACKERS, lazy, semi).outcome is CANNOT_TELL
    ignorant = replace(lazy, attacker="ignorant", condition=Condition.OP)
    assert line(Check.ATTACKERS, ignorant, NOISE).outcome is FAILED


def test_a_difference_that_chance_explains_is_no_failure() -> None:
    one = attack(0.5, "ignorant", seed=8)
    other = attack(0.5, "lazy-informed", seed=9)
    weaker, stronger = sorted((one, other), key=lambda entry: -corrected(entry))
    weaker, stronger = replace(weaker, attacker="ignorant"), replace(stronger, attacker="lazy-informed")
    (case,) = line(Check.ATTACKERS, weaker, stronger).cases
    assert (case.outcome, case.code) == (PASSED, "attackers-within-chance")


def test_with_twelve_speakers_too_an_attacker_who_finds_no_less_is_hardly_ever_called_badly_trained() -> None:
    """The same speech with the same scores but for noise: at 5 % three of twenty are one in thirteen."""
    failed = 0
    for seed in range(20):
        rng = np.random.default_rng([12, seed])
        speech = trials_of(rng, 12, 0.5)
        pair = []
        for attacker in ("ignorant", "lazy-informed"):
            trials = replace(speech, score=speech.score + rng.normal(size=len(speech.score)))
            found = assess(trials)
            trust = trust_of(trials, found, BootstrapSettings(60, seed=seed), deals=0)
            pair.append(Entry("B", trials, found, Condition.PP, attacker=attacker, measured=trust))
        failed += line(Check.ATTACKERS, *pair).outcome is FAILED
    assert failed <= 2


def test_without_intervals_figures_out_of_order_cannot_be_told_from_chance() -> None:
    unsure = attack(0.4, "ignorant", Condition.OP, sure=False)
    assert line(Check.ATTACKERS, unsure, NOISE).outcome is CANNOT_TELL
    assert line(Check.ATTACKERS, unsure, LAZY).outcome is PASSED  # in order


def test_attackers_of_other_recognisers_are_not_compared_nor_those_of_whom_nobody_said_what_they_know() -> (
    None
):
    named = replace(IGNORANT, recogniser="ECAPA"), replace(NOISE, recogniser="x-vector")
    assert line(Check.ATTACKERS, *named).outcome is CANNOT_TELL
    found = line(Check.ATTACKERS, replace(LAZY, attacker=""))
    assert text(found) == "It was not stated what the attacker knows: libri_f · B1 PP."


def test_twenty_speakers_and_a_hundred_target_trials_are_enough() -> None:
    few = line(Check.ENOUGH, LAZY)
    assert few.outcome is FAILED
    assert text(few).endswith("20 speakers and 60 target trials; 20 and 100 are needed.")
    many = attack(0.9, "lazy-informed", n=34)
    assert line(Check.ENOUGH, many).outcome is PASSED  # 102 target trials
    unsure = attack(0.9, "lazy-informed", n=34, sure=False)
    assert line(Check.ENOUGH, unsure).outcome is CANNOT_TELL


def test_scores_that_run_the_wrong_way_fail() -> None:
    right = attack(2.0, "lazy-informed", seed=1)
    assert line(Check.DIRECTION, right).outcome is PASSED
    made = right.trials
    assert made is not None
    turned = assess(Trials(-made.score, made.is_target, made.enrol, made.test))
    found = line(Check.DIRECTION, replace(right, assessment=turned, id="turned"), right)
    assert found.outcome is FAILED
    assert {case.outcome for case in found.cases if right.id in case.entry_ids} == {PASSED}


def test_conditions_and_sexes_that_lack_are_named() -> None:
    found = line(Check.COMPLETE, IGNORANT)
    assert found.outcome is FAILED
    assert text(found) == "B1, libri_f, lacks OO and PP. libri: there are female speakers only."
    men = [replace(one, dataset="libri_m") for one in (ORIGINAL, IGNORANT, LAZY)]
    assert line(Check.COMPLETE, ORIGINAL, IGNORANT, LAZY, *men).outcome is PASSED
    unknown = [replace(one, dataset="") for one in (ORIGINAL, IGNORANT, LAZY)]
    assert line(Check.COMPLETE, *unknown).outcome is CANNOT_TELL


def test_safeguards_that_lack_the_same_are_named_in_one_sentence() -> None:
    others = [replace(IGNORANT, name=name, id=name) for name in ("B2", "B3")]
    found = line(Check.COMPLETE, IGNORANT, *others)
    assert text(found) == "B1, B2 and B3, libri_f, lack OO and PP. libri: there are female speakers only."


def test_one_assessment_alone_has_no_others_like_it() -> None:
    found = line(Check.COMPLETE, replace(IGNORANT, condition=None, dataset=""))
    assert (
        text(found)
        == "B1: the condition was not stated for all of them. The sex of the speakers is not known."
    )


def test_nothing_printed_beside_the_scores_tells_nothing() -> None:
    assert line(Check.PRINTED, LAZY).outcome is CANNOT_TELL


def test_a_tag_that_chance_explains_may_be_chance_which_is_no_failure() -> None:
    def with_null(between: float) -> Entry:
        made = trials_of(np.random.default_rng(0), 20, between)
        known = assess(made)
        trust = trust_of(made, known, BootstrapSettings(replicates=20), deals=40)
        return replace(small_entry(), trials=made, assessment=known, measured=trust)

    assert line(Check.TAG, with_null(4.0)).outcome is PASSED
    by_chance = line(Check.TAG, with_null(0.0), LAZY)
    assert by_chance.outcome is CANNOT_TELL
    assert by_chance.outcome.sign == "?"
    assert by_chance.outcome_in_words == "may be chance"
    assert by_chance.in_words.startswith(
        "The tag is more than no disclosure shows: may be chance. B1 OP, tag A:"
    )
    unknown = line(Check.TAG, LAZY)  # nobody dealt out anew
    assert (unknown.outcome, unknown.outcome_in_words) == (CANNOT_TELL, "cannot be decided")


@pytest.mark.parametrize(("between", "outcome"), [(0.0, PASSED), (8.0, CANNOT_TELL), (200.0, FAILED)])
def test_protected_speech_that_discloses_more_than_unprotected_has_shared_pseudo_speakers(
    between: float, outcome: CheckOutcome
) -> None:
    original = attack(3.0, "", Condition.OO, seed=3)
    found = line(Check.PSEUDO_SPEAKERS, original, attack(between, "lazy-informed", seed=3))
    assert found.outcome is outcome


def test_json_has_every_case_with_its_figures_by_the_place_of_the_assessment() -> None:
    found = line(Check.ATTACKERS, IGNORANT, NOISE).as_json({IGNORANT.id: 0, NOISE.id: 1})
    assert (found["check"], found["outcome"]) == ("attackers", "failed")
    (case,) = found["cases"]  # type: ignore[misc]
    assert case["assessments"] == [0, 1]
    assert set(case["figures"]) == {"excess_bits", "p_value", "p_adjusted"}


def test_the_demo_is_judged_as_far_as_it_can_be() -> None:
    found = {one.check: one.outcome for one in checklist(demo_assessments())}
    assert found[Check.RECOGNISER] is PASSED
    assert found[Check.DIRECTION] is PASSED
    assert found[Check.COMPLETE] is FAILED
    assert found[Check.ATTACKERS] is CANNOT_TELL
