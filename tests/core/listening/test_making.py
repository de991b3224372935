"""The file that asks for a test: what it says, and the line of what is wrong."""

import re
import textwrap

import pytest

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_core.listening.making import read_request

GOOD = """title = "Ears"
introduction = "Listen."
consent = "Yes."
original = "read"
speakers = "first-folder"
listeners = 6
seed = 4

[protected]
B2 = "b2"

[same]
items = 12
anchors = 2
same_share = 0.25
enrolment = "protected"

[naturalness]
items = 8
low = "as a machine"
high = "as a person"
"""


def read(tmp_path, text):
    path = tmp_path / "test.toml"
    path.write_text(text)
    return read_request(path)


def test_what_is_said(tmp_path):
    found = read(tmp_path, GOOD)
    assert (found.title, found.listeners, found.seed, found.unprotected) == ("Ears", 6, 4, True)
    assert (found.original, found.speakers) == (tmp_path / "read", SpeakerRule.FIRST_FOLDER)
    assert found.protected == {"B2": tmp_path / "b2"}
    assert found.wanted == (
        QuestionDesign(ItemTask.SAME, 12, 2, 0, 0.25, True),
        QuestionDesign(ItemTask.NATURALNESS, 8),
    )
    assert found.scales == {ItemTask.NATURALNESS: ("as a machine", "as a person")}


def test_the_example_of_the_manual_is_read(tmp_path):
    page = zebra_resources.read_text("manual/en/listening-tests.md")
    example = re.search(r"\n\n((?: {4}.*\n)+)", page)
    found = read(tmp_path, textwrap.dedent(example[1]))
    assert (found.listeners, found.protected) == (24, {"B2": tmp_path / "read-B2"})
    assert [(each.question, each.items) for each in found.wanted] == [
        (ItemTask.SAME, 24), (ItemTask.PLACEMENT, 2), (ItemTask.INTELLIGIBILITY, 10),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "Ears"', "titel = 1", "line 1: “titel” is not known here"),
        ("listeners = 6", "listeners = -6", "line 6: “listeners” needs a whole number"),
        ('consent = "Yes."\n', "", "does not say consent. Add it"),
        ("items = 12\n", "", "does not say same.items. Add it"),
        ("same_share = 0.25", "same_share = 25", "line 15: “same_share” needs a number from 0 to 1"),
        ('"protected"', '"mine"', "line 16: the enrolment is “original” or “protected”, not “mine”"),
        ("seed = 4", "unprotected = 4", "line 7: “unprotected” needs true or false"),
        ('[protected]\nB2 = "b2"', "protected = 3", "line 9: “protected” needs a table"),
        ("[naturalness]", "[naturalness", "test.toml, line 18"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, old, new, sentence):
    with pytest.raises(InputError, match=sentence):
        read(tmp_path, GOOD.replace(old, new, 1))


def test_a_test_must_ask_something(tmp_path):
    with pytest.raises(InputError, match="asks nothing\\. Add one of the tables same, placement"):
        read(tmp_path, GOOD[: GOOD.index("[same]")])
