"""How sure the figures of matrices are, in words and as plain values."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.similarity_cases import voices_with_trials
from tests.core.stopping import stop_after
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.similarity import Mean, VoiceSimilarity
from zebra_core.project.items import SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.no_disclosure import Exchange, NoDisclosure
from zebra_core.uncertainty.trust import VoicesTrust, voices_trust_of

FEW = BootstrapSettings(replicates=40, seed=3, level=0.9)


def case(n_speakers: int = 6) -> tuple[VoiceSimilarity, dict[str, SpeakerTrials]]:
    return voices_with_trials(n_speakers, oo=3.0, op=0.0)


def found(n_speakers: int = 6) -> VoicesTrust:
    return voices_trust_of(*case(n_speakers), FEW)


def test_plain_values_have_intervals_chance_level_seed_and_replicates() -> None:
    told = found().as_json()
    assert list(told) == [
        "intervals", "level", "null", "null_p", "null_replicates", "seed", "replicates"
    ]  # fmt: skip
    assert (told["level"], told["seed"], told["replicates"]) == (0.9, 3, 40)
    assert told["null_replicates"] == {"oo": 40, "op": 40}
    assert told["null_p"]["d_diag_oo"] == pytest.approx(1 / 41)  # type: ignore[index]
    assert told["null_p"]["d_diag_op"] > 0.05  # type: ignore[index, operator]
    low, high = told["intervals"]["de_id"]  # type: ignore[index]
    assert low < high <= 1.0
    assert "g_vd_db" not in told["intervals"]  # type: ignore[operator]


def test_the_same_seed_gives_the_same_and_another_does_not() -> None:
    voices, trials = case()
    other = voices_trust_of(voices, trials, replace(FEW, seed=4)).as_json()
    assert found().as_json() == found().as_json() != {**other, "seed": 3}


def test_sentences_say_what_chance_shows_of_each_setting() -> None:
    alike, nothing = found().sentences
    none = "In none of 40 sets without any disclosure was D_diag OO as high as the"
    assert re.fullmatch(rf"{none} [0-9.]+ computed here\.", alike)
    assert re.fullmatch(
        r"In [0-9.]+ % of sets without any disclosure D_diag OP would be as high as .*", nothing
    )


def test_where_no_set_showed_as_much_one_sentence_says_so_with_the_digits_of_the_intervals() -> None:
    told = found()
    assert told.null is not None
    observed, draws = told.null.observed["d_diag_oo"], told.null.draws["d_diag_oo"]
    null = replace(
        told.null,
        observed={"d_diag_oo": observed, "d_diag_op": observed},
        draws={"d_diag_oo": draws, "d_diag_op": draws},
    )
    both = replace(told, null=null)
    value, other = told.plain("d_diag_oo", observed), told.plain("d_diag_op", observed)
    (sentence,) = both.sentences
    assert sentence == (
        "In none of 40 sets without any disclosure was D_diag as high as computed here: "
        f"OO {value}; OP {other}."
    )


def test_the_table_for_the_shell_has_intervals_with_digits_that_fit() -> None:
    lines = found().lines().splitlines()
    assert lines[0] == "90 % intervals over 6 speakers, 40 replicates, seed 3."
    assert lines[1].split()[:2] == ["D_diag", "OO"]
    assert any("±" in line or "…" in line for line in lines[1:])
    assert lines[-2].startswith("In none of 40 sets")


def test_few_speakers_are_told() -> None:
    [remark] = found().remarks
    assert str(remark) == "Intervals rest on only 6 speakers: with fewer than twenty they are rough."


def test_stopped_it_keeps_the_intervals_and_tells() -> None:
    early, late = (voices_trust_of(*case(), FEW, on_progress=stop_after(share)) for share in (0.2, 0.6))
    assert early.null is None
    assert early.as_json()["null"] == {}
    assert "because drawing was stopped" in str(early.remarks[-1])
    assert late.uncertainty.is_complete
    assert late.null is not None
    assert set(late.null.draws) == {"d_diag_oo"}


def test_as_many_deals_as_were_made_are_made_again() -> None:
    voices, trials = case()
    again = voices_trust_of(voices, trials, FEW, deals={"op": 25})
    before = found().null
    assert again.null is not None
    assert before is not None
    assert again.as_json()["null_replicates"] == {"op": 25}
    assert again.null.draws["d_diag_op"].tolist() == before.draws["d_diag_op"][:25].tolist()


def test_it_holds_for_the_same_cells_only() -> None:
    trust = found()
    assert trust.is_of(replace(trust.figures, sex={"s0": "f"}))
    assert trust.is_of(case()[0])  # computed anew from the same
    other = replace(trust.figures, mean=next(mean for mean in Mean if mean is not trust.figures.mean))
    assert not trust.is_of(other)
    entry = SimilarityEntry("B1", other, measured=trust)
    assert entry.trust is None
    project = Project(items=(entry,))
    assert project.with_trust({entry.id: trust}) is project
    same = Project(items=(replace(entry, similarity=trust.figures, measured=None),))
    [measured] = same.with_trust({entry.id: trust}).similarities
    assert measured.trust is trust
    assert measured.remarks[-1] in trust.remarks


def test_sets_without_a_diagonal_count_as_none() -> None:
    draws = {"d_diag_op": np.array([0.1, np.nan, 0.6, 0.2])}
    null = NoDisclosure({"d_diag_op": 0.5}, draws, Exchange.SPEAKERS, 0)
    assert null.replicates == 4
    assert null.p_value("d_diag_op") == (1 + 1) / (1 + 3)
    assert null.median("d_diag_op") == 0.2
