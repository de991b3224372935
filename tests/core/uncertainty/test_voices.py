"""Intervals of diagonal dominance, DeID and G_VD."""

import numpy as np
import pytest

from core.errors import InputError
from core.segments import SpokenSegments
from core.similarity import signed_dominance
from core.uncertainty.bootstrap import BootstrapSettings
from core.uncertainty.voices import _dominance, voices_bootstrap
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
    given, spoken = voices(), segments(8, 3)
    trials = {
        setting: SpokenSegments.of(
            scores(random_rows(spoken, seed, ordered=setting == "op", gap=gap)), spoken
        ).trials(given.speakers, mutual=setting != "op")
        for setting, seed, gap in (("oo", 0, 3.0), ("op", 1, 0.7), ("pp", 2, 2.0))
    }
    found = voices_bootstrap(given, BootstrapSettings(replicates=30), trials=trials)
    for name in ("d_ece_op_oo", "min_cllr_op_oo", "g_d_ece_db", "g_cllr_db"):
        assert found.figures[name].estimate == pytest.approx(getattr(given, name), rel=1e-12), name
        interval = found.intervals[name]
        assert interval.low < interval.high
    assert found.figures["de_id"].draws.tolist() == (
        voices_bootstrap(given, BootstrapSettings(replicates=30)).figures["de_id"].draws.tolist()
    )
