"""What attacks one safeguard, who of them is the strongest, and an interval for whoever that is."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import demo_assessments
from tests.core.speaker_model import trials_of
from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.metrics.assessment import assess
from zebra_core.project.arranging import with_attack
from zebra_core.project.attackers import LONGEST, AttackWords, attack_groups, knows, lacking
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.one_sided import confidence_of_each, one_sided
from zebra_core.uncertainty.trust import trust_of

IGNORANT = attack(0.2, "ignorant", Condition.OP)
LAZY = attack(1.0, "lazy-informed", seed=1)
SEMI = attack(0.5, "semi-informed", seed=2)
ORIGINAL = replace(attack(8.0, "", Condition.OO, seed=3), name="unprotected")


def project(*entries: Entry) -> Project:
    return Project("", entries)


def test_a_group_is_what_attacks_one_safeguard_in_one_dataset_and_unprotected_speech_attacks_nothing() -> (
    None
):
    other = replace(LAZY, name="B2", id="other")
    elsewhere = replace(LAZY, dataset="libri_m", id="elsewhere")
    another_run = replace(LAZY, run="1", id="run")
    unstated = replace(LAZY, condition=None, id="unstated")
    groups = attack_groups(project(ORIGINAL, IGNORANT, other, LAZY, elsewhere, another_run, unstated))
    assert [(g.safeguard, g.dataset, g.run) for g in groups] == [
        ("B1", "libri_f", ""), ("B2", "libri_f", ""), ("B1", "libri_m", ""), ("B1", "libri_f", "1")
    ]  # fmt: skip
    assert groups[0].attacks == (IGNORANT, LAZY, unstated)
    assert groups[0].power_checks == groups[1].power_checks == (ORIGINAL,)
    assert groups[2].power_checks == ()


def test_the_strongest_attack_has_the_highest_lower_end_whatever_the_attacker_knows() -> None:
    """Not the highest figure: twelve speakers bear out less than forty, by bounds worked out apart."""
    few = attack(3.0, "semi-informed", Condition.PP, seed=5, n=12)
    many = replace(attack(1.5, "ignorant", Condition.PP, seed=1, n=40), dataset=few.dataset)
    low = [
        one_sided(entry.trust.uncertainty.figures["d_ece_bits"], 1.0 - 0.05 / 4.0).low  # type: ignore[union-attr]
        for entry in (few, many)
    ]
    assert low[1] > low[0]
    (group,) = attack_groups(project(few, many))
    assert group.strongest is many
    assert group.bits == many.trust.uncertainty.d_ece_corrected_bits  # type: ignore[union-attr]
    assert group.bits < few.trust.uncertainty.d_ece_corrected_bits  # type: ignore[union-attr]
    assert group.is_corrected


def test_where_intervals_are_not_known_of_all_figures_are_compared_as_they_were_computed() -> None:
    unsure = attack(1.0, "lazy-informed", seed=1, sure=False)
    (group,) = attack_groups(project(IGNORANT, unsure))
    assert (group.bits, group.interval, group.level) == (unsure.assessment.d_ece_bits, None, None)
    assert group.bits_of(IGNORANT) == IGNORANT.assessment.d_ece_bits


def test_the_interval_of_the_strongest_holds_for_all_attackers_at_once() -> None:
    """By hand: three attackers at 95 % are six bounds at 1 − 0.05/6, and the largest of both ends."""
    (group,) = attack_groups(project(IGNORANT, LAZY, SEMI))
    draws = [entry.trust.uncertainty.figures["d_ece_bits"] for entry in group.attacks]  # type: ignore[union-attr]
    each = [one_sided(one, 1.0 - 0.05 / 6.0) for one in draws]
    assert group.interval is not None
    assert group.interval.low < max(one.interval(1.0 - 0.05 / 3.0).low for one in draws)
    assert group.interval.low == pytest.approx(max(one.low for one in each), abs=1e-12)
    assert group.interval.high == pytest.approx(max(one.high for one in each), abs=1e-12)


def test_the_interval_of_a_single_attacker_is_his_own() -> None:
    (group,) = attack_groups(project(LAZY))
    assert group.interval == LAZY.trust.uncertainty.interval("d_ece_bits")  # type: ignore[union-attr]


def test_the_point_is_said_to_be_a_maximum() -> None:
    (group,) = attack_groups(project(IGNORANT, LAZY, SEMI))
    assert "The largest of 3 figures tends to be too high; with a confidence of 95 %" in group.in_words
    (unsure,) = attack_groups(project(IGNORANT, attack(1.0, "lazy-informed", seed=1, sure=False)))
    assert unsure.in_words.endswith("The largest of 2 figures tends to be too high.")


def test_knowledge_ascends_and_words_of_the_users_own_have_no_place_in_it() -> None:
    said = ("ignorant", "lazy-informed", "semi-informed", "fully informed", "a listener", "")
    assert [knows(replace(LAZY, attacker=words)) for words in said] == [0, 1, 2, 3, None, None]


def test_recogniser_and_back_end_are_set_for_many_at_once_and_stand_in_the_name() -> None:
    made = project(ORIGINAL, IGNORANT, LAZY)
    ids = [IGNORANT.id, LAZY.id]
    made = with_attack(made, ids, attacker="fully informed", recogniser="ECAPA", back_end="PLDA")
    assert [entry.full_name for entry in made.entries] == [
        "unprotected OO", "B1 OP, fully informed, ECAPA, PLDA", "B1 PP, fully informed, ECAPA, PLDA"
    ]  # fmt: skip
    assert with_attack(made, ids, recogniser="").entries[1].attack == "fully informed, PLDA"


def test_normalised_scores_are_further_attacks_and_have_the_place_of_those_they_were_made_of() -> None:
    trials = trials_of(np.random.default_rng(0), 20, 1.0)
    found = assess(trials)
    trust = trust_of(trials, found, BootstrapSettings(60), deals=0)
    given = Entry("B1", trials, found, Condition.PP, dataset="libri_f", measured=trust, id="given")
    original = replace(given, name="unprotected", condition=Condition.OO, id="original")
    (group,) = attack_groups(project(original, given))
    assert [one.normalisation for one in group.attacks] == [None, *Normalisation]
    assert {one.as_given for one in group.attacks} == {given}
    values = group.as_json({"original": 0, "given": 1})
    assert (values["assessments"], values["unprotected"], values["strongest"]) == ([1], [0], 1)
    low = {
        one.id: one_sided(one.trust.uncertainty.figures["d_ece_bits"], 0.975).low  # type: ignore[union-attr]
        for one in group.attacks
    }
    assert group.strongest.normalisation is not None
    assert values["normalisation"] == group.strongest.normalisation.value
    assert low[group.strongest.id] == pytest.approx(max(low.values()), abs=0.02)


def test_bounds_of_readings_that_go_together_cost_less_than_bonferroni() -> None:
    """Of figures that are all one, nothing; of four that have nothing in common, as much as Bonferroni."""
    draws = LAZY.trust.uncertainty.figures["d_ece_bits"]  # type: ignore[union-attr]
    rng = np.random.default_rng(5)
    long = replace(draws, draws=rng.normal(0.3, 0.02, 4000), left_out=draws.left_out)
    assert confidence_of_each([long] * 4, 0.95) == pytest.approx(0.95, abs=0.01)
    apart = [replace(long, draws=rng.normal(0.3, 0.02, 4000)) for _ in range(4)]
    assert confidence_of_each(apart, 0.95) == pytest.approx(1.0 - 0.05 / 4.0, abs=0.003)
    alike = [replace(long, draws=long.draws + rng.normal(0.0, 0.008, 4000)) for _ in range(4)]
    assert 0.96 < confidence_of_each(alike, 0.95) < 1.0 - 0.05 / 4.0


def test_it_is_said_of_protected_speech_alone_and_replaces_nothing() -> None:
    project = demo_assessments()
    project = project.replacing(replace(project.entries[1], attacker="ignorant", back_end="cosine"))
    found = AttackWords(attacker="semi-informed", recogniser="ECAPA", back_end="PLDA").said_in(project)
    assert [entry.attacker for entry in found.entries] == ["", "ignorant", "semi-informed", "semi-informed"]
    assert [entry.back_end for entry in found.entries] == ["PLDA", "cosine", "PLDA", "PLDA"]
    assert {entry.recogniser for entry in found.entries} == {"ECAPA"}
    assert lacking(project.items) == {"attacker": 2, "recogniser": 4, "back_end": 3}
    assert lacking(found.items) == dict.fromkeys(ATTACK, 0)


def test_where_nothing_is_said_the_project_is_the_same() -> None:
    project = demo_assessments()
    assert AttackWords().said_in(project) is project
    item = project.entries[0]
    assert AttackWords(attacker="ignorant").said_of(item) is item


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Lazy informed", "lazy-informed"),
        (" fully-informed ", "fully informed"),
        ("SEMI_INFORMED", "semi-informed"),
        ("knows the pitch", "knows the pitch"),
        ("", ""),
    ],
)
def test_words_of_the_evaluations_are_known_however_they_are_typed(typed: str, meant: str) -> None:
    assert AttackWords.typed(attacker=typed).attacker == meant


def test_what_is_too_long_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="The back end is longer than 200 characters"):
        AttackWords.typed(back_end="x" * (LONGEST + 1))
