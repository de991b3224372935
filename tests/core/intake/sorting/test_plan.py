"""A drop becomes a plan: files sorted into roles and matched, and what is unclear asked with previews."""

import io
import shutil
import tarfile
from pathlib import Path

import pytest

import zebra_core
from tests.core.plans import asks_nothing
from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.intake.planned import NO_KEY, Plan, Topic
from zebra_core.intake.sorting.plan import audit_planned, plan, read_planned
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.reading.folder import project_of_folder

DATA = Path(__file__).parents[3] / "data"
MUSEUM = DATA / "intake"
REFERENCE = DATA / "reference"


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def files_of(made: Plan) -> list[tuple[str, ...]]:
    return [tuple(file.source.name for file in planned.files) for planned in made.assessments]


def test_scores_and_key_find_each_other_in_any_order() -> None:
    for paths in (["kaldi-key", "kaldi-scores"], ["kaldi-scores", "kaldi-key"]):
        made = plan([MUSEUM / name for name in paths])
        assert asks_nothing(made)
        assert files_of(made) == [("kaldi-scores", "kaldi-key")]
        assert len(read_planned(made.assessments[0])) == 8


def test_several_score_files_with_one_key_are_several_assessments() -> None:
    made = plan(
        [MUSEUM / name for name in ("kaldi-scores", "kaldi-scores.gz", "kaldi-key", "combined-wespeaker")]
    )
    assert files_of(made) == [
        ("kaldi-scores", "kaldi-key"),
        ("kaldi-scores.gz", "kaldi-key"),
        ("combined-wespeaker",),
    ]


def test_a_whole_evaluation_is_sorted_out_by_ids_and_folders() -> None:
    made = plan([REFERENCE])
    named = {(one.name, one.condition, one.key.source.path.parent.name) for one in made.assessments}
    assert ("B2r", "PP", "other_test_trials_f") in named
    assert ("B1w", "OP", "other_test_trials_m") in named
    assert ("unprotected", "OO", "other_test_trials_f") in named
    assert not made.questions
    assert all(one.key.source.path.parent.name in str(one.scores.source.path) for one in made.assessments)
    assert asks_nothing(made)
    assert {problem.source.path.name for problem in made.ignored} == {"README.md", "expected.json"}


def test_folders_of_2024_are_understood(tmp_path: Path) -> None:
    scores = (MUSEUM / "kaldi-scores").read_text()
    put(tmp_path, "data/libri_dev_trials_f/trials", (MUSEUM / "kaldi-key").read_text())
    put(tmp_path, "data/libri_dev_trials_m/trials", (MUSEUM / "kaldi-key").read_text())
    put(tmp_path, "exp/asv_orig/libri_dev_enrolls-libri_dev_trials_f/scores", scores)
    put(tmp_path, "exp/asv_anon_mcadams/libri_dev_enrolls_mcadams-libri_dev_trials_m_mcadams/scores", scores)
    made = plan([tmp_path])
    found = {(one.name, one.condition, one.key.source.path.parent.name) for one in made.assessments}
    assert found == {
        ("unprotected", "OO", "libri_dev_trials_f"),
        ("mcadams", "PP", "libri_dev_trials_m"),
    }


def test_an_archive_is_a_drop_of_its_own(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for path in (REFERENCE / "exp" / "B1w", REFERENCE / "data"):
            archive.add(path, path.name)
    (tmp_path / "all.tar.gz").write_bytes(stream.getvalue())
    made = plan([tmp_path / "all.tar.gz"])
    assert asks_nothing(made)
    assert {one.condition for one in made.assessments} == {"OO", "OP", "PP"}
    assert len(read_planned(made.assessments[0])) == 175


def test_one_archive_with_scores_and_key_is_assessed_alone() -> None:
    assert len(zebra_core.read_trials(MUSEUM / "scores-and-key.zip")) == 8


def test_an_ambiguous_drop_asks_and_shows_how_each_answer_would_read() -> None:
    paths = [MUSEUM / "two-columns-unknown-words"]
    made = plan(paths)
    [question] = made.questions
    assert (made.assessments, question.topic) == ((), Topic.READING)
    assert str(question) == "How should two-columns-unknown-words be read?"
    assert question.alternatives[0].words == "scores with labels (score label), where “gleich” means target"
    assert question.alternatives[0].preview[0] == {ColumnMeaning.SCORE: "2.5", ColumnMeaning.LABEL: "gleich"}

    answered = plan(paths, {question.id: question.alternatives[0].choice})
    assert asks_nothing(answered)
    assert read_planned(answered.assessments[0]).is_target.tolist()[:3] == [True, True, False]
    other = plan(paths, {question.id: question.alternatives[1].choice})
    assert read_planned(other.assessments[0]).is_target.tolist()[:3] == [False, False, True]


def test_two_lists_of_scores_ask_which_is_which_and_one_answer_settles_both() -> None:
    paths = [MUSEUM / "target-scores.txt", MUSEUM / "nontarget-scores.txt"]
    made = plan(paths)
    assert len(made.questions) == 2
    answered = plan(paths, {made.questions[0].id: "target-scores"})
    assert asks_nothing(answered)
    assert files_of(answered) == [("target-scores.txt", "nontarget-scores.txt")]
    trials = read_planned(answered.assessments[0])
    assert (trials.n_target, trials.n_nontarget, trials.enrol) == (4, 4, None)
    assert [(file.name, file.role, file.rows) for file in trials.files] == [
        ("target-scores.txt", "target-scores", 4),
        ("nontarget-scores.txt", "nontarget-scores", 4),
    ]


def test_the_command_line_says_which_list_is_which_by_name() -> None:
    lists = (MUSEUM / "target-scores.txt", MUSEUM / "nontarget-scores.txt")
    ways = {"target-scores.txt": "target-scores", "nontarget-scores.txt": "nontarget-scores"}
    assert zebra_core.read_trials(*lists, choices=ways).n_target == 4
    with pytest.raises(
        zebra_core.InputError, match=r"Say which is meant: --read \S+=two-columns-\S+ \(.*\) or --read"
    ):
        zebra_core.read_trials(MUSEUM / "two-columns-unknown-words")


@pytest.mark.parametrize("key", ["key-with-01", "voxceleb-key"])
def test_labels_that_could_be_scores_are_labels_beside_scores(key: str) -> None:
    scores = "voxceleb-scores" if key == "voxceleb-key" else "kaldi-scores"
    assert files_of(plan([MUSEUM / key, MUSEUM / scores])) == [(scores, key)]
    assert plan([MUSEUM / key]).questions


@pytest.mark.parametrize(
    ("content", "ways"),
    [
        ("1 1001 2001\n0 1001 2002\n", ["kaldi-scores", "label-first", "score-first"]),
        ("1001 2001 1\n1001 2002 0\n", ["kaldi-key", "kaldi-scores"]),
        ("1 0\n0 1\n", ["two-columns-score-first", "two-columns-label-first"]),
        ("a b 1 0\na c 0 1\n", ["combined", "label-then-score"]),
        ("a b q 0.5\na c r 0.5\n", ["bob-4", "nist-with-side"]),
        ("0.5\n1.5\n", ["scores-alone", "target-scores", "nontarget-scores"]),
    ],
)
def test_what_can_be_read_in_two_ways_is_asked_never_guessed(
    tmp_path: Path, content: str, ways: list[str]
) -> None:
    [question] = plan([put(tmp_path, "file", content)]).questions
    assert [one.choice for one in question.alternatives] == ways
    assert all(one.preview for one in question.alternatives)


def test_two_keys_that_fit_are_asked_for(tmp_path: Path) -> None:
    scores = put(tmp_path, "scores", (MUSEUM / "kaldi-scores").read_text())
    keys = [put(tmp_path, name, (MUSEUM / "kaldi-key").read_text()) for name in ("trials", "trials.old")]
    made = plan([scores, *keys])
    [question] = made.questions
    assert (question.topic, [one.words for one in question.alternatives]) == (
        Topic.KEY,
        ["trials", "trials.old", "none of these"],
    )
    answered = plan([scores, *keys], {question.id: str(keys[1])})
    assert files_of(answered) == [("scores", "trials.old")]
    assert [file.source.name for file in answered.unused] == ["trials"]
    assert plan([scores, *keys], {question.id: NO_KEY}).assessments == ()


def test_keys_are_told_apart_by_the_ids_they_share(tmp_path: Path) -> None:
    made = plan(
        [
            put(tmp_path, "s1", "a u1 0.5\na u2 1.5\n"),
            put(tmp_path, "s2", "b v1 0.5\nb v2 1.5\n"),
            put(tmp_path, "k2", "b v1 target\nb v2 nontarget\n"),
            put(tmp_path, "k1", "a u1 target\na u2 nontarget\n"),
        ]
    )
    assert files_of(made) == [("s1", "k1"), ("s2", "k2")]


def test_scores_that_no_key_knows_are_left_over_and_those_spelt_differently_are_not(tmp_path: Path) -> None:
    keys = [
        put(tmp_path, "k1", "a u1 target\na u2 nontarget\n"),
        put(tmp_path, "k2", "b v1 target\nb v2 non\n"),
    ]
    strange, spelt = (
        put(tmp_path, "s1", "q w 0.5\nq r 1.5\n"),
        put(tmp_path, "s2", "A U1.wav 0.5\nA U2.wav 1.5\n"),
    )
    made = plan([*keys, strange, spelt])
    assert files_of(made) == [("s2", "k1")]
    assert [file.source.name for file in made.unused] == ["k2", "s1"]


def test_one_bad_file_does_not_lose_the_others(tmp_path: Path) -> None:
    shutil.copy(MUSEUM / "kaldi-scores", tmp_path)
    shutil.copy(MUSEUM / "kaldi-key", tmp_path)
    put(tmp_path, "notes.txt", "Dear reviewer, here are our scores.\n")
    put(tmp_path, ".hidden", "x")
    made = plan([tmp_path])
    assert len(made.assessments) == 1
    assert [problem.source.path.name for problem in made.ignored] == ["notes.txt"]
    meant = plan([tmp_path, tmp_path / "notes.txt"])
    assert [problem.source.path.name for problem in meant.problems] == ["notes.txt"]


def test_a_broken_file_called_as_the_scores_beside_it_is_told(
    tmp_path: Path,
) -> None:
    for folder in ("a", "b"):
        put(tmp_path, f"{folder}/trials", (MUSEUM / "kaldi-key").read_text())
        put(tmp_path, f"{folder}/scores", (MUSEUM / "kaldi-scores").read_text())
    put(tmp_path, "b/scores", "a b x\n")
    put(tmp_path, "b/notes", "a b x\n")
    made = plan([tmp_path])
    assert [problem.source.path.relative_to(tmp_path) for problem in made.problems] == [Path("b/scores")]
    assert [problem.source.path.name for problem in made.ignored] == ["notes"]
    found = project_of_folder(tmp_path)
    assert len(found.project.entries) == 1
    assert found.faults[0].startswith("b: scores, line 1: “a b x” is neither a score")


def test_what_belongs_to_nothing_is_said() -> None:
    made = plan([MUSEUM / "kaldi-key", MUSEUM / "utt2spk"])
    assert made.assessments == ()
    assert [file.role for file in made.unused] == [FileRole.KEY, FileRole.SPEAKERS]


def test_a_speaker_map_says_who_speaks_in_a_matrix(tmp_path: Path) -> None:
    matrix = put(tmp_path, "m.csv", ",a1,a2,b1\na1,9,2.5,-1\na2,2.5,9,-1.5\nb1,-1,-1.5,9\n")
    speakers = put(tmp_path, "utt2spk", "a1 a\na2 a\nb1 b\n")
    [planned] = plan([matrix, speakers]).assessments
    trials, audit = audit_planned(planned)
    assert trials.is_target.tolist() == [True, False, True, False, False, False]
    assert (audit.speakers, audit.symmetric_repeats) == (2, 3)
    assert [one.facts["count"] for one in audit.findings if one.code == "self-left-out"] == [3]
    assert [file.role for file in trials.files] == ["both", "speakers"]
    assert zebra_core.read_trials(matrix, choices={"speakers": str(speakers)}).n_target == 2


def test_a_missing_path_is_a_problem() -> None:
    [problem] = plan([MUSEUM / "no-such-file"]).problems
    assert str(problem.error).startswith("no-such-file was not found")
    assert plan([]).assessments == ()


def test_work_on_a_drop_can_be_stopped() -> None:
    def stop(_share: float) -> None:
        raise zebra_core.Cancelled

    with pytest.raises(zebra_core.Cancelled):
        plan([MUSEUM], on_progress=stop)
    with pytest.raises(zebra_core.Cancelled):
        zebra_core.read_trials(MUSEUM / "kaldi-scores", MUSEUM / "kaldi-key", stop)


def test_progress_grows_from_nothing_to_all() -> None:
    shares: list[float] = []
    zebra_core.read_trials(MUSEUM / "kaldi-scores", MUSEUM / "kaldi-key", shares.append)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert all(0.0 <= share <= 1.0 for share in shares)
