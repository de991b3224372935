"""Laws of the design: balance over safeguards and speakers, shares, and nobody hears an item twice."""

from collections import Counter

import pytest

from zebra_core.errors import InputError
from zebra_core.listening.design import QuestionDesign, SpeakerRecordings, design, heard_again
from zebra_core.listening.items import ItemPurpose, ItemTask

PEOPLE = [f"p{n}" for n in range(8)]
VOICES = SpeakerRecordings({who: [f"{who}-{n}" for n in range(9)] for who in PEOPLE}, {})
SAFEGUARDS = ("", "B1", "B2")
SAME = QuestionDesign(ItemTask.SAME, 24, anchors=4, repeats=5, same_share=0.5)
ALL = (
    SAME,
    QuestionDesign(ItemTask.PLACEMENT, 3, anchors=1, repeats=1, speakers=3, recordings=2),
    QuestionDesign(ItemTask.NATURALNESS, 15, anchors=3, repeats=4),
)


def heard(*wanted, listeners=6, seed=1, voices=VOICES, safeguards=SAFEGUARDS):
    return design(wanted, voices, safeguards, listeners, seed)


def trials(items, asked):
    return [item for item in items if item.question is asked and item.kind is ItemPurpose.TRIAL]


def speakers(item):
    return tuple(one.recording.split("-")[0] for one in item.stimuli)


@pytest.mark.parametrize("seed", range(5))
def test_each_listener_hears_each_safeguard_equally_often_and_shares_hold_under_each(seed):
    for items in heard(*ALL, seed=seed):
        counts = Counter((i.question.value, i.safeguard) for i in items if i.kind is ItemPurpose.TRIAL)
        assert {counts["same", one] for one in SAFEGUARDS} == {8}
        assert {counts["placement", one] for one in SAFEGUARDS} == {1}
        assert {counts["naturalness", one] for one in SAFEGUARDS} == {5}
        for safeguard in SAFEGUARDS:
            pairs = [speakers(i) for i in trials(items, ItemTask.SAME) if i.safeguard == safeguard]
            assert sum(a == b for a, b in pairs) == 4


@pytest.mark.parametrize("seed", range(5))
def test_everybody_hears_the_same_recordings_and_together_each_under_each_safeguard_equally_often(seed):
    of_each = heard(*ALL, seed=seed)
    for asked in (ItemTask.SAME, ItemTask.PLACEMENT, ItemTask.NATURALNESS):
        under = Counter()
        for items in of_each:
            found = trials(items, asked)
            under.update((tuple(one.recording for one in i.stimuli), i.safeguard) for i in found)
        assert set(under.values()) == {2}  # six listeners, three safeguards
        assert len(under) == 3 * len(trials(of_each[0], asked))


@pytest.mark.parametrize("seed", range(5))
def test_nobody_hears_an_item_twice_but_for_the_repeats_which_come_late(seed):
    for items in heard(*ALL, seed=seed):
        once = [item for item in items if item.kind is not ItemPurpose.REPEAT]
        what = [(i.question, frozenset(one.recording for one in i.stimuli)) for i in once]
        assert len(set(what)) == len(what)
        place = {item.id: number for number, item in enumerate(items)}
        for item in items:
            if item.kind is ItemPurpose.REPEAT:
                first = items[place[item.of]]
                assert (first.kind, first.stimuli) == (ItemPurpose.TRIAL, item.stimuli)
                of_question = sum(other.question is item.question for other in once)
                assert place[item.id] - place[item.of] >= of_question // 4
        assert [item.id for item in items] == [f"i{n:04}" for n in range(1, len(items) + 1)]


@pytest.mark.parametrize("seed", range(5))
def test_nobody_hears_a_recording_twice_while_there_are_enough_for_all_questions(seed):
    """Ten speakers with ten recordings: 56 in pairs, 24 on canvases, 10 to rate."""
    voices = SpeakerRecordings({f"p{n}": [f"p{n}-{m}" for m in range(10)] for n in range(10)}, {})
    wanted = (
        QuestionDesign(ItemTask.SAME, 24, anchors=4, repeats=3),
        QuestionDesign(ItemTask.PLACEMENT, 2, speakers=4, recordings=3),
        QuestionDesign(ItemTask.INTELLIGIBILITY, 10, repeats=2),
    )
    items = heard(*wanted, seed=seed, voices=voices, safeguards=("", "B2"))[0]
    once = [one.recording for i in items if i.kind is not ItemPurpose.REPEAT for one in i.stimuli]
    assert len(once) == len(set(once)) == 90
    assert heard_again(items) == (0, 1)


def test_where_there_are_too_few_recordings_it_is_told_how_many_are_heard_how_often():
    """72 recordings: 24 pairs, then all of them once more, to rate."""
    items = heard(QuestionDesign(ItemTask.SAME, 24), QuestionDesign(ItemTask.NATURALNESS, 72))[0]
    assert heard_again(items) == (48, 2)


def test_anchors_are_unprotected_and_everybody_s():
    of_each = heard(*ALL)
    anchors = [{i.stimuli for i in items if i.kind is ItemPurpose.ANCHOR} for items in of_each]
    assert all(found == anchors[0] for found in anchors)
    assert len(anchors[0]) == 4 + 1 + 3
    assert all(one.safeguard == "" for stimuli in anchors[0] for one in stimuli)


def test_speakers_take_turns():
    items = heard(SAME)[0]
    pairs = [speakers(item) for item in trials(items, ItemTask.SAME)]
    same = Counter(a for a, b in pairs if a == b)
    first = Counter(a for a, b in pairs if a != b)
    second = Counter(b for a, b in pairs if a != b)
    for counts in (same, first, second):
        assert sum(counts.values()) == 12
        assert max(counts[who] for who in PEOPLE) - min(counts[who] for who in PEOPLE) <= 1


def test_only_the_second_of_a_pair_is_protected_unless_both_are_asked_for():
    for both in (False, True):
        [items] = heard(QuestionDesign(ItemTask.SAME, 6, enrol_protected=both), listeners=1)
        for item in items:
            first, second = (one.safeguard for one in item.stimuli)
            assert (first, second) == (item.safeguard if both else "", item.safeguard)


def test_different_speakers_are_of_one_sex_where_that_is_known():
    sex = {who: "fm"[n % 2] for n, who in enumerate(PEOPLE)}
    [items] = heard(QuestionDesign(ItemTask.SAME, 24), listeners=1, voices=SpeakerRecordings(VOICES.of, sex))
    assert all(sex[a] == sex[b] for a, b in map(speakers, items))


def test_the_seed_makes_the_test():
    assert heard(*ALL) == heard(*ALL)
    assert heard(*ALL) != heard(*ALL, seed=2)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (
            QuestionDesign(ItemTask.SAME, 20),
            "20 items cannot be divided evenly among 3 conditions.*such as 18 or 21",
        ),
        (QuestionDesign(ItemTask.SAME, 6, same_share=0.1), "all pairs would be of one kind"),
        (QuestionDesign(ItemTask.SAME, 12, repeats=7), "7 repeats are too many.*half the items, 6"),
        (QuestionDesign(ItemTask.NATURALNESS, 12, anchors=13), "13 anchors are too many"),
        (QuestionDesign(ItemTask.NATURALNESS, 75), "There are only 72 recordings: nobody may be asked"),
        (QuestionDesign(ItemTask.SAME, 960, same_share=0.9), "There are not enough recordings of p"),
        (
            QuestionDesign(ItemTask.PLACEMENT, 3, recordings=1),
            "4 speakers with 1 recordings each cannot be shown",
        ),
        (
            QuestionDesign(ItemTask.PLACEMENT, 3, speakers=21, recordings=10),
            "at most 200 recordings on a canvas",
        ),
        (
            QuestionDesign(ItemTask.PLACEMENT, 9, recordings=4),
            "A canvas needs 4 new recordings of each of 4 speakers",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(wanted, sentence):
    with pytest.raises(InputError, match=sentence):
        heard(wanted)


def test_one_speaker_or_one_recording_each_is_too_little():
    with pytest.raises(InputError, match="only one speaker"):
        heard(
            QuestionDesign(ItemTask.SAME, 6), voices=SpeakerRecordings({"a": ["1", "2", "3", "4", "5"]}, {})
        )
    with pytest.raises(InputError, match="Every speaker has only one recording"):
        heard(QuestionDesign(ItemTask.SAME, 6), voices=SpeakerRecordings({"a": ["1"], "b": ["2"]}, {}))
    with pytest.raises(InputError, match="A test for 0 listeners"):
        heard(SAME, listeners=0)
