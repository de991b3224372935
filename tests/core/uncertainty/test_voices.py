"""Intervals of diagonal dominance, DeID and G_VD."""

import numpy as np
import pytest

from core.errors import Cancelled, InputError
from core.segments import SpokenSegments
from core.similarity import signed_dominance
from core.speakers.trials import SpeakerTrials
from core.uncertainty.bootstrap import BootstrapSettings
from core.uncertainty.intervals import Interval, Method
from core.uncertainty.voices import VOICE_FIGURES, _dominance, figure_of, voices_bootstrap
from core.voices import VoiceSimilarity, voice_similarity
from tests.core.similarity_cases import random_rows, scores, segments


def voices(n_speakers: int = 8) -> VoiceSimilarity:
    spoken = segments(n_speakers, 3)
    return voice_similarity(
        oo=scores(random_rows(spoken, 0, ordered=False, gap=3.0)),
        op=scores(random_rows(spoken, 1, ordered=True, gap=0.7)),
        pp=scores(random_rows(spoken, 2, ordered=False, gap=2.0)),
        speakers=spoken,
    )


def test_plain_figures_are_those_of_the_matrices() -> None:
    given = voices()
    found = voices_bootstrap(given, BootstrapSettings(replicates=50))
    assert found.figures["de_id"].estimate == pytest.approx(given.de_id, rel=1e-12)
    assert found.figures["g_vd_db"].estimate == pytest.approx(given.g_vd_db, rel=1e-12)
    for setting in ("oo", "op", "pp"):
        assert found.figures[f"d_diag_{setting}"].estimate == pytest.approx(given.d_diag(setting), rel=1e-12)


def test_weights_are_repeated_speakers() -> None:
    """Twice a speaker is two rows and columns; the two copies are not compared with each other."""
    rng = np.random.default_rng(0)
    cells = rng.random((4, 4))
    cells[1, 2] = np.nan
    often = np.array([2, 0, 1, 3])
    chosen = np.repeat(np.arange(4), often)
    table = cells[np.ix_(chosen, chosen)]
    table[(chosen[:, np.newaxis] == chosen) & ~np.eye(len(chosen), dtype=bool)] = np.nan
    found = _dominance(cells, often[np.newaxis].astype(np.float64))
    assert found == pytest.approx([signed_dominance(table)])


def test_intervals_hold_the_figures_and_shrink_with_more_speakers() -> None:
    few, many = (
        voices_bootstrap(voices(n), BootstrapSettings(replicates=300)).intervals["de_id"] for n in (6, 24)
    )
    assert few.high - few.low > many.high - many.low
    assert voices(24).de_id in many


def test_missing_settings_have_no_figures() -> None:
    spoken = segments(5, 2)
    only = voice_similarity(oo=scores(random_rows(spoken, 0, ordered=False)), speakers=spoken)
    assert set(voices_bootstrap(only, BootstrapSettings(replicates=20)).figures) == {"d_diag_oo"}


def test_two_speakers_are_too_few() -> None:
    with pytest.raises(InputError, match="Only 2 speakers"):
        voices_bootstrap(voices(2))


def test_with_trials_the_gains_are_drawn_too() -> None:
    given = voices()
    trials = spoken_trials(given.speakers, segments(8, 3))
    found = voices_bootstrap(given, BootstrapSettings(replicates=30), trials=trials)
    for name in ("d_ece_op_oo", "min_cllr_op_oo", "g_d_ece_db", "g_cllr_db"):
        assert found.figures[name].estimate == pytest.approx(getattr(given, name), rel=1e-12), name
        interval = found.intervals[name]
        assert interval.low < interval.high
    assert found.figures["de_id"].draws.tolist() == (
        voices_bootstrap(given, BootstrapSettings(replicates=30)).figures["de_id"].draws.tolist()
    )


def spoken_trials(names: tuple[str, ...], spoken: dict[str, str]) -> dict[str, SpeakerTrials]:
    return {
        setting: SpokenSegments.of(
            scores(random_rows(spoken, seed, ordered=setting == "op", gap=gap)), spoken
        ).trials(names, mutual=setting != "op")
        for setting, seed, gap in (("oo", 0, 3.0), ("op", 1, 0.7), ("pp", 2, 2.0))
    }


def test_every_figure_is_named_and_is_that_of_the_matrices() -> None:
    given = voices()
    found = voices_bootstrap(
        given, BootstrapSettings(replicates=20), trials=spoken_trials(given.speakers, segments(8, 3))
    )
    assert set(found.figures) == set(VOICE_FIGURES)
    for name, draws in found.figures.items():
        assert draws.estimate == pytest.approx(figure_of(given, name), rel=1e-9), name
    assert found.figures["min_cllr_bits_op"].estimate == given.op.min_cllr_bits


def middle(interval: Interval) -> float:
    return (interval.low + interval.high) / 2.0


def test_what_rests_on_the_pav_is_freed_of_its_optimism() -> None:
    """The draws of D_ECE lie above the plain figure, its interval below it; so it is for what follows."""
    given = voices(16)
    found = voices_bootstrap(
        given, BootstrapSettings(replicates=200), trials=spoken_trials(given.speakers, segments(16, 3))
    )
    d_ece, de_id = found.figures["d_ece_bits_op"], found.figures["de_id"]
    assert d_ece.draws.mean() > d_ece.estimate > middle(found.intervals["d_ece_bits_op"])
    relative = found.figures["d_ece_op_oo"]
    assert relative.draws.mean() < relative.estimate < middle(found.intervals["d_ece_op_oo"])
    assert de_id.interval(0.9) == de_id.interval(0.9, Method.PERCENTILE)


def test_stopped_it_keeps_the_draws_that_there_are() -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise Cancelled

    given = voices()
    whole = voices_bootstrap(given, BootstrapSettings(replicates=100))
    found = voices_bootstrap(given, BootstrapSettings(replicates=100), on_progress=stop)
    assert 20 <= found.replicates < 100
    assert not found.is_complete
    for name, draws in found.figures.items():
        assert draws.draws.tolist() == whole.figures[name].draws[: found.replicates].tolist()
    with pytest.raises(Cancelled):
        voices_bootstrap(given, BootstrapSettings(replicates=20), on_progress=stop)


def test_more_speakers_than_are_left_out_one_by_one_are_left_out_in_groups() -> None:
    found = voices_bootstrap(voices(201), BootstrapSettings(replicates=20))
    assert len(found.figures["de_id"].left_out) == 200
