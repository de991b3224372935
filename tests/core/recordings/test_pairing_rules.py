"""How copies are found by names that vendors give them: rules from names, tables, and what is not guessed."""

from pathlib import Path, PurePosixPath

import pytest

from zebra_core.errors import InputError
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing import known_sources, pair
from zebra_core.recordings.pairing_offers import offers, undoubted
from zebra_core.recordings.pairing_rules import PairingRule, PairingTable, match, rule_or_table

AGENTS = [f"agent{n}" for n in range(1, 6)]
PEOPLE = ("Eva_Novak", "Ana_Maria_Lopez", "Bo_Li", "Jean_Paul", "X_Y")
CALLS = [f"call_{n}" for n in range(20)]


def recordings(top, places):
    return [Recording(Path(top, place), PurePosixPath(place)) for place in places]


def in_folders(name):
    return [name.format(agent=agent, n=n) for agent in AGENTS for n in range(4)]


def chosen(originals, copies):
    """The rule that is taken unasked, the true pairs being those of the same position in both lists."""
    left, right = recordings("o", originals), recordings("p", copies)
    found = undoubted(offers(left, right), len(left), len(right))
    if found is None:
        return None
    assert all(mine == other for mine, other in found.pairs.items())
    return str(found.source), len(found.pairs)


@pytest.mark.parametrize(
    ("originals", "copies", "rule"),
    [
        (in_folders("{agent}/call{n}.wav"), in_folders("{agent}/call{n}.mp3"), "{}={}"),
        (in_folders("{agent}_call{n}.wav"), in_folders("{agent}_CALL{n}.WAV"), "{}={}"),
        (in_folders("{agent}/call{n}.wav"), in_folders("{agent}/call{n}_anon.wav"), "{}={}_anon"),
        (in_folders("{agent}/call{n}.wav"), in_folders("{agent}_call{n}_anon.wav"), "{}/{}={}_anon"),
        (in_folders("{agent}/call{n}.wav"), in_folders("out/{agent}/call{n}_vc.wav"), "{}/{}={}/{}_vc"),
        ([f"{one}.wav" for one in CALLS], [f"{one}anon.wav" for one in CALLS], "{}={}anon"),
        ([f"{one}.wav" for one in CALLS], [f"anon_{one}.wav" for one in CALLS], "{}=anon_{}"),
        ([f"{one}.wav" for one in CALLS], [f"{one}.wav.mp3" for one in CALLS], "{}={}.wav"),
        (
            [f"{one}.wav" for one in CALLS],
            [f"{one}_{n * 7919:06x}.wav" for n, one in enumerate(CALLS)],
            "{}={}_*",
        ),
        (
            [f"Mu\u0308ller {n}.wav" for n in range(5)],
            [f"M\u00fcller_{n}_anon.wav" for n in range(5)],
            "{}={}_anon",
        ),
        (
            [f"2025-03-{n:02}_call_{n:04}.wav" for n in range(1, 21)],
            [f"call_{n:04}_ANON.mp3" for n in range(1, 21)],
            "*_{}={}_ANON",
        ),
        (
            [f"{PEOPLE[n % 5]}_call_{n:03}.wav" for n in range(20)],
            [f"call_{n:03}_ANON.mp3" for n in range(20)],
            "*_call_{}=call_{}_ANON",
        ),
    ],
)
def test_the_names_that_vendors_give_are_paired_unasked(originals, copies, rule):
    assert chosen(originals, copies) == (rule, len(originals))


@pytest.mark.parametrize(
    ("originals", "copies"),
    [
        pytest.param(CALLS, [f"{n:06x}" for n in range(700, 720)], id="nothing in common"),
        pytest.param(CALLS, [f"{one}{end}" for one in CALLS for end in ("", "_anon")], id="copies twice"),
        pytest.param(CALLS, [f"{one}_{end}" for one in CALLS for end in ("a1", "a2")], id="two safeguards"),
        pytest.param(
            [f"2025-03-{n:02}_call_{n:04}" for n in range(1, 21)],
            [f"anon_{n:04}" for n in range(1, 21)],
            id="a number that may be another",
        ),
        pytest.param(CALLS, [*(f"{one}_anon" for one in CALLS[:4]), *"abcdefghijklmnopq"], id="few of many"),
        pytest.param(["x/1-a_1", "x/1-b_2"], ["y/2-a_3", "y/2-c_4"], id="one by chance"),
        pytest.param(["a/1"], ["a/2"], id="the folder alone"),
    ],
)
def test_what_names_leave_open_is_not_guessed(originals, copies):
    left = recordings("o", [f"{one}.wav" for one in originals])
    right = recordings("p", [f"{one}.wav" for one in copies])

    assert undoubted(offers(left, right), len(left), len(right)) is None


def test_the_ways_that_are_open_are_all_offered_with_examples():
    found = offers(
        recordings("o", [f"{one}.wav" for one in CALLS]),
        recordings("p", [f"{one}_{end}.wav" for one in CALLS for end in ("v1", "v2")]),
    )

    assert [str(one.source) for one in found] == ["{}={}_v1", "{}={}_v2"]
    assert found[1].examples.startswith("call_0.wav ↔ call_0_v2.wav, ")
    assert found[0].in_words == "The rule {}={}_v1: 20 pairs"


def test_an_open_question_names_the_safeguard_and_every_way():
    with pytest.raises(InputError, match="which copies under B2 belong to which originals") as refused:
        known_sources(
            recordings("o", [f"{one}.wav" for one in CALLS]),
            {"B2": recordings("p", [f"{one}{end}.wav" for one in CALLS for end in ("", "_anon")])},
        )

    assert [rule for rule, _examples in refused.value.facts["ways"]] == ["{}={}", "{}={}_anon"]


def test_of_ways_that_are_given_each_safeguard_takes_the_one_that_pairs_most():
    ways = tuple(map(rule_or_table, ("{}={}_anon", "{}=x_{}")))
    copies = {
        "A": recordings("a", [f"{one}_anon.wav" for one in CALLS]),
        "B": recordings("b", [f"x_{one}.wav" for one in CALLS]),
    }
    found = pair(recordings("o", [f"{one}.wav" for one in CALLS]), copies, dict.fromkeys(copies, ways))

    assert {name: str(source) for name, source in found.sources.items()} == {
        "A": "{}={}_anon",
        "B": "{}=x_{}",
    }
    assert len(found.complete) == len(CALLS)


def test_a_rule_may_name_folders_and_pairs_exact_names_before_those_without_capitals():
    by_folder = PairingRule.parse("{}/{}={}_anon/{}")
    left = recordings("o", in_folders("{agent}/call{n}.wav"))
    right = recordings("p", in_folders("{agent}_anon/call{n}.wav"))
    assert match(by_folder, left, right) == ({n: n for n in range(20)}, frozenset())

    mixed = recordings("o", ["a.wav", "A.wav", "b.wav"]), recordings("p", ["a.wav", "B.wav"])
    pairs, doubtful = match(PairingRule(), *mixed)
    assert pairs == {0: 0, 2: 1}
    assert doubtful == {1}  # which shares a.wav with its namesake


@pytest.mark.parametrize("text", ["{}", "{}=anon", "call={}"])
def test_what_is_no_rule_has_a_sentence(text):
    with pytest.raises(InputError, match="is no rule for pairs"):
        rule_or_table(text) if "{}" in text else PairingRule.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "original;copy\nb.wav;x1.mp3\na.wav;x2.mp3\n",
        "x1.mp3\tb\tnote\nx2.mp3\ta\tlate\n",
        '\ufeff"s/b.wav","q/x1.mp3"\r\n"s/a.wav","q/x2.mp3"\r\n"c.wav","gone.mp3"\r\n',
    ],
)
def test_a_table_pairs_whatever_files_are_called(tmp_path, text):
    (tmp_path / "pairs.csv").write_text(text, encoding="utf-8")
    left, right = recordings("o", ["s/a.wav", "s/b.wav", "c.wav"]), recordings("p", ["q/x1.mp3", "q/x2.mp3"])

    assert match(PairingTable(tmp_path / "pairs.csv"), left, right) == ({0: 1, 1: 0}, frozenset())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a.wav;x1.mp3\na.wav;x2.mp3\n", "pairs.csv, line 2: “a.wav” has another copy in an earlier line"),
        ("a.wav\nb.wav\n", "begins with “a.wav”, which is not a line of two columns"),
    ],
)
def test_a_table_that_says_two_things_or_nothing_has_a_sentence(tmp_path, text, sentence):
    (tmp_path / "pairs.csv").write_text(text)
    both = recordings("o", ["a.wav", "b.wav"]), recordings("p", ["x1.mp3", "x2.mp3"])

    with pytest.raises(InputError, match=sentence):
        match(PairingTable(tmp_path / "pairs.csv"), *both)


def test_what_a_rule_does_not_fit_is_told_apart_from_what_has_no_original():
    copies = [*(f"{one}_anon.wav" for one in CALLS[:18]), "call_99_anon.wav", "REC7.wav"]
    found = pair(recordings("o", [f"{one}.wav" for one in CALLS]), {"B2": recordings("p", copies)})

    assert found.unpaired["B2"] == ("call_18", "call_19")
    assert [str(one.place) for one in found.strangers["B2"]] == ["call_99_anon.wav", "REC7.wav"]
    assert [str(one.place) for one in found.named_otherwise("B2")] == ["REC7.wav"]
