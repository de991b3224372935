"""What is not meant is refused: draws of another figure or of no pairs, seeds that are none."""

import numpy as np
import pytest

from zebra_core import BootstrapSettings, InputError, Trials, assess, bootstrap, bootstrap_paired, ranking


def crossed(strength, seed=0):
    """Twelve speakers, each against each."""
    enrol, test = np.divmod(np.arange(144), 12)
    score = np.random.default_rng(seed).normal(size=144) + strength * (enrol == test)
    sides = [[f"p{one}-{side}" for one in of] for side, of in (("a", enrol), ("b", test))]
    return Trials.from_arrays(score=score, is_target=enrol == test, enrol=sides[0], test=sides[1])


@pytest.fixture(scope="module")
def pair():
    both = [crossed(2.0), crossed(0.5, seed=1)]
    return [(trials, assess(trials)) for trials in both]


@pytest.fixture(scope="module")
def drawn(pair):
    return bootstrap_paired(pair, BootstrapSettings(50))


def refusal(call, *given, **named):
    with pytest.raises(InputError) as caught:
        call(*given, **named)
    return str(caught.value)


def test_draws_of_another_figure_are_not_ranked(drawn):
    given = [each.figures["d_ece_bits"] for each in drawn]
    assert refusal(ranking, "eer", given).startswith("These are draws of d_ece_bits, not of eer.")


def test_a_typo_is_not_ranked_and_has_no_interval(drawn):
    given = [each.figures["d_ece_bits"] for each in drawn]
    assert refusal(ranking, "d_ece", given).startswith("No figure is called “d_ece”. There are: d_ece_bits")
    assert refusal(drawn[0].interval, "D_ECE").startswith("No figure is called “D_ECE”.")
    assert drawn[0].interval("linkability") is None  # a figure, but not of twelve targets


def test_draws_that_are_no_pairs_are_not_ranked(pair):
    apart = [bootstrap(*each, BootstrapSettings(50)).figures["eer"] for each in pair]
    assert refusal(ranking, "eer", apart).startswith("These draws do not belong together")


def test_an_assessment_of_other_trials_is_refused(pair):
    other = assess(Trials.from_scores([1.0, 2.0], [0.0]))
    said = refusal(bootstrap, pair[0][0], other)
    assert said.startswith("The assessment is of 2 target and 1 nontarget trials, but these are 12 and 132.")


@pytest.mark.parametrize(
    ("name", "value"), [("seed", None), ("seed", -1), ("seed", "1"), ("seed", True), ("replicates", 1e3)]
)
def test_seeds_and_replicates_are_whole_numbers(name, value):
    assert refusal(BootstrapSettings, **{name: value}).startswith(f"The {name} given is “{value}”.")


def test_a_whole_number_of_numpy_is_one():
    assert BootstrapSettings(np.int64(50), seed=np.int32(3)) == BootstrapSettings(50, seed=3)


@pytest.mark.parametrize("speakers", ["utt2spk", {}, {"somebody": "else"}, ["p1"], 3])
def test_speakers_that_say_nothing_are_refused(pair, speakers):
    said = refusal(bootstrap, *pair[0], speakers=speakers)
    assert said.startswith("This does not say who speaks in any of these trials.")
