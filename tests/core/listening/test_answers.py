"""Answers: kept one by one, gone on with, and refused where the chain is broken."""

import json

import pytest

from tests.core.listening.cases import answered, knowing, made, recordings
from zebra_core.errors import InputError, OutputError
from zebra_core.listening.answers import AnswerFile, ItemAnswer, read_answers
from zebra_core.listening.package import read_package


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")))


@pytest.fixture
def package(test):
    return read_package(test.files[1])


@pytest.fixture
def whole(test, tmp_path):
    """All answers of the first listener, in a folder of this test alone."""
    path = answered(test, "L01", knowing(test.plan.speaker), name=tmp_path.name)
    return path.rename(tmp_path / "L01.zebra-answers")


def test_every_answer_is_on_the_disk_at_once_and_a_session_goes_on_where_it_stopped(package, tmp_path):
    path = tmp_path / "L01.zebra-answers"
    first = AnswerFile(path, package)
    answers = [ItemAnswer(confidence=-3, seconds=4.25, plays=(1, 2), at="2026-01-01T00:00:00+00:00")] * 2
    for item, answer in zip(package.items[:2], answers, strict=True):
        first.answer(item, answer)
        assert read_answers(path).of[item.id] == answer

    again = AnswerFile(path, package)
    assert again.left == package.items[2:]
    again.answer(package.items[2], ItemAnswer(confidence=7))
    found = read_answers(path, package.items)
    assert [found.of[item.id].confidence for item in package.items[:3]] == [-3, -3, 7]
    assert (found.listener, found.torn) == ("L01", False)


def test_a_line_that_a_power_cut_left_unfinished_is_dropped_and_the_rest_kept(package, tmp_path):
    path = tmp_path / "a.zebra-answers"
    session = AnswerFile(path, package)
    session.answer(package.items[0], ItemAnswer(confidence=5))
    good = path.read_bytes()
    path.write_bytes(good + b'{"item": "i0002", "sa')

    assert read_answers(path).torn
    again = AnswerFile(path, package)
    assert path.read_bytes() == good
    again.answer(package.items[1], ItemAnswer(confidence=1))
    assert len(read_answers(path).of) == 2


@pytest.mark.parametrize("begins", [True, False])
def test_an_answer_that_could_not_be_written_whole_can_be_given_again(package, tmp_path, monkeypatch, begins):
    path = tmp_path / "a.zebra-answers"
    session = None if begins else AnswerFile(path, package)

    def answer():
        (session or AnswerFile(path, package)).answer(package.items[0], ItemAnswer(confidence=5))

    def fails(_number):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fails)
        with pytest.raises(OutputError, match="No space left on device"):
            answer()
    answer()
    found = read_answers(path, package.items)
    assert ([one.confidence for one in found.of.values()], found.torn) == ([5], False)


def test_two_sessions_with_one_file_do_not_break_each_other_s_answers(package, tmp_path):
    path = tmp_path / "a.zebra-answers"
    first = AnswerFile(path, package)
    second = AnswerFile(path, package)
    first.answer(package.items[0], ItemAnswer(confidence=5))
    with pytest.raises(
        InputError, match=r"something else has written to .*, perhaps this test in another window"
    ):
        second.answer(package.items[0], ItemAnswer(confidence=-5))
    first.answer(package.items[1], ItemAnswer(confidence=4))
    assert [one.confidence for one in read_answers(path, package.items).of.values()] == [5, 4]


def test_a_number_of_any_size_is_refused(package, tmp_path):
    path = tmp_path / "a.zebra-answers"
    session = AnswerFile(path, package)
    session.answer(package.items[0], ItemAnswer(confidence=5, plays=(10**400,)))
    with pytest.raises(InputError, match="“plays” is not what ZEBRA writes there"):
        read_answers(path)


def test_nothing_else_is_kept_of_a_listener_but_a_code(whole):
    lines = [json.loads(line) for line in whole.read_text().splitlines()]
    assert set(lines[0]) == {"format", "test", "listener", "package", "begun", "before", "hash"}
    assert {name for line in lines[1:-1] for name in line} == {
        "item", "same", "confidence", "rating", "positions", "seconds", "plays", "at", "before", "hash",
    }  # fmt: skip
    assert set(lines[-1]) == {"finished", "before", "hash"}


def turned_round(lines):
    """The fourth line, with the other answer."""
    lines[3] = lines[3].replace("true", "yes").replace("false", "true").replace("yes", "false")


@pytest.mark.parametrize(
    ("alter", "line"),
    [
        (turned_round, 4),
        (lambda lines: lines.pop(3), 4),
        (lambda lines: lines.insert(3, lines[5]), 4),
        (lambda lines: lines.append(lines[-1]), 40),
        (lambda lines: lines.append("nothing"), 40),
    ],
)
def test_answers_altered_by_hand_are_refused_with_the_line(whole, alter, line):
    lines = whole.read_text().splitlines()
    assert len(lines) == 39
    alter(lines)
    whole.write_text("".join(f"{one}\n" for one in lines))
    with pytest.raises(InputError, match=f"line {line}: the answers were altered after they were given"):
        read_answers(whole)


def test_answers_of_another_listener_or_to_another_copy_are_not_gone_on_with(test, whole):
    with pytest.raises(InputError, match="answers to another test, or the answers of another listener"):
        AnswerFile(whole, read_package(test.files[2]))
    other = read_package(test.files[1])
    with pytest.raises(InputError, match="was not answered with the copy of the test"):
        AnswerFile(whole, type(other)(**{**vars(other), "sha256": "0"}))


def test_an_answer_must_be_one_to_what_was_asked(package, tmp_path):
    session = AnswerFile(tmp_path / "a.zebra-answers", package)
    for answer in (ItemAnswer(rating=5), ItemAnswer(confidence=0), ItemAnswer(confidence=11), ItemAnswer()):
        with pytest.raises(InputError, match="does not fit the question that was asked"):
            session.answer(package.items[0], answer)
    placed = next(item for item in package.items if item.question.value == "placement")
    with pytest.raises(InputError, match="does not fit the question that was asked"):
        session.answer(placed, ItemAnswer(positions=((0.5, 0.5),)))


@pytest.mark.parametrize("content", [b"", b"nothing\n", b"{}\n", b"\xff\xfe\n", b'{"format": 1}\n'])
def test_what_holds_no_answers_is_refused(tmp_path, content):
    path = tmp_path / "a.zebra-answers"
    path.write_bytes(content)
    with pytest.raises(InputError, match="does not hold the answers of a listener"):
        read_answers(path)


def test_a_session_begins_anew_where_a_power_cut_left_nothing_or_half_of_the_first_line(package, tmp_path):
    path = tmp_path / "L01.zebra-answers"
    for left in (b"", b'{"for', b'{"format": 1, "test": "12'):
        path.write_bytes(left)
        session = AnswerFile(path, package)
        assert session.left == package.items
        session.answer(package.items[0], ItemAnswer(confidence=4))
        assert list(read_answers(path, package.items).of) == [package.items[0].id]
    path.write_bytes(b"somebody else wrote this")
    with pytest.raises(InputError, match="does not hold the answers of a listener"):
        AnswerFile(path, package)
    assert path.read_bytes() == b"somebody else wrote this"
