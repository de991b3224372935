"""The words of a case in a file of their own."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.samples import CONTEXT, demo_assessments
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.project.items import Condition
from zebra_core.project.reading.case_file import read_case
from zebra_core.project.report_settings import TEXTS, Access

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
recipients = "One hospital"
access = "controlled"
other_knowledge = "Old recordings"
motive = "Curiosity"
means = "A day"
domain = "The ward"
people = 20
retention = "Two years"
hears_originals = "Nobody else"
review_on = 2027-01-31
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
    assert {name: getattr(told, name) for name in CONTEXT} == CONTEXT
    assert told.unstated == ()


def test_a_date_may_be_a_text_and_access_public(tmp_path: Path) -> None:
    text = 'access = "public"\nreview_on = "2027-01-31"\n'
    told = read_case(write(tmp_path, text)).said_of(demo_assessments()).report
    assert (told.access, told.review_on) == (Access.PUBLIC, dt.date(2027, 1, 31))


def test_the_people_in_question_are_the_prior(tmp_path: Path) -> None:
    """One of 17 people: a prior of 1 in 17; whoever states nobody leaves it as it is."""
    project = demo_assessments().at_prior(500)
    for text, one_in in (("people = 17\n", 17), ('motive = "m"\n', 500)):
        told = read_case(write(tmp_path, text)).said_of(project)
        assert {entry.assessment.settings.prior_one_in for entry in told.entries} == {one_in}


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
        pytest.param('\naccess = "open"\n', 2, "case-not-access", id="neither public nor controlled"),
        pytest.param("access = true\n", 1, "case-not-access", id="a flag for who gets at it"),
        pytest.param('access = ["public"]\n', 1, "case-not-access", id="a list for who gets at it"),
        pytest.param('\n\nreview_on = "31.1.2027"\n', 3, "case-not-date", id="a date of another way"),
        pytest.param('review_on = "20270131"\n', 1, "case-not-date", id="a date without hyphens"),
        pytest.param('review_on = "2027-02-30"\n', 1, "case-not-date", id="a day that is not"),
        pytest.param("review_on = 2027-01-31T10:00:00\n", 1, "case-not-date", id="with a time"),
        pytest.param("review_on = 2027\n", 1, "case-not-date", id="a year"),
        pytest.param('\npeople = "20"\n', 2, "case-not-people", id="people in quotes"),
        pytest.param("people = 20.0\n", 1, "case-not-people", id="people with a decimal point"),
        pytest.param("people = true\n", 1, "case-not-people", id="a flag for people"),
        pytest.param("people = 1\n", 1, "case-not-people", id="one person alone"),
        pytest.param("people = 10000001\n", 1, "case-not-people", id="more than anybody is sought among"),
        *(pytest.param(f"\n{name} = 3\n", 2, "case-not-text", id=f"{name} as a number") for name in TEXTS),
        pytest.param(f'motive = "{"m" * 2001}"\n', 1, "case-too-long", id="a motive of some pages"),
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
    with pytest.raises(
        InputError, match=r"“authour” is not part of a report. Known are: case, requester, author,"
    ):
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


def test_sessions_are_a_rule_or_a_file_beside(tmp_path: Path) -> None:
    (tmp_path / "sessions.txt").write_text("1089-134686-0001 morning\n1089-134686-0002 evening\n")
    by_rule, by_file = (
        read_case(write(tmp_path, f'sessions = "{word}"\n')).said_of(demo_assessments()).entries
        for word in ("before-last-hyphen", "sessions.txt")
    )
    assert {entry.sessions for entry in by_rule} == {SessionRule.BEFORE_LAST_HYPHEN}
    of = {"1089-134686-0001": "morning", "1089-134686-0002": "evening"}
    assert all(entry.sessions == of for entry in by_file)
    with pytest.raises(InputError) as refused:
        read_case(write(tmp_path, 'sessions = "hyphen"\n'))
    assert refused.value.code == "missing"
