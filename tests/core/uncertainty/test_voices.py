"""Intervals of diagonal dominance, DeID and G_VD."""

import pytest

from tests.core.similarity_cases import voices_with_trials
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.voices import VOICE_FIGURES, figure_of, voices_bootstrap


def case(n_speakers: int = 8) -> tuple[VoiceSimilarity, dict[str, SpeakerTrials]]:
    return voices_with_trials(n_speakers, oo=3.0, op=0.7, pp=2.0)


def voices(n_speakers: int = 8) -> VoiceSimilarity:
    return case(n_speakers)[0]


def bootstrapped(
    n_speakers: int = 8, replicates: int = 50, on_progress: Progress = no_progress
) -> Uncertainty:
    return voices_bootstrap(*case(n_speakers), BootstrapSettings(replicates), on_progress=on_progress)


def test_plain_figures_are_those_of_the_matrices() -> None:
    given = voices()
    found = bootstrapped()
    assert found.figures["de_id"].estimate == pytest.approx(given.de_id, rel=1e-12)
    assert found.figures["g_vd_db"].estimate == pytest.approx(given.g_vd_db, rel=1e-12)
    for setting in ("oo", "op", "pp"):
        assert found.figures[f"d_diag_{setting}"].estimate == pytest.approx(given.d_diag(setting), rel=1e-12)


def test_intervals_hold_the_figures_and_shrink_with_more_speakers() -> None:
    few, many = (bootstrapped(n, replicates=300).intervals["de_id"] for n in (6, 24))
    assert few.high - few.low > many.high - many.low
    assert voices(24).de_id in many


def test_missing_settings_have_no_figures() -> None:
    only, trials = voices_with_trials(5, oo=2.0)
    found = voices_bootstrap(only, trials, BootstrapSettings(replicates=20))
    assert set(found.figures) == {"d_diag_oo", "d_ece_bits_oo", "min_cllr_bits_oo"}


def test_two_speakers_are_too_few() -> None:
    with pytest.raises(InputError, match="There are only 2 speakers"):
        bootstrapped(2)


def test_the_gains_are_drawn_too() -> None:
    given, found = voices(), bootstrapped(replicates=30)
    for name in ("d_ece_op_oo", "min_cllr_op_oo", "g_d_ece_db", "g_cllr_db"):
        assert found.figures[name].estimate == pytest.approx(getattr(given, name), rel=1e-12), name
        interval = found.intervals[name]
        assert interval.low < interval.high


def test_every_figure_is_named_and_is_that_of_the_matrices() -> None:
    given, found = voices(), bootstrapped(replicates=20)
    assert set(found.figures) == set(VOICE_FIGURES)
    for name, draws in found.figures.items():
        assert draws.estimate == pytest.approx(figure_of(given, name), rel=1e-9), name
    assert found.figures["min_cllr_bits_op"].estimate == given.op.min_cllr_bits


def middle(interval: Interval) -> float:
    return (interval.low + interval.high) / 2.0


def test_what_rests_on_the_pav_is_freed_of_its_optimism() -> None:
    """The draws lie above the plain figure, its interval below it; the other way round for what is left."""
    found = bootstrapped(16, replicates=200)
    for name in ("d_ece_bits_op", "d_diag_op"):
        draws = found.figures[name]
        assert draws.draws.mean() > draws.estimate > middle(found.intervals[name]), name
    for name in ("d_ece_op_oo", "de_id"):
        draws = found.figures[name]
        assert draws.draws.mean() < draws.estimate < middle(found.intervals[name]), name


def test_stopped_it_keeps_the_draws_that_there_are() -> None:
    whole = bootstrapped(replicates=100)
    found = bootstrapped(replicates=100, on_progress=stop_after(0.5))
    assert 20 <= found.replicates < 100
    assert not found.is_complete
    for name, draws in found.figures.items():
        assert draws.draws.tolist() == whole.figures[name].draws[: found.replicates].tolist()
    with pytest.raises(Cancelled):
        bootstrapped(replicates=20, on_progress=stop_after(0.5))


def test_more_speakers_than_are_left_out_one_by_one_are_left_out_in_groups() -> None:
    found = voices_bootstrap(*voices_with_trials(201, oo=2.0), BootstrapSettings(replicates=20))
    assert len(found.figures["d_diag_oo"].left_out) == 200
