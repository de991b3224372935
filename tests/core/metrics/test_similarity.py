"""One voice similarity matrix: cells, dominance, orders."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.core import similarity_cases as cases
from tests.core.similarity_cases import Rows, mirrored, random_rows, scores, segments
from zebra_core.errors import InputError
from zebra_core.evidence.segments import SegmentScores, SpokenSegments
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.metrics.similarity import (
    Mean,
    SimilarityMatrix,
    VoiceSimilarity,
    gain_db,
    loss,
    signed_dominance,
    similarity_matrix,
    voice_similarity,
)
from zebra_core.project.reading.reading import read_similarity


def matrix_of(rows: Rows, spoken: dict[str, str], *, mutual: bool = True) -> SimilarityMatrix:
    segments_of = SpokenSegments.of(scores(rows), spoken)
    return similarity_matrix(segments_of.trials(tuple(sorted(set(spoken.values()))), mutual=mutual))


TWO = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
SEPARATED: Rows = [
    ("a1", "a2", 9.0), ("b1", "b2", 8.0), ("a1", "b1", 1.0),
    ("a2", "b1", 2.0), ("a1", "b2", 3.0), ("b2", "a2", 4.0),
]  # fmt: skip


def test_cells_worked_by_hand() -> None:
    """2 targets above 4 nontargets; with Laplace's dummies the blocks hold (3, 1) … and (1, 5) trials.

    Upper block: 2 targets + 1 dummy target + 1 dummy nontarget: LR (3/1)·(4/2) = 6; lower: 4 nontargets and
    a dummy of each: LR (1/5)·(4/2) = 2/5.
    """
    found = matrix_of(SEPARATED, TWO)

    own, other = 6 / 7, 2 / 7
    assert found.cells() == pytest.approx(np.array([[own, other], [other, own]]), rel=1e-14)
    assert found.cells(Mean.SIGMOID_OF_MEAN) == pytest.approx(found.cells(), rel=1e-14)
    assert found.n_trials.tolist() == [[2, 4], [4, 2]]
    assert found.d_diag() == pytest.approx(4 / 7, rel=1e-14)
    assert found.log_dominance_log10_lr == pytest.approx(math.log10(6 / 0.4), rel=1e-14)
    assert (found.n_target, found.n_nontarget, found.min_cllr_bits) == (2, 4, 0.0)


@pytest.mark.parametrize("mutual", [True, False], ids=["within a set", "between sets"])
@pytest.mark.parametrize("mean", Mean)
@pytest.mark.parametrize("seed", range(3))
def test_cells_are_those_of_the_plain_loops(seed: int, mean: Mean, mutual: bool) -> None:
    spoken = segments(4, 3)
    rows = random_rows(spoken, seed, ordered=not mutual)
    found = matrix_of(rows, spoken, mutual=mutual)

    slow = cases.matrix(rows, spoken, mutual=mutual, sigmoid_of_mean=mean is Mean.SIGMOID_OF_MEAN)
    assert found.cells(mean) == pytest.approx(np.array(slow), rel=1e-12)
    assert found.d_diag(mean) == pytest.approx(cases.d_diag(slow), rel=1e-10)


def test_a_setting_between_sets_is_not_forced_to_be_symmetric() -> None:
    spoken = segments(3, 2)
    found = matrix_of(random_rows(spoken, 5, ordered=True, decimals=3), spoken, mutual=False)
    cells = found.cells()
    assert not np.allclose(cells, cells.T, rtol=1e-3)
    assert (found.transposed.cells() == cells.T).all()


@pytest.mark.parametrize(
    ("cells", "signed"),
    [
        pytest.param(np.eye(4), 1.0, id="identity"),
        pytest.param(1.0 - np.eye(4), -1.0, id="everybody but oneself"),
        pytest.param(np.full((7, 7), 0.1), 0.0, id="uniform, though means of 0.1 are rounded"),
        pytest.param([[0.8, 0.2], [0.4, 0.6]], 0.4, id="by hand"),
        pytest.param([[0.8, np.nan], [0.4, np.nan]], 0.4, id="empty cells are left out"),
        pytest.param([[0.8]], None, id="one speaker"),
        pytest.param([[np.nan, 0.1], [0.1, np.nan]], None, id="no self-similarity"),
        pytest.param([[0.9, np.nan], [np.nan, 0.9]], None, id="no others"),
    ],
)
def test_dominance_worked_by_hand(cells: np.ndarray, signed: float | None) -> None:
    found = signed_dominance(cells)
    assert found == (signed if signed is None else pytest.approx(signed, abs=1e-15))
    assert signed != 0.0 or found == 0.0


def test_perfectly_separated_speakers_approach_the_identity() -> None:
    spoken = segments(20, 10)
    found = matrix_of(random_rows(spoken, 0, ordered=False, gap=100.0), spoken)
    assert found.d_diag() == pytest.approx(1.0, abs=2e-3)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 1000), data=st.data())
def test_permuting_speakers_permutes_the_matrix(seed: int, data: st.DataObject) -> None:
    spoken = segments(4, 2)
    rows = random_rows(spoken, seed, ordered=True)
    order = data.draw(st.permutations(range(4)))
    renamed = {segment: f"s{order[int(speaker[1:])]}" for segment, speaker in spoken.items()}

    before = matrix_of(rows, spoken, mutual=False)
    after = matrix_of(rows, renamed, mutual=False)

    assert after.reordered(np.array(order)).cells() == pytest.approx(before.cells(), rel=1e-12)
    assert after.d_diag() == pytest.approx(before.d_diag(), rel=1e-9, abs=1e-12)


def test_the_order_of_the_trials_does_not_matter() -> None:
    spoken = segments(3, 3)
    rows = random_rows(spoken, 1, ordered=False)
    turned = [(b, a, score) for a, b, score in reversed(rows)]
    assert matrix_of(turned, spoken).cells() == pytest.approx(matrix_of(rows, spoken).cells(), rel=1e-12)


def test_random_speakers_leave_no_dominance() -> None:
    """Relabelled at random, the mean dominance of several draws is near 0."""
    spoken = segments(10, 8)
    rows = random_rows(spoken, 2, ordered=False)
    rng = np.random.default_rng(0)
    signed = []
    for _ in range(10):
        relabelled = dict(zip(spoken, rng.permutation(list(spoken.values())).tolist(), strict=True))
        signed.append(matrix_of(rows, relabelled).signed_d_diag())
    assert np.mean(signed) == pytest.approx(0.0, abs=0.02)
    assert matrix_of(rows, spoken).d_diag() > 0.3


def test_a_cell_without_trials_is_empty_and_counted() -> None:
    rows = [row for row in SEPARATED if row[:2] != ("b1", "b2")]
    found = matrix_of(rows, TWO)
    assert math.isnan(found.cells()[1, 1])
    assert (found.n_empty, found.n_trials[1, 1]) == (1, 0)
    assert found.d_diag() is not None


@pytest.mark.parametrize(
    ("rows", "targets"),
    [
        pytest.param([("a1", "a2", 1.0)], 1, id="no nontargets"),
        pytest.param([("a1", "b1", 1.0), ("a2", "b1", 2.0)], 0, id="no targets"),
    ],
)
def test_without_both_classes_nothing_is_defined(rows: Rows, targets: int) -> None:
    found = matrix_of(rows, TWO)
    assert np.isnan(found.cells()).all()
    assert np.isnan(found.mean_log10_lr()).all()
    assert (found.n_target, found.d_ece_bits, found.min_cllr_bits) == (targets, None, None)
    assert (found.d_diag(), found.log_dominance_log10_lr) == (None, None)


DATA = Path(__file__).parents[2] / "data" / "similarity"
EXPECTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["sets"]


def of_files(name: str) -> VoiceSimilarity:
    folder = DATA / name
    return read_similarity(
        oo=folder.parent / "scores_oo.txt.gz",
        op=folder / "scores_op.txt.gz",
        pp=folder / "scores_pp.txt.gz",
        speakers=folder.parent / "utt2spk",
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_figures_agree_with_an_independent_implementation(name: str) -> None:
    found, expected = of_files(name).as_json(), EXPECTED[name]

    assert found["speakers"][:2] == expected["first_speakers"]
    assert found["d_diag"] == pytest.approx(expected["d_diag"], abs=1e-12)
    assert found["op"][0][1] == pytest.approx(expected["op_cell_0_1"], abs=1e-12)
    assert found["op"][1][0] == pytest.approx(expected["op_cell_1_0"], abs=1e-12)
    assert found["de_id"] == pytest.approx(expected["de_id"], abs=1e-12)
    assert found["g_vd_db"] == pytest.approx(expected["g_vd_db"], abs=1e-12)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_older_mean_and_the_disclosures_agree_with_published_figures(name: str) -> None:
    found, rounded = of_files(name), EXPECTED[name]["rounded"]
    older = replace(found, mean=Mean.SIGMOID_OF_MEAN)

    assert older.de_id == pytest.approx(rounded["sigmoid_of_mean"]["de_id"], abs=5.1e-5)
    assert older.g_vd_db == pytest.approx(rounded["sigmoid_of_mean"]["g_vd_db"], abs=5.1e-4)
    assert found.as_json()["min_cllr_bits"] == pytest.approx(rounded["min_cllr_bits"], abs=5.1e-4)
    assert found.as_json()["d_ece_bits"] == pytest.approx(rounded["d_ece_bits"], abs=5.1e-4)


def test_there_are_six_sets_to_agree_with() -> None:
    assert len(EXPECTED) == 6


def test_normalised_disclosures_and_gains_are_those_of_their_equations() -> None:
    found = of_files("other_f/B2")
    d, c = found.as_json()["d_ece_bits"], found.as_json()["min_cllr_bits"]
    assert found.d_ece_op_oo == pytest.approx(1 - d["op"] / d["oo"], rel=1e-12)
    assert found.min_cllr_op_oo == pytest.approx((c["op"] - c["oo"]) / (1 - c["oo"]), rel=1e-12)
    assert found.g_d_ece_db == pytest.approx(10 * math.log10(d["pp"] / d["oo"]), rel=1e-12)
    assert found.g_cllr_db == pytest.approx(10 * math.log10((1 - c["pp"]) / (1 - c["oo"])), rel=1e-12)


SPOKEN = segments(4, 3)
ROWS = random_rows(SPOKEN, 0, ordered=False)
OO = scores(ROWS)


def told(found: VoiceSimilarity) -> list[str]:
    return [str(remark) for remark in found.remarks]


@pytest.mark.parametrize("rows", [ROWS, mirrored(ROWS)], ids=["each pair once", "both orders"])
def test_op_made_of_oo_itself_de_identifies_nobody(rows: Rows) -> None:
    found = voice_similarity(oo=scores(rows), op=scores(rows), pp=scores(rows), speakers=SPOKEN)
    assert found.de_id == pytest.approx(0.0, abs=1e-12)
    assert found.g_vd_db == pytest.approx(0.0, abs=1e-12)
    assert found.d_ece_op_oo == found.min_cllr_op_oo == found.g_d_ece_db == found.g_cllr_db == 0.0


def test_json_has_exactly_the_keys_that_are_promised() -> None:
    found = voice_similarity(oo=OO, speakers=SPOKEN).as_json()
    assert list(found) == [
        "speakers", "oo", "op", "pp", "d_diag", "de_id", "g_vd_db", "d_ece_bits", "min_cllr_bits",
    ]  # fmt: skip
    assert found["speakers"] == ["s0", "s1", "s2", "s3"]
    assert (found["op"], found["pp"], found["de_id"], found["g_vd_db"]) == (None, None, None, None)
    assert found["d_diag"]["op"] is None
    json.dumps(found, allow_nan=False)


def test_nothing_is_told_where_there_is_nothing_to_tell() -> None:
    assert told(voice_similarity(oo=OO, op=scores(mirrored(ROWS)), pp=OO, speakers=SPOKEN)) == []


def test_empty_cells_are_null_in_json_and_counted_in_a_remark() -> None:
    rows = [row for row in ROWS if not row[0].startswith("s0-") or not row[1].startswith("s0-")]
    found = voice_similarity(oo=scores(rows), speakers=SPOKEN)
    assert found.as_json()["oo"][0][0] is None
    assert told(found) == ["OO: one of 16 cells has no trial; means are over the others."]


def test_comparisons_of_a_segment_with_itself_are_left_out() -> None:
    itself = [(name, name, 50.0) for name in SPOKEN]
    with_itself = scores([*ROWS, *itself])
    plain = voice_similarity(oo=OO, op=OO, speakers=SPOKEN)
    found = voice_similarity(oo=with_itself, op=with_itself, speakers=SPOKEN)

    assert found.as_json() == plain.as_json()
    assert told(found)[:2] == [
        "OO: 12 comparisons of a segment with itself were left out.",
        "OP: 12 comparisons of a segment with its own protected version were left out.",
    ]


def test_speakers_with_one_segment_are_named() -> None:
    spoken = {**segments(3, 2), "t-0": "t"}
    found = voice_similarity(oo=scores(random_rows(spoken, 1, ordered=False)), speakers=spoken)
    assert "OO: one speaker has only one segment, so has no self-similarity: t." in told(found)
    assert found.as_json()["oo"][3][3] is None


def test_segments_missing_from_the_map_are_named_counted_and_left_out() -> None:
    partial = {name: who for name, who in SPOKEN.items() if name not in ("s1-0", "s2-2")}
    found = voice_similarity(oo=OO, speakers=partial)
    known = scores([row for row in ROWS if row[0] in partial and row[1] in partial])
    assert found.as_json() == voice_similarity(oo=known, speakers=SPOKEN).as_json()
    said = "2 segments have no speaker in the speaker map, and their trials were left out: s1-0, s2-2."
    assert said in told(found)


def test_speakers_that_a_setting_lacks_are_left_out_everywhere_and_named() -> None:
    rows = [row for row in ROWS if "s3" not in row[0] + row[1]]
    found = voice_similarity(oo=OO, op=scores(rows), speakers=SPOKEN)
    assert found.speakers == ("s0", "s1", "s2")
    assert found.as_json()["oo"] == voice_similarity(oo=scores(rows), speakers=SPOKEN).as_json()["oo"]
    assert "One speaker does not occur in OP and was left out everywhere: s3." in told(found)


def test_different_segments_in_the_settings_are_allowed_and_said() -> None:
    rows = [row for row in ROWS if "s0-1" not in row[:2]]
    found = voice_similarity(oo=OO, pp=scores(rows), speakers=SPOKEN)
    assert found.g_vd_db is not None
    assert told(found) == ["One segment of another setting does not occur in PP: s0-1."]


def test_pairs_in_both_orders_are_said() -> None:
    found = voice_similarity(oo=scores([*ROWS, ("s1-0", "s0-0", 0.5)]), speakers=SPOKEN)
    assert told(found) == ["OO: one pair is scored in both orders; both count."]


def test_speakers_can_be_read_off_the_ids_which_is_told() -> None:
    found = voice_similarity(oo=OO, speakers=SpeakerRule.BEFORE_HYPHEN)
    assert found.as_json() == voice_similarity(oo=OO, speakers=SPOKEN).as_json()
    assert told(found) == [
        "No speaker map was given: the part of each id before its first hyphen was taken for the speaker."
    ]


def test_files_may_name_speakers_instead_of_segments() -> None:
    named = scores([(SPOKEN[a], SPOKEN[b], score) for a, b, score in ROWS])
    found = voice_similarity(oo=named, speakers=SpeakerRule.WHOLE_ID)
    assert found.as_json() == voice_similarity(oo=OO, speakers=SPOKEN).as_json()
    assert told(found)[0].startswith("The ids were taken for speakers, not segments")


def constant(spoken: dict[str, str]) -> SegmentScores:
    return scores([(a, b, 1.0) for a, b, _ in random_rows(spoken, 0, ordered=False)])


def test_originals_without_dominance_make_de_id_undefined_and_say_why() -> None:
    found = voice_similarity(oo=constant(SPOKEN), op=scores(mirrored(ROWS)), pp=OO, speakers=SPOKEN)
    assert found.d_diag("oo") == 0.0
    assert (found.de_id, found.g_vd_db) == (None, None)
    assert (found.d_ece_op_oo, found.min_cllr_op_oo, found.g_d_ece_db, found.g_cllr_db) == (None,) * 4
    assert [remark.code for remark in found.remarks] == ["dominance-none-oo", "disclosure-none-oo"]


def test_protected_voices_without_dominance_make_the_gain_undefined_and_say_why() -> None:
    found = voice_similarity(oo=OO, pp=constant(SPOKEN), speakers=SPOKEN)
    assert (found.d_diag("pp"), found.g_vd_db, found.g_d_ece_db, found.g_cllr_db) == (0.0, None, None, None)
    assert [remark.code for remark in found.remarks] == ["dominance-none-pp", "disclosure-none-pp"]


def test_one_speaker_is_said_not_divided() -> None:
    found = voice_similarity(oo=scores([("a1", "a2", 1.0)]), speakers={"a1": "a", "a2": "a"})
    assert found.as_json()["oo"] == [[None]]
    assert (found.d_diag("oo"), found.as_json()["d_ece_bits"]["oo"]) == (None, None)
    assert told(found)[0].startswith("There is only one speaker, a, so nothing can be compared")


def test_a_negative_dominance_is_said_since_the_modulus_hides_it() -> None:
    """One speaker's many high targets make high scores count; the others are only like that one."""
    rows = [(f"a{i}", f"a{k}", 5.0) for i in range(6) for k in range(i)]
    rows += [("b1", "b2", 0.0), ("c1", "c2", 0.0), ("a1", "b1", 5.0), ("a1", "c1", 5.0)]
    rows += [(f"b{i}", f"c{k}", 0.0) for i in (1, 2) for k in (1, 2)]
    found = voice_similarity(oo=scores(rows), speakers={name: name[0] for row in rows for name in row[:2]})
    assert found.oo is not None
    signed = found.oo.signed_d_diag()
    assert signed is not None
    assert signed < -0.1
    assert found.d_diag("oo") == -signed
    assert told(found)[0].endswith(f"(signed dominance {signed:.3f}); D_diag is its absolute value.")


@pytest.mark.parametrize(
    ("given", "speakers", "sentence"),
    [
        pytest.param({}, SPOKEN, "No scores were given.", id="nothing"),
        pytest.param(
            {"oo": scores([*ROWS, ROWS[0]], "oo.txt")},
            SPOKEN,
            "oo.txt: “s0-0 s0-1” is scored in row 1 and again in row 67.",
            id="a pair twice",
        ),
        pytest.param(
            {"oo": OO},
            {"x": "y"},
            "No segment in OO has a known speaker, for example “s0-0”",
            id="another map",
        ),
        pytest.param(
            {"oo": scores([("a1", "a2", 1.0)]), "pp": scores([("b1", "b2", 1.0)])},
            {"a1": "a", "a2": "a", "b1": "b", "b2": "b"},
            "No speaker occurs in all of OO and PP.",
            id="different speakers",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    given: dict[str, SegmentScores], speakers: dict[str, str], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        voice_similarity(**given, speakers=speakers)
    assert str(caught.value).startswith(sentence)


def test_scores_must_be_finite_and_as_many_as_ids() -> None:
    with pytest.raises(InputError, match="position 1 is nan"):
        scores([("a", "b", 1.0), ("a", "c", math.nan)])
    two = scores([("a", "b", 1.0), ("a", "c", 2.0)])
    with pytest.raises(InputError, match="There are 1 scores but 2 labels"):
        SegmentScores(two.first, two.second, np.zeros(1))


@pytest.mark.parametrize(
    ("after", "before", "share"),
    [
        (0.25, 1.0, 0.75),
        (1.0, 1.0, 0.0),
        (0.0, 0.5, 1.0),
        (2.0, 1.0, -1.0),
        (0.1, 0.0, None),
        (None, 1.0, None),
    ],
)
def test_loss(after: float | None, before: float | None, share: float | None) -> None:
    assert loss(after, before) == share


@pytest.mark.parametrize(
    ("after", "before", "decibels"),
    [
        (0.1, 1.0, -10.0),
        (1.0, 1.0, 0.0),
        (2.0, 0.2, 10.0),
        (0.0, 1.0, None),
        (1.0, 1e-13, None),
        (1.0, None, None),
    ],
)
def test_gain(after: float | None, before: float | None, decibels: float | None) -> None:
    assert gain_db(after, before) == pytest.approx(decibels)
