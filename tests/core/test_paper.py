"""A paper's table in three lines: arrays side by side come to what a folder of the same trials comes to."""

import numpy as np
import pytest

import zebra_resources
from zebra_core import (
    BootstrapSettings,
    InputError,
    Trials,
    assess,
    bootstrap,
    compare,
    project_of_folder,
    read_trials,
    results_text,
)
from zebra_core.evidence.trials import Ids

DRAWS = BootstrapSettings(40)


@pytest.fixture(scope="module")
def folder():
    demo = project_of_folder(zebra_resources.path("demo")).project
    return demo.without(item.id for item in demo.similarities)


@pytest.fixture(scope="module")
def found(folder):
    of = {entry.name: bare(entry.trials) for entry in folder.entries}
    unprotected = of.pop("unprotected")
    return compare(
        of, unprotected=unprotected, condition="OP", attacker="ignorant", dataset="libri_f", draws=DRAWS
    )


def bare(trials):
    """The arrays alone, without the files that they were read from."""
    return Trials.from_frame(trials.to_frame())


def test_answer_table_ranks_and_pairs_are_those_of_the_folder(folder, found):
    of_folder = compare(folder, draws=DRAWS)
    assert results_text(found) == results_text(of_folder)
    assert [row.ranks for row in found.rows] == [row.ranks for row in of_folder.rows]
    assert found.answer.sentence == of_folder.answer.sentence
    assert found.to_latex() == of_folder.to_latex()
    assert found.remarks == ()


def test_a_frame_has_intervals_and_no_none(found):
    frame = found.to_frame()
    assert (frame.d_ece_bits_low < frame.d_ece_bits_high).all()
    assert not any(value is None for column in frame for value in frame[column])
    assert frame["wer"].dtype == np.float64


def test_what_a_paper_takes(found):
    matplotlib = pytest.importorskip("matplotlib.figure")
    axes = matplotlib.Figure().add_subplot()
    assert found.plot("DET", ax=axes) is axes
    assert len(axes.lines) > 3
    assert "\\begin{tikzpicture}" in found.to_pgfplots()
    assert "EER" in (table := found.to_latex(columns=["eer"], digits=1))
    assert "the others are in to_frame()." in table  # no file stands beside it
    assert [row["system"] for row in found.to_dict()["rows"]] == ["unprotected", "B1w", "B2", "B2r"]
    assert repr(found) == "<SideBySide: unprotected C, B1w A, B2 C, B2r C>"
    assert "<table" in found._repr_html_()


def test_requirements_are_judged(folder, tmp_path):
    file = tmp_path / "r.toml"
    file.write_text('[[requirement]]\nname = "little"\nfigure = "d_ece_bits"\nat_most = 0.1\nset_by = "us"\n')
    of = {entry.name: bare(entry.trials) for entry in folder.entries}
    unprotected = of.pop("unprotected")
    stated = {"condition": "OP", "attacker": "ignorant", "dataset": "libri_f"}
    judged = compare(of, unprotected=unprotected, **stated, draws=DRAWS, requirements=file)
    of_folder = compare(folder, draws=DRAWS, requirements=file)
    assert [each.line for each in judged.verdicts] == [each.line for each in of_folder.verdicts]


def test_without_ids_nothing_is_said_over_speakers():
    trials = Trials.from_scores([2.0, 1.0, 0.5, 3.0], [0.0, -1.0, 1.5, 0.2])
    plain = compare({"B1": trials}, condition="PP")
    assert plain.rows[0].entry.trust is None
    assert plain.remarks[0].startswith("These arrays have no ids")
    by_trial = compare({"B1": trials}, condition="PP", by_trial=True, draws=DRAWS)
    assert by_trial.rows[0].entry.trust.uncertainty.unit.value == "trial"


@pytest.mark.parametrize(
    ("what", "stated", "sentence"),
    [
        ({}, {}, "There is nothing to compare"),
        ({"B1": [1.0]}, {}, "“B1” is given as list"),
        ({"B1": None}, {"condition": "both"}, "It is not said which sides"),
    ],
)
def test_what_is_not_meant_is_refused(what, stated, sentence):
    with pytest.raises(InputError, match=sentence):
        compare(what, **stated)


def test_unprotected_speech_needs_the_condition_of_the_others(found):
    trials = found.rows[0].entry.trials
    with pytest.raises(InputError, match="It is not said which sides"):
        compare({"B1": trials}, unprotected=trials)


def test_a_picture_and_a_column_that_are_not_there_are_refused(found):
    with pytest.raises(InputError, match=r"There is no picture “ECX”\. There are: ECE"):
        found.plot("ECX")
    with pytest.raises(InputError, match="There is no column “eerr”"):
        found.to_latex(columns=["eerr"])


def test_an_assessment_is_a_dict_a_row_and_a_page_of_a_notebook(found):
    one = found.rows[0].assessment
    frame = one.to_frame()
    known = one.to_dict()
    assert frame.d_ece_bits[0] == known["d_ece_bits"] == one.d_ece_bits
    assert np.isnan(frame.dev_pav_log10[0])
    assert set(frame) <= set(found.to_frame())
    assert known["profile"]["prior_log_odds"] == one.profile.prior_log_odds.tolist()
    html = one._repr_html_()
    assert html.startswith(f"<p>{one.tag} · ")
    assert "<th>minDCF</th>" in html
    assert 'src="data:image/png;base64,iVBORw0KGgo' in html
    assert "not stated" not in html


# --- arrays


@pytest.mark.parametrize("label", [float("nan"), -1, 2, 0.3, "1", None])
def test_a_label_is_true_or_false(label):
    with pytest.raises(InputError, match="The labels hold"):
        Trials.from_arrays(score=[1.0, 0.0, 2.0], is_target=[1, 0, label])


@pytest.mark.parametrize("missing", [None, float("nan"), ""])
def test_a_missing_id_is_no_person(missing):
    with pytest.raises(InputError, match="Position 1 of enrol has no id"):
        Trials.from_arrays(
            score=[1.0, 0.0], is_target=[1, 0], enrol=np.array(["a", missing], object), test=["b", "c"]
        )


def test_a_mask_is_not_passed_over():
    with pytest.raises(InputError, match="masked"):
        Trials.from_arrays(score=np.ma.array([1.0, 0.0], mask=[1, 0]), is_target=[1, 0])


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [([1.0, 0.0, 1.0], "Position 2 repeats position 0"), ([1.0, 0.0, 2.0], "contradicts")],
)
def test_a_pair_comes_once(scores, sentence):
    with pytest.raises(InputError, match=sentence):
        Trials.from_arrays(score=scores, is_target=[1, 0, 1], enrol=["a", "b", "a"], test=["x", "y", "x"])


def test_a_recording_is_not_compared_with_itself_beside_others():
    with pytest.raises(InputError, match="Position 0 compares “a1” with itself"):
        Trials.from_arrays(
            score=[9.0, 1.0, 0.0], is_target=[1, 1, 0], enrol=["a1", "a1", "a1"], test=["a1", "a2", "b1"]
        )


def test_ids_are_a_column():
    ids = Ids.of(["a", "b", "a"])
    assert list(ids[:2]) == ["a", "b"]
    assert (ids == "a").tolist() == [True, False, True]
    assert np.asarray(ids).tolist() == ["a", "b", "a"]
    assert repr(ids) == "<Ids: 3 of 2 names>"


def test_a_frame_goes_in_and_out():
    trials = Trials.from_arrays(score=[1.0, 0.0], is_target=[1, 0], enrol=["a", "b"], test=["x", "y"])
    again = Trials.from_frame(trials.to_frame())
    assert again.to_frame().equals(trials.to_frame())
    with pytest.raises(InputError, match="The frame has no column “cos”"):
        Trials.from_frame(trials.to_frame(), score="cos")


def test_trials_that_were_only_counted_have_no_speakers_to_draw():
    demo = zebra_resources.path("demo")
    scores = demo / "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
    key = demo / "data/libri_test_trials_f/trials"
    counted = read_trials(scores, key, choices={"streaming": "yes"})
    with pytest.raises(InputError, match="only counted"):
        bootstrap(counted, assess(counted))
    with pytest.raises(InputError, match="only counted"):
        compare({"B2": counted}, condition="OP")
