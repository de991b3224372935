"""Groups of people within an assessment: each is an assessment of its own, compared with the others."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.evidence.value_types import fault
from zebra_core.metrics.assessment import assess
from zebra_core.project.by_group import (
    D_ECE,
    GROUPS_OF_PEOPLE,
    GroupsOfPeople,
    attribute_name,
    columns_as_json,
    means_attribute,
)
from zebra_core.project.comparison.grouping import entry_of_group, groups_of_people
from zebra_core.project.comparison.inference import Labels
from zebra_core.project.comparison.linking import reidentification_of
from zebra_core.project.items import Condition, Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

DRAWN = BootstrapSettings(60)
N = 10


def side_by_side(first: Trials, second: Trials, *, across: bool = False) -> Trials:
    """Two sets of trials as one list: those within each, or, with `across`, only nontargets across.

    Who is of the first set is called f…, who is of the second m….
    """
    enrol, test = (
        Ids(
            np.concatenate([one.codes, other.codes + len(one.names)]).astype(np.int32),
            (*(f"f{name}" for name in one.names), *(f"m{name}" for name in other.names)),
        )
        for one, other in ((first.enrol, second.enrol), (first.test, second.test))
        if one is not None and other is not None
    )
    score = np.concatenate([first.score, second.score])
    is_target = np.concatenate([first.is_target, second.is_target])
    if not across:
        return Trials(score, is_target, enrol, test)
    swapped = np.where(is_target, enrol.codes, (enrol.codes + len(enrol.names) // 2) % len(enrol.names))
    return Trials(score, is_target, Ids(swapped.astype(np.int32), enrol.names), test)


def sets(between: tuple[float, float] = (0.1, 3.0), n: tuple[int, int] = (N, N)) -> list[Trials]:
    """Trials of women, of whom little is left, and of men, of whom much is."""
    rng = np.random.default_rng(5)
    return [trials_of(rng, count, variance) for count, variance in zip(n, between, strict=True)]


def sex(trials: Trials, **others: str) -> tuple[str, Labels]:
    """The sex of everybody by the first letter of their names."""
    assert trials.enrol is not None
    return "sex.txt", Labels({**{name: name[0] for name in trials.enrol.names}, **others})


def entry_of(trials: Trials, condition: Condition = Condition.OP) -> Entry:
    return Entry("B2", trials, assess(trials), condition, attacker="ignorant")


def found_of(trials: Trials, **others: str) -> GroupsOfPeople:
    return groups_of_people(entry_of(trials), sex(trials, **others), DRAWN)


def test_a_group_is_assessed_as_its_trials_alone_would_be() -> None:
    women, men = sets()
    found = found_of(side_by_side(women, men))
    for group, alone in zip(found.groups, (women, men), strict=True):
        assert group.assessment is not None
        assert group.trust is not None
        assert group.n_speakers == N
        assert group.assessment.d_ece_bits == assess(alone).d_ece_bits
        assert group.assessment.n_nontarget == alone.n_nontarget
        by_hand = trust_of(alone, assess(alone), DRAWN, deals=0).uncertainty
        assert group.interval_of(D_ECE) == by_hand.interval(D_ECE)
        linked = reidentification_of(entry_of(alone), DRAWN).linkage_of(1)[-1]
        assert group.linkage is not None
        assert group.linkage.estimate == pytest.approx(linked.probability, rel=1e-12)
        own = group.interval_of("linkage")
        assert own is not None
        assert own.low <= group.linkage.estimate <= own.high


def test_comparisons_between_the_groups_are_in_none_of_them() -> None:
    """Everybody against everybody: the nontargets of a group are those of two of its own people."""
    rng = np.random.default_rng(2)
    everybody = trials_of(rng, 2 * N, 0.5)
    assert everybody.enrol is not None
    labels = Labels({name: "fm"[int(name[1:]) % 2] for name in everybody.enrol.names})
    found = groups_of_people(entry_of(everybody), ("sex", labels), DRAWN)
    n_targets = {group.assessment.n_target for group in found.groups if group.assessment}
    n_others = {group.assessment.n_nontarget for group in found.groups if group.assessment}
    assert (n_targets, n_others) == ({3 * N}, {3 * N * (N - 1)})
    assert found.of_own


def test_who_has_twice_as_many_recordings_counts_no_more() -> None:
    """The recordings of one woman once more: nothing changes but the number of trials."""
    women, men = sets()
    assert women.enrol is not None
    assert women.test is not None
    is_hers = np.char.startswith(np.array(women.test.names)[women.test.codes], "s000-")
    again = np.concatenate([np.arange(len(women)), np.flatnonzero(is_hers)])
    copied = np.arange(len(again)) >= len(women)
    talkative = Trials(
        women.score[again],
        women.is_target[again],
        Ids(women.enrol.codes[again], women.enrol.names),
        Ids(
            np.where(copied, women.test.codes[again] + len(women.test.names), women.test.codes[again]).astype(
                np.int32
            ),
            (*women.test.names, *(f"{name}b" for name in women.test.names)),
        ),
    )
    plain, more = (found_of(side_by_side(one, men)).groups[0] for one in (women, talkative))
    assert more.assessment is not None
    assert more.assessment.n_target == 3 * N + 3
    for figure, draws in plain.figures.items():
        assert more.figures[figure].estimate == pytest.approx(draws.estimate, rel=1e-9), figure
        left_out = np.sort(more.figures[figure].left_out)
        assert left_out == pytest.approx(np.sort(draws.left_out), rel=1e-9), figure


def test_a_large_difference_is_settled_and_said() -> None:
    found = found_of(side_by_side(*sets()))
    largest = found.largest()
    assert largest is not None
    assert largest.is_settled
    assert largest.value < 0.0  # women disclose less
    assert len(found.differences) == 3
    entry = entry_of(side_by_side(*sets()))
    women, men = (f"{found.groups[k].value_of(D_ECE):.2f}" for k in (0, 1))
    assert found.sentence(entry, "the strongest attack").startswith(
        f"B2 protects “m” less than “f” (sex) under the strongest attack: {men} against {women} bit; settled."
    )
    unprotected = entry_of(side_by_side(*sets()), Condition.OO)
    assert found.sentence(unprotected, "").startswith("Unprotected speech of “m” discloses more than that")


def test_groups_alike_may_differ_by_chance() -> None:
    found = found_of(side_by_side(*sets((0.5, 0.5))))
    said = found.sentence(entry_of(side_by_side(*sets())), "this attack")
    assert said.endswith("; this may be chance.")
    assert not any(each.is_settled for each in found.differences)


def test_the_same_figures_are_not_called_different() -> None:
    women, _ = sets((0.5, 0.5))
    found = found_of(side_by_side(women, women))
    assert [each.value for each in found.differences] == [0.0, 0.0, 0.0]
    said = found.sentence(entry_of(women), "this attack")
    assert said == "B2: no difference between the groups is settled (sex)."


def test_a_group_of_seven_is_named_and_not_judged() -> None:
    found = found_of(side_by_side(*sets(n=(N, 7))))
    few = found.group("m")
    assert few is not None
    assert (few.n_speakers, few.is_judged, few.figures) == (7, False, {})
    assert found.differences == ()
    assert found.sentence(entry_of(side_by_side(*sets())), "") == ""
    (told,) = found.remarks
    assert told.startswith("One group is not judged, for fewer than 8 of its people")
    assert columns_as_json([found])["sex=m_d_ece_bits"] is None


def test_people_without_a_value_are_counted_and_in_no_group() -> None:
    trials = side_by_side(*sets(n=(N, N + 1)))
    name, labels = sex(trials)
    found = groups_of_people(
        entry_of(trials), (name, Labels({k: v for k, v in labels.of.items() if k != "ms003"})), DRAWN
    )
    assert (found.n_without, found.n_people) == (1, 2 * N + 1)
    assert found.remarks == ("sex: the value of one of 21 people is not known; that person is in no group.",)
    assert [group.n_speakers for group in found.groups] == [N, N]


def test_without_nontargets_of_their_own_all_groups_have_those_with_others() -> None:
    trials = side_by_side(*sets(), across=True)
    found = found_of(trials)
    assert not found.of_own
    assert [group.assessment.n_nontarget for group in found.groups if group.assessment] == [
        2 * 3 * N * (N - 1)
    ] * 2
    assert found.among is None
    assert "those with people of other groups" in found.remarks[0]
    assert found.remarks[1].startswith("How often people are linked within their group cannot be measured: ")
    assert {each.figure for each in found.differences} == {"d_ece_bits", "eer"}


def test_one_value_leaves_nothing_to_compare() -> None:
    women, _ = sets()
    found = groups_of_people(entry_of(women), ("sex", Labels(dict.fromkeys(women.enrol.names, "f"))), DRAWN)
    assert [group.n_speakers for group in found.judged] == [N]
    assert found.differences == ()
    assert found.remarks == (
        "sex: everybody whose value is known has “f”, so there are no groups to compare.",
    )


def test_a_file_about_others_says_so() -> None:
    women, _ = sets()
    found = groups_of_people(entry_of(women), ("age", Labels({"somebody": "41"})), DRAWN)
    assert found.groups == ()
    assert found.remarks == ("age: none of the people in these trials has a value in this file.",)


def test_linkage_is_among_as_many_in_all_groups() -> None:
    found = found_of(side_by_side(*sets(n=(9, 12))))
    assert found.among == 9


def test_a_group_is_an_entry_that_anything_can_be_asked_of() -> None:
    trials = side_by_side(*sets())
    entry = entry_of(trials)
    group = entry_of_group(entry, "SEX = m", DRAWN, given=[sex(trials)])
    assert (group.id, group.name, group.condition) == (entry.id, "B2", Condition.OP)
    assert group.trust is not None
    assert group.trust.people is not None
    assert group.n_trials == 3 * N * N
    assert len(group.trust.people.linkage[0].total) == N
    assert reidentification_of(group).n_enrolled == N


@pytest.mark.parametrize(
    ("asked", "code"), [("age=m", "by-group-unknown"), ("sex=x", "by-group-value"), ("sex=m", "by-group-few")]
)
def test_what_is_not_there_is_refused_with_what_there_is(asked: str, code: str) -> None:
    trials = side_by_side(*sets(n=(N, 7)))
    with pytest.raises(InputError) as refused:
        entry_of_group(entry_of(trials), asked, DRAWN, given=[sex(trials)])
    assert refused.value.code == code


@pytest.mark.parametrize("said", ["female", "Women", "w", "weiblich", "femme", "mujer"])
def test_a_sex_is_understood_by_its_usual_words(said: str) -> None:
    trials = side_by_side(*sets())
    found = found_of(trials)
    assert found.group(said) is found.group("f")
    assert found.group("f") is not None


def test_words_of_a_sex_are_words_of_no_other_attribute_and_its_own_words_come_first() -> None:
    found = found_of(side_by_side(*sets()))
    assert replace(found, attribute="accent").group("female") is None
    named = replace(found, groups=(*found.groups, replace(found.groups[0], value="female")))
    assert named.group("female") is named.groups[-1]
    assert named.group("woman") is None  # f and female are both there: nobody knows which is meant


def test_what_everybody_has_by_a_list_beside_the_files_is_said(tmp_path: Path) -> None:
    trials = sets()[0]
    assert trials.enrol is not None
    (tmp_path / "spk2gender").write_text("".join(f"{name} f\n" for name in (*trials.enrol.names, "other")))
    scores = InputFile(tmp_path / "scores", "both", 1, 64 * "a", 1)
    entry = Entry("B2", trials, replace(assess(trials), files=(scores,)), Condition.OP)
    for refused_of in ("sex=female", "sex=m"):
        with pytest.raises(InputError) as refused:
            entry_of_group(entry, refused_of, DRAWN)
        assert str(refused.value) == (
            "Everybody in these trials is “f” by spk2gender, so there are no groups by “sex”, and nothing "
            "can be compared. Require it of everybody, or give trials of people who differ."
        )


def test_without_any_attribute_that_is_said() -> None:
    with pytest.raises(InputError) as refused:
        entry_of_group(entry_of(sets()[0]), "sex=m", DRAWN)
    assert refused.value.code == "by-group-no-attributes"


def test_an_attribute_is_called_as_its_file() -> None:
    assert [attribute_name(name) for name in ("sex", "ages.csv", "a.zip › of/sex.txt")] == [
        "sex",
        "ages",
        "sex",
    ]
    assert means_attribute("Sex", "sex.txt")
    assert means_attribute("sex", "spk2gender")
    assert means_attribute("spk2gender", "spk2gender")
    assert not means_attribute("sex", "age.txt")


def test_it_can_be_stopped() -> None:
    def stop(_: float) -> None:
        raise Cancelled

    trials = side_by_side(*sets(between=(0.2, 0.2)))
    with pytest.raises(Cancelled):
        groups_of_people(
            entry_of(trials), sex(trials), BootstrapSettings(50), trials=trials, on_progress=stop
        )


def test_the_json_is_as_it_is_described() -> None:
    for trials in (side_by_side(*sets()), side_by_side(*sets(n=(N, 7)))):
        values = json.loads(json.dumps(found_of(trials).as_json(), allow_nan=False))
        assert fault(values, GROUPS_OF_PEOPLE) is None


def test_names_of_people_do_not_matter() -> None:
    trials = side_by_side(*sets())
    assert trials.enrol is not None
    assert trials.test is not None
    enrol, test = (
        Ids(ids.codes, tuple(name[::-1] for name in ids.names)) for ids in (trials.enrol, trials.test)
    )
    turned = Trials(trials.score, trials.is_target, enrol, test)
    labels = Labels({name[::-1]: name[0] for name in trials.enrol.names})
    one = found_of(trials).as_json()
    other = groups_of_people(entry_of(turned), ("sex", labels), DRAWN).as_json()
    for values in (one, other):
        for group in values["groups"]:  # type: ignore[attr-defined]
            group["most_exposed"].pop("speaker")
    assert one == other
