"""Which recordings are compared, counted by hand."""

import pytest

from zebra_core.errors import InputError
from zebra_core.recordings.trial_list import apart, count_apart, count_every_pair, every_pair

SPEAKER = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "c1": "c"}


def as_words(trials):
    return [
        f"{trials.enrol_ids[m]} {trials.ids[t]} {'target' if is_target else 'nontarget'}"
        for (m, t), is_target in zip(trials.pairs.tolist(), trials.is_target.tolist(), strict=True)
    ]


def test_every_pair_is_counted_once():
    found = every_pair(SPEAKER, across=False)

    assert (len(found.pairs), found.is_target.sum()) == (15, 4)
    assert as_words(found)[:3] == ["a1 a2 target", "a1 a3 target", "a1 b1 nontarget"]


def test_original_against_protected_never_compares_a_recording_with_its_own_copy():
    found = every_pair(SPEAKER, across=True)

    assert (len(found.pairs), found.is_target.sum()) == (30, 8)
    assert (found.pairs[:, 0] != found.pairs[:, 1]).all()
    assert len(set(map(tuple, found.pairs.tolist()))) == 30


def test_enrolment_and_test_recordings_are_apart():
    found = apart(SPEAKER, 1, {})

    assert as_words(found) == [
        "a a2 target", "a a3 target", "a b2 nontarget", "b a2 nontarget", "b a3 nontarget", "b b2 target",
    ]  # fmt: skip
    assert found.left_out == ("c",)


def test_a_model_may_have_several_recordings():
    found = apart({**SPEAKER, "b3": "b"}, 2, {})

    assert found.models == ((0, 1), (3, 4))
    assert as_words(found) == ["a a3 target", "a b3 nontarget", "b a3 nontarget", "b b3 target"]


def test_trials_are_of_one_sex_where_the_sex_of_all_is_known():
    speaker = {f"{who}{n}": who for who in "abcd" for n in (1, 2)}
    found = apart(speaker, 1, {"a": "f", "b": "f", "c": "m", "d": "m"})

    assert found.same_sex
    assert "a c2 nontarget" not in as_words(found)
    assert (len(found.pairs), found.is_target.sum()) == (8, 4)
    assert not apart(speaker, 1, {"a": "f"}).same_sex


@pytest.mark.parametrize(
    ("speaker", "sentence"),
    [
        ({"a1": "a", "a2": "a"}, "only one speaker"),
        ({}, "of 0 speakers"),
        ({"a1": "a", "b1": "b"}, "No speaker has two recordings"),
    ],
)
def test_what_cannot_be_compared_has_a_sentence(speaker, sentence):
    with pytest.raises(InputError, match=sentence):
        every_pair(speaker, across=False)


def test_one_speaker_of_each_sex_gives_no_nontarget_trial():
    with pytest.raises(InputError, match="no two speakers of the same sex"):
        apart({"a1": "a", "a2": "a", "b1": "b", "b2": "b"}, 1, {"a": "f", "b": "m"})


@pytest.mark.parametrize(
    ("enrol", "sentence"), [(3, "only one speaker has recordings left"), (4, "0 speakers have recordings")]
)
def test_an_enrolment_that_takes_all_recordings_has_a_sentence(enrol, sentence):
    speaker = {f"{who}{n}": who for who in "abc" for n in range(4 if who == "a" else 3)}

    for of in (apart, count_apart):
        with pytest.raises(InputError, match=f"With {enrol} for an enrolment, {sentence}"):
            of(speaker, enrol, {})


def test_more_trials_than_are_computed_are_refused(monkeypatch):
    monkeypatch.setattr("zebra_core.recordings.trial_list.MOST_TRIALS", 14)

    with pytest.raises(InputError, match="15 trials, more than the 14"):
        every_pair(SPEAKER, across=False)
    monkeypatch.setattr("zebra_core.recordings.trial_list.MOST_TRIALS", 3)
    for of in (apart, count_apart):
        with pytest.raises(InputError, match=r"more than the 3 .* Give recordings of fewer speakers"):
            of(SPEAKER, 1, {})


@pytest.mark.parametrize("sizes", [(3, 3), (1, 4, 2), (5, 1, 1, 2)])
def test_trials_are_counted_without_making_them(sizes):
    speaker = {f"{who}-{n}": f"{who}" for who, size in enumerate(sizes) for n in range(size)}
    sex = {f"{who}": "fm"[who % 2] for who in range(len(sizes))}

    for across in (False, True):
        made, count = every_pair(speaker, across=across), count_every_pair(speaker, across=across)
        assert (count.trials, count.targets) == (len(made.pairs), made.is_target.sum())
    for given in ({}, sex):
        try:
            made = apart(speaker, 1, given)
        except InputError as error:
            with pytest.raises(InputError, match=str(error)):
                count_apart(speaker, 1, given)
        else:
            count = count_apart(speaker, 1, given)
            assert (count.trials, count.targets) == (len(made.pairs), made.is_target.sum())
