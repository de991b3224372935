"""`zebra score --embeddings`: what is printed, refused, and written."""

import json

import numpy as np
import pytest

from tests.core.recordings.test_embedding_scoring import everybody, key_of, people, saved
from tests.zebra_gui.test_cli import zebra as run_zebra


def zebra(*arguments):
    return run_zebra(*map(str, arguments))


@pytest.fixture
def given(tmp_path):
    """Sixteen people with four embeddings each, of whom the first is enrolled; and three others."""
    vectors = people(16, 4)
    emb = saved(tmp_path / "emb.npz", vectors)
    others = saved(tmp_path / "others.npz", people(3, 1, seed=9, name="x"))
    names = list(vectors)
    tests = [name for name in names if not name.endswith("u0")]
    key = key_of(tmp_path / "data/toy_trials_f/trials", everybody(names[::4], tests))
    out = tmp_path / "out"
    return ("score", "--embeddings", emb, "-k", key, "--speakers", "before-hyphen", "-o", out), others, out


def test_scores_linkage_and_what_to_keep_in_mind_are_told(given):
    command, others, out = given
    done = zebra(*command, "--others", others, "--safeguard", "B2", "--condition", "aa")

    assert done.exit_code == 0, done.stderr
    assert "48 test recordings are compared with 16 enrolments of 16 people; 3 others are only" in done.stdout
    assert "768 trials, 48 of them target (data/toy_trials_f)." in done.stdout
    assert "B2 a-a  cosine, whitened within speakers, learnt from protected speech" in done.stdout
    rows = [
        line.split()
        for line in done.stdout.splitlines()
        if line.strip().startswith(("embeddings ", "scores "))
    ]
    assert [row[:3] for row in rows] == [
        [way, size, among] for size in "13" for way in ("embeddings", "scores") for among in ("16", "19")
    ]
    assert f"Go on with: zebra compare {out}" in done.stdout
    assert "Embeddings are biometric data, and so are scores" in done.stderr
    assert "16 embeddings are of no trial" not in done.stderr


def test_json_is_the_record_with_what_was_told_and_its_figures_are_those_of_compare(given):
    command, _, out = given
    done = zebra(*command, "--json")

    found = json.loads(done.stdout)
    record = json.loads((out / "embeddings.json").read_text())
    assert {"format": {"name": "zebra-score", "version": 1}, **record, "told": found["told"]} == found
    for attack in found["attacks"]:
        assessed = zebra(
            "assess", "-s", out / attack["scores"], "-k", out / "data/toy_trials_f/trials", "--json"
        )
        assert json.loads(assessed.stdout)["eer"] == attack["eer"]
    compared = zebra("compare", out)
    assert compared.exit_code == 0
    assert "The scores were made from embeddings that were brought along: emb.npz" in compared.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ("--original", "x"),
        ("--trials", "all"),
        ("--model", "x.onnx"),
        ("--others-speakers", "whole-id"),
        ("--condition", "ab"),
        ("--attacker", "words"),
        ("--attacker", "together"),
    ],
)
def test_options_of_recordings_do_not_go_with_embeddings(given, wrong):
    command, _, out = given
    assert zebra(*command, *wrong).exit_code == 2
    assert not out.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        ("score", "-o", "out"),
        ("score", "--original", "x", "-o", "out"),
        ("score", "--embeddings", "e.npz", "-o", "out"),
        ("score", "--original", "x", "--speakers", "first-folder", "-k", "key", "-o", "out"),
        ("score", "--original", "x", "--speakers", "first-folder", "--others", "y", "-o", "out"),
    ],
)
def test_what_belongs_together_is_asked_for(wrong):
    done = zebra(*wrong)
    assert done.exit_code == 2
    assert "Give" in done.stderr


def test_an_id_without_an_embedding_is_one_sentence_with_file_and_line(given, tmp_path):
    command, _, out = given
    np.savez(tmp_path / "emb.npz", **dict(list(people(16, 4).items())[:-1]))
    done = zebra(*command)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "trials, line 48: there is no embedding of “s15-u3”" in done.stderr
    assert not out.exists()
