"""Intervals, the line of no disclosure and the ceiling, together."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.speakers.normalisation import Normalisation, normalised_trials
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.no_disclosure import NULL_FIGURES
from zebra_core.uncertainty.trust import Trust, trust_of
from zebra_core.uncertainty.weighted import FIGURES

SETTINGS = BootstrapSettings(replicates=40, seed=7, level=0.9)


def sample() -> Trials:
    return trials_of(np.random.default_rng(0), 20, 0.7)


def stopped_at(share: float) -> Trust:
    return trust_of(sample(), assess(sample()), SETTINGS, normalise=False, on_progress=stop_after(share))


def test_json_has_the_intervals_the_null_and_the_seed() -> None:
    found = trust_of(sample(), assess(sample()), SETTINGS, normalise=False)
    values = found.as_json()
    assert list(values) == [
        "intervals", "level", "corrected", "d_ece_corrected_bits", "null", "null_p", "null_replicates",
        "null_tag_share", "seed", "replicates",
    ]  # fmt: skip
    assert (values["level"], values["seed"], values["replicates"]) == (0.9, 7, 40)
    interval = found.uncertainty.intervals["eer"]
    assert values["intervals"]["eer"] == [interval.low, interval.high]
    low, high = values["intervals"]["d_ece_bits"]
    assert low < values["d_ece_corrected_bits"] == values["corrected"]["d_ece_bits"] < high
    assert list(values["intervals"]) == list(found.uncertainty.figures) != list(FIGURES)
    assert list(values["null"]) == list(NULL_FIGURES)
    assert values["null"]["d_ece_bits"] == [
        found.null.median("d_ece_bits"), found.null.one_in_twenty("d_ece_bits")
    ]  # fmt: skip
    assert found.null.replicates == 40


def test_normalised_scores_are_measured_with_the_same_draws_of_speakers() -> None:
    """By their own bootstrap, worked out apart."""
    trials = in_order(sample())
    found = trust_of(trials, assess(trials), SETTINGS, deals=0)
    assert list(found.normalised) == list(Normalisation)
    for by, one in found.normalised.items():
        other = normalised_trials(trials, by)
        alone = bootstrap(other, assess(other), SETTINGS)
        assert one.uncertainty.intervals == alone.intervals
        values = found.as_json()["normalised"][by.value]
        assert values["figures"]["d_ece_bits"] == assess(other).d_ece_bits


def test_of_single_trials_it_says_why_scores_were_not_normalised() -> None:
    trials = Trials(sample().score, sample().is_target)
    found = trust_of(trials, assess(trials), SETTINGS, deals=0)
    assert found.tried_normalised
    assert found.as_json()["not_normalised"] == "not-normalised-unknown"


def test_lines_say_over_how_many_speakers_with_which_seed() -> None:
    lines = trust_of(sample(), assess(sample()), SETTINGS).lines().splitlines()
    assert lines[0] == "90 % intervals over 20 speakers, 40 replicates, seed 7:"
    assert lines[1].startswith("  Population disclosure D_ECE")
    assert "(" in lines[1] or "±" in lines[1]
    shown = f"{assess(sample()).d_ece_bits:.2f} bit"
    assert lines[-1] == f"None of 40 sets without any disclosure showed {shown} or more."


def test_single_trials_are_called_so() -> None:
    trials = Trials(sample().score, sample().is_target)
    assert "over 1\u202f200 single trials" in trust_of(trials, assess(trials), SETTINGS).lines()


def test_progress_goes_from_0_to_1() -> None:
    seen: list[float] = []
    trust_of(sample(), assess(sample()), SETTINGS, on_progress=seen.append)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    assert seen == sorted(seen)


def test_stopped_among_the_intervals_it_has_those_and_says_so() -> None:
    found = stopped_at(0.53)
    assert 20 <= found.uncertainty.replicates < 40
    assert found.null is None
    assert found.as_json()["null"] is None
    assert str(found.remarks[-1]) == (
        f"The intervals rest on {found.uncertainty.replicates} of 40 replicates, because drawing was stopped."
    )


def test_stopped_later_it_has_the_intervals_and_what_there_is_of_the_null() -> None:
    assert stopped_at(0.65).null is None
    null = stopped_at(0.9).null
    assert null is not None
    assert 20 <= null.replicates < 40


def test_stopped_at_once_there_is_nothing() -> None:
    with pytest.raises(Cancelled):
        stopped_at(0.1)


def test_a_tag_that_no_disclosure_shows_as_often_may_be_chance() -> None:
    nothing = trials_of(np.random.default_rng(0), 20, 0.0)
    found = trust_of(nothing, assess(nothing), SETTINGS)
    assert found.null is not None
    share = found.null.p_value("worst_case_log10_lr")
    assert share > 0.05
    assert found.tag_may_be_chance
    assert (found.figures.tag, found.null_tag_share) == ("A", 1.0)
    assert found.tag_by_chance == "All 40 sets without any disclosure reached tag A or a worse one."
    some = replace(found, figures=replace(found.figures, tag="B"))
    assert some.null_tag_share == found.null.tag_shares(PAPER_SCALE)["B"] == 0.125
    assert some.tag_by_chance == "5 of 40 sets without any disclosure reached tag B or a worse one."
    assert found.on_the_tag == (
        f"A set without any disclosure would show as much in {100 * share:.0f} % of cases."
    )
    telling = trials_of(np.random.default_rng(0), 20, 5.0)
    much = trust_of(telling, assess(telling), SETTINGS)
    assert not much.tag_may_be_chance
    assert much.on_the_tag == ""
    assert much.null_tag_share == 0.0
    assert much.tag_by_chance == "None of 40 sets without any disclosure reached tag C or a worse one."


def test_nobody_knows_what_chance_would_give_where_trials_have_no_speakers_or_it_was_not_asked() -> None:
    trials = Trials(sample().score, sample().is_target)
    of_trials = trust_of(trials, assess(trials), SETTINGS)
    not_asked = trust_of(sample(), assess(sample()), SETTINGS, deals=0)
    assert (of_trials.null_tag_share, of_trials.tag_by_chance) == (None, "")
    assert (not_asked.null_tag_share, not_asked.tag_by_chance) == (None, "")


def test_scores_that_are_all_equal_get_tag_0_whatever_is_dealt_out() -> None:
    equal = Trials(np.zeros(len(sample())), sample().is_target, sample().enrol, sample().test)
    found = trust_of(equal, assess(equal), SETTINGS)
    assert found.uncertainty.tag_shares(PAPER_SCALE, are_equal=True) == {"0": 1.0}
    assert found.null_tag_share == 1.0
    assert found.tag_by_chance == "All 40 sets without any disclosure reached tag 0 or a worse one."
