"""What packs better than files of scores do is asked about, and unpacked only when the user says so."""

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import zebra_core
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Topic, unpacking_id
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import read_again, trials_of
from zebra_core.report.export import make_report
from zebra_core.report.verify import verify

SCORES = "".join(f"enrol-{n % 4} test-{n} {n % 7 - 3}\n" for n in range(200))
KEY = "".join(f"enrol-{n % 4} test-{n} {'target' if n % 3 else 'nontarget'}\n" for n in range(200))


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores that count as a bomb, for what packs to less than the half does, and their key beside them."""
    monkeypatch.setattr(packing, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(packing, "MOST_RATIO", 2)
    path = tmp_path / "scores.gz"
    path.write_bytes(gzip.compress(SCORES.encode()))
    (tmp_path / "key").write_text(KEY)
    return path


def saying(path: Path, choice: str) -> Answers:
    return Answers({unpacking_id(Source(path)): choice})


def test_a_file_that_packs_too_well_is_asked_about(packed: Path) -> None:
    arrival = arrive([packed, packed.with_name("key")])
    (question,) = arrival.plan.questions
    assert (question.topic, question.source.path) == (Topic.UNPACKING, packed)
    assert str(question) == (
        "scores.gz unpacks to far more than a score file of its size would. Should it be unpacked?"
    )
    assert [(one.choice, one.words) for one in question.alternatives] == [
        ("yes", "Unpack it, up to 4 GiB: I trust this file"),
        ("no", "Leave it out"),
    ]
    assert arrival.plan.problems == ()
    assert arrival.entries == ()


def test_with_the_answer_yes_it_is_read_and_the_answer_stays(packed: Path) -> None:
    arrival = arrive([packed, packed.with_name("key")], saying(packed, "yes"))
    (entry,) = arrival.entries
    assert entry.assessment.n_target + entry.assessment.n_nontarget == 200
    assert entry.choices[unpacking_id(Source(packed))] == "yes"
    assert len(trials_of(read_again(entry, []))) == 200


def test_with_the_answer_no_it_is_told_and_left_out(packed: Path) -> None:
    arrival = arrive([packed, packed.with_name("key")], saying(packed, "no"))
    assert arrival.entries == ()
    assert arrival.plan.questions == ()
    (problem,) = arrival.plan.problems
    assert str(problem.error).startswith("scores.gz unpacks to more than 2 times its size")


def test_of_an_archive_the_answer_holds_for_all_its_members(packed: Path) -> None:
    path = packed.with_name("case.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores", SCORES)
        archive.writestr("key", KEY)
    assert [question.topic for question in arrive([path]).plan.questions] == [Topic.UNPACKING]
    (entry,) = arrive([path], saying(path, "yes")).entries
    assert entry.choices[unpacking_id(Source(path, "scores"))] == "yes"
    assert len(trials_of(read_again(entry, []))) == 200

    evidence = packed.with_name("evidence.json")
    evidence.write_bytes(make_report(gather(Project(items=(entry,)))).evidence)
    assert verify(evidence, [packed.parent], any_ratio=True).is_verified


def test_what_a_project_or_a_report_says_was_allowed_is_not_for_it_may_be_anybodys(packed: Path) -> None:
    (entry,) = arrive([packed, packed.with_name("key")], saying(packed, "yes")).entries
    project = Project(items=(entry,))
    save_project(project, packed.with_name("case.zebra"))
    (opened,) = open_project(packed.with_name("case.zebra")).project.entries
    with pytest.raises(InputError, match=r"scores\.gz unpacks to more than 2 times its size"):
        read_again(opened, [])

    evidence = packed.with_name("evidence.json")
    evidence.write_bytes(make_report(gather(project)).evidence)
    found = verify(evidence, [packed.parent])
    assert not found.is_verified
    assert any("say so in the window or with --unpack" in one.found for one in found.checked)
    assert found.left_packed == ("scores.gz",)
    allowed = verify(evidence, [packed.parent], any_ratio=True)
    assert allowed.is_verified
    assert allowed.left_packed == ()


def test_of_matrices_it_is_told_alike_when_a_report_is_verified(packed: Path) -> None:
    segments = [f"s{speaker}-{n}" for speaker in range(4) for n in range(5)]
    lines = (f"{a} {b} {2.5 if a[1] == b[1] else -1.5}\n" for a in segments for b in segments if a < b)
    path = packed.with_name("scores_oo.gz")
    path.write_bytes(gzip.compress("".join(lines).encode()))
    answers = Answers({"unpacking": "yes", f"speakers:{path}": "before-hyphen"})
    both = [[packed, packed.with_name("key")], [path]]
    project = Project(items=tuple(item for files in both for item in arrive(files, answers).entries))
    assert len(project.similarities) == 1
    evidence = packed.with_name("evidence.json")
    evidence.write_bytes(make_report(gather(project)).evidence)
    assert verify(evidence, [packed.parent]).left_packed == ("scores.gz", "scores_oo.gz")
    assert verify(evidence, [packed.parent], any_ratio=True).is_verified


def test_without_a_window_it_is_refused_until_it_is_allowed(packed: Path) -> None:
    with pytest.raises(
        InputError, match=r"say so in the window or with --unpack, or give its contents as plain text\."
    ):
        zebra_core.read_trials(packed, packed.with_name("key"))
    assert len(zebra_core.read_trials(packed, packed.with_name("key"), choices={"unpacking": "yes"})) == 200
    alone = packed.with_name("alone.gz")
    alone.write_bytes(gzip.compress("".join(f"{n % 9} {n % 2}\n" for n in range(900)).encode()))
    with pytest.raises(InputError, match=r"alone\.gz unpacks to more than 2 times its size"):
        zebra_core.read_trials(alone)


@pytest.mark.parametrize("is_held", [True, False])
def test_the_size_stays_bounded_whatever_the_user_says(is_held: bool) -> None:
    budget = packing.Budget("bomb.gz", 1, any_ratio=True, is_held=is_held)
    budget.spend(packing.MOST_BYTES)
    with pytest.raises(InputError, match="unpacks to more than 4 GiB"):
        budget.spend(1)


def test_time_and_memory_are_those_of_a_file_that_may_unpack_to_as_much_unasked() -> None:
    small, large = (packing.Budget("scores.h5", size, any_ratio=True) for size in (1, 1 << 30))
    assert (small.allowed, small.counts_as) == (4 << 30, (4 << 30) // 400)
    assert (large.allowed, large.counts_as) == (4 << 30, 1 << 30)
    assert packing.Budget("scores.h5", 1 << 20).allowed == 400 << 20
    # What is read piece by piece is never held: of a large file it is the ratio that bounds it.
    assert packing.Budget("scores.gz", 1 << 30, is_held=False).allowed == 400 << 30


def test_what_nobody_can_allow_is_not_asked_about() -> None:
    budget = packing.Budget("scores.h5", 1 << 30)
    assert str(budget.refusal()).startswith("scores.h5 unpacks to more than 4 GiB.")
    assert budget.refusal().code != packing.TOO_MUCH


# --- formats whose content is packed -----------------------------------------------------------------------


def as_npz(path: Path) -> None:
    is_target = np.arange(4000) % 2 == 0
    np.savez_compressed(path, scores=np.where(is_target, 2.0, -1.0), labels=is_target)


def as_hdf5(path: Path) -> None:
    """A matrix of scores in which every column is a trial of one class, and its key beside it."""
    test_names = np.array([f"t{n}".encode() for n in range(2000)], "S64")
    names = {"model_names": [b"a", b"b"], "test_names": test_names}
    target = np.tile(np.arange(2000) % 2 == 0, (2, 1))
    sets = {"scores": np.where(target, 2.0, -1.0), "tar_mask": target, "non_mask": ~target}
    for place, wanted in ((path, ["scores"]), (path.with_name("key.h5"), ["tar_mask", "non_mask"])):
        with h5py.File(place, "w") as file:
            for name, values in {**names, **{name: sets[name] for name in wanted}}.items():
                file.create_dataset(name, data=values, compression="gzip")


def as_parquet(path: Path) -> None:
    labels = ["target", "nontarget"] * 2000
    pq.write_table(pa.table({"score": [2.0, -1.0] * 2000, "label": labels}), path)


FORMATS = pytest.mark.parametrize(
    ("name", "write"),
    [("scores.npz", as_npz), ("scores.h5", as_hdf5), ("scores.parquet", as_parquet)],
)


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to a few bytes more than itself counts as a bomb."""
    monkeypatch.setattr(packing, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(packing, "MOST_RATIO", 1)


@FORMATS
def test_formats_whose_content_is_packed_are_asked_about_alike(
    tmp_path: Path, strict: None, name: str, write: Callable[[Path], None]
) -> None:
    path = tmp_path / name
    write(path)
    arrival = arrive([tmp_path])
    about = {str(question) for question in arrival.plan.questions}
    assert f"{name} unpacks to far more than a score file of its size would. Should it be unpacked?" in about
    assert arrival.plan.problems == ()
    assert arrival.entries == ()

    (entry,) = arrive([tmp_path], Answers({"unpacking": "yes"})).entries
    assert (entry.assessment.n_target, entry.assessment.n_nontarget) == (2000, 2000)
    assert entry.choices[unpacking_id(Source(path))] == "yes"
    assert len(trials_of(read_again(entry, []))) == 4000

    (problem,) = arrive([path], saying(path, "no")).plan.problems
    assert str(problem.error) == (
        f"{name} unpacks to more than 1 times its size, as score files never do. "
        "If you trust it, say so in the window or with --unpack, or give its contents as plain text."
    )


@FORMATS
def test_members_of_an_archive_are_asked_about_once(
    tmp_path: Path, strict: None, name: str, write: Callable[[Path], None]
) -> None:
    folder, path = tmp_path / "files", tmp_path / "case.zip"
    folder.mkdir()
    write(folder / name)
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"one/{file.name}")
            archive.write(file, f"other/{file.name}")
    (question,) = arrive([path]).plan.questions
    assert (question.topic, question.source) == (Topic.UNPACKING, Source(path))
    assert arrive([path], saying(path, "yes")).entries


# --- files that are read piece by piece, where it shows only then ------------------------------------------


def streamed(path: Path, **choices: str) -> Answers:
    return Answers({"streaming": "yes", **{f"{topic}:{path}": choice for topic, choice in choices.items()}})


def test_what_shows_only_when_a_file_is_read_piece_by_piece_is_asked_then(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "_PIECE", 500)
    paths = [packed, packed.with_name("key")]
    arrival = arrive(paths, streamed(packed))
    (question,) = arrival.plan.questions
    assert (question.topic, question.source.path) == (Topic.UNPACKING, packed)
    assert (arrival.tried, arrival.plan.assessments) == ((), ())
    assert [file.source.path for file in arrival.plan.files] == paths

    allowed = arrive(paths, streamed(packed, unpacking="yes"), earlier=arrival)
    (entry,) = allowed.entries
    assert entry.assessment.n_target + entry.assessment.n_nontarget == 200
    refused = arrive(paths, streamed(packed, unpacking="no"), earlier=allowed)
    assert refused.entries == ()
    assert str(refused.failures[0]).startswith("scores.gz unpacks to more than 2 times its size")


def test_counts_in_parquet_are_asked_about_as_well(tmp_path: Path, strict: None) -> None:
    path, count = tmp_path / "counts.parquet", [1] * 4000
    pq.write_table(pa.table({"score": [1.0] * 4000, "targets": count, "nontargets": count}), path)
    assert [question.topic for question in arrive([path]).plan.questions] == [Topic.UNPACKING]
    (entry,) = arrive([path], saying(path, "yes")).entries
    assert entry.assessment.n_target == 4000


# --- where nobody can be asked -----------------------------------------------------------------------------


def test_of_a_folder_it_is_told_how_to_allow_it(packed: Path) -> None:
    with pytest.raises(InputError, match="If you trust it, say so in the window or with --unpack"):
        project_of_folder(packed.parent)
    found = project_of_folder(packed.parent, any_ratio=True)
    assert len(found.project.entries) == 1
    assert found.faults == ()
