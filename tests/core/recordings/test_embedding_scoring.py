"""From embeddings that somebody brings along to scores, linkage and a record."""

import json
from hashlib import sha256

import numpy as np
import pytest

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.embeddings_record import embeddings_record_of
from zebra_core.intake.sorting.naming import FROM_EMBEDDINGS, NOT_AS_RECORDED
from zebra_core.intake.sorting.plan import plan, read_planned
from zebra_core.recordings.attacks import BackEndKind
from zebra_core.recordings.embedding_scoring import EmbeddingRequest, names_of, score_embeddings
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.reidentification import reidentification

BEFORE_HYPHEN = SpeakerRule.BEFORE_HYPHEN


def saved(path, vectors):
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **{name: np.asarray(vector, dtype=np.float64) for name, vector in vectors.items()})
    return path


def key_of(path, trials):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in trials))
    return path


def scores_in(result, kind=BackEndKind.COSINE, *, adapted=False):
    return next(
        one.scores for one in result.attacked if (one.attack.kind, one.attack.adapted) == (kind, adapted)
    )


def people(count, each, dimensions=24, spread=0.7, seed=3, name="s"):
    """Embeddings of so many people, so many of each: a centre and noise."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((count, dimensions))
    return {
        f"{name}{who:02d}-u{n}": centres[who] + spread * rng.standard_normal(dimensions)
        for who in range(count)
        for n in range(each)
    }


def everybody(enrolled, tested):
    """Each model with each test recording; ids begin with the speaker."""
    return [(a, b, a.split("-")[0] == b.split("-")[0]) for a in enrolled for b in tested if a != b]


def refused(code, *arguments, **asked):
    with pytest.raises(InputError) as caught:
        score_embeddings(*arguments, **asked)
    assert caught.value.code == code, str(caught.value)
    return caught.value


@pytest.fixture
def small(tmp_path):
    """Two people, by hand: cosines are 24/25, 0 and 7/25."""
    vectors = {"a-1": [3.0, 4.0], "a-2": [4.0, 3.0], "b-1": [-8.0, 6.0], "b-2": [-1.0, 0.0]}
    return saved(tmp_path / "emb.npz", vectors)


def test_the_cosine_of_each_trial_in_the_order_of_the_key(small, tmp_path):
    key = key_of(tmp_path / "key", [("a-1", "a-2", True), ("a-1", "b-1", False), ("a-2", "b-1", False)])
    result = score_embeddings(EmbeddingRequest([small], key), tmp_path / "out")
    assert scores_in(result) == pytest.approx([24 / 25, 0.0, -14 / 50], abs=1e-15)
    written = (
        tmp_path / "out/exp/asv_orig/cosine_out/embeddings_enrolls-embeddings_trials/scores"
    ).read_text()
    assert [line.split()[:2] for line in written.splitlines()] == [
        ["a-1", "a-2"], ["a-1", "b-1"], ["a-2", "b-1"],
    ]  # fmt: skip
    assert [float(line.split()[2]) for line in written.splitlines()] == scores_in(result).tolist()
    assert (tmp_path / "out/data/embeddings_trials/trials").read_text() == key.read_text()
    assert any("Only the cosine" in sentence for sentence in result.sentences)


@pytest.mark.parametrize("lines", ["A a-1 a-2\nB b-2\n", "a-1 A\na-2 A\nb-2 B\n"], ids=["spk2utt", "utt2spk"])
def test_an_enrolment_of_several_recordings_is_the_average_of_their_embeddings(tmp_path, lines):
    vectors = {"a-1": [1.0, 0.0], "a-2": [0.0, 3.0], "a-3": [1.0, 1.0], "b-2": [0.0, 1.0]}
    emb = saved(tmp_path / "emb.npz", vectors)
    (tmp_path / "models").write_text(lines)
    key = key_of(tmp_path / "key", [("A", "a-3", True), ("B", "a-3", False)])
    result = score_embeddings(EmbeddingRequest([emb], key, enrolments=tmp_path / "models"), tmp_path / "out")
    # The average of (1, 0) and (0, 3) is (0.5, 1.5): as they are, not of length 1.
    assert scores_in(result) == pytest.approx([2 / np.sqrt(2.5) / np.sqrt(2), 1 / np.sqrt(2)], abs=1e-15)


def test_the_list_enrolls_of_the_evaluations_is_found_beside_the_key(tmp_path):
    emb = saved(tmp_path / "emb.npz", people(6, 4))
    tests = [f"s{who:02d}-u{n}" for who in range(6) for n in (2, 3)]
    enrolls = tmp_path / "data/toy_enrolls/enrolls"
    enrolls.parent.mkdir(parents=True)
    enrolls.write_text("".join(f"s{who:02d}-u{n}\n" for who in range(6) for n in (0, 1)))
    trials = everybody([f"s{who:02d}" for who in range(6)], tests)
    key = key_of(tmp_path / "data/toy_trials_f/trials", trials)
    (tmp_path / "data/toy_trials_f/utt2spk").write_text(
        "".join(f"s{who:02d}-u{n} s{who:02d}\n" for who in range(6) for n in range(4))
    )
    result = score_embeddings(EmbeddingRequest([emb], key), tmp_path / "out")
    vectors = people(6, 4)
    model, test = (vectors["s00-u0"] + vectors["s00-u1"]) / 2, vectors["s00-u2"]
    expected = model @ test / np.linalg.norm(model) / np.linalg.norm(test)
    assert scores_in(result)[0] == pytest.approx(expected, abs=1e-14)
    assert result.record["models"]["file"] == "enrolls"
    assert result.record["dataset"] == "toy_trials_f"


def test_what_lacks_an_embedding_is_refused_with_file_and_line(small, tmp_path):
    key = key_of(tmp_path / "key", [("a-1", "a-2", True), ("a-1", "c-1", False), ("c-2", "a-1", False)])
    error = refused("embeddings-missing", EmbeddingRequest([small], key), tmp_path / "out")
    assert (error.facts["file"], error.facts["line"], error.facts["id"]) == ("key", 3, "c-2")
    key_of(key, [("a-1", "a-2", True), ("a-1", "c-1", False)])
    error = refused("embeddings-missing", EmbeddingRequest([small], key), tmp_path / "out")
    assert (error.facts["line"], error.facts["id"]) == (2, "c-1")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("trials", "code", "line"),
    [
        ([("a-1", "a-2", True), ("a-1", "b-1", False), ("a-1", "a-2", True)], "embeddings-trial-twice", 3),
        ([("a-1", "a-2", True), ("a-1", "b-1", True), ("a-1", "b-2", False)], "embeddings-contradiction", 2),
        ([("a", "a-2", True), ("a", "a-1", True), ("a", "b-1", False)], "embeddings-enrolment-unknown", 1),
        ([("a-1", "a-2", True)], "trials-no-nontarget", None),
        ([("a-1", "b-2", False)], "trials-no-target", None),
    ],
)
def test_a_key_that_contradicts_itself_or_who_speaks_is_refused(small, tmp_path, trials, code, line):
    key = key_of(tmp_path / "key", trials)
    request = EmbeddingRequest([small], key, speakers=BEFORE_HYPHEN)
    assert refused(code, request, tmp_path / "out").facts.get("line") == line


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        ("a a-1\na a-9\n", "enrolments-missing", 2),
        ("a a-1\nb b-1\nb a-1\n", "enrolments-twice", 3),
        ("a a-1 b-1\n", "embeddings-two-people", 1),
        ("a a-1 a-2\n", "embeddings-own-part", 1),
    ],
)
def test_a_list_of_enrolments_with_anything_wrong_is_refused(small, tmp_path, lines, code, line):
    (tmp_path / "models").write_text(lines)
    key = key_of(tmp_path / "key", [("a", "a-2", True), ("a", "b-2", False)])
    request = EmbeddingRequest([small], key, enrolments=tmp_path / "models", speakers=BEFORE_HYPHEN)
    assert refused(code, request, tmp_path / "out").facts["line"] == line


def test_a_speakers_own_id_means_their_recordings_that_are_not_tested(small, tmp_path):
    (tmp_path / "models").write_text("a a-1\nb b-1\n")
    key = key_of(tmp_path / "key", [("a", "a-2", True), ("a", "b-2", False), ("b", "a-2", False)])
    written = []
    for listed in (None, tmp_path / "models"):
        out = tmp_path / ("own" if listed is None else "listed")
        request = EmbeddingRequest([small], key, enrolments=listed, speakers=BEFORE_HYPHEN)
        score_embeddings(request, out)
        written.append({path.relative_to(out): path.read_bytes() for path in out.rglob("scores")})
    assert written[0] == written[1] != {}


def test_averages_that_cancel_each_other_have_no_direction(tmp_path):
    emb = saved(
        tmp_path / "e.npz", {"a-1": [1.0, 0.0], "a-2": [-1.0, 0.0], "a-3": [1.0, 1.0], "b-1": [0.0, 1.0]}
    )
    (tmp_path / "models").write_text("a a-1 a-2\n")
    key = key_of(tmp_path / "key", [("a", "a-3", True), ("a", "b-1", False)])
    request = EmbeddingRequest([emb], key, enrolments=tmp_path / "models")
    error = refused("embeddings-average-zero", request, tmp_path / "out")
    assert (error.facts["id"], error.facts["line"]) == ("a", 1)


def test_back_ends_have_learnt_from_neither_speaker_of_a_trial(tmp_path):
    """Whatever the two speakers of a trial are like, nothing but its own embeddings changes its score."""
    vectors = people(30, 4)
    ids = [name for name in vectors if name.endswith(("u0", "u1"))]
    key = key_of(tmp_path / "key", everybody(ids, ids))
    found = []
    for turned in (False, True):
        emb = dict(vectors)
        if turned:  # further recordings of two speakers, of which no trial is
            for who in ("s04", "s17"):
                for n in (2, 3):
                    emb[f"{who}-u{n}"] = -7.0 * emb[f"{who}-u{n}"][::-1]
        saved(tmp_path / f"{turned}.npz", emb)
        request = EmbeddingRequest([tmp_path / f"{turned}.npz"], key, speakers=BEFORE_HYPHEN)
        found.append(score_embeddings(request, tmp_path / f"out-{turned}"))
    pairs = [(a, b) for a, b, _ in everybody(ids, ids)]
    own = np.array([{a[:3], b[:3]} == {"s04", "s17"} for a, b in pairs])
    other = np.array([not {a[:3], b[:3]} & {"s04", "s17"} for a, b in pairs])
    for kind in (BackEndKind.CENTRED, BackEndKind.WITHIN):
        before, after = (scores_in(one, kind) for one in found)
        assert before[own] == pytest.approx(after[own], abs=1e-12)
        assert np.abs(before[other] - after[other]).max() > 1e-3
    assert min(one.taught_by for one in found[0].attacked if one.taught_by is not None) == 24


def conversations(rng, n, size, dimensions=16, spread=1.5):
    """Embeddings (n, 2 * size, dimensions): of each person `size` to enrol and as many to test."""
    centres = rng.standard_normal((n, 1, dimensions))
    return centres + spread * rng.standard_normal((n, 2 * size, dimensions))


def linked_as_legal_eval(enrol, test):
    """The share of test conversations whose own person is strictly the most alike.

    Written from the definition of Vauquier et al. 2025, section 3.2: conversations (n, recordings, d) are
    averaged, and π_link is the share that is the most alike with its own person among all who are enrolled,
    the first of whom are those who are tested.
    """
    linked = []
    for place, one in enumerate(test.mean(axis=1)):
        alike = [one @ other / np.linalg.norm(one) / np.linalg.norm(other) for other in enrol.mean(axis=1)]
        linked.append(all(alike[place] > score for number, score in enumerate(alike) if number != place))
    return float(np.mean(linked))


def figures_of(result, way, recordings, kind=BackEndKind.COSINE, *, adapted=False):
    figures = result.people[kind, adapted]
    [found] = [f for f in figures if (f.pooled_by, f.linkage[0].recordings) == (way, recordings)]
    return found


@pytest.mark.parametrize(("size", "others"), [(1, 0), (3, 0), (1, 17), (3, 17)])
def test_linkage_is_that_of_legal_eval_on_the_same_embeddings(tmp_path, size, others):
    drawn = conversations(np.random.default_rng(size + others), 12 + others, size)
    enrol, test = drawn[:, :size], drawn[:12, size:]
    vectors = {f"p{who:02d}-e{n}": enrol[who, n] for who in range(12) for n in range(size)}
    vectors |= {f"p{who:02d}-t{n}": test[who, n] for who in range(12) for n in range(size)}
    emb = saved(tmp_path / "emb.npz", vectors)
    enrolled = [name for name in vectors if "-e" in name]
    key = key_of(tmp_path / "key", everybody(enrolled, [name for name in vectors if "-t" in name]))
    more = ()
    if others:
        strange = {f"x{who:02d}-e{n}": enrol[12 + who, n] for who in range(others) for n in range(size)}
        more = (saved(tmp_path / "others.npz", strange),)
    request = EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN, others=more)
    result = score_embeddings(request, tmp_path / "out")
    points = {one.people: one for one in figures_of(result, "embeddings", size).linkage}
    expected = linked_as_legal_eval(enrol, test)
    assert points[12 + others].probability == pytest.approx(expected, abs=1e-12)
    assert 0.1 < expected < 1.0
    # Among two: the mean over every set of two with the own person.
    pairs = [
        linked_as_legal_eval(enrol[[who, other]], test[[who]])
        for who in range(12)
        for other in range(12 + others)
        if other != who
    ]
    assert points[2].probability == pytest.approx(np.mean(pairs), abs=1e-12)
    assert result.n_others == others


def test_both_ways_to_pool_are_those_that_they_are_named_after(tmp_path):
    """Two people, L = 3, by hand: the mean of scores says one thing, the average of embeddings another."""
    vectors = {
        "a-e": [1.0, 0.0], "b-e": [0.0, 1.0],
        "a-1": [10.0, 0.0], "a-2": [0.0, 1.0], "a-3": [0.0, 1.0],
        "b-1": [0.0, 1.0], "b-2": [0.0, 1.0], "b-3": [0.0, 1.0],
    }  # fmt: skip
    emb = saved(tmp_path / "emb.npz", vectors)
    key = key_of(tmp_path / "key", everybody(["a-e", "b-e"], [n for n in vectors if not n.endswith("e")]))
    result = score_embeddings(EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN), tmp_path / "out")
    # Of a: scores with a are 1, 0, 0 and with b 0, 1, 1. Their average is (10/3, 2/3), more like a.
    assert figures_of(result, "scores", 3).linkage[-1].probability == 0.5
    assert figures_of(result, "embeddings", 3).linkage[-1].probability == 1.0
    assert figures_of(result, "scores", 1).linkage == figures_of(result, "embeddings", 1).linkage


def test_a_recording_is_never_linked_with_itself(tmp_path):
    """Where each recording is enrolled and tested, others of the person must be found."""
    rng = np.random.default_rng(5)
    vectors = {f"s{who:02d}-u{n}": rng.standard_normal(40) for who in range(20) for n in range(7)}
    emb = saved(tmp_path / "emb.npz", vectors)
    key = key_of(tmp_path / "key", everybody(vectors, vectors))
    result = score_embeddings(EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN), tmp_path / "out")
    for way in ("embeddings", "scores"):
        for recordings in (1, 3):
            assert figures_of(result, way, recordings).linkage[-1].probability < 0.3  # by guessing 0.05


def test_the_mean_of_scores_is_what_the_program_finds_in_the_score_file(tmp_path):
    emb = saved(tmp_path / "emb.npz", people(15, 7, spread=2.0))
    names = list(people(15, 7))
    enrolled, tested = [n for n in names if n.endswith("u0")], [n for n in names if not n.endswith("u0")]
    key = key_of(tmp_path / "key", everybody(enrolled, tested))
    result = score_embeddings(EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN), tmp_path / "out")
    made = plan([tmp_path / "out"])
    for planned in made.assessments:
        found = reidentification(Candidates.of(with_people(read_planned(planned))), quick=True)
        kind = next(kind for kind in BackEndKind if kind.value in planned.scores.source.folders)
        if kind is BackEndKind.NORMALISED:  # held against others already, and not pooled
            continue
        for recordings in (1, 3):
            mine = figures_of(result, "scores", recordings, kind)
            assert [(p.people, p.probability) for p in mine.linkage] == [
                (p.people, pytest.approx(p.probability, abs=1e-12))
                for p in found.linkage
                if p.recordings == recordings and p.people in {q.people for q in mine.linkage}
            ]
            singled = [p for p in found.singling_out if p.recordings == recordings]
            for one, other in zip(mine.singling_out, singled, strict=True):  # of drawn sets others are drawn
                close = 1e-12 if one.sets is None else 0.03
                assert (one.people, one.sets) == (other.people, other.sets)
                assert one.probability == pytest.approx(other.probability, abs=close)
            assert any(one.sets is None for one in mine.singling_out)
    assert len(made.assessments) == 4


def test_others_are_never_the_right_answer_and_must_not_be_of_the_key(small, tmp_path):
    key = key_of(tmp_path / "key", [("a-1", "a-2", True), ("a-1", "b-1", False), ("b-2", "a-2", False)])
    strange = saved(tmp_path / "others.npz", {"x": [1.0, 0.0], "y": [0.0, 1.0]})
    request = EmbeddingRequest([small], key, others=[strange])
    assert refused("others-speakers", request, tmp_path / "out").facts["count"] == 2
    request = EmbeddingRequest([small], key, speakers=BEFORE_HYPHEN, others=[strange])
    known = EmbeddingRequest([small], key, others=[strange], others_speakers=SpeakerRule.WHOLE_ID)
    assert score_embeddings(known, tmp_path / "out").n_others == 2
    saved(strange, {"a-7": [1.0, 0.0]})
    assert refused("others-of-key", request, tmp_path / "out2").facts["found"] == "a"


@pytest.mark.parametrize(
    ("asked", "attacks"),
    [
        ({}, [("cosine_out", ""), ("centred_out", ""), ("within_out", ""), ("asnorm_out", "")]),
        (
            {"safeguard": "B2", "condition": "aa"},
            [
                ("cosine_out", "_B2"),
                ("adapted_centred_out", "_B2"),
                ("adapted_within_out", "_B2"),
                ("asnorm_out", "_B2"),
            ],
        ),
    ],
)
def test_a_drop_of_the_folder_says_all_that_was_said(tmp_path, asked, attacks):
    emb = saved(tmp_path / "emb.npz", people(16, 3))
    names = list(people(16, 3))
    key = key_of(tmp_path / "data/toy_trials/trials", everybody(names[::3], names[1::3] + names[2::3]))
    out = tmp_path / "out"
    score_embeddings(EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN, **asked), out)
    places = {p.relative_to(out).as_posix() for p in out.rglob("scores")}
    assert places == {
        f"exp/asv_orig/{folder}/toy_enrolls{suffix}-toy_trials{suffix}/scores" for folder, suffix in attacks
    }
    made = plan([out])
    assert (made.problems, made.unused, made.questions, made.ignored) == ((), (), (), ())
    assert {one.dataset for one in made.assessments} == {"toy"}
    assert {one.condition for one in made.assessments} == {"PP" if asked else "OO"}
    assert {one.name for one in made.assessments} == {"B2" if asked else "unprotected"}
    for one in made.assessments:
        [note] = [finding for finding in one.findings if finding.code == FROM_EMBEDDINGS]
        assert note.facts["files"] == f"emb.npz (SHA-256 {sha256(emb.read_bytes()).hexdigest()[:12]}…)"
        assert len(read_planned(one)) == len(everybody(names[::3], names[1::3] + names[2::3]))


def test_scores_that_were_changed_since_are_told_and_not_said_to_be_of_the_embeddings(tmp_path):
    emb = saved(tmp_path / "emb.npz", people(16, 3))
    names = list(people(16, 3))
    key = key_of(tmp_path / "key", everybody(names[::3], names[1::3]))
    out = tmp_path / "out"
    score_embeddings(EmbeddingRequest([emb], key, every_attacker=False), out)
    [scores] = out.rglob("scores")
    scores.write_text(scores.read_text().replace("0.", "0.0", 1))
    [one] = plan([out]).assessments
    assert {NOT_AS_RECORDED} == {finding.code for finding in one.findings} & {
        NOT_AS_RECORDED,
        FROM_EMBEDDINGS,
    }


def test_folders_of_the_evaluations_name_sides_safeguard_and_attacker(tmp_path):
    top = tmp_path / "exp/asv_anon_mcadams/emb_xvect"
    vectors = people(14, 4)
    for name, kept in (("enrolls", ("u0", "u1")), ("trials_f", ("u2", "u3"))):
        folder = top / f"toy_{name}_mcadams" / "utt-level"
        folder.mkdir(parents=True)
        some = {name: vector for name, vector in vectors.items() if name.endswith(kept)}
        np.save(folder / "speaker_vectors.npy", np.array(list(some.values())))
        (folder / "id2idx").write_text("".join(f"{name} {n}\n" for n, name in enumerate(some)))
        (folder / "idx2spk").write_text("".join(f"{n} {name[:3]}\n" for n, name in enumerate(some)))
    tests = [name for name in vectors if name.endswith(("u2", "u3"))]
    key = key_of(tmp_path / "data/toy_trials_f/trials", everybody([f"s{n:02d}" for n in range(14)], tests))
    given = (top / "toy_enrolls_mcadams", top / "toy_trials_f_mcadams" / "utt-level")
    result = score_embeddings(EmbeddingRequest(given, key), tmp_path / "out")
    names = result.names
    assert (names.safeguard, names.condition, names.trained_on) == ("mcadams", "aa", "protected")
    model = (vectors["s00-u0"] + vectors["s00-u1"]) / 2
    test = vectors["s00-u2"]
    expected = model @ test / np.linalg.norm(model) / np.linalg.norm(test)
    assert scores_in(result)[0] == pytest.approx(expected, abs=1e-14)
    planned = plan([tmp_path / "out"]).assessments
    assert {(one.name, one.dataset, one.condition, one.attacker) for one in planned} == {
        ("mcadams", "toy_f", "PP", "semi-informed")
    }


def test_originals_enrolled_and_copies_tested_have_a_back_end_for_each_of_both_kinds(tmp_path):
    originals, copies = people(30, 3), people(30, 3, seed=3, spread=1.1)
    enrol = saved(tmp_path / "original.npz", originals)
    test = saved(tmp_path / "copies.npz", {name: vector + 2.0 for name, vector in copies.items()})
    names = list(originals)
    key = key_of(tmp_path / "key", everybody(names[::3], names[1::3]))
    request = EmbeddingRequest(
        [test], key, enrol=[enrol], speakers=BEFORE_HYPHEN, safeguard="B2", condition="oa"
    )
    result = score_embeddings(request, tmp_path / "out")
    assert {(one.attack.kind.name, one.attack.adapted) for one in result.attacked} == {
        ("COSINE", False), ("CENTRED", False), ("WITHIN", False), ("CENTRED", True), ("WITHIN", True),
        ("NORMALISED", False),
    }  # fmt: skip
    errors = {(one.attack.kind.name, one.attack.adapted): one.eer for one in result.attacked}
    assert errors["CENTRED", True] < errors["COSINE", False]  # who knows copies removes their mean
    a, b = everybody(names[::3], names[1::3])[0][:2]
    left, right = originals[a], copies[b] + 2.0
    assert scores_in(result)[0] == pytest.approx(
        left @ right / np.linalg.norm(left) / np.linalg.norm(right), abs=1e-14
    )


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"safeguard": "B2"}, "embeddings-condition"),
        ({"condition": "aa"}, "embeddings-condition"),
        ({"trained_on": "protected"}, "embeddings-condition"),
        ({"safeguard": "B2_trials_f", "condition": "aa"}, "safeguard-name"),
        ({"dataset": "my trials"}, "dataset-name"),
        ({"dataset": "a/b"}, "dataset-name"),
        ({"dataset": "x" * 100}, "dataset-name"),
    ],
)
def test_names_that_folders_cannot_say_are_refused(small, tmp_path, asked, code):
    with pytest.raises(InputError) as caught:
        names_of(EmbeddingRequest([small], tmp_path / "key", **asked))
    assert caught.value.code == code


def test_the_record_has_the_hashes_of_all_that_was_read_and_written_and_no_id(tmp_path):
    emb = saved(tmp_path / "emb.npz", people(16, 3))
    names = list(people(16, 3))
    key = key_of(tmp_path / "key", everybody(names[::3], names[1::3]))
    out = tmp_path / "out"
    result = score_embeddings(EmbeddingRequest([emb], key, speakers=BEFORE_HYPHEN), out)
    content = (out / "embeddings.json").read_bytes()
    record = embeddings_record_of(content, "embeddings.json")
    assert record.values == json.loads(json.dumps(result.record))
    assert record.inputs[0]["sha256"] == sha256(emb.read_bytes()).hexdigest()
    assert record.values["key"]["sha256"] == sha256(key.read_bytes()).hexdigest()
    assert set(record.files) == {
        path.relative_to(out).as_posix()
        for path in out.rglob("*")
        if path.is_file() and path.suffix != ".json"
    }
    for place, hashed in record.files.items():
        assert sha256((out / place).read_bytes()).hexdigest() == hashed
    assert b"s00" not in content
    assert "biometric data" in record.values["biometric"]
    assert record.values["n_unused"] == 16
    assert any("16 embeddings are of no trial" in sentence for sentence in result.sentences)
    assert any("biometric data" in sentence for sentence in result.sentences)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda values: values.update(version=2), "record-newer"),
        (lambda values: values.update(dimensions=0), "record-broken"),
        (lambda values: values.update(more=1), "record-broken"),
        (lambda values: values["files"].clear(), "record-broken"),
    ],
)
def test_a_record_that_is_none_is_refused(small, tmp_path, change, code):
    key = key_of(tmp_path / "key", [("a-1", "a-2", True), ("a-1", "b-1", False)])
    values = json.loads(json.dumps(score_embeddings(EmbeddingRequest([small], key), tmp_path / "o").record))
    change(values)
    with pytest.raises(InputError) as caught:
        embeddings_record_of(json.dumps(values).encode(), "embeddings.json")
    assert caught.value.code == code


def test_nothing_is_written_over_unasked(small, tmp_path):
    key = key_of(tmp_path / "key", [("a-1", "a-2", True), ("a-1", "b-1", False)])
    score_embeddings(EmbeddingRequest([small], key), tmp_path / "out")
    with pytest.raises(OutputError):
        score_embeddings(EmbeddingRequest([small], key), tmp_path / "out")
    score_embeddings(EmbeddingRequest([small], key), tmp_path / "out", overwrite=True)
