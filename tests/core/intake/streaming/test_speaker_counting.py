"""Counts for each pair of speakers, from an engine: what draws and exchanges make of them, as of trials."""

from pathlib import Path

import numpy as np
import pytest

import zebra_core
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.intake.streaming import speaker_counting
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import assess_files, weighable_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.difference import bootstrap_paired, ranking
from zebra_core.uncertainty.no_disclosure import Exchange
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.trust import trust_of
from zebra_core.uncertainty.weighted import FIGURES, WeightedCounts, WeightedTrials

STREAMED = {"streaming": "yes"}
PRIORS = Settings().prior_log_odds
PEOPLE = [f"s{number}" for number in range(20)]


def written(folder: Path, seed: int, decimals: int = 1, more: tuple[str, ...] = ()) -> tuple[Path, Path]:
    """Each of 20 speakers against 2 segments of each, in an order of the seed; a repeat, a score too many."""
    rng = np.random.default_rng(seed)
    pairs = [(a, f"{b}-{k}", a == b) for a in PEOPLE for b in PEOPLE for k in range(2)]
    lines = [f"{a} {b} {rng.normal() + 2 * same:.{decimals}f}" for a, b, same in pairs]
    key = [f"{a} {b} {'target' if same else 'nontarget'}" for a, b, same in pairs]
    rng.shuffle(lines)
    scores = folder / f"scores-{seed}"
    scores.write_text("\n".join([*lines, lines[3], "x y 0.5", *more]) + "\n")
    (folder / "key").write_text(
        "\n".join([*key, *(" ".join(one.split()[:2]) + " nontarget" for one in more)])
    )
    return scores, folder / "key"


def both(files: tuple[Path, Path], **how) -> tuple[Entry, Trials, SpeakerCounts]:
    entry = assess_files(*files, choices=STREAMED, **how)
    held, counted = assess_files(*files, **how).trials, weighable_of(entry)
    assert held is not None
    assert isinstance(counted, SpeakerCounts)
    return entry, held, counted


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Entry, Trials, SpeakerCounts]:
    return both(written(tmp_path_factory.mktemp("counted"), 1, more=("s0 z-1 0.5", "s1 z-2 -0.5")))


def under(times: dict[str, int], held: Trials, counted: SpeakerCounts) -> tuple[tuple[np.ndarray, ...], ...]:
    """The figures where people are there so often, of trials and of their counts."""
    clusters, of_counts = Clusters.of_trials(held), Clusters.of_counts(counted)
    assert (clusters.n, clusters.n_unknown) == (of_counts.n, of_counts.n_unknown)
    weight, weight_of_counts = clusters.all_once, of_counts.all_once
    for trial in range(
        len(held)
    ):  # speakers by the names of their enrolments, unknown ones by their segments
        known = held.enrol[trial] if held.is_target[trial] else held.test[trial]
        if held.is_target[trial] or known.startswith("z"):
            place = clusters.enrol[trial] if held.is_target[trial] else clusters.test[trial]
            weight[place] = times.get(known, 1)
    for number, name in enumerate(counted.speakers):
        weight_of_counts[number] = times.get(name, 1)
    first = WeightedTrials.of(held, clusters).figures(weight[np.newaxis], PRIORS)
    second = WeightedCounts(counted, of_counts).figures(weight_of_counts[np.newaxis], PRIORS)
    return [of[0] for of in first], [of[0] for of in second]


def test_counts_of_pairs_are_those_of_the_trials(made) -> None:
    entry, held, counted = made
    plain, expected = counted.counted.counts, ScoreCounts.of_trials(held)
    assert counted.width == 0.0
    for of_one, of_other in zip(vars(plain).values(), vars(expected).values(), strict=False):
        assert np.array_equal(of_one, of_other)
    assert int(counted.n_trials.sum()) == len(held) == entry.n_trials
    assert (len(counted.speakers), counted.n_unknown) == (22, 2)


@pytest.mark.parametrize("seed", range(3))
def test_figures_of_a_draw_are_those_of_the_trials_drawn(made, seed) -> None:
    _, held, counted = made
    times = dict(zip([*PEOPLE, "z-1"], np.random.default_rng(seed).integers(0, 4, 21).tolist(), strict=True))
    first, second = under(times, held, counted)
    assert first[0] == pytest.approx(second[0], rel=1e-12, nan_ok=True)
    assert first[1] == pytest.approx(second[1], rel=1e-12)
    missing = [name for name, value in zip(FIGURES, first[0], strict=True) if np.isnan(value)]
    assert missing == ["hits_at_0_0001"]  # of fewer than 10 000 nontarget trials


def test_intervals_and_no_disclosure_are_those_of_trials_within_their_noise(made) -> None:
    entry, held, counted = made
    settings = BootstrapSettings(200)
    first, second = (trust_of(one, entry.assessment, settings) for one in (held, counted))
    assert first.remarks == second.remarks
    for name in ("d_ece_bits", "eer", "cllr_bits", "linkability"):
        ends = [trust.uncertainty.interval(name) for trust in (first, second)]
        assert first.uncertainty.figures[name].estimate == pytest.approx(
            second.uncertainty.figures[name].estimate
        )
        width = ends[0].high - ends[0].low
        assert [ends[1].low, ends[1].high] == pytest.approx([ends[0].low, ends[0].high], abs=0.2 * width), (
            name
        )
        nothing = [trust.null.draws.get(name, np.zeros(1)) for trust in (first, second)]
        assert np.median(nothing[0]) == pytest.approx(np.median(nothing[1]), rel=0.1)
    assert second.null.exchange is first.null.exchange is Exchange.SPEAKERS
    assert second.uncertainty.n_clusters == 20


def test_an_exchange_gives_the_labels_of_whole_pairs(made) -> None:
    _, held, counted = made
    code = {name: number for number, name in enumerate(counted.speakers)}
    enrolled = np.array([code[held.enrol[trial]] for trial in range(len(held))])
    tests = [held.test[trial] for trial in range(len(held))]
    heard = np.array([code[name if name.startswith("z") else name.split("-")[0]] for name in tests])
    taken_for = (np.arange(len(code)) + 1) % len(code)
    found = counted.labelled(taken_for[counted.enrolled] == counted.heard)
    expected = ScoreCounts.of(held.score, taken_for[enrolled] == heard)
    assert np.array_equal(found.score, expected.score)
    assert np.array_equal(found.n_target, expected.n_target)


def test_order_of_lines_and_names_of_people_change_no_draw(tmp_path) -> None:
    files = written(tmp_path, 2)
    _, _, first = both(files)
    for path in files:
        text = path.read_text()
        for number in reversed(range(20)):
            text = text.replace(f"s{number} ", f"q{97 * number % 89} ").replace(
                f"s{number}-", f"q{97 * number % 89}-"
            )
        path.write_text("\n".join(sorted(text.splitlines())) + "\n")
    entry, _, second = both(files)
    draws = [trust_of(one, entry.assessment, BootstrapSettings(20), deals=20) for one in (first, second)]
    one, other = (trust.uncertainty.figures["d_ece_bits"].draws for trust in draws)
    assert one.tolist() == other.tolist()
    assert draws[0].null.draws["d_ece_bits"].tolist() == draws[1].null.draws["d_ece_bits"].tolist()


def test_bins_are_told_with_what_they_do_to_every_draw(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(speaker_counting, "BINS", 64)
    entry, held, counted = both(written(tmp_path, 3, decimals=4))
    assert 0 < counted.width <= 0.25
    assert len(counted.score) <= 64
    trust = trust_of(counted, entry.assessment, BootstrapSettings(20), deals=0)
    draws = trust.uncertainty.figures["d_ece_bits"]
    assert draws.estimate == entry.assessment.d_ece_bits
    [told] = [one for one in trust.remarks if one.code == "uncertainty-rounded"]
    most = float(told.facts["moved"])
    times = dict(zip(PEOPLE, np.random.default_rng(0).integers(0, 3, 20).tolist(), strict=True))
    first, second = under(times, held, counted)
    assert 0 < abs(first[0][0] - second[0][0]) <= most < 0.2


def test_infinite_scores_and_scores_turned_round_are_as_in_memory(tmp_path) -> None:
    files = written(tmp_path, 4)
    lines = files[0].read_text().splitlines()
    lines[5] = f"{lines[5].rsplit(' ', 1)[0]} inf"
    lines[6] = f"{lines[6].rsplit(' ', 1)[0]} nan"
    files[0].write_text("\n".join(lines[:-2]) + "\n")
    allow = ("infinite-scores", "nan-scores", "lower-is-more-alike")
    _, held, counted = both(files, allow=allow)
    expected = ScoreCounts.of_trials(held)
    assert np.array_equal(counted.counted.counts.score, expected.score)
    assert np.array_equal(counted.counted.counts.n_target, expected.n_target)


def test_safeguards_are_compared_in_pairs_of_draws(tmp_path) -> None:
    entries = [assess_files(*written(tmp_path, seed), choices=STREAMED) for seed in (5, 6)]
    counted = [weighable_of(entry) for entry in entries]
    assessed = [(one, entry.assessment) for one, entry in zip(counted, entries, strict=True)]
    found = bootstrap_paired(assessed, BootstrapSettings(50))
    ranked = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in found])
    assert ranked.values == tuple(entry.assessment.d_ece_bits for entry in entries)
    with pytest.raises(InputError, match="others are held in memory"):
        bootstrap_paired([assessed[0], (assess_files(*written(tmp_path, 6)).trials, entries[1].assessment)])
    others = written(tmp_path, 7, more=("s0 z-1 0.5",))
    other = weighable_of(assess_files(*others, choices=STREAMED))
    with pytest.raises(InputError, match="not the same trials"):
        bootstrap_paired([assessed[0], (other, entries[1].assessment)])


def test_where_memory_is_short_bins_are_wider_and_then_it_is_said(tmp_path, monkeypatch) -> None:
    entry = assess_files(*written(tmp_path, 8, decimals=4), choices=STREAMED)
    monkeypatch.setattr(speaker_counting, "BINS", 256)
    monkeypatch.setattr(speaker_counting, "_FEWEST_BINS", 4)
    monkeypatch.setattr(speaker_counting.memory, "free_bytes", lambda: 12 * 4 * 1200)
    counted = weighable_of(entry)
    assert len(counted.times) <= 1200
    monkeypatch.setattr(speaker_counting.memory, "free_bytes", lambda: 1000)
    with pytest.raises(InputError, match="counts of all pairs of speakers would take"):
        weighable_of(entry)


def test_trials_without_ids_have_no_speakers(tmp_path) -> None:
    (tmp_path / "both").write_text("1.0 target\n0.0 nontarget\n2.0 target\n")
    entry = assess_files(tmp_path / "both", choices=STREAMED)
    assert assess(zebra_core.read_trials(tmp_path / "both")).d_ece_bits == entry.assessment.d_ece_bits
    with pytest.raises(InputError, match="known only as counts"):
        weighable_of(entry)
