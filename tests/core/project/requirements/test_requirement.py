"""What a requirement is of, and when it came into a project."""

from dataclasses import replace
from pathlib import Path

import pytest

import zebra_resources
from tests.core.samples import HOSTILE, demo_assessments, project_of
from zebra_core.errors import InputError
from zebra_core.metrics.scales import PAPER_SCALE, Tag, TagScale
from zebra_core.project.project import Project
from zebra_core.project.requirements.ready import READY, ready_requirements
from zebra_core.project.requirements.requirement import (
    RecordedWhen,
    Requirement,
    RequirementDetail,
    Scope,
    Sense,
    former_figures,
    matches,
    read_requirements,
    refuse_idle,
    requirements_text,
)
from zebra_core.wording.texts import speaking

ASKED = Requirement("r", "d_ece", 0.1, scope=Scope(safeguards=("B1",)))


@pytest.mark.parametrize(
    ("pattern", "name", "is_one"),
    [
        ("B1", "B1", True),
        ("B1", "B1w", False),
        ("B*", "B1w", True),
        ("*", "", True),
        ("*_f", "libri_f", True),
        ("a[b]", "a[b]", True),
        ("a.c", "abc", False),
        ("", "x", False),
        ("*", "two\nlines", True),
        ("ab*ba", "aba", False),
        ("a*b*b", "abcb", True),
        ("*a*a", "a", False),
    ],
)
def test_a_star_stands_for_anything_and_nothing_else_does(pattern: str, name: str, is_one: bool) -> None:
    assert matches(pattern, name) is is_one


def test_no_pattern_takes_longer_than_its_name_is_long() -> None:
    assert not matches("*a" * 99 + "*b", "a" * 2_000)
    assert matches("*a" * 99 + "*", "a" * 2_000)


def test_a_project_records_whether_a_requirement_came_before_its_data() -> None:
    before = Project().requiring(ASKED)
    assert before.requirements[0].recorded is RecordedWhen.BEFORE
    after = project_of("B1").requiring(ASKED)
    assert after.requirements[0].recorded is RecordedWhen.AFTER
    others = project_of("B2").requiring(ASKED)
    assert others.requirements[0].recorded is RecordedWhen.BEFORE


def test_one_that_is_known_keeps_its_record_while_its_demand_is_the_same() -> None:
    known = Project().requiring(ASKED).with_items(*project_of("B1").items)
    again = known.requiring(replace(ASKED, why="Said anew."))
    assert [(each.why, each.recorded) for each in again.requirements] == [("Said anew.", RecordedWhen.BEFORE)]
    with pytest.raises(InputError, match="a different requirement called “r”"):
        known.requiring(replace(ASKED, bound=0.2))


def test_a_demand_reads_as_a_sentence() -> None:
    assert ASKED.in_words == "population disclosure D_ECE is at most 0.1 bit, at a confidence of 95 %"
    worse = Requirement("r", "eer", 0.02, no_worse_than="B1w", confidence=0.9)
    assert worse.in_words == (
        "the EER is worse than that of B1w by no more than 2.00 percentage points, at a confidence of 90 %"
    )
    share = Requirement("r", "share_at_tag", 0.05, confidence=None, tag="C")
    assert share.in_words == "the share of target trials at C or beyond is at most 5 %"


def test_a_scope_reads_as_what_it_names() -> None:
    assert Scope().in_words == "everything that is protected"
    assert Scope(("a", "b"), ("OP",)).in_words == "a, b · OP"


WHOLE = """\
[[requirement]]
name = "little"
figure = "d_ece_bits"
at_most = 0.1
confidence = 0.9
datasets = ["libri_*"]
conditions = ["OP", "PP"]
attackers = ["lazy-informed"]
safeguards = ["B1w"]
why = '''
No [[requirement]]
is here.'''
set_by = "the board"

[[requirement]]
name = "no worse"
figure = "eer"
no_worse_than = "B1w"
margin = 0.02
"""
EXAMPLE = zebra_resources.path("examples/requirements.toml")


def write(folder: Path, text: str) -> Path:
    path = folder / "req.toml"
    path.write_bytes(text.encode())
    return path


def refused(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as refusal:
        read_requirements(write(folder, text))
    return str(refusal.value)


def one(*lines: str) -> str:
    return "\n".join(["# first", "[[requirement]]", 'name = "a"', *lines])


def test_everything_can_be_said(tmp_path: Path) -> None:
    first, second = read_requirements(write(tmp_path, WHOLE))
    scope = Scope(("libri_*",), ("OP", "PP"), ("lazy-informed",), ("B1w",))
    assert first == Requirement(
        "little", "d_ece_bits", 0.1, confidence=0.9, scope=scope,
        why="No [[requirement]]\nis here.", set_by="the board",
    )  # fmt: skip
    assert (second.no_worse_than, second.bound, second.confidence) == ("B1w", 0.02, 0.95)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_it_may_come_from_any_editor(tmp_path: Path, ends: str, mark: str) -> None:
    assert len(read_requirements(write(tmp_path, mark + WHOLE.replace("\n", ends)))) == 2


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[[requirement]]\nname = a", 2, "this is not TOML (Invalid value)"),
        (f"x = {'[' * 10_000}", 1, "this is not TOML"),
        (f"x = {'9' * 10_000}", 1, "this is not TOML"),
        (one('figure = "d_ece_bits"', f"at_most = {'9' * 400}"), 5, "at_most is not a number."),
        (one('figure = "d_ece_bits"', f"at_most = 1\nconfidence = {'9' * 400}"), 6, (
            "confidence is not a number."
        )),
        ("", 1, "There is no requirement in this file."),
        ("requirement = 3", 1, "There is no requirement in this file."),
        ('x = 1\n[[requirement]]\nname = "a"', 1, "“x” has no meaning in a file of requirements."),
        (one('figure = "d_cee"', "at_most = 0.1"), 4, "No requirement can be set for “d_cee”."),
        (one('figure = "d_ece_bits"', "at_most = 0.8"), 5, (
            "d_ece_bits cannot be 0.8: it lies between 0 and 0.7213."
        )),
        (one('figure = "eer"', "at_least = 30"), 5, "eer cannot be 30: it lies between 0 and 1."),
        (one('figure = "eer"', "at_least = -inf"), 5, "eer cannot be -inf"),
        (one('figure = "worst_case_log10_lr"', "at_most = -1"), 5, (
            "worst_case_log10_lr cannot be -1: it must be a number"
        )),
        (one('figure = "worst_case_log10_lr"', "at_most = inf"), 5, "worst_case_log10_lr cannot be inf"),
        (one('figure = "d_ece_bits"', "at_most = nan"), 5, "at_most is not a number."),
        (one('figure = "d_ece_bits"', 'at_most = "B"'), 5, "d_ece_bits cannot be B"),
        (one('figure = "d_ece_bits"', "at_most = true"), 5, "at_most is not a number."),
        (one('figure = "tag"', "at_most = 2"), 5, "The bound of a tag is its letter in quotes, not 2."),
        (one('figure = "tag"', 'at_most = "Z"'), 5, "The project’s scale has no tag “Z”."),
        (one('figure = "tag"', 'at_most = "B"', "confidence = 0.9"), 6, "tag takes no confidence"),
        (one('figure = "share_at_tag"', "at_most = 0.1"), 2, "A share at a tag must name the tag"),
        (one('figure = "share_at_tag"', 'tag = "Q"', "at_most = 0.1"), 5, "scale has no tag “Q”"),
        (one('figure = "d_ece_bits"', "at_most = 0.1", "confidence = 1.0"), 6, (
            "The confidence cannot be 1.0"
        )),
        (one('figure = "d_ece_bits"', "at_most = 0.1", "at_least = 0.0"), 6, "A requirement has one bound"),
        (one('figure = "d_ece_bits"'), 3, "A requirement has one bound"),
        (one('figure = "d_ece_bits"', 'no_worse_than = "B"', "at_most = 0.1"), 6, "has a margin"),
        (one('figure = "linkability"', 'no_worse_than = "B"', "margin = 0.1"), 5, "cannot be compared by"),
        (one('figure = "d_ece_bits"', "at_most = 0.1", "conditions = 3"), 6, (
            "conditions is not a list of names."
        )),
        (one('figure = "d_ece_bits"', "at_most = 0.1", "colour = 3"), 6, "“colour” has no meaning"),
        (one('figure = "de_id"', "at_least = 90"), 5, "de_id cannot be 90: it lies between 0 and 1."),
        (one('figure = "g_vd_db"', "at_least = -200"), 5, (
            "g_vd_db cannot be -200: it lies between -100 and 100."
        )),
        (one('figure = "g_vd_db"', "at_least = -6", "confidence = 0.9"), 6, "g_vd_db takes no confidence"),
        (one("figure = 3", "at_most = 0.1"), 4, "figure is not text."),
        (one('figure = "pi_link"', "at_most = 0.1"), 2, "pi_link also needs people"),
        (one('figure = "pi_link"', "people = 2.0", "at_most = 0.1"), 5, "people is not a whole number."),
        (one('figure = "pi_link"', "people = 1", "at_most = 0.1"), 5, "people must be a whole number from 2"),
        (one('figure = "pi_link"', 'people = "context"', "at_most = 0.1"), 5, "which nobody has stated"),
        (one('figure = "pi_link"', "people = 9", "recordings = 0", "at_most = 1"), 6, "recordings must be"),
        (one('figure = "d_ece_bits"', "people = 20", "at_most = 0.1"), 5, "d_ece_bits takes no people."),
        (one('figure = "pi_sing"', "people = 20", "at_most = 0.37"), 6, (
            "an attacker who ignores the scores singles somebody out in 37.7 % of the attempts. Less than "
            "that is no protection."
        )),
        (one('figure = "pi_sing"', "people = 20", "at_least = 0.5"), 6, "can only have an upper bound"),
        (one('figure = "hits_at"', "false_alarms = 0.05", "at_most = 0.1"), 5, "0.01, 0.001, 0.0001"),
        (one('figure = "hits_at"', "at_most = 0.1"), 2, "hits_at also needs false_alarms"),
        (one('figure = "inference"', "at_most = 0.1"), 2, "inference also needs attribute"),
        (one('figure = "rating"', 'question = "similarity"', "at_least = 5"), 5, "naturalness"),
        (one('figure = "rating"', "at_least = 5"), 2, "rating also needs question"),
        (one('figure = "d_ece_bits"', 'group = "women"', "at_most = 0.1"), 5, (
            "“women” is not a group of people."
        )),
        (one('figure = "wer"', 'group = "sex=f"', "at_most = 0.1"), 5, "cannot be required of a group"),
        ('[[requirement]]\nfigure = "d_ece_bits"\nat_most = 0.1', 1, "A requirement has no name."),
        (WHOLE.replace("no worse", "little"), 16, "There are two requirements called “little”."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence_with_file_and_line(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    told = refused(tmp_path, text)
    assert told.startswith(f"req.toml, line {line}: ")
    assert reason in told
    assert "\n" not in told


def test_every_figure_says_which_it_is_and_is_written_so(tmp_path: Path) -> None:
    text = """\
[[requirement]]
name = "linked"
figure = "pi_link"
people = 20
recordings = 3
group = "sex=female"
at_most = 0.09
confidence = 0.95

[[requirement]]
name = "hits"
figure = "hits_at"
false_alarms = 0.0001
at_most = 0.05
confidence = 0.95

[[requirement]]
name = "rated"
figure = "rating"
question = "naturalness"
at_least = 6.0
confidence = 0.95
"""
    linked, hits, rated = found = read_requirements(write(tmp_path, text))
    assert linked.detail == RequirementDetail(people=20, recordings=3, group="sex=female")
    assert (
        "that 3 recordings together name the right one of 20 people, among those of sex=female"
        in linked.in_words
    )
    assert "at one false alarm in 10 000" in hits.in_words.replace("\u202f", " ")
    assert "mean rating of naturalness is at least 6" in rated.in_words
    assert requirements_text(found) == text


def test_people_of_the_context_are_as_many_as_it_states(tmp_path: Path) -> None:
    text = one('figure = "most_linked"', 'people = "context"', "at_most = 0.09")
    (found,) = read_requirements(write(tmp_path, text), people=31)
    assert found.detail.people == 31


@pytest.mark.parametrize("name", READY)
def test_requirements_of_others_say_in_english_what_their_file_says(name: str) -> None:
    path = zebra_resources.path(f"examples/{name}.toml")
    assert ready_requirements(name, PAPER_SCALE, 20) == read_requirements(path, people=20)
    assert all(each.why for each in ready_requirements(name, PAPER_SCALE, 20))


def test_requirements_of_others_are_said_in_every_language_and_need_the_number_of_people() -> None:
    with speaking("de"):
        (found,) = ready_requirements("nine-in-a-hundred", PAPER_SCALE, 11)
        assert found.name == "Höchstens 0,09 für jede Person"
    assert (found.bound, found.detail.people) == (0.09, 11)
    with pytest.raises(InputError, match="which nobody has stated"):
        ready_requirements("nine-in-a-hundred", PAPER_SCALE, None)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "req.toml"
    path.write_bytes(b"# a\n\xff")
    with pytest.raises(InputError, match=r"req\.toml, line 2: found the byte 0xFF"):
        read_requirements(path)


def test_names_of_before_are_read_told_and_written_as_today(tmp_path: Path) -> None:
    path = write(tmp_path, one('figure = "worst_case_of_others"', "at_most = 2"))
    (read,) = read_requirements(path)
    assert read.figure == "cross_fitted_worst_case_log10_lr"
    assert former_figures(path) == {"worst_case_of_others": read.figure}
    path = write(tmp_path, requirements_text([read]))
    assert (read_requirements(path), former_figures(path)) == ((read,), {})


def test_tags_are_those_of_the_scale_of_the_project(tmp_path: Path) -> None:
    scale = TagScale((Tag("none", 0.0), Tag("low", 0.0), Tag("high", 2.0)))
    path = write(tmp_path, one('figure = "tag"', 'at_most = "low"'))
    assert read_requirements(path, scale)[0].bound == "low"
    with pytest.raises(InputError, match="Its tags are: 0, A, B"):
        read_requirements(path)


@pytest.mark.parametrize(
    ("line", "number", "found"),
    [
        ('datasets = ["vctk"]', 6, "there is no assessment of “vctk”"),
        ('conditions = ["PP"]', 6, "there is no assessment of “PP”"),
        ('attackers = ["nobody"]', 6, "there is no assessment of “nobody”"),
        ('safeguards = ["B9*"]', 6, "there is no assessment of “B9*”"),
        ('safeguards = ["B1"]\ndatasets = [""]', 3, ""),
    ],
)
def test_a_scope_that_matches_nothing_is_refused_with_its_line(
    tmp_path: Path, line: str, number: int, found: str
) -> None:
    entries = list(project_of("B1", "B2").entries)
    entries[0] = replace(entries[0], dataset="libri")
    path = write(tmp_path, one('figure = "d_ece_bits"', "at_most = 0.1", line))
    with pytest.raises(InputError) as refusal:
        refuse_idle(path, read_requirements(path), entries)
    assert str(refusal.value).startswith(f"req.toml, line {number}: “a” applies to nothing here: ")
    assert found in str(refusal.value)


def test_a_safeguard_to_compare_with_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path, one('figure = "d_ece_bits"', "margin = 0.1", 'no_worse_than = "B1w"'))
    with pytest.raises(InputError, match=r"line 6: “a” compares with “B1w”, but there is no such safeguard"):
        refuse_idle(path, read_requirements(path), project_of("B1", "B2").entries)
    refuse_idle(path, read_requirements(path), project_of("B1w", "B2").entries)


@pytest.mark.parametrize("text", [value for value in HOSTILE.values() if value.strip()])
def test_what_is_written_is_read_again(tmp_path: Path, text: str) -> None:
    name = text[:200]
    asked = Requirement(
        name, "d_ece_bits", 0.1, Sense.AT_LEAST, 0.9, Scope((name,), (), (name, "b")), why=text, set_by=text
    )
    (found,) = read_requirements(write(tmp_path, requirements_text([asked])))
    readable = [each.replace("\udc80", "?") for each in (name, text)]
    assert found == replace(
        asked,
        name=readable[0],
        scope=Scope((readable[0],), (), (readable[0], "b")),
        why=readable[1],
        set_by=readable[1],
    )


def test_the_example_shows_every_form_and_is_read_and_written() -> None:
    found = read_requirements(EXAMPLE)
    assert {each.figure for each in found} == {
        "d_ece_bits",
        "eer",
        "cross_fitted_worst_case_log10_lr",
        "most_exposed",
        "tag",
        "share_at_tag",
        "de_id",
        "g_vd_db",
        "pi_link",
        "pi_sing",
        "inference",
        "hits_at",
        "wer",
        "rating",
    }
    assert {each.sense for each in found} == set(Sense)
    assert any(each.no_worse_than for each in found)
    text = EXAMPLE.read_text(encoding="utf-8")
    keys = (
        "datasets",
        "conditions",
        "attackers",
        "safeguards",
        "why",
        "set_by",
        "confidence",
        "margin",
        "tag",
        "people",
        "recordings",
        "false_alarms",
        "attribute",
        "question",
        "group",
    )
    assert all(f"\n{key} = " in text for key in keys)


def test_the_example_is_about_something_on_the_demo_and_on_anything_else(tmp_path: Path) -> None:
    found = read_requirements(EXAMPLE)
    refuse_idle(EXAMPLE, found, demo_assessments().entries)
    refuse_idle(EXAMPLE, found, project_of("one").entries)
    assert read_requirements(write(tmp_path, requirements_text(found))) == found
