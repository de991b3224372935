"""What packs better than files of scores do is asked about, and unpacked only when the user says so."""

import gzip
import zipfile
from pathlib import Path

import pytest

import core
from core.arrival import arrive
from core.errors import InputError
from core.intake import packing
from core.intake.answers import Answers
from core.intake.opening import Source
from core.intake.planned import Topic, unpacking_id
from core.loading import read_again, trials_of
from core.project import Project
from core.project_file import open_project, save_project
from core.report.export import make_report
from core.report.verify import verify

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
        "scores.gz unpacks to far more than a file of scores of its size. Is it to be unpacked?"
    )
    assert [(one.choice, one.words) for one in question.alternatives] == [
        ("yes", "Unpack it, up to 4 GiB: it is what it should be"),
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
    evidence.write_bytes(make_report(Project(items=(entry,))).evidence)
    assert verify(evidence, [packed.parent], any_ratio=True).is_verified


def test_what_a_project_or_a_report_says_was_allowed_is_not_for_it_may_be_anybodys(packed: Path) -> None:
    (entry,) = arrive([packed, packed.with_name("key")], saying(packed, "yes")).entries
    project = Project(items=(entry,))
    save_project(project, packed.with_name("case.zebra"))
    (opened,) = open_project(packed.with_name("case.zebra")).project.entries
    with pytest.raises(InputError, match=r"scores\.gz unpacks to more than 2 times its size"):
        read_again(opened, [])

    evidence = packed.with_name("evidence.json")
    evidence.write_bytes(make_report(project).evidence)
    found = verify(evidence, [packed.parent])
    assert not found.is_verified
    assert any("say so in the window or by --unpack" in one.found for one in found.checked)
    assert verify(evidence, [packed.parent], any_ratio=True).is_verified


def test_without_a_window_it_is_refused_until_it_is_allowed(packed: Path) -> None:
    with pytest.raises(InputError, match=r"say so in the window or by --unpack, or unpack it yourself\."):
        core.read_trials(packed, packed.with_name("key"))
    assert len(core.read_trials(packed, packed.with_name("key"), choices={"unpacking": "yes"})) == 200
    alone = packed.with_name("alone.gz")
    alone.write_bytes(gzip.compress("".join(f"{n % 9} {n % 2}\n" for n in range(900)).encode()))
    with pytest.raises(InputError, match=r"alone\.gz unpacks to more than 2 times its size"):
        core.read_trials(alone)


def test_the_size_stays_bounded_whatever_the_user_says() -> None:
    budget = packing.Budget("bomb.gz", 1, any_ratio=True)
    budget.spend(packing.MOST_BYTES)
    with pytest.raises(InputError, match="unpacks to more than 4 GiB"):
        budget.spend(1)
