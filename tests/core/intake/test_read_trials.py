"""Reading Kaldi scores and keys: matched by ids, or refused in one sentence that says where."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import zebra_core

Read = Callable[..., zebra_core.Trials]
KEY = "s1 u1 target\ns1 u2 nontarget\ns2 u1 nontarget\ns2 u2 target\n"
SCORES = "s1 u1 2.5\ns1 u2 -1\ns2 u1 -2e0\ns2 u2 .5\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def write_and_read(scores: str | bytes, key: str | bytes = KEY) -> zebra_core.Trials:
        for name, content in (("scores", scores), ("key", key)):
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(data)
        return zebra_core.read_trials(tmp_path / "scores", tmp_path / "key")

    return write_and_read


def test_trials_come_in_the_order_of_the_key(read: Read) -> None:
    trials = read(SCORES)
    assert trials.score.tolist() == [2.5, -1.0, -2.0, 0.5]
    assert trials.is_target.tolist() == [True, False, False, True]
    assert [(trials.enrol[i], trials.test[i]) for i in range(4)] == [
        ("s1", "u1"),
        ("s1", "u2"),
        ("s2", "u1"),
        ("s2", "u2"),
    ]


def test_scores_are_matched_by_the_pair_of_ids_never_by_position(read: Read) -> None:
    lines = SCORES.splitlines(keepends=True)
    assert read("".join(reversed(lines))).score.tolist() == [2.5, -1.0, -2.0, 0.5]


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param(SCORES.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(SCORES.replace("\n", "\r"), id="CR"),
        pytest.param(SCORES.replace(" ", "\t"), id="tabs"),
        pytest.param(SCORES.replace(" ", "  ").replace("s1", "  s1"), id="several spaces, indented"),
        pytest.param("\n\n" + SCORES.replace("\n", " \n\n") + "  \n", id="blank lines"),
        pytest.param(SCORES.rstrip(), id="no line end at the end"),
    ],
)
def test_white_space_and_line_ends_do_not_matter(read: Read, scores: str) -> None:
    assert read(scores).score.tolist() == [2.5, -1.0, -2.0, 0.5]


def test_ids_are_strings(read: Read) -> None:
    """7, 07 and 007 are three speakers, as are a and A; nan and a quotation mark are ids like others."""
    key = '7 u target\n07 u nontarget\n007 u nontarget\na u nontarget\nA u nontarget\nnan "u target\n'
    scores = 'nan "u 6\nA u 5\na u 4\n007 u 3\n07 u 2\n7 u 1\n'
    trials = read(scores, key)
    assert trials.score.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert trials.enrol.names == ("7", "07", "007", "a", "A", "nan")


def test_scores_keep_every_digit(read: Read) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=500) * 10.0 ** rng.integers(-300, 300, 500)
    key = "".join(f"a {i} {'target' if i % 2 else 'nontarget'}\n" for i in range(500))
    assert (
        read("".join(f"a {i} {v!r}\n" for i, v in enumerate(values.tolist())), key).score.tolist()
        == values.tolist()
    )


def test_scores_outside_the_key_are_left_out_and_counted(read: Read) -> None:
    trials = read(SCORES + "s3 u1 9\ns1 u9 9\n")
    assert trials.score.tolist() == [2.5, -1.0, -2.0, 0.5]
    assert [str(r) for r in trials.remarks] == ["2 scores of scores are not in the key and were left out."]


def test_lines_that_repeat_and_agree_are_kept_once_and_counted(read: Read) -> None:
    trials = read(SCORES + "s1 u2 -1\n", KEY + "s1 u1 target\ns2 u2 target\n")
    assert trials.score.tolist() == [2.5, -1.0, -2.0, 0.5]
    assert trials.audit is not None
    assert trials.audit.agreeing_repeats == 3
    assert [str(remark) for remark in trials.remarks] == [
        "key, line 5: “s1 u1 target” repeats an earlier line; 2 lines in all do so. Each is kept once.",
        "scores, line 5: “s1 u2 -1” repeats an earlier line and is kept once.",
    ]


def test_files_are_recorded_with_size_and_hash(read: Read) -> None:
    scores, key = read(SCORES).files
    assert (scores.role, scores.path.name, scores.size, scores.rows) == ("scores", "scores", len(SCORES), 4)
    assert key.sha256 == "81fde7fa929a36c2643c3f708e40bcb708cc86271a8d063d843da10de18a6a5a"


BROKEN_SCORES = [
    (
        SCORES.replace("-1", "nan"),
        "scores, line 2: the score in “s1 u2 nan” is not a number. Correct this line. You may decide",
    ),
    (
        "\n" + SCORES.replace("-1", "inf"),
        "scores, line 3: the score in “s1 u2 inf” is infinite. Correct this line. You may decide otherwise:",
    ),
    ("s1 u1 1e400\n", "scores, line 1: the score “1e400” is too large for a computer to represent."),
    ("s1 u1 0x1p3\n", "scores, line 1: the score “0x1p3” is not a number."),
    ("s1 u1 1_000\n", "scores, line 1: the score “1_000” is not a number."),
    ("s1 u1 1\ns1 u2 True\n", "scores, line 2: the score “True” is not a number."),
    ("s1 u1 ١٢\n", "scores, line 1: the score “١٢” is not a number."),
    ("s1 u1 1,5\ns1 u2 2.5\n", "scores, line 1: the score “1,5” is not a number."),
    ("s1 u1 target\n", "scores was given as the scores, but is a key."),
    ("s1 u1 1\ns1 2\n", "scores, line 2: found 2 columns in “s1 2”, expected 3"),
    ("s1 u1 1\ns1\n", "scores, line 2: found one column in “s1”, expected 3"),
    ("s1 u1 1\ns1 u2 2 3\n", "scores, line 2: found 4 columns in “s1 u2 2 3”, expected 3"),
    ("s1 u1 1 9\ns1 u2 2\ns2 u1 3\n", "scores, line 1: found 4 columns in “s1 u1 1 9”, expected 3"),
    (SCORES + "s1 u2 7\n", "scores, line 5: “s1 u2 7” contradicts line 2, “s1 u2 -1”."),
    ("s1 u1 2.5\ns1 u2 -1\ns2 u2 1.5\n", "key, line 3: the trial “s2 u1 nontarget” has no score in scores."),
    (
        "s1 u1 1\n",
        "key, line 2: the trial “s1 u2 nontarget” has no score in scores; 3 trials in all have none.",
    ),
    (
        "x y 1\n",
        "scores and key share no trial: the scores begin with “x y 1” (line 1), the key with “s1 u1 target”",
    ),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "scores is a picture. Give the files of scores and trials."),
    (b"s1 u1 1\ns1 u\x002 1\n", "scores, line 2: found the byte 0x00, so this is not a text file."),
    ("", "scores is empty."),
    (" \n\n", "scores is empty."),
]


@pytest.mark.parametrize(("scores", "sentence"), BROKEN_SCORES, ids=range(len(BROKEN_SCORES)))
def test_broken_scores_end_in_one_sentence(read: Read, scores: str | bytes, sentence: str) -> None:
    with pytest.raises(zebra_core.InputError) as refused:
        read(scores)
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


BROKEN_KEYS = [
    ("s1 u1 target\ns1 u2 target\n", "key has no nontarget trial"),
    ("s1 u1 nontarget\n", "key has no target trial"),
    (
        "s1 u1 target\ns1 u2 nontarge\n",
        "key, line 2: the label “nontarge” means neither target nor nontarget.",
    ),
    ("s1 u1 target\ns1 u2 0.5\n", "key, line 2: the label “0.5” means neither target nor nontarget."),
    (KEY + "s1 u1 nontarget\n", "key, line 5: “s1 u1 nontarget” contradicts line 1, “s1 u1 target”."),
    ("s1 u1\n", "key, line 1: “s1 u1” is neither a score nor the label of a trial. If this is a list of"),
]


@pytest.mark.parametrize(("key", "sentence"), BROKEN_KEYS, ids=range(len(BROKEN_KEYS)))
def test_broken_keys_end_in_one_sentence(read: Read, key: str, sentence: str) -> None:
    with pytest.raises(zebra_core.InputError) as refused:
        read(SCORES, key)
    assert str(refused.value).startswith(sentence)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(zebra_core.InputError, match="none was not found"):
        zebra_core.read_trials(tmp_path / "none", tmp_path / "none")
    with pytest.raises(
        zebra_core.InputError, match=r"is a folder\. Give the score file and the key inside it."
    ):
        zebra_core.read_trials(tmp_path, tmp_path)
    with pytest.raises(zebra_core.InputError, match=r"null is not a regular file"):
        zebra_core.read_trials("/dev/null", "/dev/null")
    with pytest.raises(zebra_core.InputError, match=r"cannot be read: .*embedded null"):
        zebra_core.read_trials("a\0b", "c")


def test_a_hostile_id_is_shown_and_does_nothing(read: Read) -> None:
    with pytest.raises(zebra_core.InputError) as refused:
        read("s1 {file}\u202e%s 1\ns1 u1\n")
    assert str(refused.value).startswith("scores, line 2: found 2 columns")
    with pytest.raises(zebra_core.InputError) as refused:
        read("s1 {file}\u202e%s x\n")
    assert "“x”" in str(refused.value)
