"""The words of a case in a file of their own."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.samples import demo_assessments
from zebra_core.errors import InputError
from zebra_core.project.items import Condition
from zebra_core.project.reading.case_file import read_case

WHOLE = """\
case = "12/2026"
author = "A. Author"
organisation = "Institute"
requester = "Court"
question = '''
Is the voice
hidden?'''
propositions = "A or B"
relevance = "The same telephones."
attacker = "semi-informed"
signatories = ["A. Author", "B. Reader"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "case.toml"
    path.write_bytes(text.encode())
    return path


def test_everything_that_a_report_says_of_its_case_can_be_given(tmp_path: Path) -> None:
    project = read_case(write(tmp_path, WHOLE)).said_of(demo_assessments())
    told = project.report
    assert (told.case, told.author, told.organisation) == ("12/2026", "A. Author", "Institute")
    assert (told.requester, told.question) == ("Court", "Is the voice\nhidden?")
    assert (told.propositions, told.relevance) == ("A or B", "The same telephones.")
    assert told.signers == ("A. Author", "B. Reader")


def test_the_attacker_is_that_of_protected_speech_of_which_none_is_stated(tmp_path: Path) -> None:
    project = demo_assessments()
    original, first, *others = project.entries
    project = project.replacing(replace(first, attacker="ignorant"))
    found = read_case(write(tmp_path, 'attacker = "lazy-informed"\n')).said_of(project)
    assert original.condition is Condition.OO
    assert [entry.attacker for entry in found.entries] == ["", "ignorant", "lazy-informed", "lazy-informed"]
    assert len(others) == 2


def test_recogniser_and_back_end_are_those_of_all_speech_of_which_none_is_stated(tmp_path: Path) -> None:
    project = demo_assessments()
    project = project.replacing(replace(project.entries[1], recogniser="x-vector"))
    found = read_case(write(tmp_path, 'recogniser = "ECAPA"\nback_end = "PLDA"\n')).said_of(project)
    assert [entry.attack for entry in found.entries] == [
        *("ECAPA, PLDA", "x-vector, PLDA", "ECAPA, PLDA", "ECAPA, PLDA")
    ]


def test_what_the_file_does_not_say_stays(tmp_path: Path) -> None:
    project = demo_assessments()
    project = replace(project, report=replace(project.report, author="A", signers=("S",)))
    told = read_case(write(tmp_path, 'requester = "R"\n')).said_of(project).report
    assert (told.author, told.requester, told.signers) == ("A", "R", ("S",))


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        pytest.param("author = A\n", 1, "case-not-toml", id="no quotes"),
        pytest.param('case = "1"\n\nauthor "A"\n', 3, "case-not-toml", id="no equals sign"),
        pytest.param('case = "1', 1, "case-not-toml", id="breaks off"),
        pytest.param(f"case = {'[' * 10_000}", 1, "case-not-toml", id="lists in lists without end"),
        pytest.param(f"case = {'9' * 10_000}", 1, "case-not-toml", id="a number longer than Python reads"),
        pytest.param('case = "1"\nauthour = "A"\n', 2, "case-unknown", id="misspelt"),
        pytest.param('case = "1"\n[author]\nname = "A"\n', 2, "case-not-text", id="a table"),
        pytest.param('case = "1"\n\nauthor = 3\n', 3, "case-not-text", id="a number"),
        pytest.param('signatories = "A"\n', 1, "case-not-texts", id="one name, no list"),
        pytest.param('signatories = ["A", 1]\n', 1, "case-not-texts", id="a number among names"),
        pytest.param(f"signatories = {['A'] * 9}\n", 1, "case-too-many", id="nine who sign"),
        pytest.param(f'case = "1"\nauthor = "{"A" * 20_001}"\n', 2, "case-too-long", id="too long"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, text: str, line: int, code: str) -> None:
    with pytest.raises(InputError, match=rf"^case.toml, line {line}: ") as told:
        read_case(write(tmp_path, text))
    assert told.value.code == code


def test_a_misspelt_name_is_answered_by_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"“authour” is not part of a report. Known are: case, author,"):
        read_case(write(tmp_path, 'authour = "A"\n'))


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    path.write_bytes(b'case = "1"\nauthor = "M\xfcller"\n')
    with pytest.raises(InputError, match=r"case.toml, line 2: found the byte 0xFC"):
        read_case(path)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"was not found"):
        read_case(tmp_path / "none.toml")
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_case(write(tmp_path, "#" * (1 << 20) + "\n\n"))
