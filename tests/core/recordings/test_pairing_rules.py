"""How copies are found by names that vendors give them: rules from names, tables, and what is not guessed."""

import time
from pathlib import Path, PurePosixPath

import pytest

from zebra_core.errors import InputError
from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing_offers import known_sources, offers, pair, undoubted
from zebra_core.recordings.pairing_rules import PairingRule, PairingTable, SharedName, match, rule_or_table

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
    assert match(by_folder, left, right) == ({n: n for n in range(20)}, frozenset(), frozenset())

    mixed = recordings("o", ["a.wav", "A.wav", "b.wav"]), recordings("p", ["a.wav", "B.wav"])
    assert match(PairingRule(), *mixed) == ({0: 0, 2: 1}, frozenset(), frozenset())


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

    assert match(PairingTable(tmp_path / "pairs.csv"), left, right) == (
        {0: 1, 1: 0},
        frozenset(),
        frozenset(),
    )


def test_a_table_that_says_nothing_has_a_sentence(tmp_path):
    (tmp_path / "pairs.csv").write_text("a.wav\nb.wav\n")
    both = recordings("o", ["a.wav", "b.wav"]), recordings("p", ["x1.mp3", "x2.mp3"])

    with pytest.raises(InputError, match="which is not a line of several columns"):
        match(PairingTable(tmp_path / "pairs.csv"), *both)


def test_of_two_copies_that_a_table_names_the_first_is_used_and_the_other_told(tmp_path):
    """One double row is a matter of one recording; the others are compared all the same."""
    for name, content in {"o/a": "a", "o/b": "b", "p/x1": "same", "p/x2": "other", "p/x3": "same"}.items():
        path = tmp_path / f"{name}.wav"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    (tmp_path / "pairs.csv").write_text("a.wav;x1.wav\nb.wav;x2.wav\na.wav;x3.wav\na.wav;x1.wav\n")
    left, right = (
        [Recording(tmp_path / top / name, PurePosixPath(name)) for name in names]
        for top, names in (("o", ["a.wav", "b.wav"]), ("p", ["x1.wav", "x2.wav", "x3.wav"]))
    )
    found = pair(left, {"V": right}, {"V": [PairingTable(tmp_path / "pairs.csv")]})

    assert {name: one.stem for name, one in found.protected["V"].items()} == {"a": "x1", "b": "x2"}
    assert found.strangers["V"] == found.competing["V"] == ()
    assert [*doubtful_copies.of_pairing(found)] == [
        (
            "A line of pairs.csv names another copy of a recording than an earlier line does; the earlier "
            "line counts, and this copy is left out: line 3: x3.wav of a, after x1.wav in line 1. Check "
            "which is meant."
        ),
        (
            "a was delivered twice under V: x3.wav is identical, byte by byte, to its copy x1.wav, and was "
            "left alone."
        ),
    ]


def test_a_copy_without_an_original_that_has_the_bytes_of_another_is_told_with_both_names(tmp_path):
    for name in ("o/a", "o/b", "p/a", "p/b", "p/9f2"):
        path = tmp_path / f"{name}.wav"
        path.parent.mkdir(exist_ok=True)
        path.write_text("b" if name == "p/9f2" else name[2:])
    left, right = (
        [Recording(path, PurePosixPath(path.name)) for path in sorted((tmp_path / top).iterdir())]
        for top in "op"
    )
    found = pair(left, {"V": right})

    assert [*doubtful_copies.of_pairing(found)] == [
        (
            "b was delivered twice under V: 9f2.wav is identical, byte by byte, to its copy b.wav, and was "
            "left alone."
        )
    ]


def test_what_a_rule_does_not_fit_is_told_apart_from_what_has_no_original():
    copies = [*(f"{one}_anon.wav" for one in CALLS[:18]), "call_99_anon.wav", "REC7.wav"]
    found = pair(recordings("o", [f"{one}.wav" for one in CALLS]), {"B2": recordings("p", copies)})

    assert found.unpaired["B2"] == ("call_18", "call_19")
    assert [str(one.place) for one in found.strangers["B2"]] == ["call_99_anon.wav", "REC7.wav"]
    assert [str(one.place) for one in found.named_otherwise("B2")] == ["REC7.wav"]


def test_a_table_whose_columns_may_be_either_is_not_guessed(tmp_path):
    """Originals and copies that use the same names, in another order: the first line says which is which."""
    names = [f"rec{n}.wav" for n in range(1, 5)]
    both = recordings("o", names), recordings("p", names)
    rows = "".join(f"{names[n]};{names[n - 1]}\n" for n in range(4))
    (tmp_path / "pairs.csv").write_text(rows)
    with pytest.raises(InputError, match="does not say which column names originals and which names their"):
        match(PairingTable(tmp_path / "pairs.csv"), *both)

    (tmp_path / "pairs.csv").write_text("copy;original\n" + rows)
    assert match(PairingTable(tmp_path / "pairs.csv"), *both)[0] == {(n - 1) % 4: n for n in range(4)}


def test_a_copy_in_the_folder_of_other_originals_is_none_of_another_folder():
    left = recordings("o", [f"agent1/call{n}.wav" for n in (1, 2, 3, 4)] + ["agent2/call1.wav"])
    right = recordings("p", [f"agent1/call{n}.wav" for n in (1, 2, 3)] + ["agent2/call4.wav"])

    assert match(PairingRule(), left, right)[0] == {0: 0, 1: 1, 2: 2}


def test_an_original_whose_copy_is_missing_is_not_called_doubtful():
    left = recordings("o", in_folders("{agent}/call{n}.wav"))
    right = [
        one
        for one in recordings("p", in_folders("{agent}/call{n}.wav"))
        if "agent2/call3" not in str(one.place)
    ]
    found = pair(left, {"B2": right})

    assert (found.ambiguous["B2"], found.unpaired["B2"]) == ((), ("agent2/call3",))


def test_copies_that_compete_are_named_and_are_no_strangers():
    found = pair(
        recordings("o", ["a.wav", "b.wav"]), {"B2": recordings("p", ["x/a.wav", "y/a.wav", "b.wav"])}
    )

    assert [str(one.place) for one in found.competing["B2"]] == ["x/a.wav", "y/a.wav"]
    assert found.strangers["B2"] == ()
    assert list(doubtful_copies.of_pairing(found))[1] == (
        "2 recordings under B2 may be copies of the same original, or of several, and were left alone: "
        "x/a.wav, y/a.wav."
    )


def test_a_second_way_to_name_copies_is_asked_about():
    copies = [f"{one}_x.wav" for one in CALLS[:10]] + [f"y_{one}.wav" for one in CALLS[10:]]

    assert chosen([f"{one}.wav" for one in CALLS], copies) is None


def test_a_table_is_never_taken_unasked(tmp_path):
    (tmp_path / "map.csv").write_text("".join(f"{one}.wav;x{n}.wav\n" for n, one in enumerate(CALLS)))
    table = PairingTable(tmp_path / "map.csv")
    left, right = (
        recordings("o", [f"{one}.wav" for one in CALLS]),
        recordings("p", [f"x{n}.wav" for n in range(20)]),
    )
    found = offers(left, right, [table])

    assert (found[0].source, len(found[0].pairs)) == (table, 20)
    assert undoubted(found, 20, 20) is None


def test_given_ways_that_pair_as_many_otherwise_or_none_are_refused():
    left = recordings("o", [f"{one}.wav" for one in CALLS])
    right = {"V": recordings("p", [f"{one}_{end}.wav" for one in CALLS for end in ("v1", "v2")])}
    with pytest.raises(InputError, match=r"State which is meant, as V:RULE"):
        pair(left, right, {"V": (PairingRule.parse("{}={}_v1"), PairingRule.parse("{}={}_v2"))})
    with pytest.raises(InputError, match=r"By {}={}_v3 no recording under V is the copy of any original"):
        pair(left, right, {"V": (PairingRule.parse("{}={}_v3"),)})


def test_endings_of_sound_in_a_rule_mean_nothing():
    assert PairingRule.parse("{}.wav={}_anon.mp3") == PairingRule("{}", "{}_anon")
    assert PairingRule.parse("{}={}.wav") == PairingRule("{}", "{}.wav")


def test_signs_of_letters_are_no_marks_between_words():
    left, right = recordings("o", ["\u0915\u093f_1.wav"]), recordings("p", ["\u0915\u0940_1.wav"])

    assert match(PairingRule(), left, right)[0] == {}


def test_a_rule_with_too_many_places_for_anything_is_refused_at_once():
    for rule in ("{}{}{}{}{}{}{}{}x={}", "*_*_*_*{}y={}"):
        with pytest.raises(InputError, match="more than 3 places in one name"):
            PairingRule.parse(rule)
    assert str(PairingRule.parse("*/*_{}_*=*_{}")) == "*/*_{}_*=*_{}"


def test_a_rule_about_folders_ends_at_once_whatever_files_are_called():
    rule = PairingRule.parse("{}{}{}/{}{}{}/{}{}{}q={}")
    began = time.monotonic()
    long, short = recordings("o", ["/".join(["-" * 200] * 3) + ".wav", "-_-/abc/defq.wav"])
    assert rule.of_original(long) is None
    found = rule.of_original(short)
    assert time.monotonic() - began < 5
    assert found == SharedName("", "-/_/-/a/b/c/d/e/f")
